"""How many dice were rolled since the tray was last read with certainty.

The settle logic counts the dice that left the glass between two rests. A roll may have several: a player takes one die
after the other, holds them for a while, or rolls a leaning die again. Taking the sum would count that die twice, and
looking only at what lies otherwise would count a die that was nudged; a die that was rolled has done both.
"""

from dataclasses import dataclass

from vision.reading import DieReading, Reading
from vision.watched import lies_still


@dataclass(frozen=True, slots=True)
class Rolls:
    """`base` is the last certain reading (None: the tray was not watched since), `left` what left the glass since.

    An empty tray is a certain reading too: whatever lies there later came from beside it.
    """

    base: Reading | None = None
    left: int = 0

    def add(self, left: int) -> "Rolls":
        """Return the count after `left` more dice were seen to leave the glass."""
        return Rolls(self.base, self.left + left)

    def rolled(self, reading: Reading) -> int | None:
        """Return how many dice were rolled until `reading`, None if nobody knows."""
        if self.base is None:
            return None
        lying = sum(any(_as_before(die, now) for now in reading.dice) for die in self.base.dice)
        return min(self.left, len(self.base.dice) - lying)

    def in_hand(self, reading: Reading) -> bool:
        """Tell whether all that is missing from the tray was taken and none of it has come back yet."""
        if self.base is None or self.left == 0:
            return False
        return len(reading.dice) == len(self.base.dice) - self.left


def _as_before(die: DieReading, now: DieReading) -> bool:
    """Tell whether a die lies exactly as it did; one that is not recognised now counts if it is in the same place."""
    return lies_still(die, now) and now.face in (die.face, None)
