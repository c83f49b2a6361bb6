"""Taps: the one way in which a page asks the table for something."""

import re
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from web import entrance
from web.table import HOST_KINDS, LOBBY_KINDS, SEAT_KINDS, Answer, Table, Tap

#: Only the host may do these; whether a player may enter dice or begin anew where no host is, the table decides.
FOR_HOST = frozenset((*HOST_KINDS, "house", "game")) - {"enter", "again"}

KINDS = frozenset((*LOBBY_KINDS, *SEAT_KINDS, *HOST_KINDS))

#: Letters of one text field: the longest bid written out stays far below.
TEXT_LIMIT = 200

#: Fields of a tap, and items of a list in one.
FIELDS_LIMIT, LIST_LIMIT = 8, 24

#: Answer code -> HTTP status; every other refusal is a conflict with the game as it is.
STATUSES = {None: 200, "malformed": 400, "not-host": 403, "busy": 503}

GARBLED = "The page sent something the table cannot read. Reload the page and try again."

_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")

# Controls, and the marks that turn text about or hide in it: a name must look like what it is.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]")


class BadTap(ValueError):
    """A tap that no page of ours would send; its text is the sentence for the person."""


def clean(text: str) -> str:
    """Return `text` with single spaces; raise `BadTap` for control characters and for too long a text.

    >>> clean("  a  pair of jacks ")
    'a pair of jacks'
    """
    if _UNPRINTABLE.search(text):
        raise BadTap("There are characters in that text which nobody can read. Type it again with letters and digits.")
    if len(text) > TEXT_LIMIT:
        raise BadTap(f"That text is longer than {TEXT_LIMIT} letters. Shorten it and try again.")
    return " ".join(text.split())


def _field(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if value is None or isinstance(value, bool) or (isinstance(value, int) and abs(value) < 1_000_000):
        return value
    if isinstance(value, list) and len(value) <= LIST_LIMIT and not any(isinstance(item, list) for item in value):
        return [_field(item) for item in value]
    raise BadTap(GARBLED)


def read_tap(body: Mapping[str, Any], guest: str, host: bool) -> Tap:
    """Return the tap that `body` asks for; raise `BadTap` if it is none.

    >>> read_tap({"id": "a1b2c3d4", "version": 7, "kind": "say", "fields": {"words": "a pair"}}, "g", False)
    Tap(guest='g', id='a1b2c3d4', version=7, kind='say', fields={'words': 'a pair'}, host=False)
    """
    match body:
        case {"id": str(name), "version": int(version), "kind": str(kind), "fields": dict(fields)} if (
            _ID.fullmatch(name) and _counts(version) and kind in KINDS and len(fields) <= FIELDS_LIMIT
        ):
            return Tap(guest, name, version, kind, {str(key): _field(value) for key, value in fields.items()}, host)
    raise BadTap(GARBLED)


def _counts(version: int) -> bool:
    return not isinstance(version, bool) and version >= 0


def _no(table: Table, code: str, message: str) -> Answer:
    return Answer(False, table.snapshot(None).version, code, message)


def _answer(table: Table) -> Answer:
    guest = entrance.guest()
    if guest is None:
        return _no(table, "no-seat", "The table does not know this browser. Reload the page; cookies must be allowed.")
    try:
        tap = read_tap(entrance.said(), guest, entrance.is_host())
    except BadTap as bad:
        return _no(table, "malformed", str(bad))
    if tap.kind in FOR_HOST and not tap.host:
        return _no(table, "not-host", "Only the host can do that. Give the host's PIN on the host's page first.")
    return table.tap(tap)


def pages(table: Table) -> Blueprint:
    """Return `POST /tap`."""
    blueprint = Blueprint("taps", __name__)

    @blueprint.post("/tap")
    def tap() -> ResponseReturnValue:
        answer = _answer(table)
        body = {"ok": answer.ok, "version": answer.version, "code": answer.code, "message": answer.message}
        return jsonify(body), STATUSES.get(answer.code, 409)

    return blueprint
