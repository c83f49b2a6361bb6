"""The sign for the table's own Wi-Fi can be scanned from a print."""

import re

import cv2
import numpy as np
import pytest

from device.sign import sign
from vision.place import Frame


def drawn(path: str, side: int, dot: int = 8) -> Frame:
    """Return the code that a path of segno's draws: horizontal strokes, a dot high."""
    image = np.full((side * dot, side * dot, 3), 255, np.uint8)
    x = y = 0.0
    for letter, numbers in re.findall(r"([Mmh])([^Mmh]*)", path):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        if letter == "h":
            image[int(y - 0.5) * dot : int(y + 0.5) * dot, int(x) * dot : int(x + values[0]) * dot] = 0
            x += values[0]
        else:
            x, y = values if letter == "M" else (x + values[0], y + values[1])
    return image


def test_both_codes_say_what_stands_below_them() -> None:
    page = sign("The; Snug", "bid:well", "http://10.42.0.1/")
    codes = re.findall(r'viewBox="0 0 (\d+) \d+".*?d="([^"]+)"', page)
    read = [cv2.QRCodeDetector().detectAndDecode(drawn(path, int(side)))[0] for side, path in codes]
    assert read == [r"WIFI:T:WPA;S:The\; Snug;P:bid\:well;;", "http://10.42.0.1/"]
    assert "Network The; Snug, password<br><b>bid:well</b>" in page


@pytest.mark.parametrize("letters", ["<b>", "a&b12345"])
def test_letters_that_a_page_takes_for_signs_are_written_out(letters: str) -> None:
    assert letters not in sign("net", letters, "http://10.42.0.1/").split("</style>")[1].replace("<b>", "", 2)
