"""The 3D-printed parts of a box, each made where it is used; `printable` lays it on the printer's bed."""

from collections.abc import Callable
from typing import Any

import build123d as bd

from hardware.box import extras
from hardware.box.panels import M3, M4, block_middle
from hardware.box.parameters import Build
from hardware.box.parts import Part
from hardware.box.profiles import bolt_level, rim_profile, sled_level, trough_profile

Solid = Any  # build123d gives Part, Solid or Compound, all of which combine with +, - and &


def printable(part: Part, build: Build) -> Solid:
    """Return the part as it lies on the printer's bed, its lowest point at 0."""
    solid = bd.Rot(part.turn, 0, 0) * MAKERS[part.name](build)
    box = solid.bounding_box()
    middle = (box.min + box.max) / 2
    return bd.Pos(-middle.X, -middle.Y, -box.min.Z) * solid


def _prism(points: list[tuple[float, float]], length: float) -> Solid:
    """Return the polygon in x and z, pulled along y from the middle both ways."""
    face = bd.make_face(bd.Polyline(*[(x, 0, z) for x, z in points], close=True))
    return bd.extrude(face, amount=length / 2, both=True, dir=(0, 1, 0))


def _box(low: tuple[float, float, float], high: tuple[float, float, float]) -> Solid:
    size = [b - a for a, b in zip(low, high, strict=True)]
    corner = (bd.Align.MIN, bd.Align.MIN, bd.Align.MIN)
    return bd.Pos(*low) * bd.Box(*size, align=corner)


def _hole(x: float, y: float, z: float, diameter: float, length: float = 400.0) -> Solid:
    """Return an upright cylinder round z."""
    return bd.Pos(x, y, z) * bd.Cylinder(diameter / 2, length)


def rim(build: Build) -> Solid:
    """Return the whole rim, for printers large enough."""
    reach = build.outer + 20
    side = _prism(rim_profile(build), 2 * reach)
    wedge = bd.make_face(bd.Polyline((0, 0), (2 * reach, 2 * reach), (2 * reach, -2 * reach), close=True))
    side &= bd.Pos(0, 0, -100) * bd.extrude(wedge, amount=200)
    whole = side
    for turn in (90, 180, 270):
        whole += bd.Rot(0, 0, turn) * side
    insert = build.of("insert")
    at = block_middle(build)
    level = build.seat + insert.deep / 2
    for x, y in ((at, at), (at, -at), (-at, at), (-at, -at)):
        whole -= _hole(x, y, level, insert.hole, insert.deep)
    return whole


def rim_corner(build: Build) -> Solid:
    """Return a quarter of the rim; four of them, each turned by 90 degrees, lap into each other."""
    table, half = build.of("rim"), build.half
    far, split = build.outer + 20, half + 13.0
    quarter = _box((0, 0, -50), (far, far, 50))
    tongue = _box((-table.lap + table.play, 0, -50), (0, split - table.play, 50))
    notch = _box((0, -1, -50), (split, table.lap, 50))
    return rim(build) & (quarter + tongue - notch)


def trough_length(build: Build) -> float:
    """Return the length of half a side's light trough: between the corner blocks."""
    return build.inner - float(build.of("block").side) - 0.5


def trough(build: Build) -> Solid:
    """Return half of the right side's light trough."""
    length = trough_length(build)
    return bd.Pos(0, length / 2, 0) * _prism(trough_profile(build), length - 0.4)


def block(build: Build) -> Solid:
    """Return a corner block whose outer corner points to +x, +y; it is the same upside down."""
    table = build.of("block")
    side, height = table.side, table.height
    solid = _box((0, 0, 0), (side, side, height)) - _hole(side / 2, side / 2, 0, M3)
    pilot = bd.Cylinder(table.pilot / 2, 9.0)
    solid -= bd.Pos(side - 4.4, 3, height / 2) * bd.Rot(0, 90, 0) * pilot
    solid -= bd.Pos(3, side - 4.4, height / 2) * bd.Rot(90, 0, 0) * pilot
    return solid


