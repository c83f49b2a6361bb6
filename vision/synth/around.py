"""What is behind and beside the dice: ceiling, walls, lamps, table tops, the cup, and things that are no dice."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth import glyphs
from vision.synth.cube import Frame
from vision.synth.optics import Camera, Points
from vision.synth.scene import Cup, Ground, Lamp, Scene, Thing
from vision.synth.sets import Colour

Field = NDArray[np.float32]

_COARSE = 4  # the ceiling is out of focus: drawn at a quarter of the frame's size


def background(scene: Scene, camera: Camera) -> Frame:
    """The view without dice, cup and glass, BGR (height, width, 3): draw it once where nothing of it moves."""
    fine = scene.above
    step = 1 if fine else _COARSE
    small = camera.scaled(1 / step)
    field = _GROUNDS[scene.ground.kind](scene.ground, small)
    for lamp in scene.lamps:
        add_lamp(field, lamp, small)
    if not fine:
        _walls(field, scene.ground, small)
        field = np.asarray(cv2.GaussianBlur(field, (0, 0), max(0.6, 2.5 * small.px_per_mm / 2)), np.float32)
    coarse = np.clip(field, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, (camera.width, camera.height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _flat(ground: Ground, camera: Camera) -> Field:
    field = np.empty((camera.height, camera.width, 3), np.float32)
    field[:] = ground.colour
    return field


def _rough(rng: np.random.Generator, camera: Camera, coarse: float) -> Field:
    """Smooth noise of mean 0 and spread 1; `coarse` is its grain in mm."""
    cell = max(coarse * camera.px_per_mm, 1.0)
    size = (int(camera.height / cell) + 3, int(camera.width / cell) + 3)
    small = rng.normal(0, 1, size).astype(np.float32)
    return np.asarray(cv2.resize(small, (camera.width, camera.height), interpolation=cv2.INTER_CUBIC), np.float32)


def _plain(ground: Ground, camera: Camera) -> Field:
    field = _flat(ground, camera)
    rng = np.random.default_rng(ground.seed)
    field *= (1 + 0.08 * _rough(rng, camera, 60))[:, :, None]
    return field


def _beams(ground: Ground, camera: Camera) -> Field:
    """Boards and beams of a pub's ceiling, with heads that bend over the tray."""
    rng = np.random.default_rng(ground.seed)
    field = _plain(ground, camera)
    span = camera.height / camera.px_per_mm
    turn = rng.uniform(0, math.pi)
    gap = rng.uniform(25, 70)
    for k in range(-6, 7):
        middle = np.array([math.cos(turn), math.sin(turn)]) * gap * k
        along = np.array([-math.sin(turn), math.cos(turn)]) * span * 3
        ends = np.array([[*(middle - along), 0.0], [*(middle + along), 0.0]])
        _stroke(field, camera, ends, rng.uniform(4, 14), ground.second)
    for _ in range(rng.integers(0, 4)):
        _head(field, camera, rng)
    return field


def _head(field: Field, camera: Camera, rng: np.random.Generator) -> None:
    way = rng.uniform(0, 2 * math.pi)
    reach = rng.uniform(30, 110)
    at = np.array(
        [
            [reach * math.cos(way), reach * math.sin(way), 0.0],
            [reach * 1.5 * math.cos(way), reach * 1.5 * math.sin(way), 0.0],
        ]
    )
    cloth = tuple(rng.uniform(5, 120, 3))
    skin = tuple(np.array([60.0, 80.0, 120.0]) * rng.uniform(0.2, 1.3))
    for place, radius, colour in ((at[1], rng.uniform(30, 50), cloth), (at[0], rng.uniform(14, 26), skin)):
        centre = camera.project(place[None])[0]
        axes = (round(radius * camera.px_per_mm), round(radius * camera.px_per_mm * rng.uniform(0.7, 1.0)))
        cv2.ellipse(field, _at(centre), axes, math.degrees(way), 0, 360, colour, -1)


