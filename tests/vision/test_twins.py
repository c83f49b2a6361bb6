"""Faces that differ in size only: they are told when other dice say how large dice are, and never guessed."""

from dataclasses import replace
from typing import Any

import pytest

from vision.dice_set import DiceSet
from vision.enrol import enrol
from vision.looks import known
from vision.reader import Reader
from vision.synth import classic
from vision.synth.glyphs import suit

INK = (30.0, 26.0, 26.0)


@pytest.fixture(scope="module")
def hearts(table: Any) -> Any:
    """Return a table with dice whose king is a large heart and whose queen is a small one: 10 and J lie on them."""
    dice = classic()
    prints = {**dice.prints, "K": ((suit("heart", 0.62), INK),), "Q": ((suit("heart", 0.44), INK),)}
    return type(table)(dice=replace(dice, prints=prints))


@pytest.fixture(scope="module")
def learnt(hearts: Any) -> DiceSet:
    """Return these dice as the reader has learnt them."""
    pictures = {face: [hearts.lay([face] * 5, turn) for turn in (0.0, 100.0)] for face in hearts.dice.symbols}
    return enrol("hearts", pictures, find=hearts.find)


def test_the_two_hearts_are_twins_and_nothing_else_is(learnt: DiceSet) -> None:
    twins = known(learnt).twins
    assert {face: [twin.name for twin in ones] for face, ones in twins.items()} == {"10": ["J"], "J": ["10"]}
    assert twins["10"][0].factor == pytest.approx(0.62 / 0.44, rel=0.06)
    assert twins["J"][0].factor == pytest.approx(0.44 / 0.62, rel=0.06)


def test_twins_are_told_beside_dice_that_tell_their_size(learnt: DiceSet, hearts: Any) -> None:
    reading = Reader(learnt, find=hearts.find).read(hearts.lay(["10", "J", "A", "J", "Q"]), 5)
    assert reading.hand == ("A", "Q", "J", "J", "10")


@pytest.mark.parametrize("faces", [["J", "J", "J"], ["10", "10"], ["10", "J"]])
def test_twins_alone_are_told_by_a_table_that_knows_the_size_of_its_dice(
    faces: list[str], learnt: DiceSet, hearts: Any
) -> None:
    frame = hearts.lay(faces)
    guessed = Reader(learnt, find=hearts.find).read(frame, len(faces))
    assert guessed.status == "unsure"
    assert all(die.face is None for die in guessed.dice)
    side = hearts.find(frame).squares[0].side_px / 1.02
    assert sorted(Reader(learnt, size_px=side, find=hearts.find).read(frame, len(faces)).hand or ()) == faces
