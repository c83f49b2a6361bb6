"""Laying an enrolled face over a picture: a rigid square that is moved, turned and sized until the print fits.

Method: normalised correlation over a rounded square; starts from a matrix product of coarse patches with all faces
in four turns, then inverse-compositional Gauss-Newton (Baker and Matthews, 2004) on zero-mean, unit-norm patches.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.place import Array, Place, cut
from vision.prepared import Prepared

FINE = 64
"""Pixels along a fine patch."""
COARSE = 32
"""Pixels along a coarse patch."""
REACH = 0.90
"""Part of the face that is compared. Rounded edges start at .9; with .94 neighbours and bright ground pulled the fit
away (finder trial, D1-D4)."""
CORNER = 0.35
"""Radius of the mask's rounded corners, in half-sides."""
SIZE_SLACK = 0.07
"""How far a die's side may be from the frame's: inside a frame sides differ by 1.3 % (median), the visible edge by
3-5 % (finder trial), and the faces of a dark set are learnt up to 4 % too large or too small (D3)."""
SLACK_FOUND = 0.15
"""How far sides may be from the finder's, where no face tells the size: it is 5 % off in the median."""
FREE_SIZE = 1.2
"""How far a side may grow or shrink from its start while the frame's size is not known: the network's sides are 5 %
off in the median. Without a bound, smooth ground fits any face at a third of its size."""
STARTS = 2
"""Starts that are kept, in parts of the number of templates: of their four turns two are hopeless."""
COARSE_ROUNDS, FINE_ROUNDS = 6, 5
"""Steps that a fit takes at most at either level."""
STEP_PX = 0.05
"""A fit rests when its centre moves less than this, in working pixels."""


@cache
def mask(size: int) -> npt.NDArray[np.bool_]:
    """Return where a patch of `size` pixels is compared: a rounded square, (size, size)."""
    axis = np.abs((2 * np.arange(size) + 1) / size - 1)
    over = np.maximum(axis - (REACH - CORNER), 0)
    inside: npt.NDArray[np.bool_] = np.hypot(over[None, :], over[:, None]) < CORNER
    return inside


def unit(values: Array) -> Array:
    """Return `values` with zero mean and unit norm along the last axis; flat ones become zero."""
    centred = values - values.mean(axis=-1, keepdims=True)
    norm = np.sqrt(np.einsum("...i,...i->...", centred, centred))[..., None]
    return np.asarray(centred / np.maximum(norm, 1e-6), np.float32)


@dataclass(frozen=True, slots=True)
class Level:
    """A face at one resolution, inside the mask.

    `rows` (5, pixels) are its unit vector and four that turn what is seen into a step, all of zero mean; `rest` (4) is
    the step to which the face itself would lead.
    """

    size: int
    rows: Array
    rest: Array

    @property
    def target(self) -> Array:
        """The face's unit vector."""
        return np.asarray(self.rows[0])


@dataclass(frozen=True, slots=True)
class Template:
    """One face as it is seen, ready to be laid over a picture. `turns` holds its coarse vector in four turns."""

    name: str
    patch: Array
    fine: Level
    coarse: Level
    turns: Array


def template(name: str, patch: Array) -> Template:
    """Return the template of a face from its patch (FINE x FINE, square-root grey)."""
    blurred = cv2.GaussianBlur(patch, (5, 5), 1.0)
    small = np.asarray(cv2.resize(blurred, (COARSE, COARSE), interpolation=cv2.INTER_AREA), np.float32)
    turns = np.stack([unit(np.rot90(small, -quarter)[mask(COARSE)]) for quarter in range(4)])
    return Template(name, patch, _level(cv2.GaussianBlur(patch, (3, 3), 0.6)), _level(small), turns)


def _level(patch: npt.NDArray[np.generic]) -> Level:
    """Return the level of a patch: the steps are the pseudo-inverse of its normalised derivatives."""
    values = np.asarray(patch, np.float32)
    size, inside = values.shape[0], mask(values.shape[0])
    axis = (2 * np.arange(size, dtype=np.float32) + 1) / size - 1
    u, v = np.meshgrid(axis, axis)
    down, right = np.gradient(values, 2 / size)
    moves = np.stack([right, down, u * down - v * right, u * right + v * down])[:, inside]
    centred = values[inside] - values[inside].mean()
    target = unit(values[inside])
    moves = moves - moves.mean(axis=1, keepdims=True)
    moves = (moves - (moves @ target)[:, None] * target) / max(float(np.linalg.norm(centred)), 1e-6)
    damping = np.diag(np.full(4, 1e-3 * np.trace(moves @ moves.T) / 4 + 1e-9))
    steps = np.asarray(np.linalg.solve(moves @ moves.T + damping, moves), np.float32)
    return Level(size, np.concatenate([target[None], steps]), steps @ target)


