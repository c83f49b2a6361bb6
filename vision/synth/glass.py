"""What lies between the dice and the lens: dirt on the glass and lights mirrored in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.around import add_lamp
from vision.synth.cube import Frame
from vision.synth.optics import Camera
from vision.synth.scene import Lamp, Stain

Veil = NDArray[np.float32]


def draw_glass(frame: Frame, dirt: Iterable[Stain], glare: Iterable[Lamp], camera: Camera, brightness: float) -> None:
    """Adds stains and mirrored lights to the frame, in place; both are drawn at half size, being soft."""
    half = camera.scaled(0.5)
    veil = np.zeros((half.height, half.width, 3), np.float32)
    for stain in dirt:
        _DIRT[stain.kind](veil, stain, half, np.random.default_rng(stain.seed))
    veil *= 60.0 * brightness
    for lamp in glare:
        add_lamp(veil, lamp, half)
    if not veil.any():
        return
    cv2.add(frame, _enlarged(veil, camera), frame)
    if veil.min() < 0:
        cv2.subtract(frame, _enlarged(-veil, camera), frame)


_KEPT = 2.5  # pixels of blur that are left to a picture made small before it is blurred


def _soft(layer: Veil, sigma: float) -> Veil:
    """The layer (height, width) blurred; a wide blur is made on a smaller picture, which nobody can tell."""
    step = int(sigma / _KEPT)
    if step < 2:
        return np.asarray(cv2.GaussianBlur(layer, (0, 0), sigma), np.float32)
    height, width = layer.shape
    small = cv2.resize(layer, (max(width // step, 1), max(height // step, 1)), interpolation=cv2.INTER_AREA)
    small = np.asarray(cv2.GaussianBlur(small, (0, 0), sigma * small.shape[1] / width), np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _enlarged(veil: Veil, camera: Camera) -> Frame:
    levels = np.clip(veil, 0, 255).astype(np.uint8)
    full = cv2.resize(levels, (camera.width, camera.height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full, np.uint8)


def _centre(stain: Stain, camera: Camera) -> tuple[int, int]:
    point = camera.project(np.array([[stain.x_mm, stain.y_mm, 0.0]]))[0]
    return round(float(point[0])), round(float(point[1]))


def _print(veil: Veil, stain: Stain, camera: Camera, rng: np.random.Generator) -> None:
    """A finger's ridges."""
    at, size = _centre(stain, camera), stain.size_mm * camera.px_per_mm / 2
    for k in range(1, 8):
        axes = (max(1, round(size * k / 8)), max(1, round(size * k / 8 * 1.3)))
        cv2.ellipse(veil, at, axes, stain.turn_deg, 0, rng.uniform(200, 360), [stain.depth] * 3, 1, cv2.LINE_AA)


def _smear(veil: Veil, stain: Stain, camera: Camera, rng: np.random.Generator) -> None:
    """Wiped streaks that lie next to each other."""
    at, size = np.array(_centre(stain, camera)), stain.size_mm * camera.px_per_mm
    layer = np.zeros(veil.shape[:2], np.float32)
    way = math.radians(stain.turn_deg)
    along, across = np.array([math.cos(way), math.sin(way)]), np.array([-math.sin(way), math.cos(way)])
    for _ in range(14):
        middle = at + across * rng.normal(0, size / 3) + along * rng.normal(0, size / 3)
        ends = np.round([middle - along * size, middle + along * size]).astype(int)
        cv2.line(layer, ends[0].tolist(), ends[1].tolist(), stain.depth * rng.uniform(0.2, 1), max(1, round(size / 14)))
    veil += _soft(layer, 1.5 + size / 20)[:, :, None]


