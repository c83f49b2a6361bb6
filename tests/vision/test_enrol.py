"""Enrolment learns what is printed, and refuses what does not make a set."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from vision.dice_set import BadSet, DiceSet
from vision.enrol import EnrolError, _alike, enrol
from vision.finder import Finding
from vision.gather import Learned


def test_a_set_is_learnt_from_two_pictures_of_each_face(poker: DiceSet) -> None:
    assert poker.order == ("9", "10", "J", "Q", "K", "A")
    assert all(face.count == 10 for face in poker.faces)


def test_a_set_comes_back_from_its_file_as_it_was(poker: DiceSet, tmp_path: Path) -> None:
    poker.save(tmp_path / "sets" / "classic.npz")
    again = DiceSet.load(tmp_path / "sets" / "classic.npz")
    assert (again.name, again.view, again.order) == (poker.name, poker.view, poker.order)
    assert all(np.array_equal(a.looks[0], b.looks[0]) for a, b in zip(again.faces, poker.faces, strict=True))
    assert [f.ncc_floor for f in again.faces] == [f.ncc_floor for f in poker.faces]


@pytest.mark.parametrize("content", [b"", b"no set at all", b"PK\x03\x04 half a file"])
def test_a_file_that_is_no_set_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "set.npz"
    file.write_bytes(content)
    with pytest.raises(BadSet, match="enrol the dice again"):
        DiceSet.load(file)


def test_a_missing_face_is_named(enrolment: dict[str, Any], table: Any) -> None:
    without = {face: frames for face, frames in enrolment.items() if face != "Q"}
    with pytest.raises(EnrolError, match="No picture shows the face Q"):
        enrol("classic", without, order=("9", "10", "J", "Q", "K", "A"), find=table.find)


def test_a_picture_without_dice_is_named(enrolment: dict[str, Any], table: Any) -> None:
    with pytest.raises(EnrolError, match="picture 2 of J"):
        enrol("classic", enrolment | {"J": [enrolment["J"][0], table.lay([])]}, find=table.find)


def test_two_faces_that_look_alike_are_named(enrolment: dict[str, Any], table: Any) -> None:
    twins = {"9": enrolment["9"], "J": enrolment["J"], "X": [table.lay(["J"] * 5, 50.0)]}
    with pytest.raises(EnrolError, match="J and X are too alike"):
        enrol("twins", twins, find=table.find)


def test_faces_of_which_it_is_not_seen_where_they_end_are_refused(enrolment: dict[str, Any], table: Any) -> None:
    def prints(frame: Any) -> Finding:
        return Finding(tuple(replace(one, side_px=one.side_px * 0.6) for one in table.find(frame).squares))

    with pytest.raises(EnrolError, match="not seen where the dice that show 10 end"):
        enrol("prints", enrolment, find=prints)


def test_dice_with_different_layouts_are_refused(enrolment: dict[str, Any], table: Any) -> None:
    mixed = enrolment | {"K": [enrolment["K"][0], table.lay(["K", "K", "K", "Q", "K"])]}
    with pytest.raises(EnrolError, match="different layouts"):
        enrol("mixed", mixed, find=table.find)


def test_nothing_found_anywhere_is_said_for_each_picture() -> None:
    blank = np.zeros((432, 768, 3), np.uint8)

    def nothing(frame: object) -> Finding:
        return Finding(())

    with pytest.raises(EnrolError) as refusal:
        enrol("blank", {"1": [blank], "2": [blank]}, find=nothing)
    assert len(refusal.value.reasons) == 2


def test_the_helper_lays_what_it_is_told(lay: Callable[..., Any]) -> None:
    assert [die.face_up for die in lay(["K", "9"])] == ["K", "9"]


def test_a_set_kept_by_an_older_version_with_more_to_a_face_is_still_read(poker: DiceSet, tmp_path: Path) -> None:
    poker.save(tmp_path / "new.npz")
    with np.load(tmp_path / "new.npz") as held:
        arrays = dict(held)
    head = json.loads(str(arrays["head"]))
    head["faces"] = [[*row, 0.97] for row in head["faces"]]
    np.savez(tmp_path / "old.npz", **{**arrays, "head": np.array(json.dumps(head))})
    old = DiceSet.load(tmp_path / "old.npz")
    assert old.order == poker.order
    assert [face.ncc_floor for face in old.faces] == [face.ncc_floor for face in poker.faces]


@pytest.mark.parametrize(
    ("likes", "own", "said"),
    [
        ([0.80] * 7 + [0.93] * 3, 0.99, "too alike"),  # in the light of one picture
        ([0.80] * 9 + [0.93], 0.99, ""),
        ([0.87] * 10, 0.99, ""),
        ([0.87] * 10, 0.96, "take both again"),  # learnt in uneven light
        ([0.80] * 10, 0.96, ""),
    ],
)
def test_a_face_that_may_be_taken_for_another_in_some_light_is_refused(
    likes: list[float], own: float, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heart = SimpleNamespace(template="heart", members=[SimpleNamespace(candidate=0.3, alike=0.99)])
    flower = SimpleNamespace(template="flower", members=[SimpleNamespace(candidate=one, alike=own) for one in likes])
    monkeypatch.setattr("vision.enrol.compared", lambda _, candidate: SimpleNamespace(alike=candidate))
    reasons = _alike(cast("dict[str, Learned]", {"heart": heart, "flower": flower}))
    assert bool(reasons) == bool(said)
    assert all(said in reason for reason in reasons)
