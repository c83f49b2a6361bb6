"""Faces that differ in size only: they are told when other dice say how large dice are, and never guessed."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from vision.align import FINE, Size, template
from vision.dice_set import DiceSet
from vision.enrol import enrol
from vision.looks import again, known, look
from vision.place import Array
from vision.prepared import place_of, prepare
from vision.reader import Reader
from vision.synth import classic
from vision.synth.glyphs import suit
from vision.twins import twins

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
    known_twins = known(learnt).twins
    assert {face: [twin.name for twin in ones] for face, ones in known_twins.items()} == {"10": ["J"], "J": ["10"]}
    assert known_twins["10"][0].factor == pytest.approx(0.62 / 0.44, rel=0.06)
    assert known_twins["J"][0].factor == pytest.approx(0.44 / 0.62, rel=0.06)


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


@pytest.mark.parametrize(("face", "doubted"), [("J", True), ("A", False)])
def test_only_a_twin_must_fit_without_being_made_smaller(
    face: str, doubted: bool, learnt: DiceSet, hearts: Any
) -> None:
    frame, dice = hearts.lay([face]), known(learnt)
    prepared = prepare(frame)
    free = look(prepared, place_of(hearts.find(frame).squares[0], prepared), 0.9, dice)
    held = again(prepared, free, dice, Size(free.place.side / 1.12))
    assert (free.face, held.face) == (face, face)
    assert (held.rival >= held.ncc) is doubted


@pytest.mark.parametrize("turned", [22.0, 45.0])
def test_a_diamond_learnt_in_another_turn_is_a_twin_of_its_small_sister(turned: float) -> None:
    faces = [template("small", _diamond(0.3, 0.0)), template("large", _diamond(0.45, turned))]
    assert set(twins(faces)) == {"small", "large"}


@pytest.mark.parametrize(("shade", "names"), [(0.0, {"small", "large"}), (0.8, {"small", "large"}), (3.0, set())])
def test_a_small_ring_learnt_in_uneven_light_is_a_twin_until_light_hides_the_ring(
    shade: float, names: set[str]
) -> None:
    light = np.linspace(0, shade, FINE, dtype=np.float32)[None, :]
    assert set(twins([template("small", _ring(0.24)), template("large", _ring(0.28) + light)])) == names


def _ring(part: float) -> Array:
    """Return a face with a ring whose radius is `part` of its side."""
    face = np.zeros((FINE, FINE), np.float32)
    cv2.circle(face, (FINE // 2, FINE // 2), round(FINE * part), 1.0, 4)
    return face


def _diamond(part: float, turned: float) -> Array:
    """Return a face whose diamond is `part` of it tall, learnt turned by some degrees."""
    radii = np.array([1.0, 0.7, 1.0, 0.7]) * FINE * part
    angles = np.radians(np.arange(4) * 90 + turned)
    corners = FINE / 2 + radii[:, None] * np.stack([np.sin(angles), np.cos(angles)], axis=1)
    face = np.zeros((FINE, FINE), np.float32)
    cv2.fillPoly(face, [np.round(corners).astype(np.int32)], 1.0)
    return face
