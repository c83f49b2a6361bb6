"""What has become of the picture since it was good: out of focus, dirt and water on the glass, lamps that hide dice.

The glass alone is in focus. What is behind it comes and goes but is soft, dice and cup are sharp but move from rest to
rest: fine structure that stays through all of them, and was not there when the glass was clean, lies on the glass.
"""

import math
from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.align import FINE, mask
from vision.health import WHITE_LEVEL
from vision.place import Array, Frame, Place, cut
from vision.prepared import Prepared, prepare
from vision.reading import DieReading, Reading
from vision.watched import apart

SOFT = 0.14
"""Steepness (part of a face's contrast that its edges gain in a 64th of its side) below which faces are out of focus,
in the median of all. D1-D4: .25 in focus, .17 at a blur of 3 px, .14 at 5 px, where reading begins to fail, .11 at
8 px. None of the 188 frames is called out of focus."""
SOFTER = 0.6
"""The same as a part of what this table's dice had when they were read."""
LEAST_SIDE_PX = 60.0
"""Side of a face below which SOFT does not hold, in frame pixels: at 65 px a die in focus has .18, at 40 px .14."""
LEAST_DICE = 2
"""Soft dice that must agree: a single one may move."""
MAP = (64, 36)
"""Width and height of the map of the glass: a cell is 24 px of a frame of 1536 px, a quarter of a face."""
FINE_PX = 5
"""Working pixels (half a frame's) below which structure is fine: lamps and ceilings are soft over more."""
DIRT = 0.004
"""Fine structure of a cell (mean root level) above that of the clean glass from which it is dirt. Renders: two pictures
of one clean tray differ by .001, a plain fingerprint, drops, dust or a scratch have .005 to .03, a thin haze .0005."""
RESTS = 4
"""Rests through which dirt must stay."""
OVER = 1.0
"""Sides from a die's middle within which the glass is not judged: the die itself is sharp."""
SHARP = 0.01
"""Fine structure of a cell (mean root level) in which a print or the edge of a die is seen: lamps and ceilings of D1-D4
have .008 at most, dice .015 to .07."""
WHITE = 0.85
"""Part of a cell that a lamp must blow out to hide what is there."""
BESIDE = 5
"""Cells along the square round a blown-out one in which the rest of a hidden die is looked for: half a face."""
LEAST_SHARP = 3
"""Sharp cells beside blown-out ones that are more than chance. Of ten unsure frames of D1-D4 in which a lamp hides dice
eight have them, of 33 others seven: dice that lean or move beside a lamp; where leaning is told, glare is not."""
BESIDE_DIE = 0.9
"""Sides from a die's middle within which what is sharp is its own."""
WITHIN = 0.5
"""Sides from its middle that count as the die's face."""
COVERED = 0.08
"""Part of a face that dirt must cover before it is the reason why it cannot be read."""


class Upkeep:
    """Remembers how sharp the dice were when they could be read, and the glass when it was clean.

    Without a picture of the `clean` empty tray, the glass of the first rests is taken for clean.
    """

    def __init__(self, clean: Frame | None = None) -> None:
        """Begin with nothing known but the clean glass, if a picture of it is given."""
        self._clean = np.full(MAP[::-1], np.inf, np.float32) if clean is None else _fine(prepare(clean))
        self._opening = 0 if clean is not None else RESTS
        self._rests: deque[Array] = deque(maxlen=RESTS)
        self._last: Reading | None = None
        self._sharp = 0.0

    def explain(self, frame: Frame, reading: Reading) -> Reading:
        """Return the reading of `frame`; if it is unsure because of focus, dirt or a lamp, that is a reason of its."""
        prepared = prepare(frame)
        self._learn(prepared, reading)
        if reading.status == "read":
            return reading
        reasons = set(reading.reasons)
        if self._out_of_focus(prepared, reading):
            reasons = reasons - {"moving"} | {"blurred"}
        elif any(die.face is None and self._dirty(prepared, die) for die in reading.dice):
            reasons = reasons - {"unknown-face"} | {"dirty"}
        elif "too-few" in reasons and "cocked" not in reasons and _blinded(prepared, reading.dice):
            reasons.add("glare")
        return reading if reasons == set(reading.reasons) else Reading.unsure(reasons, reading.dice, reading.ms)

    def _learn(self, prepared: Prepared, reading: Reading) -> None:
        """Remember this rest, if all could be read and it is another one than the last."""
        if reading.status != "read" or (self._last is not None and not _moved(self._last, reading)):
            return
        self._last = reading
        self._sharp = max(self._sharp, _steepness(prepared, reading.dice))
        seen = np.where(_under(reading.dice, OVER, prepared), np.float32(np.inf), _fine(prepared))
        self._rests.append(seen)
        if self._opening:
            self._opening -= 1
            self._clean = np.minimum(self._clean, seen)

    def _out_of_focus(self, prepared: Prepared, reading: Reading) -> bool:
        """Return whether the faces are soft: the certain ones if there are some, for others may be no dice."""
        certain = [die for die in reading.dice if die.face is not None]
        faces = certain if len(certain) >= LEAST_DICE else reading.dice
        if len(faces) < LEAST_DICE:
            return False
        large = float(np.median([die.side_px for die in faces])) >= LEAST_SIDE_PX
        return _steepness(prepared, faces) < max(SOFT if large else 0.0, SOFTER * self._sharp)

    def _dirty(self, prepared: Prepared, die: DieReading) -> bool:
        """Return whether dirt that stayed through the last rests covers a part of the die."""
        if len(self._rests) < RESTS:
            return False
        stayed = np.min(self._rests, axis=0)
        clean = cv2.dilate(self._clean, np.ones((3, 3), np.uint8))
        dirt = np.isfinite(stayed) & (stayed > clean + DIRT)
        face = _under([die], WITHIN, prepared)
        return bool(face.any()) and float(np.mean(dirt[face])) > COVERED


