"""The owner's own trial: hands are rolled, read as the live table reads them, and confirmed by who sees them."""

from dataclasses import dataclass, replace
from typing import Literal

from device.sources import FrameSource
from vision.bench import bound
from vision.reading import Reading
from vision.settle import Eye, Settle

PATIENCE_S = 20.0  # seconds of frames within which dice come to rest and are read
READ_S = 5.0
Verdict = Literal["right", "wrong", "unsure", "open"]
"""`open`: the person could not tell what lies there; such a hand does not count."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many hands were read rightly, wrongly, not at all, and how many nobody could judge."""

    right: int = 0
    wrong: int = 0
    unsure: int = 0
    open: int = 0

    def add(self, verdict: Verdict) -> "Tally":
        """Return the tally with one hand more."""
        return replace(self, **{verdict: getattr(self, verdict) + 1})

    @property
    def count(self) -> int:
        """How many hands count."""
        return self.right + self.wrong + self.unsure

    def words(self) -> str:
        """Return the result with the upper bound of the rate of wrong readings.

        >>> print(Tally(right=19, unsure=1).words())
        20 hands: wrong 0, unsure 1, right 19. With 95 % certainty fewer than 13.9 % of hands are read wrongly.
        """
        part = bound(self.wrong, self.count)
        counted = f"{self.count} hands: wrong {self.wrong}, unsure {self.unsure}, right {self.right}."
        left_out = f" {self.open} that nobody could judge are left out." if self.open else ""
        return f"{counted} With 95 % certainty fewer than {100 * part:.1f} % of hands are read wrongly.{left_out}"


def at_rest(source: FrameSource, eye: Eye, expect: int) -> Reading | None:
    """Return the reading of dice that have come to rest, None if they do not within PATIENCE_S of frames.

    Raises CameraTrouble.
    """
    settle, last, begun = Settle(eye, expect), None, None
    while begun is None or last is None or last - begun < PATIENCE_S:
        frame = source.read(READ_S)
        last, begun = frame.t, frame.t if begun is None else begun
        for event in settle.feed(frame.pixels, frame.t):
            if event.kind == "settled" and event.reading is not None:
                return event.reading
    return None
