"""All parts of a box in their places, with stand-ins for what is bought: for the pictures and to see that they fit."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, degrees, hypot

import build123d as bd

from hardware.box import extras, printed, small
from hardware.box import panels as flat_parts
from hardware.box.flat import Circle, Line, Panel, Point, Shape
from hardware.box.parameters import Build
from hardware.box.printed import Solid

Colour = tuple[float, float, float]
PLY: Colour = (0.80, 0.66, 0.47)
BLACK: Colour = (0.13, 0.13, 0.14)
PRINT: Colour = (0.16, 0.34, 0.36)
PAINT: Colour = (0.20, 0.20, 0.21)
GLASS: Colour = (0.70, 0.86, 0.88)
BOARD: Colour = (0.10, 0.45, 0.20)
METAL: Colour = (0.70, 0.71, 0.73)
GLOW: Colour = (1.00, 0.93, 0.62)
IVORY: Colour = (0.96, 0.93, 0.84)
CAPS: tuple[Colour, ...] = ((0.2, 0.62, 0.3), (0.8, 0.16, 0.14), (0.95, 0.77, 0.2), (0.2, 0.38, 0.75), (0.9, 0.9, 0.9))


@dataclass(frozen=True, slots=True)
class Item:
    """A part in its place: what it is, its solid, how it looks, and whether we make it (or it is a stand-in)."""

    name: str
    solid: Solid
    colour: Colour
    made: bool = True
    opacity: float = 1.0


def plate(panel: Panel, thickness: float, plane: bd.Plane, back: bool = False) -> Solid:
    """Return a panel as a solid on `plane`, thickness along its normal, or against it if `back`."""
    face = bd.make_face(bd.Polyline(*panel.outline, close=True))
    for hole in panel.holes:
        face -= _face(hole)
    return plane * bd.extrude(face, amount=-thickness if back else thickness)


def _face(hole: Shape) -> Solid:
    if isinstance(hole, Circle):
        return bd.Pos(hole.x, hole.y) * bd.Circle(hole.d / 2)
    return bd.make_face(bd.Polyline(*hole.points, close=True))


def assembly(build: Build) -> list[Item]:
    """Return every part of the box and its console in place."""
    return [*_box(build), *_printed(build), *_bought(build), *_console(build), *_pod(build)]


def decoration(build: Build) -> list[Item]:
    """Return what pictures show and nothing can bump into: paint and engraving."""
    y, z = console_origin(build)
    face = bd.Pos(0, y, z) * _run_plane(build, "console_top").location
    top = flat_parts.console(build, 0.0)[0]
    words = _ridges(small.pod_labels(build))
    waxed = _pod_place(build) * bd.Pos(0, 0, build.of("pod").height - 0.05) * words
    return [
        *_paint(build),
        Item("engraving", face * _engraving(top), IVORY, made=False),
        Item("pod_words", waxed, IVORY, made=False),
    ]


def _level(z: float) -> bd.Plane:
    return bd.Plane(origin=(0, 0, z))


def _box(build: Build) -> Iterator[Item]:
    sheet = build.sheet
    parts = {panel.name: panel for panel in flat_parts.panels(build)}
    yield Item("base", plate(parts["base"], sheet, _level(build.base_top - sheet)), PLY)
    yield Item("deck", plate(parts["deck"], sheet, _level(build.deck_top - sheet)), BLACK)
    yield Item("top_plate", plate(parts["top_plate"], sheet, _level(build.wall_top)), BLACK)
    for layer in range(parts["glass_frame"].quantity):
        yield Item("glass_frame", plate(parts["glass_frame"], sheet, _level(build.plate_top + layer * sheet)), PLY)
    low, ins, out = build.base_top, build.inner, build.outer
    along_x = {"x_dir": (1, 0, 0), "z_dir": (0, -1, 0)}
    along_y = {"x_dir": (0, 1, 0), "z_dir": (1, 0, 0)}
    yield Item("wall_front", plate(parts["wall_front"].mirrored(), sheet, bd.Plane((0, -ins, low), **along_x)), PLY)
    yield Item("wall_back", plate(parts["wall_back"], sheet, bd.Plane((0, out, low), **along_x)), PLY)
    yield Item("wall_left", plate(parts["wall_left"], sheet, bd.Plane((-out, 0, low), **along_y)), PLY)
    yield Item("wall_right", plate(parts["wall_right"].mirrored(), sheet, bd.Plane((ins, 0, low), **along_y)), PLY)


def _printed(build: Build) -> Iterator[Item]:
    quarter, half_trough = printed.rim_corner(build), printed.trough(build)
    other_half = bd.mirror(half_trough, about=bd.Plane.XZ)
    corner = bd.Pos(build.inner - build.of("block").side, build.inner - build.of("block").side, 0) * printed.block(
        build
    )
    for turn in (0, 90, 180, 270):
        spin = bd.Rot(0, 0, turn)
        yield Item("rim_corner", spin * quarter, PRINT)
        yield Item("trough", spin * half_trough, BLACK)
        yield Item("trough", spin * other_half, BLACK)
        for level in (build.base_top, build.wall_top - build.of("block").height):
            yield Item("corner_block", bd.Pos(0, 0, level) * spin * corner, BLACK)
    yield Item("sled", printed.sled(build), PRINT)
    cheek = printed.cheek(build)
    yield Item("sled_cheek", cheek, PRINT)
    yield Item("sled_cheek", bd.Rot(0, 0, 180) * cheek, PRINT)
    yield from _ears(build)


def _ears(build: Build) -> Iterator[Item]:
    ear = bd.Pos(build.outer, 0, flat_parts.ear_level(build)) * printed.ear(build)
    for y in flat_parts.ear_places(build):
        placed = bd.Pos(0, y, 0) * ear
        yield Item("ear", placed, PRINT)
        yield Item("ear", bd.Rot(0, 0, 180) * placed, PRINT)


def _bought(build: Build) -> Iterator[Item]:
    glass = build.of("glass")
    side = build.tray + 2 * glass.rest
    pane = bd.Pos(0, 0, glass.thickness / 2) * bd.Box(side, side, glass.thickness)
    yield Item("glass", pane, GLASS, made=False, opacity=0.4)
    yield from _strips(build)
    yield from _pi(build)
    yield from _camera(build)
    yield from _fan(build)
    die = build.of("field").die
    for x, y, turn in ((-22, 8, 12), (14, -18, 40), (26, 22, 71), (-30, -34, 25), (2, 46, 55)):
        cube = bd.fillet(bd.Box(die, die, die).edges(), 2)
        yield Item("die", bd.Pos(x, y, glass.thickness + die / 2) * bd.Rot(0, 0, turn) * cube, IVORY, made=False)


def _strips(build: Build) -> Iterator[Item]:
    light = build.of("light")
    length = 2 * printed.trough_length(build) - 6
    face = build.half + light.aside
    middle = ((light.top + light.bottom) / 2, light.top - light.bottom)
    strip = bd.Pos(face + light.strip / 2, 0, middle[0]) * bd.Box(light.strip, length, middle[1])
    for turn in (0, 90, 180, 270):
        yield Item("led_strip", bd.Rot(0, 0, turn) * strip, GLOW, made=False)


def _paint(build: Build) -> Iterator[Item]:
    """Yield the matt black on the walls above the deck, as thin sheets."""
    high = build.paint_level - build.deck_top
    sheet = bd.Pos(build.inner - 0.1, 0, build.deck_top + high / 2) * bd.Box(0.2, 2 * build.inner - 0.6, high)
    for turn in (0, 90, 180, 270):
        yield Item("paint", bd.Rot(0, 0, turn) * sheet, PAINT, made=False)


def _fan(build: Build) -> Iterator[Item]:
    fan = build.of("fan")
    middle = (-build.inner + 5, 0, build.base_top + build.of("deck").room / 2)
    frame = bd.Box(10, fan.size, fan.size) - bd.Rot(0, 90, 0) * bd.Cylinder(fan.opening / 2, 20)
    frame += bd.Box(3, 4, fan.size) + bd.Box(3, fan.size, 4) + bd.Rot(0, 90, 0) * bd.Cylinder(9, 9)
    yield Item("fan", bd.Pos(*middle) * frame, BLACK, made=False)


def _pi(build: Build) -> Iterator[Item]:
    pi = build.of("pi")
    low = build.base_top + pi.standoff
    x, y = flat_parts.pi_place(build, pi.board[0] / 2, pi.board[1] / 2)
    yield Item("pi", bd.Pos(x, y, low + 0.7) * bd.Box(pi.board[1], pi.board[0], 1.4), BOARD, made=False)
    top = low + 1.4

    def chip(along: float, across: float, size: tuple[float, float, float], colour: Colour) -> Item:
        at = flat_parts.pi_place(build, along, across)
        return Item("pi", bd.Pos(*at, top + size[2] / 2) * bd.Box(size[1], size[0], size[2]), colour, made=False)

    for across, high in ((10.25, 13.5), (29.0, 16.0), (47.0, 16.0)):
        yield chip(78.5, across, (17, 15, high), METAL)
    for along, wide in ((11.2, 9.0), (25.8, 7.0), (39.2, 7.0)):
        yield chip(along, 3.0, (wide, 7.0, 3.2), METAL)
    yield chip(32.5, 52.5, (51, 5, 8.5), BLACK)
    yield chip(29.0, 28.0, (30, 30, 10), METAL)
    for hole in flat_parts.pi_holes(build):
        stand = bd.Pos(hole.x, hole.y, build.base_top + pi.standoff / 2) * bd.Cylinder(2.75, pi.standoff)
        yield Item("standoff", stand, METAL, made=False)


def _camera(build: Build) -> Iterator[Item]:
    camera, sled = build.of("camera"), build.of("sled")
    wide, deep, thick = camera.board
    face = build.lens_level - sled.lens_over_board
    yield Item("camera", bd.Pos(0, 2.5, face - thick / 2) * bd.Box(wide, deep, thick), BOARD, made=False)
    high = sled.lens_over_board
    lens = bd.Pos(0, 0, face + high / 4) * bd.Box(11, 11, high / 2) + bd.Pos(0, 0, face + high * 0.7) * bd.Cylinder(
        4, high * 0.6
    )
    yield Item("camera", lens, BLACK, made=False)


def console_origin(build: Build) -> tuple[float, float]:
    """Return y and z of the console's lower front edge in the pictures: before the box, on the same table."""
    return -build.outer - 45 - build.of("console").depth, build.base_top - build.sheet


