"""Judging readings against what is true: how often the reader is right, unsure and wrong, and how surely that is so."""

import math
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import cv2
import numpy as np

from vision.reading import DieReading, Reading

LYING = 0.5
"""Parts of a side within which at most one flat die can lie, for the middles of two are a side apart."""
THERE = 0.75
"""Parts of a side beyond which a face was given where no die lies."""


@dataclass(frozen=True, slots=True)
class TrueDie:
    """What is true of one die: the face that counts, and where it lies if that is known.

    `centre_px` is the middle of its face and `side_px` the face's side in pixels; `flat` tells that it lies on the
    glass. Where the side is not known, a face counts as given to the nearest die, however far that is.
    """

    face: str
    centre_px: tuple[float, float] | None
    flat: bool = True
    side_px: float | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """Milliseconds on the core for one frame: the whole reading, the finding of squares in it, and the drawing."""

    read: float
    find: float = 0.0
    draw: float = 0.0


Counted = Literal["right", "unsure", "wrong"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One frame judged: right, unsure or wrong; of its dice, how many were given their own face and how many another.

    `readable` tells whether all dice could be read; a frame that could not be and was not counts as right.
    """

    group: str
    verdict: Counted
    readable: bool
    dice: int
    dice_sure: int
    dice_wrong: int
    spent: Spent

    @property
    def missed(self) -> bool:
        """Whether there is anything to learn from the frame: it was not right, or a die of it was wrong."""
        return self.verdict != "right" or self.dice_wrong > 0


@dataclass(slots=True)
class Tally:
    """Outcomes added up."""

    counts: Counter[str] = field(default_factory=Counter)
    readable: int = 0
    dice: int = 0
    dice_sure: int = 0
    dice_wrong: int = 0
    spent: list[Spent] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count one frame."""
        self.counts[outcome.verdict] += 1
        self.readable += outcome.readable
        self.dice += outcome.dice
        self.dice_sure += outcome.dice_sure
        self.dice_wrong += outcome.dice_wrong
        self.spent.append(outcome.spent)

    @property
    def frames(self) -> int:
        """How many frames were counted."""
        return self.counts.total()

    def median(self, stage: Callable[[Spent], float]) -> float:
        """Return the median milliseconds of a stage, 0 without frames."""
        return float(np.median([stage(spent) for spent in self.spent])) if self.spent else 0.0


def bound(wrong: int, count: int) -> float:
    """Return the exact 95 % upper bound of a rate with `wrong` in `count` (Clopper and Pearson, 1934).

    >>> round(bound(0, 300), 4)
    0.0099
    """
    if count == 0 or wrong >= count:
        return 1.0
    low, high = wrong / count, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        low, high = (rate, high) if _at_most(wrong, count, rate) > 0.05 else (low, rate)
    return high


def _at_most(wrong: int, count: int, rate: float) -> float:
    """Return the probability of at most `wrong` in `count`, by logarithms: counts run to hundreds of thousands."""
    logs = [
        math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1)
        + k * math.log(rate) + (count - k) * math.log1p(-rate)
        for k in range(wrong + 1)
    ]  # fmt: skip
    return sum(math.exp(value) for value in logs)


def judged(group: str, dice: Sequence[TrueDie], readable: bool, reading: Reading, spent: Spent) -> Outcome:
    """Return how right a reading is, as the score of the reader's contract has it."""
    given = [die for die in reading.dice if die.face is not None]
    wrong = sum(not _own(die, dice) for die in given)
    verdict: Counted
    if not dice:
        verdict = "right" if not wrong else "wrong"
    elif reading.hand is not None:
        verdict = "right" if sorted(reading.hand) == sorted(die.face for die in dice) else "wrong"
    else:
        verdict = "unsure" if readable else "right"
    return Outcome(group, verdict, readable, len(dice), len(given) - wrong, wrong, spent)


def _own(given: DieReading, dice: Sequence[TrueDie]) -> bool:
    """Return whether a face was given to a die that has it: the flat one that lies there, else the nearest."""
    placed = [(math.dist(die.centre_px, given.centre_px), die) for die in dice if die.centre_px is not None]
    if not placed:
        return given.face in [die.face for die in dice]
    lying = [(far, die) for far, die in placed if die.flat and die.side_px is not None and far < LYING * die.side_px]
    far, nearest = min(lying or placed, key=lambda one: one[0])
    return nearest.face == given.face and (nearest.side_px is None or far < THERE * nearest.side_px)


def tallied(outcomes: Iterable[tuple[str, Outcome]]) -> dict[str, Tally]:
    """Return the outcomes added up under their names and, last, all together."""
    groups: dict[str, Tally] = defaultdict(Tally)
    together = Tally()
    for name, outcome in outcomes:
        groups[name].add(outcome)
        together.add(outcome)
    return {**dict(sorted(groups.items())), "all": together}


HEAD = (
    f"{'':10}{'frames':>8}{'readable':>10}{'right':>8}{'unsure':>8}{'wrong':>7}{'right>=':>9}{'unsure<=':>10}{'wrong<=':>9}"
    f"{'dice':>9}{'sure':>9}{'wrong':>7}{'wrong<=':>11}{'read ms':>9}"
)
STAGES = f"{'find ms':>9}{'draw ms':>9}"


def table(tallies: Mapping[str, Tally]) -> str:
    """Return the tallies as lines of text: frames, single dice, 95 % bounds of their rates, median milliseconds.

    Only a readable frame can be unsure, so that bound is of their number; the others are of all frames, or of all dice.
    """
    staged = any(spent.draw for tally in tallies.values() for spent in tally.spent)
    rows = [HEAD + (STAGES if staged else "")]
    for name, tally in tallies.items():
        more = f"{tally.median(_find):9.1f}{tally.median(_draw):9.1f}" if staged else ""
        rows.append(_row(name, tally) + more)
    return "\n".join(rows)


def _row(name: str, tally: Tally) -> str:
    n, (right, unsure, wrong) = tally.frames, (tally.counts[k] for k in ("right", "unsure", "wrong"))
    least = "-" if n == 0 else f"{100 * (1 - bound(n - right, n)):.2f}%"
    return (
        f"{name:10}{n:8}{tally.readable:10}{right:8}{unsure:8}{wrong:7}"
        f"{least:>9}{_most(unsure, tally.readable, 2):>10}{_most(wrong, n, 3):>9}"
        f"{tally.dice:9}{tally.dice_sure:9}{tally.dice_wrong:7}{_most(tally.dice_wrong, tally.dice, 4):>11}"
        f"{tally.median(_read):9.1f}"
    )


def _most(number: int, count: int, places: int) -> str:
    """Return the bound of a rate in per cent, or a dash where nothing was counted."""
    return "-" if count == 0 else f"{100 * bound(number, count):.{places}f}%"


def _read(spent: Spent) -> float:
    return spent.read


def _find(spent: Spent) -> float:
    return spent.find


def _draw(spent: Spent) -> float:
    return spent.draw


def one_core() -> None:
    """Hold OpenCV, and NumPy in processes started from here, to one thread, so that times are those of one core."""
    cv2.setNumThreads(1)
    os.environ.update(dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
