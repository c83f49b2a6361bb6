"""The renderer: a scene, a camera and a set of dice make a frame and its labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.around import background, draw_cup, draw_thing
from vision.synth.cube import Frame, Posed, View, draw_die, pose
from vision.synth.glass import draw_glass
from vision.synth.lens import develop
from vision.synth.optics import Camera, Points
from vision.synth.scene import PlacedDie, Scene
from vision.synth.sets import DieSet

_STEP = 0.5  # hidden parts are counted on a grid of this part of the frame's size


@dataclass(frozen=True)
class DieTruth:
    """What is true of one die: symbols, state, places in pixels, and the part of its bottom face that is hidden.

    `bottom` is the face that looks down most, on which the die would fall, and `top` its opposite: not the one that lay
    up before the die tumbled by more than 45 degrees.
    `quad_px` is the unrounded bottom face (4, 2), clockwise from the print's upper left; `outside` is the part of it
    beyond the frame; `side_px` its mean edge; `yaw_deg` the angle of its first edge in the frame.
    """

    bottom: str
    top: str
    state: str
    quad_px: Points
    centre_px: tuple[float, float]
    side_px: float
    yaw_deg: float
    tilt_deg: float
    partly_hidden: float
    outside: float


def render(
    scene: Scene, camera: Camera, die_set: DieSet, rng: np.random.Generator, behind: Frame | None = None
) -> Frame:
    """The frame (height, width, 3), BGR, that the camera gives.

    `behind` is what `background` drew for the same ground, lamps and camera; giving it saves a third of the time.

    >>> from vision.synth.sets import classic
    >>> die = PlacedDie("K", 0.0, 0.0)
    >>> render(Scene((die,)), Camera(width=384, height=216), classic(), np.random.default_rng(1)).shape
    (216, 384, 3)
    """
    if scene.cover:
        lens = replace(scene.lens, veil=0.0)
        return develop(np.full((camera.height, camera.width, 3), 4, np.uint8), lens, rng)
    frame = (background(scene, camera) if behind is None else behind).copy()
    brightness = scene.light.face + 0.4 * scene.light.ambient
    if scene.cup is not None:
        draw_cup(frame, scene.cup, camera, brightness)
    for thing in scene.foreign:
        draw_thing(frame, thing, camera, brightness)
    view = View(camera, die_set, scene.light)
    for index, posed in painted_order(scene, camera, die_set):
        if scene.light.shadow > 0:
            _shadow(frame, posed, scene)
        draw_die(frame, scene.dice[index], posed, view)
    draw_glass(frame, scene.dirt, scene.glare, camera, brightness)
    return develop(frame, scene.lens, rng)


def painted_order(scene: Scene, camera: Camera, die_set: DieSet) -> list[tuple[int, Posed]]:
    """The dice by number, those further from the lens first: raised before lying, outer before inner."""
    posed = {i: pose(die, camera, die_set) for i, die in enumerate(scene.dice)}
    foot = camera.project(np.array([[camera.x_mm, camera.y_mm, 0.0]]))[0]

    def depth(index: int) -> tuple[bool, float]:
        die = scene.dice[index]
        away = float(np.hypot(*(posed[index].hull.mean(0) - foot)))
        return die.lift_mm > die_set.body.edge_mm * 0.5, away

    return [(i, posed[i]) for i in sorted(posed, key=depth, reverse=True)]


def _shadow(frame: Frame, posed: Posed, scene: Scene) -> None:
    """Darkens what is round the die: a cast shadow seen from above, a thin seam seen from below."""
    reach = (0.45 if scene.above else 0.08) * float(np.ptp(posed.hull[:, 0]))
    azimuth = np.radians(scene.light.azimuth_deg)
    way = -reach * np.array([np.cos(azimuth), np.sin(azimuth)]) * (1.0 if scene.above else 0.0)
    hull = np.vstack([posed.hull, posed.hull + way]) if scene.above else posed.hull
    pad = round(reach) + 3
    low = np.maximum(np.floor(hull.min(0)).astype(int) - pad, 0)
    high = np.minimum(np.ceil(hull.max(0)).astype(int) + pad, (frame.shape[1], frame.shape[0]))
    if (high - low < 2).any():
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    outline = cv2.convexHull(np.round(hull - low).astype(np.int32))
    cv2.fillConvexPoly(mask, outline, int(255 * scene.light.shadow))
    size = 2 * max(1, pad // 2) + 1
    dark = cv2.bitwise_not(cv2.blur(mask, (size, size)))
    spot = frame[low[1] : high[1], low[0] : high[0]]
    frame[low[1] : high[1], low[0] : high[0]] = cv2.multiply(spot, cv2.merge([dark] * 3), scale=1 / 255)


def truth(scene: Scene, camera: Camera, die_set: DieSet) -> list[DieTruth]:
    """The labels of the dice, in the order of `scene.dice`; hidden parts are counted on a coarse grid of areas."""
    order = painted_order(scene, camera, die_set)
    areas = _painted(order, camera.scaled(_STEP), _STEP)
    labels = {}
    for index, posed in order:
        hidden, outside = _unseen(posed, areas, 2 * index + 1)
        labels[index] = _label(scene.dice[index], posed, die_set, hidden, outside)
    return [labels[i] for i in range(len(scene.dice))]


def area_map(scene: Scene, camera: Camera, die_set: DieSet) -> NDArray[np.int16]:
    """Which die each pixel shows: 0 none, 2 i + 1 the bottom face of die i, 2 i + 2 the rest of it."""
    return _painted(painted_order(scene, camera, die_set), camera, 1.0)


def _painted(order: Sequence[tuple[int, Posed]], camera: Camera, scale: float) -> NDArray[np.int16]:
    """The areas of posed dice in a frame that is `scale` times as large as the one that they were posed in."""
    areas = np.zeros((camera.height, camera.width), np.int16)
    for index, posed in order:
        for outline, number in ((posed.hull, 2 * index + 2), (_visible_face(posed), 2 * index + 1)):
            scaled = (outline + 0.5) * scale - 0.5
            cv2.fillConvexPoly(areas, np.round(scaled * 16).astype(np.int32), number, cv2.LINE_8, 4)
    return areas


def outside(die: PlacedDie, camera: Camera, die_set: DieSet) -> float:
    """The part of the die's bottom face that lies beyond the frame."""
    face = _visible_face(pose(die, camera, die_set)).astype(np.float32)
    frame = np.array([[0, 0], [camera.width, 0], [camera.width, camera.height], [0, camera.height]], np.float32)
    inside = float(cv2.intersectConvexConvex(face, frame)[0])
    return float(np.clip(1 - inside / max(float(cv2.contourArea(face)), 1e-6), 0, 1))


