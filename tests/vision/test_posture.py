"""Which faces are no flat dice's: dice that lean, the camera in the glass, lamps over pips."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from vision import posture
from vision.dice_set import DiceSet
from vision.finder import Finding, Square
from vision.judge import Verdict
from vision.lean import Posture
from vision.looks import Look, known
from vision.pips import lone, pips
from vision.place import Place
from vision.posture import postured
from vision.prepared import prepare
from vision.reader import Reader
from vision.synth import PlacedDie, Scene, western
from vision.synth.scene import Lamp, Stain

FRAME = np.full((432, 768, 3), 60, np.uint8)


@pytest.mark.parametrize("tilt", [22.0, 35.0])
@pytest.mark.parametrize("towards", [0.0, 90.0, 180.0, 270.0])
def test_a_die_that_leans_has_no_face(tilt: float, towards: float, poker: DiceSet, table: Any, lay: Any) -> None:
    dice = lay(["K", "Q", "J", "10", "A"])
    dice[2] = replace(dice[2], tilt_deg=tilt, tilt_dir_deg=dice[2].yaw_deg + towards)
    reading = Reader(poker, find=table.find).read(table.frame(Scene(tuple(dice))), 5)
    assert reading.status == "unsure"
    assert "J" not in [die.face for die in reading.dice]
    assert {die.face for die in reading.dice} <= {"K", "Q", "10", "A", None}


def looks(count: int, fit: float, heat: float = 0.8) -> list[Verdict]:
    """Return certain kings side by side that fit so well and on which the finder is so hot."""
    places = [Place(40.0 + 50 * (k % 14), 60.0 + 60 * (k // 14), 40.0, 0.0) for k in range(count)]
    return [Verdict(Look(place, place, "K", fit, 0.4, "K", fit, 0.4, heat), ()) for place in places]


def told(count: int, fit: float, flat: float, dice_set: DiceSet, monkeypatch: pytest.MonkeyPatch, expect: int) -> int:
    """Return how many of them are told if the network takes each for flat with this likelihood."""
    monkeypatch.setattr(posture, "postures", lambda _, places: [Posture(flat, 1 - flat, 0.0)] * len(places))
    return sum(v.certain for v in postured(prepare(FRAME, 1.0), looks(count, fit), (), known(dice_set), expect))


@pytest.mark.parametrize(
    ("flat", "fit", "kept"),
    [(0.9, 0.86, 5), (0.2, 0.94, 0), (0.2, 0.96, 5), (0.11, 0.95, 0), (0.11, 0.97, 5), (0.05, 0.999, 0)],
)
def test_the_less_flat_a_die_looks_the_better_its_face_must_fit(
    flat: float, fit: float, kept: int, poker: DiceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(5, fit, flat, poker, monkeypatch, 5) == kept


@pytest.mark.parametrize(("flat", "heat", "kept"), [(0.15, 0.6, 0), (0.15, 0.7, 3), (0.3, 0.6, 3)])
def test_a_die_that_seems_to_lean_is_told_only_where_the_finder_is_sure(
    flat: float, heat: float, kept: int, poker: DiceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posture, "postures", lambda _, places: [Posture(flat, 1 - flat, 0.0)] * len(places))
    verdicts = postured(prepare(FRAME, 1.0), looks(3, 0.985, heat), (), known(poker), 3)
    assert sum(v.certain for v in verdicts) == kept


@pytest.mark.parametrize(("flat", "fit", "kept"), [(0.7, 0.81, 0), (0.7, 0.9, 3), (0.9, 0.81, 3)])
def test_a_round_spot_that_looks_little_flat_must_fit_well(
    flat: float, fit: float, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posture, "postures", lambda _, places: [Posture(flat, 1 - flat, 0.0)] * len(places))
    spots = [replace(v, look=replace(v.look, face="1", strokes_face="1", like=fit, counted="1")) for v in looks(3, 0.9)]
    assert sum(v.certain for v in postured(prepare(FRAME, 1.0), spots, (), known(pips()), 3)) == kept


def test_nothing_fits_well_enough_to_make_up_for_a_die_that_surely_leans(
    poker: DiceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(5, 1.0, 0.0005, poker, monkeypatch, 5) == 0


def test_more_is_asked_of_faces_in_a_frame_that_has_no_hand(poker: DiceSet, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(4, 0.95, 0.5, poker, monkeypatch, 4) == 4
    assert told(4, 0.95, 0.5, poker, monkeypatch, 5) == 0
    assert told(4, 0.99, 0.5, poker, monkeypatch, 5) == 4


def test_a_picture_in_which_all_of_many_dice_seem_to_lean_was_not_taken_from_below(
    poker: DiceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(16, 0.9, 0.02, poker, monkeypatch, 16) == 16
    assert told(5, 0.9, 0.02, poker, monkeypatch, 5) == 0


def test_the_network_sees_whole_faces_however_small_they_were_learnt(
    poker: DiceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[float] = []

    def note(_: object, places: list[Place]) -> list[Posture]:
        shown.extend(place.side for place in places)
        return [Posture(1.0, 0.0, 0.0)] * len(places)

    monkeypatch.setattr(posture, "postures", note)
    first, *others = looks(5, 0.95)
    small = replace(first, look=replace(first.look, place=replace(first.look.place, side=33.0)))
    postured(prepare(FRAME, 1.0), [small, *others], (), known(poker), 5)
    assert shown == [pytest.approx(40.0 / 0.955)] * 5


def with_the_lens(table: Any) -> Any:
    """Return a finder that proposes the dice of the table, and a square below the lens."""

    def find(frame: Any) -> Finding:
        known_squares = table.find(frame).squares
        below = Square((767.5, 431.5), known_squares[0].side_px, 3.0, 0.6)
        return Finding((*known_squares, below))

    return find


def test_the_camera_in_the_glass_is_no_one(table: Any, lay: Any) -> None:
    mine = type(table)(dice=western())
    board = Stain("board", 0.0, 0.0, 11.0, 0.3, 0.0, 1)
    dice = [die for die in lay(["6", "2", "3", "4", "5"]) if abs(die.x_mm) > 20]
    frame = mine.frame(Scene(tuple(dice), dirt=(board,)))
    reading = Reader(pips(), find=with_the_lens(mine)).read(frame, len(dice))
    assert len([die for die in reading.dice if die.face is not None]) == len(dice)


def test_faces_with_one_round_spot_are_known_whatever_the_set(poker: DiceSet) -> None:
    assert known(pips()).lone == {"1"}
    assert not known(poker).lone
    assert lone([t for face in pips().faces for t in face.templates()]) == {"1"}


def test_a_lamp_over_a_pip_die_leaves_it_without_a_face(table: Any) -> None:
    body = (190.0, 190.0, 190.0)
    mine = type(table)(dice=western(body=body))
    dice = tuple(PlacedDie("4", x, 0.0, 20.0) for x in (-60.0, -30.0, 30.0, 60.0))
    lamp = Lamp(60.0, 0.0, 6.0, (255.0, 255.0, 255.0), "disc", 0.0, 0.3, 1.0)
    plain = Reader(pips(), find=mine.find).read(mine.frame(Scene(dice)), 4)
    assert plain.hand == ("4",) * 4
    lit = Reader(pips(), find=mine.find).read(mine.frame(Scene(dice, glare=(lamp,))), 4)
    assert lit.status == "unsure"
    assert [die.face for die in lit.dice].count("4") == 3
