"""Draws one die: a rounded cube in true perspective, with its prints, its shading and its blur."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.glyphs import SIZE
from vision.synth.optics import Camera, Points
from vision.synth.scene import Light, PlacedDie
from vision.synth.sets import Body, DieSet

Frame = NDArray[np.uint8]

_SUB = 4  # sixteenths of a pixel for OpenCV's polygons
_BANDS = 3  # flat strips that stand for each rounded edge
_AXES = np.vstack([np.eye(3)[i] * s for i in range(3) for s in (1.0, -1.0)])


@dataclass(frozen=True)
class View:
    """What it takes to draw dice besides the dice: camera, their set, and the light."""

    camera: Camera
    die_set: DieSet
    light: Light


@dataclass(frozen=True)
class Posed:
    """A die in place: rotation, middle, and its outlines in the frame."""

    turn: Points
    centre: Points
    down: int
    quad: Points
    hull: Points

    @property
    def tilt_deg(self) -> float:
        """How far the bottom face is from lying flat."""
        return float(np.degrees(np.arccos(np.clip(-(self.turn @ _AXES[self.down])[2], -1, 1))))

    @property
    def reach(self) -> tuple[int, int, int, int]:
        """The box (left, top, right, bottom) that holds the outline, in pixels."""
        low, high = np.floor(self.hull.min(0)).astype(int), np.ceil(self.hull.max(0)).astype(int)
        return int(low[0]), int(low[1]), int(high[0]) + 1, int(high[1]) + 1


def pose(die: PlacedDie, camera: Camera, die_set: DieSet) -> Posed:
    """Where the die is: `quad` is its unrounded bottom face (4, 2), clockwise from the print's upper left.

    The bottom is the face that looks down most: a die that tumbles by more than 45 degrees has come to another.
    """
    turn = die.turn(die_set.faces.index(die_set.opposite(die.face_up)))
    down = int(np.argmin((_AXES @ turn.T)[:, 2]))
    centre = die.centre_mm(die_set.body, turn)
    quad = camera.project(_corners(down) * die_set.body.edge_mm / 2 @ turn.T + centre)
    rim = camera.project(_rim(die_set.body) @ turn.T + centre)
    return Posed(turn, centre, down, quad, cv2.convexHull(rim.astype(np.float32))[:, 0].astype(float))


def faces_seen(die: PlacedDie, camera: Camera, die_set: DieSet) -> list[tuple[Points, float]]:
    """The faces that look towards the lens: each one's unrounded square (4, 2) in pixels, and its tilt in degrees."""
    posed = pose(die, camera, die_set)
    half = die_set.body.edge_mm / 2
    normals = _AXES @ posed.turn.T
    towards = ((posed.centre + normals * half - camera.eye_mm) * normals).sum(1) < 0
    return [
        (
            camera.project(_corners(int(number)) * half @ posed.turn.T + posed.centre),
            float(np.degrees(np.arccos(np.clip(-normals[number, 2], -1, 1)))),
        )
        for number in np.flatnonzero(towards)
    ]


@lru_cache(maxsize=6)
def _corners(face: int) -> Points:
    """The four corners (4, 3) of a face of the cube of half-edge 1, clockwise as seen from outside."""
    out = _AXES[face]
    right = np.roll(out, 1)
    down = np.cross(out, right)
    # Seen from outside, x to the right and y down needs right x down to point away from the eye: -out.
    down = -down
    return np.array([out - right - down, out + right - down, out + right + down, out - right + down])


@lru_cache(maxsize=64)
def _ball() -> Points:
    grid = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)])
    return np.asarray(grid / np.linalg.norm(grid, axis=1, keepdims=True))


@lru_cache(maxsize=256)
def _rim(body: Body) -> Points:
    """Points (N, 3) on the rounded corners: their hull is the outline."""
    inner = body.edge_mm / 2 - body.radius_mm
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * inner
    return np.asarray((corners[:, None] + body.radius_mm * _ball()[None]).reshape(-1, 3))


@lru_cache(maxsize=256)
def _rounding(body: Body) -> tuple[Points, Points]:
    """The rounded edges and corners as quads (N, 4, 3) with normals (N, 3), in body axes."""
    inner, radius = body.edge_mm / 2 - body.radius_mm, body.radius_mm
    cores, normals, all_normals = _bands()
    return cores * inner + all_normals * radius, normals