def _wood(ground: Ground, camera: Camera) -> Field:
    rng = np.random.default_rng(ground.seed)
    field = _plain(ground, camera)
    size = field.shape[:2]
    noise = rng.normal(0, 1, (size[0] // 2 + 1, size[1] // 2 + 1)).astype(np.float32)
    sigma = (1.0 * camera.px_per_mm / 4 + 0.6, 12.0 * camera.px_per_mm / 4 + 2)
    upright = rng.random() < 0.5
    grain = cv2.GaussianBlur(noise, (0, 0), sigmaX=sigma[upright], sigmaY=sigma[not upright])
    grain = cv2.resize(np.asarray(grain / max(float(grain.std()), 1e-6), np.float32), size[::-1])
    field *= (1 + rng.uniform(0.05, 0.25) * grain)[:, :, None]
    return field


def _felt(ground: Ground, camera: Camera) -> Field:
    rng = np.random.default_rng(ground.seed)
    field = _plain(ground, camera)
    field *= (1 + rng.uniform(0.02, 0.15) * _rough(rng, camera, rng.uniform(0.3, 1.5)))[:, :, None]
    return field


def _paper(ground: Ground, camera: Camera) -> Field:
    """A sheet with ruled lines or squares."""
    rng = np.random.default_rng(ground.seed)
    field = _plain(ground, camera)
    gap, width = rng.uniform(15, 45), rng.uniform(0.2, 1.0)
    for k in range(-8, 9):
        for ends in ([[gap * k, -300.0, 0.0], [gap * k, 300.0, 0.0]], [[-300.0, gap * k, 0.0], [300.0, gap * k, 0.0]]):
            _stroke(field, camera, np.array(ends), width, ground.second)
    return field


def _tray(ground: Ground, camera: Camera) -> Field:
    """A round or square tray in the middle of a table."""
    rng = np.random.default_rng(ground.seed)
    field = _felt(ground, camera)
    centre = camera.project(np.array([[*rng.uniform(-20, 20, 2), 16.0]]))[0]
    size = rng.uniform(60, 120) * camera.px_per_mm
    for scale, tone in ((1.0, rng.uniform(0.3, 1.2)), (0.93, 1.0)):
        colour = tuple(np.array(ground.second) * tone)
        if ground.seed % 2:
            cv2.circle(field, _at(centre), round(size * scale), colour, -1)
        else:
            corner = np.array([size * 1.3, size]) * scale
            cv2.rectangle(field, _at(centre - corner), _at(centre + corner), colour, -1)
    return field


_GROUNDS: dict[str, Callable[[Ground, Camera], Field]] = {
    "plain": _plain, "beams": _beams, "wood": _wood, "felt": _felt, "paper": _paper, "tray": _tray,
}  # fmt: skip

GROUNDS_BELOW = ("plain", "beams")
GROUNDS_ABOVE = ("plain", "wood", "felt", "paper", "tray")


def _walls(field: Field, ground: Ground, camera: Camera) -> None:
    """The tray's own walls, where they come into view."""
    if ground.wall_mm is None:
        return
    half = ground.wall_mm
    rng = np.random.default_rng(ground.seed + 1)
    for side in range(4):
        way = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)][side], float) * half * (1.0 if side % 2 == 0 else 0.75)
        across = np.array([-way[1], way[0]]) * 3
        near = [np.append(way - across, 0.0), np.append(way + across, 0.0)]
        far = [np.append(way * 3 + across, 0.0), np.append(way * 3 - across, 0.0)]
        outline = camera.project(np.array(near + far))
        colour = tuple(np.array(ground.second) * rng.uniform(0.8, 2.5) + rng.uniform(0, 20))
        cv2.fillPoly(field, [np.round(outline).astype(np.int32)], colour)


def add_lamp(field: Field, lamp: Lamp, camera: Camera) -> None:
    """Adds a light to the field (height, width, 3), its rim soft, in place."""
    soft = max(0.5, lamp.soft_mm * camera.px_per_mm / 2)
    outline = _lamp_outline(lamp, camera)
    low = np.maximum(np.floor(outline.min(0) - 3.5 * soft - 1).astype(int), 0)
    high = np.minimum(np.ceil(outline.max(0) + 3.5 * soft + 2).astype(int), field.shape[1::-1])
    if (high <= low).any():
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
    cv2.fillConvexPoly(mask, np.round((outline - low) * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), soft), np.float32)
    field[low[1] : high[1], low[0] : high[0]] += mask[:, :, None] * (np.array(lamp.colour, np.float32) * lamp.gain)


def _lamp_outline(lamp: Lamp, camera: Camera) -> Points:
    if lamp.shape == "disc":
        centre = camera.project(np.array([[lamp.x_mm, lamp.y_mm, 0.0]]))[0]
        angle = np.linspace(0, 2 * math.pi, 32, endpoint=False)
        reach = max(lamp.size_mm * camera.px_per_mm, 0.6)
        return np.column_stack([centre[0] + reach * np.cos(angle), centre[1] + reach * np.sin(angle)])
    width = lamp.size_mm if lamp.shape == "panel" else lamp.size_mm * 0.12
    return camera.project(_rectangle(lamp.x_mm, lamp.y_mm, lamp.size_mm, width * 0.8, lamp.turn_deg))


def _rectangle(x: float, y: float, width: float, height: float, turn_deg: float, z: float = 0.0) -> Points:
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) @ [[c, s], [-s, c]]
    return np.column_stack([corners + np.array([x, y]), np.full(4, z)])


