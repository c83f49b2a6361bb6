"""Where the glass lies for one camera: its lens, the plane, pixels a millimetre, fall of light, and watch marks.

A point of the plane (millimetres, seen as the camera sees it) is taken by a homography to the undistorted picture, and
by two radial terms to the frame. All pictures of the card share both; a card moves in its plane only.
"""

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision import card
from vision.marks import Change, Mark, changed, find_marks, steepness
from vision.place import Frame
from vision.solve import least_squares

Points = npt.NDArray[np.float64]
FORMAT = 1
"""Version of the file; another one is refused."""
LEAST_PICTURES = 3
"""Pictures of the card; one alone cannot show that it lay flat."""
LEAST_CORNERS = 24
"""Corners of the board in a picture: a third of its 72."""
LEAST_COVER = 0.25
"""Part of the frame that the cards must cover together: the lens is not known where no card ever lay."""
FLAT_PX = 1.0
"""Pixels of a 1536 px frame by which a card's corners may miss its plane: rendered cards with noise .05 to .15, a
card of which one edge is raised by 5 mm above 2."""
LEAST_SHARP = 0.12
"""Steepness (part of the contrast a pixel) of the card's edges: .36 in focus, .13 at a blur of 3 px, which a face of
90 px still survives."""
UNITS_MM = 50.0
"""Millimetres that count as one while fitting, so that all unknowns are of like size."""


class BadCard(ValueError):
    """Pictures do not make a calibration; the message says which, why and what to do."""


