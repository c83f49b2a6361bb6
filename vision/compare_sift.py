"""For comparison only: printed dice read as published programs do, by SIFT features and RANSAC homographies.

Used by `undercup bench --speed`; the table never reads with it. It is given what the reader is not: the size of the
dice, and reference faces cut out along their true corners.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.place import Frame
from vision.reading import DieReading, Reading

Points = npt.NDArray[np.float32]

RATIO = 0.80
"""Greatest distance of a match in parts of the best match with another face (Lowe, 2004)."""
INLIERS = 5
"""Fewest matches that make a die."""
REPROJECTED_PX = 5.0
"""Distance from its place up to which a match belongs to a die."""
SIZE = 0.15
"""Part by which the side of a die found may differ from the known one."""
MOST_TRIED = 60
"""Homographies tried for a face in one frame."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A die found: its face, corners (4, 2) and the number of matches."""

    face: str
    corners: Points
    votes: int

    @property
    def centre(self) -> tuple[float, float]:
        x, y = self.corners.mean(axis=0)
        return float(x), float(y)


class References:
    """The features of reference pictures of each face (square, BGR)."""

    def __init__(self, pictures: Mapping[str, Sequence[Frame]]) -> None:
        """Take the features of `pictures`, which name the face that counts."""
        sift = cv2.SIFT.create()
        parts = [(face, *_features(sift, picture)) for face, several in pictures.items() for picture in several]
        self.edge = float(next(iter(pictures.values()))[0].shape[0])
        self.faces = np.array([face for face, places, _ in parts for _ in places])
        self.places = np.concatenate([places for _, places, _ in parts])
        self.known = np.concatenate([known for _, _, known in parts])


def _features(sift: cv2.SIFT, picture: Frame) -> tuple[Points, Points]:
    """Return places (N, 2) and descriptors (N, 128, of unit length)."""
    spots, known = sift.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
    if not spots:
        return np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32)
    values = np.asarray(known, np.float32)
    return np.array([s.pt for s in spots], np.float32), values / np.linalg.norm(values, axis=1, keepdims=True)


class SiftReader:
    """Reads dice of a known size (side of a face in pixels) by their references."""

    def __init__(self, references: References, side_px: float) -> None:
        """Make ready for dice of this size."""
        self._sift = cv2.SIFT.create()
        self._references = references
        self._side = side_px

    def read(self, frame: Frame, expect: int) -> Reading:
        """Return the hand if as many dice are found as are expected, else unsure."""
        found = self._distinct(self._all(frame))
        dice = tuple(DieReading(one.face, 1.0, one.centre, "flat", None, self._side) for one in found)
        if len(dice) != expect:
            return Reading.unsure(["too-few" if len(dice) < expect else "too-many"], dice)
        return Reading("read", tuple(sorted(one.face for one in found)), (), dice)

    def _all(self, frame: Frame) -> list[_Found]:
        places, seen = _features(self._sift, frame)
        if not len(places):
            return []
        alike = seen @ self._references.known.T
        best = alike.argmax(axis=1)
        faces = self._references.faces[best]
        others = np.where(faces[:, None] == self._references.faces[None], -1.0, alike).max(axis=1)
        near, next_ = (np.sqrt(np.maximum(2 - 2 * value, 0)) for value in (alike.max(axis=1), others))
        sure = near < RATIO * next_
        found: list[_Found] = []
        for face in np.unique(faces[sure]):
            chosen = sure & (faces == face)
            found += self._dice(str(face), self._references.places[best[chosen]], places[chosen])
        return found

    def _dice(self, face: str, known: Points, places: Points) -> list[_Found]:
        """Return the dice of one face: the best homography, then the best of the matches that are left, and so on."""
        found: list[_Found] = []
        for _ in range(MOST_TRIED):
            near = _densest(places, self._side)
            if near.sum() < INLIERS:
                break
            matrix, mask = cv2.findHomography(known[near], places[near], cv2.RANSAC, REPROJECTED_PX)
            inside = np.zeros(len(places), bool)
            if matrix is not None:
                inside[np.flatnonzero(near)[np.asarray(mask).ravel() > 0]] = True
            corners = None if inside.sum() < INLIERS else self._corners(np.asarray(matrix))
            if corners is not None:
                found.append(_Found(face, corners, int(inside.sum())))
            used = inside if inside.any() else near
            known, places = known[~used], places[~used]
        return found

    def _corners(self, matrix: npt.NDArray[np.float64]) -> Points | None:
        """Return the corners of the face in the frame, None if they do not make a square of the dice's size."""
        edge = self._references.edge
        square = np.array([[[0, 0], [edge, 0], [edge, edge], [0, edge]]], np.float32)
        corners = np.asarray(cv2.perspectiveTransform(square, matrix)[0], np.float32)
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        fits = bool(np.all(np.abs(sides / self._side - 1) < SIZE)) and cv2.isContourConvex(corners)
        return corners if fits else None

    def _distinct(self, found: Sequence[_Found]) -> list[_Found]:
        """Return the dice without those that lie in one with more matches."""
        kept: list[_Found] = []
        for one in sorted(found, key=lambda die: -die.votes):
            if all(np.hypot(*np.subtract(one.centre, other.centre)) > self._side / 2 for other in kept):
                kept.append(one)
        return kept


def _densest(places: Points, side_px: float) -> npt.NDArray[np.bool_]:
    """Return which places lie within a face of the place that has most others round it."""
    if not len(places):
        return np.zeros(0, bool)
    near = np.linalg.norm(places[:, None] - places[None], axis=2) < 0.75 * side_px
    return np.asarray(near[near.sum(axis=1).argmax()])
