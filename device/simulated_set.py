"""The dice of the simulated tray, enrolled like anybody's: from pictures that its camera would take."""

from pathlib import Path

import numpy as np

from device.sets import set_file
from device.sources import Pixels
from vision.dice_set import BadSet, DiceSet
from vision.enrol import enrol
from vision.synth import Camera, DieSet, PlacedDie, Scene, classic, render

#: Name of the set in the data folder.
NAME = "simulated"

#: Where five dice lie in an enrolment picture, millimetres from the middle, and how far each is turned, in degrees.
SPOTS = ((-55.0, -25.0, 10.0), (-15.0, 22.0, 95.0), (5.0, -28.0, 200.0), (40.0, 18.0, 300.0), (62.0, -20.0, 145.0))

#: Pictures of each face, each turned by so many degrees more.
TURNS = (0.0, 37.0)


def pictures(dice: DieSet, camera: Camera) -> dict[str, list[Pixels]]:
    """Return the enrolment pictures of `dice`: for each face that lies up, what `camera` sees from below."""
    noise = np.random.default_rng(0)
    return {face: [render(_laid(face, turn), camera, dice, noise) for turn in TURNS] for face in dice.symbols}


def _laid(face: str, turn: float) -> Scene:
    return Scene(tuple(PlacedDie(face, x, y, yaw + turn) for x, y, yaw in SPOTS))


def simulated_set(data: Path) -> DiceSet:
    """Return the simulated tray's set from the data folder; at the first time it is enrolled and kept there.

    Raises OSError if it cannot be kept, EnrolError if the reader cannot tell its faces apart.
    """
    kept = set_file(data, NAME)
    try:
        return DiceSet.load(kept)
    except (FileNotFoundError, BadSet):
        dice = classic()
        learnt = enrol(NAME, pictures(dice, Camera()), "below", dice.symbols)
        kept.parent.mkdir(parents=True, exist_ok=True)
        learnt.save(kept)
        return learnt
