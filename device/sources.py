"""Where frames come from: the one Protocol of every camera, and the sources that are files.

A source gives the latest frame, its time and its metadata together. What goes wrong with it is `CameraTrouble`, whose
text says what happened, what it means and what to do; it is never a rules error.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

#: Pixels of a frame: height x width x 3, blue green red, as OpenCV wants them.
Pixels = NDArray[np.uint8]


class CameraTrouble(Exception):
    """A camera cannot serve frames. `code` is a stable word, the text a sentence for the people at the table."""

    code = "camera"


class SourceLost(CameraTrouble):
    """The camera is gone: unplugged, switched off, or there never was one."""

    code = "lost"


class SourceBusy(CameraTrouble):
    """Another program holds the camera."""

    code = "busy"


class SourceTimeout(CameraTrouble):
    """The camera is there and sends nothing."""

    code = "timeout"


class SourceEnded(CameraTrouble):
    """A folder or a video has no more frames."""

    code = "ended"


@dataclass(frozen=True, slots=True)
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
