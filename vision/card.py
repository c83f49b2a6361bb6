"""The card that a camera is calibrated with: a chessboard with marks (ChArUco) at true size, and a page to print it on.

The page is a list of black rectangles and lines of text in millimetres; it is written as SVG or as PDF.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from vision.place import Frame

COLUMNS, ROWS = 10, 9
"""Squares of the board. An odd number of rows looks alike in every version of OpenCV."""
SQUARE_MM, MARK_MM = 13.0, 9.0
"""Sides of a square and of the mark in it: 130 x 117 mm in all, which lies on a tray of 150 mm with its margin."""
MARGIN_MM = 5.0
"""White paper round the board; the detector needs some."""
FIRST_WATCH, WATCH_MARKS = 46, 4
"""Numbers of the watch marks in the dictionary; the board uses 0 to 44."""
PAGE_MM = (210.0, 297.0)
RULER_MM = 100
_DICTIONARY = cv2.aruco.DICT_4X4_50
_DOT_MM = 0.5
_POINTS = 72 / 25.4

CHECK = "Hold a ruler to the line: it must be 100 mm long within half a millimetre. If not, print at 100 %, unscaled."
LAY = "Cut along the frame and lay the card flat on the glass, this side towards the camera. Then: undercup calibrate"
STICK = "Cut these out and stick one or more where the camera always sees them: they show if it was moved."


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text: left end of its baseline and its height, in millimetres."""

    x: float
    y: float
    size: float
    words: str


Rectangle = tuple[float, float, float, float]
"""Left, top, width, height in millimetres."""


@dataclass(frozen=True, slots=True)
class Page:
    """What is printed, in millimetres from the page's upper left corner."""

    black: tuple[Rectangle, ...]
    texts: tuple[Text, ...]


@lru_cache(maxsize=1)
def board() -> cv2.aruco.CharucoBoard:
    """Return the board as OpenCV knows it; its unit is the millimetre."""
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARK_MM, dictionary())


@lru_cache(maxsize=1)
def dictionary() -> cv2.aruco.Dictionary:
    """Return the dictionary of all marks of the card."""
    return cv2.aruco.getPredefinedDictionary(_DICTIONARY)


def picture(dot_mm: float = _DOT_MM) -> Frame:
    """Return the board without its margin in dots of `dot_mm`, grey: 0 is ink, 255 is paper."""
    size = (round(COLUMNS * SQUARE_MM / dot_mm), round(ROWS * SQUARE_MM / dot_mm))
    return np.asarray(board().generateImage(size, None, 0, 1), np.uint8)


def mark(number: int, dot_mm: float = _DOT_MM) -> Frame:
    """Return watch mark `number` (0 to 3) without its margin in dots of `dot_mm`, grey."""
    side = round(MARK_MM / dot_mm)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary(), FIRST_WATCH + number, side), np.uint8)


def page() -> Page:
    """Return the page: the card to cut out, how to check the print, a ruler and four watch marks.

    >>> all(x + width < 200 and y + height < 270 for x, y, width, height in page().black)
    True
    """
    left, top = 40.0, 20.0
    width, height = COLUMNS * SQUARE_MM, ROWS * SQUARE_MM
    cut = (left - MARGIN_MM, top - MARGIN_MM, width + 2 * MARGIN_MM, height + 2 * MARGIN_MM)
    black = [*_inked(picture(), left, top), *_frame(*cut), *_ruler(left, 175.0)]
    texts = [
        Text(left - MARGIN_MM, 152, 3.2, LAY),
        Text(left - MARGIN_MM, 168, 3.2, CHECK),
        *(Text(left + at - 1.5, 186, 3, str(at)) for at in range(0, RULER_MM + 1, 10)),
        Text(left - MARGIN_MM, 206, 3.2, STICK),
    ]
    for number in range(WATCH_MARKS):
        x = left + number * 25.0
        black += [*_inked(mark(number), x, 215.0), *_frame(x - 2, 213.0, MARK_MM + 4, MARK_MM + 4)]
    return Page(tuple(black), tuple(texts))


