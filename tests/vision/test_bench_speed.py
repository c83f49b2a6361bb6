"""The speed bench reads frames of dice in sight by every way, and says of each bar whether it is met."""

from collections import Counter

import numpy as np
import pytest

from vision.bench import Counted, Outcome, Spent
from vision.bench_sets import enrolment
from vision.bench_speed import Speed, Still, Way, bar, cut_out, gate, report, stills
from vision.compare_blobs import BlobReader, clustered
from vision.compare_sift import References, SiftReader
from vision.reading import DieReading, Reading
from vision.synth import classic, western


def true_hand(still: Still) -> list[str]:
    return sorted(die.face for die in still.dice)


def still(name: str, seed: int = 1) -> Still:
    """Return one frame of five dice on an open tray."""
    dice = {"classic": classic, "western": western}[name]()
    return stills(dice, 1, 5, np.random.default_rng(seed))[0]


def test_stills_show_as_many_dice_as_were_asked_for_all_flat_and_in_sight() -> None:
    for one in stills(western(), 2, 40, np.random.default_rng(1)):
        height, width = one.frame.shape[:2]
        assert len(one.dice) == 40
        assert all(die.flat and die.centre_px is not None for die in one.dice)
        assert all(0 < die.centre_px[0] < width and 0 < die.centre_px[1] < height for die in one.dice if die.centre_px)


def test_blobs_in_clusters_make_the_hand_of_pip_dice() -> None:
    one = still("western")
    reading = BlobReader(one.side_px).read(one.frame, 5)
    assert sorted(reading.hand or ()) == true_hand(one)


def test_blobs_are_unsure_when_another_number_of_dice_is_expected() -> None:
    one = still("western")
    assert BlobReader(one.side_px).read(one.frame, 4).reasons == ("too-many",)
    assert BlobReader(one.side_px).read(np.zeros_like(one.frame), 5).reasons == ("too-few",)


def test_clusters_are_never_wider_than_a_face() -> None:
    points = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0]])
    assert sorted(len(group) for group in clustered(points, 1.5)) == [2, 2]


@pytest.fixture(scope="module")
def references() -> References:
    dice, rng = classic(), np.random.default_rng(2)
    shown = {face: enrolment(dice, face, rng) for face in dice.symbols}
    return References({face: [cut_out(frame, die) for die in lying] for face, (frame, lying) in shown.items()})


def test_sift_finds_printed_dice_where_they_lie(references: References) -> None:
    one = still("classic", 3)
    reading = SiftReader(references, one.side_px).read(one.frame, 5)
    faces = true_hand(one)
    assert reading.dice
    assert all(die.face in faces for die in reading.dice)


def test_sift_is_unsure_on_an_empty_tray(references: References) -> None:
    assert SiftReader(references, 100.0).read(np.full((400, 600, 3), 90, np.uint8), 5).reasons == ("too-few",)


class Recorded:
    """A reader that always says the same."""

    def read(self, frame: object, expect: int | None = None) -> Reading:
        return Reading("read", ("K",), (), (DieReading("K", 1.0, (300.0, 200.0), "flat", "10", 100.0),))


def test_the_gate_is_timed_without_the_reading() -> None:
    assert gate(Recorded(), np.zeros((432, 768, 3), np.uint8)) > 0


def way(name: str, ms: float, right: int = 4, wrong: int = 0) -> Way:
    made = Way(name)
    for turn in range(4):
        verdict: Counted = "wrong" if turn < wrong else "right" if turn < wrong + right else "unsure"
        made.add(Outcome(name, verdict, True, 5, 5, int(turn < wrong), Spent(ms)), 2 * ms)
    return made


def found(five_ms: float, right: int = 4, wrong: int = 0) -> Speed:
    reader, sift = way("reader", five_ms, right, wrong), way("SIFT", 300.0, 2)
    printed = {f"{count} printed dice": (reader, sift) for count in ("five", "forty")}
    return Speed(3.0, {**printed, "five pip dice": (reader, way("blobs", 20.0, 3, 1), sift, way("built-in", 90.0))})


def test_the_report_says_which_bars_are_met_and_which_are_missed() -> None:
    quick, slow = report(found(30.0)), report(found(75.0))
    assert "five dice read: 30.0 ms: met (bar: 40 ms)" in quick
    assert "10.0 times as fast as SIFT: met (bar: 5)" in quick
    assert "five dice read: 75.0 ms: MISSED (bar: 40 ms)" in slow
    assert "4.0 times as fast as SIFT: MISSED (bar: 5)" in slow


def test_one_wrong_die_or_fewer_right_hands_than_another_way_is_told_as_a_miss() -> None:
    assert "more right than both, none wrong: met" in report(found(30.0))
    assert "more right than both, none wrong: MISSED" in report(found(30.0, right=1))
    assert "more right than both, none wrong: MISSED" in report(found(30.0, right=3, wrong=1))


def test_a_bar_is_met_up_to_and_with_its_own_value() -> None:
    assert "met" in bar("memory", 250.0, 250.0, "MB")
    assert "MISSED" in bar("memory", 250.5, 250.0, "MB")


def test_hands_and_dice_of_a_way_are_counted() -> None:
    one = way("reader", 10.0, right=2, wrong=1)
    assert (one.hands, one.dice, one.dice_wrong) == (Counter(wrong=1, right=2, unsure=1), 20, 1)
