"""Any UVC camera through OpenCV. A thread of its own grabs, because the driver keeps old frames in a queue."""

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

import cv2
import numpy as np

from device.sources import Clock, Frame, Mailbox, SourceLost, SourceTimeout

WIDTH, HEIGHT = 1280, 720
BAD_READS = 5  # so many failures in a row, and the cable is out; single ones happen on a busy bus
JOIN_S = 2.0  # a driver may hang after an unplug; the thread is left behind then


class Capture(Protocol):
    """What is used of `cv2.VideoCapture`; the names are OpenCV's."""

    def isOpened(self) -> bool:
        """Tell whether there is a camera."""

    def read(self) -> tuple[bool, Any]:
        """Return whether it worked, and the pixels."""

    def set(self, propId: int, value: float) -> bool:
        """Set a property; tell whether the driver knows it."""

    def release(self) -> None:
        """Let the camera go."""


def open_capture(device: int | str) -> Capture:
    """Return OpenCV's capture of camera number or path `device`."""
    return cv2.VideoCapture(device)


class WebcamSource:
    """A webcam: number (0 is the first), device path or stream address. See `device.sources.FrameSource`."""

    def __init__(
        self,
        device: int | str = 0,
        *,
        opener: Callable[[int | str], Capture] = open_capture,
        clock: Clock = time.monotonic,
    ) -> None:
        """Take frames from `device`, opened by `opener`; moments come from `clock`."""
        self.device, self._opener, self._clock = device, opener, clock
        self._box: Mailbox | None = None
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def name(self) -> str:
        """Return "webcam" and its number or path."""
        return f"webcam {self.device}"

    def open(self) -> None:
        """Open the camera and begin to grab. Raises SourceLost if OpenCV finds none."""
        self.close()
        capture = self._opener(self.device)
        if not capture.isOpened():
            capture.release()
            raise SourceLost(f"No camera answers as {self.name}: plug it in, or choose another number.")
        for prop, value in ((cv2.CAP_PROP_FRAME_WIDTH, WIDTH), (cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)):
            capture.set(prop, value)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        box, ended = Mailbox(), threading.Event()
        self._box, self._ended = box, ended
        self._thread = threading.Thread(target=self._grab, args=(capture, box, ended), name="webcam", daemon=True)
        self._thread.start()

    def read(self, timeout: float) -> Frame:
        """Return the latest frame that was not read yet. Raises SourceLost, SourceTimeout."""
        if self._box is None:
            raise SourceLost(f"The {self.name} was not opened; open it before reading.")
        frame = self._box.take(timeout)
        if frame is None:
            raise SourceTimeout(f"The {self.name} sent nothing for {timeout:g} seconds: check its cable.")
        return frame

    def close(self) -> None:
        """Stop grabbing and let the camera go; a driver that hangs is left behind."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join(JOIN_S)
        self._thread, self._box = None, None

    def _grab(self, capture: Capture, box: Mailbox, ended: threading.Event) -> None:
        bad = 0
        with contextlib.closing(_Released(capture)):
            while not ended.is_set():
                good, pixels = capture.read()
                bad = 0 if good else bad + 1
                if good and pixels is not None:
                    box.put(Frame(np.asarray(pixels, np.uint8), self._clock(), {"source": self.name}))
                elif bad >= BAD_READS:
                    box.fail(SourceLost(f"The {self.name} is gone: check its cable. The table tries again by itself."))
                    return


class _Released:
    """Lets `contextlib.closing` release a capture."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture

    def close(self) -> None:
        """Release the capture."""
        self._capture.release()
