"""Pictures of exposures: their names, and where the dice of a reading lie in them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np

from device.journal import Evidence
from device.proof import reading_of
from device.sources import Pixels
from vision.draw import annotate
from vision.reading import DieReading

#: Of pictures that everybody sees.
JPEG_QUALITY = 85

_NAME = re.compile(r"tray-(\d{1,12})")


def picture_name(evidence: int) -> str:
    """Return the name under which a shown photograph is served, as `/exposure/NAME.jpg`.

    >>> evidence_of(picture_name(7))
    7
    """
    return f"tray-{evidence}"


def evidence_of(name: str) -> int | None:
    """Return the number in a picture's name, or None if it is no such name."""
    match = _NAME.fullmatch(name)
    return None if match is None else int(match.group(1))


def drawn(evidence: Evidence) -> bytes | None:
    """Return the photograph with its reading drawn on it as a JPEG, or None if there is no photograph any more."""
    if evidence.jpeg is None:
        return None
    picture = cv2.imdecode(np.frombuffer(evidence.jpeg, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        return None
    reading = reading_of(evidence.reading)
    drawing = close_up(annotate(np.asarray(picture, np.uint8), reading), reading.dice)
    return cv2.imencode(".jpg", drawing, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


def close_up(picture: Pixels, dice: Sequence[DieReading]) -> Pixels:
    """Return the square part of `picture` in which the `dice` lie, two dice' breadths around them; all without dice.

    On a screen over a bar dice of a twentieth of the picture would be specks.
    """
    if not dice:
        return picture
    centres = np.array([die.centre_px for die in dice])
    margin = 2.0 * max(max(die.side_px for die in dice), 0.02 * picture.shape[1])
    low, high = centres.min(axis=0), centres.max(axis=0)
    half = min(float((high - low).max()) / 2 + margin, min(picture.shape[:2]) / 2)
    x, y = ((low[i] + high[i]) / 2 for i in (0, 1))
    left = round(min(max(x - half, 0.0), picture.shape[1] - 2 * half))
    top = round(min(max(y - half, 0.0), picture.shape[0] - 2 * half))
    return picture[top : top + round(2 * half), left : left + round(2 * half)]


def places(evidence: Evidence, mirrored: bool) -> tuple[Mapping[str, Any], ...]:
    """Return the certain dice of a reading: `face`, and `x`, `y` from 0 to 1 as a person sees them from above.

    `mirrored` says that the camera looks up, so that its left is a person's right.
    """
    if evidence.jpeg is None:
        return ()
    height, width = _size(evidence.jpeg)
    dice = [die for die in reading_of(evidence.reading).dice if die.face is not None]
    return tuple(_place(die, width, height, mirrored) for die in dice)


def _place(die: DieReading, width: int, height: int, mirrored: bool) -> Mapping[str, Any]:
    x, y = die.centre_px[0] / width, die.centre_px[1] / height
    return {"face": die.face, "x": round(1 - x if mirrored else x, 3), "y": round(y, 3)}


def _size(jpeg: bytes) -> tuple[int, int]:
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_REDUCED_GRAYSCALE_8)
    if picture is None:
        return 1, 1
    return picture.shape[0] * 8, picture.shape[1] * 8