def _console(build: Build) -> Iterator[Item]:
    y, z = console_origin(build)
    place = bd.Pos(0, y, z)
    parts = {panel.name: panel for panel in flat_parts.console(build, 0.0)}
    width, sheet = build.of("console").width, build.sheet
    for x in (-width / 2, width / 2 - sheet):
        plane = bd.Plane((x, 0, 0), x_dir=(0, 1, 0), z_dir=(1, 0, 0))
        yield Item("console_cheek", place * plate(parts["console_cheek"], sheet, plane), PLY)
    for name in flat_parts.PLATES:
        plane = _run_plane(build, name)
        colour = BLACK if name == "console_top" else PLY
        yield Item(name, place * plate(parts[name], sheet, plane, flat_parts.inwards(name) < 0), colour)
    yield from _console_blocks(build, place)
    yield from _controls(build, place * _run_plane(build, "console_top").location)


def _run_plane(build: Build, name: str) -> bd.Plane:
    (u, v), (du, dv), _ = flat_parts.plate_run(build, name)
    return bd.Plane((0, u, v), x_dir=(1, 0, 0), z_dir=(0, -dv, du))


def _console_blocks(build: Build, place: bd.Pos) -> Iterator[Item]:
    side = build.of("block").side
    centred = bd.Pos(-side / 2, -side / 2, 0) * printed.block(build)
    level = start = build.of("console").inset + build.sheet
    for x, along in flat_parts.console_blocks(build):
        front = along < build.of("console").depth / 2
        turn = {(True, True): 270, (True, False): 0, (False, False): 90, (False, True): 180}[x > 0, front]
        at = bd.Pos(x, along + start, level)
        yield Item("corner_block", place * at * bd.Rot(0, 0, turn) * centred, BLACK)


