"""How fast the reader is on one core, beside the two ways that people publish, on the same frames in the same run.

Milliseconds are those that the process spends on the core (with one thread that is the time taken on an idle machine);
what else runs on the machine counts only in the time that passes meanwhile, which is told beside them. Each frame is
read several times and the quickest counts, for a neighbour on the same core takes its cache as well.
"""

import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import cv2
import numpy as np

from vision.bench import Counted, Outcome, Spent, TrueDie, judged, one_core
from vision.bench_drawn import SEEN, made_ready, true_die
from vision.bench_sets import PICTURES, enrolment
from vision.compare_blobs import BlobReader
from vision.compare_sift import References, SiftReader
from vision.dice_set import DiceSet
from vision.enrol import enrol
from vision.pips import pips
from vision.place import Frame
from vision.reader import Reader
from vision.reading import Reading
from vision.settle import Settle
from vision.synth import DieSet, DieTruth, classic, crowded, random_scene, render, truth, western

Rng = np.random.Generator

CONDITIONS = ("open", "cup", "dirty", "dim", "bright", "glare", "foreign")
"""What the frames show, in turn: every condition in which the dice can be read."""
FIVE, FORTY = 5, 40
REFERENCE_PX, REFERENCES = 128, 4
"""Side of the SIFT way's reference pictures, and how many it has of each face: cut from the enrolment pictures."""
GATE_ROUNDS = 60
"""Frames at rest that the settle gate is timed on."""
MOST_UNDER_CUP, LAID = 8, 2
"""Dice for which any condition has room, and how many times as many are laid as are kept: some lie out of sight."""
REPEATS = 3
"""Readings of a frame by one way, of which the quickest counts."""
TRIES = 60
"""Scenes drawn to find one in which enough dice lie in sight."""

BUILT_IN = "built-in"
"""Name of the reader's set of pip dice that needs no enrolment, told beside the enrolled one."""
GATE_MS, FIVE_MS, FORTY_MS, RSS_MB, TIMES_SIFT = 5.0, 40.0, 150.0, 250.0, 5.0
"""The bars: milliseconds of gate, five dice and forty, resident memory, and how often the SIFT way's time is ours."""


@dataclass(frozen=True, slots=True)
class Still:
    """A frame of dice that all can be read."""

    frame: Frame
    dice: tuple[TrueDie, ...]
    side_px: float


@dataclass(slots=True)
class Way:
    """One way of reading on some frames: milliseconds, and what became of the hands and of single dice."""

    name: str
    ms: list[float] = field(default_factory=list)
    passed_ms: list[float] = field(default_factory=list)
    hands: Counter[Counted] = field(default_factory=Counter)
    dice: int = 0
    dice_wrong: int = 0

    def add(self, outcome: Outcome, passed_ms: float) -> None:
        """Count one frame."""
        self.ms.append(outcome.spent.read)
        self.passed_ms.append(passed_ms)
        self.hands[outcome.verdict] += 1
        self.dice += outcome.dice
        self.dice_wrong += outcome.dice_wrong

    @property
    def median(self) -> float:
        """Median milliseconds of a frame."""
        return float(np.median(self.ms))


@dataclass(frozen=True, slots=True)
class Speed:
    """What was measured: the gate's milliseconds, and the ways by what they read (`five printed`, `forty printed`...).

    The first way of each is the project's reader.
    """

    gate_ms: float
    ways: dict[str, tuple[Way, ...]]


class Reads(Protocol):
    """What every way of reading offers."""

    def read(self, frame: Frame, expect: int) -> Reading:
        """Return the hand, or unsure."""


def speed(frames: int, seed: int) -> Speed:
    """Return what a process of its own, held to one core, measures on `frames` frames of each kind."""
    one_core()
    with multiprocessing.get_context("spawn").Pool(1, made_ready) as pool:
        return pool.apply(measured, (frames, seed))