@dataclass(frozen=True, slots=True)
class Fit:
    """A face laid over a picture: its name, its place in working pixels and its correlation, -1 to 1."""

    name: str
    place: Place
    ncc: float


@dataclass(frozen=True, slots=True)
class Bank:
    """All faces of a set, ready for one matrix product."""

    templates: tuple[Template, ...]
    matrix: Array

    def named(self, name: str) -> tuple[Template, ...]:
        """Return the templates of one face."""
        return tuple(t for t in self.templates if t.name == name)


def bank(templates: Sequence[Template]) -> Bank:
    """Return the templates with their turned coarse vectors stacked, (4 n, pixels)."""
    return Bank(tuple(templates), np.concatenate([t.turns for t in templates]))


@dataclass(frozen=True, slots=True)
class Spread:
    """How widely starts are tried round a proposal: yaws (degrees), sizes (factors), shifts (coarse pixels)."""

    yaws: tuple[float, ...]
    sizes: tuple[float, ...]
    margin: int
    stride: int


NEAR = Spread((-8.0, 0.0, 8.0), (1.0,), 2, 2)
"""For a proposal that is close: the network's corners are 5 % of the side off in the median."""
WIDE = Spread((-36.0, -24.0, -12.0, 0.0, 12.0, 24.0, 36.0), (0.88, 1.0, 1.12), 10, 4)
"""For a proposal that did not fit: any yaw, a third of a side off, as between two dice that touch."""
ROUND = Spread((-24.0, -12.0, 0.0, 12.0, 24.0), (0.88, 1.0, 1.12), 8, 4)
"""The same for pips, which fit between other pips as well: nowhere that the finder's square is not."""


@dataclass(frozen=True, slots=True)
class Start:
    """A place from which a template is fitted, with its coarse correlation."""

    template: Template
    place: Place
    score: float