@lru_cache(maxsize=1)
def _bands() -> tuple[Points, Points, Points]:
    """The rounding of a cube of inner half-edge 1: its corner points (N, 4, 3), mean normals, normals of the points."""
    cores, normals, ways_out = [], [], []
    turns = np.linspace(0, np.pi / 2, _BANDS + 1)
    for along in range(3):
        u, v = np.eye(3)[(along + 1) % 3], np.eye(3)[(along + 2) % 3]
        for su in (-1.0, 1.0):
            for sv in (-1.0, 1.0):
                base = su * u + sv * v
                span = np.eye(3)[along]
                ways = [np.cos(t) * su * u + np.sin(t) * sv * v for t in turns]
                for a, b in pairwise(ways):
                    cores.append([base - span, base + span, base + span, base - span])
                    ways_out.append([a, a, b, b])
                    normals.append((a + b) / np.linalg.norm(a + b))
    for corner in np.array([(x, y, z) for x in (-1.0, 1) for y in (-1.0, 1) for z in (-1.0, 1)]):
        for tri in _octant():
            cores.append([corner] * 4)
            ways_out.append([*(np.array(tri) * corner), tri[2] * corner])
            normals.append(np.mean(tri, 0) * corner / np.linalg.norm(np.mean(tri, 0)))
    return np.array(cores), np.array(normals), np.array(ways_out)


def _octant() -> list[list[Points]]:
    x, y, z = np.eye(3)
    xy, yz, zx = ((a + b) / np.sqrt(2) for a, b in ((x, y), (y, z), (z, x)))
    return [[x, xy, zx], [y, yz, xy], [z, zx, yz], [xy, yz, zx]]


def draw_die(frame: Frame, die: PlacedDie, posed: Posed, view: View) -> None:
    """Draws the die into the frame (height, width, 3), in place."""
    smear = _smear(die, posed, view.camera)
    pad = 3 + (0 if smear is None else max(smear.shape))
    left, top, right, bottom = posed.reach
    left, top, right, bottom = left - pad, top - pad, right + pad, bottom + pad
    if right <= 0 or bottom <= 0 or left >= frame.shape[1] or top >= frame.shape[0]:
        return
    patch, alpha = _patch(view, posed, (left, top, right, bottom))
    if smear is not None:
        lit = cv2.multiply(patch, cv2.merge([alpha] * 3), scale=1 / 255)
        patch = np.asarray(cv2.filter2D(lit, -1, smear), np.uint8)
        alpha = np.asarray(cv2.filter2D(alpha, -1, smear), np.uint8)
    _blend(frame, patch, alpha, (left, top), smear is not None)


def _smear(die: PlacedDie, posed: Posed, camera: Camera) -> NDArray[np.float32] | None:
    """A kernel along the way the die moves while the shutter is open, or None if it rests."""
    ends = camera.project(np.array([posed.centre, posed.centre + np.array([*die.blur_mm, 0.0])]))
    way = ends[1] - ends[0]
    length = float(np.hypot(*way))
    if length < 1.0:
        return None
    half = int(np.ceil(length / 2)) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    points = np.round((half + np.array([-way / 2, way / 2])) * 16).astype(np.int32)
    cv2.polylines(kernel, [points], False, 1.0, 1, cv2.LINE_8, _SUB)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _patch(view: View, posed: Posed, box: tuple[int, int, int, int]) -> tuple[Frame, Frame]:
    """The die alone (h, w, 3) and how far it covers each pixel (h, w)."""
    origin = np.array(box[:2], float)
    size = (box[3] - box[1], box[2] - box[0])
    patch = np.empty((*size, 3), np.uint8)
    body = np.array(view.die_set.body.colour)
    tones = shade(np.vstack([posed.turn[:, 2], _AXES @ posed.turn.T]), view.light)
    patch[:] = np.clip(body * tones[0], 0, 255)
    _draw_rounding(patch, posed, view, origin)
    for face in _faces(posed, view, origin):
        _draw_face(patch, face, tones[1 + face.number], view.die_set)
    if view.light.slope:
        _slope(patch, view.light)
    alpha = np.zeros(size, np.uint8)
    cover = int(255 * (1 - 0.5 * view.die_set.body.clear))
    cv2.fillConvexPoly(alpha, _fixed(posed.hull - origin), cover, cv2.LINE_AA, _SUB)
    return patch, alpha


def shade(normals: Points, light: Light) -> Points:
    """How bright surfaces with these normals (N, 3, tray axes) are: (N, 3), a factor for each channel."""
    azimuth = np.radians(light.azimuth_deg)
    way = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    below = np.clip(-normals[:, 2], 0, 1)
    side = np.clip(normals @ way, 0, 1) + 0.35 * np.clip(-(normals @ way), 0, 1)
    value = light.ambient * (0.6 + 0.4 * below) + light.face * below + light.side * side
    value = value + light.around * np.hypot(normals[:, 0], normals[:, 1]) * (1 - 0.3 * np.clip(normals[:, 2], 0, 1))
    slant = np.clip(normals @ (way * 0.7 + np.array([0, 0, -0.7])), 0, 1) ** 40
    rounded = 1.0 - np.abs(normals).max(1)
    value = value + light.gleam * slant * (rounded > 0.02)
    return np.asarray(value[:, None] * np.array(light.tint))


