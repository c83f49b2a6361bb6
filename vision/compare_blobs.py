"""For comparison only: pip dice read as most published programs do, by a blob detector and clustering of the pips.

Used by `undercup bench --speed`; the table never reads with it. It is given what the reader is not: the size of the
dice and the colours' order (dark pips or light ones), tried both ways.
"""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.place import Frame
from vision.reading import DieReading, Reading

Points = npt.NDArray[np.float64]

PIP = (0.08, 0.30)
"""Least and greatest diameter of a pip, in sides of a face."""
ACROSS = 0.80
"""Greatest distance of two pips of one face, in sides: those of a two lie .71 apart."""
ROUND, SOLID = 0.55, 0.80
"""Least inertia ratio and convexity of a pip."""
MOST = 6


class BlobReader:
    """Reads pip dice of a known size (side of a face in pixels), seen from below."""

    def __init__(self, side_px: float) -> None:
        """Make the detectors."""
        self._side = side_px
        self._detectors = [_detector(side_px, level) for level in (0, 255)]

    def read(self, frame: Frame, expect: int) -> Reading:
        """Return the hand if as many dice of one to six pips are found as are expected, else unsure."""
        grey = np.asarray(cv2.medianBlur(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), 5), np.uint8)
        found = [clustered(_spots(detector, grey), ACROSS * self._side) for detector in self._detectors]
        groups = min(found, key=lambda clusters: abs(len(clusters) - expect))
        dice = tuple(_die(group, self._side) for group in groups if len(group) <= MOST)
        if len(dice) != len(groups) or len(dice) != expect:
            return Reading.unsure(["too-few" if len(dice) < expect else "too-many"], dice)
        return Reading("read", tuple(sorted(str(die.face) for die in dice)), (), dice)


def _detector(side_px: float, level: int) -> cv2.SimpleBlobDetector:
    params = cv2.SimpleBlobDetector.Params()
    params.filterByColor, params.blobColor = True, level
    params.filterByArea = True
    params.minArea, params.maxArea = (float(np.pi / 4 * (part * side_px) ** 2) for part in PIP)
    params.filterByInertia, params.minInertiaRatio = True, ROUND
    params.filterByConvexity, params.minConvexity = True, SOLID
    params.filterByCircularity = False
    params.minDistBetweenBlobs = PIP[0] * side_px
    return cv2.SimpleBlobDetector.create(params)


def _spots(detector: cv2.SimpleBlobDetector, grey: npt.NDArray[np.uint8]) -> Points:
    return np.array([spot.pt for spot in detector.detect(grey)], float).reshape(-1, 2)


def clustered(points: Points, across: float) -> list[Points]:
    """Return the points in groups no wider than `across`, the nearest joined first (complete linkage)."""
    groups = [[index] for index in range(len(points))]
    far = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)) if len(points) else np.zeros((0, 0))
    np.fill_diagonal(far, np.inf)
    while len(groups) > 1:
        one, other = np.unravel_index(int(far.argmin()), far.shape)
        if far[one, other] > across:
            break
        groups[one] += groups.pop(other)
        joined = np.maximum(far[one], far[other])
        far[one], far[:, one] = joined, joined
        far = np.delete(np.delete(far, other, 0), other, 1)
        np.fill_diagonal(far, np.inf)
    return [points[group] for group in groups]


def _die(group: Sequence[Points] | Points, side_px: float) -> DieReading:
    x, y = np.mean(group, axis=0)
    return DieReading(str(7 - len(group)), 1.0, (float(x), float(y)), "flat", str(len(group)), side_px)