def _controls(build: Build, face: bd.Location) -> Iterator[Item]:
    """Yield the stand-ins on the console's plate, whose outer face lies at `face`."""
    table = build.of("console")
    for (x, y), colour in zip(flat_parts.button_places(build).values(), CAPS, strict=True):
        rim = bd.Cylinder(16.5, 2.6) - bd.Cylinder(12.4, 10)
        yield Item("button", face * bd.Pos(x, y, 1.4) * rim, BLACK, made=False)
        yield Item("button", face * bd.Pos(x, y, 2.2) * bd.Cylinder(12, 5), colour, made=False)
    yield Item("knob", face * bd.Pos(table.encoder[0], table.upper, 2.0) * printed.knob(build), PRINT)
    ring = bd.Cylinder(table.ring / 2, 1.6) - bd.Cylinder(table.ring / 2 - 8, 5)
    yield Item("ring", face * bd.Pos(table.encoder[0], table.upper, 0.9) * ring, GLOW, made=False)
    yield from _display(build, face * bd.Pos(table.display[0], table.upper, -build.sheet))
    led = bd.Pos(table.status[0], table.upper, 1.5) * bd.Cylinder(2.4, 5)
    yield Item("status", face * led, (0.3, 0.8, 1.0), made=False)
    mute = bd.Pos(table.mute[0], table.upper, 2) * bd.Cylinder(5, 5)
    yield Item("mute", face * mute, METAL, made=False)


