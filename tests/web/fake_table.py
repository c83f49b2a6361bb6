"""A table that plays nothing: it shows what it is told to show and notes what it is asked."""

import threading
from collections.abc import Mapping
from typing import Any

from web.table import Answer, Snapshot, Tap


class FakeTable:
    """Implements `web.table.Table` on one snapshot at a time; `show` replaces it and wakes everybody."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._changed = threading.Condition()
        self._data: dict[str, Any] = {}
        self._version = 0
        self.taps: list[Tap] = []
        self.attended: list[tuple[str, bool]] = []
        self.looked: list[tuple[str | None, bool]] = []
        self.answer = Answer(True, 1)
        self.pictures: dict[str, bytes] = {}
        self.text = ""
        self.show(data)

    def show(self, data: Mapping[str, Any]) -> int:
        """Make `data` what everybody sees from now on; return its version."""
        with self._changed:
            self._version += 1
            self._data = {**data, "version": self._version}
            self._changed.notify_all()
            return self._version

    def tap(self, tap: Tap, timeout: float = 5.0) -> Answer:
        self.taps.append(tap)
        return self.answer

    def snapshot(self, guest: str | None, *, host: bool = False) -> Snapshot:
        with self._changed:
            self.looked.append((guest, host))
            return Snapshot(self._version, dict(self._data))

    def wait(self, version: int, timeout: float) -> int:
        with self._changed:
            self._changed.wait_for(lambda: self._version > version, timeout)
            return self._version

    def attend(self, guest: str, here: bool) -> None:
        with self._changed:
            self.attended.append((guest, here))
            self._changed.notify_all()

    def attendance(self, least: int, timeout: float = 20.0) -> list[tuple[str, bool]]:
        """Return who came and went, once at least `least` did."""
        with self._changed:
            self._changed.wait_for(lambda: len(self.attended) >= least, timeout)
            return list(self.attended)

    def picture(self, name: str) -> bytes | None:
        return self.pictures.get(name)

    def pin_fits(self, pin: str) -> bool:
        return pin == "2468"

    def record(self) -> str:
        return self.text


class FakeTray:
    """Implements `web.table.Tray`: notes what the hands did."""

    def __init__(self) -> None:
        self.acts: list[tuple[str, dict[str, Any]]] = []
        self.trouble: str | None = None

    def act(self, action: str, fields: Mapping[str, Any]) -> str | None:
        self.acts.append((action, dict(fields)))
        return self.trouble

    def look(self, *, peek: bool) -> Mapping[str, Any]:
        places = ((0.42, 0.4), (0.58, 0.4), (0.5, 0.52), (0.4, 0.62), (0.62, 0.62))
        dice = [
            {
                "id": n,
                "x": x if peek else None,
                "y": y if peek else None,
                "angle": 17.0 * n,
                "face": "KQ9A10"[n] if peek and n < 4 else "10" if peek else None,
                "where": "cup",
                "moving": False,
                "leaning": n == 2,
            }
            for n, (x, y) in enumerate(places)
        ]
        cup = {"down": True, "x": 0.5, "y": 0.5, "r": 0.3, "shaking": False}
        return {
            "dice": dice,
            "cup": cup,
            "covered": False,
            "plugged": True,
            "edge": 0.1,
            "moving": False,
            "console": {},
        }

    def picture(self, *, below: bool) -> bytes:
        return b"\xff\xd8below" if below else b"\xff\xd8above"
