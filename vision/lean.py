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
DOUBTED = 0.50
"""Likelihood of a flat die below which it is asked about in the mirror too. Of some 6,900 flat printed dice of D1-D4
and 25 rendered sets 58 look flat by less than .2 at first, 42 with both answers, while a side face that looked flat by
.27 does by .06; turns and sizes in between add little."""
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
    """Return how the die at each place of `picture` (BGR, the whole field of the camera) lies.

    A die that seems not to lie flat is shown again in the mirror, and both answers count alike.
    """
    found = _asked(picture, places, mirrored=False)
    doubted = [k for k, how in enumerate(found) if how.flat < DOUBTED]
    for k, mirrored in zip(doubted, _asked(picture, [places[k] for k in doubted], mirrored=True), strict=True):
        found[k] = _between(found[k], mirrored)
    return found


def _asked(picture: Frame, places: Sequence[Place], *, mirrored: bool) -> list[Posture]:
    """Return the network's answers."""
    if not places:
        return []
    height, width = picture.shape[:2]
    inputs = []
    for place in places:
        turned, (along, across) = canonical(place, width, height)
        patch = cut(picture, turned, PIXELS, REACH)
        inputs.append(planes(np.flipud(patch), (along, -across)) if mirrored else planes(patch, (along, across)))
    out = _NETWORK.forward(np.stack(inputs)).reshape(len(places), 3)
    return [Posture(float(row[0]), float(row[1]), float(row[2])) for row in out]


def _between(one: Posture, other: Posture) -> Posture:
    """Return what two answers say together: the mean of the odds of a flat die; the rest keeps its proportions.

    >>> both = _between(Posture(0.5, 0.5, 0.0), Posture(0.1, 0.7, 0.2))
    >>> round(both.flat, 3), round(both.leaning, 3), round(both.nothing, 3)
    (0.25, 0.643, 0.107)
    """
    flat = 1 / (1 + math.exp(-(odds(one.flat) + odds(other.flat)) / 2))
    leaning, nothing = one.leaning + other.leaning, one.nothing + other.nothing
    rest = (1 - flat) / max(leaning + nothing, 1e-6)
    return Posture(flat, leaning * rest, nothing * rest)


def odds(likelihood: float) -> float:
    """Return the logarithm of the odds of a likelihood."""
    return math.log(max(likelihood, 1e-6) / max(1 - likelihood, 1e-6))


_NETWORK = Network("lean.onnx")
