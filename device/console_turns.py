"""What a touch of the console means at this moment of the game. Pure: a snapshot and a touch in, a wish out.

With buttons and knob alone a whole game can be played: the console always speaks for the seat whose turn it is.

==========  =====================  =======================  ====================  ==================
            lobby                  before the roll, a bid   an offer stands       the dog is asked
==========  =====================  =======================  ====================  ==================
Accept      begins                 rolls / says             accepts               barks; a good howl
Challenge                                                   challenges            declines; a woof
Better                             says `better`
Undercall                          points it out            points it out
Away                                                        he is away
Away held   takes the last act back, whenever there is one
knob        how many seats         how many dice / any bid
==========  =====================  =======================  ====================  ==================

When the tray cannot be read, the knob composes the hand that lies there, dice by dice. After a game Accept begins
another one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from device.composer import PIPS, POKER_FACES, Composer, Count, Grammar, Poker, Quantity, Spelling, compose
from device.presses import Press

SEATS = Count(2, 12, "seats")
DICE = 5

#: Button -> the kinds it may mean, the first that the seat or the table can do now.
_MEANS = {
    "accept": ("accept", "howl", "bark", "waive"),
    "challenge": ("challenge", "woof", "decline"),
    "undercall": ("point-out",),
    "away": ("absent",),
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What the console asks of the table: a kind of tap with its fields; `seats` {count} makes seats without phones."""

    kind: str
    fields: Mapping[str, Any] = field(default_factory=dict)


def wish(press: Press, data: Mapping[str, Any]) -> Wish | None:
    """Return what a press of a button means to the table whose snapshot is `data`, None if it means nothing now."""
    if press.held:
        return Wish("undo") if press.button == "away" and "undo" in _table_can(data) else None
    if data.get("state") == "lobby":
        return Wish("begin", {"start": "roll"}) if press.button == "accept" and data.get("guests") else None
    if data.get("state") == "over":
        return Wish("again") if press.button == "accept" else None
    can = _can(data)
    if press.button == "better":
        return Wish("say", {"words": "better"}) if "say" in can else None
    allowed = (*can, *_table_can(data))
    kind = next((kind for kind in _MEANS.get(press.button, ()) if kind in allowed), None)
    return None if kind is None else Wish(kind)


def grammar(data: Mapping[str, Any]) -> Grammar | None:
    """Return what the knob composes now, None if nothing."""
    if data.get("state") == "lobby":
        return SEATS
    if data.get("state") != "game":
        return None
    can = _can(data)
    if data.get("manual") and _to_enter(data):
        return Spelling(PIPS, PIPS, _expected(data)) if data.get("dice") == "pips" else Spelling(dice=_expected(data))
    if "say" in can:
        return Poker()
    if "roll" in can:
        return Count(0, DICE, "dice")
    if "bid" not in can:
        return None
    return Quantity(_dice_in_play(data), POKER_FACES[:-1] if data.get("dice") == "poker" else PIPS[1:])


def spoken(composer: Composer, data: Mapping[str, Any]) -> Wish:
    """Return what a composed bid, number or hand asks of the table. `composer.words` must be there."""
    words = composer.words or ""
    if data.get("state") == "lobby":
        return Wish("seats", {"count": int(words)})
    if isinstance(composer.grammar, Spelling):
        return Wish("enter", {"hand": words})
    can = _can(data)
    if "say" in can:
        return Wish("say", {"words": words})
    if "roll" in can:
        return Wish("roll", {"count": int(words)})
    quantity, face = words.split()
    return Wish("bid", {"quantity": int(quantity), "face": "T" if face == "10" else face})


def fresh(data: Mapping[str, Any]) -> Composer | None:
    """Return a composer for this moment, None if there is nothing to compose."""
    rules = grammar(data)
    return None if rules is None else compose(rules)


@dataclass(frozen=True, slots=True)
class Lamps:
    """What the console shows: the status colour (red, green, blue) and the ring, 0 to 1."""

    colour: tuple[float, float, float]
    ring: float


GREEN, AMBER, RED, BLUE, WHITE = (0.0, 1.0, 0.0), (1.0, 0.45, 0.0), (1.0, 0.0, 0.0), (0.0, 0.2, 1.0), (1.0, 1.0, 1.0)


def lamps(data: Mapping[str, Any], *, stuck: bool = False) -> Lamps:
    """Return the lamps for a snapshot: red trouble, amber the tray wants something, green a person may act."""
    tray = data.get("tray") or {}
    if stuck or tray.get("state") == "no-camera":
        return Lamps(RED, 0.3)
    if data.get("state") == "lobby":
        return Lamps(BLUE, 0.3)
    if data.get("state") == "over":
        return Lamps(WHITE, 1.0)
    if tray.get("advice"):
        return Lamps(AMBER, 0.3)
    return Lamps(GREEN, 1.0 if "shows" in _table_can(data) else 0.3)


def _to_enter(data: Mapping[str, Any]) -> bool:
    """Tell whether dice that the tray cannot read have to be entered by hand."""
    waits = {"shows", "starting-roll"} & set(_table_can(data))
    return bool(waits) or data.get("declared") is not None


def _expected(data: Mapping[str, Any]) -> int:
    return int((data.get("tray") or {}).get("expect") or DICE)


def _can(data: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple((data.get("view") or {}).get("can") or ())


def _table_can(data: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple((data.get("view") or {}).get("table_can") or ())


def _dice_in_play(data: Mapping[str, Any]) -> int:
    seats = (data.get("view") or {}).get("seats") or ()
    return max(1, sum(seat.get("dice") or 0 for seat in seats))
