"""What the network should say of a window, and how wrong it is to say something else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from vision.train.scenes import CELL, COLUMNS, STATES, Window

UNIT_PX = 56.0
"""The face edge, in the network's pixels, whose size channel is 0."""

CROP = 288
"""Edge of what is shown to the network in training, px: dice fill more of it than of a whole window."""

_LEAST_PX, _MOST_PX = 22.0, 96.0  # faces smaller or larger are no faces at this scale
_SURE_PX = (28.0, 82.0)  # between these and those nothing is judged
_SURE_TILT = 8.0  # degrees: between FLAT_DEG and this nobody can tell, so neither heat is judged
_SURE_BLUR = (0.5, 1.5)  # mm of motion: below is at rest, above is moving, between is not judged
_HIDDEN = 0.2  # dice hidden or outside by more are not judged

Field = NDArray[np.float32]


@dataclass(frozen=True)
class Targets:
    """Fields over the cells of a batch: heats (n, 2), judged (n, 2), values (n, 5), where values count (n, 1)."""

    heats: torch.Tensor
    judged: torch.Tensor
    values: torch.Tensor
    counts: torch.Tensor
    classes: torch.Tensor


def _column(dice: Field, name: str) -> Field:
    return np.asarray(dice[:, COLUMNS.index(name)], np.float32)


def fields(window: Window) -> tuple[Field, Field, Field, Field]:
    """Heats (2, h, w), judged (2, h, w), values (5, h, w) and counts (1, h, w) of one window."""
    size = window.classes.shape
    heats, judged = np.zeros((2, *size), np.float32), np.ones((2, *size), np.float32)
    values, counts = np.zeros((5, *size), np.float32), np.zeros((1, *size), np.float32)
    ys, xs = np.mgrid[: size[0], : size[1]].astype(np.float32)
    for row in window.dice:
        die = dict(zip(COLUMNS, row.tolist(), strict=True))
        if not _LEAST_PX * (0.5 if die["state"] else 1) < die["side"] < _MOST_PX:
            continue
        channel, sure = _kind(die)
        x, y = (die["x"], die["y"]) if channel == 0 else (die["body_x"], die["body_y"])
        dx, dy = (x + 0.5) / CELL - 0.5 - xs, (y + 0.5) / CELL - 0.5 - ys
        away = dx * dx + dy * dy
        reach = die["side"] / CELL
        if not sure:
            judged[:, away < (0.5 * reach) ** 2] = 0
            continue
        spread = float(np.clip(0.13 * reach, 0.8, 1.2))
        heats[channel] = np.maximum(heats[channel], np.exp(-away / (2 * spread**2)))
        if -0.5 < x / CELL < size[1] and -0.5 < y / CELL < size[0]:
            heats[channel, _cell(y, size[0]), _cell(x, size[1])] = 1.0
        if channel == 0:
            _fill(values, counts, (dx, dy, away), die)
    return heats, judged, values, counts


def _cell(place: float, count: int) -> int:
    return int(np.clip(np.floor((place + 0.5) / CELL), 0, count - 1))


def _kind(die: dict[str, float]) -> tuple[int, bool]:
    """Which heat the die belongs to, and whether that can be judged at all."""
    seen = max(die["hidden"], die["outside"]) <= _HIDDEN
    state = STATES[int(die["state"])]
    if die["side"] > _SURE_PX[1]:
        return 0, False
    if state == "flat":
        return 0, seen and die["side"] > _SURE_PX[0] and die["blur"] <= _SURE_BLUR[0]
    if state == "cocked":
        return 1, die["tilt"] >= _SURE_TILT and die["outside"] < 0.5
    if state == "moving":
        return 1, die["outside"] < 0.5 and (die["blur"] > _SURE_BLUR[1] or die["tilt"] > _SURE_TILT)
    return 1, die["hidden"] < 0.6 and die["outside"] < 0.5


def _fill(values: Field, counts: Field, place: tuple[Field, Field, Field], die: dict[str, float]) -> None:
    near = place[2] < 1.5**2
    turn = 4 * np.radians(die["yaw"])
    rest = (2 * np.log(die["side"] / UNIT_PX), np.cos(turn), np.sin(turn))
    values[0][near], values[1][near] = place[0][near], place[1][near]
    for channel, value in zip((2, 3, 4), rest, strict=True):
        values[channel][near] = value
    counts[0][near] = 1