def write(path: Path) -> None:
    """Write the page to `path`, as SVG or PDF by its ending. Raises ValueError for another ending, OSError."""
    kinds = {".svg": lambda: svg(page()).encode(), ".pdf": lambda: pdf(page())}
    if path.suffix.lower() not in kinds:
        raise ValueError(f"{path.name} ends neither in .svg nor in .pdf")
    path.write_bytes(kinds[path.suffix.lower()]())


def svg(sheet: Page) -> str:
    """Return `sheet` as SVG whose user unit is the millimetre."""
    width, height = PAGE_MM
    ink = "".join(f"M{x:g} {y:g}h{w:g}v{h:g}h-{w:g}z" for x, y, w, h in sheet.black)
    words = "\n".join(
        f'<text x="{one.x:g}" y="{one.y:g}" font-size="{one.size:g}">{escape(one.words)}</text>' for one in sheet.texts
    )
    head = f'width="{width:g}mm" height="{height:g}mm" viewBox="0 0 {width:g} {height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {head} font-family="Helvetica, Arial, sans-serif">\n'
        f'<rect width="100%" height="100%" fill="#fff"/>\n<path d="{ink}"/>\n{words}\n</svg>\n'
    )


def pdf(sheet: Page) -> bytes:
    """Return `sheet` as a PDF of one page, in a font that every reader has."""
    width, height = (side * _POINTS for side in PAGE_MM)
    ink = "\n".join(f"{x:g} {y:g} {w:g} {h:g} re" for x, y, w, h in sheet.black)
    words = "\n".join(
        f"BT /F {one.size:g} Tf 1 0 0 -1 {one.x:g} {one.y:g} Tm ({one.words}) Tj ET" for one in sheet.texts
    )
    drawn = f"{_POINTS:.6f} 0 0 -{_POINTS:.6f} 0 {height:.3f} cm\n{ink}\nf\n{words}\n"
    box = f"/MediaBox [0 0 {width:.3f} {height:.3f}]"
    parts = [
        "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R {box} /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
        f"<< /Length {len(drawn)} >>\nstream\n{drawn}endstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    return _objects(parts).encode("ascii")


def _objects(parts: list[str]) -> str:
    """Return a PDF file of these objects, numbered from 1; the first is the catalogue."""
    text, places = "%PDF-1.7\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(text))
        text += f"{number} 0 obj\n{part}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(parts) + 1
    tail = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF\n"
    return f"{text}xref\n0 {size}\n0000000000 65535 f \n{table}{tail}"


def _frame(x: float, y: float, width: float, height: float, line: float = 0.2) -> list[Rectangle]:
    """Return a frame of thin lines."""
    across, down = (width, line), (line, height)
    return [(x, y, *across), (x, y + height - line, *across), (x, y, *down), (x + width - line, y, *down)]


def _ruler(x: float, y: float) -> list[Rectangle]:
    """Return a line of 100 mm from the left edge of its first tick to that of its last."""
    ticks = [(x + at, y, 0.2, 7.0 if at % 10 == 0 else 5.0 if at % 5 == 0 else 3.0) for at in range(RULER_MM + 1)]
    return [(x, y, float(RULER_MM), 0.2), *ticks]


def _inked(dots: Frame, left: float, top: float) -> list[Rectangle]:
    """Return the black dots as few rectangles: rows that repeat are one, so no hairlines show between them."""
    found: list[Rectangle] = []
    begins = [0, *(row for row in range(1, len(dots)) if (dots[row] != dots[row - 1]).any()), len(dots)]
    for first, end in pairwise(begins):
        for start, stop in _runs(dots[first]):
            width, height = (stop - start) * _DOT_MM, (end - first) * _DOT_MM
            found.append((left + start * _DOT_MM, top + first * _DOT_MM, width, height))
    return found


def _runs(row: Frame) -> Iterator[tuple[int, int]]:
    """Yield where black dots of a row begin and end."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], (row < 128).astype(np.int8), [0]])))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
