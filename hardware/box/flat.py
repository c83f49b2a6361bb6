"""Flat parts: outlines with tabs and notches, holes, engraved lines, and how they are written as SVG and DXF."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import cos, pi, sin
from pathlib import Path
from typing import Any

Point = tuple[float, float]
Step = tuple[float, float, float]  # from, to along a side; out (positive) or in (negative)

CUT, ENGRAVE = "#ff0000", "#0000ff"  # what laser programs tell apart
HAIRLINE = 0.1
BORDER = 5.0  # free margin of a sheet and between parts
STROKES = {  # capitals as strokes on a grid 4 wide and 6 high: a laser draws them in one go
    "A": ["00 26 40", "12 32"],
    "B": ["00 06 36 45 44 33 03", "33 42 41 30 00"],
    "C": ["41 30 10 01 05 16 36 45"],
    "D": ["00 06 26 44 42 20 00"],
    "E": ["40 00 06 46", "03 33"],
    "G": ["45 36 16 05 01 10 30 41 43 23"],
    "H": ["00 06", "40 46", "03 43"],
    "L": ["06 00 40"],
    "M": ["00 06 23 46 40"],
    "N": ["00 06 40 46"],
    "P": ["00 06 36 45 44 33 03"],
    "R": ["00 06 36 45 44 33 03", "23 40"],
    "T": ["06 46", "26 20"],
    "U": ["06 01 10 30 41 46"],
    "W": ["06 10 24 30 46"],
    "Y": ["06 23 46", "23 20"],
}


@dataclass(frozen=True, slots=True)
class Circle:
    """A round hole or line: centre and diameter."""

    x: float
    y: float
    d: float


@dataclass(frozen=True, slots=True)
class Line:
    """An engraved or cut polyline."""

    points: tuple[Point, ...]
    closed: bool = True


Shape = Circle | Line


@dataclass(frozen=True, slots=True)
class Panel:
    """A laser-cut part, drawn as seen from the side that is engraved."""

    name: str
    outline: tuple[Point, ...]
    holes: tuple[Shape, ...] = ()
    engraved: tuple[Shape, ...] = ()
    quantity: int = 1

    @property
    def file(self) -> str:
        """Return the file's name without its ending; the quantity is part of it."""
        return f"{self.name}_x{self.quantity}"

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Return the least and greatest x and y: left, bottom, right, top."""
        xs, ys = zip(*self.outline, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def size(self) -> Point:
        """Return width and height over all tabs."""
        left, bottom, right, top = self.box
        return right - left, top - bottom

    def mirrored(self) -> "Panel":
        """Return the panel as seen from its other side."""
        return replace(
            self,
            outline=tuple((-x, y) for x, y in self.outline),
            holes=tuple(_mirror(shape) for shape in self.holes),
            engraved=tuple(_mirror(shape) for shape in self.engraved),
        )

    def moved(self, dx: float, dy: float) -> "Panel":
        """Return the panel elsewhere."""
        return replace(
            self,
            outline=tuple((x + dx, y + dy) for x, y in self.outline),
            holes=tuple(_move(shape, dx, dy) for shape in self.holes),
            engraved=tuple(_move(shape, dx, dy) for shape in self.engraved),
        )


def _mirror(shape: Shape) -> Shape:
    if isinstance(shape, Circle):
        return Circle(-shape.x, shape.y, shape.d)
    return Line(tuple((-x, y) for x, y in shape.points), shape.closed)


def _move(shape: Shape, dx: float, dy: float) -> Shape:
    if isinstance(shape, Circle):
        return Circle(shape.x + dx, shape.y + dy, shape.d)
    return Line(tuple((x + dx, y + dy) for x, y in shape.points), shape.closed)


def rectangle(left: float, bottom: float, width: float, height: float) -> Line:
    """Return a rectangle as a closed line.

    >>> rectangle(0, 0, 2, 1).points
    ((0, 0), (2, 0), (2, 1), (0, 1))
    """
    right, top = left + width, bottom + height
    return Line(((left, bottom), (right, bottom), (right, top), (left, top)))


def square(half: float) -> Line:
    """Return a square round the origin."""
    return rectangle(-half, -half, 2 * half, 2 * half)


def outline(corner: Point, width: float, height: float, **sides: Sequence[Step]) -> tuple[Point, ...]:
    """Return a rectangle from its lower left `corner` with steps in its `bottom`, `right`, `top` and `left` sides.

    Steps go from lower to higher coordinates and must not touch the corners:

    >>> outline((0, 0), 4, 2, top=[(1, 2, 0.5)])
    ((0, 0), (4, 0), (4, 2), (2, 2), (2, 2.5), (1, 2.5), (1, 2), (0, 2))
    """
    left, bottom = corner
    right, top = left + width, bottom + height
    points: list[Point] = [(left, bottom)]
    points += _steps(sides.get("bottom", ()), lambda along, out: (along, bottom - out))
    points += [(right, bottom), *_steps(sides.get("right", ()), lambda along, out: (right + out, along)), (right, top)]
    points += reversed(_steps(sides.get("top", ()), lambda along, out: (along, top + out)))
    points += [(left, top), *reversed(_steps(sides.get("left", ()), lambda along, out: (left - out, along)))]
    return tuple(points)


def _steps(steps: Sequence[Step], place: Any) -> list[Point]:
    corners = ((start, end, out) for start, end, out in sorted(steps))
    return [place(*at) for a, b, out in corners for at in ((a, 0), (a, out), (b, out), (b, 0))]


def fingers(start: float, length: float, finger: float) -> list[Point]:
    """Return the intervals of every second finger, never those at the ends.

    >>> fingers(0, 100, 20)
    [(20.0, 40.0), (60.0, 80.0)]
    """
    count = max(3, int(length / finger) // 2 * 2 + 1)
    step = length / count
    return [(start + index * step, start + (index + 1) * step) for index in range(1, count, 2)]


def lettering(text: str, middle: Point, height: float) -> tuple[Line, ...]:
    """Return `text` (capitals that `STROKES` knows) as strokes, centred at `middle`."""
    scale = height / 6
    advance = 5.6 * scale
    left = middle[0] - (len(text) * advance - 1.6 * scale) / 2
    return tuple(
        Line(
            tuple(
                (left + place * advance + int(at[0]) * scale, middle[1] + (int(at[1]) - 3) * scale)
                for at in stroke.split()
            ),
            closed=False,
        )
        for place, letter in enumerate(text)
        for stroke in STROKES[letter]
    )


def ring(circle: Circle, corners: int = 96) -> tuple[Point, ...]:
    """Return the circle as a polygon."""
    turns = (2 * pi * index / corners for index in range(corners))
    return tuple((circle.x + circle.d / 2 * cos(turn), circle.y + circle.d / 2 * sin(turn)) for turn in turns)


def pack(panels: Iterable[Panel], sheet: Point) -> list[list[Panel]]:
    """Return the panels, each as often as its quantity says, laid in rows on as many sheets as needed.

    Raises ValueError if a panel is larger than a sheet.
    """
    pieces = [panel for panel in panels for _ in range(panel.quantity)]
    sheets: list[list[Panel]] = [[]]
    x = y = BORDER
    row = 0.0
    for piece in sorted(pieces, key=lambda panel: -panel.size[1]):
        width, height = piece.size
        if width + 2 * BORDER > sheet[0] or height + 2 * BORDER > sheet[1]:
            raise ValueError(f"{piece.name} is {width:.0f} x {height:.0f} mm and larger than a sheet: see sheet.size")
        if x + width + BORDER > sheet[0]:
            x, y, row = BORDER, y + row + BORDER, 0.0
        if y + height + BORDER > sheet[1]:
            sheets.append([])
            x, y, row = BORDER, BORDER, 0.0
        left, bottom, *_ = piece.box
        sheets[-1].append(piece.moved(x - left, y - bottom))
        x, row = x + width + BORDER, max(row, height)
    return sheets


def svg(panels: Sequence[Panel], size: Point) -> str:
    """Return a drawing of `size` at true scale, cuts red and engravings blue, y upwards."""
    width, height = size
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}" fill="none" stroke-width="{HAIRLINE}">',
        *(line for panel in panels for line in _svg_panel(panel, height)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _svg_panel(panel: Panel, height: float) -> Iterator[str]:
    yield f'<g id="{escape(panel.name)}">'
    for colour, shapes in ((ENGRAVE, panel.engraved), (CUT, (*panel.holes, Line(panel.outline)))):
        for shape in shapes:
            yield _svg_shape(shape, height, colour)
    yield "</g>"


def _svg_shape(shape: Shape, height: float, colour: str) -> str:
    if isinstance(shape, Circle):
        at = f'cx="{shape.x:.3f}" cy="{height - shape.y:.3f}" r="{shape.d / 2:.3f}"'
        return f'<circle {at} stroke="{colour}"/>'
    path = " L".join(f"{x:.3f},{height - y:.3f}" for x, y in shape.points)
    return f'<path d="M{path}{" Z" if shape.closed else ""}" stroke="{colour}"/>'


def write_svg(panel: Panel, folder: Path) -> None:
    """Write one panel as SVG into `folder`."""
    left, bottom, *_ = panel.box
    width, height = panel.size
    placed = panel.moved(1 - left, 1 - bottom)
    (folder / f"{panel.file}.svg").write_text(svg([placed], (width + 2, height + 2)), encoding="utf-8")


def write_dxf(panel: Panel, folder: Path) -> None:
    """Write one panel as DXF in millimetres, layers CUT and ENGRAVE, into `folder`."""
    import ezdxf

    drawing = ezdxf.new("R2010", units=4)
    space = drawing.modelspace()
    for layer, colour, shapes in (("ENGRAVE", 5, panel.engraved), ("CUT", 1, (*panel.holes, Line(panel.outline)))):
        drawing.layers.add(layer, color=colour)
        for shape in shapes:
            if isinstance(shape, Circle):
                space.add_circle((shape.x, shape.y), shape.d / 2, dxfattribs={"layer": layer})
            else:
                space.add_lwpolyline(shape.points, close=shape.closed, dxfattribs={"layer": layer})
    drawing.saveas(folder / f"{panel.file}.dxf")
