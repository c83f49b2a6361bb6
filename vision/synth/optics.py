"""The camera under the glass: millimetres on the tray to pixels in the frame.

Axes as the camera sees them: x to the right, y down, z away from the lens; the glass is z = 0 and a die that lies flat
reaches from z = 0 to its edge. A camera above a table sees the same with the top faces at z = 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole with one radial term; `height_mm` is the apparent distance from the lens to the glass.

    `tilt_deg` leans the axis towards `tilt_dir_deg`; `x_mm`, `y_mm` is the foot of the lens on the glass.
    `focal_px` and `centre_px` are given for windows cut out of a frame; else they follow from `hfov_deg`.
    """

    height_mm: float = 165.0
    hfov_deg: float = 66.0
    tilt_deg: float = 0.0
    tilt_dir_deg: float = 0.0
    roll_deg: float = 0.0
    k1: float = 0.0
    width: int = 1536
    height: int = 864
    x_mm: float = 0.0
    y_mm: float = 0.0
    focal_px: float | None = None
    centre_px: tuple[float, float] | None = None

    @property
    def focal(self) -> float:
        """Focal length in pixels."""
        return self.focal_px or self.width / 2 / math.tan(math.radians(self.hfov_deg) / 2)

    @property
    def centre(self) -> tuple[float, float]:
        """Where the axis meets the frame, in pixels."""
        return self.centre_px or ((self.width - 1) / 2, (self.height - 1) / 2)

    def scaled(self, factor: float) -> Camera:
        """The same view in a frame `factor` times as large."""
        cx, cy = self.centre
        moved = ((cx + 0.5) * factor - 0.5, (cy + 0.5) * factor - 0.5)
        size = (round(self.width * factor), round(self.height * factor))
        return replace(self, width=size[0], height=size[1], focal_px=self.focal * factor, centre_px=moved)

    def window(self, left: int, top: int, width: int, height: int) -> Camera:
        """The view through a window of the frame, in the same pixels."""
        cx, cy = self.centre
        return replace(self, width=width, height=height, focal_px=self.focal, centre_px=(cx - left, cy - top))

    def place(self, points_mm: Points) -> Points:
        """Points (N, 3) in the camera's own axes, in millimetres."""
        offset = np.asarray(points_mm, float) - self.eye_mm
        return np.asarray(offset @ _camera_turn(self.tilt_dir_deg, self.tilt_deg, self.roll_deg).T)

    def project(self, points_mm: Points) -> Points:
        """Points (N, 3) on the tray to pixels (N, 2).

        >>> Camera(width=1537, height=865).project(np.zeros((1, 3))).tolist()
        [[768.0, 432.0]]
        """
        own = self.place(points_mm)
        flat = own[:, :2] / np.maximum(own[:, 2:], 1.0)
        bent = flat * (1 + self.k1 * (flat**2).sum(1, keepdims=True))
        return np.asarray(bent * self.focal + np.array(self.centre))

    @property
    def eye_mm(self) -> Points:
        """The lens, in tray axes."""
        return np.array([self.x_mm, self.y_mm, -self.height_mm])

    @property
    def px_per_mm(self) -> float:
        """Scale on the glass below the lens."""
        return self.focal / self.height_mm


@lru_cache(maxsize=64)
def _camera_turn(direction_deg: float, angle_deg: float, roll_deg: float) -> Points:
    roll = math.radians(roll_deg)
    c, s = math.cos(roll), math.sin(roll)
    return np.asarray(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ turn_about(direction_deg, angle_deg))


def turn_about(direction_deg: float, angle_deg: float) -> Points:
    """The rotation (3, 3) that leans the z axis by `angle_deg` towards `direction_deg` in the plane."""
    way, lean = math.radians(direction_deg), math.radians(angle_deg)
    axis = np.array([-math.sin(way), math.cos(way), 0.0])
    cross = np.array([[0.0, 0.0, axis[1]], [0.0, 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    return np.asarray(np.eye(3) + math.sin(lean) * cross + (1 - math.cos(lean)) * cross @ cross)
