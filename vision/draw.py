"""Drawing a reading on its frame: for the screen's photograph of the exposure and for the documentation."""

import math

import cv2
import numpy as np

from vision.place import Frame, Place
from vision.reading import DieReading, Reading

COLOURS = {"flat": (80, 200, 60), "cocked": (0, 140, 255), "unclear": (60, 60, 230)}
"""BGR of a die's square by its state: green, orange, red."""
INK, SHADE = (255, 255, 255), (0, 0, 0)


def annotate(frame: Frame, reading: Reading) -> Frame:
    """Return a copy of `frame` (BGR) with a square, a name and a state on every die of the reading."""
    drawn = np.ascontiguousarray(frame).copy()
    for die in reading.dice:
        _square(drawn, die)
    for die in reading.dice:
        _label(drawn, die)
    return drawn


def _square(drawn: Frame, die: DieReading) -> None:
    side = die.side_px or 0.07 * drawn.shape[1]
    place = Place(*die.centre_px, side, math.radians(die.yaw_deg))
    thick = max(2, round(side / 28))
    corners = np.round(place.corners() * 16).astype(np.int32)
    cv2.polylines(drawn, [corners], True, SHADE, thick + 2, cv2.LINE_AA, 4)
    cv2.polylines(drawn, [corners], True, COLOURS[die.state], thick, cv2.LINE_AA, 4)


def _label(drawn: Frame, die: DieReading) -> None:
    """Write the face, or the state of a die without one, above its square."""
    side = die.side_px or 0.07 * drawn.shape[1]
    words = die.face if die.face is not None else "?" if die.state == "unclear" else die.state
    size = max(0.5, side / 90)
    (width, height), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    x = round(die.centre_px[0] - width / 2)
    y = round(max(die.centre_px[1] - 0.75 * side, height + 6))
    x = min(max(x, 4), max(drawn.shape[1] - width - 4, 4))
    cv2.rectangle(drawn, (x - 6, y - height - 6), (x + width + 6, y + 8), COLOURS[die.state], cv2.FILLED)
    cv2.putText(drawn, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, SHADE, 4, cv2.LINE_AA)
    cv2.putText(drawn, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, INK, 2, cv2.LINE_AA)