def measured(frames: int, seed: int) -> Speed:
    """Return what this process measures."""
    rng = np.random.default_rng(seed)
    printed, dotted = _enrolled("classic", classic(), rng), _enrolled("western", western(), rng)
    five, forty, spotted = (
        stills(printed.dice, frames, FIVE, rng),
        stills(printed.dice, max(frames // 2, 2), FORTY, rng),
        stills(dotted.dice, frames, FIVE, rng),
    )
    reader = Reader(printed.learnt)
    ways = {
        "five printed dice": (_timed("reader", five, _same(reader)), _timed("SIFT", five, _sift(printed))),
        "forty printed dice": (_timed("reader", forty, _same(reader)), _timed("SIFT", forty, _sift(printed))),
        "five pip dice": (
            _timed("reader", spotted, _same(Reader(dotted.learnt))),
            _timed("blobs", spotted, lambda one: BlobReader(one.side_px)),
            _timed("SIFT", spotted, _sift(dotted)),
            _timed(BUILT_IN, spotted, _same(Reader(pips(), "below"))),
        ),
    }
    return Speed(gate(reader, five[0].frame), ways)


@dataclass(frozen=True, slots=True)
class _Enrolled:
    """Dice, what the reader has learnt of them, and what the SIFT way has, from the same pictures."""

    dice: DieSet
    learnt: DiceSet
    references: References


def _enrolled(name: str, dice: DieSet, rng: Rng) -> _Enrolled:
    shown = {face: [enrolment(dice, face, rng) for _ in range(PICTURES)] for face in dice.symbols}
    learnt = enrol(name, {face: [frame for frame, _ in several] for face, several in shown.items()})
    faces = {
        face: [cut_out(frame, die) for frame, dice_there in several for die in dice_there[:REFERENCES]]
        for face, several in shown.items()
    }
    return _Enrolled(dice, learnt, References(faces))


def cut_out(frame: Frame, die: DieTruth) -> Frame:
    """Return a face along its true corners."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * REFERENCE_PX
    matrix = cv2.getPerspectiveTransform(die.quad_px.astype(np.float32), square)
    return np.asarray(cv2.warpPerspective(frame, matrix, (REFERENCE_PX, REFERENCE_PX)), np.uint8)


def stills(dice: DieSet, frames: int, count: int, rng: Rng) -> list[Still]:
    """Return frames of `count` dice each that lie flat and in sight, in every one of `CONDITIONS` in turn."""
    return [_still(dice, CONDITIONS[turn % len(CONDITIONS)], count, rng) for turn in range(frames)]


def _still(dice: DieSet, condition: str, count: int, rng: Rng) -> Still:
    """Return a frame drawn until enough dice lie in sight. Raises RuntimeError after `TRIES`."""
    for _ in range(TRIES):
        draw = random_scene(rng, "many" if count > MOST_UNDER_CUP else condition, dice)
        draw = crowded(rng, draw, count * LAID)
        dice_there = truth(draw.scene, draw.camera, dice)
        lying = [index for index, die in enumerate(dice_there) if die.outside < SEEN and die.partly_hidden < SEEN]
        if len(lying) >= count:
            scene = replace(draw.scene, dice=tuple(draw.scene.dice[index] for index in lying[:count]))
            true = truth(scene, draw.camera, dice)
            side = float(np.median([die.side_px for die in true]))
            return Still(render(scene, draw.camera, dice, rng), tuple(map(true_die, true)), side)
    raise RuntimeError(f"no room for {count} dice in {TRIES} scenes")


def _same(reader: Reads) -> Callable[[Still], Reads]:
    return lambda _: reader


def _sift(dice: _Enrolled) -> Callable[[Still], Reads]:
    return lambda one: SiftReader(dice.references, one.side_px)


def _timed(name: str, frames: Sequence[Still], reader_of: Callable[[Still], Reads]) -> Way:
    """Return how one way reads the frames; the first is read once before, for what is loaded only once."""
    way = Way(name)
    reader_of(frames[0]).read(frames[0].frame, len(frames[0].dice))
    for one in frames:
        reader = reader_of(one)
        readings, times = zip(*(_once(reader, one) for _ in range(REPEATS)), strict=True)
        ms, passed_ms = min(times)
        way.add(judged(name, one.dice, True, readings[0], Spent(ms)), passed_ms)
    return way


def _once(reader: Reads, one: Still) -> tuple[Reading, tuple[float, float]]:
    """Return what one reading says, and its milliseconds on the core and by the clock."""
    began, passed = time.process_time(), time.perf_counter()
    reading = reader.read(one.frame, len(one.dice))
    return reading, ((time.process_time() - began) * 1000, (time.perf_counter() - passed) * 1000)


def gate(reader: Reads, frame: Frame) -> float:
    """Return the median milliseconds of a frame at rest, its dice watched, between two readings.

    The frames differ by the noise of a sensor; the reading is made once and is not counted.
    """
    reading = reader.read(frame, FIVE)
    settle = Settle(_Told(reading), FIVE)
    noise = np.random.default_rng(1).normal(0, 2, (4, *frame.shape)).astype(np.float32)
    frames = [np.clip(frame + grain, 0, 255).astype(np.uint8) for grain in noise]
    spent = []
    for turn in range(GATE_ROUNDS):
        began = time.process_time()
        settle.feed(frames[turn % len(frames)], turn / 10)
        spent.append((time.process_time() - began) * 1000)
    return float(np.median(spent[len(spent) // 4 :]))


@dataclass(frozen=True, slots=True)
class _Told:
    """An eye that says again what was read."""

    reading: Reading

    def read(self, frame: Frame, expect: int | None = None) -> Reading:
        """Return the reading."""
        return self.reading


def report(found: Speed) -> str:
    """Return what was measured as lines of text, with each bar and whether it is met."""
    rows = [
        f"One thread, 1536 x 864, {', '.join(CONDITIONS)} in turn. core ms: median of the quickest of {REPEATS}.",
        f"{'':20}{'way':>9}{'core ms':>9}{'passed':>8}{'right':>7}{'unsure':>8}{'wrong':>7}{'dice wrong':>12}",
    ]
    rows += [_way("" if turn else kind, way) for kind, ways in found.ways.items() for turn, way in enumerate(ways)]
    five, forty = (found.ways[f"{count} printed dice"][0].median for count in ("five", "forty"))
    rows += [
        "",
        bar("settle gate, a frame", found.gate_ms, GATE_MS),
        bar("five dice read", five, FIVE_MS),
        bar("forty dice read", forty, FORTY_MS),
        *(_faster(kind, ways) for kind, ways in found.ways.items()),
        f"more right than both, none wrong: {_met(_better(found))}",
    ]
    return "\n".join(rows)


def _faster(kind: str, ways: Sequence[Way]) -> str:
    """Return how often the other ways' time is the reader's."""
    times = {way.name: way.median / ways[0].median for way in ways[1:] if way.name != BUILT_IN}
    others = "".join(f", {value:.1f} times as fast as {name}" for name, value in times.items() if name != "SIFT")
    sift = times["SIFT"]
    return f"{kind}: {sift:.1f} times as fast as SIFT: {_met(sift >= TIMES_SIFT)} (bar: {TIMES_SIFT:.0f}){others}"


def _way(kind: str, way: Way) -> str:
    right, unsure, wrong = (way.hands[verdict] for verdict in ("right", "unsure", "wrong"))
    passed = float(np.median(way.passed_ms))
    return (
        f"{kind:20}{way.name:>9}{way.median:9.1f}{passed:8.1f}{right:7}{unsure:8}{wrong:7}"
        f"{way.dice_wrong:7} of {way.dice}"
    )


def _better(found: Speed) -> bool:
    """Return whether the reader has more hands right than the other ways on the same frames, and no die wrong."""
    return all(
        ways[0].hands["right"] > other.hands["right"] and ways[0].hands["wrong"] == ways[0].dice_wrong == 0
        for ways in found.ways.values()
        for other in ways[1:]
        if other.name != BUILT_IN
    )


def bar(what: str, measured: float, most: float, unit: str = "ms") -> str:
    """Return a line that says what was measured and whether the bar is met."""
    return f"{what}: {measured:.1f} {unit}: {_met(measured <= most)} (bar: {most:.0f} {unit})"


def _met(whether: bool) -> str:
    return "met" if whether else "MISSED"
