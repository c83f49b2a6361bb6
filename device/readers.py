"""The readers of one tray: one for the poker dice that were enrolled, one for pip dice, which every pub has."""

from device.calibrations import size_px
from vision.calibration import Calibration
from vision.dice_set import DiceSet, View
from vision.pips import pips
from vision.place import Frame
from vision.reader import Reader
from vision.reading import Reading
from vision.upkeep import Upkeep


class Readers:
    """Reads with whichever dice the game is played with. `use_pips` may be called from any thread."""

    def __init__(
        self, dice: DiceSet, view: View, known: Calibration | None = None, pip_dice: DiceSet | None = None
    ) -> None:
        """Make ready for `dice` seen from `view` by a camera of which `known` is known, and for `pip_dice`.

        Without `pip_dice` those are read that any pub has. Raises ValueError if a set cannot be read from there.
        """
        self._view, self._known = view, known
        self._poker = self._reader(dice)
        self._pips = None if pip_dice is None else self._reader(pip_dice)
        self._poker_upkeep, self._pips_upkeep = Upkeep(), Upkeep()
        self._use_pips = False

    def use_pips(self, on: bool) -> None:
        """Read pip dice from the next frame on, or poker dice."""
        self._use_pips = on

    def read(self, frame: Frame, expect: int | None = None) -> Reading:
        """Return what lies on the tray in `frame`, or why not, by what is known of this tray's glass and focus.

        See `vision.reader.Reader.read`.
        """
        if not self._use_pips:
            return self._poker_upkeep.explain(frame, self._poker.read(frame, expect))
        if self._pips is None:
            self._pips = self._reader(pips())
        return self._pips_upkeep.explain(frame, self._pips.read(frame, expect))

    def _reader(self, dice: DiceSet) -> Reader:
        return Reader(dice, self._view, size_px(dice, self._known))
