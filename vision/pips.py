"""Pip dice without enrolment: western and Asian, in any colours.

Their faces are drawn here, dark on light and light on dark, wide and narrow. A third reader counts: it looks where
pips may lie and demands that each place is plainly a pip or plainly none.
"""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from vision.align import FINE
from vision.dice_set import DiceSet, Face
from vision.place import Array

SPREADS = (0.46, 0.56)
"""How far outer pips lie from the middle, in half-sides: dice from eight makers lay at .43 to .58."""
PIP_RADIUS = 0.19
"""Radius of a pip, in half-sides: .16 to .22."""
GREAT_RADIUS = 0.34
"""Radius of the large single pip of Asian dice, in half-sides."""
NCC_FLOOR, STROKES_FLOOR = 0.72, 0.62
"""What a square must reach by each reader. Drawn faces are poorer than enrolled ones; the count makes up for it."""
PIP, BLANK = 0.60, 0.25
"""Parts of the strongest contrast from which a place is a pip, and up to which it is none."""

LATTICE = ((-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
"""Places where pips may lie, row by row."""
PATTERNS = {
    "1": (4,),
    "2": (0, 8),
    "3": (0, 4, 8),
    "4": (0, 2, 6, 8),
    "5": (0, 2, 4, 6, 8),
    "6": (0, 2, 3, 5, 6, 8),
}
"""The places of LATTICE that each face fills."""


def drawn(face: str, spread: float, radius: float = PIP_RADIUS) -> Array:
    """Return a face, light with dark pips, (FINE, FINE), 0 to 1."""
    scale, centre = FINE / 2 * 16, (FINE - 1) / 2 * 16
    patch = np.full((FINE, FINE), 255, np.uint8)
    for place in PATTERNS[face]:
        u, v = LATTICE[place]
        at = (round(centre + u * spread * scale), round(centre + v * spread * scale))
        cv2.circle(patch, at, round(radius * scale), 20, cv2.FILLED, cv2.LINE_AA, 4)
    return np.asarray(np.asarray(cv2.GaussianBlur(patch, (0, 0), 1.6)) / 255, np.float32)


@cache
def pips() -> DiceSet:
    """Return the built-in set of pip dice; what is seen from above counts, and opposite faces sum to seven."""
    faces = tuple(_face(name) for name in PATTERNS)
    return DiceSet("pips", "above", faces, tuple((name, str(7 - int(name))) for name in PATTERNS), counted=True)


def _face(name: str) -> Face:
    looks = [drawn(name, spread) for spread in SPREADS]
    if name == "1":
        looks = [drawn(name, 0.5), drawn(name, 0.5, GREAT_RADIUS)]
    greys = [np.round(255 * look).astype(np.uint8)[None] for look in looks]
    both = tuple(greys + [255 - grey for grey in greys])
    return Face(name, both, np.repeat(greys[0][0][:, :, None], 3, axis=2), NCC_FLOOR, STROKES_FLOOR)


def counted(patch: Array) -> str | None:
    """Return the face whose pips lie in the aligned fine patch, or None if a place is neither pip nor blank.

    >>> counted(drawn("5", 0.5)), counted(1 - drawn("6", 0.5))
    ('5', '6')
    """
    soft = np.asarray(cv2.GaussianBlur(patch, (0, 0), 2.0), np.float32)
    found = {_matched(soft, spread) for spread in (0.44, 0.50, 0.56)} - {None}
    return found.pop() if len(found) == 1 else None


def _matched(soft: Array, spread: float) -> str | None:
    body = float(np.median([soft[_at(u * spread, v * spread)] for u, v in _BETWEEN]))
    contrast = np.array([soft[_at(u * spread, v * spread)] - body for u, v in LATTICE])
    strongest = float(contrast[np.abs(contrast).argmax()])
    if abs(strongest) < 1e-3:
        return None
    parts = contrast / strongest
    if np.any((parts > BLANK) & (parts < PIP)) or np.any(parts < -PIP):
        return None
    filled = np.flatnonzero(parts >= PIP)
    return next((name for name, places in PATTERNS.items() if _same(filled.tolist(), places)), None)


_BETWEEN = ((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (-0.5, 0.0), (0.5, 0.0), (0.0, -0.5), (0.0, 0.5))


def _at(u: float, v: float) -> tuple[int, int]:
    return round((v + 1) * FINE / 2 - 0.5), round((u + 1) * FINE / 2 - 0.5)


def _same(filled: Sequence[int], places: Sequence[int]) -> bool:
    """Return whether two patterns are the same in one of four turns."""
    grid = np.zeros(9, bool)
    grid[list(filled)] = True
    wanted = np.zeros(9, bool)
    wanted[list(places)] = True
    return any(np.array_equal(np.rot90(grid.reshape(3, 3), quarter), wanted.reshape(3, 3)) for quarter in range(4))
