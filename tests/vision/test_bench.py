"""The bench judges a reading as its contract has it, and bounds what it counted."""

from dataclasses import replace

import pytest

from vision.bench import Counted, Outcome, Spent, TrueDie, bound, judged, table, tallied
from vision.reading import DieReading, Reading

KING = TrueDie("K", (100.0, 100.0), side_px=50.0)
NO_TIME = Spent(0.0)


def given(face: str, x: float, y: float = 100.0) -> DieReading:
    return DieReading(face, 1.0, (x, y), "flat")


def judge(dice: list[TrueDie], *read: DieReading, hand: bool = True, readable: bool = True) -> Outcome:
    faces = tuple(str(die.face) for die in read)
    reading = Reading("read", faces, (), read) if hand else Reading.unsure(["too-few"], read)
    return judged("open", dice, readable, reading, NO_TIME)


def test_a_hand_that_lies_there_is_right_and_another_is_wrong() -> None:
    right, wrong = judge([KING], given("K", 101)), judge([KING], given("Q", 101))
    assert (right.verdict, right.dice_sure, right.dice_wrong) == ("right", 1, 0)
    assert (wrong.verdict, wrong.dice_sure, wrong.dice_wrong) == ("wrong", 0, 1)


def test_no_hand_is_unsure_but_right_where_none_could_be_read() -> None:
    assert judge([KING], hand=False).verdict == "unsure"
    assert judge([KING], hand=False, readable=False).verdict == "right"


def test_a_face_where_no_die_lies_is_wrong_though_a_die_has_it() -> None:
    assert judge([KING], given("K", 140), hand=False).dice_wrong == 1


def test_a_face_given_where_the_tray_is_empty_makes_the_frame_wrong() -> None:
    assert judge([], given("K", 100), hand=False).verdict == "wrong"


def test_a_die_under_a_raised_one_is_judged_by_its_own_face() -> None:
    raised = TrueDie("A", (101.0, 101.0), flat=False, side_px=45.0)
    assert judge([raised, KING], given("K", 101, 101), hand=False, readable=False).dice_wrong == 0


def test_without_a_known_size_the_nearest_die_counts() -> None:
    dice = [TrueDie("K", (100.0, 100.0)), TrueDie("Q", (300.0, 100.0))]
    assert judge(dice, given("K", 190), given("Q", 290)).dice_wrong == 0
    assert judge(dice, given("Q", 190), given("K", 290)).dice_wrong == 2


def test_without_places_a_face_counts_that_any_die_has() -> None:
    outcome = judge([TrueDie("K", None)], given("K", 5), given("Q", 6), hand=False)
    assert (outcome.dice_sure, outcome.dice_wrong) == (1, 1)


@pytest.mark.parametrize(("wrong", "count", "rate"), [(0, 300, 0.00994), (1, 100, 0.0466), (0, 300_000, 9.99e-6)])
def test_bounds_are_those_of_clopper_and_pearson(wrong: int, count: int, rate: float) -> None:
    assert bound(wrong, count) == pytest.approx(rate, rel=2e-3)


def outcome(group: str, verdict: Counted, dice_wrong: int = 0) -> tuple[str, Outcome]:
    return group, Outcome(group, verdict, True, 5, 5 - dice_wrong, dice_wrong, Spent(40.0, 10.0, 7.0))


def test_the_table_adds_up_each_condition_and_all() -> None:
    tallies = tallied([outcome("cup", "right"), outcome("open", "unsure"), outcome("cup", "wrong", 2)])
    assert [tallies[name].frames for name in ("cup", "open", "all")] == [2, 1, 3]
    last = table(tallies).splitlines()[-1].split()
    assert (last[:6], last[9:12], last[-3:]) == (
        ["all", "3", "3", "1", "1", "1"],
        ["15", "13", "2"],
        ["40.0", "10.0", "7.0"],
    )


def test_where_nothing_could_be_read_there_is_no_rate_of_unsure_frames() -> None:
    name, one = outcome("cocked", "right")
    row = table(tallied([(name, replace(one, readable=False))])).splitlines()[1].split()
    assert row[:8] == ["cocked", "1", "0", "1", "0", "0", "5.00%", "-"]


def test_nothing_counted_gives_a_table_of_dashes() -> None:
    assert table(tallied([])).splitlines()[-1].split()[6:9] == ["-", "-", "-"]
