"""What is said aloud of each entry: every public fact once, in the order in which it came about.

The referee's own announcements say what the rules brought about; a few sentences of the table say what people did.
Nothing here may tell a die that is hidden, or a bid.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from device.journal import Entry
from device.lobby import shown
from referee import Act, parse_act
from referee import taken_back as act_taken_back

if TYPE_CHECKING:
    from device.room import Game, Room

UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence for everybody, and a stable word for the sound that goes with it."""

    code: str
    text: str


def sentences(before: "Room", entry: Entry, after: "Room") -> tuple[Told, ...]:
    """Return what is said when `entry` leads from one room to the next; mostly nothing."""
    if entry.kind == "act":
        return _of_act(before, entry, after)
    maker = _OF_KIND.get(entry.kind)
    return () if maker is None else maker(before, entry, after)


def _of_act(before: "Room", entry: Entry, after: "Room") -> tuple[Told, ...]:
    assert before.game is not None
    assert after.game is not None
    act = parse_act(entry.line, after.game.state.setup)
    told = tuple(Told(each.code, shown(each.text)) for each in after.game.state.announced if each.code != UNDONE)
    if act.kind != "undo":
        return (*_own(before.game, act, entry), *told)
    return () if entry.who == "table" else (Told(UNDONE, f"Taken back: {taken_back(before.game)}."), *told)


def _own(before: "Game", act: Act, entry: Entry) -> tuple[Told, ...]:
    """Return what the table says of an act beside the referee: what people did, as all could see it."""
    name = shown(act.seat or "")
    if act.kind == "roll" and before.declared is not None:
        return (Told("roll", f"{name} rolls {act.count}." if act.count else f"{name} rolls none."),)
    if act.kind == "challenge":
        return (Told("challenge", f"{name} challenges."),)
    if act.kind == "absent":
        return (Told("absent", f"{name} is away: the dice go on unrolled."),)
    if act.kind == "shows" and act.named:
        return tuple(Told("shows", f"{shown(seat)} shows {spoken(dice)}.") for seat, dice in act.named)
    if act.kind in ("shows", "correct") and entry.who != "table":
        who = shown(entry.who)
        return (Told("by-hand", f"{who[:1].upper()}{who[1:]} entered the dice by hand."),)
    return ()


def taken_back(game: "Game") -> str:
    """Return what an undo would take back, without dice or words."""
    if game.declared is not None:
        return f"{shown(game.declared.seat)}'s declared roll"
    if game.gathered:
        return f"{shown(game.gathered[-1].seat)}'s die"
    return shown(act_taken_back(game.state))


def _begun(before: "Room", entry: Entry, after: "Room") -> tuple[Told, ...]:
    assert after.game is not None
    starter = after.game.state.setup.start
    if starter is None:
        return (Told("begin", "The game begins: everybody rolls one die, the highest starts."),)
    return (Told("begin", f"The game begins: {shown(starter)} starts."),)


def _dice(before: "Room", entry: Entry, after: "Room") -> tuple[Told, ...]:
    data = json.loads(entry.line)
    return (Told("shows", f"{shown(data['seat'])} shows {spoken(data['dice'])}."),)


def spoken(dice: str) -> str:
    """Return dice as they are read out.

    >>> spoken("TKK")
    '10 K K'
    """
    return " ".join("10" if face == "T" else face for face in dice)


def _unmade(before: "Room", entry: Entry, after: "Room") -> tuple[Told, ...]:
    assert before.game is not None
    return (Told(UNDONE, f"Taken back: {taken_back(before.game)}."),)


_OF_KIND: dict[str, Callable[["Room", Entry, "Room"], tuple[Told, ...]]] = {
    "begin": _begun,
    "dice": _dice,
    "end": lambda before, entry, after: (Told("end", "The game was ended."),),
    "undeclare": _unmade,
    "undice": _unmade,
}
