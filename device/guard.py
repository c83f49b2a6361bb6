"""A guard for cameras whose driver may hang: a cable that is pulled at the wrong moment blocks a call for ever.

Nothing can be done about such a call but to leave it behind and begin anew in a new process; see `device.hangs`.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from device.sources import Clock, Frame, FrameSource, SourceHung, SourceLost

OPEN_HANGS_S = 20.0  # loading picamera2 and its tuning from a cold card takes some seconds
CALL_HANGS_S = 6.0  # beyond its time-out of 2 s for a read, its 3 s for a close
LOOK_S = 1.0  # how often the guard looks


class GuardedSource:
    """A source whose calls are watched; `hung` is told, with a sentence, when one does not come back.

    It is told once, and again only after a frame has come meanwhile.
    """

    def __init__(self, source: FrameSource, hung: Callable[[str], object], *, clock: Clock = time.monotonic) -> None:
        """Guard `source`."""
        self._source, self._hung, self._clock = source, hung, clock
        self._limit: float | None = None  # when the call that runs now counts as hanging
        self._told = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera-guard", daemon=True)

    @property
    def name(self) -> str:
        """Return the source's name."""
        return self._source.name

    def open(self) -> None:
        """Open the source. Raises CameraTrouble."""
        with self._watched(OPEN_HANGS_S):
            try:
                self._source.open()
            except SourceHung as trouble:
                self._tell(str(trouble))
                raise

    def read(self, timeout: float) -> Frame:
        """Return the source's next frame. Raises CameraTrouble; SourceLost for a call that came back after all."""
        with self._watched(timeout + CALL_HANGS_S):
            frame = self._source.read(timeout)
        self._told = False
        return frame

    def close(self) -> None:
        """Close the source."""
        with self._watched(CALL_HANGS_S):
            self._source.close()

    def start(self) -> None:
        """Watch from now on, in a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """Watch no more; a call that hangs is left behind."""
        self._ended.set()
        self._thread.join()

    def look(self) -> None:
        """Tell, once, if a call hangs."""
        limit = self._limit  # another thread may set it to None any moment
        if limit is not None and self._clock() >= limit:
            self._tell(f"The {self.name} does not answer any more: its driver hangs.")

    @contextmanager
    def _watched(self, patience: float) -> Iterator[None]:
        self._limit = limit = self._clock() + patience
        try:
            yield
        finally:
            self._limit = None
        if self._clock() >= limit:  # what it brings is old, and everybody was told that it is gone
            raise SourceLost(f"The {self.name} did not answer for a while: check its cable.")

    def _tell(self, why: str) -> None:
        if not self._told:
            self._told = True
            self._hung(why)

    def _run(self) -> None:
        while not self._ended.wait(LOOK_S):
            self.look()