def _visible_face(posed: Posed) -> Points:
    """The face without the outermost rounding."""
    middle = posed.quad.mean(0)
    return np.asarray(middle + 0.94 * (posed.quad - middle))


def _unseen(posed: Posed, areas: NDArray[np.int16], number: int) -> tuple[float, float]:
    """The part of the bottom face that other dice hide, and the part beyond the frame."""
    face = (_visible_face(posed) * _STEP).astype(np.float32)
    height, width = areas.shape
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    inside = float(cv2.intersectConvexConvex(face, frame)[0])
    whole = max(float(cv2.contourArea(face)), 1e-6)
    if inside < 0.25:
        return 1.0, float(np.clip(1 - inside / whole, 0, 1))
    low, high = np.maximum(np.floor(face.min(0)).astype(int) - 2, 0), np.ceil(face.max(0)).astype(int) + 3
    seen = float((areas[low[1] : high[1], low[0] : high[0]] == number).sum())
    return float(np.clip(1 - seen / inside, 0, 1)), float(np.clip(1 - inside / whole, 0, 1))


def _label(die: PlacedDie, posed: Posed, die_set: DieSet, hidden: float, outside: float) -> DieTruth:
    edges = np.roll(posed.quad, -1, 0) - posed.quad
    centre = _crossing(posed.quad)
    bottom = die_set.faces[posed.down]
    return DieTruth(
        bottom=bottom,
        top=die_set.opposite(bottom),
        state=die.state,
        quad_px=posed.quad,
        centre_px=(float(centre[0]), float(centre[1])),
        side_px=float(np.hypot(edges[:, 0], edges[:, 1]).mean()),
        yaw_deg=float(np.degrees(np.arctan2(edges[0, 1], edges[0, 0]))),
        tilt_deg=posed.tilt_deg,
        partly_hidden=hidden,
        outside=outside,
    )


def _crossing(quad: Points) -> Points:
    """Where the diagonals meet: the middle of the face in perspective."""
    a, b, c, d = quad
    matrix = np.column_stack([c - a, b - d])
    if abs(np.linalg.det(matrix)) < 1e-6:
        return np.asarray(quad.mean(0))
    return np.asarray(a + (c - a) * np.linalg.solve(matrix, b - a)[0])
