"""Opens pictures and films that people hand in, whatever they are, as frames: BGR, uint8, (height, width, 3)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Frame = NDArray[np.uint8]

LARGEST_PX = 24_000_000
"""Pictures with more pixels are read at a half, a quarter or an eighth: a phone's 24 megapixels stay whole, and a
reading never takes more than a tenth of a small Pi's memory for the picture."""
MOST_PX = 1 << 30
"""Pictures that claim more pixels are refused: OpenCV's own limit."""

MOST_FPS = 1000.0
"""Frames a second above which a film's word is not taken: some tell their clock's ticks instead."""

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp", ".pgm", ".ppm")
"""Endings that count as pictures in a folder."""


class BadPicture(ValueError):
    """A file that is no picture or film; the message is one sentence that names it."""


def load(path: str | Path) -> Frame:
    """The picture in the file, turned as its EXIF says, 16 bits and grey and transparency brought to plain BGR.

    Very large pictures come back at a half, a quarter or an eighth of their size. Raises `BadPicture` if the file is
    missing, a folder, empty, cut off (dice could lie in the part that is gone) or no picture.
    """
    path = Path(path)
    if path.is_dir():
        raise BadPicture(f"{path} is a folder, not a picture.")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise BadPicture(f"{path} is not there.") from None
    except OSError as trouble:
        raise BadPicture(f"{path} cannot be read: {trouble.strerror or trouble}.") from None
    if not data:
        raise BadPicture(f"{path} is empty.")
    try:
        return decode(data)
    except BadPicture as trouble:
        raise BadPicture(f"{path} cannot be read: {str(trouble)[0].lower()}{str(trouble)[1:]}") from None


def decode(data: bytes) -> Frame:
    """The picture in some bytes, as `load` gives it. Raises `BadPicture` if there is none or only a part."""
    size = size_of(data)
    if size is not None and size[0] * size[1] > MOST_PX:
        raise BadPicture("The picture claims to be larger than any camera's.")
    if cut_off(data):
        raise BadPicture("The picture is cut off, the file ends too early.")
    buffer = np.frombuffer(data, np.uint8)
    try:
        raw = cv2.imdecode(buffer, _flags(size)) if len(buffer) else None
    except cv2.error:
        raw = None
    if raw is None or raw.size == 0:
        raise BadPicture("It is damaged or no picture at all.")
    return plain(np.asarray(raw))


def _flags(size: tuple[int, int] | None) -> int:
    """How to decode: whole with all its bits and channels, or smaller."""
    pixels = size[0] * size[1] if size else 0
    for reduced, flag in (
        (1, cv2.IMREAD_ANYDEPTH | cv2.IMREAD_COLOR),
        (4, cv2.IMREAD_REDUCED_COLOR_2),
        (16, cv2.IMREAD_REDUCED_COLOR_4),
    ):
        if pixels <= LARGEST_PX * reduced:
            return int(flag)
    return int(cv2.IMREAD_REDUCED_COLOR_8)


def plain(raw: NDArray[np.generic]) -> Frame:
    """An array of any picture's shape and depth as BGR uint8. Raises `BadPicture` for anything else.

    >>> plain(np.full((2, 3), 65535, np.uint16))[0, 0].tolist()
    [255, 255, 255]
    """
    if raw.ndim not in (2, 3) or raw.size == 0 or (raw.ndim == 3 and raw.shape[2] not in (1, 3, 4)):
        raise BadPicture(f"An array of shape {raw.shape} is no picture.")
    levels = _levels(raw)
    if levels.ndim == 3 and levels.shape[2] == 4:
        return np.asarray(cv2.cvtColor(levels, cv2.COLOR_BGRA2BGR), np.uint8)
    if levels.ndim == 2 or levels.shape[2] == 1:
        return np.asarray(cv2.cvtColor(levels, cv2.COLOR_GRAY2BGR), np.uint8)
    return np.ascontiguousarray(levels)


def _levels(raw: NDArray[np.generic]) -> NDArray[np.uint8]:
    if raw.dtype == np.uint8:
        return np.asarray(raw, np.uint8)
    if raw.dtype == np.uint16:
        return np.asarray(np.asarray(raw, np.uint16) >> 8, np.uint8)
    if raw.dtype == np.bool_:
        return np.asarray(raw, np.uint8) * np.uint8(255)
    values = np.clip(np.nan_to_num(np.asarray(raw, np.float64), nan=0.0), 0, 255)
    top = 1.0 if np.issubdtype(raw.dtype, np.floating) and float(values.max()) <= 1.0 else 255.0
    return np.asarray(values * (255.0 / top), np.uint8)


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height that a JPEG's or PNG's head claims, or None: known before anything large is unpacked."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    return _jpeg_size(data) if data.startswith(b"\xff\xd8") else None


def cut_off(data: bytes) -> bool:
    """Whether a JPEG or PNG lacks its end mark. Other kinds of picture are not judged.

    >>> cut_off(cv2.imencode(".png", np.zeros((9, 9), np.uint8))[1].tobytes()[:-9])
    True
    """
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return b"IEND" not in data[-4096:]
    if not data.startswith(b"\xff\xd8"):
        return False
    at = 2  # the end mark counts only behind the head: a thumbnail in the head has its own
    while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] != 0xDA:
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return data.find(b"\xff\xd9", at) < 0


_FRAME_MARKS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        if data[at + 1] in _FRAME_MARKS:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def frames(path: str | Path) -> Iterator[tuple[int, Frame]]:
    """The frames of a folder of pictures (by name) or of a film, numbered from 0.

    Pictures in a folder that cannot be read are left out, but count. Raises `BadPicture` if nothing can be read at
    all.
    """
    path = Path(path)
    numbered = _folder(path) if path.is_dir() else _film(path)
    seen = False
    for number, frame in numbered:
        seen = True
        yield number, frame
    if not seen:
        raise BadPicture(f"{path} holds no picture that can be read.")


def rate(path: str | Path) -> float | None:
    """How many frames a second a film says it has, or None: a folder, no film, or a film that does not tell."""
    path = Path(path)
    if not path.is_file() or path.suffix.lower() in PICTURES:
        return None
    film = cv2.VideoCapture(str(path))
    try:
        told = float(film.get(cv2.CAP_PROP_FPS))
    finally:
        film.release()
    return told if 0 < told < MOST_FPS else None


def _folder(path: Path) -> Iterator[tuple[int, Frame]]:
    names = sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES)
    for number, name in enumerate(names):
        try:
            yield number, load(name)
        except BadPicture:
            continue


def _film(path: Path) -> Iterator[tuple[int, Frame]]:
    if not path.is_file():
        raise BadPicture(f"{path} is not there.")
    if path.stat().st_size == 0:
        raise BadPicture(f"{path} is empty.")
    if path.suffix.lower() in PICTURES:
        yield 0, load(path)
        return
    film = cv2.VideoCapture(str(path))
    try:
        number = 0
        while True:
            read, frame = film.read()
            if not read:
                return
            yield number, plain(np.asarray(frame))
            number += 1
    finally:
        film.release()