def starts(prepared: Prepared, place: Place, faces: Bank, spread: Spread) -> list[Start]:
    """Return the best starts near `place` (working pixels), each of another template or turn, best first."""
    small = place.scaled(0.5)
    around: list[Place] = []
    size = COARSE + 2 * spread.margin
    patches = np.empty((len(spread.yaws) * len(spread.sizes), size * size), np.float32)
    for yaw in spread.yaws:
        for factor in spread.sizes:
            at = Place(small.x, small.y, small.side * factor, small.yaw + math.radians(yaw))
            patches[len(around)] = cut(prepared.coarse, at, size, size / COARSE).ravel()
            around.append(at)
    scores = _products(patches, _windows(spread.margin, spread.stride), faces.matrix)
    best = scores.argmax(axis=0)
    tops = scores[best, np.arange(scores.shape[1])]
    found = []
    for row in np.argsort(-tops)[: STARTS * len(faces.templates)].tolist():
        start = _start(int(best[row]), around, spread)
        found.append(Start(faces.templates[row // 4], start.turned(row % 4), float(tops[row])))
    return found


def _products(patches: Array, windows: npt.NDArray[np.int64], matrix: Array) -> Array:
    """Return the correlations of all windows of all patches with unit vectors, (patches x windows, vectors).

    The vectors have zero mean, so the windows need none: only their norms are to be worked out. One patch at a time
    stays in the processor's cache.
    """
    count, pixels = windows.shape
    values = np.empty((count, pixels), np.float32)
    products = np.empty((len(patches), count, len(matrix)), np.float32)
    for patch, product in zip(patches - patches.mean(), products, strict=True):
        np.take(patch, windows, out=values, mode="clip")
        squares = np.einsum("ij,ij->i", values, values) - (values @ _ones(pixels)) ** 2 / pixels
        np.matmul(values, matrix.T, out=product)
        product /= np.sqrt(np.maximum(squares, 1e-12))[:, None]
    return products.reshape(-1, len(matrix))


@cache
def _windows(margin: int, stride: int) -> npt.NDArray[np.int64]:
    """Return the flat indices of all windows in a patch with that margin, inside the mask: (windows, pixels)."""
    size = COARSE + 2 * margin
    down, right = np.nonzero(mask(COARSE))
    shifts = range(0, 2 * margin + 1, stride)
    return np.array([(down + y) * size + right + x for y in shifts for x in shifts])


def _start(row: int, around: Sequence[Place], spread: Spread) -> Place:
    """Return the place of one row of the product, in working pixels."""
    across = 2 * spread.margin // spread.stride + 1
    at = around[row // across**2]
    down, right = divmod(row % across**2, across)
    u, v = ((shift * spread.stride - spread.margin) * at.side / COARSE for shift in (right, down))
    c, s = math.cos(at.yaw), math.sin(at.yaw)
    return Place(at.x + c * u - s * v, at.y + s * u + c * v, at.side, at.yaw).scaled(2.0)


@dataclass(frozen=True, slots=True)
class Size:
    """The one side that the faces of a picture have, in working pixels, and what part of it they may differ."""

    side: float
    slack: float = SIZE_SLACK

    @property
    def sides(self) -> tuple[float, float]:
        """The least and the greatest side."""
        return self.side * (1 - self.slack), self.side * (1 + self.slack)

    def fits(self, side: float) -> bool:
        """Return whether a face with this side may be one of the picture's."""
        return self.sides[0] <= side <= self.sides[1]


def fit(prepared: Prepared, start: Start, size: Size | None = None) -> Fit:
    """Return where the start's template comes to rest; `size` holds the side."""
    low, high = size.sides if size else (start.place.side / FREE_SIZE, start.place.side * FREE_SIZE)
    place, _ = _settle(
        prepared.coarse, start.place.scaled(0.5), start.template.coarse, (low / 2, high / 2), COARSE_ROUNDS
    )
    place, ncc = _settle(prepared.fine, place.scaled(2.0), start.template.fine, (low, high), FINE_ROUNDS)
    return Fit(start.template.name, place, ncc)


def laid(picture: Array, place: Place, face: Template, sides: tuple[float, float]) -> Fit:
    """Return where a face of a side between two comes to rest on `picture` (square-root grey) near `place`."""
    found, ncc = _settle(picture, place, face.fine, sides, FINE_ROUNDS)
    return Fit(face.name, found, ncc)


def vector(picture: Array, place: Place, size: int) -> Array:
    """Return the unit vector of what is inside the mask of a patch at `place`."""
    values, norm = _centred(picture, place, size)
    return values / np.float32(norm)


def _centred(picture: Array, place: Place, size: int) -> tuple[Array, float]:
    """Return what is inside the mask of a patch at `place` with zero mean, and its norm."""
    patch = cv2.warpAffine(picture, place.matrix(size), (size, size), flags=_WARP, borderMode=cv2.BORDER_REPLICATE)
    values = np.asarray(patch, np.float32).ravel().take(_inside(size))
    values -= np.dot(values, _ones(values.size)) / values.size
    return values, max(math.sqrt(float(np.dot(values, values))), 1e-6)


_WARP = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


@cache
def _inside(size: int) -> npt.NDArray[np.int64]:
    return np.flatnonzero(mask(size))


@cache
def _ones(length: int) -> Array:
    return np.ones(length, np.float32)


def _settle(picture: Array, place: Place, level: Level, sides: tuple[float, float], rounds: int) -> tuple[Place, float]:
    """Return the best place met within `rounds` steps, and its correlation."""
    best, top = place, -1.0
    for turn in range(rounds + 1):
        values, norm = _centred(picture, place, level.size)
        products = level.rows @ values / np.float32(norm)
        score = float(products[0])
        if score > top:
            best, top = place, score
        if turn == rounds:
            break
        moved = _stepped(place, (products[1:] - level.rest).tolist(), sides)
        if abs(moved.x - place.x) + abs(moved.y - place.y) + abs(moved.side - place.side) < STEP_PX:
            break
        place = moved
    return best, top


def _stepped(place: Place, step: Sequence[float], sides: tuple[float, float]) -> Place:
    """Return the place after the inverse of a small step (half-sides, half-sides, radians, log of the side)."""
    u, v, turn, grow = (min(max(value, -0.2), 0.2) for value in step)
    half, c, s = place.side / 2, math.cos(place.yaw), math.sin(place.yaw)
    side = min(max(place.side * math.exp(-grow), sides[0]), sides[1])
    return Place(place.x - half * (c * u - s * v), place.y - half * (s * u + c * v), side, place.yaw - turn)
