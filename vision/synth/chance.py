"""Scenes drawn at random over everything that can lie on, hang over or stick to a tray."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.synth.around import GROUNDS_ABOVE, GROUNDS_BELOW, THINGS
from vision.synth.glass import STAINS
from vision.synth.optics import Camera
from vision.synth.prints import random_colour, random_set
from vision.synth.scene import Cup, Ground, Lamp, Lens, Light, PlacedDie, Scene, Stain, Thing
from vision.synth.sets import DieSet

Rng = np.random.Generator
Points = NDArray[np.float64]

_SEEDS = 1_000_000

CONDITIONS = (
    "open", "cup", "dirty", "glare", "dim", "bright", "blur", "cocked", "stacked", "fewer", "many", "foreign",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Draw:
    """One random picture to render, and which of `CONDITIONS` it shows."""

    scene: Scene
    camera: Camera
    die_set: DieSet
    condition: str


def random_scene(
    rng: Rng,
    condition: str | None = None,
    die_set: DieSet | None = None,
    camera: Camera | None = None,
    above: bool = False,
) -> Draw:
    """A random picture of one condition (any, if none is named), with random dice, light and camera where not given.

    >>> random_scene(np.random.default_rng(3), "many").condition
    'many'
    """
    condition = condition or str(rng.choice(CONDITIONS))
    die_set = die_set or random_set(rng)
    camera = camera or random_camera(rng, die_set.body.edge_mm, above)
    light = _light(rng, condition)
    cup = _cup(rng, camera) if _has_cup(rng, condition) and not above else None
    scene = Scene(
        dice=_dice(rng, condition, die_set, camera, cup),
        cup=cup,
        light=light,
        ground=_ground(rng, camera, above),
        lamps=() if above else _lamps(rng, camera),
        glare=_glare(rng, camera) if condition == "glare" else (),
        dirt=_dirt(rng, camera, condition),
        foreign=_foreign(rng, camera) if condition == "foreign" else (),
        lens=_lens(rng, condition),
        above=above,
    )
    return Draw(_clear_of_things(scene, die_set), camera, die_set, condition)


def random_camera(rng: Rng, edge_mm: float = 16.0, above: bool = False) -> Camera:
    """A camera as people mount them; from above also further away and at a slant."""
    height = rng.uniform(140, 520 if above else 200) * edge_mm / 16
    half = rng.uniform(75, 160) if above else height * math.tan(math.radians(rng.uniform(60, 72)) / 2)
    tilt = abs(rng.normal(0, 10)) if above else rng.uniform(0, 3)
    return Camera(
        height_mm=float(height), hfov_deg=math.degrees(2 * math.atan(half / height)), tilt_deg=float(min(tilt, 28.0)),
        tilt_dir_deg=float(rng.uniform(0, 360)), roll_deg=float(rng.normal(0, 2)), k1=float(rng.uniform(-0.07, 0.03)),
        x_mm=float(rng.normal(0, 3)), y_mm=float(rng.normal(0, 3)),
    )  # fmt: skip


def _has_cup(rng: Rng, condition: str) -> bool:
    return condition == "cup" or (condition not in ("open", "many", "foreign") and rng.random() < 0.35)


def _cup(rng: Rng, camera: Camera) -> Cup:
    half = _half(camera)
    radius = float(rng.uniform(34, 50))
    reach = np.maximum(half - radius - 2, 2)
    return Cup(
        x_mm=float(rng.uniform(-reach[0], reach[0])), y_mm=float(rng.uniform(-reach[1], reach[1])), radius_mm=radius,
        colour=random_colour(rng, 15, 200, float(rng.uniform(0, 1))), depth_mm=float(rng.uniform(65, 110)),
        wall_mm=float(rng.uniform(1, 5)), kind=str(rng.choice(["plain", "leather", "shiny"])),
    )  # fmt: skip


def _half(camera: Camera) -> Points:
    """Half the width and height of what is in view on the glass, in mm."""
    return np.array([camera.width, camera.height]) / 2 / camera.px_per_mm


def _dice(rng: Rng, condition: str, die_set: DieSet, camera: Camera, cup: Cup | None) -> tuple[PlacedDie, ...]:
    count = {"many": int(rng.integers(12, 41)), "fewer": int(rng.integers(0, 5))}.get(
        condition, int(rng.integers(3, 7))
    )
    edge = die_set.body.edge_mm
    placed: list[PlacedDie] = []
    for _ in range(count * 25):
        if len(placed) == count:
            break
        die = _spot(rng, placed, die_set, camera, cup)
        if _free(die, placed, edge) and _within(die, cup, edge):
            placed.append(die)
    return tuple(_disturb(rng, condition, placed, edge, die_set))


def crowded(rng: Rng, draw: Draw, count: int) -> Draw:
    """The same picture with flat dice laid into it until `count` lie there, or until there is no room for more."""
    edge, scene = draw.die_set.body.edge_mm, draw.scene
    placed = list(scene.dice)
    for _ in range(count * 25):
        if len(placed) >= count:
            break
        die = _spot(rng, placed, draw.die_set, draw.camera, scene.cup)
        if _free(die, placed, edge) and _clear(die, placed, edge) and _within(die, scene.cup, edge):
            placed.append(die)
    return replace(draw, scene=_clear_of_things(replace(scene, dice=tuple(placed)), draw.die_set))


_WIDE = 1.6
"""Edges that a flat die keeps from one that leans, moves or lies on another: their outlines are wider than a square."""


def _clear(die: PlacedDie, placed: list[PlacedDie], edge: float) -> bool:
    wide = [other for other in placed if other.state != "flat"]
    return all(math.hypot(die.x_mm - other.x_mm, die.y_mm - other.y_mm) > _WIDE * edge for other in wide)


def _spot(rng: Rng, placed: list[PlacedDie], die_set: DieSet, camera: Camera, cup: Cup | None) -> PlacedDie:
    edge = die_set.body.edge_mm
    face, yaw, twist = str(rng.choice(list(die_set.faces))), float(rng.uniform(0, 360)), int(rng.integers(0, 4))
    if placed and rng.random() < 0.5:
        other = placed[int(rng.integers(len(placed)))]
        yaw = other.yaw_deg + (0.0 if rng.random() < 0.3 else float(rng.uniform(-45, 45)))
        way = math.radians(other.yaw_deg + 90 * int(rng.integers(0, 4)))
        turn = abs((yaw - other.yaw_deg + 45) % 90 - 45)
        reach = edge / 2 + edge / 2 * (math.cos(math.radians(turn)) + math.sin(math.radians(turn)))
        reach += 0.05 + float(rng.exponential(0.5))
        slip = float(rng.uniform(-0.5, 0.5)) * edge
        x = other.x_mm + reach * math.cos(way) - slip * math.sin(way)
        y = other.y_mm + reach * math.sin(way) + slip * math.cos(way)
        return PlacedDie(face, x, y, yaw, twist=twist)
    if cup is not None:
        radius, way = (cup.radius_mm - edge * 0.75) * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
        return PlacedDie(face, cup.x_mm + radius * math.cos(way), cup.y_mm + radius * math.sin(way), yaw, twist=twist)
    half = _half(camera) - edge * 0.4
    return PlacedDie(
        face, float(rng.uniform(-half[0], half[0])), float(rng.uniform(-half[1], half[1])), yaw, twist=twist
    )


def _footprint(die: PlacedDie, edge: float) -> Points:
    way = math.radians(die.yaw_deg)
    axes = np.array([[math.cos(way), math.sin(way)], [-math.sin(way), math.cos(way)]]) * edge / 2
    return np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ axes + (die.x_mm, die.y_mm)


def _free(die: PlacedDie, placed: list[PlacedDie], edge: float) -> bool:
    """Whether the die's square meets none that lies already (separating axes)."""
    own = _footprint(die, edge)
    for other in placed:
        away = math.hypot(die.x_mm - other.x_mm, die.y_mm - other.y_mm)
        if away < edge:
            return False
        if away < edge * 1.4143 and _meet(own, _footprint(other, edge)):
            return False
    return True


