"""What the camera and the file make of the picture: blur, exposure, noise and JPEG."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.synth.cube import Frame
from vision.synth.scene import Lens

_GAMMA = 2.2
_SPREAD = 24.0


def develop(frame: Frame, lens: Lens, rng: np.random.Generator) -> Frame:
    """The frame as the camera gives it, BGR uint8 of the same size."""
    if lens.blur_px > 0.3:
        frame = np.asarray(cv2.GaussianBlur(frame, (0, 0), lens.blur_px), np.uint8)
    if lens.vignette > 0:
        fall = _vignette(frame.shape[1], frame.shape[0], lens.vignette)
        frame = np.asarray(cv2.multiply(frame, fall, scale=1 / 255), np.uint8)
    frame = _curved(frame, _curve(lens))
    if lens.noise > 0:
        frame = _noisy(frame, lens.noise, rng)
    if lens.sharpen > 0:
        soft = cv2.GaussianBlur(frame, (0, 0), 1.2)
        frame = np.asarray(cv2.addWeighted(frame, 1 + lens.sharpen, soft, -lens.sharpen, 0), np.uint8)
    if lens.jpeg is None:
        return frame
    coded = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, lens.jpeg])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _vignette(width: int, height: int, depth: float) -> Frame:
    """What is left of the light towards the corners, 255 for all of it, in three alike channels."""
    parts = np.arange(256, dtype=np.float32) * np.float32(_FARTHEST / 255)
    fall = np.clip(255 * (1 - depth * parts), 0, 255).astype(np.uint8)
    return np.asarray(cv2.merge([cv2.LUT(_away(width, height), fall)] * 3), np.uint8)


_FARTHEST = 1.3  # squared distance from the middle, in half-widths, from which no more light is lost


@lru_cache(maxsize=8)
def _away(width: int, height: int) -> Frame:
    """Squared distance of each pixel from the middle, `_FARTHEST` as 255."""
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * (height / width)
    return np.asarray(np.round(np.clip(x * x + y * y, 0, _FARTHEST) * (255 / _FARTHEST)), np.uint8)


def _curved(frame: Frame, table: Frame) -> Frame:
    """Every channel through its column of the table: one by one, which takes less time than all at once."""
    planes = [cv2.LUT(plane, table[0, :, channel]) for channel, plane in enumerate(cv2.split(frame))]
    return np.asarray(cv2.merge(planes), np.uint8)


def _curve(lens: Lens) -> Frame:
    """A table (1, 256, 3): light times exposure and white balance, veil, a soft shoulder, contrast."""
    linear = (np.arange(256, dtype=np.float64) / 255) ** _GAMMA
    table = np.empty((1, 256, 3), np.uint8)
    for channel in range(3):
        light = linear * lens.exposure * lens.white[channel] + lens.veil
        light = np.where(light > 0.8, 0.8 + 0.2 * np.tanh((light - 0.8) / 0.2), light)
        value = np.clip(light, 0, 1) ** (1 / _GAMMA)
        value = value + lens.contrast * (value - 0.5) * value * (1 - value) * 4
        table[0, :, channel] = np.clip(255 * value, 0, 255)
    return table


@lru_cache(maxsize=1)
def _grain() -> Frame:
    """A tile of sensor noise around 128, spread `_SPREAD`, a little alike between neighbours as from a real sensor."""
    rng = np.random.default_rng(7)
    tile = cv2.GaussianBlur(rng.normal(0, 1, (1000, 1700, 3)).astype(np.float32), (0, 0), 0.6)
    return np.asarray(np.clip(128.5 + tile / tile.std() * _SPREAD, 0, 255), np.uint8)


def _noisy(frame: Frame, sigma: float, rng: np.random.Generator) -> Frame:
    tile = _grain()
    height, width = frame.shape[:2]
    if height > tile.shape[0] or width > tile.shape[1]:
        tile = np.tile(tile, (height // tile.shape[0] + 1, width // tile.shape[1] + 1, 1))
    y, x = int(rng.integers(0, tile.shape[0] - height + 1)), int(rng.integers(0, tile.shape[1] - width + 1))
    cut = tile[y : y + height, x : x + width]
    return np.asarray(cv2.addWeighted(frame, 1.0, cut, sigma / _SPREAD, -128 * sigma / _SPREAD), np.uint8)
