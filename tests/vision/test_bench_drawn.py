"""Drawn placements are the same for a seed however they are shared out, and misses can be read again."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.bench import Outcome, Spent
from vision.bench_drawn import Batch, BenchError, Keep, Plan, batch_of, drawn, shown
from vision.bench_sets import Known, known
from vision.dice_set import DiceSet
from vision.enrol import EnrolError
from vision.reading import Reading
from vision.synth import CONDITIONS

FEW = Plan(placements=10, seed=3, cycle=("pips",), frames=1)


def verdicts(batches: list[Batch]) -> list[tuple[str, str, int, int]]:
    return [(o.group, o.verdict, o.dice, o.dice_sure) for batch in batches for o in batch.outcomes]


@pytest.fixture(scope="module")
def pip_dice() -> Known:
    return known("pips", np.random.default_rng(1))


def test_two_processes_count_what_one_counts() -> None:
    shared = list(drawn(replace(FEW, jobs=2)))
    alone = [batch_of(FEW, number) for number in range(len(shared))]
    assert verdicts(shared) == verdicts(alone)
    dice = [batch.dice for batch in alone]
    assert sum(dice[:-1]) < FEW.placements <= sum(dice)


def test_a_frame_is_drawn_again_from_its_numbers_alone(pip_dice: Known) -> None:
    one, again = (shown(pip_dice, 3, 0, 2) for _ in range(2))
    other = shown(pip_dice, 4, 0, 2)
    assert np.array_equal(one.frame, again.frame)
    assert not np.array_equal(one.frame, other.frame)


def test_conditions_take_turns(pip_dice: Known) -> None:
    assert [shown(pip_dice, 1, 0, turn).draw.condition for turn in (0, 1, 12)] == ["open", "cup", "open"]


def test_an_open_tray_holds_five_dice_or_more(pip_dice: Known) -> None:
    assert all(len(shown(pip_dice, seed, 0, 0).dice) >= 5 for seed in range(3))


def test_the_border_cuts_dice_off_in_one_round_of_six_only(pip_dice: Known) -> None:
    many = CONDITIONS.index("many")
    within, across = (shown(pip_dice, 2, 0, many + len(CONDITIONS) * turn) for turn in (4, 5))
    assert all(die.outside < 0.03 for die in within.dice)
    assert any(die.outside > 0.03 for die in across.dice)
    assert within.readable
    assert not across.readable


def test_pips_differ_in_brightness_from_the_dice_they_are_on() -> None:
    for seed in range(10):
        dice = known("pips", np.random.default_rng(seed)).dice
        face = dice.textures["5"][0].mean(axis=2)
        assert abs(face[64, 64] - np.median(face)) > 25


def test_a_set_that_the_reader_refuses_is_known_by_its_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, pictures: object) -> None:
        raise EnrolError(["The faces a and b are too alike.", "No die was found."])

    monkeypatch.setattr("vision.bench_sets.enrol", refuse)
    dice = known("drawn", np.random.default_rng(1))
    assert dice.learnt is None
    assert dice.refused == ("The faces a and b are too alike.", "No die was found.")


def missed(folder: Path, dice: Known, verdict: str, times: int) -> list[str]:
    """Keep so many misses of this verdict, and return the names of the pictures."""
    one = shown(dice, 1, 0, 0)
    outcome = Outcome("open", "wrong" if verdict == "wrong" else "unsure", True, 5, 5, 0, Spent(1.0))
    keep = Keep(folder, "a", dice)
    for turn in range(times):
        keep.miss(replace(one, name=f"0000-{turn:02d}"), Reading.unsure(["too-few"]), outcome)
    return sorted(path.name for path in folder.glob("*.png"))


def test_every_wrong_frame_is_kept_with_its_label_and_few_unsure_ones(tmp_path: Path, pip_dice: Known) -> None:
    assert len(missed(tmp_path / "wrong", pip_dice, "wrong", 4)) == 4
    assert len(missed(tmp_path / "unsure", pip_dice, "unsure", 4)) == 2
    labels = [json.loads(line) for line in (tmp_path / "wrong" / "labels.jsonl").read_text().splitlines()]
    assert [(label["set"], label["category"]) for label in labels] == [("pips", "open")] * 4
    kept = cv2.imread(str(tmp_path / "wrong" / labels[0]["file"]))
    assert kept is not None
    assert np.array_equal(kept, shown(pip_dice, 1, 0, 0).frame)


def test_an_enrolled_set_is_kept_beside_its_misses(tmp_path: Path, pip_dice: Known) -> None:
    enrolled = replace(pip_dice, kind="drawn")
    missed(tmp_path, enrolled, "wrong", 1)
    (label,) = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    assert DiceSet.load(tmp_path / "sets" / f"{label['set']}.npz").order == tuple("123456")


def test_a_frame_that_breaks_the_reader_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(frame: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("vision.bench_drawn.find_squares", broken)
    with pytest.raises(BenchError, match=r"batch 0, frame 0 \(pips .*, open\): ZeroDivisionError"):
        batch_of(FEW, 0)


def test_a_set_that_was_refused_counts_no_frames(monkeypatch: pytest.MonkeyPatch, pip_dice: Known) -> None:
    refusing = replace(pip_dice, learnt=None, refused=("The faces 1 and 2 are too alike.",))
    monkeypatch.setattr("vision.bench_drawn.known", lambda kind, rng: refusing)
    batch = batch_of(FEW, 0)
    assert (batch.refused, batch.outcomes) == (refusing.refused, ())
