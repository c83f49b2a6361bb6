"""Where frames come from: the one Protocol of every camera, and the sources that are files.

A source gives the latest frame, its time and its metadata together. What goes wrong with it is `CameraTrouble`, whose
text says what happened, what it means and what to do; it is never a rules error.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

#: Pixels of a frame: height x width x 3, blue green red, as OpenCV wants them.
Pixels = NDArray[np.uint8]

#: What a folder's pictures may be called.
PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")
#: Frames a second of a folder, and of a video that does not say.
FOLDER_FPS = 10.0

Clock = Callable[[], float]
#: Waits so many seconds; a test's wait moves the test's clock instead.
Wait = Callable[[float], object]


class CameraTrouble(Exception):
    """A camera cannot serve frames. `code` is a stable word, the text a sentence for the people at the table."""

    code = "camera"


class SourceLost(CameraTrouble):
    """The camera is gone: unplugged, switched off, or there never was one."""

    code = "lost"


class SourceHung(SourceLost):
    """The camera's driver hangs, and only a new process can open it again."""

    code = "hung"


class SourceBusy(CameraTrouble):
    """Another program holds the camera."""

    code = "busy"


class SourceTimeout(CameraTrouble):
    """The camera is there and sends nothing."""

    code = "timeout"


class SourceEnded(CameraTrouble):
    """A folder or a video has no more frames."""

    code = "ended"


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture with the moment it was taken (`t`, seconds of a monotonic clock) and what the camera says of it."""

    pixels: Pixels
    t: float
    metadata: Mapping[str, Any] = field(default_factory=dict)


class FrameSource(Protocol):
    """A camera, or something that behaves like one."""

    @property
    def name(self) -> str:
        """Return what a person calls it, such as "Camera Module 3" or "folder frames/"."""

    def open(self) -> None:
        """Get ready to read. Raises CameraTrouble; may be called again after `close`."""

    def read(self, timeout: float) -> Frame:
        """Return the latest frame, waiting at most `timeout` seconds for one. Raises CameraTrouble."""

    def close(self) -> None:
        """Let the camera go. Never raises, and may be called twice."""


class Mailbox:
    """Holds the latest frame of a camera that is read by a thread of its own; older ones are dropped unread."""

    def __init__(self) -> None:
        """Start empty."""
        self._news = threading.Condition()
        self._frame: Frame | None = None
        self._trouble: CameraTrouble | None = None

    def put(self, frame: Frame) -> None:
        """Replace whatever frame waits here by `frame`."""
        with self._news:
            self._frame = frame
            self._news.notify_all()

    def fail(self, trouble: CameraTrouble) -> None:
        """Let every `take` from now on raise `trouble`."""
        with self._news:
            self._frame, self._trouble = None, trouble
            self._news.notify_all()

    def take(self, timeout: float) -> Frame | None:
        """Return the frame and forget it, None if none came in `timeout` seconds. Raises what `fail` was given."""
        with self._news:
            self._news.wait_for(lambda: self._frame is not None or self._trouble is not None, timeout)
            if self._trouble is not None:
                raise self._trouble
            frame, self._frame = self._frame, None
            return frame


class Pace:
    """Lets pictures of a file or a drawing come as slowly as a camera's: frame k is due k / fps after the start."""

    def __init__(self, fps: float, clock: Clock = time.monotonic, wait: Wait = time.sleep) -> None:
        """Tick `fps` times a second of `clock`, from the first `tick` on."""
        self.fps, self._clock, self._wait = fps, clock, wait
        self._start: float | None = None
        self._last = -1

    def restart(self, fps: float) -> None:
        """Let the next frame be the first one again, and tick `fps` times a second from it."""
        self.fps, self._start, self._last = fps, None, -1

    def tick(self, timeout: float) -> tuple[int, float] | None:
        """Wait for the next frame that is due; return its number and moment, None if `timeout` ends before it.

        Frames that were due while nobody asked are left out, as a camera would.
        """
        now = self._clock()
        if self._start is None:
            self._start = now
        due = self._start + (self._last + 1) / self.fps
        if due - now > timeout:
            self._wait(timeout)
            return None
        if due > now:
            self._wait(due - now)
        self._last = max(self._last + 1, int((self._clock() - self._start) * self.fps))
        return self._last, self._start + self._last / self.fps


