"""Whether a die leans: what a small network sees round its face, side faces above all.

A die that lies flat shows the side faces that look towards the middle of the picture, each as wide as its place says
and no others. One that leans by 14 degrees shows a quarter of a side face more or less. The network gets the square
with its surroundings, turned so that the middle of the picture lies to the left, and how far away that is.
"""

import math

import numpy as np

from vision.place import Array, Frame, Place

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
    levels = _ROOTS[patch].transpose(2, 0, 1)
    where = np.broadcast_to(np.array(bearing, np.float32)[:, None, None], (BEARING, PIXELS, PIXELS))
    return np.concatenate([levels, where])


_ROOTS = (2 * np.sqrt(np.arange(256, dtype=np.float32) / 255) - 1).astype(np.float32)
