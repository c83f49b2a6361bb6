"""Where a face lies in a picture: a square of the glass plane, and patches cut along it."""

import math
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
Frame = npt.NDArray[np.uint8]
Level = TypeVar("Level", np.uint8, np.float32)


@dataclass(frozen=True, slots=True)
class Place:
    """A square in a picture: centre and side in pixels, yaw in radians (clockwise as seen, within any turn)."""

    x: float
    y: float
    side: float
    yaw: float

    def turned(self, quarters: int) -> "Place":
        """Return the same square, read from another of its four sides."""
        return Place(self.x, self.y, self.side, self.yaw + quarters * math.pi / 2)

    def scaled(self, factor: float) -> "Place":
        """Return the square in a picture that is `factor` times as large."""
        return Place(self.x * factor, self.y * factor, self.side * factor, self.yaw)

    def matrix(self, size: int, reach: float = 1.0) -> npt.NDArray[np.float64]:
        """Return the 2x3 map from pixels of a `size` square patch to the picture.

        With `reach` 1 the patch is the face; with 1.25 it shows a quarter of a half-side more on each side.
        """
        step = self.side * reach / size
        c, s = step * math.cos(self.yaw), step * math.sin(self.yaw)
        middle = (size - 1) / 2
        return np.array([[c, -s, self.x - (c - s) * middle], [s, c, self.y - (s + c) * middle]])

    def corners(self) -> npt.NDArray[np.float64]:
        """Return the four corners, (4, 2), in pixels.

        >>> Place(10, 20, 4, 0).corners().tolist()
        [[8.0, 18.0], [12.0, 18.0], [12.0, 22.0], [8.0, 22.0]]
        """
        half = self.side / 2
        c, s = half * math.cos(self.yaw), half * math.sin(self.yaw)
        unit = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return np.array([[self.x + u * c - v * s, self.y + u * s + v * c] for u, v in unit])


def cut(picture: npt.NDArray[Level], place: Place, size: int, reach: float = 1.0) -> npt.NDArray[Level]:
    """Return the patch of `size` x `size` pixels that lies at `place`; what is outside repeats the border."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    matrix = place.matrix(size, reach)
    patch = cv2.warpAffine(picture, matrix, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, picture.dtype)


def overlap(a: Place, b: Place) -> float:
    """Return the part of the smaller square that the other covers, 0 to 1."""
    if math.hypot(a.x - b.x, a.y - b.y) > (a.side + b.side) * 0.71:
        return 0.0
    area, _ = cv2.intersectConvexConvex(a.corners().astype(np.float32), b.corners().astype(np.float32))
    return float(area) / min(a.side, b.side) ** 2
