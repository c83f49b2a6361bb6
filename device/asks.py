"""What a tap leads to: the entries to write down, or a refusal. Pure, like the rest of the table's thinking.

A tap names the version of the game that it answers. One that answers an older game is refused: what its sender saw is
no longer so.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from device import lobby
from device.journal import Draft
from device.lobby import shown
from device.needs import Need, cups_are_shown, judges, may, need, shows
from device.room import ACT, Game, Room
from device.sight import Seen
from referee import Act, House, Malformed, Refused, Setup, house_options, play
from referee.hand import tidy
from web.table import HOST_KINDS, Tap

Drafts = tuple[Draft, ...]

#: Whoever has given the PIN and does not sit at the table.
HOST = "the host"

#: Acts that say no more than who does it.
PLAIN = frozenset({"accept", "challenge", "point-out", "absent", "bark", "decline", "leave", "waive"})

#: Taps that answer no version of the game: two people may well do them at once.
ANY_TIME = frozenset({"join", "stand", "house", "game", "remove", "howl", "woof"})


@dataclass(frozen=True, slots=True)
class Ask:
    """A tap and all that bears on it: the room, the seat of its sender, and what the eye has told.

    `hosted`: a host's page is open.
    """

    tap: Tap
    room: Room
    seat: str | None
    seen: Seen
    hosted: bool

    @property
    def who(self) -> str:
        """Return who asks, for the journal: his seat, or the host, whom no seat's name can be mistaken for."""
        return self.seat or HOST

    def text(self, name: str) -> str:
        """Return a field that must be a text."""
        value = self.tap.fields.get(name)
        if not isinstance(value, str):
            raise Malformed(f"'{self.tap.kind}' needs '{name}', a text.")
        return value

    def named(self, name: str = "seat") -> str:
        """Return a field that names a seat, with or without its spaces."""
        return lobby.word(self.text(name))

    def number(self, name: str) -> int:
        """Return a field that must be a whole number."""
        value = self.tap.fields.get(name)
        if type(value) is not int:
            raise Malformed(f"'{self.tap.kind}' needs '{name}', a whole number.")
        return value

    def game(self) -> Game:
        """Return the game under way, or refuse."""
        if self.room.game is None:
            raise Refused("no-game", "No game is being played: begin one first.")
        return self.room.game

    def sitting(self) -> str:
        """Return the seat of the sender, or refuse."""
        if self.seat is None:
            raise Refused("no-seat", "You have no seat at this table: take one first.")
        return self.seat


def decide(room: Room, tap: Tap, seen: Seen, *, hosted: bool) -> Drafts:
    """Return what `tap` writes into the journal. Raises Refused or Malformed."""
    ask = Ask(tap, room, room.lobby.seat_of(tap.guest), seen, hosted)
    if tap.kind not in _DECIDE:
        raise Malformed(f"There is no '{tap.kind}' at this table.")
    if tap.kind in HOST_KINDS and not tap.host and not _stands_in(ask):
        raise Refused("not-host", "Only the host can do that.")
    _check_version(room, tap)
    return _DECIDE[tap.kind](ask)


def _stands_in(ask: Ask) -> bool:
    """Tell whether a player may do this host's act: another game always, dice that lie open while no host is there."""
    if ask.seat is None:
        return False
    if ask.tap.kind == "again":
        return ask.room.place == "over"
    return ask.tap.kind == "enter" and not ask.hosted and _by_hand(ask)


def _by_hand(ask: Ask) -> bool:
    """Tell whether dice that lie open have to be entered by hand."""
    game = ask.room.game
    return game is not None and game.state.phase in ("exposure", "five-aces", "starting-roll")


def _check_version(room: Room, tap: Tap) -> None:
    if tap.kind in ANY_TIME:
        return
    stale = tap.version < room.rules if tap.kind in ("agree", "begin") else tap.version != room.version
    if stale:
        raise Refused("stale", "The table has moved on since: look again, and tap again if it still fits.")


def _lobby(kind: str, ask: Ask, data: Mapping[str, Any]) -> Drafts:
    return (Draft(kind, json.dumps(data, ensure_ascii=False), ask.who),)


def _in_lobby(ask: Ask) -> None:
    if ask.room.place != "lobby":
        raise Refused("game-on", "A game is being played: this can be changed before the next one.")


def _join(ask: Ask) -> Drafts:
    seat = lobby.seat_name(ask.text("name"))
    place = ask.tap.fields.get("place")
    if place is not None and type(place) is not int:
        raise Malformed("'join' takes a 'place' that is a whole number.")
    kind = "join" if ask.room.place == "lobby" else "attach"
    return (Draft(kind, json.dumps({"guest": ask.tap.guest, "seat": seat, "place": place}), seat),)


