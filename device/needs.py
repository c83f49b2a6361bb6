"""Questions about a game that the table puts to the referee's state: who shows dice next, what may a seat do."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee import Act, State, view

if TYPE_CHECKING:
    from device.room import Game


@dataclass(frozen=True, slots=True)
class Need:
    """The next seat that has to show dice of its own on the tray, and how many."""

    seat: str
    dice: int


def standing(state: State) -> Iterator[Act]:
    """Yield the acts that stand, without those that were taken back, the last one first."""
    at: State | None = state
    while at is not None:
        if at.act is not None:
            yield at.act
        at = at.before


def last_hand(state: State) -> str | None:
    """Return the dice as they were last known to lie there, or None if nobody read them since."""
    for act in standing(state):
        if act.kind in ("roll", "shows", "correct") and act.dice is not None:
            return act.dice
        if act.note == "unseen":
            return None
    return None


def need(game: "Game") -> Need | None:
    """Return who shows dice next, at a starting roll or at the exposure of a common hand; None when nobody has to."""
    done = {each.seat for each in game.gathered}
    return next((wanted for wanted in _shown_in_turn(game.state) if wanted.seat not in done), None)


def _shown_in_turn(state: State) -> list[Need]:
    if state.phase == "starting-roll":
        return [Need(state.setup.seats[seat], 1) for seat in state.tied]
    if state.phase != "exposure" or state.setup.game != "common-hand":
        return []
    seats, bidder = state.setup.seats, _bidder(state)
    clockwise = [*seats[bidder:], *seats[:bidder]]
    return [Need(seat, state.dice[seat]) for seat in clockwise if state.dice[seat] > 0]


def _bidder(state: State) -> int:
    seat = next((act.seat for act in standing(state) if act.kind == "bid"), None)
    return 0 if seat is None else state.setup.seats.index(seat)


def may(game: "Game", seat: str) -> tuple[str, ...]:
    """Return what `seat` may do now, in the words of a tap."""
    return tuple(view(game.state, seat).can)


def judges(game: "Game") -> tuple[str, ...]:
    """Return the seats that judge the howl."""
    return tuple(seat for seat in game.state.setup.seats if "howl" in may(game, seat))
