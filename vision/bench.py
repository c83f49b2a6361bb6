"""Measuring the reader: how often it is right, unsure and wrong, on renders or on labelled pictures."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.dice_set import DiceSet
from vision.enrol import EnrolError, enrol
from vision.place import Frame
from vision.reader import Reader
from vision.reading import Reading
from vision.synth import CONDITIONS, Camera, DieSet, PlacedDie, Scene, random_camera, random_scene, random_set, render

SET_FRAMES = 24
"""Frames read of one drawn set of dice before the next is drawn: enrolment costs as much as twelve."""


@dataclass(frozen=True, slots=True)
class TrueDie:
    """What is true of one die: the face that counts and the middle of its square in pixels, if it is known."""

    face: str
    centre_px: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """One frame judged: right, unsure or wrong, and single dice given a face that is not theirs."""

    group: str
    verdict: str
    dice: int
    dice_wrong: int
    ms: float


@dataclass(slots=True)
class Tally:
    """Outcomes added up."""

    counts: Counter[str] = field(default_factory=Counter)
    dice: int = 0
    dice_wrong: int = 0
    ms: list[float] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count one frame."""
        self.counts[outcome.verdict] += 1
        self.dice += outcome.dice
        self.dice_wrong += outcome.dice_wrong
        self.ms.append(outcome.ms)

    @property
    def frames(self) -> int:
        """How many frames were counted."""
        return self.counts.total()


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


def judged(group: str, dice: Sequence[TrueDie], readable: bool, reading: Reading) -> Outcome:
    """Return how right a reading is, as the score of the reader's contract has it."""
    wrong = sum(_given_wrongly(die.face, die.centre_px, dice) for die in reading.dice if die.face is not None)
    if not dice:
        verdict = "right" if not wrong else "wrong"
    elif reading.hand is not None:
        verdict = "right" if sorted(reading.hand) == sorted(die.face for die in dice) else "wrong"
    else:
        verdict = "unsure" if readable else "right"
    return Outcome(group, verdict, len(dice), wrong, reading.ms)


def _given_wrongly(face: str | None, at: tuple[float, float], dice: Sequence[TrueDie]) -> bool:
    placed = [(math.dist(die.centre_px, at), die.face) for die in dice if die.centre_px is not None]
    if not placed:
        return face not in [die.face for die in dice]
    return min(placed)[1] != face


def tallied(outcomes: Iterable[Outcome]) -> dict[str, Tally]:
    """Return the outcomes by group and, last, all together."""
    groups: dict[str, Tally] = defaultdict(Tally)
    together = Tally()
    for outcome in outcomes:
        groups[outcome.group].add(outcome)
        together.add(outcome)
    return {**dict(sorted(groups.items())), "all": together}


def table(tallies: Mapping[str, Tally]) -> str:
    """Return the tallies as lines of text."""
    head = (
        f"{'':10}{'frames':>8}{'right':>8}{'unsure':>8}{'wrong':>7}{'bound':>9}{'dice':>9}{'dice wrong':>12}{'ms':>8}"
    )
    rows = [head]
    for name, tally in tallies.items():
        n, counts = tally.frames, tally.counts
        ms = float(np.median(tally.ms)) if tally.ms else 0.0
        rows.append(
            f"{name:10}{n:8}{counts['right']:8}{counts['unsure']:8}{counts['wrong']:7}"
            f"{bound(counts['wrong'], n):9.5f}{tally.dice:9}{tally.dice_wrong:12}{ms:8.1f}"
        )
    return "\n".join(rows)


def drawn(placements: int, seed: int, told: Callable[[int], None] = lambda count: None) -> Iterator[Outcome]:
    """Yield the outcomes of frames drawn at random until `placements` dice were laid. `told` hears how many so far.

    Each set of dice is drawn too, enrolled from its own renders and read with the number of dice known. A set whose
    faces come out too alike is refused at enrolment and another is drawn.
    """
    rng, done = np.random.default_rng(seed), 0
    while done < placements:
        dice = random_set(rng)
        learnt = learn(dice, rng)
        if learnt is None:
            continue
        reader = Reader(learnt)
        for _ in range(SET_FRAMES):
            outcome = _one(reader, dice, rng)
            done += outcome.dice
            yield outcome
            if done >= placements:
                break
        told(done)


def learn(dice: DieSet, rng: np.random.Generator) -> DiceSet | None:
    """Return the drawn dice as the reader learns them from two renders a face, or None if it refuses them."""
    pictures = {face: [_enrolment(dice, face, rng) for _ in range(2)] for face in dice.symbols}
    try:
        return enrol("drawn", pictures)
    except EnrolError:
        return None


def _enrolment(dice: DieSet, face: str, rng: np.random.Generator) -> Frame:
    """Return a frame in which five dice lie apart with one face up."""
    camera = random_camera(rng, dice.body.edge_mm)
    calm = random_scene(rng, "open", dice, camera)
    spots = [(x, y) for x in (-3.2, -1.1, 1.1, 3.2) for y in (-1.2, 1.2)]
    edge = dice.body.edge_mm
    chosen = rng.permutation(len(spots))[:5]
    jitter = rng.uniform(-0.3, 0.3, (5, 2))
    laid = tuple(
        PlacedDie(
            face,
            float((spots[k][0] + jitter[i, 0]) * edge),
            float((spots[k][1] + jitter[i, 1]) * edge),
            float(rng.uniform(0, 360)),
        )
        for i, k in enumerate(chosen)
    )
    scene = Scene(dice=laid, light=calm.scene.light, ground=calm.scene.ground, lens=calm.scene.lens)
    return render(scene, camera, dice, rng)


def _one(reader: Reader, dice: DieSet, rng: np.random.Generator) -> Outcome:
    condition = str(rng.choice(CONDITIONS))
    draw = random_scene(rng, condition, dice, random_camera(rng, dice.body.edge_mm))
    frame = render(draw.scene, draw.camera, dice, rng)
    truths = [TrueDie(die.face_up, _centre(die, draw.camera, dice)) for die in draw.scene.dice]
    readable = all(die.state == "flat" for die in draw.scene.dice)
    return judged(condition, truths, readable, reader.read(frame, len(truths)))


def _centre(die: PlacedDie, camera: Camera, dice: DieSet) -> tuple[float, float]:
    x, y = camera.project(np.array([[die.x_mm, die.y_mm, die.lift_mm]]))[0]
    return float(x), float(y)


def one_core() -> None:
    """Hold OpenCV to one thread, so that times are those of one core."""
    cv2.setNumThreads(1)