def _stroke(field: Field, camera: Camera, ends: Points, width_mm: float, colour: Colour) -> None:
    a, b = camera.project(ends)
    cv2.line(field, _at(a), _at(b), colour, max(1, round(width_mm * camera.px_per_mm)), cv2.LINE_AA)


def _at(point: Points) -> tuple[int, int]:
    return round(float(np.clip(point[0], -9999, 9999))), round(float(np.clip(point[1], -9999, 9999)))


def draw_cup(frame: Frame, cup: Cup, camera: Camera, brightness: float) -> None:
    """The cup from below, in place: rim, inner wall growing dark upwards, dark end."""
    colour = np.array(cup.colour) * brightness
    rng = np.random.default_rng(int(cup.radius_mm * 1000) % 9973)
    for z in np.linspace(cup.depth_mm, 0, 6):
        _ring(frame, cup, camera, z, cup.radius_mm + cup.wall_mm, colour * 0.25)
    _ring(frame, cup, camera, 0.0, cup.radius_mm + cup.wall_mm, colour * 1.1 + 12)
    bands = 26
    for k in range(bands):
        depth = cup.depth_mm * (k / bands) ** 1.3
        fall = math.exp(-2.6 * k / bands)
        speck = rng.uniform(0.8, 1.2) if cup.kind == "leather" else 1.0
        _ring(frame, cup, camera, depth, cup.radius_mm, colour * (0.06 + 0.8 * fall) * speck)
    _ring(frame, cup, camera, cup.depth_mm, cup.radius_mm * 0.93, colour * 0.12)
    if cup.kind == "shiny":
        _gleams(frame, cup, camera, rng)


def _ring(frame: Frame, cup: Cup, camera: Camera, z: float, radius: float, colour: Points) -> None:
    centre, edge = camera.project(
        np.array([[cup.x_mm, cup.y_mm, cup.lift_mm + z], [cup.x_mm + radius, cup.y_mm, cup.lift_mm + z]])
    )
    size = float(np.hypot(*(edge - centre)))
    at = (round(float(centre[0]) * 16), round(float(centre[1]) * 16))
    cv2.circle(frame, at, round(size * 16), tuple(map(float, colour)), -1, cv2.LINE_AA, 4)


def _gleams(frame: Frame, cup: Cup, camera: Camera, rng: np.random.Generator) -> None:
    """Lights mirrored in a shiny inside, as short rows of dots."""
    for _ in range(int(rng.integers(1, 5))):
        way, z = rng.uniform(0, 2 * math.pi), rng.uniform(2, 30)
        for k in range(int(rng.integers(3, 9))):
            turn = way + 0.03 * k
            x = cup.x_mm + cup.radius_mm * 0.98 * math.cos(turn)
            y = cup.y_mm + cup.radius_mm * 0.98 * math.sin(turn)
            point = camera.project(np.array([[x, y, cup.lift_mm + z]]))[0]
            cv2.circle(frame, _at(point), max(1, round(0.4 * camera.px_per_mm)), (150.0, 200.0, 230.0), -1, cv2.LINE_AA)


def draw_thing(frame: Frame, thing: Thing, camera: Camera, brightness: float) -> None:
    """Something that is no die, lying on the glass, in place."""
    rng = np.random.default_rng(thing.seed)
    colour = np.clip(np.array(thing.colour) * brightness, 0, 255)
    _THINGS[thing.kind](frame, thing, camera, colour, rng)


def _coin(frame: Frame, thing: Thing, camera: Camera, colour: Points, rng: np.random.Generator) -> None:
    for scale, tone in ((1.0, 0.8), (0.95, 1.15), (0.88, 0.95)):
        _disc(frame, thing, camera, thing.size_mm / 2 * scale, colour * tone)
    text = str(rng.choice(list(glyphs.LETTERS))) + str(rng.choice(list("0125")))
    relief = glyphs.letters(text, glyphs.Pen(0.6), 0.45) + 0.6 * glyphs.blob(rng, rng.uniform(0.3, 0.7))
    _stick(frame, thing, camera, relief, colour * rng.choice([0.65, 1.3]), 0.75)


def _cap(frame: Frame, thing: Thing, camera: Camera, colour: Points, rng: np.random.Generator) -> None:
    angle = np.linspace(0, 2 * math.pi, 126, endpoint=False)
    radius = thing.size_mm / 2 * (1 + 0.05 * np.cos(21 * angle))
    rim = np.column_stack([thing.x_mm + radius * np.cos(angle), thing.y_mm + radius * np.sin(angle), 0 * angle])
    cv2.fillPoly(frame, [np.round(camera.project(rim)).astype(np.int32)], tuple(map(float, colour)), cv2.LINE_AA)
    _disc(frame, thing, camera, thing.size_mm * 0.4, colour * rng.uniform(0.4, 0.9))
    _disc(frame, thing, camera, thing.size_mm * 0.33, colour * rng.uniform(0.6, 1.2))


