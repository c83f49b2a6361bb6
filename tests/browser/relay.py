"""A wire between a browser and the table that keeps everything the browser was sent, byte for byte."""

import contextlib
import re
import socket
import threading
from pathlib import Path

_HAND = re.compile(rb"(?<![A-Za-z0-9])[AKQJT9]{5}(?![A-Za-z0-9])")
_LIST = re.compile(rb'(?:"(?:A|K|Q|J|10|T|9)"[\s,]*){2,}')
_EXPOSURE = re.compile(
    rb'"exposure"\s*:\s*\{(?:[^{}]|\{[^{}]*\})*?"hand"\s*:\s*\[(?P<hand>[^\]]*)\](?:[^{}]|\{[^{}]*\})*\}'
)
_FACE = re.compile(rb'"face"\s*:\s*"(?:A|K|Q|J|10|T|9)"')


class Relay:
    """Passes bytes between browsers at `port` and the table at `target`; `received` is what the browsers got."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._lock = threading.Lock()
        self._received: list[tuple[int, bytes]] = []
        self._ends: list[socket.socket] = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        self._porter = threading.Thread(target=self._welcome, daemon=True)
        self._porter.start()

    @property
    def address(self) -> str:
        """Return where browsers find the table through this wire."""
        return f"http://127.0.0.1:{self.port}"

    def mark(self) -> int:
        """Return a mark: `received(mark)` is what came after it."""
        with self._lock:
            return len(self._received)

    def received(self, mark: int = 0) -> bytes:
        """Return what browsers were sent since `mark`, connection by connection."""
        with self._lock:
            parts = self._received[mark:]
        by_connection: dict[int, bytes] = {}
        for number, part in parts:
            by_connection[number] = by_connection.get(number, b"") + part
        return b"\n".join(by_connection.values())

    def close(self) -> None:
        """Cut the wire."""
        with contextlib.suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)  # wakes the porter, whom a mere close would leave waiting
        self._porter.join()
        self._door.close()
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _welcome(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                browser, _ = self._door.accept()
                self._ends.append(browser)
                table = socket.create_connection(("127.0.0.1", self._target))
                self._ends.append(table)
                number = len(self._ends)
                threading.Thread(target=self._pass, args=(browser, table, None), daemon=True).start()
                threading.Thread(target=self._pass, args=(table, browser, number), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket, number: int | None) -> None:
        with contextlib.suppress(OSError):
            while part := source.recv(65536):
                if number is not None:
                    with self._lock:
                        self._received.append((number, part))
                sink.sendall(part)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)


def without_static(sent: bytes, static: Path) -> bytes:
    """Return what was sent without the pages' own scripts and styles, in which faces are drawn but no die is told."""
    for file in static.rglob("*"):
        if file.is_file():
            sent = sent.replace(file.read_bytes(), b"")
    return sent


def without_shown(sent: bytes, shown: list[list[str]]) -> bytes:
    """Return what was sent without the exposures of hands that have been `shown` to all before."""

    def gone(exposure: re.Match[bytes]) -> bytes:
        hand = [face.decode() for face in re.findall(rb'"([AKQJ9]|10)"', exposure["hand"])]
        return b"" if hand in shown else exposure[0]

    return _EXPOSURE.sub(gone, sent)


def _sorted(faces: list[str]) -> str:
    return "".join(sorted("T" if face == "10" else face for face in faces))


def tells(sent: bytes, hand: list[str], shown: list[list[str]]) -> list[str]:
    """Return every place in `sent` that tells the five dice of `hand`, two or more faces in a row, or a die's face.

    What tells no more than hands that were `shown` before is left out.

    >>> tells(b'{"hand":["K","10"],"x":"KT9AA"}', ["10", "K", "9", "A", "A"], [])
    ['KT9AA', '"K","10"']
    >>> tells(b'{"you":"A","words":"a pair of jacks"}', ["10", "K", "9", "A", "A"], [])
    []
    >>> tells(b'"exposure":{"hand":["K","A"],"dice":[{"face":"K"}],"by":"tray"}', ["10"], [["K", "A"]])
    []
    """
    sent = without_shown(sent, shown)
    known = {_sorted(each) for each in shown}
    found = [token.decode() for token in _HAND.findall(sent)]
    hands = [token for token in found if _sorted(list(token)) == _sorted(hand) and _sorted(list(token)) not in known]
    lists = [each.decode() for each in _LIST.findall(sent)]
    return hands + lists + [each.decode() for each in _FACE.findall(sent)]
