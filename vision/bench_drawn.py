"""Placements drawn by this project's own renderer, read and judged: the same for a seed, however many processes do it.

The work is cut into batches, one set of dice each. A batch and every frame in it has random numbers of its own, made
from the seed and its number, so that any of them can be drawn again alone.
"""

import json
import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.bench import Outcome, Spent, TrueDie, judged, one_core
from vision.bench_sets import Known, known
from vision.finder import Finding, find_squares
from vision.place import Frame
from vision.reader import Reader
from vision.reading import Reading
from vision.synth import CONDITIONS, DieTruth, Draw, crowded, outside, random_camera, random_scene, render, truth

Rng = np.random.Generator

CYCLE = ("classic", "drawn", "pips", "drawn", "drawn")
"""Kinds of the sets, batch after batch."""
SET_FRAMES = 144
"""Frames read of one set before the next is drawn: twelve of every condition. Enrolment costs as much as forty."""
DICE = (5, 12)
"""Least and most dice in a frame, where the condition does not say how many and the cup has room."""
SEEN = 0.03
"""Part of a face that may be hidden or beyond the frame before the die cannot be read."""
GONE = 0.9
"""Part of a face beyond the frame from which no camera could know of the die."""
CUT_OFF = 6
"""One frame in so many shows dice that the picture's border cuts off: a tray's walls hold most dice in sight."""
UNSURE_KEPT = 2
"""Unsure frames of a batch that are kept for study; of wrong ones all are."""


class BenchError(RuntimeError):
    """The reader broke down on a frame; the message tells which frame and how."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to draw: at least so many dice, from which seed, with how many processes, and where to keep misses.

    `frames` are read of each set of dice; the kinds of the sets run through `cycle`.
    """

    placements: int
    seed: int
    jobs: int = 1
    misses: Path | None = None
    cycle: tuple[str, ...] = CYCLE
    frames: int = SET_FRAMES


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of one set of dice: the set in words, the reasons if its enrolment was refused, its frames."""

    kind: str
    words: str
    refused: tuple[str, ...]
    enrol_ms: float
    outcomes: tuple[Outcome, ...]

    @property
    def dice(self) -> int:
        """How many dice were laid."""
        return sum(outcome.dice for outcome in self.outcomes)


@dataclass(frozen=True, slots=True)
class Shown:
    """A frame with what is true of its dice and how long it took to draw."""

    name: str
    draw: Draw
    frame: Frame
    dice: tuple[DieTruth, ...]
    ms: float

    @property
    def readable(self) -> bool:
        """Whether every die lies flat and in sight."""
        return all(die.state == "flat" and die.partly_hidden < SEEN and die.outside < SEEN for die in self.dice)


def drawn(plan: Plan) -> Iterator[Batch]:
    """Yield batch after batch until `plan.placements` dice were laid; the last one is cut short there."""
    done = 0
    for batch in _in_turn(plan):
        kept = _cut(batch, plan.placements - done)
        done += kept.dice
        yield kept
        if done >= plan.placements:
            return


def _cut(batch: Batch, wanted: int) -> Batch:
    """Return the batch up to the frame with which `wanted` dice are laid."""
    ends = np.cumsum([outcome.dice for outcome in batch.outcomes])
    return replace(batch, outcomes=batch.outcomes[: int(np.searchsorted(ends, wanted)) + 1])


def _in_turn(plan: Plan) -> Iterator[Batch]:
    """Yield the batches in order, from processes of their own that are up to a batch each ahead.

    Even one is a process of its own: how many threads NumPy's products take is settled when it is imported.
    """
    one_core()
    with multiprocessing.get_context("spawn").Pool(plan.jobs, made_ready) as pool:
        numbers = count()
        ahead = deque(pool.apply_async(batch_of, (plan, next(numbers))) for _ in range(plan.jobs + 1))
        while True:
            yield ahead.popleft().get()
            ahead.append(pool.apply_async(batch_of, (plan, next(numbers))))


def made_ready() -> None:
    """Make a process ready to work: one thread, and deaf to Ctrl-C, which its parent hears."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    one_core()


def batch_of(plan: Plan, number: int) -> Batch:
    """Return the batch of this number, cut short if it alone lays all the dice of the plan."""
    dice = known(plan.cycle[number % len(plan.cycle)], np.random.default_rng([plan.seed, number]))
    outcomes: list[Outcome] = []
    if dice.learnt is not None:
        keep = None if plan.misses is None else Keep(plan.misses, f"{dice.kind}-{plan.seed}-{number:04d}", dice)
        eye = _Eye(dice)
        for turn in range(plan.frames):
            one = shown(dice, plan.seed, number, turn)
            try:
                outcomes.append(_read(eye, one, keep))
            except Exception as error:
                raise BenchError(
                    f"batch {number}, frame {turn} ({dice.words}, {one.draw.condition}): {error!r}"
                ) from error
            if sum(outcome.dice for outcome in outcomes) >= plan.placements:
                break
    return Batch(dice.kind, dice.words, dice.refused, dice.enrol_ms, tuple(outcomes))


