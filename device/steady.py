"""A camera that is looked after: it gives no frames while it is seen to have been moved or refocused.

The eye then says so and refuses to judge, as with a camera that is lost, and goes on when all is as it was.
"""

from dataclasses import replace

from device.sources import CameraTrouble, Frame, FrameSource
from vision.calibration import Calibration, moved
from vision.marks import WORDS, Change, without_marks

EVERY = 15  # frames between two looks: about a second, for a look costs as much as a small reading
SURE = 3  # looks in a row that must agree: a knock at the table shakes the picture
UNSEEN_SURE = 20  # the same for marks that are not seen: a hand may lie on them for a while
FOCUS_PART = 0.01  # by which the focus that the camera tells may differ from the calibrated one


class Moved(CameraTrouble):
    """The camera is not as it was calibrated."""

    code = "moved"


class SteadySource:
    """Gives the frames of `source`, watch marks painted over, as long as it is as `known`.

    See `device.sources.FrameSource`.
    """

    def __init__(self, source: FrameSource, known: Calibration) -> None:
        """Look after `source`; the first frames are all looked at."""
        self._source, self._known = source, known
        self._frames, self._doubts = 0, 0
        self._change: Change | None = None

    @property
    def name(self) -> str:
        """Return the camera's name."""
        return self._source.name

    def open(self) -> None:
        """Open the camera and look at its next frames. Raises CameraTrouble."""
        self._source.open()
        self._frames = 0

    def read(self, timeout: float) -> Frame:
        """Return the next frame. Raises CameraTrouble, Moved among it."""
        frame = self._source.read(timeout)
        while self._is_doubtful(frame):
            if self._doubts >= (UNSEEN_SURE if self._change == "unseen" else SURE):
                raise Moved(WORDS[self._change or "moved"])
            if self._change == "unseen":
                break
            frame = self._source.read(timeout)
        self._frames += 1
        return replace(frame, pixels=without_marks(frame.pixels, self._known.marks))

    def close(self) -> None:
        """Let the camera go."""
        self._source.close()

    def _is_doubtful(self, frame: Frame) -> bool:
        """Look at a frame if it is time, and tell whether something seems to have changed."""
        if self._frames % EVERY and not self._doubts:
            return False
        change = self._changed(frame)
        self._doubts = 0 if change is None else self._doubts + 1 if change == self._change else 1
        self._change = change
        return change is not None

    def _changed(self, frame: Frame) -> Change | None:
        focus, told = self._known.settings.get("LensPosition"), frame.metadata.get("LensPosition")
        if focus is not None and told is not None and abs(focus - float(told)) > FOCUS_PART * max(focus, 1.0):
            return "refocused"
        return moved(frame.pixels, self._known)
