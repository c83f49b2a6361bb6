"""Prints for die faces, drawn from our own strokes, pips, suits and blobs.

Every function returns a coverage mask: float32, `SIZE` x `SIZE`, 0 (bare) to 1 (printed). The strokes are written
here on a grid of 4 x 6 units, so that the same letters come out of every OpenCV (5.0 draws text with another font
than 4.10 does).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.float32]

SIZE = 128
"""Pixels along a face texture: a little more than the 88-132 px of a face in a full frame."""

_FINE = 2  # drawn this much larger, then averaged, for smooth borders

# A stroke is points "xy" on the 0-4 by 0-6 grid, y down; a leading "~" rounds it off into a curve.
_STROKES: dict[str, str] = {
    "0": "~20 42 44 26 04 02 20",
    "1": "11 20 26|16 36",
    "2": "~02 10 30 42 33 06|06 46",
    "3": "~01 20 41 33 13|~13 33 44 26 05",
    "4": "30 04 44|30 36",
    "5": "40 00 02|~02 32 44 36 06 05",
    "6": "~40 11 04 16 36 44 33 13 04",
    "7": "00 40 16",
    "8": "~20 41 23 01 20|~23 45 26 05 23",
    "9": "~06 35 42 30 10 02 13 33 42",
    "A": "06 20 46|14 34",
    "B": "00 06|~00 30 41 33 03|~03 33 45 36 06",
    "C": "~41 20 02 04 26 45",
    "D": "00 06|~00 30 42 44 36 06",
    "E": "40 00 06 46|03 33",
    "F": "40 00 06|03 33",
    "G": "~41 20 02 04 26 45 43|43 23",
    "H": "00 06|40 46|03 43",
    "I": "20 26|10 30|16 36",
    "J": "30 34|~34 26 16 04|10 40",
    "K": "00 06|40 03 46",
    "L": "00 06 46",
    "M": "06 00 23 40 46",
    "N": "06 00 46 40",
    "O": "~20 42 44 26 04 02 20",
    "P": "06 00|~00 30 42 33 03",
    "Q": "~20 42 44 26 04 02 20|24 46",
    "R": "06 00|~00 30 42 33 03|23 46",
    "S": "~41 20 01 23 45 26 05",
    "T": "00 40|20 26",
    "U": "00 04|~04 16 36 44|44 40",
    "V": "00 26 40",
    "W": "00 16 22 36 40",
    "X": "00 46|40 06",
    "Y": "00 23 40|23 26",
    "Z": "00 40 06 46",
}

LETTERS = tuple(_STROKES)


@dataclass(frozen=True, slots=True)
class Pen:
    """How letters are written: stroke width in grid units, stress (vertical over horizontal), slant, serifs."""

    width: float = 0.75
    stress: float = 1.0
    slant: float = 0.0
    serifs: bool = False
    aspect: float = 1.0


def letters(text: str, pen: Pen | None = None, height: float = 0.6, centre: tuple[float, float] = (0.5, 0.5)) -> Mask:
    """The text in capitals and digits, `height` of the face tall, its middle at `centre` (parts of the face).

    >>> letters("10").shape, bool(letters("A").max() > 0.9)
    ((128, 128), True)
    """
    pen = pen or Pen()
    unit = height * SIZE * _FINE / 6
    step = 4 * pen.aspect + 1.2 + pen.width
    left = centre[0] * SIZE * _FINE - unit * (step * (len(text) - 1) + 4 * pen.aspect) / 2
    top = centre[1] * SIZE * _FINE - 3 * unit
    canvas = _canvas()
    for place, sign in enumerate(text):
        _write(canvas, sign, (left + unit * step * place, top), unit, pen)
    return _shrink(canvas)


def _write(canvas: NDArray[np.uint8], sign: str, origin: tuple[float, float], unit: float, pen: Pen) -> None:
    for stroke in _STROKES[sign].split("|"):
        points = _points(stroke)
        if pen.serifs and not stroke.startswith("~"):
            for end in (points[0], points[-1]):
                if end[1] in (0.0, 6.0):
                    bar = np.array([[end[0] - 0.7, end[1]], [end[0] + 0.7, end[1]]])
                    _line(canvas, bar, origin, unit, Pen(pen.width * 0.6, 1.0, pen.slant, aspect=pen.aspect))
        _line(canvas, points, origin, unit, pen)


def _points(stroke: str) -> NDArray[np.float64]:
    points = np.array([[int(p[0]), int(p[1])] for p in stroke.lstrip("~").split()], dtype=float)
    return _smooth(points) if stroke.startswith("~") else points


def _smooth(points: NDArray[np.float64], steps: int = 6) -> NDArray[np.float64]:
    """A Catmull-Rom curve through the points; closed if the last is the first."""
    closed = bool(np.allclose(points[0], points[-1]))
    before = points[-2] if closed else 2 * points[0] - points[1]
    after = points[1] if closed else 2 * points[-1] - points[-2]
    p = np.vstack([before, points, after])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    parts = [
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        for a, b, c, d in zip(p, p[1:], p[2:], p[3:], strict=False)
    ]
    return np.vstack([*parts, points[-1:]])


def _line(
    canvas: NDArray[np.uint8], points: NDArray[np.float64], origin: tuple[float, float], unit: float, pen: Pen
) -> None:
    x = points[:, 0] * pen.aspect + (3 - points[:, 1]) * pen.slant
    path = np.stack([origin[0] + unit * x, origin[1] + unit * points[:, 1]], 1)
    spread = unit * pen.width * (pen.stress - 1) / 2
    thick = max(1, round(unit * pen.width))
    for shift in np.linspace(-spread, spread, 1 if spread < 1 else 5):
        moved = np.round((path + np.array([shift, 0.0])) * 16).astype(np.int32)
        cv2.polylines(canvas, [moved], False, 255, thick, cv2.LINE_AA, 4)


_PIPS: dict[int, str] = {
    1: "11", 2: "00 22", 3: "00 11 22", 4: "00 02 20 22", 5: "00 02 11 20 22", 6: "00 01 02 20 21 22",
    7: "00 01 02 11 20 21 22", 8: "00 01 02 10 12 20 21 22", 9: "00 01 02 10 11 12 20 21 22",
}  # fmt: skip


def pips(count: int, radius: float = 0.09, spread: float = 0.25, solid: bool = True) -> Mask:
    """`count` pips (1 to 10) of that radius and distance from the middle, in parts of the face."""
    if count == 10:
        places = [(x, y) for x in (-1.0, -0.33, 0.33, 1.0) for y in (-1.0, 1.0)] + [(-0.5, 0.0), (0.5, 0.0)]
    else:
        places = [(int(p[0]) - 1.0, int(p[1]) - 1.0) for p in _PIPS[count].split()]
    canvas = _canvas()
    for x, y in places:
        _disc(canvas, (0.5 + spread * x, 0.5 + spread * y), radius, 255)
        if not solid:
            _disc(canvas, (0.5 + spread * x, 0.5 + spread * y), radius * 0.55, 0)
    return _shrink(canvas)


def suit(name: str, height: float = 0.6, centre: tuple[float, float] = (0.5, 0.5)) -> Mask:
    """One of spade, heart, diamond, club, star, crown, drop, ring, bars; `height` of the face tall."""
    canvas = _canvas()
    for shape in _SHAPES[name]:
        outline = np.array(shape, dtype=float) * height + centre
        cv2.fillPoly(canvas, [np.round(outline * SIZE * _FINE * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    if name == "ring":
        _disc(canvas, centre, height * 0.28, 0)
    return _shrink(canvas)


def _circle(x: float, y: float, r: float) -> list[tuple[float, float]]:
    return [(x + r * math.cos(a), y + r * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 24, endpoint=False)]


def _star() -> list[tuple[float, float]]:
    reach = [0.5 if i % 2 == 0 else 0.2 for i in range(10)]
    return [(r * math.sin(i * math.pi / 5), -r * math.cos(i * math.pi / 5)) for i, r in enumerate(reach)]


_LEAF = [(0.0, -0.5), (0.2, -0.25), (0.42, 0.0), (0.4, 0.2), (-0.4, 0.2), (-0.42, 0.0), (-0.2, -0.25)]
_STEM = [(-0.04, 0.05), (0.04, 0.05), (0.07, 0.35), (0.2, 0.5), (-0.2, 0.5), (-0.07, 0.35)]
_SHAPES: dict[str, list[list[tuple[float, float]]]] = {
    "spade": [_LEAF, _circle(-0.22, 0.14, 0.21), _circle(0.22, 0.14, 0.21), _STEM],
    "heart": [
        [(0.0, 0.5), (0.43, -0.07), (0.0, -0.25), (-0.43, -0.07)],
        _circle(-0.23, -0.22, 0.245),
        _circle(0.23, -0.22, 0.245),
    ],
    "diamond": [[(0.0, -0.5), (0.36, 0.0), (0.0, 0.5), (-0.36, 0.0)]],
    "club": [_circle(0.0, -0.26, 0.22), _circle(-0.25, 0.1, 0.22), _circle(0.25, 0.1, 0.22), _STEM],
    "star": [_star()],
    "crown": [
        [(-0.45, 0.3), (-0.5, -0.3), (-0.22, 0.0), (0.0, -0.4), (0.22, 0.0), (0.5, -0.3), (0.45, 0.3)],
        [(-0.45, 0.36), (0.45, 0.36), (0.45, 0.48), (-0.45, 0.48)],
    ],
    "drop": [[(0.0, -0.5), (0.25, 0.05), (-0.25, 0.05)], _circle(0.0, 0.2, 0.29)],
    "ring": [_circle(0.0, 0.0, 0.48)],
    "bars": [[(-0.45, y), (0.45, y), (0.45, y + 0.18), (-0.45, y + 0.18)] for y in (-0.45, -0.09, 0.27)],
}  # fmt: skip

SUITS = tuple(_SHAPES)


def blob(rng: np.random.Generator, height: float = 0.6, centre: tuple[float, float] = (0.5, 0.5)) -> Mask:
    """A random smooth outline, as a stand-in for pictures nobody has thought of."""
    angle = np.linspace(0, 2 * math.pi, 72, endpoint=False)
    radius = np.ones_like(angle)
    for wave in range(2, 8):
        radius += rng.normal(0, 0.5 / wave) * np.cos(wave * angle + rng.uniform(0, 6.3))
    radius = np.clip(radius, 0.25, 2.0)
    radius *= height / 2 / radius.max()
    outline = np.stack([centre[0] + radius * np.cos(angle), centre[1] + radius * np.sin(angle)], 1)
    canvas = _canvas()
    cv2.fillPoly(canvas, [np.round(outline * SIZE * _FINE * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return _shrink(canvas)


def _disc(canvas: NDArray[np.uint8], centre: tuple[float, float], radius: float, value: int) -> None:
    scale = SIZE * _FINE * 16
    at = (round(centre[0] * scale), round(centre[1] * scale))
    cv2.circle(canvas, at, round(radius * scale), value, -1, cv2.LINE_AA, 4)


def _canvas() -> NDArray[np.uint8]:
    return np.zeros((SIZE * _FINE, SIZE * _FINE), np.uint8)


def _shrink(canvas: NDArray[np.uint8]) -> Mask:
    small = cv2.resize(canvas, (SIZE, SIZE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)
