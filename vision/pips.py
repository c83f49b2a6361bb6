"""Pip dice without enrolment: western and Asian, in any colours.

Their faces are drawn here, dark on light and light on dark, wide and narrow. A third reader counts: it looks where
pips may lie and demands that each place is plainly a pip or plainly none.
"""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.align import FINE, Template, mask, unit
from vision.dice_set import DiceSet, Face
from vision.place import Array, Place, cut
from vision.prepared import Prepared, seen_in, softened

SPREADS = (0.40, 0.48, 0.56)
"""How far outer pips lie from the middle, in half-sides: dice from eight makers lay at .40 to .58."""
PIP_RADIUS = 0.19
"""Radius of a pip, in half-sides: .16 to .22."""
GREAT_RADIUS = 0.34
"""Radius of the large single pip of Asian dice, in half-sides."""
NCC_FLOOR, STROKES_FLOOR = 0.72, 0.62
"""What a square must reach by each reader. Drawn faces are poorer than enrolled ones; the count makes up for it."""
LEVELS = (0.4, 0.5, 0.6, 0.7, 0.8)
"""Parts of the strongest contrast at which spots are counted."""
AGREED, OUTVOTED = 2, 3
"""Levels that must count the same, and that must if one level counts otherwise: pips of a six run into each other at
low levels, lamps eat into pips at high ones."""
LEAST_CONTRAST = 0.8
"""The strongest contrast in spreads of the patch: smooth light has about one, a pip two and more."""
COUNTED_REACH = 0.84
"""Part of the face in which spots are counted, up to the rounded edges."""
LEAST_AREA, MOST_AREA, UNLIKE = 0.006, 0.055, 1.8
"""Area of a pip in parts of the face, and by how much those of one face may differ: specks are smaller, pips that run
into each other larger. A pip of .12 half-sides covers .011, one of .22 .038. Of a six that a broad lamp half hid two
pips were left, told as a two, one 1.9 times as large as the other; of 6,736 rendered dice one in a thousand has 1.8."""
MOST_SHADE = 0.02
"""Area of a spot at the border of what is counted up to which it is the shade of a rounded corner."""
GREAT_AREA = 0.14
"""Area that a single pip may have: that of Asian dice covers .09."""
BOUNDED_PIXELS, BOUNDED_REACH = 96, 1.5
"""The patch round a face in which its edges are sought."""
EDGE = 0.03
"""Step at an edge of the die, in parts of the pips' contrast. White dice on white paper have .05 and more on 95 of 100
second weakest sides, squares that end in the middle of a face .02 in the median."""
LIT_LEVEL = 0.992
"""A spot of a light face is blown out from this level on (square root, 0 to 1)."""
PLAINER, LEAST_PLAIN = 1.8, 0.20
"""In a colour plane in which they are so many times plainer than in grey, pips are looked for there, unless grey shows
them as plainly as the second (square roots of levels, 0 to 1): lime pips on pink are as bright as their die."""
LONE, SPOT_NCC = "1", 0.80
"""The face that is one spot, and the correlation with it from which a face of another set is one too."""
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


def lone(faces: Sequence[Template]) -> frozenset[str]:
    """Return the names of faces that show one round spot in the middle, small or large, dark or light."""
    spots = np.stack([unit(drawn(LONE, 0.5, radius)[mask(FINE)]) for radius in (PIP_RADIUS, GREAT_RADIUS)])
    return frozenset(face.name for face in faces if float(np.abs(spots @ face.fine.target).max()) >= SPOT_NCC)


def counted(patch: Array) -> str | None:
    """Return how many pips the aligned fine patch shows, as a face, or None if that is not plain.

    Everything that differs from the body by LEVELS of the strongest contrast is counted; levels at which it is not
    plain are passed over, the others must count the same.

    >>> counted(drawn("5", 0.5)), counted(1 - drawn("6", 0.5))
    ('5', '6')
    """
    soft = softly(patch)
    body, strongest = contrast(soft)
    if abs(strongest) < LEAST_CONTRAST * float(np.std(patch)):
        return None
    parts = np.where(_INSIDE, (soft - body) / strongest, 0.0)
    plain = [count for count in (_spots(parts > level) for level in LEVELS) if count]
    most = max(set(plain), key=plain.count) if plain else 0
    others = len(plain) - plain.count(most)
    agreed = (others == 0 and len(plain) >= AGREED) or (others == 1 and plain.count(most) >= OUTVOTED)
    return str(most) if agreed and 1 <= most <= len(PATTERNS) else None


