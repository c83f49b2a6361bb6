"""The second face reader: which way the edges of the print run, cell by cell, whatever the light does.

It shares nothing with correlation but the square: grey levels, gradients of light and contrast do not enter, since
every cell is weighed against its own neighbourhood (after Dalal and Triggs, 2005).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.align import unit
from vision.place import Array

CELLS = 8
"""Cells along a face: 8 pixels of a fine patch, so that a fit which is 3 % off changes little."""
FLOOR = 0.5
"""Part of the patch's mean edge strength that is added to every neighbourhood: blank cells stay quiet."""


def describe(patch: Array) -> Array:
    """Return the description of a fine patch: a unit vector of CELLS x CELLS x 8 numbers, one for each way."""
    right = cv2.Sobel(patch, cv2.CV_32F, 1, 0, ksize=3)
    down = cv2.Sobel(patch, cv2.CV_32F, 0, 1, ksize=3)
    strength = np.maximum(cv2.magnitude(right, down), 1e-6)
    ways = []
    for c, s in _TURNS:
        along = cv2.addWeighted(right, c, down, s, 0.0)
        along = np.asarray(along * np.abs(along) / strength)
        ways += [
            cv2.resize(np.maximum(way, 0), (CELLS, CELLS), interpolation=cv2.INTER_AREA) for way in (along, -along)
        ]
    cells = np.asarray(np.stack(ways, axis=2), np.float32)
    energy = np.asarray(cv2.blur(np.sqrt((cells**2).sum(axis=2)), (3, 3), borderType=cv2.BORDER_REFLECT))
    level = cells / (energy + FLOOR * energy.mean() + 1e-6)[..., None]
    return unit((level * _WEIGHTS[..., None]).ravel())


_TURNS = tuple((math.cos(turn), math.sin(turn)) for turn in (0.0, math.pi / 4, math.pi / 2, 3 * math.pi / 4))
"""Four directions of an edge; with their opposites eight, for a dark pip on light and a light one on dark differ."""


def _weights() -> Array:
    axis = np.abs((2 * np.arange(CELLS) + 1) / CELLS - 1)
    outer = np.maximum(axis[None, :], axis[:, None])
    corner = np.hypot(axis[None, :], axis[:, None]) > 1.05
    return np.asarray(np.where(corner, 0.0, np.where(outer > 0.8, 0.4, 1.0)), np.float32)


_WEIGHTS = _weights()
"""Outer cells count less (rounded edges, neighbours shine in), corners not at all."""


@dataclass(frozen=True, slots=True)
class Strokes:
    """The descriptions of all faces in four turns, (4 n, numbers), row by row with `names`."""

    names: tuple[str, ...]
    matrix: Array


def strokes(looks: Sequence[tuple[str, Sequence[Array]]]) -> Strokes:
    """Return the descriptions of faces: each look of a face with its name and its aligned fine patches."""
    names, rows = [], []
    for name, patches in looks:
        for quarter in range(4):
            described = [describe(np.ascontiguousarray(np.rot90(patch, -quarter))) for patch in patches]
            rows.append(unit(np.mean(described, axis=0)))
            names.append(name)
    return Strokes(tuple(names), np.stack(rows))


def likeness(known: Strokes, patch: Array) -> dict[str, float]:
    """Return for each face how like it the patch is in its best turn, -1 to 1."""
    scores = known.matrix @ describe(patch)
    best: dict[str, float] = {}
    for name, score in zip(known.names, scores, strict=True):
        best[name] = max(best.get(name, -1.0), float(score))
    return best
