"""The reader that is asked where the fit is poor: what is printed inside the face, without shade and rim.

Bright rims and uneven light may outweigh a small print in the correlation of a whole face. Here all that changes slowly
is taken away, the rim is left out, and every face is tried in every turn at the one place.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.align import FINE, Template, unit
from vision.place import Array

REACH = 0.78
"""Part of the face that is compared: rounded and bevelled edges begin at .8."""
SLOW = FINE / 5
"""Pixels of a fine patch (standard deviation) over which a change is shade: prints' strokes are .05 to .2 of a face."""
SOFT = 1.5
"""Pixels by which what is left is softened: faces are laid that well."""
LEADS = ((0.93, 0.195), (0.95, 0.10))
"""Correlations of the whole face below which this reader is asked, and the lead over the next face that it must see. Of
77 readable dice with fits below .93 two had less, of 14 told wrongly none had more (6,000 rendered dice)."""


@dataclass(frozen=True, slots=True, eq=False)
class Details:
    """The details of all faces in four turns, (4 n, pixels), row by row with `names`."""

    names: tuple[str, ...]
    matrix: Array


def details(templates: Sequence[Template]) -> Details:
    """Return the details of faces."""
    turned = [(one.name, np.rot90(one.patch, -quarter)) for one in templates for quarter in range(4)]
    return Details(tuple(name for name, _ in turned), np.stack([_vector(patch) for _, patch in turned]))


def doubted(known: Details, patch: Array, name: str, ncc: float) -> bool:
    """Return whether a fine patch that fits the face `name` with correlation `ncc` may be another face after all."""
    bars = [least for below, least in LEADS if ncc < below]
    return bool(bars) and _lead(known, patch, name) < max(bars)


def _lead(known: Details, patch: Array, name: str) -> float:
    """Return by how much a fine patch is more like the face `name` than like any other, in their best turns."""
    best = dict.fromkeys(known.names, -1.0)
    for face, score in zip(known.names, known.matrix @ _vector(patch), strict=True):
        best[face] = max(best[face], float(score))
    return best.pop(name) - max(best.values(), default=-1.0)


def _vector(patch: npt.NDArray[np.float32]) -> Array:
    """Return the unit vector of a fine patch's details."""
    sharp = np.ascontiguousarray(patch, np.float32)
    quick = cv2.GaussianBlur(sharp - cv2.GaussianBlur(sharp, (0, 0), SLOW), (0, 0), SOFT)
    return unit(np.asarray(quick, np.float32)[_INSIDE])


def _inside() -> npt.NDArray[np.bool_]:
    axis = np.abs((2 * np.arange(FINE) + 1) / FINE - 1)
    return np.asarray(np.maximum(axis[:, None], axis[None, :]) < REACH)


_INSIDE = _inside()