def _display(build: Build, place: bd.Location) -> Iterator[Item]:
    """Yield the small display in its holder, the plate's inner face at `place`."""
    table = build.of("display")
    yield Item("display_frame", place * extras.display_frame(build), BLACK)
    yield Item("display_bar", place * extras.display_bar(build), PRINT)
    wide, high, thick = table.board
    level = -table.front - table.glass
    glass = bd.Pos(0, -table.rise, level + table.glass / 2) * bd.Box(wide - 0.6, high - 8, table.glass)
    board = bd.Pos(0, -table.rise, level - thick / 2) * bd.Box(wide, high, thick)
    yield Item("display", place * glass, (0.05, 0.08, 0.2), made=False)
    yield Item("display_board", place * board, (0.08, 0.22, 0.5), made=False)


def _pod_place(build: Build) -> bd.Pos:
    pod = build.of("pod")
    y, z = console_origin(build)
    return bd.Pos(build.of("console").width / 2 + 40 + pod.width / 2, y + pod.depth / 2, z)


def _pod(build: Build) -> Iterator[Item]:
    """Yield one seat's pod, beside the console on the same table."""
    pod = build.of("pod")
    place = _pod_place(build)
    yield Item("pod_case", place * extras.pod_case(build), PRINT)
    yield Item("pod_floor", place * extras.pod_floor(build), BLACK)
    for (x, y), colour in zip(small.pod_buttons(build).values(), CAPS, strict=False):
        rim = bd.Cylinder(pod.rim / 2, 2.4) - bd.Cylinder(10.2, 10)
        yield Item("pod_button", place * bd.Pos(x, y, pod.height + 1.2) * rim, BLACK, made=False)
        yield Item("pod_button", place * bd.Pos(x, y, pod.height + 2.4) * bd.Cylinder(10, 4), colour, made=False)
    lamp = bd.Pos(0, pod.lamp_row, pod.height + 1) * bd.Cylinder(2.4, 4)
    yield Item("pod_lamp", place * lamp, GLOW, made=False)


def _engraving(panel: Panel) -> Solid:
    """Return a panel's engraved strokes as thin ridges."""
    return _ridges(shape for shape in panel.engraved if not isinstance(shape, Circle))


def _ridges(strokes: Iterable[Line]) -> Solid:
    return bd.Compound(children=[_ridge(*ends) for stroke in strokes for ends in pairwise(stroke.points)])


def _ridge(start: Point, end: Point) -> Solid:
    (x, y), (u, v) = start, end
    turn = degrees(atan2(v - y, u - x))
    return bd.Pos((x + u) / 2, (y + v) / 2, 0.05) * bd.Rot(0, 0, turn) * bd.Box(hypot(u - x, v - y) + 0.7, 0.7, 0.1)
