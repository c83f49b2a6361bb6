"""The third reader of enrolled faces: the colour of the print against the colour of its own die.

A red king and a green queen may differ in little else. Light and white balance change both print and body, so only
their ratio counts, and of that only what is not brightness.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.align import FINE, Template, mask
from vision.place import Frame

Tint = tuple[float, float]

DARK = 12.0
"""Levels added before logarithms: noise in dark prints is no colour."""
EVERY = 3
"""Of so many pixels one is looked at: there are thousands of one colour."""
COLOURED = 0.25
"""Length of a tint (logarithms of channel ratios) from which a print has a colour: blacks and whites of D1 reach .2,
its red .5 to 1.5 as the light is, green .35 and blue .3 in the median."""
APART_DEG = 50.0
"""Angle between two tints from which they are different colours: red, green and blue lie about 120 apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Which pixels of an aligned square are print and which are body, as flat indices."""

    ink: npt.NDArray[np.int64]
    body: npt.NDArray[np.int64]


def parts(face: Template) -> Parts:
    """Return where a face's template is print and where it is body: the body is what most of the rim shows."""
    patch, inside = face.patch, mask(FINE)
    levels = patch[inside]
    low, high = float(levels.min()), float(levels.max())
    grey = np.clip((patch - low) / max(high - low, 1e-6) * 255, 0, 255).astype(np.uint8)
    split, _ = cv2.threshold(grey[inside].reshape(-1, 1), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    light = grey > split
    lit = bool(light[inside & _RIM].mean() > 0.5)
    ink, body = inside & (light != lit), inside & (light == lit)
    return Parts(*(np.flatnonzero(part if part.any() else inside)[::EVERY] for part in (ink, body)))


def tint(square: Frame, where: Parts) -> Tint:
    """Return how much redder and bluer than green the print is, against the body: `square` is aligned, BGR."""
    if square.shape[:2] != (FINE, FINE):
        square = np.asarray(cv2.resize(square, (FINE, FINE)), np.uint8)
    levels = square.reshape(-1, 3)
    change = _LOGS[levels[where.ink]].mean(axis=0) - _LOGS[np.median(levels[where.body], axis=0).astype(np.uint8)]
    return float(change[2] - change[1]), float(change[0] - change[1])


_LOGS = np.log(np.arange(256, dtype=np.float32) + DARK)


def _rim() -> npt.NDArray[np.bool_]:
    axis = np.abs((2 * np.arange(FINE) + 1) / FINE - 1)
    return np.asarray(np.maximum(axis[None, :], axis[:, None]) > 0.7)


_RIM = _rim()


def coloured(one: Tint) -> bool:
    """Return whether a print has a colour."""
    return math.hypot(*one) > COLOURED


def angle(one: Tint, other: Tint) -> float:
    """Return by how many degrees two colours differ, 0 to 180.

    >>> round(angle((1.0, 0.0), (-0.5, -0.5)))
    135
    """
    turn = math.atan2(one[1], one[0]) - math.atan2(other[1], other[0])
    return abs(math.degrees((turn + math.pi) % (2 * math.pi) - math.pi))


def apart(one: Tint, other: Tint) -> bool:
    """Return whether two prints have different colours; how strong they are changes with the light."""
    return coloured(one) and coloured(other) and angle(one, other) > APART_DEG