def sled(build: Build) -> Solid:
    """Return the camera's sled: a plate with four posts for the board, and two slotted legs."""
    table = build.of("sled")
    low = sled_level(build)
    wide, deep = table.plate
    solid = _box((-wide / 2, -deep / 2, low), (wide / 2, deep / 2, low + table.thickness))
    for side in (-1, 1):
        x = side * (wide / 2 - table.thickness / 2)
        leg = _box((x - 1.5, -11, low - table.leg), (x + 1.5, 11, low))
        for y in (-6, 6):
            slot = _box((x - 5, y - M3 / 2, bolt_level(build) - 8), (x + 5, y + M3 / 2, bolt_level(build) + 8))
            leg -= slot
        solid += leg
    posts, holes = _camera_posts(build, low + table.thickness)
    return solid + posts - holes


def _camera_posts(build: Build, level: float) -> tuple[Solid, Solid]:
    """Return the posts for the camera's board and the pilot holes in them; the lens is at the origin."""
    camera, height = build.of("camera"), build.of("sled").post
    across, along = camera.holes
    places = [(x, y) for x in (-across / 2, across / 2) for y in (0.0, along)]
    posts = [bd.Pos(x, y, level + height / 2) * bd.Cylinder(2.6, height) for x, y in places]
    holes = [_hole(x, y, level, camera.hole - 0.5, 40) for x, y in places]
    return sum(posts[1:], posts[0]), sum(holes[1:], holes[0])


def cheek(build: Build) -> Solid:
    """Return the right one of two cheeks that hang under the deck and guide the sled."""
    table = build.of("sled")
    inner = table.plate[0] / 2 + table.gap
    top = build.deck_top - build.sheet
    outer = inner + table.cheek
    solid = _box((inner, -16, bolt_level(build) - 6), (outer, 16, top))
    solid += _box((inner, -16, top - 4), (outer + 12, 16, top))
    for y in (-10, 10):
        solid -= _hole(outer + 6, y, top, M3)
    for y in (-6, 6):
        solid -= bd.Pos(inner, y, bolt_level(build)) * bd.Rot(0, 90, 0) * bd.Cylinder(M3 / 2, 40)
    return solid


def ear(build: Build) -> Solid:
    """Return an ear: screwed to the box's right wall and to the underside of a table top; wall face at x = 0."""
    table = build.of("ear")
    wide, deep, tall, thick = table.width, table.depth, table.height, table.thickness
    solid = _box((0, -wide / 2, -tall), (thick, wide / 2, 0)) + _box((0, -wide / 2, -thick), (deep, wide / 2, 0))
    rib = [(thick, -thick), (deep, -thick), (thick, -tall)]
    for y in (-wide / 2 + 2, wide / 2 - 2):
        solid += bd.Pos(0, y, 0) * _prism(rib, 4.0)
    for y in (-10, 10):
        solid -= _box((-1, y - M4 / 2, -tall / 2 - table.slot / 2), (thick + 1, y + M4 / 2, -tall / 2 + table.slot / 2))
        solid -= _hole(deep - 9, y, 0, 4.5)
    return solid


def knob(build: Build) -> Solid:
    """Return a knob for the encoder's D-shaft of 6 mm, its axis upright, its lower face at 0."""
    solid = bd.Pos(0, 0, 8) * bd.Cylinder(15, 16)
    solid = bd.chamfer(solid.edges().group_by(bd.Axis.Z)[-1], 1.5)
    for turn in range(0, 360, 20):
        solid -= bd.Rot(0, 0, turn) * bd.Pos(15.6, 0, 8) * bd.Cylinder(1.4, 40)
    shaft = bd.Cylinder(3.05, 24) & _box((-4, -4, -12), (4, 1.6, 12))
    return solid - shaft


MAKERS: dict[str, Callable[[Build], Solid]] = {
    "rim_corner": rim_corner,
    "rim": rim,
    "trough": trough,
    "corner_block": block,
    "sled": sled,
    "sled_cheek": cheek,
    "ear": ear,
    "knob": knob,
    "display_frame": extras.display_frame,
    "display_bar": extras.display_bar,
    "pod_case": extras.pod_case,
    "pod_floor": extras.pod_floor,
}
