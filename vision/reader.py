"""The reader: one frame in, one reading out."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vision import health
from vision.align import SIZE_SLACK, SLACK_FOUND, Size
from vision.dice_set import DiceSet, View
from vision.finder import SURE_HEAT, Finding, find_squares
from vision.judge import Verdict, clear, distinct, outdone, parted, reading, told, verdict
from vision.looks import Look, again, known, look
from vision.pips import plainest
from vision.place import Frame
from vision.posture import LEANING_HEAT, elsewhere, postured
from vision.prepared import Prepared, place_of, prepare, working_scale
from vision.reading import Reading
from vision.shine import shone_on

SIZE_NCC = 0.93
"""Correlation from which a die's side counts towards the frame's (finder trial)."""
SLACK_ABOVE = 0.12
"""How far sides may be from the picture's in photographs from above: phones are held near and at a slant."""
TOLD_SIDES = (0.75, 1.15)
"""Sides of faces, in parts of the finder's median, that may tell the frame's size: of D1-D4 they are .82 to 1.0 in the
median of each face. A small heart is a large one, seen from afar."""
SIZES = (0.10, 0.06, 0.035, 0.16, 0.25, 0.5)
"""Sides of a face that are tried in a photograph from above, in parts of its longer side."""
FINDER_FACE_PX = 56.0
"""Side of a face at which the finder sees best, in its own pixels."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A reading, and how alike its likest square without a certain face is to one, by both readers."""

    reading: Reading
    doubt: float


