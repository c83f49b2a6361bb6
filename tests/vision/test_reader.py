"""The reader names what lies there, and says why when it does not."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from vision.dice_set import DiceSet
from vision.draw import annotate
from vision.finder import Finding
from vision.pips import PATTERNS, pips
from vision.reader import Reader
from vision.synth import Lens, Scene, dark, western

HANDS = (["K", "K", "10", "9", "A"], ["J", "Q", "9", "9", "10"], ["A"], ["Q", "J"])


@pytest.fixture(scope="module")
def reader(poker: DiceSet, table: Any) -> Reader:
    """Return a reader of the classic dice that is told where squares are."""
    return Reader(poker, find=table.find)


@pytest.mark.parametrize("hand", HANDS)
def test_a_hand_is_read_with_and_without_its_number(hand: list[str], reader: Reader, table: Any) -> None:
    frame = table.lay(hand, 200.0)
    for expect in (None, len(hand)):
        reading = reader.read(frame, expect)
        assert reading.status == "read"
        assert sorted(reading.hand or ()) == sorted(hand)


def test_a_hand_is_told_with_the_highest_first(reader: Reader, table: Any) -> None:
    assert reader.read(table.lay(["9", "A", "10", "K", "A"])).hand == ("A", "A", "K", "10", "9")


def test_a_missing_die_makes_the_reading_unsure_but_keeps_the_others(reader: Reader, table: Any) -> None:
    reading = reader.read(table.lay(["K", "Q", "J", "10"]), 5)
    assert (reading.status, reading.hand, reading.reasons) == ("unsure", None, ("too-few",))
    assert sorted(die.face or "" for die in reading.dice) == ["10", "J", "K", "Q"]


def test_one_die_too_many_is_no_hand(reader: Reader, table: Any) -> None:
    assert reader.read(table.lay(["K", "Q", "J"]), 2).reasons == ("too-many",)


def test_an_empty_tray_has_no_dice(reader: Reader, table: Any) -> None:
    assert reader.read(table.lay([])).reasons == ("no-dice",)


def test_a_die_of_another_make_is_not_named(reader: Reader, table: Any) -> None:
    foreign = type(table)(dice=dark())
    frame = foreign.lay(["K", "Q", "J", "10", "9"])
    reading = Reader(reader.dice_set, find=foreign.find).read(frame, 5)
    assert reading.status == "unsure"
    assert all(die.face is None for die in reading.dice)


def test_faces_tell_the_size_where_the_finder_takes_anything_for_a_die(reader: Reader, table: Any) -> None:
    frame = table.lay(["K", "Q", "J"])
    first, *others = table.find(frame).squares
    speck = replace(first, centre_px=(1300.0, 760.0), side_px=0.3 * first.side_px)
    squares = (first, speck, *(replace(one, heat=0.45) for one in others))
    reading = Reader(reader.dice_set, find=lambda _: Finding(squares)).read(frame, 3)
    assert reading.hand == ("K", "Q", "J")


def test_a_dark_frame_says_so(reader: Reader, table: Any, lay: Any) -> None:
    frame = table.frame(Scene(tuple(lay(["K", "Q", "J"])), lens=Lens(exposure=0.002)))
    reading = reader.read(frame, 3)
    assert reading.status == "unsure"
    assert "too-dark" in reading.reasons


def test_a_die_at_the_edge_of_the_picture_is_out_of_view(reader: Reader, table: Any, lay: Any) -> None:
    dice = lay(["K", "Q", "J"])
    dice[0] = replace(dice[0], x_mm=-107.0)
    reading = reader.read(table.frame(Scene(tuple(dice))), 3)
    assert reading.status == "unsure"
    assert "out-of-view" in reading.reasons


@pytest.mark.parametrize("body", [(235.0, 235.0, 235.0), (40.0, 40.0, 170.0)])
def test_pip_dice_need_no_enrolment(body: tuple[float, float, float], table: Any) -> None:
    ink = (20.0, 20.0, 20.0) if body[0] > 200 else (240.0, 240.0, 240.0)
    mine = type(table)(dice=western(body=body, ink=ink))
    hand = ["1", "2", "6", "4", "5"]
    frame = mine.lay(hand)
    below = Reader(pips(), "below", find=mine.find).read(frame, 5)
    assert sorted(below.hand or ()) == sorted(hand)
    above = Reader(pips(), "above", find=mine.find).read(frame, 5)
    assert sorted(above.hand or ()) == sorted(str(7 - int(face)) for face in hand)


def test_opposite_faces_of_pip_dice_sum_to_seven() -> None:
    assert all(int(a) + int(b) == 7 for a, b in pips().opposites)
    assert set(PATTERNS) == set(pips().order)


def test_a_set_enrolled_below_is_not_read_from_above(poker: DiceSet) -> None:
    with pytest.raises(ValueError, match="enrolled from below"):
        Reader(poker, "above")


@pytest.mark.parametrize("shape", [(1, 1, 3), (2, 900, 3), (900, 2, 3), (33, 47, 3), (432, 768, 3)])
def test_frames_of_odd_shapes_have_no_dice(shape: tuple[int, int, int], reader: Reader) -> None:
    rng = np.random.default_rng(3)
    for frame in (np.zeros(shape, np.uint8), rng.integers(0, 256, shape, dtype=np.uint8)):
        assert reader.read(frame, 5).status == "unsure"
        assert Reader(reader.dice_set).read(frame).status == "unsure"


def test_a_drawing_marks_every_die_and_leaves_the_frame_alone(reader: Reader, table: Any) -> None:
    frame = table.lay(["K", "Q", "J", "10", "9"])
    before = frame.copy()
    drawn = annotate(frame, reader.read(frame, 5))
    assert np.array_equal(frame, before)
    assert drawn.shape == frame.shape
    assert not np.array_equal(drawn, frame)


def test_no_squares_means_no_dice(poker: DiceSet) -> None:
    frame = np.full((864, 1536, 3), 90, np.uint8)
    assert Reader(poker, find=lambda _: Finding(())).read(frame, 0).reasons == ("no-dice",)
