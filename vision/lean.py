"""Whether a die leans: what a small network sees round its face, side faces above all.

A die that lies flat shows the side faces that look towards the middle of the picture, each as wide as its place says
and no others. One that leans by 14 degrees shows a quarter of a side face more or less. The network gets the square
with its surroundings, turned so that the middle of the picture lies to the left, and how far away that is.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.nets import Network
from vision.place import Array, Frame, Place, cut

PIXELS = 48
"""Pixels along the patch that the network gets."""
REACH = 1.6
"""Half-sides shown: a side face at the edge of the picture is .65 of a face wide."""
HALF_FIELD = math.radians(33)
"""Half of the lens's horizontal angle when it is not calibrated (Camera Module 3: 66 degrees)."""
BEARING = 2
"""Numbers that tell where the die lies: tangents of its angle off the axis, along and across the patch."""


def canonical(place: Place, width: int, height: int) -> tuple[Place, tuple[float, float]]:
    """Return the square in that turn in which it lies most to the right of the picture's middle, and its bearing."""
    focal = width / 2 / math.tan(HALF_FIELD)
    x, y = (place.x - (width - 1) / 2) / focal, (place.y - (height - 1) / 2) / focal
    turns = []
    for quarter in range(4):
        turned = place.turned(quarter)
        c, s = math.cos(turned.yaw), math.sin(turned.yaw)
        turns.append((turned, (c * x + s * y, c * y - s * x)))
    return max(turns, key=lambda turn: turn[1][0])


def planes(patch: Frame, bearing: tuple[float, float]) -> Array:
    """Return the network's input (5, PIXELS, PIXELS) for a BGR patch: root levels -1 to 1, and the bearing."""
    levels = cv2.LUT(patch, _ROOTS).transpose(2, 0, 1)
    where = np.broadcast_to(np.array(bearing, np.float32)[:, None, None], (BEARING, PIXELS, PIXELS))
    return np.concatenate([levels, where])


_ROOTS = (2 * np.sqrt(np.arange(256, dtype=np.float32) / 255) - 1).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Posture:
    """How a square lies: likelihoods of a flat face, of a leaning die and of no face at all; they sum to 1."""

    flat: float
    leaning: float
    nothing: float


def postures(picture: Frame, places: Sequence[Place]) -> list[Posture]:
    """Return how the die at each place of `picture` (BGR, the whole field of the camera) lies."""
    if not places:
        return []
    height, width = picture.shape[:2]
    inputs = []
    for place in places:
        turned, bearing = canonical(place, width, height)
        inputs.append(planes(cut(picture, turned, PIXELS, REACH), bearing))
    out = _NETWORK.forward(np.stack(inputs)).reshape(len(places), 3)
    return [Posture(float(row[0]), float(row[1]), float(row[2])) for row in out]


_NETWORK = Network("lean.onnx")
