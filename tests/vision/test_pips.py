"""Pip dice that nobody enrolled: what their spots may be taken for, and the colours they may have."""

from typing import Any

import cv2
import numpy as np
import pytest

from vision.align import Size
from vision.looks import again, known, look
from vision.pips import counted, drawn, pips, plainest
from vision.place import Frame, Place
from vision.prepared import place_of, prepare
from vision.reader import Reader
from vision.synth import western

LIME, PINK = (60.0, 235.0, 0.0), (200.0, 160.0, 190.0)
"""Ink and body (RGB) that are nearly as bright as each other."""


def four(spread: float) -> Frame:
    """Return a frame with a light four on light ground whose pips lie so far from its middle, in half-sides."""
    frame = np.full((200, 200, 3), 215, np.uint8)
    cv2.rectangle(frame, (70, 70), (130, 130), (225, 225, 225), cv2.FILLED)
    cv2.rectangle(frame, (70, 70), (130, 130), (195, 195, 195), 2)
    for u in (-1, 1):
        for v in (-1, 1):
            at = (round(100 + u * spread * 30), round(100 + v * spread * 30))
            cv2.circle(frame, at, 5, (30, 30, 30), cv2.FILLED, cv2.LINE_AA)
    return frame


@pytest.mark.parametrize("spread", [0.45, 0.52, 0.58])
def test_two_neighbours_of_a_four_are_no_two(spread: float) -> None:
    prepared, dice = prepare(four(spread), 1.0), known(pips())
    first = look(prepared, Place(100.0, 100.0, 60.0, 0.05), 0.9, dice)
    seen = again(prepared, first, dice, Size(60.0))
    assert seen.face == "4"
    assert seen.counted == "4"


@pytest.mark.parametrize(("hidden", "count"), [(0.0, "2"), (0.2, "2"), (0.5, None)])
def test_a_pip_of_which_half_is_hidden_is_not_counted(hidden: float, count: str | None) -> None:
    """A lamp as bright as the die lies over the middle and a part of the second pip."""
    face = drawn("2", 0.48)
    top = 46.9 - 6.1  # pixels: the upper end of the second pip
    face[30 : round(top + hidden * 12.2), :] = face[2, 2]
    assert counted(face) == count


def test_pips_as_bright_as_their_die_are_seen_in_their_colour(table: Any) -> None:
    mine = type(table)(dice=western(16.0, PINK, LIME))
    frame = mine.lay(["6", "2", "3", "4", "5"])
    reading = Reader(pips(), find=mine.find).read(frame, 5)
    assert reading.hand == ("6", "5", "4", "3", "2")


def test_pips_that_grey_shows_plainly_stay_grey(table: Any) -> None:
    mine = type(table)(dice=western(16.0, (230.0, 230.0, 230.0), (20.0, 20.0, 90.0)))
    frame = mine.lay(["6", "2"])
    prepared = prepare(frame)
    places = [place_of(square, prepared) for square in mine.find(frame).squares]
    assert plainest(prepared, places) is prepared
    assert plainest(prepared, []) is prepared