def lit(soft: Array) -> float:
    """Return the part of what is counted of a face, `softly` seen, that is blown out, 0 to 1: specks do not count."""
    bright = (np.asarray(soft > LIT_LEVEL) & _INSIDE).astype(np.uint8)
    spots = cv2.morphologyEx(bright, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return float(spots.sum()) / float(_INSIDE.sum())


def plainest(prepared: Prepared, places: Sequence[Place]) -> Prepared:
    """Return the frame in that colour plane in which the pips of the dice at `places` differ most from their bodies."""
    in_grey = _plain([cut(prepared.fine, place, FINE) for place in places])
    if not places or in_grey >= LEAST_PLAIN:
        return prepared
    colours = [cut(prepared.colour, place, FINE) for place in places]
    planes = [_plain([softened(square[:, :, plane]) for square in colours]) for plane in range(3)]
    best = int(np.argmax(planes))
    return seen_in(prepared, best) if planes[best] > PLAINER * in_grey else prepared


def _plain(patches: Sequence[Array]) -> float:
    """Return how far the strongest spots of fine patches are from their bodies, in the median."""
    return float(np.median([abs(contrast(patch)[1]) for patch in patches])) if patches else 0.0


def softly(patch: Array) -> Array:
    """Return a fine patch without its noise."""
    return np.asarray(cv2.GaussianBlur(patch, (0, 0), 1.2), np.float32)


def contrast(soft: Array) -> tuple[float, float]:
    """Return the level of a fine patch's body and how far the strongest spots are from it: below 0 on a light die."""
    body = float(np.median(soft[_INSIDE]))
    low, high = np.percentile(soft[_INSIDE], (1, 99))
    return body, float(low) - body if body - low > high - body else float(high) - body


def _spots(marked: npt.NDArray[np.bool_]) -> int:
    """Return the number of spots that may be pips; 0 if one is too large or they differ too much."""
    count, marks, stats, _ = cv2.connectedComponentsWithStats(marked.astype(np.uint8), connectivity=4)
    areas = np.asarray(stats)[1:count, cv2.CC_STAT_AREA] / FINE**2
    at_border = np.isin(np.arange(1, count), np.unique(np.asarray(marks)[_BORDER]))
    if np.any(at_border & (areas > MOST_SHADE)):
        return 0
    areas = areas[(areas > LEAST_AREA) & ~at_border]
    most = GREAT_AREA if len(areas) == 1 else MOST_AREA
    if not len(areas) or areas.max() > most or areas.max() > UNLIKE * areas.min():
        return 0
    return len(areas)


def _inside() -> npt.NDArray[np.bool_]:
    axis = np.abs((2 * np.arange(FINE) + 1) / FINE - 1)
    return np.asarray(np.maximum(axis[None, :], axis[:, None]) < COUNTED_REACH)


_INSIDE = _inside()
_BORDER = _INSIDE & ~(np.asarray(cv2.erode(_INSIDE.astype(np.uint8), np.ones((3, 3), np.uint8))) > 0)


def bounded(patch: Array) -> bool:
    """Return whether the die ends round a patch (BOUNDED_PIXELS along, BOUNDED_REACH half-sides shown).

    Half of a four is a two and a pip on its own a one, but their squares end in the middle of a face. Along each side
    the steepest step is weighed against the pips' contrast; three of the four sides must have one.
    """
    soft = np.asarray(cv2.GaussianBlur(patch, (0, 0), 1.0), np.float32)
    inner = soft[np.ix_(_CORE, _CORE)]
    body = float(np.median(inner))
    strongest = max(body - float(np.percentile(inner, 2)), float(np.percentile(inner, 98)) - body)
    steps = [_step(np.rot90(soft, quarter)) for quarter in range(4)]
    return sorted(steps)[1] >= EDGE * max(strongest, 1e-6)


def _step(patch: Array) -> float:
    """Return the steepest step outwards, over four pixels, where the right side should be."""
    along = np.median(patch[_MIDDLE], axis=0)[_RIM]
    return float(np.abs(along[4:] - along[:-4]).max())


_AXIS = ((2 * np.arange(BOUNDED_PIXELS) + 1) / BOUNDED_PIXELS - 1) * BOUNDED_REACH
_CORE = np.abs(_AXIS) < 0.75
_MIDDLE = np.abs(_AXIS) < 0.55
_RIM = (_AXIS > 0.78) & (_AXIS < 1.32)
