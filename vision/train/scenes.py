"""Renders windows with their labels into shards on the disk, for the trainer to draw from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth import CONDITIONS, Camera, DieSet, DieTruth, Draw, area_map, random_scene, random_set, render, truth
from vision.synth.chance import random_camera

WINDOW = 432
"""Edge of a training window in the network's pixels: as tall as its input."""

SHARD = 128
"""Windows in a shard."""

CELL = 8
"""Pixels of the network's input to a cell of its output."""

STATES = ("flat", "cocked", "moving", "stacked")

# Conditions that taught the least in a first round are drawn less, those that failed most are drawn more.
_WEIGHTS = {"cocked": 3.0, "blur": 1.2, "glare": 1.5, "bright": 2.0, "dim": 1.3, "many": 1.3, "foreign": 1.3}

COLUMNS = ("x", "y", "side", "yaw", "state", "hidden", "outside", "tilt", "blur", "body_x", "body_y")


@dataclass(frozen=True)
class Window:
    """A picture (432, 432, 3), the class of each cell (54, 54) and a row of `COLUMNS` for each die in it."""

    image: NDArray[np.uint8]
    classes: NDArray[np.uint8]
    dice: NDArray[np.float32]


def draw_window(rng: np.random.Generator, above: float = 0.2) -> Window:
    """A random window of a random frame, its face edges mostly 30 to 78 px."""
    from_above = bool(rng.random() < above)
    die_set = random_set(rng)
    weights = np.array([_WEIGHTS.get(c, 1.0) for c in CONDITIONS])
    condition = str(rng.choice(CONDITIONS, p=weights / weights.sum()))
    camera = random_camera(rng, die_set.body.edge_mm, from_above)
    drawn = random_scene(rng, condition, die_set, camera, from_above)
    fine = rng.random() < 0.2
    face = _face_px(rng)
    scale = face / (camera.px_per_mm * die_set.body.edge_mm)
    small = camera.scaled(scale)
    window = small.window(*_corner(rng, drawn, small), WINDOW, WINDOW)
    image = _render(replace(drawn, camera=window), die_set, rng, 2 if fine else 1)
    return _label(image, replace(drawn, camera=window), die_set)


def _face_px(rng: np.random.Generator) -> float:
    """The face in network px; one in eight is far too large, so that pips and prints are not taken for dice."""
    if rng.random() < 0.12:
        return float(rng.uniform(100, 260))
    return float(rng.uniform(30, 78) if rng.random() < 0.4 else rng.uniform(40, 64))


def _corner(rng: np.random.Generator, drawn: Draw, camera: Camera) -> tuple[int, int]:
    """Where the window begins: with a die somewhere in it, three times out of four."""
    if drawn.scene.dice and rng.random() < 0.75:
        die = drawn.scene.dice[int(rng.integers(len(drawn.scene.dice)))]
        x, y = camera.project(np.array([[die.x_mm, die.y_mm, 0.0]]))[0] - rng.uniform(30, WINDOW - 30, 2)
        return int(x), int(y)
    left = int(rng.integers(-60, max(camera.width - WINDOW + 60, -59)))
    return left, int(rng.integers(-60, max(camera.height - WINDOW + 60, -59)))


def _render(drawn: Draw, die_set: DieSet, rng: np.random.Generator, fine: int) -> NDArray[np.uint8]:
    lens = drawn.scene.lens
    if fine == 1:
        quality = min(97, (lens.jpeg or 95) + 12)
        lens = replace(lens, blur_px=lens.blur_px / 2, noise=lens.noise * 0.65, jpeg=quality)
        return render(replace(drawn.scene, lens=lens), drawn.camera, die_set, rng)
    large = render(drawn.scene, drawn.camera.scaled(fine), die_set, rng)
    return np.asarray(cv2.resize(large, (WINDOW, WINDOW), interpolation=cv2.INTER_AREA), np.uint8)


def _label(image: NDArray[np.uint8], drawn: Draw, die_set: DieSet) -> Window:
    labels = truth(drawn.scene, drawn.camera, die_set)
    areas = area_map(drawn.scene, drawn.camera.scaled(0.5), die_set)
    rows = []
    for index, (die, label) in enumerate(zip(drawn.scene.dice, labels, strict=True)):
        ys, xs = np.nonzero((areas == 2 * index + 1) | (areas == 2 * index + 2))
        if len(xs) < 12:
            continue
        yaw = (label.yaw_deg + 45) % 90 - 45
        body = (xs.mean() * 2 + 0.5, ys.mean() * 2 + 0.5)
        place = (*label.centre_px, label.side_px, yaw, STATES.index(label.state))
        rows.append((*place, label.partly_hidden, label.outside, die.tilt_deg, float(np.hypot(*die.blur_mm)), *body))
    dice = np.array(rows, np.float32).reshape(-1, len(COLUMNS))
    return Window(image, _classes(areas, labels), dice)


def _classes(areas: NDArray[np.int16], labels: list[DieTruth]) -> NDArray[np.uint8]:
    """0 ground, 1 flat bottom face, 2 side of a flat die, 3 a die that does not lie flat; 255 is not judged."""
    kinds = np.zeros(2 * len(labels) + 1, np.uint8)
    for index, label in enumerate(labels):
        kinds[2 * index + 1 : 2 * index + 3] = (1, 2) if label.state == "flat" else (3, 3)
    cells = kinds[areas[2 :: CELL // 2, 2 :: CELL // 2]]
    return np.asarray(cells, np.uint8)


def write_shards(folder: Path, seed: int, keep: int = 40, first: int = 0) -> None:
    """Renders shards for ever, keeping the newest `keep`; each number of shard and seed makes the same windows."""
    folder.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    number = first
    while True:
        rng = np.random.default_rng((seed, number))
        save(folder / f"shard_{number:05d}.npz", [draw_window(rng) for _ in range(SHARD)])
        (folder / f"shard_{number - keep:05d}.npz").unlink(missing_ok=True)
        number += 1


def save(path: Path, windows: list[Window]) -> None:
    """Writes a shard in one move, so that a reader never sees half of it."""
    counts = np.array([len(w.dice) for w in windows])
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        images=np.stack([w.image for w in windows]),
        classes=np.stack([w.classes for w in windows]),
        dice=np.concatenate([w.dice for w in windows]),
        counts=counts,
    )
    part.rename(path)


def load(path: Path) -> list[Window]:
    """The windows of a shard."""
    with np.load(path) as data:
        ends = np.cumsum(data["counts"])
        dice = np.split(data["dice"], ends[:-1])
        return [Window(i, c, d) for i, c, d in zip(data["images"], data["classes"], dice, strict=True)]
