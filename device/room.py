"""The room: everything that is true at the table, as a pure fold over the journal's entries.

The lobby, the game that the referee keeps, and what the table itself must remember of it: a roll declared and not yet
read, dice shown one seat after another, a disturbance, votes on a howl. Nothing of it is stored; the entries are.
"""

import json
from dataclasses import dataclass, field, replace
from typing import Any

from device import announce, lobby
from device.journal import Entry
from device.lobby import Lobby
from referee import Act, Setup, State, begin, parse_act, play

#: Entries of this kind are acts of the game record; the others are the table's own.
ACT = "act"

#: Kinds that leave the game as it was: a tap that answers the game before them still fits.
QUIET = frozenset({"attach", "detach", "vote", "disturbed", "note"})

#: Sentences that the ticker remembers.
TICKER = 8


@dataclass(frozen=True, slots=True)
class Declared:
    """A roll that `seat` declared and that the tray has not read yet."""

    seat: str
    count: int


@dataclass(frozen=True, slots=True)
class Gathered:
    """Dice that the tray read for one seat, where each seat shows its own in turn."""

    seat: str
    dice: str
    evidence: int | None


@dataclass(frozen=True, slots=True)
class Exposure:
    """Dice that were shown to all: the hand (None: a common hand), its evidence, and who read it (`tray` or `host`)."""

    hand: str | None
    evidence: int | None
    settled_by: str


@dataclass(frozen=True, slots=True)
class Game:
    """A game under way or over, and what the table remembers of it beside the referee.

    `held`: somebody took an act back, so the tray waits for a person before it acts again. `rolled`: the evidence of
    the last roll. `ended`: the host gave it up.
    """

    state: State
    declared: Declared | None = None
    gathered: tuple[Gathered, ...] = ()
    disturbed: bool = False
    held: bool = False
    rolled: int | None = None
    exposure: Exposure | None = None
    votes: tuple[tuple[str, bool], ...] = ()
    ended: bool = False

    @property
    def over(self) -> bool:
        """Tell whether nothing more is played."""
        return self.ended or self.state.phase == "over"


@dataclass(frozen=True, slots=True)
class Said:
    """One announced sentence with the word for its sound; `n` rises and is never used twice."""

    n: int
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Room:
    """All that is true at the table. `version` is the entry that last changed the game, `rules` the rules in force.

    `games` counts the games begun, `shown` holds the evidence that everybody may see.
    """

    lobby: Lobby = field(default_factory=Lobby)
    game: Game | None = None
    version: int = 0
    rules: int = 0
    games: int = 0
    said: tuple[Said, ...] = ()
    shown: frozenset[int] = frozenset()

    @property
    def place(self) -> str:
        """Return where the evening is: `lobby`, `game` or `over`."""
        if self.game is None:
            return "lobby"
        return "over" if self.game.over else "game"


def step(room: Room, entry: Entry) -> Room:
    """Return the room after `entry`. Raises Refused or Malformed if it may not be, and then nothing changed."""
    after = _changed(room, entry)
    told = announce.sentences(room, entry, after)
    said = tuple(Said(entry.n * 10 + i, each.code, each.text) for i, each in enumerate(told))
    return replace(
        after,
        said=(*room.said, *said)[-TICKER:],
        version=room.version if entry.kind in QUIET else entry.n,
        rules=entry.n if entry.kind in ("house", "game") else room.rules,
    )


def fold(entries: tuple[Entry, ...]) -> Room:
    """Return the room after all `entries`."""
    room = Room()
    for entry in entries:
        room = step(room, entry)
    return room


def _changed(room: Room, entry: Entry) -> Room:
    if entry.kind in lobby.KINDS:
        return replace(room, lobby=lobby.step(room.lobby, entry.kind, json.loads(entry.line)))
    if entry.kind == "begin":
        return _begun(room, entry)
    if entry.kind == "again":
        return _again(room)
    if room.game is None:
        raise ValueError(f"entry {entry.n} ({entry.kind}) needs a game")
    if entry.kind == ACT:
        return _played(room, room.game, entry)
    data = {} if entry.kind == "note" else json.loads(entry.line)
    return replace(room, game=_remembered(room.game, entry, data))


def _begun(room: Room, entry: Entry) -> Room:
    """Return the room in which a game begins; the entry holds all that went before, so a fold may start here."""
    data = json.loads(entry.line)
    game = Game(begin(Setup.of(data["setup"])))
    return Room(lobby.from_data(data["lobby"]), game, rules=room.rules, games=entry.game, said=room.said)


def _again(room: Room) -> Room:
    """Return the room back in the lobby: same seats and rules, without those who left for good."""
    people = room.lobby
    for seat in gone(room.game) if room.game else ():
        people = people.stand(seat) if people.at(seat) else people
    return replace(room, lobby=people.disagree(), game=None)


def gone(game: Game) -> tuple[str, ...]:
    """Return the seats that left the game for good."""
    return tuple(game.state.setup.seats[seat] for seat in sorted(game.state.left))


def _played(room: Room, game: Game, entry: Entry) -> Room:
    act = parse_act(entry.line, game.state.setup)
    after = _after_act(game, act, entry, play(game.state, act))
    shown = room.shown
    if after.exposure is not game.exposure and after.exposure is not None and after.exposure.evidence is not None:
        shown = shown | {after.exposure.evidence}
    return replace(room, game=after, shown=shown)


def _after_act(game: Game, act: Act, entry: Entry, state: State) -> Game:
    """Return what the table remembers after an act; an act by hand lifts what an undo had held."""
    fresh = replace(game, state=state, declared=None, held=act.kind == "undo" and entry.who != "table")
    if act.kind == "roll":
        opened = game.state.phase == "five-aces" and act.dice is not None
        exposure = Exposure(act.dice, entry.evidence, settled_by(entry)) if opened else None
        rolled = game.rolled if entry.evidence is None else entry.evidence
        return replace(fresh, disturbed=False, rolled=rolled, exposure=exposure)
    if act.kind in ("shows", "correct"):
        return replace(fresh, exposure=_exposed(state, entry))
    if act.kind == "undo":
        return replace(fresh, gathered=(), exposure=game.exposure if state.verdict else None)
    if act.kind in ("starting-roll", "challenge", "void"):
        return replace(fresh, gathered=())
    if act.kind in ("bark", "howl", "woof", "decline"):
        return replace(fresh, votes=())
    return fresh


def settled_by(entry: Entry) -> str:
    """Return who read the dice of an entry."""
    return "tray" if entry.who == "table" else "host"


def _exposed(state: State, entry: Entry) -> Exposure:
    """Return what an act has shown to all: a hand, or one cup of several."""
    shown = state.verdict.shown if state.verdict is not None else ()
    hand = next((dice for seat, dice in shown if seat is None), None)
    return Exposure(hand, entry.evidence, settled_by(entry))


def _remembered(game: Game, entry: Entry, data: dict[str, Any]) -> Game:
    match entry.kind:
        case "declare":
            return replace(game, declared=Declared(data["seat"], data["count"]), held=False)
        case "undeclare":
            return replace(game, declared=None)
        case "dice":
            return replace(game, gathered=(*game.gathered, Gathered(data["seat"], data["dice"], entry.evidence)))
        case "undice":
            return replace(game, gathered=game.gathered[:-1])
        case "disturbed":
            return replace(game, disturbed=True)
        case "vote":
            others = tuple(vote for vote in game.votes if vote[0] != data["seat"])
            return replace(game, votes=(*others, (data["seat"], data["howl"])))
        case "end":
            return replace(game, ended=True)
        case _:
            return game
