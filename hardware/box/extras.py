"""The display's holder and the seat pods as solids: under the console's plate, and beside each player."""

from itertools import pairwise
from math import atan2, degrees, hypot

import build123d as bd

from hardware.box.flat import Line, Point
from hardware.box.panels import M3
from hardware.box.parameters import Build
from hardware.box.small import (
    EAR,
    bar_screws,
    display_view,
    pin_slots,
    pocket,
    pocket_depth,
    pod_holes,
    pod_labels,
    pod_posts,
)

GROOVE = (0.9, 0.6)  # width and depth of the words' strokes
PILOT_M2 = 1.7  # an M2 screw cuts its own thread
RELIEF = 2.0  # over the parts on the display's back


def _prism(shape: Line, low: float, high: float) -> bd.Part:
    """Return what stands on a closed line, from level to level."""
    return bd.Pos(0, 0, low) * bd.extrude(bd.make_face(bd.Polyline(*shape.points, close=True)), amount=high - low)


def _block(at: Point, size: Point, low: float, high: float) -> bd.Part:
    return bd.Pos(*at, (low + high) / 2) * bd.Box(*size, high - low)


def _hole(at: Point, diameter: float) -> bd.Part:
    return bd.Pos(*at, 0) * bd.Cylinder(diameter / 2, 400)


def display_frame(build: Build) -> bd.Part:
    """Return the display's holder; its face at 0 is glued under the console's plate, its pocket opens downwards."""
    table, deep = build.of("display"), pocket_depth(build)
    room = pocket(build)
    (left, low), (right, high) = room.points[0], room.points[2]
    wall = 2 * table.shell
    solid = _block(((left + right) / 2, (low + high) / 2), (right - left + wall, high - low + wall), -deep, 0)
    for at in bar_screws(build):
        solid += _block(at, (EAR, EAR), -deep, 0)
    solid -= _prism(room, -deep - 1, -table.front)
    for opening in (display_view(build), *pin_slots(build)):
        solid -= _prism(opening, -deep, 1)
    for at in bar_screws(build):
        solid -= _hole(at, PILOT_M2)
    return solid


def display_bar(build: Build) -> bd.Part:
    """Return the bar behind the display, screwed to the holder's ears; it presses the board at its edges only."""
    table, deep = build.of("display"), pocket_depth(build)
    (left, level), (right, _) = bar_screws(build)
    solid = _block((0, level), (right - left + EAR, EAR), -deep - table.bar, -deep)
    solid -= _block((0, level), (table.board[0] - 5, EAR + 2), -deep - RELIEF, -deep + 1)
    for at in (left, right):
        solid -= _hole((at, level), build.of("camera").hole)
    return solid


def pod_case(build: Build) -> bd.Part:
    """Return a pod's case, open below, its lower edge at 0."""
    pod = build.of("pod")
    solid = bd.Pos(0, 0, pod.height / 2) * bd.Box(pod.width, pod.depth, pod.height)
    solid = bd.fillet(solid.edges().filter_by(bd.Axis.Z), pod.wall + 1.5)
    solid = bd.chamfer(solid.faces().sort_by(bd.Axis.Z)[-1].edges(), 1.2)
    inside = (pod.width - 2 * pod.wall, pod.depth - 2 * pod.wall)
    solid -= _block((0, 0), inside, -1, pod.height - pod.wall)
    for at in pod_posts(build):
        solid += _block(at, (pod.post, pod.post), pod.floor, pod.height - pod.wall)
        solid -= bd.Pos(*at, pod.floor + 5) * bd.Cylinder(build.of("block").pilot / 2, 12)
    for hole in pod_holes(build):
        solid -= _hole((hole.x, hole.y), hole.d)
    solid -= bd.Pos(0, pod.depth / 2, pod.floor + 6) * bd.Rot(90, 0, 0) * bd.Cylinder(pod.cable / 2, 3 * pod.wall)
    for stroke in pod_labels(build):
        for ends in pairwise(stroke.points):
            solid -= _groove(*ends, pod.height)
    return solid


def _groove(start: Point, end: Point, top: float) -> bd.Part:
    (x, y), (u, v) = start, end
    wide, deep = GROOVE
    stroke = bd.Rot(0, 0, degrees(atan2(v - y, u - x))) * bd.Box(hypot(u - x, v - y) + wide, wide, 2 * deep)
    return bd.Pos((x + u) / 2, (y + v) / 2, top) * stroke


def pod_floor(build: Build) -> bd.Part:
    """Return the floor that closes a pod from below, between its walls."""
    pod = build.of("pod")
    size = (pod.width - 2 * pod.wall - 0.6, pod.depth - 2 * pod.wall - 0.6)
    solid = _block((0, 0), size, 0, pod.floor)
    for at in pod_posts(build):
        solid -= _hole(at, M3)
    return solid