def _stand(ask: Ask) -> Drafts:
    if "seat" in ask.tap.fields:
        if not ask.tap.host:
            raise Refused("not-host", "Only the host can free another one's seat.")
        return _lobby("detach", ask, {"seat": ask.named()})
    seat = ask.sitting()
    _in_lobby(ask)
    return _lobby("stand", ask, {"seat": seat})


def _agree(ask: Ask) -> Drafts:
    seat = ask.sitting()
    _in_lobby(ask)
    return _lobby("agree", ask, {"seat": seat})


def _house(ask: Ask) -> Drafts:
    _need_host(ask)
    _in_lobby(ask)
    option, value = ask.text("option"), str(ask.tap.fields.get("value"))
    House.of(ask.room.lobby.game, {option: value})
    return _lobby("house", ask, {"option": option, "value": value})


def _game(ask: Ask) -> Drafts:
    _need_host(ask)
    _in_lobby(ask)
    game, dice = ask.text("game"), str(ask.tap.fields.get("dice") or "")
    house_options(game)
    if dice not in (("", "poker") if game == "one-cup" else ("", "poker", "pips")):
        raise Malformed(f"{game} is not played with '{dice}' dice.")
    return _lobby("game", ask, {"game": game, "dice": dice})


def _need_host(ask: Ask) -> None:
    if not ask.tap.host:
        raise Refused("not-host", "Only the host can do that.")


def _begin(ask: Ask) -> Drafts:
    _in_lobby(ask)
    people = ask.room.lobby
    if not ask.tap.host:
        ask.sitting()
    if len(people.guests) < 2:
        raise Refused("too-few", "Two players at least are needed: let another one scan the code.")
    if waiting := [shown(guest.seat) for guest in people.guests if not guest.agreed]:
        raise Refused("not-agreed", f"The rules are not agreed to yet by {', '.join(waiting)}.")
    start = ask.named("start") if ask.tap.fields.get("start") else "roll"
    seats = tuple(guest.seat for guest in people.guests)
    dice, house = lobby.dice_of(people), House.of(people.game, people.house)
    setup = Setup(people.game, seats, house, dice, None if start == "roll" else start)
    return _lobby("begin", ask, {"setup": setup.as_dict(), "lobby": lobby.as_data(people)})


def _plain(ask: Ask) -> Drafts:
    seat, game = ask.sitting(), ask.game()
    if ask.tap.kind == "absent":
        return _absent(ask, game, seat)
    return (Draft(ACT, str(Act(ask.tap.kind, seat)), seat),)


def _absent(ask: Ask, game: Game, by: str) -> Drafts:
    """Deem the recipient away: the offerer says so, or the host."""
    if not ask.tap.host and "absent" not in may(game, by):
        raise Refused("not-absent-now", "Only the one who made the offer, or the host, can say that nobody answers it.")
    return (Draft(ACT, str(Act("absent", game.state.to_act)), by),)


def _declare_absent(ask: Ask) -> Drafts:
    game = ask.game()
    if game.state.to_act is None:
        raise Refused("not-absent-now", "Nobody's turn can be passed on now.")
    return (Draft(ACT, str(Act("absent", game.state.to_act)), ask.who),)


def _say(ask: Ask) -> Drafts:
    seat, game = ask.sitting(), ask.game()
    rolling = game.declared is not None and game.declared.seat == seat
    if rolling or (game.state.phase == "to-say" and game.state.to_act == seat and ask.seen.in_hand):
        raise Refused("waiting-for-tray", "The tray has not read your dice yet: wait until they lie still.")
    return (Draft(ACT, str(Act(ask.tap.kind, seat, words=ask.text("words"))), seat),)


def _bid(ask: Ask) -> Drafts:
    words = f"{ask.number('quantity')} {ask.tap.fields.get('face')}"
    return (Draft(ACT, str(Act("bid", ask.sitting(), words=words)), ask.sitting()),)


def _show(ask: Ask) -> Drafts:
    return (Draft(ACT, str(Act("show", ask.sitting(), dice=tidy(ask.text("faces")))), ask.sitting()),)


def _roll(ask: Ask) -> Drafts:
    seat, game, count = ask.sitting(), ask.game(), ask.number("count")
    dice = game.state.setup.faces[:5] if count else None
    try:
        play(game.state, Act("roll", seat, count=count, dice=dice))  # is refused just as the real one would be
    except Refused as no:  # but names no dice, which whoever reads it would take for those under the cup
        raise Refused(no.code, no.message.replace(f": {dice}'", "'")) from no
    return (Draft("declare", json.dumps({"seat": seat, "count": count}), seat),)


