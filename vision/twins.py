"""Faces of a set that look alike in different sizes: a small heart is a large one, seen from afar."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from vision.align import COARSE, FINE, Template, laid, mask, unit
from vision.place import Array, Place, cut
from vision.strokes import describe

RATIOS = tuple(float(ratio) for ratio in np.exp(np.linspace(math.log(0.60), math.log(0.92), 12)))
"""Sides of the part of a face that is compared with another whole face, in sides: steps of 4 %. Faces that are alike
in nearly one size are each other's rivals at one place."""
STEP = 0.03
"""By what part of it such a side may change when the whole face is laid there, up to the largest."""
SHIFTS = tuple(product((-0.12, -0.06, 0.0, 0.06, 0.12), repeat=2))
"""How far the part may lie off the middle, along and across, in sides: prints are not quite centred."""
WORTH_LAYING = 0.60
"""Coarse correlation from which a face is laid on a part: of the twins of 44 drawn sets the least has .61."""
TWIN = 0.85
"""Likeness by both readers from which a part of one face may be taken for another. An O and a small O, crowns, clubs
and rings of drawn sets have .91 to .98, faces of D1-D4 and of 112 single poker dice .83 at most."""
EDGES_TWIN, LIT_TWIN = 0.88, 0.70
"""The same by edges and by grey levels for faces that were learnt in different light: an O and a Q whose tail is a dot,
learnt a sixth larger, have .90 and .78, and were told as each other in frames in which they fitted with .93. By edges
the faces of D1-D4 and of those dice have .83 at most."""
ON_ITS_CORNER = 0.90
"""As the first for a part that is turned by an eighth: a print that is a square on its corner may have been learnt for
the face. So was a large diamond of a drawn set, and the small one, told as it, has .95; faces of D1-D4 have .82."""
TURNS = ((0.0, ((TWIN, TWIN), (LIT_TWIN, EDGES_TWIN))), (math.pi / 4, ((ON_ITS_CORNER, ON_ITS_CORNER),)))
"""Turns of the part in radians, besides quarters, and the pairs of likenesses, by grey levels and edges, that make a
twin."""


@dataclass(frozen=True, slots=True)
class Twin:
    """Another face that would look like this one on a die whose side is `factor` times as long."""

    name: str
    factor: float


def twins(faces: Sequence[Template]) -> dict[str, tuple[Twin, ...]]:
    """Return for each face those that look like it in another size; faces without any are left out."""
    found: dict[str, tuple[Twin, ...]] = {}
    for small in faces:
        parts = [(_Parts(small.patch, ratio, yaw), least) for yaw, least in TURNS for ratio in RATIOS]
        for large in faces:
            ahead, ratio = max(one.ahead(large, least) for one, least in parts)
            if large.name != small.name and ahead >= 0:
                found[large.name] = (*found.get(large.name, ()), Twin(small.name, 1 / ratio))
                found[small.name] = (*found.get(small.name, ()), Twin(large.name, ratio))
    return found


class _Parts:
    """The parts of a face that have sides of `ratio` of its own and are turned by `yaw` radians."""

    def __init__(self, patch: Array, ratio: float, yaw: float) -> None:
        """Cut them out, one for each shift."""
        middle = (FINE - 1) / 2
        self._patch = patch
        self._sides = (FINE * ratio * (1 - STEP), FINE * min(ratio * (1 + STEP), RATIOS[-1]))
        self._places = [Place(middle + FINE * x, middle + FINE * y, FINE * ratio, yaw) for x, y in SHIFTS]
        self._coarse = np.stack([unit(cut(patch, place, COARSE)[mask(COARSE)]) for place in self._places])

    def ahead(self, large: Template, least: Sequence[tuple[float, float]]) -> tuple[float, float]:
        """Return by how much the likest part is liker to a whole face than any pair asks, and its side in sides."""
        coarse = self._coarse @ large.turns.T
        index, turn = np.unravel_index(int(np.argmax(coarse)), coarse.shape)
        if coarse[index, turn] < WORTH_LAYING:
            return -1.0, 1.0
        found = laid(self._patch, self._places[int(index)].turned(int(turn)), large, self._sides)
        by_edges = float(describe(cut(self._patch, found.place, FINE)) @ describe(large.patch))
        return max(min(found.ncc - grey, by_edges - edges) for grey, edges in least), found.place.side / FINE