def _draw_rounding(patch: Frame, posed: Posed, view: View, origin: Points) -> None:
    body, camera = view.die_set.body, view.camera
    quads, normals = _rounding(body)
    normals = normals @ posed.turn.T
    points = quads @ posed.turn.T + posed.centre
    seen = ((points.mean(1) - camera.eye_mm) * normals).sum(1) < 0
    pixels = camera.project(points[seen].reshape(-1, 3)) - origin
    tone = shade(normals[seen], view.light)
    gleam = body.gloss * view.light.gleam * 120 * (tone / (tone.max() + 1e-6)) ** 3
    colours = np.clip(np.array(body.colour) * tone + gleam, 0, 255)
    for outline, colour in zip(_fixed(pixels).reshape(-1, 4, 2), colours, strict=True):
        cv2.fillConvexPoly(patch, outline, tuple(map(float, colour)), cv2.LINE_8, _SUB)


@dataclass(frozen=True)
class _Face:
    """A face in sight: its number, its whole square, which carries the texture, and the flat part that shows it."""

    number: int
    corners: Points
    outline: Points


def _faces(posed: Posed, view: View, origin: Points) -> list[_Face]:
    """The faces that look towards the lens, in pixels from `origin`."""
    half = view.die_set.body.edge_mm / 2
    normals = _AXES @ posed.turn.T
    towards = ((posed.centre + normals * half - view.camera.eye_mm) * normals).sum(1) < 0
    numbers = np.flatnonzero(towards)
    if not len(numbers):
        return []
    squares = _squares(view.die_set.body)[numbers].reshape(-1, 3)
    pixels = (view.camera.project(squares @ posed.turn.T + posed.centre) - origin).reshape(-1, 8, 2)
    return [_Face(int(number), eight[:4], eight[4:]) for number, eight in zip(numbers, pixels, strict=True)]


@lru_cache(maxsize=256)
def _squares(body: Body) -> Points:
    """For each face, in body axes, the corners of its square and of the flat part inside the rounding (6, 8, 3)."""
    half = body.edge_mm / 2
    rows = []
    for face in range(6):
        whole = _corners(face) * half
        inside = np.where(np.abs(_AXES[face]) > 0.5, whole, whole * (1 - body.radius_mm / half))
        rows.append(np.concatenate([whole, inside]))
    return np.array(rows)


def _draw_face(patch: Frame, face: _Face, tone: Points, die_set: DieSet) -> None:
    """Draws the texture where the face's flat part shows it; only that box of the patch is touched."""
    low = np.maximum(np.floor(face.outline.min(0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(face.outline.max(0)).astype(int) + 3, patch.shape[1::-1])
    if (high <= low).any():
        return
    texture = _texture(die_set, face.number, face.corners)
    toned = cv2.multiply(texture, np.array([*tone, 0.0]))
    size = texture.shape[0]
    square = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(square, (face.corners - low).astype(np.float32))
    where = (int(high[0] - low[0]), int(high[1] - low[1]))
    printed = cv2.warpPerspective(toned, matrix, where, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(where[::-1], np.uint8)
    cv2.fillConvexPoly(mask, _fixed(face.outline - low), 255, cv2.LINE_AA, _SUB)
    cv2.copyTo(printed, mask, patch[low[1] : high[1], low[0] : high[0]])


def _slope(patch: Frame, light: Light) -> None:
    """Light falls off across a die."""
    way = np.radians(light.azimuth_deg)
    height, width = patch.shape[:2]
    across = np.linspace(-1, 1, width, dtype=np.float32) * np.float32(np.cos(way) * light.slope)
    along = np.linspace(-1, 1, height, dtype=np.float32) * np.float32(np.sin(way) * light.slope)
    field = np.clip(128 * (1 + across[None, :] + along[:, None]), 0, 255).astype(np.uint8)
    cv2.multiply(patch, cv2.merge([field] * 3), patch, scale=1 / 128)


def _texture(die_set: DieSet, face: int, corners: Points) -> Frame:
    side = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[1])) / 2
    ladder = die_set.textures[die_set.faces[face]]
    return ladder[int(np.clip(np.floor(np.log2(SIZE / max(side, 1.0) / 0.8)), 0, len(ladder) - 1))]


def _fixed(points: Points) -> NDArray[np.int32]:
    return np.round(points * (1 << _SUB)).astype(np.int32)


def _blend(frame: Frame, patch: Frame, alpha: Frame, at: tuple[int, int], premixed: bool) -> None:
    """Lays the patch over the frame, cut to the frame."""
    x0, y0 = max(at[0], 0), max(at[1], 0)
    x1, y1 = min(at[0] + patch.shape[1], frame.shape[1]), min(at[1] + patch.shape[0], frame.shape[0])
    cut = (slice(y0 - at[1], y1 - at[1]), slice(x0 - at[0], x1 - at[0]))
    cover = cv2.merge([alpha[cut]] * 3)
    under = frame[y0:y1, x0:x1]
    rest = cv2.multiply(under, cv2.bitwise_not(cover), scale=1 / 255)
    over = patch[cut] if premixed else cv2.multiply(np.ascontiguousarray(patch[cut]), cover, scale=1 / 255)
    frame[y0:y1, x0:x1] = cv2.add(rest, over)
