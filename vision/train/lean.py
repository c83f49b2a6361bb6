"""Trains the network that tells a die that lies flat from one that leans, and from what is no die.

    python -m vision.train.lean draw FOLDER --scenes 6000 --seed 1     renders squares with their labels
    python -m vision.train.lean fit FOLDER... --out vision/weights/lean.onnx

Everything is drawn by `vision.synth` with random prints, bodies, lights and grounds; no photograph is used.
"""

import argparse
import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from vision.lean import BEARING, PIXELS, REACH, canonical
from vision.place import Frame, Place, cut
from vision.synth import Draw, random_scene, render, truth
from vision.synth.cube import faces_seen
from vision.synth.optics import Points
from vision.train.net import _conv, _Graph, write

FLAT, LEANING, NONE = 0, 1, 2
CONDITIONS = (
    *("cocked",) * 8,
    *("blur",) * 5,
    *("open", "cup", "cup", "dirty", "many", "dim", "dim", "bright", "foreign", "glare", "stacked"),
)
LEAST_LEAN_DEG = 9.0
"""Below this neither class is taught: the face is as good as flat."""
MOST_LEAN_DEG = 55.0
"""Above this a face is no square that the finder could propose; the next face of the die is nearer to one."""
Rng = np.random.Generator


def more_leaning(rng: Rng, draw: Draw) -> Draw:
    """Return the scene with half of its flat dice leaning, for squares of both kinds side by side."""
    dice = list(draw.scene.dice)
    for index, die in enumerate(dice):
        if die.state == "flat" and rng.random() < 0.5:
            way = die.yaw_deg + 90 * int(rng.integers(0, 4)) + float(rng.normal(0, 10))
            if rng.random() < 0.25:
                way = float(rng.uniform(0, 360))
            tilt = float(rng.uniform(9, 80)) if rng.random() < 0.75 else float(rng.uniform(9, 20))
            dice[index] = replace(die, tilt_deg=tilt, tilt_dir_deg=way)
    return replace(draw, scene=replace(draw.scene, dice=tuple(dice)))


def place_of(quad: Points, size: float | None, rng: Rng) -> Place:
    """Return where the reader would lay a rigid square of the frame's size over the face, with its errors."""
    across = quad[1] - quad[0] + quad[2] - quad[3]
    down = quad[2] - quad[1] + quad[3] - quad[0]
    side = math.sqrt(abs(float(across[0] * down[1] - across[1] * down[0]))) / 2
    if size is not None:
        side = min(max(side, size * 0.96), size * 1.04)
    centre = quad.mean(0) + rng.normal(0, 0.02, 2) * side
    yaw = math.atan2(across[1] + -down[0], across[0] + down[1]) + float(rng.normal(0, 0.03))
    return Place(float(centre[0]), float(centre[1]), side * float(rng.uniform(0.97, 1.03)), yaw)


def samples(draw: Draw, frame: Frame, rng: Rng) -> list[tuple[Place, int, float]]:
    """Return places with their class and tilt: each face that is seen, and as many places where none lies.

    Dice that lean or tumble show side faces too, some of them almost square-on: those are no flat dice either.
    """
    pairs = zip(truth(draw.scene, draw.camera, draw.die_set), draw.scene.dice, strict=True)
    seen = [(t, die) for t, die in pairs if t.outside < 0.1 and (t.partly_hidden < 0.25 or t.tilt_deg > 30)]
    dice = [told for told, _ in seen]
    flats = [d.side_px for d in dice if d.state == "flat"]
    size = float(np.median(flats)) if flats else None
    found: list[tuple[Place, int, float]] = []
    for told, die in seen:
        if told.state == "flat":
            found.append((place_of(told.quad_px, size, rng), FLAT, 0.0))
        elif told.state in ("cocked", "moving"):
            faces = faces_seen(die, draw.camera, draw.die_set)
            leaning = [(quad, tilt) for quad, tilt in faces if LEAST_LEAN_DEG < tilt < MOST_LEAN_DEG]
            found += [(place_of(quad, size, rng), LEANING, tilt) for quad, tilt in leaning]
    centres = np.array([d.quad_px.mean(0) for d in truth(draw.scene, draw.camera, draw.die_set)] or [[-999.0, -999.0]])
    for _ in range(2):
        side = (size or 110.0) * float(rng.uniform(0.92, 1.08))
        if len(dice) and rng.random() < 0.7:
            at = dice[int(rng.integers(len(dice)))].quad_px.mean(0) + rng.uniform(-1.3, 1.3, 2) * side
        else:
            at = rng.uniform((60, 60), (frame.shape[1] - 60, frame.shape[0] - 60))
        if np.hypot(*(centres - at).T).min() > 0.33 * side:
            found.append((Place(float(at[0]), float(at[1]), side, float(rng.uniform(0, 6.3))), NONE, 0.0))
    return found


