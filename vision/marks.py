"""Watch marks: what shows that a camera was moved or refocused since it was calibrated.

They are printed with the card and stuck where the camera always sees them. Whatever else a camera under a tray sees
comes and goes, so nothing else can tell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision import card
from vision.place import Frame

Points = npt.NDArray[np.float64]
MOVED_PX = 3.0
"""Pixels of a 1536 px frame by which the watch marks of a camera at rest never stray: noise moves them by .1 to .3, and
half a millimetre on the glass is 3."""
SOFTER = 0.7
"""Part of its sharpness at calibration below which a watch mark is out of focus; noise and light change it by a tenth.
"""
SHEET, RING = 1.6, 1.9
"""A mark's paper and the place round it whose colour is taken, in parts of the mark; the paper is 13 mm for 9."""
Change = Literal["moved", "refocused", "unseen"]
WORDS: dict[Change, str] = {
    "moved": "The camera has been moved: put it back, or calibrate again with 'undercup calibrate'.",
    "refocused": "The camera has been refocused: focus it as it was, or calibrate again with 'undercup calibrate'.",
    "unseen": "The watch marks are not in view: wipe the glass and put the camera back, or calibrate again.",
}
"""What each change means and what to do, for a person."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A watch mark: its number, its four corners in the frame (pixels) and how sharp its edges are."""

    number: int
    corners: tuple[tuple[float, float], ...]
    sharpness: float


def find_marks(frame: Frame) -> tuple[Mark, ...]:
    """Return the watch marks in `frame` (BGR), by number."""
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    options = cv2.aruco.DetectorParameters()
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, numbers, _ = cv2.aruco.ArucoDetector(card.dictionary(), options).detectMarkers(grey)
    found = {}
    for number, four in zip([] if numbers is None else np.reshape(numbers, -1), corners, strict=True):
        if number >= card.FIRST_WATCH:
            points = np.reshape(np.asarray(four, np.float64), (4, 2))
            places = tuple((float(x), float(y)) for x, y in points)
            found[int(number)] = Mark(int(number) - card.FIRST_WATCH, places, steepness(grey, points))
    return tuple(found[number] for number in sorted(found))


def steepness(grey: Frame, corners: Points, reach: int = 6) -> float:
    """Return how steep black turns to white round `corners`: the median of the steepest step a pixel in parts of the
    local contrast, 0 (no edge) to .5 (as sharp as pixels can be)."""
    found = []
    for x, y in np.round(corners).astype(int):
        patch = grey[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].astype(np.float32)
        if min(patch.shape) > reach and (contrast := float(np.ptp(patch))) > 8:
            across, down = cv2.Sobel(patch, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(patch, cv2.CV_32F, 0, 1) / 8
            found.append(float(np.percentile(cv2.magnitude(across, down), 95)) / contrast)
    return float(np.median(found)) if found else 0.0


def changed(before: Sequence[Mark], now: Sequence[Mark], width: int) -> Change | None:
    """Return what the marks of a frame of `width` pixels tell beside those of the calibration, None if nothing."""
    here = {mark.number: mark for mark in now}
    pairs = [(mark, here[mark.number]) for mark in before if mark.number in here]
    if not pairs:
        return "unseen"
    shifts = np.concatenate([np.subtract(new.corners, old.corners) for old, new in pairs])
    if float(np.median(np.hypot(shifts[:, 0], shifts[:, 1]))) > MOVED_PX * width / 1536:
        return "moved"
    softness = float(np.median([new.sharpness / max(old.sharpness, 1e-6) for old, new in pairs]))
    return "refocused" if softness < SOFTER else None


def without_marks(frame: Frame, marks: Sequence[Mark]) -> Frame:
    """Return `frame` with its marks and the paper round them painted over: a reader takes them for leaning dice."""
    if not marks:
        return frame
    painted = frame.copy()
    for mark in marks:
        corners = np.array(mark.corners)
        middle = corners.mean(axis=0)
        ring = np.round(middle + (corners - middle) * RING).astype(int)
        inside = np.clip(ring, 0, [frame.shape[1] - 1, frame.shape[0] - 1])
        level = np.median(frame[inside[:, 1], inside[:, 0]], axis=0)
        sheet = np.round(middle + (corners - middle) * SHEET).astype(np.int32)
        cv2.fillConvexPoly(painted, sheet, level.tolist())
    return painted
