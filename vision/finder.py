"""Finds the faces that lie flat: a small network proposes squares, whatever is printed on them.

The network looks at windows of 768 x 432 px in which a face is 30 to 78 px wide. `find_squares` brings a frame to that
size; `python -m vision.train` makes the weights, from renders only (see weights/README.md).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nets import Network

Frame = NDArray[np.uint8]
Field = NDArray[np.float32]

WIDTH, HEIGHT = 768, 432
"""The network's input, px: half a frame of 1536 x 864."""
CELL = 8
"""Network pixels to a cell of its output."""
BLOCK = 4
"""Network pixels along the blocks that its input is cut into."""
UNIT_PX = 56.0
"""The face, in network px, whose size channel is 0: set in training."""
LEAST_HEAT = 0.12
"""Proposals below this heat are dropped. Of the readable flat dice of D1-D4 0.5 % lie below (finder trial)."""
SURE_HEAT = 0.5
"""Proposals above this are nearly always faces; the search for an unknown size counts only these."""
LEAST_LEAN = 0.25
"""Proposals of leaning, stacked and moving dice below this heat are dropped."""
APART = 0.5
"""Two middles nearer than this part of a face are one proposal."""
FACE_PX = (34.0, 80.0)
"""Faces, in network px, that the network was trained on, with a margin: others are found at another scale."""
_OVERLAP = 96  # network px by which windows overlap: a whole die
_STEPS = (0.09, 0.15, 0.25, 0.4, 0.65, 1.0, 1.6, 2.6)  # scales tried when the size is unknown, to the fitted one
_TILES = 16  # windows at most per scale of the search
_TOLERANCE = 0.33  # faces of one picture differ in size by less than this (natural logarithm)


@dataclass(frozen=True, slots=True)
class Square:
    """A face that seems to lie flat: middle and edge in frame px, angle of an edge in [-45, 45), heat 0 to 1."""

    centre_px: tuple[float, float]
    side_px: float
    yaw_deg: float
    heat: float


@dataclass(frozen=True, slots=True)
class Leaning:
    """A die that seems not to lie flat (cocked, stacked or moving): middle of what is seen of it, heat 0 to 1."""

    centre_px: tuple[float, float]
    heat: float


@dataclass(frozen=True, slots=True)
class Finding:
    """What the network sees in a frame, the hottest first."""

    squares: tuple[Square, ...]
    leaning: tuple[Leaning, ...] = ()


def find_squares(frame: Frame, scale: float | None = None, least_heat: float = LEAST_HEAT) -> Finding:
    """The squares and the leaning dice in a frame (height, width, 3), BGR, of any size.

    `scale` is network px per frame px: give it where the size of a face is known (56 px are best). Without it a frame
    of a tray (wide, 900 px or more) is looked at once, its longer side as 768 px, and any other picture at several
    scales.
    """
    if scale is not None:
        return _look(frame, scale, least_heat)
    fitted = min(WIDTH / frame.shape[1], HEIGHT / frame.shape[0])
    if frame.shape[1] >= 900 and 1.6 < frame.shape[1] / frame.shape[0] < 1.9:
        return _look(frame, WIDTH / frame.shape[1], least_heat)
    return _search(frame, fitted, least_heat)


def _search(frame: Frame, fitted: float, least_heat: float) -> Finding:
    """The squares of the size that most of the heat agrees on, over several scales."""
    parts = [_look(frame, s, least_heat) for s in _scales(frame, fitted)]
    sized = [q for p in parts for q in p.squares]
    if not any(q.heat > SURE_HEAT for q in sized):
        return Finding(_distinct(sized), tuple(q for p in parts for q in p.leaning))
    best = max((q.side_px for q in sized if q.heat > SURE_HEAT), key=lambda side: _support(sized, side))
    alike = [q for q in sized if abs(np.log(q.side_px / best)) < _TOLERANCE]
    leaning = min(parts, key=lambda p: abs(np.log(best / _size(p)))).leaning
    return Finding(_distinct(alike), leaning)


def _scales(frame: Frame, fitted: float) -> list[float]:
    scales = []
    for step in _STEPS:
        size = (frame.shape[1] * fitted * step, frame.shape[0] * fitted * step)
        if min(size) >= 40 and len(_places(round(size[0]), WIDTH)) * len(_places(round(size[1]), HEIGHT)) <= _TILES:
            scales.append(fitted * step)
    return scales or [fitted]


def _support(squares: Sequence[Square], side: float) -> float:
    """Heat near that size; squared, so that a few sure faces outweigh many pips that might be some."""
    sure = (q.heat - 0.45 for q in squares if q.heat > SURE_HEAT and abs(np.log(q.side_px / side)) < _TOLERANCE)
    return sum(lead**2 for lead in sure)


def _size(finding: Finding) -> float:
    sides = [q.side_px for q in finding.squares if q.heat > SURE_HEAT]
    return float(np.median(sides)) if sides else 1e-3