def make(folder: Path, scenes: int, seed: int) -> None:
    """Write chunks of squares: BGR patches, bearings, classes and tilts."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    held: list[tuple[npt.NDArray[np.uint8], tuple[float, float], int, float]] = []
    for number in range(1, scenes + 1):
        condition = str(rng.choice(CONDITIONS))
        draw = random_scene(rng, condition)
        draw = more_leaning(rng, draw) if rng.random() < 0.7 else draw
        frame = render(draw.scene, draw.camera, draw.die_set, rng)
        half = np.asarray(cv2.resize(frame, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        for place, kind, tilt in samples(draw, frame, rng):
            turned, bearing = canonical(place.scaled(0.5), half.shape[1], half.shape[0])
            held.append((cut(half, turned, PIXELS, REACH), bearing, kind, tilt))
        if number % 200 == 0 or number == scenes:
            np.savez_compressed(
                folder / f"{seed}_{number}.npz",
                patches=np.stack([h[0] for h in held]),
                bearings=np.array([h[1] for h in held], np.float32),
                kinds=np.array([h[2] for h in held], np.int64),
                tilts=np.array([h[3] for h in held], np.float32),
            )
            print(number, len(held), np.bincount([h[2] for h in held], minlength=3), flush=True)  # noqa: T201
            held = []


class LeanNet(nn.Module):  # type: ignore[misc]
    """Classes (flat, leaning, none) of a square with its surroundings."""

    def __init__(self) -> None:
        """Lay out the layers."""
        super().__init__()
        widths = (
            (3 + BEARING, 16, 5, 2),
            (16, 24, 3, 1),
            (24, 32, 3, 2),
            (32, 48, 3, 1),
            (48, 64, 3, 2),
            (64, 64, 3, 1),
        )
        self.body = nn.Sequential(*(_conv(*width) for width in widths))
        self.gather = nn.Sequential(nn.Conv2d(64, 48, PIXELS // 8), nn.ReLU())
        self.drop = nn.Dropout(0.2)
        self.head = nn.Conv2d(48, 3, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return logits (n, 3)."""
        return self.head(self.drop(self.gather(self.body(x)))).flatten(1)