def _meet(a: Points, b: Points) -> bool:
    for square in (a, b):
        for k in (0, 1):
            axis = square[k + 1] - square[k]
            pa, pb = a @ axis, b @ axis
            if pa.max() <= pb.min() or pb.max() <= pa.min():
                return False
    return True


def _within(die: PlacedDie, cup: Cup | None, edge: float) -> bool:
    if cup is None:
        return True
    corners = _footprint(die, edge) - (cup.x_mm, cup.y_mm)
    return bool(np.hypot(corners[:, 0], corners[:, 1]).max() < cup.radius_mm)


def _disturb(rng: Rng, condition: str, placed: list[PlacedDie], edge: float, die_set: DieSet) -> list[PlacedDie]:
    """Leans, raises or moves some of the dice, as the condition has it."""
    if not placed:
        return placed
    if condition == "cocked":
        for k in range(int(rng.integers(1, 3))):
            index = (k + int(rng.integers(len(placed)))) % len(placed)
            placed[index] = _lean(rng, placed[index], placed)
    elif condition == "blur":
        for index in range(len(placed)):
            if rng.random() < 0.7:
                placed[index] = _move(rng, placed[index])
    elif condition == "stacked":
        base = placed[int(rng.integers(len(placed)))]
        shift = rng.uniform(-0.45, 0.45, 2) * edge
        face = str(rng.choice(list(die_set.faces)))
        top = PlacedDie(
            face, base.x_mm + shift[0], base.y_mm + shift[1], float(rng.uniform(0, 360)), lift_mm=edge + 0.1
        )
        placed[-1 if placed[-1] is not base else 0] = top
    return placed


