"""The lobby: who sits where, by which rules, and who has agreed to them. A pure fold over lobby acts.

>>> lobby = Lobby().join("phone-1", "Ann").join("phone-2", "Bob").agree("Ann")
>>> [(guest.seat, guest.agreed) for guest in lobby.guests]
[('Ann', True), ('Bob', False)]
>>> lobby.join("phone-3", "ann")
Traceback (most recent call last):
...
referee.errors.Refused: Ann sits at the table already: choose another name.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from referee import Refused

#: Letters of a name: as many as a seat on the screen has room for.
NAME_LIMIT = 14

#: Seats at one table.
SEATS_LIMIT = 12

#: A name is one word of letters, digits and the marks that names have; the game record gives others a meaning.
_NAME = re.compile(r"[^\W_](?:[\w'.-]*[\w.])?")

#: Words with which a line of the game record begins.
_RESERVED = frozenset({"table", "undo", "roll", "starting-roll"})


@dataclass(frozen=True, slots=True)
class Guest:
    """Who sits on a seat: the browser's token (None: free for another phone) and whether he agreed to the rules."""

    seat: str
    guest: str | None
    agreed: bool = False


def shown(seat: str) -> str:
    """Return a seat's name as people read it.

    >>> shown("Old_Tom")
    'Old Tom'
    """
    return seat.replace("_", " ")


def word(name: str) -> str:
    """Return a name as the one word that the record has for it.

    >>> word("Old  Tom"), word("Old_Tom")
    ('Old_Tom', 'Old_Tom')
    """
    return "_".join(name.replace("_", " ").split())


def seat_name(name: str) -> str:
    """Return `name` as one word for the record; refuse what is no name.

    >>> seat_name("  Old  Tom ")
    'Old_Tom'
    """
    seat = word(name)
    if not seat:
        raise Refused("bad-name", "Without a name there is no seat: type the name the others know you by.")
    if len(seat) > NAME_LIMIT:
        raise Refused("bad-name", f"'{shown(seat)}' is too long for the screen: take up to {NAME_LIMIT} letters.")
    if not _NAME.fullmatch(seat):
        raise Refused("bad-name", f"'{shown(seat)}' has signs that no name has: take letters and digits.")
    if seat.casefold() in _RESERVED:
        raise Refused("bad-name", f"Nobody can be called '{seat}': the game record uses that word itself.")
    return seat


