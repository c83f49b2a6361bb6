"""Pictures of the real card on the glass, as a camera below it would take them."""

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np

from vision import card
from vision.place import Frame
from vision.synth import Camera

Pose = tuple[float, float, float]
"""The card's middle on the tray (millimetres) and its turn (degrees)."""
POSES: tuple[Pose, ...] = ((0, 0, 3), (-28, 6, 24), (30, -8, -12), (8, 10, 92))
DOT_MM = 0.1


@lru_cache(maxsize=8)
def flat_mm(camera: Camera) -> np.ndarray:
    """Return for each pixel (height, width, 2) the point of the glass it sees, in millimetres from the lens' foot."""
    x, y = np.meshgrid(np.arange(camera.width, dtype=float), np.arange(camera.height, dtype=float))
    bent = (np.stack([x, y], axis=-1) - camera.centre) / camera.focal
    flat = bent.copy()
    for _ in range(12):
        flat = bent / (1 + camera.k1 * (flat**2).sum(axis=-1, keepdims=True))
    rays = np.dstack([flat, np.ones(flat.shape[:2])]) @ turn(camera)
    return np.asarray(rays[..., :2] * (camera.height_mm / rays[..., 2:]) + [camera.x_mm, camera.y_mm])


def turn(camera: Camera) -> np.ndarray:
    """Return the rotation (3, 3) from the tray's axes to the camera's own, read off the camera."""
    return (camera.place(np.eye(3) + camera.eye_mm)).T


def view(
    camera: Camera,
    pose: Pose = (0, 0, 0),
    *,
    marks: Sequence[Pose] = (),
    noise: float = 2.0,
    seed: int = 1,
    blur: float = 0.8,
    lean: float = 0.0,
    board: bool = True,
) -> Frame:
    """Return what `camera` sees of the card at `pose` and of watch marks; `lean` raises the card's right side (mm)."""
    mm = flat_mm(camera)
    frame = np.full(mm.shape[:2], 60, np.float32)
    stuck = [(card.mark(number, DOT_MM), place, 2.0) for number, place in enumerate(marks)]
    for dots, place, margin in ([(card.picture(DOT_MM), pose, 5.0)] if board else []) + stuck:
        _lay(frame, dots, _card_mm(mm, place, lean if margin == 5.0 else 0.0, camera), margin)
    soft = cv2.GaussianBlur(frame, (0, 0), blur)
    grained = soft + np.random.default_rng(seed).normal(0, noise, soft.shape)
    return np.asarray(cv2.merge([np.clip(grained, 0, 255).astype(np.uint8)] * 3), np.uint8)


def _card_mm(mm: np.ndarray, pose: Pose, lean: float, camera: Camera) -> np.ndarray:
    """Return for each pixel the point of a card it sees, from the card's middle; a raised side looks smaller."""
    c, s = np.cos(np.radians(pose[2])), np.sin(np.radians(pose[2]))
    own = (mm - pose[:2]) @ np.array([[c, -s], [s, c]])
    if not lean:
        return np.asarray(own)
    height = np.clip(own[..., :1] / 65 * lean, 0, None)
    there = mm * (1 + height / camera.height_mm)
    return np.asarray((there - pose[:2]) @ np.array([[c, -s], [s, c]]))


def _lay(frame: np.ndarray, dots: Frame, own: np.ndarray, margin: float) -> None:
    """Draw a print with `margin` mm of paper round it where `own` (mm from its middle) lies on it."""
    edge = round(margin / DOT_MM)
    sheet = cv2.GaussianBlur(
        cv2.copyMakeBorder(dots, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(255.0,)), (0, 0), 0.7
    )
    height, width = sheet.shape
    x, y = ((own[..., axis] / DOT_MM + (width, height)[axis] / 2 - 0.5).astype(np.float32) for axis in (0, 1))
    printed = cv2.remap(sheet, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(0,))
    on = (x > -0.5) & (y > -0.5) & (x < width - 0.5) & (y < height - 0.5)
    frame[on] = 30 + printed[on] * 0.75