class BadCalibration(ValueError):
    """A file is no calibration, or one of another version."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The card in one picture: corners on the card (N, 2, millimetres) and in the frame (N, 2, pixels)."""

    name: str
    card_mm: Points
    pixels: Points
    sharpness: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """What one camera at one place sees.

    `size` is the frame's width and height in pixels, `lens` two radial terms (of the distance from the middle in half
    widths), `plane` the homography (row by row) from millimetres to undistorted pixels, which are counted from the
    middle in half widths. `error_px` is the median miss of a corner. `light` is six terms (1, x, y, xx, xy, yy) of the
    logarithm of white's level. `settings` are the camera's own, as far as it told.
    """

    camera: str
    size: tuple[int, int]
    lens: tuple[float, float]
    plane: tuple[float, ...]
    error_px: float
    sharpness: float
    light: tuple[float, ...]
    marks: tuple[Mark, ...] = ()
    settings: Mapping[str, float] = field(default_factory=dict)

    def to_pixels(self, points_mm: Points) -> Points:
        """Return points of the plane (N, 2, millimetres) in the frame (N, 2, pixels)."""
        return _framed(_projected(np.reshape(self.plane, (3, 3)), points_mm), self.lens, self.size)

    def to_mm(self, pixels: Points) -> Points:
        """Return pixels of the frame (N, 2) on the plane (N, 2, millimetres)."""
        bent = (np.asarray(pixels, np.float64) - _middle(self.size)) / _half(self.size)
        return _projected(np.linalg.inv(np.reshape(self.plane, (3, 3))), _straight(bent, self.lens))

    def px_per_mm(self, at: tuple[float, float] | None = None) -> float:
        """Return how many pixels a millimetre of the glass has at a pixel (default: the frame's middle)."""
        here = self.to_mm(np.array([at or tuple(_middle(self.size))]))
        right = self.to_pixels(here + np.array([0.5, 0])) - self.to_pixels(here - np.array([0.5, 0]))
        down = self.to_pixels(here + np.array([0, 0.5])) - self.to_pixels(here - np.array([0, 0.5]))
        return math.sqrt(abs(float(np.linalg.det(np.vstack([right, down])))))

    def flat_field(self) -> npt.NDArray[np.float32]:
        """Return for each pixel of the frame (height, width) white's level as a part of the brightest."""
        x, y = np.meshgrid(*(np.linspace(-1, 1, side, dtype=np.float32) for side in self.size))
        level = np.exp(sum(k * term for k, term in zip(self.light, _terms(x, y), strict=True)))
        return np.asarray(level / level.max(), np.float32)

    def save(self, path: Path) -> None:
        """Write the calibration to `path`, whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        with fresh.open("w", encoding="utf-8") as out:
            json.dump({"format": FORMAT} | asdict(self), out, indent=1)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(path)

    @classmethod
    def load(cls, path: Path) -> "Calibration":
        """Return the calibration kept in `path`. Raises FileNotFoundError, or BadCalibration if the file is none."""
        try:
            held = json.loads(path.read_text(encoding="utf-8"))
            if held["format"] != FORMAT:
                raise BadCalibration(f"{path} is a calibration of version {held['format']}, not {FORMAT}")
            return _calibration(held)
        except FileNotFoundError:
            raise
        except (KeyError, TypeError, ValueError, OSError, AttributeError, np.linalg.LinAlgError) as error:
            if isinstance(error, BadCalibration):
                raise
            raise BadCalibration(f"{path} is no calibration") from error


def _calibration(held: Mapping[str, Any]) -> Calibration:
    """Return what a file says. Raises KeyError, TypeError, ValueError or LinAlgError if it says nothing of use."""
    width, height = held["size"]
    first, second = held["lens"]
    plane, light = tuple(map(float, held["plane"])), tuple(map(float, held["light"]))
    np.linalg.inv(np.reshape(plane, (3, 3)))
    if len(light) != 6 or not np.isfinite([*plane, *light, first, second]).all() or min(width, height) < 1:
        raise ValueError("numbers are missing")
    marks = tuple(
        Mark(int(m["number"]), tuple((float(x), float(y)) for x, y in m["corners"]), float(m["sharpness"]))
        for m in held["marks"]
    )
    told = {str(name): float(value) for name, value in held["settings"].items()}
    numbers = float(held["error_px"]), float(held["sharpness"])
    return Calibration(
        str(held["camera"]),
        (int(width), int(height)),
        (float(first), float(second)),
        plane,
        *numbers,
        light,
        marks,
        told,
    )


def find_card(frame: Frame, name: str = "the picture") -> Seen:
    """Return where the card lies in `frame` (BGR). Raises BadCard, which calls the picture `name`."""
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    corners, numbers = _corners(grey)
    sharp = steepness(grey, corners)
    if len(numbers) and sharp < LEAST_SHARP:
        raise BadCard(
            f"The card in {name} is blurred (sharpness {sharp:.2f}, at least {LEAST_SHARP} is needed): focus the "
            "camera ('undercup focus' helps), hold the card still and take it again."
        )
    if len(numbers) < LEAST_CORNERS:
        mirrored = len(_corners(np.asarray(cv2.flip(grey, 1), np.uint8))[1]) >= LEAST_CORNERS
        raise BadCard(_not_found(name, len(numbers), mirrored))
    places = np.asarray(card.board().getChessboardCorners(), np.float64)[numbers, :2]
    return Seen(name, places, corners, sharp)


def sharpness_of(frame: Frame) -> float | None:
    """Return how sharp the card in `frame` (BGR) is, 0 to .5, or None if it is not seen."""
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    corners, _ = _corners(grey)
    return steepness(grey, corners) if len(corners) else None


def _not_found(name: str, count: int, mirrored: bool) -> str:
    if mirrored:
        return f"{name} is mirrored: take it again without mirroring, as the camera gives it."
    if count == 0:
        return (
            f"No card is found in {name}: lay the printed card flat on the glass, its print towards the camera, in "
            "good light, and take it again."
        )
    return (
        f"Only {count} corners of the card are seen in {name}, {LEAST_CORNERS} are needed: lay more of the card into "
        "view, without glare on it, and take it again."
    )


def _corners(grey: Frame) -> tuple[Points, npt.NDArray[np.int64]]:
    """Return the board's corners (N, 2) and their numbers (N); OpenCV 4 and 5 shape them differently."""
    corners, numbers, *_ = cv2.aruco.CharucoDetector(card.board()).detectBoard(grey)
    if corners is None or numbers is None:
        return np.zeros((0, 2)), np.zeros(0, np.int64)
    return np.reshape(np.asarray(corners, np.float64), (-1, 2)), np.reshape(np.asarray(numbers, np.int64), -1)