def _ring_thing(frame: Frame, thing: Thing, camera: Camera, colour: Points, rng: np.random.Generator) -> None:
    centre = camera.project(np.array([[thing.x_mm, thing.y_mm, 0.0]]))[0]
    width = max(1, round(rng.uniform(1.0, 3.0) * camera.px_per_mm))
    cv2.circle(
        frame, _at(centre), round(thing.size_mm / 2 * camera.px_per_mm), tuple(map(float, colour)), width, cv2.LINE_AA
    )


def _mat(frame: Frame, thing: Thing, camera: Camera, colour: Points, rng: np.random.Generator) -> None:
    """A beer mat, a card or any printed square: the hardest thing to tell from a die but for its size."""
    ratio = 1.0 if thing.kind != "card" else rng.uniform(0.4, 0.8)
    outline = camera.project(
        _rectangle(thing.x_mm, thing.y_mm, thing.size_mm / 2, thing.size_mm / 2 * ratio, thing.turn_deg)
    )
    cv2.fillConvexPoly(frame, np.round(outline * 16).astype(np.int32), tuple(map(float, colour)), cv2.LINE_AA, 4)
    for _ in range(int(rng.integers(0, 4))):
        mask = glyphs.blob(rng, rng.uniform(0.2, 0.7), tuple(rng.uniform(0.3, 0.7, 2)))
        _stick(frame, thing, camera, mask, rng.uniform(0, 255, 3), 1.0)
    if rng.random() < 0.6:
        text = "".join(rng.choice(list(glyphs.LETTERS), int(rng.integers(1, 5))))
        _stick(
            frame, thing, camera, glyphs.letters(text, glyphs.Pen(0.8), 0.6 / len(text)), rng.uniform(0, 255, 3), 1.0
        )


def _finger(frame: Frame, thing: Thing, camera: Camera, colour: Points, rng: np.random.Generator) -> None:
    ends = _rectangle(thing.x_mm, thing.y_mm, 0.1, thing.size_mm * 2, thing.turn_deg)
    a, b = camera.project(ends[[0, 2]])
    width = max(2, round(rng.uniform(12, 18) * camera.px_per_mm))
    cv2.line(frame, _at(a), _at(b), tuple(map(float, colour)), width, cv2.LINE_AA)
    cv2.circle(frame, _at(a), round(width * 0.3), tuple(map(float, np.clip(colour * 1.15, 0, 255))), -1, cv2.LINE_AA)


def _disc(frame: Frame, thing: Thing, camera: Camera, radius: float, colour: Points) -> None:
    centre = camera.project(np.array([[thing.x_mm, thing.y_mm, 0.0]]))[0]
    tone = tuple(map(float, np.clip(colour, 0, 255)))
    at = (round(float(centre[0]) * 16), round(float(centre[1]) * 16))
    cv2.circle(frame, at, round(radius * camera.px_per_mm * 16), tone, -1, cv2.LINE_AA, 4)


def _stick(frame: Frame, thing: Thing, camera: Camera, mask: Field, colour: Points, size: float) -> None:
    """A print on a thing: the mask laid over it."""
    half = thing.size_mm / 2 * size
    corners = camera.project(_rectangle(thing.x_mm, thing.y_mm, half, half, thing.turn_deg))
    low = np.maximum(np.floor(corners.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 1, (frame.shape[1], frame.shape[0]))
    if (high <= low).any():
        return
    edge = mask.shape[0]
    square = np.array([[0, 0], [edge, 0], [edge, edge], [0, edge]], np.float32)
    matrix = cv2.getPerspectiveTransform(square, np.asarray(corners - low, np.float32))
    cover = cv2.warpPerspective(mask, matrix, (int(high[0] - low[0]), int(high[1] - low[1])))[:, :, None]
    spot = frame[low[1] : high[1], low[0] : high[0]]
    spot[:] = np.clip(spot + np.clip(cover, 0, 1) * (np.asarray(colour, np.float32) - spot), 0, 255).astype(np.uint8)


_THINGS: dict[str, Callable[[Frame, Thing, Camera, Points, np.random.Generator], None]] = {
    "coin": _coin, "cap": _cap, "ring": _ring_thing, "mat": _mat, "card": _mat, "finger": _finger,
}  # fmt: skip

THINGS = tuple(_THINGS)
