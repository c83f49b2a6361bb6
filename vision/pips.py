"""Pip dice without enrolment: western and Asian, in any colours.

Their faces are drawn here, dark on light and light on dark, wide and narrow. A third reader counts: it looks where
pips may lie and demands that each place is plainly a pip or plainly none.
"""

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.align import FINE
from vision.dice_set import DiceSet, Face
from vision.place import Array

SPREADS = (0.40, 0.48, 0.56)
"""How far outer pips lie from the middle, in half-sides: dice from eight makers lay at .40 to .58."""
PIP_RADIUS = 0.19
"""Radius of a pip, in half-sides: .16 to .22."""
GREAT_RADIUS = 0.34
"""Radius of the large single pip of Asian dice, in half-sides."""
NCC_FLOOR, STROKES_FLOOR = 0.72, 0.62
"""What a square must reach by each reader. Drawn faces are poorer than enrolled ones; the count makes up for it."""
LEVELS = (0.4, 0.5, 0.65)
"""Parts of the strongest contrast at which spots are counted."""
LEAST_CONTRAST = 0.8
"""The strongest contrast in spreads of the patch: smooth light has about one, a pip two and more."""
COUNTED_REACH = 0.84
"""Part of the face in which spots are counted, up to the rounded edges."""
LEAST_AREA, MOST_AREA, UNLIKE = 0.006, 0.055, 4.0
"""Area of a pip in parts of the face, and by how much those of one face may differ: specks are smaller, pips that run
into each other larger. A pip of .12 half-sides covers .011, one of .22 .038."""
GREAT_AREA = 0.14
"""Area that a single pip may have: that of Asian dice covers .09."""
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
    """Return how many pips the aligned fine patch shows, as a face, or None if that is not plain.

    Everything that differs from the body by LEVELS of the strongest contrast is counted, and all must count the same.

    >>> counted(drawn("5", 0.5)), counted(1 - drawn("6", 0.5))
    ('5', '6')
    """
    soft = np.asarray(cv2.GaussianBlur(patch, (0, 0), 1.2), np.float32)
    body = float(np.median(soft[_INSIDE]))
    low, high = np.percentile(soft[_INSIDE], (1, 99))
    strongest = float(low) - body if body - low > high - body else float(high) - body
    if abs(strongest) < LEAST_CONTRAST * float(np.std(patch)):
        return None
    parts = np.where(_INSIDE, (soft - body) / strongest, 0.0)
    counts = {_spots(parts > level) for level in LEVELS}
    return str(counts.pop()) if len(counts) == 1 and counts <= set(range(1, 7)) else None


def _spots(marked: npt.NDArray[np.bool_]) -> int:
    """Return the number of spots that may be pips; 0 if one is too large or they differ too much."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(marked.astype(np.uint8), connectivity=4)
    areas = np.asarray(stats)[1:count, cv2.CC_STAT_AREA] / FINE**2
    areas = areas[areas > LEAST_AREA]
    most = GREAT_AREA if len(areas) == 1 else MOST_AREA
    if not len(areas) or areas.max() > most or areas.max() > UNLIKE * areas.min():
        return 0
    return len(areas)


def _inside() -> npt.NDArray[np.bool_]:
    axis = np.abs((2 * np.arange(FINE) + 1) / FINE - 1)
    return np.asarray(np.maximum(axis[None, :], axis[:, None]) < COUNTED_REACH)


_INSIDE = _inside()