@dataclass(frozen=True, slots=True)
class Lobby:
    """Who is there, clockwise, the game chosen and the house options that differ from their defaults.

    `dice` is `poker` or `pips`, empty for what is usual.
    """

    guests: tuple[Guest, ...] = ()
    game: str = "one-cup"
    dice: str = ""
    house: Mapping[str, str] = field(default_factory=dict)

    def at(self, seat: str) -> Guest | None:
        """Return who sits on `seat` (upper or lower case alike), or None."""
        return next((guest for guest in self.guests if guest.seat.casefold() == seat.casefold()), None)

    def seat_of(self, guest: str | None) -> str | None:
        """Return the seat of the browser `guest`, or None."""
        if guest is None:
            return None
        return next((sitting.seat for sitting in self.guests if sitting.guest == guest), None)

    def join(self, guest: str, seat: str, place: int | None = None) -> "Lobby":
        """Return the lobby with `guest` on `seat`: new at `place` (0 first; None: last), freed, or his own renamed."""
        taken = self.at(seat)
        own = self.seat_of(guest)
        if taken is not None and taken.guest not in (None, guest):
            raise Refused("name-taken", f"{shown(taken.seat)} sits at the table already: choose another name.")
        if taken is not None and taken.guest is None:
            return (self.stand(own) if own else self)._put(taken.seat, guest=guest)
        if own is not None:
            return self._put(own, seat=seat)
        if len(self.guests) >= SEATS_LIMIT:
            raise Refused("table-full", f"All {SEATS_LIMIT} seats are taken: you can watch, or wait for a seat.")
        at = len(self.guests) if place is None else max(0, min(place, len(self.guests)))
        return replace(self, guests=(*self.guests[:at], Guest(seat, guest), *self.guests[at:]))

    def attach(self, guest: str, seat: str) -> "Lobby":
        """Return the lobby with `guest` on the freed `seat`, as is allowed during a game."""
        freed = self.at(seat)
        if freed is None or freed.guest is not None or self.seat_of(guest) is not None:
            raise Refused("game-on", "Nobody can sit down in this game any more: you can watch, and join the next one.")
        return self._put(freed.seat, guest=guest)

    def detach(self, seat: str) -> "Lobby":
        """Return the lobby with `seat` free for another phone."""
        return self._put(self._sure(seat), guest=None)

    def stand(self, seat: str) -> "Lobby":
        """Return the lobby without `seat`."""
        gone = self._sure(seat)
        return replace(self, guests=tuple(guest for guest in self.guests if guest.seat != gone))

    def agree(self, seat: str) -> "Lobby":
        """Return the lobby in which `seat` has agreed to the rules in force."""
        return self._put(self._sure(seat), agreed=True)

    def choose_house(self, option: str, value: str) -> "Lobby":
        """Return the lobby with another house option; everybody has to agree anew."""
        return replace(self, house={**self.house, option: value}).disagree()

    def choose_game(self, game: str, dice: str = "") -> "Lobby":
        """Return the lobby with another game or other dice, at its default options; everybody has to agree anew."""
        return replace(self, game=game, dice=dice, house={}).disagree()

    def disagree(self) -> "Lobby":
        """Return the lobby in which nobody has agreed yet."""
        return replace(self, guests=tuple(replace(guest, agreed=False) for guest in self.guests))

    def _sure(self, seat: str) -> str:
        sitting = self.at(seat)
        if sitting is None:
            raise Refused("unknown-seat", f"Nobody called {shown(seat)} sits at the table.")
        return sitting.seat

    def _put(self, at: str, **changes: Any) -> "Lobby":
        guests = (replace(guest, **changes) if guest.seat == at else guest for guest in self.guests)
        return replace(self, guests=tuple(guests))


def dice_of(lobby: Lobby) -> str:
    """Return the dice that the game will be played with: those chosen, else its usual ones."""
    return lobby.dice or ("pips" if lobby.game == "common-hand" else "poker")


def as_data(lobby: Lobby) -> dict[str, Any]:
    """Return the lobby as plain JSON data; `from_data` reads it back.

    >>> lobby = Lobby(house={"lives": "5"}).join("phone", "Ann")
    >>> from_data(as_data(lobby)) == lobby
    True
    """
    guests = [{"seat": guest.seat, "guest": guest.guest, "agreed": guest.agreed} for guest in lobby.guests]
    return {"guests": guests, "game": lobby.game, "dice": lobby.dice, "house": dict(lobby.house)}


def from_data(data: Mapping[str, Any]) -> Lobby:
    """Return the lobby that `as_data` wrote."""
    guests = tuple(Guest(guest["seat"], guest["guest"], guest["agreed"]) for guest in data["guests"])
    return Lobby(guests, data["game"], data["dice"], dict(data["house"]))


def step(lobby: Lobby, kind: str, data: Mapping[str, Any]) -> Lobby:
    """Return the lobby after the lobby act `kind` with its fields `data`. Raises Refused."""
    match kind:
        case "join":
            return lobby.join(data["guest"], data["seat"], data.get("place"))
        case "house":
            return lobby.choose_house(data["option"], data["value"])
        case "game":
            return lobby.choose_game(data["game"], data["dice"])
        case "attach":
            return lobby.attach(data["guest"], data["seat"])
        case "detach":
            return lobby.detach(data["seat"])
        case "stand":
            return lobby.stand(data["seat"])
        case _:
            return lobby.agree(data["seat"])


#: Kinds of entries that the lobby folds.
KINDS = frozenset({"join", "house", "game", "attach", "detach", "stand", "agree"})