class Squares:
    """All drawn squares, in memory; every batch is changed at random."""

    def __init__(self, folders: list[Path]) -> None:
        """Read all chunks of the folders."""
        held = [np.load(file) for folder in folders for file in sorted(folder.glob("*.npz"))]
        self.patches = np.concatenate([h["patches"] for h in held])
        self.bearings = np.concatenate([h["bearings"] for h in held])
        self.kinds = np.concatenate([h["kinds"] for h in held])
        self.tilts = np.concatenate([h["tilts"] for h in held])

    def batch(self, rows: npt.NDArray[np.int64], rng: Rng | None) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the inputs and classes of these squares; without `rng` as they are."""
        patches, bearings = self.patches[rows].astype(np.float32) / np.float32(255), self.bearings[rows]
        if rng is not None:
            patches, bearings = changed(patches, bearings, rng)
        levels = (2 * np.sqrt(patches) - 1).transpose(0, 3, 1, 2)
        where = np.broadcast_to(bearings[:, :, None, None], (len(rows), BEARING, PIXELS, PIXELS))
        return torch.from_numpy(np.concatenate([levels, where], axis=1)), torch.from_numpy(self.kinds[rows])


Levels = npt.NDArray[np.float32]


def changed(patches: Levels, bearings: Levels, rng: Rng) -> tuple[Levels, Levels]:
    """Return squares (n, y, x, 3), 0 to 1, some mirrored, in other colours, other light
    and with another noise."""
    count = len(patches)
    mirrored = rng.random(count) < 0.5
    patches = np.where(mirrored[:, None, None, None], patches[:, ::-1], patches)
    sides = np.where(mirrored[:, None], np.array([1, -1], np.float32), np.float32(1))
    orders = np.stack([rng.permutation(3) if rng.random() < 0.5 else np.arange(3) for _ in range(count)])
    patches = np.take_along_axis(patches, orders[:, None, None, :], axis=3)
    dull = _each(rng.choice([0.0, 0.5, 1.0], count, p=[0.6, 0.2, 0.2]))
    patches = patches + dull * (patches.mean(axis=3, keepdims=True) - patches)
    patches = patches ** _each(rng.uniform(0.7, 1.4, count)) * _each(rng.uniform(0.6, 1.4, count))
    noise = rng.standard_normal(patches.shape, np.float32) * _each(rng.uniform(0.002, 0.03, count))
    light = patches + _each(rng.uniform(-0.05, 0.05, count)) + noise
    return np.clip(light, 0, 1), bearings * sides * rng.uniform(0.92, 1.08, (count, 1)).astype(np.float32)


def _each(values: npt.NDArray[np.float64]) -> Levels:
    return values.astype(np.float32)[:, None, None, None]


def fit(folders: list[Path], out: Path, epochs: int, seed: int = 0) -> None:
    """Train on nine squares of ten, print the errors on the tenth, write the weights."""
    torch.manual_seed(seed)
    rng, squares, net = np.random.default_rng(seed), Squares(folders), LeanNet()
    count = len(squares.kinds)
    last = np.arange(int(count * 0.9), count)
    steps = int(count * 0.9) // 128
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps * epochs)
    for epoch in range(epochs):
        net.train()
        order, total = rng.permutation(int(count * 0.9)), 0.0
        for step in range(steps):
            inputs, kinds = squares.batch(order[step * 128 : step * 128 + 128], rng)
            loss = nn.functional.cross_entropy(net(inputs), kinds, label_smoothing=0.02)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        print(epoch, round(total / steps, 4), report(net, squares, last), flush=True)  # noqa: T201
        export(net, out)


def report(net: LeanNet, squares: Squares, rows: npt.NDArray[np.int64]) -> str:
    """Return how many of each class are told right, and of leaning dice by tilt."""
    net.eval()
    with torch.no_grad():
        chances = torch.cat([net(squares.batch(part, None)[0]).softmax(1) for part in np.array_split(rows, 20)]).numpy()
    kinds, tilts = squares.kinds[rows], squares.tilts[rows]
    told = chances.argmax(1)
    parts = [f"{name} {np.mean(told[kinds == k] == k):.3f}" for k, name in enumerate(("flat", "leaning", "none"))]
    flat = np.sort(chances[kinds == FLAT, LEANING])
    bar = float(flat[int(len(flat) * 0.995)])
    for low, high in ((9, 14), (14, 20), (20, 30), (30, 50)):
        these = (kinds == LEANING) & (tilts >= low) & (tilts < high)
        parts.append(f"{low}-{high}deg {np.mean(chances[these, LEANING] > bar):.2f}")
    return " ".join(parts) + f" (at .5 % of flat, {bar:.2f})"


def export(net: LeanNet, path: Path) -> None:
    """Write the network for `cv2.dnn`."""
    net.eval()
    graph = _Graph()
    x = graph.follow("picture", net.body)
    x = graph.add("Relu", [graph.convolve(x, net.gather[0])])
    x = graph.convolve(x, net.head)
    write(graph, graph.add("Softmax", [x], axis=1), path, [1, 3 + BEARING, PIXELS, PIXELS], [1, 3, 1, 1])


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("folder", type=Path)
    drawing.add_argument("--scenes", type=int, default=6000)
    drawing.add_argument("--seed", type=int, default=1)
    fitting = commands.add_parser("fit")
    fitting.add_argument("folders", type=Path, nargs="+")
    fitting.add_argument("--out", type=Path, default=Path("vision/weights/lean.onnx"))
    fitting.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()
    if args.command == "draw":
        make(args.folder, args.scenes, args.seed)
    else:
        fit(args.folders, args.out, args.epochs)


if __name__ == "__main__":
    main()