def calibrate(camera: str, frames: Mapping[str, Frame], empty: Frame | None = None) -> Calibration:
    """Return the calibration of `camera` from pictures of the card, by name, and one of the empty tray.

    Watch marks are looked for in `empty`, else in the first picture. Raises BadCard.
    """
    if len(frames) < LEAST_PICTURES:
        raise BadCard(f"{len(frames)} pictures are too few: take {LEAST_PICTURES} or more, the card in other places.")
    sizes = {(frame.shape[1], frame.shape[0]) for frame in (*frames.values(), *([] if empty is None else [empty]))}
    if len(sizes) > 1:
        raise BadCard("The pictures differ in size: take all of them with the camera's same settings.")
    size = sizes.pop()
    seen = sorted((find_card(frame, name) for name, frame in frames.items()), key=lambda one: -len(one.pixels))
    _check_cover(seen, size)
    plane, lens, misses = _fit(seen, size)
    _check_flat(seen, misses, size)
    first = next(iter(frames.values()))
    light = _light([(frames[one.name], one) for one in seen])
    error, sharp = float(np.median(np.concatenate(misses))), float(np.median([one.sharpness for one in seen]))
    marks = find_marks(first if empty is None else empty)
    return Calibration(camera, size, lens, tuple(plane.ravel().tolist()), error, sharp, light, marks)


def _check_cover(seen: Sequence[Seen], size: tuple[int, int]) -> None:
    hull = cv2.convexHull(np.concatenate([one.pixels for one in seen]).astype(np.float32))
    part = float(cv2.contourArea(hull)) / (size[0] * size[1])
    if part < LEAST_COVER:
        raise BadCard(
            f"The cards cover {part:.0%} of the picture, {LEAST_COVER:.0%} are needed: lay the card into the corners "
            "of the tray as well."
        )


def _check_flat(seen: Sequence[Seen], misses: Sequence[Points], size: tuple[int, int]) -> None:
    """Refuse if a card's corners miss the common plane."""
    errors = [float(np.sqrt(np.mean(miss**2))) for miss in misses]
    worst = int(np.argmax(errors))
    if errors[worst] > FLAT_PX * max(size) / 1536:
        raise BadCard(
            f"The card in {seen[worst].name} does not lie in the plane of the others (its corners miss it by "
            f"{errors[worst]:.1f} px): lay it flat on the glass, do not move the camera, and take it again."
        )


def _fit(seen: Sequence[Seen], size: tuple[int, int]) -> tuple[Points, tuple[float, float], list[Points]]:
    """Return plane and lens that all pictures share, and each picture's misses (N, pixels). The plane's axes are the
    first card's."""
    first, middle, half = seen[0], _middle(size), _half(size)
    plane, _ = cv2.findHomography(first.card_mm / UNITS_MM, (first.pixels - middle) / half)
    flat = np.asarray(plane, np.float64) / plane[2, 2]
    back = np.linalg.inv(flat)
    poses = [_pose(one.card_mm / UNITS_MM, _projected(back, (one.pixels - middle) / half)) for one in seen[1:]]
    start = np.concatenate([flat.ravel()[:8], [0.0, 0.0], *poses])
    found = least_squares(lambda unknown: _misses(unknown, seen, size), start)
    parts = np.split(_misses(found, seen, size).reshape(-1, 2), np.cumsum([len(one.pixels) for one in seen])[:-1])
    mm = np.append(found[:8], 1.0).reshape(3, 3) @ np.diag([1 / UNITS_MM, 1 / UNITS_MM, 1.0])
    return mm, (float(found[8]), float(found[9])), [np.hypot(part[:, 0], part[:, 1]) for part in parts]


def _misses(unknown: Points, seen: Sequence[Seen], size: tuple[int, int]) -> Points:
    """Return by how many pixels each corner of each picture is missed, x and y in turn."""
    plane = np.append(unknown[:8], 1.0).reshape(3, 3)
    poses = [np.zeros(3), *unknown[10:].reshape(-1, 3)]
    lens = (float(unknown[8]), float(unknown[9]))
    there = [
        _framed(_projected(plane, _moved(one.card_mm / UNITS_MM, pose)), lens, size) - one.pixels
        for one, pose in zip(seen, poses, strict=True)
    ]
    return np.concatenate(there).ravel()


