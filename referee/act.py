"""Acts: what people did and what the tray saw, each with a one-line notation that parses back.

An act keeps what was said and never what it was taken to mean: words stay words, dice stay as they were read.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from referee.errors import Malformed
from referee.hand import tidy
from referee.house import COMMON_HAND, ONE_CUP
from referee.setup import TABLE, Setup

Named = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Act:
    """One act. `seat` is None where the table acts; which of the other fields are used depends on `kind`.

    `words` what was said; `count` dice declared; `left` dice that the tray saw leave the glass, if it was another
    number; `dice` what was read, set outside or entered; `rerolled` what a common-hand player's other dice became;
    `named` dice by seat; `note` is `disturbed` (an exposure) or `unseen` (a roll that nobody read).
    """

    kind: str
    seat: str | None = None
    words: str = ""
    count: int = 0
    left: int | None = None
    dice: str | None = None
    rerolled: str | None = None
    named: Named = ()
    note: str = ""

    def __post_init__(self) -> None:
        """Keep the words on one line of a record."""
        if self.words:
            object.__setattr__(self, "words", " ".join(self.words.replace("#", " ").split()))

    def __str__(self) -> str:
        """Return the one-line notation."""
        return _WRITERS[self.kind](self)

    def __repr__(self) -> str:
        """Return the one-line notation."""
        return str(self)


def _write_roll(act: Act) -> str:
    left = "" if act.left is None else f" ({act.left})"
    unseen = f" {act.note}" if act.note else ""
    return f"{act.seat} rolls {act.count}{left}{unseen}" + ("" if act.dice is None else f": {act.dice}")


def _write_exposure(act: Act) -> str:
    seen = [_pairs(act)] if act.named else [act.dice] if act.dice is not None else []
    return " ".join([f"{TABLE} shows" + (f", {act.note}" if act.note else ""), *seen])


def _write_show(act: Act) -> str:
    return f"{act.seat} shows {act.dice}" + ("" if act.rerolled is None else f", rerolls: {act.rerolled}".rstrip())


def _pairs(act: Act) -> str:
    return ", ".join(f"{seat} {dice}".strip() for seat, dice in act.named)


def _said(verb: str) -> Callable[[Act], str]:
    return lambda act: f"{act.seat} {verb} {act.words}".rstrip()


def _plain(text: str) -> Callable[[Act], str]:
    return lambda act: text if act.seat is None else f"{act.seat} {text}"


_PLAIN = {
    "accept": "accepts",
    "challenge": "challenges",
    "point-out": "points out",
    "absent": "is absent",
    "bark": "barks",
    "decline": "declines",
    "leave": "leaves",
    "waive": "waives",
}
_TABLE_PLAIN = {
    "howl": f"{TABLE} hears a howl",
    "woof": f"{TABLE} hears a woof",
    "void": f"{TABLE} voids",
    "undo": "undo",
}
_WRITERS: dict[str, Callable[[Act], str]] = {
    **{kind: _plain(text) for kind, text in (_PLAIN | _TABLE_PLAIN).items()},
    "say": _said("says"),
    "amend": _said("amends"),
    "bid": _said("bids"),
    "roll": _write_roll,
    "show": _write_show,
    "shows": _write_exposure,
    "correct": lambda act: f"{TABLE} corrects " + (_pairs(act) if act.named else act.dice or ""),
    "starting-roll": lambda act: f"starting-roll: {_pairs(act)}",
    "deal": lambda act: f"roll: {_pairs(act)}",
}
KINDS = tuple(_WRITERS)

_SEAT = r"(?P<seat>[^\s:]+)"
_ANY = r"(?P<dice>.*\S)"
_NAMED = r"(?P<named>.*\S)"
_COMMON_READERS = (
    ("starting-roll", rf"starting-roll:\s*{_NAMED}"),
    ("undo", r"undo"),
    ("void", rf"{TABLE} voids"),
    *((kind, rf"{_SEAT} {text}") for kind, text in _PLAIN.items()),
)
_READERS = {
    ONE_CUP: (
        ("shows", rf"{TABLE} shows(?:, *(?P<note>disturbed))?(?:[ :]+{_ANY})?"),
        ("correct", rf"{TABLE} corrects {_ANY}"),
        ("howl", rf"{TABLE} hears a howl"),
        ("woof", rf"{TABLE} hears a woof"),
        *_COMMON_READERS,
        (
            "roll",
            rf"{_SEAT} rolls (?P<count>\d{{1,9}})(?: *\((?P<left>\d{{1,9}})\))?"
            r"(?: (?P<note>unseen)| *: *(?P<dice>.*))?",
        ),
        ("say", rf"{_SEAT} says(?: (?P<words>.*))?"),
        ("amend", rf"{_SEAT} amends(?: (?P<words>.*))?"),
    ),
    COMMON_HAND: (
        ("shows", rf"{TABLE} shows(?: {_NAMED})?"),
        ("correct", rf"{TABLE} corrects {_NAMED}"),
        ("deal", rf"roll:\s*{_NAMED}"),
        *_COMMON_READERS,
        ("bid", rf"{_SEAT} bids(?: (?P<words>.*))?"),
        ("show", rf"{_SEAT} shows(?: (?P<dice>[^,]*?))?(?:\s*,\s*rerolls:(?P<rerolled>.*))?"),
    ),
}
_COMPILED = {game: [(kind, re.compile(pattern)) for kind, pattern in rows] for game, rows in _READERS.items()}


@lru_cache(maxsize=4096)
def parse_act(text: str, setup: Setup) -> Act:
    """Return the act that one line of the game record says; `Malformed`, quoting it, if it says none.

    >>> setup = Setup("one-cup", ("a", "b"))
    >>> parse_act("a rolls 5 (4):  10 10 A Q 9", setup)
    a rolls 5 (4): TTAQ9
    """
    line = " ".join(text.split())
    for kind, pattern in _COMPILED[setup.game]:
        match = pattern.fullmatch(line)
        if match and match.groupdict().get("seat") != TABLE:
            return Act(kind, **_fields(match, line))  # type: ignore[arg-type]
    raise Malformed(f"'{line}' is not an act of {setup.game}.")


def _fields(match: re.Match[str], line: str) -> dict[str, object]:
    """Return the fields of an act from what its pattern caught."""
    return {name: _FIELDS[name](value, line) for name, value in match.groupdict().items() if value is not None}


def _named(value: str, line: str) -> Named:
    """Return `a K, b 9` as pairs of a seat and its dice; a seat named twice or without dice is `Malformed`."""
    parts = [part.split(None, 1) for part in value.split(",")]
    seats = [part[0] for part in parts if part]
    if any(len(part) != 2 for part in parts) or len(set(seats)) < len(seats):
        raise Malformed(f"'{line}' must name each seat once, with its dice: a 11234, b 22256.")
    return tuple((seat, tidy(dice)) for seat, dice in parts)


_FIELDS: dict[str, Callable[[str, str], object]] = {
    "seat": lambda value, line: value,
    "words": lambda value, line: value.strip(),
    "note": lambda value, line: value,
    "count": lambda value, line: int(value),
    "left": lambda value, line: int(value),
    "dice": lambda value, line: tidy(value),
    "rerolled": lambda value, line: tidy(value),
    "named": _named,
}