def _lean(rng: Rng, die: PlacedDie, placed: list[PlacedDie]) -> PlacedDie:
    """A die that leans against a neighbour or a wall: mostly about one of its own lower edges."""
    tilt = float(rng.uniform(7, 30) if rng.random() < 0.6 else rng.uniform(30, 50))
    way = die.yaw_deg + 90 * int(rng.integers(0, 4)) + float(rng.normal(0, 12))
    if rng.random() < 0.3:
        way = float(rng.uniform(0, 360))
    return replace(die, tilt_deg=tilt, tilt_dir_deg=way)


def _move(rng: Rng, die: PlacedDie) -> PlacedDie:
    way, length = rng.uniform(0, 2 * math.pi), rng.uniform(1.5, 14)
    rolling = rng.random() < 0.7
    return replace(
        die,
        blur_mm=(length * math.cos(way), length * math.sin(way)),
        tilt_deg=float(rng.uniform(0, 90)) if rolling else 0.0,
        tilt_dir_deg=float(rng.uniform(0, 360)),
        lift_mm=float(rng.uniform(0, 12)) if rolling else 0.0,
    )


def _light(rng: Rng, condition: str) -> Light:
    tint = 1 + rng.normal(0, 0.05, 3)
    return Light(
        face=float(rng.uniform(0.3, 0.95)), side=float(rng.uniform(0.05, 0.7)), azimuth_deg=float(rng.uniform(0, 360)),
        around=float(rng.choice([0.0, rng.uniform(0, 0.9)])),
        ambient=float(rng.uniform(0.08, 0.45)), slope=float(rng.uniform(0, 0.2)), gleam=float(rng.uniform(0, 0.5)),
        shadow=float(rng.uniform(0, 0.6)), tint=(float(tint[0]), float(tint[1]), float(tint[2])),
    )  # fmt: skip


def _ground(rng: Rng, camera: Camera, above: bool) -> Ground:
    kind = str(rng.choice(list(GROUNDS_ABOVE if above else GROUNDS_BELOW)))
    bright = rng.random() < (0.7 if above else 0.35)
    colour = random_colour(rng, *((80, 235) if bright else (6, 70)), float(rng.uniform(0.2, 1)))
    wall = float(_half(camera)[0] * rng.uniform(0.85, 1.0)) if rng.random() < 0.4 else None
    second = random_colour(rng, 5, 120, float(rng.uniform(0.3, 1)))
    return Ground(kind, colour, second, int(rng.integers(_SEEDS)), wall)


def _lamps(rng: Rng, camera: Camera) -> tuple[Lamp, ...]:
    half = _half(camera) * 1.15
    lamps = []
    for _ in range(int(rng.integers(0, 6))):
        shape = str(rng.choice(["disc", "disc", "panel", "tube"]))
        size = {"disc": rng.uniform(3, 14), "panel": rng.uniform(5, 22), "tube": rng.uniform(15, 50)}[shape]
        warm = np.clip(np.array([0.75, 0.9, 1.0]) + rng.normal(0, 0.12, 3), 0.2, 1.2) * rng.uniform(70, 300)
        lamps.append(
            Lamp(
                float(rng.uniform(-half[0], half[0])),
                float(rng.uniform(-half[1], half[1])),
                float(size),
                (float(warm[0]), float(warm[1]), float(warm[2])),
                shape,
                float(rng.uniform(0, 180)),
                float(rng.choice([rng.uniform(0.3, 1), rng.uniform(1, 6)])),
            )
        )
    return tuple(lamps)


