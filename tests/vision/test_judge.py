"""What is said of the squares of one frame together."""

from dataclasses import replace
from typing import Any

from vision.dice_set import DiceSet
from vision.judge import Verdict, outdone, parted, verdict
from vision.looks import Look, known, look
from vision.place import Place
from vision.prepared import place_of, prepare

SIDE = 50.0


def certain(x: float, ncc: float = 0.98, like: float = 0.97) -> Verdict:
    """Return a certain face whose middle lies at `x`."""
    place = Place(x, 0.0, SIDE, 0.0)
    return Verdict(Look(place, place, "K", ncc, 0.5, "K", like, 0.5, 0.8), ())


def faces(verdicts: list[Verdict]) -> list[bool]:
    """Return which of them keep their face."""
    return [one.certain for one in verdicts]


def test_dice_that_touch_keep_their_faces() -> None:
    assert faces(parted([certain(0), certain(SIDE), certain(2.2 * SIDE)])) == [True, True, True]


def test_two_faces_nearer_than_a_side_cannot_both_lie_flat_so_neither_is_told() -> None:
    told = parted([certain(0), certain(0.8 * SIDE), certain(3 * SIDE)])
    assert faces(told) == [False, False, True]
    assert told[0].reasons == ("touching",)


def test_a_face_that_fits_far_worse_than_the_others_is_doubted() -> None:
    others = [certain(k * 2 * SIDE) for k in range(3)]
    assert faces(outdone([*others, certain(400, 0.89, 0.82)])) == [True, True, True, False]


def test_where_all_fit_alike_poorly_none_is_doubted_for_it() -> None:
    assert all(faces(outdone([certain(k * 2 * SIDE, 0.89, 0.82) for k in range(4)])))


def test_one_other_die_tells_nothing_about_how_well_faces_fit() -> None:
    assert all(faces(outdone([certain(0), certain(200, 0.89, 0.82)])))


def test_a_face_whose_edges_are_right_is_kept_in_uneven_light() -> None:
    assert all(faces(outdone([*(certain(k * 2 * SIDE) for k in range(3)), certain(400, 0.89, 0.96)])))


def test_pips_are_counted_instead() -> None:
    poor = certain(400, 0.89, 0.82)
    counted = replace(poor, look=replace(poor.look, counted="K"))
    assert all(faces(outdone([*(certain(k * 2 * SIDE) for k in range(3)), counted])))


def test_a_face_that_fits_badly_as_a_whole_is_told_by_its_middle_if_its_edges_are_plain(
    poker: DiceSet, table: Any
) -> None:
    frame, dice = table.lay(["K"]), known(poker)
    prepared = prepare(frame)
    seen = look(prepared, place_of(table.find(frame).squares[0], prepared), 0.9, dice)
    rimmed = replace(seen, ncc=0.8)
    told = verdict(rimmed, dice, prepared)
    assert (told.certain, told.look.face) == (True, "K")
    assert told.look.ncc > 0.9
    assert not verdict(replace(rimmed, like=0.8), dice, prepared).certain
    assert not verdict(replace(rimmed, rival=0.85), dice, prepared).certain
    assert not verdict(replace(rimmed, strokes_rival=rimmed.like - 0.1), dice, prepared).certain
    assert not verdict(replace(rimmed, face="Q", strokes_face="Q"), dice, prepared).certain
