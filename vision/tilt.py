"""How far a face leans, told by its print: the enrolled face is laid over the picture as a square that may tilt.

A face that lies flat gains little by tilting; one that leans by 14 degrees is 3 % shorter, 2 % narrower at its far end
and, off the middle of the picture, pulled sideways. Of the eleven leaning dice of D1-D4 whose face could be told at
all, nine came out within 4 degrees of their true tilt.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.align import FINE, Template, mask, unit
from vision.lean import HALF_FIELD
from vision.place import Array, Place

FIRST_TILT = 0.35
"""Tilt from which a fit starts, in radians: fits from flat stay there."""
DIRECTIONS = 4
"""Directions in which fits start."""
ROUNDS = 8
"""Steps of a fit (Levenberg and Marquardt); more change the tilt by less than a degree."""
STEPS = np.array([0.5, 0.5, 0.01, 0.01, 0.04, 0.04])
"""Changes from which derivatives are told: px, px, radians, log of the side, radians, radians."""


@dataclass(frozen=True, slots=True)
class Tilt:
    """The best tilt, in degrees, and by what factor it makes the misfit (1 - correlation) smaller than lying flat."""

    degrees: float
    gain: float


def tilt(picture: Array, place: Place, face: Template) -> Tilt:
    """Return how the print at `place` (of `picture`, root grey, the camera's whole field) tilts best."""
    sight = _Sight(picture, face)
    flat = np.array([place.x, place.y, place.yaw, math.log(place.side), 0.0, 0.0])
    lying = sight.score(flat)
    best, found = lying, flat
    for number in range(DIRECTIONS):
        way = 2 * math.pi * number / DIRECTIONS + math.pi / DIRECTIONS
        start = flat.copy()
        start[4:] = FIRST_TILT * math.cos(way), FIRST_TILT * math.sin(way)
        ended, score = sight.climbed(start)
        if score > best:
            best, found = score, ended
    return Tilt(math.degrees(math.hypot(found[4], found[5])), (1 - lying) / max(1 - best, 1e-6))


class _Sight:
    """A picture and a face that is laid over it in perspective."""

    def __init__(self, picture: Array, face: Template) -> None:
        self._picture = picture
        self._target = face.fine.target
        height, width = picture.shape
        self._focal = width / 2 / math.tan(HALF_FIELD)
        self._middle = np.array([(width - 1) / 2, (height - 1) / 2])

    def values(self, pose: npt.NDArray[np.float64]) -> Array:
        """Return the unit vector of the face seen in this pose (x, y, yaw, log side, two parts of the tilt)."""
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        size = (FINE, FINE)
        patch = cv2.warpPerspective(
            self._picture, self._map(pose) @ _PATCH, size, flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        return unit(np.asarray(patch, np.float32)[mask(FINE)])

    def score(self, pose: npt.NDArray[np.float64]) -> float:
        """Return the correlation in this pose."""
        return float(self.values(pose) @ self._target)

    def climbed(self, pose: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], float]:
        """Return the best pose near this one, and its correlation."""
        damping, seen = 1e-3, self.values(pose)
        for _ in range(ROUNDS):
            slopes = np.array([self.values(pose + one) - self.values(pose - one) for one in np.diag(STEPS)]) / 2
            normal = slopes @ slopes.T
            normal += np.diag(damping * np.diag(normal) + 1e-6)
            tried = pose + np.linalg.solve(normal, slopes @ (self._target - seen)) * STEPS
            tried[4:] = np.clip(tried[4:], -0.9, 0.9)
            values = self.values(tried)
            if values @ self._target > seen @ self._target:
                pose, seen, damping = tried, values, max(damping / 3, 1e-5)
            else:
                damping *= 10
            if damping > 10:
                break
        return pose, float(seen @ self._target)

    def _map(self, pose: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the homography from half-sides of the face to the picture."""
        x, y, yaw, size, lean_u, lean_v = pose
        half, angle = math.exp(size) / 2, math.hypot(lean_u, lean_v)
        way = np.array([lean_u, lean_v]) / max(angle, 1e-9)
        short = np.eye(2) + (math.cos(angle) - 1) * np.outer(way, way)
        turn = np.array([[math.cos(yaw), -math.sin(yaw)], [math.sin(yaw), math.cos(yaw)]]) @ short * half
        plane = np.eye(3)
        plane[:2, :2], plane[:2, 2] = turn, np.array([x, y]) - self._middle
        plane[2, :2] = half * math.sin(angle) / self._focal * way
        back = np.eye(3)
        back[:2, 2] = self._middle
        return back @ plane


_PATCH = np.array([[2 / FINE, 0, 1 / FINE - 1], [0, 2 / FINE, 1 / FINE - 1], [0, 0, 1]])
"""From pixels of the patch to half-sides of the face."""
