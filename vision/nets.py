"""The small networks, run by `cv2.dnn` (see weights/README.md)."""

import threading
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.place import Array


class Network(threading.local):
    """A network of the weights folder, loaded when it is first asked; one for each thread, `cv2.dnn` must not share."""

    def __init__(self, file: str) -> None:
        """Name the file; every thread that uses the network calls this again."""
        self._file = file
        self._net: cv2.dnn.Net | None = None

    def forward(self, planes: Array) -> Array:
        """Return the output for an input (n, planes, rows, columns)."""
        if self._net is None:
            self._net = cv2.dnn.readNetFromONNX(np.frombuffer(_weights(self._file), np.uint8))
        self._net.setInput(planes)
        return np.asarray(self._net.forward(), np.float32)


@cache
def _weights(file: str) -> bytes:
    return (Path(__file__).parent / "weights" / file).read_bytes()