def _vote(ask: Ask) -> Drafts:
    """Count a vote on the howl; the majority of the others decides, or the host if he does not sit with them."""
    game = ask.game()
    who = judges(game)
    kind = ask.tap.kind
    if ask.seat not in who:
        _need_host(ask)
        return (Draft(ACT, str(Act(kind)), ask.who),)
    votes = dict(game.votes) | {str(ask.seat): kind == "howl"}
    vote = Draft("vote", json.dumps({"seat": ask.seat, "howl": kind == "howl"}), ask.who)
    same = sum(1 for seat in who if votes.get(seat) == (kind == "howl"))
    decided = same * 2 > len(who) or (ask.tap.host and set(who) <= set(votes))
    return (vote, Draft(ACT, str(Act(kind)), ask.who)) if decided else (vote,)


def _enter(ask: Ask) -> Drafts:
    """Take the dice that a person says lie there: one seat's, a declared roll's (none: unseen), or the exposed ones."""
    game, dice = ask.game(), tidy(ask.text("hand"))
    if (wanted := need(game)) is not None:
        return _enter_shown(ask, game, wanted, dice)
    if game.declared is not None:
        note = "" if dice else "unseen"
        act = Act("roll", game.declared.seat, count=game.declared.count, dice=dice or None, note=note)
    else:
        act = Act("shows", dice=dice or None)
        _has_place(game, act, "There are no dice to enter now")
    return (Draft(ACT, str(act), ask.who),)


def _has_place(game: Game, act: Act, words: str) -> None:
    """Refuse an act of the table's that has no place now in people's `words`, not in those of the record."""
    try:
        play(game.state, act)
    except Refused as no:
        raise Refused(no.code, no.message.replace(f"'{act}' has no place now", words)) from no


def _enter_shown(ask: Ask, game: Game, wanted: Need, dice: str) -> Drafts:
    """Take the dice of the seat that shows next, or of the one that is named, if the referee will have them."""
    wanted = Need(ask.named(), wanted.dice) if ask.tap.fields.get("seat") else wanted
    if cups_are_shown(game.state):
        return (Draft(ACT, str(shows(wanted, dice)), ask.who),)
    tied = [game.state.setup.seats[seat] for seat in game.state.tied]
    if wanted.seat not in tied or wanted.seat in (each.seat for each in game.gathered):
        raise Refused("not-your-turn", f"{shown(wanted.seat)} has no die to roll now.")
    if len(dice) != 1 or dice not in game.state.setup.faces:
        raise Refused("bad-hand", f"'{dice}' is not one die: enter one of {' '.join(game.state.setup.faces)}.")
    return (Draft("dice", json.dumps({"seat": wanted.seat, "dice": dice}), ask.who),)


def _correct(ask: Ask) -> Drafts:
    game, dice = ask.game(), tidy(ask.text("hand"))
    if not dice:
        raise Refused("bad-hand", "No dice were given: enter those that lay there.")
    named = ask.tap.fields.get("seat") and game.state.setup.game == "common-hand"
    act = Act("correct", named=((ask.named(), dice),)) if named else Act("correct", dice=dice)
    _has_place(game, act, "There are no dice to correct now")
    return (Draft(ACT, str(act), ask.who),)


def _undo(ask: Ask) -> Drafts:
    game = ask.game()
    if game.declared is not None:
        return (Draft("undeclare", "{}", ask.who),)
    if game.gathered:
        return (Draft("undice", "{}", ask.who),)
    return (Draft(ACT, str(Act("undo")), ask.who),)


def _void(ask: Ask) -> Drafts:
    ask.game()
    return (Draft(ACT, str(Act("void")), ask.who),)


def _end(ask: Ask) -> Drafts:
    if ask.game().over:
        raise Refused("game-over", "The game is over already.")
    return (Draft("end", "{}", ask.who),)


def _again(ask: Ask) -> Drafts:
    if not ask.game().over:
        raise Refused("game-on", "A game is being played: end it first.")
    return (Draft("again", "{}", ask.who),)


def _remove(ask: Ask) -> Drafts:
    seat = ask.named()
    if ask.room.place == "game":
        return (Draft(ACT, str(Act("leave", seat)), ask.who),)
    return _lobby("stand", ask, {"seat": seat})


_DECIDE: dict[str, Callable[[Ask], Drafts]] = {
    **dict.fromkeys(PLAIN, _plain),
    "join": _join,
    "stand": _stand,
    "agree": _agree,
    "house": _house,
    "game": _game,
    "begin": _begin,
    "roll": _roll,
    "say": _say,
    "amend": _say,
    "bid": _bid,
    "show": _show,
    "howl": _vote,
    "woof": _vote,
    "enter": _enter,
    "correct": _correct,
    "undo": _undo,
    "void": _void,
    "end": _end,
    "again": _again,
    "remove": _remove,
    "declare-absent": _declare_absent,
}
