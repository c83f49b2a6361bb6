"""Light on pip dice that would be pips."""

import math
from typing import Any

import cv2
import numpy as np

from vision.pips import pips
from vision.place import Frame, Place
from vision.prepared import place_of, prepare
from vision.reader import Reader
from vision.synth import PlacedDie, Scene, western

GREY, GREEN = (95.0, 105.0, 100.0), (20.0, 60.0, 45.0)
"""Body and dark pips (RGB) of dice beside which mirrored lamps are bright."""


def with_lamps(frame: Frame, place: Place) -> Frame:
    """Return the frame with three small lamps mirrored in the die at `place`, from corner to corner."""
    lamps, reach = frame.copy(), 0.48 * place.side / 2
    c, s = math.cos(place.yaw), math.sin(place.yaw)
    for step in (-1, 0, 1):
        at = (round(place.x + step * reach * (c - s)), round(place.y + step * reach * (s + c)))
        cv2.circle(lamps, at, round(0.2 * place.side / 2), (240, 240, 240), cv2.FILLED, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(lamps, (5, 5), 1.2), np.uint8)


def test_a_chain_of_lamps_mirrored_in_a_one_is_no_three(table: Any) -> None:
    mine = type(table)(dice=western(body=GREY, ink=GREEN))
    dice = tuple(PlacedDie(face, x, 0.0, 20.0) for face, x in (("6", -60.0), ("5", -30.0), ("3", 30.0), ("6", 60.0)))
    frame = mine.frame(Scene(dice))
    squares = mine.find(frame)
    plain = Reader(pips(), find=lambda _: squares).read(frame, 4)
    assert plain.hand == ("6", "6", "5", "3")
    one = squares.squares[0]
    lit = with_lamps(frame, place_of(one, prepare(frame, 1.0)))
    among = Reader(pips(), find=lambda _: squares).read(lit, 4)
    assert among.status == "unsure"
    assert "glare" in among.reasons
    assert sorted(die.face for die in among.dice if die.face is not None) == ["3", "5", "6"]
