"""The sets of dice that the bench reads: drawn, and learnt from a few of their own renders as an owner would."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from vision.dice_set import DiceSet, View
from vision.enrol import EnrolError, enrol
from vision.pips import pips
from vision.place import Frame
from vision.synth import (
    DieSet,
    DieTruth,
    PlacedDie,
    Scene,
    classic,
    random_body,
    random_camera,
    random_scene,
    random_set,
    render,
    truth,
)
from vision.synth import asian as asian_dice
from vision.synth import western as western_dice

Rng = np.random.Generator

PICTURES = 2
"""Enrolment pictures of each face, five dice in each."""
INK_APART = 60
"""Levels (of 255) by which the pips of drawn pip dice differ from their body."""
SPOTS = [(x, y) for x in (-3.2, -1.1, 1.1, 3.2) for y in (-1.2, 1.2)]
"""Where dice may lie for enrolment, in edges from the middle."""


@dataclass(frozen=True, slots=True)
class Known:
    """A drawn set of dice and what the reader knows of it: nothing (None) if it refused to learn it, for `refused`."""

    kind: str
    dice: DieSet
    learnt: DiceSet | None
    view: View
    refused: tuple[str, ...]
    enrol_ms: float

    @property
    def words(self) -> str:
        """The set for a person: `drawn letters, 14.2 mm`."""
        return f"{self.kind} {self.dice.name}, {self.dice.body.edge_mm:.1f} mm"


def known(kind: str, rng: Rng) -> Known:
    """Return a set of this kind (`KINDS`), learnt or refused."""
    return _KINDS[kind](rng)


def _classic(rng: Rng) -> Known:
    """The built-in poker dice, worn and lit as this owner's are."""
    dice = classic(float(rng.uniform(14, 17)))
    return _learnt("classic", replace(dice, seed=int(rng.integers(1_000_000))), rng)


def _drawn(rng: Rng) -> Known:
    """Dice that nobody has seen."""
    return _learnt("drawn", random_set(rng), rng)


def _pips(rng: Rng) -> Known:
    """Pip dice of any colours, read by the set that is built in."""
    dice = asian_dice(float(rng.uniform(12, 18))) if rng.random() < 0.25 else _western(rng)
    return Known("pips", dice, pips(), "below", (), 0.0)


def _western(rng: Rng) -> DieSet:
    body = random_body(rng)
    while True:
        ink = (float(rng.uniform(5, 250)), float(rng.uniform(5, 250)), float(rng.uniform(5, 250)))
        if abs(sum(ink) - sum(body.colour)) > 3 * INK_APART:
            return replace(western_dice(body.edge_mm, body.colour, ink), body=body)


_KINDS: dict[str, Callable[[Rng], Known]] = {"classic": _classic, "drawn": _drawn, "pips": _pips}

KINDS = tuple(_KINDS)


def _learnt(kind: str, dice: DieSet, rng: Rng) -> Known:
    pictures = {face: [enrolment(dice, face, rng)[0] for _ in range(PICTURES)] for face in dice.symbols}
    began = time.process_time()
    learnt: DiceSet | None = None
    refused: tuple[str, ...] = ()
    try:
        learnt = enrol(kind, pictures)
    except EnrolError as error:
        refused = error.reasons
    return Known(kind, dice, learnt, "below", refused, (time.process_time() - began) * 1000)


def enrolment(dice: DieSet, face: str, rng: Rng) -> tuple[Frame, list[DieTruth]]:
    """Return a frame in which five dice lie apart with one face up, and where they lie."""
    camera = random_camera(rng, dice.body.edge_mm)
    calm = random_scene(rng, "open", dice, camera).scene
    edge = dice.body.edge_mm
    chosen = rng.permutation(len(SPOTS))[:5]
    at = (np.array(SPOTS)[chosen] + rng.uniform(-0.3, 0.3, (5, 2))) * edge
    laid = tuple(PlacedDie(face, float(x), float(y), float(rng.uniform(0, 360))) for x, y in at)
    scene = Scene(dice=laid, light=calm.light, ground=calm.ground, lens=calm.lens)
    return render(scene, camera, dice, rng), truth(scene, camera, dice)
