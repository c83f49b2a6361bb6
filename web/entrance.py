"""Who is asking: the browser's token, the host's flag, and the door that keeps other sites' pages out."""

import secrets
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from flask import abort, request, session

#: Wrong PINs from one address, and from all of them, before the door stays shut for a while.
TRIES_EACH, TRIES_ALL = 5, 20

#: Seconds for which a wrong PIN counts.
TRIES_SECONDS = 60.0


def guest() -> str | None:
    """Return this browser's token, or None if it never opened a page that gives one."""
    token = session.get("guest")
    return token if isinstance(token, str) else None


def welcome() -> str:
    """Return this browser's token; a new browser gets one, kept in its cookie for ninety days."""
    token = guest()
    if token is None:
        token = session["guest"] = secrets.token_urlsafe(16)
        session.permanent = True
    return token


def is_host() -> bool:
    """Tell whether this browser has given the host's PIN."""
    return session.get("host") is True


def refuse_strangers() -> None:
    """Refuse a POST that a page of another site sent, or that is not JSON (a form anywhere could send that)."""
    if request.method != "POST":
        return
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        abort(403, "Another site tried to tap here. Nothing was done. Open the table's own page.")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        abort(403, "Another site tried to tap here. Nothing was done. Open the table's own page.")
    if not request.is_json:
        abort(415)


def said() -> Mapping[str, Any]:
    """Return the JSON object in the body of this request; anything else is a 400."""
    try:
        body = request.get_json(silent=True)
    except RecursionError:  # lists within lists within lists
        abort(400)
    if not isinstance(body, dict):
        abort(400)
    return body


class PinGuard:
    """Counts wrong PINs, so that four digits are not guessed in an evening. `clock` returns seconds.

    >>> guard = PinGuard(clock=lambda: 0.0)
    >>> for _ in range(TRIES_EACH):
    ...     guard.wrong("192.0.2.7")
    >>> guard.shut("192.0.2.7"), guard.shut("192.0.2.8")
    (True, False)
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._wrong: deque[tuple[float, str]] = deque(maxlen=TRIES_ALL)

    def wrong(self, address: str) -> None:
        """Note a wrong PIN from `address`."""
        self._wrong.append((self._clock(), address))

    def shut(self, address: str) -> bool:
        """Tell whether `address` has to wait before it may try again."""
        since = self._clock() - TRIES_SECONDS
        recent = [who for when, who in self._wrong if when > since]
        return len(recent) >= TRIES_ALL or recent.count(address) >= TRIES_EACH
