"""A frame made ready once for everything that looks at it: working size, grey levels, blurred steps."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.finder import Square
from vision.place import Array, Frame, Place

FACE_PX = 56.0
"""Side of a face in the working picture, in pixels: half of the 88-132 px of a die in a 1536 px frame. Below 40 px
reading decays (issue notes of the tray's geometry), above 64 px nothing is gained."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """One frame ready to be read.

    `scale` is working pixels per frame pixel. `colour` is the working picture (BGR), `fine` its grey in square-root
    levels (float32, 0 to 1), `coarse` the same at half the working size.
    """

    frame: Frame
    scale: float
    colour: Frame
    fine: Array
    coarse: Array


def prepare(frame: Frame, scale: float = 0.5) -> Prepared:
    """Return `frame` (BGR, uint8) made ready at `scale` working pixels per pixel."""
    colour = frame if scale == 1.0 else np.asarray(_resized(frame, scale), np.uint8)
    fine = softened(np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8))
    return Prepared(frame, scale, colour, fine, _halved(fine))


def seen_in(prepared: Prepared, plane: int) -> Prepared:
    """Return the frame with the levels of one colour plane (0 blue, 1 green, 2 red) in the place of its grey."""
    fine = softened(prepared.colour[:, :, plane])
    return replace(prepared, fine=fine, coarse=_halved(fine))


def softened(levels: Frame) -> Array:
    """Return levels (uint8) as their square roots (0 to 1), without most of the noise."""
    return np.asarray(cv2.GaussianBlur(cv2.LUT(np.ascontiguousarray(levels), _ROOTS), (5, 5), 0.8), np.float32)


def _halved(fine: Array) -> Array:
    return np.asarray(_resized(fine, 0.5), np.float32)


def _resized(picture: Frame | Array, scale: float) -> npt.NDArray[np.generic]:
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=how))


_ROOTS = np.sqrt(np.arange(256, dtype=np.float32) / 255)


def working_scale(sides: Sequence[float]) -> float:
    """Return working pixels per pixel for faces of these sides: a half if that does, else what makes FACE_PX."""
    scale = FACE_PX / float(np.median(sides)) if sides else 0.5
    return 0.5 if 0.38 < scale < 0.68 else scale


def place_of(square: Square, prepared: Prepared) -> Place:
    """Return where a proposed square lies in the working picture.

    The centre of a pixel is a whole number in both pictures, hence the half pixel.
    """
    x, y = ((value + 0.5) * prepared.scale - 0.5 for value in square.centre_px)
    return Place(x, y, square.side_px * prepared.scale, math.radians(square.yaw_deg))
