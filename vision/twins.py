"""Faces of a set that look alike in different sizes: a small heart is a large one, seen from afar."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from vision.align import COARSE, FINE, Template, mask, unit
from vision.place import Array, Place, cut
from vision.strokes import describe

RATIOS = tuple(float(ratio) for ratio in np.exp(np.linspace(math.log(0.60), math.log(0.92), 12)))
"""Sides of the part of a face that is compared with another whole face, in sides: steps of 4 %. Faces that are alike
in nearly one size are each other's rivals at one place."""
SHIFTS = tuple(product((-0.12, -0.06, 0.0, 0.06, 0.12), repeat=2))
"""How far the part may lie off the middle, along and across, in sides: prints are not quite centred."""
TWIN = 0.85
"""Likeness by both readers from which a part of one face may be taken for another. An O and a small O, crowns, clubs
and rings of drawn sets have .91 to .98, faces of D1-D4 and of 60 single poker dice .76 at most."""
ON_ITS_CORNER = 0.90
"""The same for a part that is turned by an eighth: a print that is a square on its corner may have been learnt for the
face. So was a large diamond of a drawn set, and the small one, told as it, has .95; the 1 and the 5 of D4 have .86."""
TURNS = ((0.0, TWIN), (math.pi / 4, ON_ITS_CORNER))
"""Turns of the part in radians, besides quarters, and the likeness that makes a twin."""


@dataclass(frozen=True, slots=True)
class Twin:
    """Another face that would look like this one on a die whose side is `factor` times as long."""

    name: str
    factor: float


def twins(faces: Sequence[Template]) -> dict[str, tuple[Twin, ...]]:
    """Return for each face those that look like it in another size; faces without any are left out."""
    found: dict[str, tuple[Twin, ...]] = {}
    for small in faces:
        turned = [([_Parts(small.patch, ratio, yaw) for ratio in RATIOS], least) for yaw, least in TURNS]
        for large in faces:
            likest = max(_likest(parts, large, least) for parts, least in turned)
            if large.name != small.name and likest[0] >= 0:
                found[large.name] = (*found.get(large.name, ()), Twin(small.name, 1 / likest[1]))
                found[small.name] = (*found.get(small.name, ()), Twin(large.name, likest[1]))
    return found


def _likest(parts: Sequence["_Parts"], large: Template, least: float) -> tuple[float, float]:
    """Return by how much the likest part is liker to a whole face than it must be, and its ratio."""
    return max((one.likeness(large) - least, one.ratio) for one in parts)


class _Parts:
    """The parts of a face that have sides of `ratio` of its own and are turned by `yaw` radians."""

    def __init__(self, patch: Array, ratio: float, yaw: float) -> None:
        """Cut them out, one for each shift."""
        self.ratio = ratio
        middle = (FINE - 1) / 2
        places = [Place(middle + FINE * x, middle + FINE * y, FINE * ratio, yaw) for x, y in SHIFTS]
        self._fine = [cut(patch, place, FINE) for place in places]
        self._coarse = np.stack([unit(cut(patch, place, COARSE)[mask(COARSE)]) for place in places])

    def likeness(self, large: Template) -> float:
        """Return how like one of the parts is to a whole face, by the reader that finds them less so."""
        coarse = self._coarse @ large.turns.T
        index, turn = np.unravel_index(int(np.argmax(coarse)), coarse.shape)
        by_grey = float(coarse[index, turn])
        if by_grey < TWIN:
            return by_grey
        turned = np.ascontiguousarray(np.rot90(large.patch, -int(turn)))
        return min(by_grey, float(describe(self._fine[int(index)]) @ describe(turned)))