def cropped(window: Window, rng: np.random.Generator, size: int = CROP) -> Window:
    """A part of the window, `size` px wide, with one of its dice in it where it has any."""
    most = window.classes.shape[0] - size // CELL
    left, top = (int(v) for v in rng.integers(0, most + 1, 2))
    if len(window.dice) and rng.random() < 0.9:
        x, y = window.dice[int(rng.integers(len(window.dice)))][:2]
        left, top = (int(np.clip((v - rng.uniform(20, size - 20)) // CELL, 0, most)) for v in (x, y))
    dice = window.dice.copy()
    for name, origin in (("x", left), ("body_x", left), ("y", top), ("body_y", top)):
        dice[:, COLUMNS.index(name)] -= origin * CELL
    inside = (dice[:, :2] > -60).all(1) & (dice[:, :2] < size + 60).all(1)
    cells = size // CELL
    image = window.image[top * CELL : top * CELL + size, left * CELL : left * CELL + size]
    return Window(image, window.classes[top : top + cells, left : left + cells], dice[inside])


def flipped(window: Window, rng: np.random.Generator) -> Window:
    """The window mirrored or turned at random, its colours mixed and its brightness changed."""
    image, classes, dice = window.image, window.classes, window.dice.copy()
    far = image.shape[0] - 1
    x, y, yaw, bx, by = (COLUMNS.index(n) for n in ("x", "y", "yaw", "body_x", "body_y"))
    for axis, at in ((1, (x, bx)), (0, (y, by))):
        if rng.random() < 0.5:
            image, classes = np.flip(image, axis), np.flip(classes, axis)
            dice[:, at] = far - dice[:, at]
            dice[:, yaw] *= -1
    if rng.random() < 0.5:
        image, classes = image.transpose(1, 0, 2), classes.T
        dice[:, [x, y, bx, by]] = dice[:, [y, x, by, bx]]
        dice[:, yaw] = 90 - dice[:, yaw]
    if rng.random() < 0.5:
        image = image[:, :, rng.permutation(3)]
    return Window(image, classes, dice)


def picture(image: NDArray[np.uint8], gain: float = 1.0) -> Field:
    """The network's input (3, h, w): twice the square root of the brightness, less one."""
    table = 2 * np.sqrt(np.clip(np.arange(256) * gain, 0, 255) / 255) - 1
    return np.asarray(table.astype(np.float32)[image].transpose(2, 0, 1))


def batch(windows: list[Window], rng: np.random.Generator) -> tuple[torch.Tensor, Targets]:
    """Pictures and targets of some windows, changed at random."""
    changed = [flipped(cropped(w, rng), rng) for w in windows]
    gains = np.exp(rng.normal(0, 0.25, len(changed)))
    pictures = np.stack([picture(w.image, g) for w, g in zip(changed, gains, strict=True)])
    parts = [np.stack(p) for p in zip(*(fields(w) for w in changed), strict=True)]
    classes = np.stack([w.classes for w in changed]).astype(np.int64)
    tensors = [torch.from_numpy(np.ascontiguousarray(p)) for p in (*parts, classes)]
    return torch.from_numpy(pictures), Targets(tensors[0], tensors[1], tensors[2], tensors[3], tensors[4])


_CLASS_WEIGHT = torch.tensor([0.5, 1.0, 1.5, 2.0])


def loss(out: torch.Tensor, want: Targets) -> torch.Tensor:
    """Focal loss of the heats, absolute error of the values near the middles, cross-entropy of the classes."""
    heat = _focal(out[:, :2], want)
    apart = (out[:, 2:7] - want.values).abs() * want.counts
    values = apart.sum() / (want.counts.sum() * 5 + 1)
    classes = functional.cross_entropy(out[:, 7:], want.classes, weight=_CLASS_WEIGHT)
    return heat + 2.0 * values + 0.7 * classes


def _focal(logits: torch.Tensor, want: Targets) -> torch.Tensor:
    """As in CenterNet (Zhou and others, 2019): certain cells count little, cells near a middle count less."""
    p = torch.sigmoid(logits).clamp(1e-5, 1 - 1e-5)
    hit = (want.heats > 0.999).float() * want.judged
    miss = (1 - want.heats) ** 4 * want.judged * (1 - hit)
    each = hit * (1 - p) ** 2 * torch.log(p) + miss * p**2 * torch.log(1 - p)
    sums, counts = each.sum((0, 2, 3)), hit.sum((0, 2, 3)) + 1
    return -(sums / counts).sum()
