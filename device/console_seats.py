"""Lets the console speak at the table: for the seat whose turn it is, for a pod's seat, or as the host.

Seats made here have no phone; they agree to the rules when the game is begun from the console.
"""

import uuid
from collections.abc import Mapping
from typing import Any, Protocol

from device.console_turns import Wish
from web.table import Answer, Snapshot, Tap

CONSOLE = "console"

#: What is done by the table and not by a seat, as the host's page would.
_HOST = frozenset({"undo", "again", "enter", "howl", "woof", "declare-absent", "remove"})


class SeatTable(Protocol):
    """What is needed of a table; see `device.table.Table`."""

    def tap(self, tap: Tap, timeout: float = 5.0) -> Answer:
        """Do what a tap asks."""

    def snapshot(self, guest: str | None, *, host: bool = False) -> Snapshot:
        """Return what a browser may see."""

    def wait(self, version: int, timeout: float) -> int:
        """Return the version when it is above `version` or `timeout` seconds passed."""

    def guest_of(self, seat: str) -> str | None:
        """Return the browser on a seat."""


class ConsoleSeats:
    """A table as the console sees it; see `device.console_desk.TurnTable`."""

    def __init__(self, table: SeatTable) -> None:
        """Speak at `table`."""
        self._table = table

    @property
    def version(self) -> int:
        """Return the table's version."""
        return self._table.wait(0, 0.0)

    def at_turn(self, seat: int | None = None) -> Snapshot:
        """Return what the seat whose turn it is may see, or the pod's at `seat`; the screen's view if nobody's."""
        shown = self._table.snapshot(None)
        name = _name(shown.data, seat)
        guest = None if name is None else self._table.guest_of(name)
        return shown if guest is None else self._table.snapshot(guest)

    def speak(self, wish: Wish, version: int, seat: int | None = None) -> Answer:
        """Do what the console wishes and return the table's answer."""
        if wish.kind == "seats":
            return self._seat(int(wish.fields["count"]))
        if wish.kind == "begin":
            return self._begin(wish)
        if wish.kind == "absent":
            wish = Wish("declare-absent")
        if wish.kind in _HOST:
            return self._tap(CONSOLE, wish, version, host=True)
        data = self._table.snapshot(None).data
        name = _name(data, seat)
        guest = None if name is None else self._table.guest_of(name)
        if guest is None:
            return Answer(False, version, "no-seat", "It is nobody's turn that the console could speak for.")
        return self._tap(guest, wish, version)

    def _seat(self, count: int) -> Answer:
        """Make or remove seats without phones until `count` people sit there."""
        people = _guests(self._table.snapshot(None).data)
        ours = [name for name in people if (self._table.guest_of(name) or "").startswith(CONSOLE)]
        answer = Answer(True, 0)
        for name in reversed(ours[max(0, count - len(people) + len(ours)) :]):
            answer = self._tap(CONSOLE, Wish("remove", {"seat": name}), self._version(), host=True)
        number = 0
        while answer.ok and len(_guests(self._table.snapshot(None).data)) < count:
            number += 1
            if f"Seat_{number}" not in people:
                answer = self._tap(f"{CONSOLE}-{number}", Wish("join", {"name": f"Seat {number}"}), self._version())
        return answer

    def _begin(self, wish: Wish) -> Answer:
        for name in _guests(self._table.snapshot(None).data):
            guest = self._table.guest_of(name) or ""
            if guest.startswith(CONSOLE):
                self._tap(guest, Wish("agree"), self._version())
        return self._tap(CONSOLE, wish, self._version(), host=True)

    def _version(self) -> int:
        return int(self._table.snapshot(None).data["game_version"])

    def _tap(self, guest: str, wish: Wish, version: int, *, host: bool = False) -> Answer:
        return self._table.tap(Tap(guest, uuid.uuid4().hex, version, wish.kind, wish.fields, host))


def _guests(data: Mapping[str, Any]) -> list[str]:
    return [guest["seat"] for guest in data.get("guests") or ()]


def _name(data: Mapping[str, Any], seat: int | None) -> str | None:
    """Return whose voice the console is: the pod's seat, or whoever is to act."""
    if seat is not None:
        people = _guests(data)
        return people[seat - 1] if 1 <= seat <= len(people) else None
    view = data.get("view") or {}
    name = view.get("to_act")
    return name if isinstance(name, str) else None
