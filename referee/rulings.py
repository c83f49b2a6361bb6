"""What the rules of both games share: refusals, announcements, starting rolls, going out, and the next hand."""

from collections.abc import Callable
from typing import Any

from referee.act import Act
from referee.errors import Refused
from referee.setup import Setup
from referee.state import OVER, STARTING_ROLL, Announcement, State

Changes = dict[str, Any]
Rule = Callable[[State, Act], Changes]


def wrong_phase(state: State, act: Act) -> Refused:
    """Return the refusal of an act that has no place in this phase."""
    return Refused("wrong-phase", f"'{act}' has no place now: {_WAITING[state.phase]}.")


def not_your_turn(state: State, act: Act) -> Refused:
    """Return the refusal of an act by a seat whose turn it is not."""
    whose = f"it is {state.to_act}'s turn" if state.turn is not None else "it is nobody's turn"
    return Refused("not-your-turn", f"It is not {act.seat}'s turn: {whose}.")


_WAITING = {
    "starting-roll": "the table rolls for the start",
    "to-roll": "the cup waits to be rolled or passed on unrolled",
    "to-say": "a bid has to be said first",
    "to-bid": "the round waits for its first bid",
    "offered": "an offer waits for its answer",
    "exposure": "the dice are being shown",
    "five-aces": "five aces were accepted and have to be rolled",
    "dog": "somebody was asked whether he barks",
    "over": "the game is over",
}


def number(state: State, act: Act) -> int:
    """Return the number of the seat that acts."""
    return state.setup.index[act.seat or ""]


def need(state: State, act: Act, phase: str) -> int:
    """Return the number of the seat that acts; refuse unless it is this phase and this seat's turn."""
    if state.phase != phase:
        raise wrong_phase(state, act)
    seat = number(state, act)
    if seat != state.turn:
        raise not_your_turn(state, act)
    return seat


def check_faces(dice: str, setup: Setup, whose: str) -> None:
    """Refuse `bad-hand` for a character that is no face of these dice; `?` passes."""
    if not set(dice) <= set(setup.faces) | {"?"}:
        raise Refused("bad-hand", f"'{dice}' is not what {whose} can show: the faces are {' '.join(setup.faces)}.")


def check_read(dice: str, whose: str) -> None:
    """Refuse `unreadable` for dice of which one could not be read."""
    if "?" in dice:
        raise Refused("unreadable", f"A die of {whose} could not be read: nudge it, or enter the dice by hand.")


def announce(code: str, text: str, seat: str | None = None) -> Announcement:
    """Return an announcement."""
    return Announcement(code, seat, text)


def went_out(state: State, seats: tuple[int, ...]) -> list[Announcement]:
    """Return what is announced when these seats go out."""
    return [announce("out", f"{state.seat(seat)} is out.", state.seat(seat)) for seat in seats]


def next_hand(state: State, changes: Changes, first: int, told: list[Announcement], phase: str) -> Changes:
    """Return `changes` completed by what comes after a hand: the next one, started by `first`, or the end (A27, B1)."""
    stakes = changes.get("stakes", state.stakes)
    living = [seat for seat, stake in enumerate(stakes) if stake]
    changes |= {"hand": None, "seen": False, "barked": False, "announced": tuple(told)}
    if len(living) == 1:
        won = announce("won", f"{state.seat(living[0])} has won.", state.seat(living[0]))
        return changes | {"phase": OVER, "turn": None, "first": None, "tied": (), "announced": (*told, won)}
    return changes | {"phase": phase, "turn": first, "first": first, "tied": ()}


def living_from(stakes: tuple[int, ...], seat: int) -> int:
    """Return `seat` if it has a stake, else the next one clockwise that has."""
    count = len(stakes)
    return next((s % count for s in range(seat, seat + count) if stakes[s % count]), seat)


def starting_roll(phase: str) -> Rule:
    """Return the rule for a starting roll (A4, B2) in a game whose hands begin in `phase`."""

    def rule(state: State, act: Act) -> Changes:
        if state.phase != STARTING_ROLL:
            raise wrong_phase(state, act)
        rolled = {state.setup.index[seat]: dice for seat, dice in act.named}
        if set(rolled) != set(state.tied):
            names = ", ".join(state.setup.seats[seat] for seat in state.tied)
            raise Refused("bad-count", f"Each of those who are still tied rolls one die: {names}.")
        for seat, die in rolled.items():
            check_faces(die, state.setup, state.setup.seats[seat])
            if len(die) != 1:
                raise Refused("bad-hand", f"{state.seat(seat)} rolls one die for the start, not '{die}'.")
            check_read(die, state.setup.seats[seat])
        best = min(map(state.setup.faces.index, rolled.values()))
        tied = tuple(sorted(seat for seat, die in rolled.items() if die == state.setup.faces[best]))
        if len(tied) > 1:
            return {"tied": tied}
        return {"tied": (), "phase": phase, "turn": tied[0], "first": tied[0]}

    return rule


def leave_starting_roll(state: State, seat: int, changes: Changes, told: list[Announcement], phase: str) -> Changes:
    """Return what a leave at the starting roll comes to: the others go on (A31)."""
    tied = tuple(other for other in state.tied if other != seat)
    living = [other for other, stake in enumerate(changes["stakes"]) if stake]
    if len(living) == 1 or len(tied) == 1:
        return next_hand(state, changes, (tied or tuple(living))[0], told, phase)
    return changes | {"tied": tied, "announced": tuple(told)}


def gone(state: State, seat: int) -> Changes:
    """Return what changes first of all when a seat leaves for good."""
    stakes = tuple(0 if other == seat else stake for other, stake in enumerate(state.stakes))
    return {"stakes": stakes, "left": state.left | {seat}, "out": (*state.out, (seat,))}


def has_left(state: State, seat: int) -> list[Announcement]:
    """Return what is announced when a seat leaves for good."""
    return [announce("out", f"{state.seat(seat)} has left the game.", state.seat(seat))]
