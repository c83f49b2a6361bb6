"""Rendered dice for the reader's tests: sets enrolled from renders, and squares where the renderer knows them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from vision.dice_set import DiceSet
from vision.enrol import enrol
from vision.finder import Finding, Square
from vision.place import Frame
from vision.synth import Camera, PlacedDie, Scene, classic, render, truth
from vision.synth import DieSet as DrawnSet

SPOTS = ((-45.0, -20.0), (-10.0, 5.0), (30.0, -15.0), (50.0, 18.0), (-30.0, 25.0))
"""Where five dice lie apart, in mm."""


@dataclass
class Table:
    """Renders frames of one set of dice and remembers where the faces are, a little beside the truth."""

    dice: DrawnSet = field(default_factory=classic)
    camera: Camera = field(default_factory=Camera)
    known: dict[int, Finding] = field(default_factory=dict)
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(7))

    def frame(self, scene: Scene) -> Frame:
        """Return the frame that the camera sees."""
        drawn = render(scene, self.camera, self.dice, self.rng)
        squares = []
        for die in truth(scene, self.camera, self.dice):
            off = self.rng.normal(0, 0.02, 2) * die.side_px
            centre = (die.centre_px[0] + float(off[0]), die.centre_px[1] + float(off[1]))
            squares.append(Square(centre, die.side_px * 1.02, die.yaw_deg + 90 * int(self.rng.integers(4)) + 2, 0.9))
        self.known[hash(drawn.tobytes())] = Finding(tuple(squares))
        return drawn

    def lay(self, faces: Sequence[str], turn: float = 0.0) -> Frame:
        """Return a frame in which dice lie apart with these faces up."""
        return self.frame(Scene(tuple(laid(faces, turn))))

    def find(self, frame: Frame) -> Finding:
        """Return the squares of a frame that was rendered here, none for another."""
        return self.known.get(hash(frame.tobytes()), Finding(()))


def laid(faces: Sequence[str], turn: float = 0.0) -> list[PlacedDie]:
    """Return dice with these faces up, each at its own spot and yaw."""
    return [PlacedDie(face, *SPOTS[i], yaw_deg=math.fmod(37 * i + 11 + turn, 360)) for i, face in enumerate(faces)]


@pytest.fixture(scope="session")
def table() -> Table:
    """Return a table with the classic poker dice."""
    return Table()


@pytest.fixture(scope="session")
def enrolment(table: Table) -> dict[str, list[Frame]]:
    """Return for each face two frames in which five dice show it up."""
    order = ("9", "10", "J", "Q", "K", "A")
    return {face: [table.lay([face] * 5, turn) for turn in (0.0, 100.0)] for face in order}


@pytest.fixture(scope="session")
def poker(table: Table, enrolment: dict[str, list[Frame]]) -> DiceSet:
    """Return the classic poker dice as the reader has learnt them."""
    return enrol("classic", enrolment, find=table.find)


@pytest.fixture(scope="session")
def lay() -> Callable[..., list[PlacedDie]]:
    """Return what lays dice apart."""
    return laid
