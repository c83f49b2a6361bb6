"""The small display of the console: 128 x 64 points on the I2C bus, driven by luma.oled where it is installed.

What stands on it is drawn here with OpenCV, so that it can be looked at without a display.
"""

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

WIDE, HIGH = 128, 64
ROWS = 4
LETTERS = 18  # a row: the font's widest letter but one is 7 points wide
FONT, SCALE = cv2.FONT_HERSHEY_SIMPLEX, 0.4

Picture = NDArray[np.uint8]
#: Shows a picture of HIGH x WIDE points, 0 dark and 255 lit.
Put = Callable[[Picture], None]


class Oled:
    """The display. `show` draws only what is new: every picture takes 25 ms of the bus."""

    def __init__(self, put: Put) -> None:
        """Show pictures with `put`."""
        self._put = put
        self._shown: tuple[str, ...] | None = None

    def show(self, lines: Sequence[str]) -> None:
        """Show `lines` one under the other, long ones broken between words."""
        rows = tuple(broken(lines))
        if rows != self._shown:
            self._put(drawn(rows))
            self._shown = rows


def broken(lines: Sequence[str]) -> list[str]:
    """Return `lines` in rows that fit, at most ROWS of them: the last ones, where the newest stands.

    >>> broken(["two pairs, J on top, with A", "say it"])
    ['two pairs, J on', 'top, with A', 'say it']
    """
    rows: list[str] = []
    for line in lines:
        row = ""
        for word in line.split():
            if row and len(row) + 1 + len(word) > LETTERS:
                rows.append(row)
                row = ""
            row = f"{row} {word}".strip()[:LETTERS]
        rows.append(row)
    return rows[-ROWS:]


def drawn(rows: Sequence[str]) -> Picture:
    """Return the picture of `rows`, (HIGH, WIDE), 0 or 255.

    >>> drawn(["a pair"]).shape, int(drawn([]).max())
    ((64, 128), 0)
    """
    picture = np.zeros((HIGH, WIDE), np.uint8)
    for number, row in enumerate(rows):
        cv2.putText(picture, row, (1, 12 + number * HIGH // ROWS), FONT, SCALE, 255, 1, cv2.LINE_8)
    return picture


def open_oled(address: int) -> Oled:
    """Return the display at `address` of the I2C bus. Raises ImportError without luma.oled, or what luma raises."""
    from luma.core.interface.serial import i2c
    from luma.oled.device import ssd1306
    from PIL import Image

    device = ssd1306(i2c(port=1, address=address), width=WIDE, height=HIGH)
    return Oled(lambda picture: device.display(Image.fromarray(picture).convert(device.mode)))