def explained(frame: Frame, reading: Reading) -> Reading:
    """Return the reading of `frame` with what one picture alone tells about why it is unsure."""
    return reading if reading.status == "read" else Upkeep().explain(frame, reading)


def _blinded(prepared: Prepared, dice: Sequence[DieReading]) -> bool:
    """Return whether something sharp that belongs to no die is seen right beside what a lamp blows out."""
    grey = cv2.cvtColor(prepared.colour, cv2.COLOR_BGR2GRAY)
    white = cv2.resize(np.asarray(grey >= WHITE_LEVEL, np.float32), MAP, interpolation=cv2.INTER_AREA) > WHITE
    beside = cv2.dilate(np.asarray(white, np.uint8), np.ones((BESIDE, BESIDE), np.uint8)) > 0
    sharp = beside & ~white & (_fine(prepared) > SHARP) & ~_under(dice, BESIDE_DIE, prepared)
    return int(sharp.sum()) >= LEAST_SHARP


def _moved(before: Reading, now: Reading) -> bool:
    """Return whether a die lies where none lay before."""
    return any(all(apart(die, other) > OVER for other in before.dice) for die in now.dice)


def _fine(prepared: Prepared) -> Array:
    """Return the map of fine structure."""
    soft = cv2.blur(prepared.fine, (FINE_PX, FINE_PX))
    return np.asarray(cv2.resize(np.abs(prepared.fine - soft), MAP, interpolation=cv2.INTER_AREA), np.float32)


def _under(dice: Sequence[DieReading], reach: float, prepared: Prepared) -> npt.NDArray[np.bool_]:
    """Return which cells of the map lie within `reach` sides of the middle of a die."""
    height, width = prepared.frame.shape[:2]
    y, x = np.mgrid[: MAP[1], : MAP[0]] + 0.5
    covered = np.zeros(MAP[::-1], np.bool_)
    for die in dice:
        away = np.hypot(x * width / MAP[0] - die.centre_px[0], y * height / MAP[1] - die.centre_px[1])
        covered |= away < reach * die.side_px
    return covered


def _steepness(prepared: Prepared, dice: Sequence[DieReading]) -> float:
    """Return how steep the edges of the prints are, in parts of their contrast; the median of all dice."""
    found = []
    for die in dice:
        x, y = ((value + 0.5) * prepared.scale - 0.5 for value in die.centre_px)
        place = Place(x, y, max(die.side_px, 1.0) * prepared.scale, math.radians(die.yaw_deg))
        patch = cut(prepared.fine, place, FINE)
        right, down = cv2.Sobel(patch, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(patch, cv2.CV_32F, 0, 1) / 8
        low, high = np.percentile(patch[mask(FINE)], [2, 98])
        found.append(float(np.percentile(cv2.magnitude(right, down)[mask(FINE)], 95) / max(high - low, 0.01)))
    return float(np.median(found))