class Reader:
    """Reads frames of one set of dice. It keeps no state between frames and may be used by one thread at a time."""

    def __init__(
        self,
        dice_set: DiceSet,
        view: View = "below",
        size_px: float | None = None,
        find: Callable[[Frame], Finding] = find_squares,
        find_sized: Callable[[Frame, float], Finding] = find_squares,
    ) -> None:
        """Make ready for `dice_set` seen from `view`; `size_px` is the side of a face in frame pixels, if calibrated.

        Raises ValueError if the set was enrolled from the other side and does not know its opposites.
        """
        if view != dice_set.view and not dice_set.opposites:
            raise ValueError(f"{dice_set.name} was enrolled from {dice_set.view}, it cannot be read from {view}")
        self.dice_set = dice_set
        self.view = view
        self._size_px = size_px
        self._find = find
        self._find_sized = find_sized
        self._known = known(dice_set)

    def read(self, frame: Frame, expect: int | None = None) -> Reading:
        """Return what lies on the tray in `frame` (BGR, uint8). With `expect`, that many dice must lie flat."""
        began = time.perf_counter()
        seen = self._once(frame, self._find(frame), expect)
        if self.view == "above" and seen.reading.status != "read":
            seen = self._at_other_sizes(frame, expect, seen)
        spent = (time.perf_counter() - began) * 1000
        result = seen.reading
        return Reading(result.status, result.hand, result.reasons, result.dice, spent)

    def _once(self, frame: Frame, finding: Finding, expect: int | None) -> _Seen:
        """Return the reading of the squares that the finder proposes."""
        hot = [square for square in finding.squares if square.heat > 0.3]
        prepared = prepare(frame, working_scale([square.side_px for square in hot]))
        if self.dice_set.counted:
            prepared = plainest(prepared, [place_of(square, prepared) for square in hot])
        verdicts = self._verdicts(prepared, finding, expect)
        dice = told(verdicts, self.dice_set, self.view, prepared)
        doubt = max((min(v.look.ncc, v.look.like) for v in verdicts if not v.certain), default=0.0)
        result = reading(verdicts, dice, self.dice_set, expect)
        if result.status == "read" and expect is not None:
            return _Seen(result, doubt)
        unseen = self._unseen(prepared, finding, verdicts)
        if result.status == "read" and not unseen:
            return _Seen(result, doubt)
        return _Seen(Reading.unsure([*result.reasons, *health.of_frame(prepared), *unseen], result.dice), doubt)

    def _at_other_sizes(self, frame: Frame, expect: int | None, first: _Seen) -> _Seen:
        """Return the reading with the most certain dice, looking for dice of other sizes.

        A photograph from above may show dice of any size, and the finder takes large pips for small faces. A die that
        nearly was certain at the first size is not overruled by a poorer one at another.
        """
        best = first
        for part in SIZES:
            finding = self._find_sized(frame, FINDER_FACE_PX / (part * max(frame.shape[:2])))
            found = self._once(frame, finding, expect)
            surest = max((die.confidence for die in found.reading.dice), default=0.0)
            if surest > first.doubt and self._telling(found.reading) > self._telling(best.reading):
                best = found
            if best.reading.status == "read":
                break
        return best

    def _verdicts(self, prepared: Prepared, finding: Finding, expect: int | None) -> list[Verdict]:
        """Return what is to be said of every square that may be a die."""
        looks = [look(prepared, place_of(square, prepared), square.heat, self._known) for square in finding.squares]
        size = self._size(prepared, looks)
        sized = [again(prepared, one, self._known, size) for one in self._telling_size(looks, size)]
        verdicts = parted(outdone(distinct([verdict(one, self._known, prepared, size) for one in sized])))
        if self.view == "above":
            return verdicts
        lit = shone_on(verdicts, prepared) if self.dice_set.counted else verdicts
        return postured(prepared, lit, finding.leaning, self._known, expect)

    def _unseen(self, prepared: Prepared, finding: Finding, verdicts: Sequence[Verdict]) -> list[str]:
        """Return the reason that a die leans where none was told, if the finder sees one through the glass."""
        seen = self.view == "below" and elsewhere(prepared, finding.leaning, verdicts, LEANING_HEAT)
        return ["cocked"] if seen else []

    def _size(self, prepared: Prepared, looks: Sequence[Look]) -> Size | None:
        """Return the one size of this frame's dice: calibrated, else told by the faces that fit, else by the finder."""
        slack = SIZE_SLACK if self.view == "below" else SLACK_ABOVE
        if self._size_px:
            return Size(self._size_px * prepared.scale, slack)
        hot = [one.proposed.side for one in looks if one.heat > SURE_HEAT]
        found = float(np.median(hot)) if hot and self.view == "below" else None
        bounds = found if found and _agree(hot, found) else None
        telling = [one for one in looks if not self._sizeless(one.face) and _likely(one.place.side, bounds)]
        sides = [one.place.side for one in telling if one.ncc > SIZE_NCC or clear(one, self._known)]
        if sides:
            return Size(float(np.median(sides)), slack)
        return None if found is None else Size(found, SLACK_FOUND)

    def _telling_size(self, looks: Sequence[Look], size: Size | None) -> Sequence[Look]:
        """Return the looks that may be told: from above, where no size is known, none whose face tells none."""
        if size is not None or self.view == "below":
            return looks
        return [one for one in looks if not self._sizeless(one.face)]

    def _sizeless(self, face: str | None) -> bool:
        """Return whether a face tells no size: one pip fits large and small, as do faces that differ in size only."""
        return face in self._known.twins or (self._known.counted and face in self._known.lone)

    def _telling(self, found: Reading) -> int:
        """Return how many certain dice a reading has that also tell their size."""
        return sum(die.face is not None and not self._sizeless(die.seen) for die in found.dice)


def _agree(sides: Sequence[float], middle: float) -> bool:
    """Return whether at least half of the finder's sides lie near their median: in the dark it takes anything."""
    return 2 * sum(abs(side - middle) < SLACK_FOUND * middle for side in sides) >= len(sides)


def _likely(side: float, found: float | None) -> bool:
    """Return whether the side of a face may be one of dice whose sides the finder has found to be `found`."""
    return found is None or TOLD_SIDES[0] < side / found < TOLD_SIDES[1]
