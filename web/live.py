"""The live stream: the whole snapshot first on every connect, then each newer one, and a heartbeat in between.

There is no queue that could grow: a slow browser simply gets the newest snapshot next.
"""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from web import entrance
from web.table import Snapshot, Table

#: Threads the server must have: each open stream holds one, and taps need some too.
THREADS = 32

#: Open streams in all: what `THREADS` allows with eight left over for taps and pages.
STREAMS = THREADS - 8

#: Open streams of one browser (tabs); one more pushes out the oldest, whose phone may have slept with it open.
STREAMS_EACH = 3

#: Seconds between signs of life on a quiet stream; phones' networks drop silent ones after 30 to 60.
HEARTBEAT = 15.0

#: A sign of life that scripts can hear (they never hear of comments).
BEAT = "event: beat\ndata: 1\n\n"

#: Seconds between looks whether the browser is still there.
GLANCE = 1.0


@dataclass(slots=True, eq=False)
class Ticket:
    """A place among the open streams; `over` is set when the stream has to end."""

    guest: str | None
    over: threading.Event = field(default_factory=threading.Event)


class Streams:
    """The open streams. `attend(guest, here)` hears when a browser's first one opens and when its last one ends."""

    def __init__(self, attend: Callable[[str, bool], None], limit: int = STREAMS) -> None:
        self._attend = attend
        self._limit = limit
        self._lock = threading.Lock()
        self._open: list[Ticket] = []

    def admit(self, guest: str | None) -> Ticket | None:
        """Return a ticket for a stream of `guest` (None: a screen), or None when the house is full."""
        with self._lock:
            own = [ticket for ticket in self._open if ticket.guest == guest and not ticket.over.is_set()]
            if guest is not None and len(own) >= STREAMS_EACH:
                own[0].over.set()
            if len(self._open) >= self._limit:
                return None
            ticket = Ticket(guest)
            self._open.append(ticket)
            if guest is not None and not own:
                self._attend(guest, True)
            return ticket

    def release(self, ticket: Ticket) -> None:
        """Give `ticket` back; a second time does nothing."""
        with self._lock:
            ticket.over.set()
            if ticket not in self._open:
                return
            self._open.remove(ticket)
            if ticket.guest is not None and all(other.guest != ticket.guest for other in self._open):
                self._attend(ticket.guest, False)

    def close(self) -> None:
        """End all streams, within `GLANCE` seconds each."""
        with self._lock:
            for ticket in self._open:
                ticket.over.set()

    def __len__(self) -> int:
        return len(self._open)


@dataclass(frozen=True, slots=True)
class Audience:
    """For whom snapshots are made: a browser's token, or None for the screen; `host` after the PIN."""

    guest: str | None
    host: bool = False


def audience() -> Audience:
    """Return who looks, from the cookie and `?as=` (`phone`, `host`, `screen`); a screen is nobody's."""
    role = request.args.get("as", "screen")
    if role == "screen":
        return Audience(None)
    return Audience(entrance.guest(), role == "host" and entrance.is_host())


def as_event(snapshot: Snapshot) -> str:
    """Return `snapshot` as one server-sent event.

    >>> as_event(Snapshot(3, {"state": "lobby"}))
    'id: 3\\ndata: {"state":"lobby"}\\n\\n'
    """
    return f"id: {snapshot.version}\ndata: {json.dumps(snapshot.data, separators=(',', ':'))}\n\n"


def events(table: Table, who: Audience, ticket: Ticket, gone: Callable[[], bool]) -> Iterator[str]:
    """Yield the stream for `who` until `ticket` is over or the browser is `gone`."""
    yield "retry: 1000\n\n"
    seen: int | None = None
    while not ticket.over.is_set() and not gone():
        snapshot = table.snapshot(who.guest, host=who.host)
        yield BEAT if snapshot.version == seen else as_event(snapshot)
        seen = snapshot.version
        _wait(table, seen, ticket, gone)


def _wait(table: Table, seen: int, ticket: Ticket, gone: Callable[[], bool]) -> None:
    for _ in range(round(HEARTBEAT / GLANCE)):
        if ticket.over.is_set() or gone() or table.wait(seen, GLANCE) > seen:
            return


class _Body:
    """A stream's body that gives its ticket back however it ends, even if nothing of it was ever read."""

    def __init__(self, chunks: Iterator[str], streams: Streams, ticket: Ticket) -> None:
        self._chunks = chunks
        self._streams = streams
        self._ticket = ticket

    def __iter__(self) -> Iterator[str]:
        return self._chunks

    def close(self) -> None:
        self._streams.release(self._ticket)


def pages(table: Table, streams: Streams) -> Blueprint:
    """Return `/live`, the stream, and `/snapshot`, the same once for browsers whose stream is refused."""
    blueprint = Blueprint("live", __name__)

    @blueprint.get("/live")
    def live() -> ResponseReturnValue:
        who = audience()
        ticket = streams.admit(who.guest)
        if ticket is None:
            message = "Too many pages are open at this table. This one asks again every few seconds."
            return jsonify(ok=False, code="full", message=message), 503, {"Retry-After": "5"}
        # Only waitress with a look-ahead can tell at once; elsewhere the next heartbeat notices.
        gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
        body = _Body(events(table, who, ticket, gone), streams, ticket)
        return Response(body, mimetype="text/event-stream", headers={"Cache-Control": "no-store"})

    @blueprint.get("/snapshot")
    def snapshot() -> ResponseReturnValue:
        who = audience()
        return jsonify(table.snapshot(who.guest, host=who.host).data), 200, {"Cache-Control": "no-store"}

    return blueprint