class FolderSource:
    """The pictures of a folder in the order of their names, as if a camera had just taken them.

    Without a `pace` every picture is served, one a `read`; with one they come in time and late readers miss some.
    """

    def __init__(self, folder: Path, *, fps: float = FOLDER_FPS, loop: bool = False, pace: Pace | None = None) -> None:
        """Read `folder`; `fps` says how far apart its pictures were taken, `loop` begins again at the end."""
        self.folder, self.fps, self.loop, self.pace = folder, fps, loop, pace
        self._paths: list[Path] = []
        self._next = 0

    @property
    def name(self) -> str:
        """Return "folder" and its path."""
        return f"folder {self.folder}"

    def open(self) -> None:
        """List the pictures. Raises SourceLost if there are none."""
        if not self.folder.is_dir():
            raise SourceLost(f"There is no folder {self.folder}, so there are no pictures to read; check the path.")
        self._paths = sorted(path for path in self.folder.iterdir() if path.suffix.lower() in PICTURES)
        self._next = 0
        if not self._paths:
            raise SourceLost(f"The folder {self.folder} holds no pictures ({', '.join(PICTURES)}); check the path.")

    def read(self, timeout: float) -> Frame:
        """Return the next picture; its metadata name the `file`. Raises SourceEnded, SourceTimeout, SourceLost."""
        number, t = self._due(timeout)
        if not self._paths:
            raise SourceLost(f"The folder {self.folder} was not opened; open it before reading.")
        if number >= len(self._paths) and not self.loop:
            raise SourceEnded(f"The folder {self.folder} has no more pictures.")
        path = self._paths[number % len(self._paths)]
        pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if pixels is None:
            raise SourceLost(f"{path} is no picture that can be read: it may be damaged; take it out of the folder.")
        return Frame(np.asarray(pixels, np.uint8), t, {"file": path.name, "number": number})

    def close(self) -> None:
        """Forget the pictures."""
        self._paths = []

    def _due(self, timeout: float) -> tuple[int, float]:
        if self.pace is None:
            number, self._next = self._next, self._next + 1
            return number, number / self.fps
        tick = self.pace.tick(timeout)
        if tick is None:
            raise SourceTimeout(f"The next picture of {self.name} is not due yet; wait longer.")
        return tick


class VideoSource:
    """The frames of a video file in order; with a `pace` they come in the film's time and late readers miss some."""

    def __init__(self, path: Path, *, pace: Pace | None = None) -> None:
        """Read the video at `path`."""
        self.path, self.pace = path, pace
        self._video: cv2.VideoCapture | None = None
        self._number, self._fps = 0, FOLDER_FPS

    @property
    def name(self) -> str:
        """Return "video" and its path."""
        return f"video {self.path}"

    def open(self) -> None:
        """Open the file. Raises SourceLost if OpenCV cannot."""
        video = cv2.VideoCapture(str(self.path)) if self.path.is_file() else None
        if video is None or not video.isOpened():
            raise SourceLost(f"{self.path} is no video that OpenCV can read; check the path, or convert it to MP4.")
        self._video, self._number = video, 0
        self._fps = video.get(cv2.CAP_PROP_FPS) or FOLDER_FPS
        if self.pace is not None:
            self.pace.restart(self._fps)

    def read(self, timeout: float) -> Frame:
        """Return the next frame. Raises SourceEnded, SourceTimeout, SourceLost."""
        if self._video is None:
            raise SourceLost(f"The video {self.path} was not opened; open it before reading.")
        if self.pace is not None:
            return self._read_in_time(self._video, self.pace, timeout)
        return self._grab(self._video, self._number / self._fps)

    def close(self) -> None:
        """Close the file."""
        if self._video is not None:
            self._video.release()
        self._video = None

    def _read_in_time(self, video: cv2.VideoCapture, pace: Pace, timeout: float) -> Frame:
        tick = pace.tick(timeout)
        if tick is None:
            raise SourceTimeout(f"The next frame of {self.name} is not due yet; wait longer.")
        while self._number < tick[0] and video.grab():
            self._number += 1
        return self._grab(video, tick[1])

    def _grab(self, video: cv2.VideoCapture, t: float) -> Frame:
        number = self._number
        good, pixels = video.read()
        if not good or pixels is None:
            raise SourceEnded(f"The video {self.path} has no more frames.")
        self._number += 1
        return Frame(np.asarray(pixels, np.uint8), t, {"file": self.path.name, "number": number})