def _glare(rng: Rng, camera: Camera) -> tuple[Lamp, ...]:
    """Lights in the glass: panels, tubes, rows of LEDs."""
    lamps = [replace(lamp, soft_mm=float(rng.uniform(0.3, 1.5))) for lamp in _lamps(rng, camera)]
    half = _half(camera)
    for _ in range(int(rng.integers(1, 4))):
        x, y, way = rng.uniform(-half[0], half[0]), rng.uniform(-half[1], half[1]), rng.uniform(0, math.pi)
        bright = float(rng.uniform(60, 260))
        for k in range(int(rng.integers(4, 22))):
            lamps.append(
                Lamp(
                    float(x + 3 * k * math.cos(way)),
                    float(y + 3 * k * math.sin(way)),
                    1.0,
                    (bright,) * 3,
                    "disc",
                    0.0,
                    0.6,
                )
            )
    return tuple(lamps)


def _dirt(rng: Rng, camera: Camera, condition: str) -> tuple[Stain, ...]:
    heavy = condition == "dirty"
    half = _half(camera)
    board = [_board(rng)] if rng.random() < 0.5 else []
    if not heavy and rng.random() < 0.5:
        return tuple(board)
    count = int(rng.integers(4, 16)) if heavy else int(rng.integers(0, 5))
    return (*board, *_stains(rng, half, count, heavy))


def _board(rng: Rng) -> Stain:
    """The camera's own board, mirrored in the glass below the lens."""
    x, y = rng.normal(0, 8, 2)
    return Stain("board", float(x), float(y), float(rng.uniform(7, 16)), float(rng.uniform(0.05, 0.4)), 0.0, 1)


def _stains(rng: Rng, half: Points, count: int, heavy: bool) -> tuple[Stain, ...]:
    return tuple(
        Stain(
            str(rng.choice(list(STAINS))),
            float(rng.uniform(-half[0], half[0])),
            float(rng.uniform(-half[1], half[1])),
            float(rng.uniform(5, 28)),
            float(rng.uniform(0.1, 0.9 if heavy else 0.4)),
            float(rng.uniform(0, 360)),
            int(rng.integers(_SEEDS)),
        )
        for _ in range(count)
    )


_SIZES = {"coin": (15, 30), "cap": (24, 32), "ring": (14, 26), "mat": (20, 95), "card": (25, 90), "finger": (14, 30)}


def _foreign(rng: Rng, camera: Camera) -> tuple[Thing, ...]:
    half = _half(camera)
    things = []
    for _ in range(int(rng.integers(1, 5))):
        kind = str(rng.choice(list(THINGS)))
        skin = (110.0, 140.0, 200.0) if kind == "finger" else random_colour(rng, 30, 230, float(rng.uniform(0, 0.9)))
        things.append(
            Thing(
                kind,
                float(rng.uniform(-half[0], half[0])),
                float(rng.uniform(-half[1], half[1])),
                float(rng.uniform(*_SIZES[kind])),
                float(rng.uniform(0, 360)),
                skin,
                int(rng.integers(_SEEDS)),
            )
        )
    return tuple(things)


def _clear_of_things(scene: Scene, die_set: DieSet) -> Scene:
    """Takes away dice that would lie on a foreign thing."""
    reach = die_set.body.edge_mm * 0.72
    free = tuple(
        die
        for die in scene.dice
        if all(math.hypot(die.x_mm - t.x_mm, die.y_mm - t.y_mm) > reach + t.size_mm * 0.72 for t in scene.foreign)
    )
    return replace(scene, dice=free)


_EXPOSURE: dict[str, tuple[float, float]] = {"dim": (0.05, 0.3), "bright": (1.6, 3.5)}


def _lens(rng: Rng, condition: str) -> Lens:
    low, high = _EXPOSURE.get(condition, (0.5, 1.4))
    grainy = condition == "dim" or rng.random() < 0.15
    white = 1 + rng.normal(0, 0.1, 3)
    return Lens(
        exposure=float(rng.uniform(low, high)), white=(float(white[0]), 1.0, float(white[2])),
        blur_px=float(rng.uniform(0.4, 1.8)), noise=float(rng.uniform(0.5, 10 if grainy else 5)),
        veil=float(rng.exponential(0.012)), vignette=float(rng.uniform(0, 0.4)), contrast=float(rng.uniform(-0.2, 0.5)),
        sharpen=float(rng.choice([0.0, rng.uniform(0, 0.8)])), jpeg=int(rng.integers(60, 97)),
    )  # fmt: skip