def _pose(own: Points, there: Points) -> Points:
    """Return the shift and turn that bring points nearest to others: x, y and an angle."""
    a, b = own - own.mean(axis=0), there - there.mean(axis=0)
    angle = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    shift = there.mean(axis=0) - _moved(own.mean(axis=0)[None], np.array([0.0, 0.0, angle]))[0]
    return np.array([*shift, angle])


def _moved(points: Points, pose: Points) -> Points:
    c, s = math.cos(pose[2]), math.sin(pose[2])
    return np.asarray(points @ np.array([[c, s], [-s, c]]) + pose[:2])


def _projected(plane: Points, points: Points) -> Points:
    whole = np.column_stack([points, np.ones(len(points))]) @ plane.T
    return np.asarray(whole[:, :2] / whole[:, 2:])


def _framed(flat: Points, lens: tuple[float, float], size: tuple[int, int]) -> Points:
    """Return undistorted points in the frame's pixels."""
    far = (flat**2).sum(axis=1, keepdims=True)
    return np.asarray(flat * (1 + lens[0] * far + lens[1] * far**2) * _half(size) + _middle(size))


def _straight(bent: Points, lens: tuple[float, float]) -> Points:
    """Return where points would be without the lens; twenty rounds settle what lenses of trays do."""
    flat = bent
    for _ in range(20):
        far = (flat**2).sum(axis=1, keepdims=True)
        flat = bent / (1 + lens[0] * far + lens[1] * far**2)
    return np.asarray(flat)


def _middle(size: tuple[int, int]) -> Points:
    return (np.array(size, np.float64) - 1) / 2


def _half(size: tuple[int, int]) -> float:
    return size[0] / 2


def _light(pictures: Sequence[tuple[Frame, Seen]]) -> tuple[float, ...]:
    """Return six terms of the logarithm of white paper's level over the frame, from the paper round each mark."""
    rows, levels = [], []
    for number, (frame, seen) in enumerate(pictures):
        grey = cv2.blur(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), (5, 5))
        to_frame, _ = cv2.findHomography(seen.card_mm, seen.pixels)
        height, width = grey.shape
        for x, y in np.round(_projected(np.asarray(to_frame), _paper())).astype(int):
            if 0 <= x < width and 0 <= y < height and grey[y, x] > 8:
                own = np.eye(len(pictures))[number]
                rows.append([*own, *_terms(2 * x / (width - 1) - 1, 2 * y / (height - 1) - 1)[1:]])
                levels.append(math.log(float(grey[y, x])))
    terms = _without_strays(np.array(rows), np.array(levels))
    count = len(pictures)
    return (float(terms[:count].mean()), *terms[count:].tolist())


def _without_strays(rows: Points, levels: Points) -> Points:
    """Return the terms that most samples agree on: a few lie on a scratch, a mark or a lamp's mirror image."""
    terms = np.linalg.lstsq(rows, levels, rcond=None)[0]
    for _ in range(4):
        off = np.abs(levels - rows @ terms)
        kept = off <= max(3 * float(np.median(off)), 0.01)
        terms = np.linalg.lstsq(rows[kept], levels[kept], rcond=None)[0]
    return np.asarray(terms)


def _terms(x: Any, y: Any) -> tuple[Any, ...]:
    return (1.0, x, y, x * x, x * y, y * y)


def _paper() -> Points:
    """Return the middles (N, 2, millimetres) of the paper above and below each mark of the card."""
    side, off = card.SQUARE_MM, (card.SQUARE_MM - card.MARK_MM) / 4
    white = [(c, r) for r in range(card.ROWS) for c in range(card.COLUMNS) if _is_white(c, r)]
    return np.array([((c + 0.5) * side, r * side + y) for c, r in white for y in (off, side - off)])


def _is_white(column: int, row: int) -> bool:
    """Tell whether a square of the board is paper with a mark."""
    return (column + row) % 2 == 1


def moved(frame: Frame, known: Calibration) -> Change | None:
    """Return what is no longer as it was calibrated, None if nothing is seen to be.

    Only watch marks can tell; without any in the calibration, only a frame of another shape is `moved`.
    """
    if (frame.shape[1], frame.shape[0]) != known.size:
        return "moved"
    return changed(known.marks, find_marks(frame), known.size[0]) if known.marks else None
