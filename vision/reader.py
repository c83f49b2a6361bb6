"""The reader: one frame in, one reading out."""

import time
from collections.abc import Callable, Sequence

import numpy as np

from vision import health
from vision.dice_set import DiceSet, View
from vision.finder import Finding, find_squares
from vision.judge import Verdict, distinct, reading, told, verdict
from vision.looks import Look, again, known, look
from vision.place import Frame
from vision.posture import LEANING_HEAT, elsewhere, postured
from vision.prepared import Prepared, place_of, prepare, working_scale
from vision.reading import Reading

SIZE_NCC = 0.93
"""Correlation from which a die's side counts towards the frame's (finder trial)."""
LONE_NCC = 0.93
"""Correlation that a die needs if no other die confirms its size: a lamp alone reached .83 by a free fit (trial)."""


class Reader:
    """Reads frames of one set of dice. It keeps no state between frames and may be used by one thread at a time."""

    def __init__(
        self,
        dice_set: DiceSet,
        view: View = "below",
        size_px: float | None = None,
        find: Callable[[Frame], Finding] = find_squares,
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
        self._known = known(dice_set)

    def read(self, frame: Frame, expect: int | None = None) -> Reading:
        """Return what lies on the tray in `frame` (BGR, uint8). With `expect`, that many dice must lie flat."""
        began = time.perf_counter()
        finding = self._find(frame)
        prepared = prepare(frame, working_scale([square.side_px for square in finding.squares if square.heat > 0.3]))
        verdicts = self._verdicts(prepared, finding)
        dice = told(verdicts, self.dice_set, self.view, prepared)
        result = reading(verdicts, dice, self.dice_set, expect)
        if result.status == "unsure":
            more = health.of_frame(prepared) + self._unseen(prepared, finding, verdicts)
            result = Reading.unsure([*result.reasons, *more], result.dice)
        spent = (time.perf_counter() - began) * 1000
        return Reading(result.status, result.hand, result.reasons, result.dice, spent)

    def _verdicts(self, prepared: Prepared, finding: Finding) -> list[Verdict]:
        """Return what is to be said of every square that may be a die."""
        looks = [look(prepared, place_of(square, prepared), square.heat, self._known) for square in finding.squares]
        verdicts = distinct([verdict(one, self._known, prepared) for one in self._sized(prepared, looks)])
        return postured(prepared, verdicts, self._known)

    def _unseen(self, prepared: Prepared, finding: Finding, verdicts: Sequence[Verdict]) -> list[str]:
        """Return the reason that a die leans where none was told, if the finder sees one."""
        return ["cocked"] if elsewhere(prepared, finding.leaning, verdicts, LEANING_HEAT) else []

    def _sized(self, prepared: Prepared, looks: Sequence[Look]) -> list[Look]:
        """Return the looks with every side held near the one size that this frame's dice have."""
        sides = [one.place.side for one in looks if one.ncc > SIZE_NCC]
        size = self._size_px * prepared.scale if self._size_px else float(np.median(sides)) if sides else None
        return [again(prepared, one, self._known, size) for one in looks]
