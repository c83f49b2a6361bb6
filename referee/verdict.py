"""Verdicts: what an exposure came to, as data and in sentences (said, at least, shown, who loses what, who starts)."""

from referee.hand import FIVE_ACES, HandClaim
from referee.state import Said, State, Verdict


def at_the_cup(state: State, shown: HandClaim, disturbed: bool, loser: int, first: int) -> Verdict:
    """Return the verdict on a challenged offer (A22 to A24)."""
    setup, hand = state.setup, state.hand
    said = tuple(Said(setup.seats[o.seat], o.words[-1], str(HandClaim(o.claim))) for o in hand.offers)
    record, last = hand.record, said[-1]
    made = shown >= record
    lines = (
        f"{last.seat} said '{last.words}'.",
        f"That is at least {record}.",
        f"The dice show {shown}" + (", as sealed before they were disturbed." if disturbed else "."),
        f"That is {'enough' if made else 'not enough'}: {setup.seats[loser]} loses a life.",
        f"{setup.seats[first]} starts.",
    )
    lost = ((setup.seats[loser], 1),)
    return Verdict(said, str(record), ((None, str(shown)),), disturbed, made, lost, setup.seats[first], lines)


def at_five_aces(state: State, shown: HandClaim, roller: int, first: int) -> Verdict:
    """Return the verdict on somebody who accepted five aces and rolled (A26)."""
    setup = state.setup
    said = tuple(Said(setup.seats[o.seat], o.words[-1], str(HandClaim(o.claim))) for o in state.hand.offers)
    made = shown == FIVE_ACES
    seat = setup.seats[roller]
    outcome = f"{seat} made them: nobody loses a life." if made else f"{seat} did not make them and loses a life."
    lines = (f"{seat} accepted five aces.", f"The last roll shows {shown}.", outcome, f"{setup.seats[first]} starts.")
    lost = () if made else ((seat, 1),)
    return Verdict(said, str(FIVE_ACES), ((None, str(shown)),), False, made, lost, setup.seats[first], lines)


def at_the_cups(state: State, shown: dict[int, str], count: int, lost: dict[str, int], first: int) -> Verdict:
    """Return the verdict on a challenged bid of the common hand (B8 to B11); `lost` is dice by seat name."""
    seats, hand = state.setup.seats, state.hand
    said = tuple(Said(seats[seat], str(bid), str(bid)) for seat, bid in hand.bids)
    bid = hand.record
    how = "exactly as many" if count == bid.quantity else "more" if count > bid.quantity else "fewer"
    losses = ", ".join(f"{seat} loses {dice} {'die' if dice == 1 else 'dice'}" for seat, dice in lost.items())
    lines = (
        f"{said[-1].seat} bid {bid.quantity} of {bid.face}.",
        f"All dice together show {count}, wilds included.",
        f"That is {how}: {losses}.",
        f"{seats[first]} opens.",
    )
    laid = tuple((seats[seat], dice) for seat, dice in shown.items())
    return Verdict(said, str(bid), laid, False, count >= bid.quantity, tuple(lost.items()), seats[first], lines)