def shown(dice: Known, seed: int, number: int, turn: int) -> Shown:
    """Return frame `turn` of batch `number`."""
    rng = np.random.default_rng([seed, number, turn + 1])  # a last 0 would be the batch's own numbers again
    began = time.process_time()
    draw = random_scene(rng, CONDITIONS[turn % len(CONDITIONS)], dice.dice, random_camera(rng, dice.dice.body.edge_mm))
    if draw.condition not in ("many", "fewer"):
        draw = crowded(rng, draw, int(rng.integers(DICE[0], DICE[1] + 1)))
    draw = _in_sight(draw, GONE if turn // len(CONDITIONS) % CUT_OFF == CUT_OFF - 1 else SEEN)
    frame = render(draw.scene, draw.camera, dice.dice, rng)
    ms = (time.process_time() - began) * 1000
    return Shown(f"{number:04d}-{turn:03d}", draw, frame, tuple(truth(draw.scene, draw.camera, dice.dice)), ms)


def _in_sight(draw: Draw, most: float) -> Draw:
    """Return the picture without dice of which more than this part lies beyond the frame."""
    kept = tuple(die for die in draw.scene.dice if outside(die, draw.camera, draw.die_set) < most)
    return replace(draw, scene=replace(draw.scene, dice=kept))


class _Eye:
    """A reader that tells how long finding took."""

    def __init__(self, dice: Known) -> None:
        assert dice.learnt is not None
        self._reader = Reader(dice.learnt, dice.view, find=self._timed)
        self.find_ms = 0.0

    def _timed(self, frame: Frame) -> Finding:
        began = time.process_time()
        finding = find_squares(frame)
        self.find_ms = (time.process_time() - began) * 1000
        return finding

    def read(self, frame: Frame, expect: int) -> Reading:
        return self._reader.read(frame, expect)


def _read(eye: _Eye, one: Shown, keep: "Keep | None") -> Outcome:
    began = time.process_time()
    reading = eye.read(one.frame, len(one.dice))
    ms = (time.process_time() - began) * 1000
    dice = [true_die(die) for die in one.dice]
    spent = Spent(ms, eye.find_ms, one.ms)
    outcome = judged(one.draw.condition, dice, one.readable, reading, spent)
    if keep is not None and outcome.missed:
        keep.miss(one, reading, outcome)
    return outcome


def true_die(die: DieTruth) -> TrueDie:
    """Return what a reading of the die is judged by."""
    return TrueDie(die.top, die.centre_px, die.state == "flat", die.side_px)


class Keep:
    """A folder of missed frames that `undercup bench --labels FOLDER/labels.jsonl --data FOLDER` reads again."""

    def __init__(self, folder: Path, name: str, dice: Known) -> None:
        """Keep misses of one set of dice under its name."""
        self._folder, self._name, self._dice = folder, name, dice
        self._unsure = 0

    def miss(self, one: Shown, reading: Reading, outcome: Outcome) -> None:
        """Write the frame, its label and, once, the set; of unsure frames only the first few."""
        wrong = outcome.verdict == "wrong" or outcome.dice_wrong > 0
        self._unsure += not wrong
        if not wrong and self._unsure > UNSURE_KEPT:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        self._save_set()
        file = f"{'wrong' if wrong else 'unsure'}-{self._name}-{one.name[-3:]}.png"
        cv2.imwrite(str(self._folder / file), one.frame)
        with (self._folder / "labels.jsonl").open("a") as labels:
            labels.write(json.dumps(self._label(file, one, reading, outcome)) + "\n")

    def _save_set(self) -> None:
        path = self._folder / "sets" / f"{self._name}.npz"
        if self._dice.kind != "pips" and self._dice.learnt is not None and not path.exists():
            self._dice.learnt.save(path)

    def _label(self, file: str, one: Shown, reading: Reading, outcome: Outcome) -> dict[str, Any]:
        return {
            "file": file,
            "set": "pips" if self._dice.kind == "pips" else self._name,
            "dice_drawn": self._dice.words,
            "category": one.draw.condition,
            "readable": one.readable,
            "verdict": outcome.verdict,
            "dice_wrong": outcome.dice_wrong,
            "dice": [_true(die) for die in one.dice],
            "reading": reading.to_json(),
        }


def _true(die: DieTruth) -> dict[str, Any]:
    return {
        "top": die.top,
        "bottom": die.bottom,
        "state": die.state,
        "centre_px": [round(value, 1) for value in die.centre_px],
        "side_px": round(die.side_px, 1),
        "tilt_deg": round(die.tilt_deg, 1),
        "partly_hidden": round(die.partly_hidden, 3),
        "outside": round(die.outside, 3),
    }
