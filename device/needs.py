"""Questions about a game that the table puts to the referee's state: who shows dice next, what may a seat do."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee import Act, RulesError, State, play, view

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
    if game.state.phase == "starting-roll":
        done = {each.seat for each in game.gathered}
        seats = (game.state.setup.seats[seat] for seat in game.state.tied)
        return next((Need(seat, 1) for seat in seats if seat not in done), None)
    return next(_cups(game.state), None) if cups_are_shown(game.state) else None


def cups_are_shown(state: State) -> bool:
    """Tell whether everybody shows what was under his own cup."""
    return state.phase == "exposure" and state.setup.game == "common-hand"


def _cups(state: State) -> Iterator[Need]:
    """Yield who has not shown his cup yet, clockwise, the bidder first."""
    seats, bidder = len(state.setup.seats), state.hand.bidder
    for seat in ((bidder + n) % seats for n in range(seats)):
        if state.stakes[seat] and state.hand.exposed[seat] is None:
            yield Need(state.setup.seats[seat], state.stakes[seat])


def shows(wanted: Need, dice: str) -> Act:
    """Return the act by which a seat shows what was under its cup."""
    return Act("shows", named=((wanted.seat, dice),))


def objection(game: "Game", act: Act) -> str | None:
    """Return why the referee would not take `act` now, or None if it would."""
    try:
        play(game.state, act)
    except RulesError as no:
        return no.message
    return None


def may(game: "Game", seat: str) -> tuple[str, ...]:
    """Return what `seat` may do now, in the words of a tap."""
    return tuple(view(game.state, seat).can)


def judges(game: "Game") -> tuple[str, ...]:
    """Return the seats that judge the howl."""
    return tuple(seat for seat in game.state.setup.seats if "howl" in may(game, seat))