def _drop(veil: Veil, stain: Stain, camera: Camera, rng: np.random.Generator) -> None:
    """A drop: dark rim on one side, bright on the other, veiled within."""
    at, radius = _centre(stain, camera), max(2, round(stain.size_mm * camera.px_per_mm / 4))
    start = rng.uniform(0, 360)
    cv2.circle(veil, at, radius, [stain.depth * 0.5] * 3, -1, cv2.LINE_AA)
    cv2.ellipse(veil, at, (radius, radius), start, 0, 160, [stain.depth * 2.0] * 3, max(1, radius // 6), cv2.LINE_AA)
    cv2.ellipse(veil, at, (radius, radius), start, 180, 330, [-stain.depth] * 3, max(1, radius // 6), cv2.LINE_AA)


def _wet_ring(veil: Veil, stain: Stain, camera: Camera, rng: np.random.Generator) -> None:
    """The mark a glass leaves."""
    at, radius = _centre(stain, camera), max(2, round(stain.size_mm * camera.px_per_mm))
    width = max(1, round(camera.px_per_mm * rng.uniform(0.5, 3)))
    cv2.ellipse(
        veil, at, (radius, radius), stain.turn_deg, 0, rng.uniform(150, 360), [stain.depth] * 3, width, cv2.LINE_AA
    )


def _scratch(veil: Veil, stain: Stain, camera: Camera, rng: np.random.Generator) -> None:
    at = np.array(_centre(stain, camera))
    for _ in range(5):
        way, length = rng.uniform(0, math.pi), stain.size_mm * camera.px_per_mm * rng.uniform(0.5, 2)
        start = at + rng.normal(0, length / 2, 2)
        end = start + length * np.array([math.cos(way), math.sin(way)])
        points = np.round([start, end]).astype(int).tolist()
        cv2.line(veil, points[0], points[1], [stain.depth * rng.uniform(0.3, 1.5)] * 3, 1, cv2.LINE_AA)


def _dust(veil: Veil, stain: Stain, camera: Camera, rng: np.random.Generator) -> None:
    at, size = _centre(stain, camera), stain.size_mm * camera.px_per_mm
    for x, y in np.round(at + rng.normal(0, size, (40, 2))).astype(int).tolist():
        cv2.circle(veil, (x, y), 1 if rng.random() < 0.8 else 2, [stain.depth * rng.uniform(0.3, 2)] * 3, -1)


def _board(veil: Veil, stain: Stain, camera: Camera, rng: np.random.Generator) -> None:
    """A camera board that the glass mirrors: a soft square, greenish, darker or lighter than what is behind."""
    at, half = _centre(stain, camera), max(1, round(stain.size_mm * camera.px_per_mm / 2))
    reach = half + round(2 * camera.px_per_mm) + 3
    layer = np.zeros((2 * reach + 1, 2 * reach + 1, 3), np.float32)
    tone = np.array([0.4, 1.0, 0.5]) * stain.depth
    cv2.rectangle(layer, (reach - half, reach - half), (reach + half, reach + half), tone.tolist(), -1)
    cv2.circle(layer, (reach, reach), max(1, half // 3), (tone * -1.5).tolist(), -1)
    layer = np.asarray(cv2.GaussianBlur(layer, (0, 0), 1 + 0.5 * camera.px_per_mm), np.float32)
    x0, y0 = max(at[0] - reach, 0), max(at[1] - reach, 0)
    spot = veil[y0 : max(at[1] + reach + 1, 0), x0 : max(at[0] + reach + 1, 0)]
    left, top = x0 - at[0] + reach, y0 - at[1] + reach
    spot += layer[top : top + spot.shape[0], left : left + spot.shape[1]]


def _haze(veil: Veil, stain: Stain, camera: Camera, rng: np.random.Generator) -> None:
    """Dried liquid: a soft patch."""
    layer = np.zeros(veil.shape[:2], np.float32)
    size = stain.size_mm * camera.px_per_mm
    axes = (max(1, round(size)), max(1, round(size * rng.uniform(0.4, 1))))
    cv2.ellipse(layer, _centre(stain, camera), axes, stain.turn_deg, 0, 360, stain.depth, -1)
    veil += _soft(layer, 1 + size / 5)[:, :, None]


_DIRT: dict[str, Callable[[Veil, Stain, Camera, np.random.Generator], None]] = {
    "print": _print, "smear": _smear, "drop": _drop, "ring": _wet_ring, "scratch": _scratch,
    "dust": _dust, "haze": _haze, "board": _board,
}  # fmt: skip

STAINS = tuple(kind for kind in _DIRT if kind != "board")
