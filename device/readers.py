"""The readers of one tray: one for the poker dice that were enrolled, one for pip dice, which every pub has."""

from vision.dice_set import DiceSet, View
from vision.pips import pips
from vision.place import Frame
from vision.reader import Reader
from vision.reading import Reading


class Readers:
    """Reads with whichever dice the game is played with. `use_pips` may be called from any thread."""

    def __init__(self, dice: DiceSet, view: View, size_px: float | None = None) -> None:
        """Make ready for `dice` seen from `view`, whose faces have sides of `size_px` if that is known.

        Raises ValueError if the set cannot be read from there.
        """
        self._view = view
        self._poker = Reader(dice, view, size_px)
        self._pips: Reader | None = None
        self._use_pips = False

    def use_pips(self, on: bool) -> None:
        """Read pip dice from the next frame on, or poker dice."""
        self._use_pips = on

    def read(self, frame: Frame, expect: int | None = None) -> Reading:
        """Return what lies on the tray in `frame`; see `vision.reader.Reader.read`."""
        if not self._use_pips:
            return self._poker.read(frame, expect)
        if self._pips is None:
            self._pips = Reader(pips(), self._view)
        return self._pips.read(frame, expect)
