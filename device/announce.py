"""What is said aloud of each entry: every public fact once, in the order in which it came about.

The referee's own announcements say what the rules brought about; a few sentences of the table say what people did.
Nothing here may tell a die that is hidden, or a bid.
"""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from device.journal import Entry
from device.lobby import shown
from referee import parse_act

if TYPE_CHECKING:
    from device.room import Room

#: The referee's own sentence on an undo quotes the act with its dice: that is for the log, not for the pub.
UNDONE = "undone"

#: What taking back an act of each kind is called; the words and the dice of it stay unsaid.
TAKEN_BACK = {
    "roll": "roll",
    "say": "bid",
    "amend": "better bid",
    "bid": "bid",
    "accept": "yes",
    "challenge": "challenge",
    "point-out": "pointing out",
    "absent": "absence",
    "bark": "bark",
    "decline": "refusal to bark",
    "leave": "leaving",
    "show": "showing of dice",
    "waive": "waiving",
}


def sentences(before: "Room", entry: Entry, after: "Room") -> tuple[str, ...]:
    """Return what is said when `entry` leads from one room to the next; mostly nothing."""
    if entry.kind == "act":
        return _of_act(before, entry, after)
    maker = _OF_KIND.get(entry.kind)
    return () if maker is None else maker(before, entry, after)


def _of_act(before: "Room", entry: Entry, after: "Room") -> tuple[str, ...]:
    assert before.game is not None
    assert after.game is not None
    act = parse_act(entry.line, after.game.state.setup)
    told = tuple(each.text for each in after.game.state.announced if each.code != UNDONE)
    if act.kind == "undo":
        return () if entry.who == "table" else (_undone(before), *told)
    name = shown(act.seat or "")
    own: tuple[str, ...] = ()
    if act.kind == "roll" and before.game.declared is not None:
        own = (f"{name} rolls {act.count}." if act.count else f"{name} rolls none.",)
    elif act.kind == "shows" and act.named:
        own = tuple(f"{shown(seat)} shows {spoken(dice)}." for seat, dice in act.named)
    elif act.kind == "challenge":
        own = (f"{name} challenges.",)
    elif act.kind == "absent":
        own = (f"{name} is away: the dice go on unrolled.",)
    elif entry.who != "table" and act.kind in ("shows", "correct"):
        own = (f"{shown(entry.who)} entered the dice by hand.",)
    return own + told


def _undone(before: "Room") -> str:
    """Return the sentence that names what an undo takes back, without dice or words."""
    assert before.game is not None
    last = before.game.state.act
    if last is None or last.seat is None or last.kind not in TAKEN_BACK:
        return "The last act is taken back."
    return f"Taken back: {shown(last.seat)}'s {TAKEN_BACK[last.kind]}."


def _begun(before: "Room", entry: Entry, after: "Room") -> tuple[str, ...]:
    assert after.game is not None
    starter = after.game.state.setup.start
    if starter is None:
        return ("The game begins: everybody rolls one die, the highest starts.",)
    return (f"The game begins: {shown(starter)} starts.",)


def _dice(before: "Room", entry: Entry, after: "Room") -> tuple[str, ...]:
    data = json.loads(entry.line)
    return (f"{shown(data['seat'])} shows {spoken(data['dice'])}.",)


def spoken(dice: str) -> str:
    """Return dice as they are read out.

    >>> spoken("TKK")
    '10 K K'
    """
    return " ".join("10" if face == "T" else face for face in dice)


_OF_KIND: dict[str, Callable[["Room", Entry, "Room"], tuple[str, ...]]] = {
    "begin": _begun,
    "dice": _dice,
    "end": lambda before, entry, after: ("The game was ended.",),
    "undeclare": lambda before, entry, after: ("The declared roll is taken back.",),
    "undice": lambda before, entry, after: ("The last dice shown are taken back.",),
}