def _look(frame: Frame, scale: float, least_heat: float) -> Finding:
    """One look at one scale, through as many windows as that takes."""
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    size = (max(1, round(frame.shape[1] * scale)), max(1, round(frame.shape[0] * scale)))
    small = frame if size == (frame.shape[1], frame.shape[0]) else cv2.resize(frame, size, interpolation=how)
    squares: list[Square] = []
    leaning: list[Leaning] = []
    windows = [(x, y) for y in _places(size[1], HEIGHT) for x in _places(size[0], WIDTH)]
    for left, top in windows:
        out = _forward(_window(np.asarray(small, np.uint8), left, top))
        squares += _squares(out, (left, top), scale, least_heat)
        leaning += _leaning(out, (left, top), scale)
    return Finding(_distinct(squares), _distinct_leaning(leaning, CELL * 4 / scale))


def _places(length: int, window: int) -> list[int]:
    """Where windows begin that cover a length and overlap.

    >>> _places(768, 768), _places(900, 768)
    ([0], [0, 132])
    """
    if length <= window:
        return [0]
    count = -(-(length - _OVERLAP) // (window - _OVERLAP))
    return [round(k * (length - window) / (count - 1)) for k in range(count)]


def _window(small: Frame, left: int, top: int) -> Frame:
    part = small[top : top + HEIGHT, left : left + WIDTH]
    right, below = WIDTH - part.shape[1], HEIGHT - part.shape[0]
    if right or below:
        edge = tuple(float(v) for v in np.median(part.reshape(-1, 3)[:: max(1, part.size // 3000)], axis=0))
        part = np.asarray(cv2.copyMakeBorder(part, 0, below, 0, right, cv2.BORDER_CONSTANT, value=edge), np.uint8)
    return part


_ROOTS = (2 * np.sqrt(np.arange(256) / 255) - 1).astype(np.float32)


def _forward(window: Frame) -> Field:
    """The network's output (11, rows, columns) for one window."""
    return np.asarray(_NETWORK.forward(blocks(window, _INPUT.planes)[None])[0])


def blocks(window: Frame, out: Field | None = None) -> Field:
    """The network's input (48, HEIGHT / 4, WIDTH / 4): each block's pixels as planes, root levels -1 to 1.

    The network's first kernels span two blocks. OpenCV 5 takes three times as long for the same kernels over three
    planes. `out` is an earlier input to write into.
    """
    rows, columns = HEIGHT // BLOCK, WIDTH // BLOCK
    cut = window.reshape(rows, BLOCK, columns, BLOCK, 3).transpose(1, 3, 4, 0, 2)
    lines = None if out is None else out.reshape(-1, columns)
    levels = cv2.LUT(np.ascontiguousarray(cut).reshape(-1, columns), _ROOTS, lines)
    return np.asarray(levels, np.float32).reshape(-1, rows, columns)


class _Input(threading.local):
    """The input of each thread's network, written into again and again."""

    def __init__(self) -> None:
        self.planes = blocks(np.zeros((HEIGHT, WIDTH, 3), np.uint8))


_INPUT = _Input()
_NETWORK = Network("finder.onnx")


def _peaks(logits: Field, least: float) -> Iterator[tuple[int, int, float]]:
    """Rows, columns and heats of the cells that are hotter than their neighbours."""
    heat = 1 / (1 + np.exp(-logits))
    top = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > least)
    for row, column in np.argwhere(top).tolist():
        yield row, column, float(heat[row, column])


def _squares(out: Field, origin: tuple[int, int], scale: float, least_heat: float) -> list[Square]:
    found = []
    for row, column, heat in _peaks(out[0], least_heat):
        dx, dy, size, cosine, sine = (float(v) for v in out[2:7, row, column])
        yaw = float(np.degrees(np.arctan2(sine, cosine)) / 4)
        side = UNIT_PX * float(np.exp(np.clip(size, -3, 3) / 2)) / scale
        centre = _centre(column + dx, row + dy, origin, scale)
        found.append(Square(centre, side, yaw if yaw < 45 else -45.0, heat))
    return found


def _leaning(out: Field, origin: tuple[int, int], scale: float) -> list[Leaning]:
    return [Leaning(_centre(c, r, origin, scale), heat) for r, c, heat in _peaks(out[1], LEAST_LEAN)]


def _centre(column: float, row: float, origin: tuple[int, int], scale: float) -> tuple[float, float]:
    """From the middle of a cell to frame px, whole numbers being the middles of pixels."""
    x, y = (column + 0.5) * CELL + origin[0], (row + 0.5) * CELL + origin[1]
    return x / scale - 0.5, y / scale - 0.5


def _distinct(squares: Sequence[Square]) -> tuple[Square, ...]:
    """The hottest of those that lie on each other, the hottest first."""
    kept: list[Square] = []
    for square in sorted(squares, key=lambda q: -q.heat):
        if all(_away(square, other) > APART * max(square.side_px, other.side_px) for other in kept):
            kept.append(square)
    return tuple(kept)


def _distinct_leaning(leaning: Sequence[Leaning], apart_px: float) -> tuple[Leaning, ...]:
    kept: list[Leaning] = []
    for one in sorted(leaning, key=lambda q: -q.heat):
        if all(_away(one, other) > apart_px for other in kept):
            kept.append(one)
    return tuple(kept)


def _away(one: Square | Leaning, other: Square | Leaning) -> float:
    return float(np.hypot(one.centre_px[0] - other.centre_px[0], one.centre_px[1] - other.centre_px[1]))
