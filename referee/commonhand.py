"""A cup for everyone: the rules B1 to B14, one function an act. See `referee.onecup` for how they are called."""

from dataclasses import dataclass, replace

from referee.act import Act
from referee.bid import Bid, bid_order, is_raise, read_bid
from referee.errors import Refused
from referee.rulings import (
    Changes,
    Rule,
    announce,
    check_faces,
    check_read,
    gone,
    has_left,
    leave_starting_roll,
    living_from,
    need,
    next_hand,
    not_your_turn,
    number,
    starting_roll,
    went_out,
    wrong_phase,
)
from referee.state import EXPOSURE, OFFERED, STARTING_ROLL, TO_BID, Announcement, Judged, State
from referee.values import Copied
from referee.verdict import at_the_cups

BEGINS = TO_BID


@dataclass(frozen=True)
class Round(Copied):
    """A round from its first roll or bid to its verdict; everything by seat number.

    `hidden` are the dice under each cup, None where no record knows them; `outside` those set outside it; `exposed`
    what the tray saw, None until it did. `may_show` while the bidder has neither shown, waived nor been answered.
    """

    hidden: tuple[str | None, ...]
    outside: tuple[str, ...]
    exposed: tuple[str | None, ...]
    bids: tuple[tuple[int, Bid], ...] = ()
    may_show: bool = False

    @property
    def record(self) -> Bid | None:
        """The bid that the next one has to beat, or None."""
        return self.bids[-1][1] if self.bids else None

    @property
    def bidder(self) -> int | None:
        """The seat of the last bid, or None."""
        return self.bids[-1][0] if self.bids else None

    def known(self, seat: int) -> str | None:
        """Return all dice of a seat as far as they are known: seen on the tray, or dealt by a record."""
        hidden = self.hidden[seat]
        return self.exposed[seat] if hidden is None else self.exposed[seat] or self.outside[seat] + hidden


def _round(state: State) -> Round:
    """Return the running round, or a new one."""
    seats = len(state.stakes)
    return state.hand or Round((None,) * seats, ("",) * seats, (None,) * seats)


def _with(values: tuple[str | None, ...], changed: dict[int, str | None]) -> tuple[str | None, ...]:
    return tuple(changed.get(seat, value) for seat, value in enumerate(values))


def _deal(state: State, act: Act) -> Changes:
    """B3: everybody's dice, where a record knows them."""
    if state.phase != TO_BID or state.hand is not None:
        raise wrong_phase(state, act)
    dealt: dict[int, str | None] = {state.setup.index[seat]: dice for seat, dice in act.named}
    for seat, dice in dealt.items():
        _check_holds(state, seat, dice or "")
    return {"hand": _round(state).with_(hidden=_with(_round(state).hidden, dealt))}


def _check_holds(state: State, seat: int, dice: str) -> None:
    """Refuse dice that are not as many as the seat holds, are no faces, or could not be read."""
    name = state.setup.seats[seat]
    if len(dice) != state.stakes[seat]:
        raise Refused("bad-hand", f"{name} holds {state.stakes[seat]} dice, and {len(dice)} were given.")
    check_faces(dice, state.setup, name)
    check_read(dice, name)


def _bid(state: State, act: Act) -> Changes:
    """B4 to B7: a quantity and a face that beat the last bid."""
    seat = need(state, act, state.phase if state.phase in (TO_BID, OFFERED) else TO_BID)
    running = _round(state)
    order, most = bid_order(state.setup.dice), sum(state.stakes)
    record = running.record
    if record == Bid(most, order[-1]):
        raise Refused("must-challenge", f"Nothing is higher than {record}: challenge it.")
    bid = read_bid(act.words, state.setup.dice)
    if bid.face == order[0]:
        raise Refused("wild-face", f"{bid.face} counts as every face and cannot be bid.")
    if bid.quantity > most:
        raise Refused("above-the-dice", f"{bid} is more than there is: {most} dice are in play.")
    face_first = state.setup.house.raise_ == "face-first"
    if not bid.quantity or (record is not None and not is_raise(bid, record, order, face_first)):
        raise Refused(
            "not-a-raise", f"{bid} is no raise" + (f" over {record}." if record else ": bid one die or more.")
        )
    running = running.with_(bids=(*running.bids, (seat, bid)), may_show=True)
    return {"hand": running, "phase": OFFERED, "turn": state.left_of(seat)}


def _challenge(state: State, act: Act) -> Changes:
    """B7: the last bid is challenged, and all dice are to be exposed."""
    if state.phase == TO_BID:
        if number(state, act) != state.turn:
            raise not_your_turn(state, act)
        raise Refused("nothing-to-challenge", "There is no bid to challenge yet.")
    need(state, act, OFFERED)
    return {"phase": EXPOSURE, "turn": None}


# --- showing and rerolling -----------------------------------------------------------------------------------------


def _cannot_show(act: Act, why: str) -> Refused:
    return Refused("cannot-show", f"{act.seat} cannot show dice now: {why}.")


def _bidder(state: State, act: Act) -> int:
    """Return the seat that acts; refuse unless its own bid is the last one and it has not shown or waived yet."""
    seat = number(state, act)
    if state.phase != OFFERED or state.hand.bidder != seat or not state.hand.may_show:
        raise _cannot_show(act, "only right after a bid of one's own, and once")
    return seat


def _show(state: State, act: Act) -> Changes:
    """B10: one or more dice outside, all the rest rerolled, at least one."""
    seat = _bidder(state, act)
    running: Round = state.hand
    shown = act.dice or ""
    under = state.stakes[seat] - len(running.outside[seat])
    if not 0 < len(shown) < under:
        raise _cannot_show(act, f"one or more go outside and at least one is rerolled, and {under} are under the cup")
    check_faces(shown, state.setup, act.seat or "")
    check_read(shown, act.seat or "")
    hidden = running.hidden[seat]
    if hidden is not None and any(shown.count(face) > hidden.count(face) for face in shown):
        raise Refused("bad-hand", f"{act.seat} does not hold {' '.join(shown)} under the cup.")
    rerolled = _rerolled(state, act, under - len(shown))
    outside = _with(running.outside, {seat: running.outside[seat] + shown})
    running = running.with_(hidden=_with(running.hidden, {seat: rerolled}), outside=outside, may_show=False)
    return {"hand": running}


def _rerolled(state: State, act: Act, count: int) -> str | None:
    """Return what the rerolled dice became, None if nobody says."""
    if act.rerolled is None:
        return None
    if len(act.rerolled) != count:
        raise Refused("bad-hand", f"{act.seat} rerolls {count} dice, and {len(act.rerolled)} were given.")
    check_faces(act.rerolled, state.setup, act.seat or "")
    check_read(act.rerolled, act.seat or "")
    return act.rerolled


def _waive(state: State, act: Act) -> Changes:
    """B10: the bidder shows nothing."""
    _bidder(state, act)
    return {"hand": state.hand.with_(may_show=False)}


# --- the verdict ---------------------------------------------------------------------------------------------------


def _shows(state: State, act: Act) -> Changes:
    """B8, B9, B12: what the tray saw; with everybody's dice there is a verdict, else the exposure goes on."""
    if state.phase != EXPOSURE:
        raise wrong_phase(state, act)
    running: Round = state.hand
    seen: dict[int, str | None] = {state.setup.index[seat]: dice for seat, dice in act.named}
    _check_seen(state, {seat: dice or "" for seat, dice in seen.items()})
    running = running.with_(exposed=_with(running.exposed, seen))
    shown = {seat: running.known(seat) for seat in state.living}
    if None in shown.values():
        return {"hand": running, "announced": ()}
    return _verdict(state, act, {seat: dice or "" for seat, dice in shown.items()})


def _check_seen(state: State, seen: dict[int, str]) -> None:
    """Refuse dice that are no faces or lack those set outside, then unreadable ones, then a wrong number (B12)."""
    for seat, dice in seen.items():
        name, outside = state.setup.seats[seat], state.hand.outside[seat]
        check_faces(dice, state.setup, name)
        if any(outside.count(face) > dice.count(face) + dice.count("?") for face in outside):
            raise Refused("bad-hand", f"{name}'s dice {dice} lack what was set outside: {outside}.")
    for seat, dice in seen.items():
        check_read(dice, state.setup.seats[seat])
    for seat, dice in seen.items():
        if len(dice) != state.stakes[seat]:
            numbers = f"the tray sees {len(dice)} dice, and he holds {state.stakes[seat]}"
            raise Refused(
                "wrong-dice-count", f"{state.setup.seats[seat]}: {numbers}. There is no verdict before they agree."
            )


def _verdict(state: State, act: Act, shown: dict[int, str]) -> Changes:
    """B9, B11: who loses how many dice, who goes out together, and who opens the next round."""
    bidder, bid = state.hand.bids[-1]
    challenger = state.left_of(bidder)
    wild = bid_order(state.setup.dice)[0]
    count = sum(dice.count(bid.face) + dice.count(wild) for dice in shown.values())
    lost = _losses(state, bidder, challenger, count - bid.quantity)
    stakes = tuple(stake - lost.get(seat, 0) for seat, stake in enumerate(state.stakes))
    first = bidder if count >= bid.quantity else challenger
    told = _told(state, lost, exact=count == bid.quantity)
    out = tuple(seat for seat in lost if not stakes[seat])
    changes: Changes = {"stakes": stakes, "out": (*state.out, out) if out else state.out}
    verdict = at_the_cups(state, shown, count, {state.setup.seats[seat]: n for seat, n in lost.items()}, first)
    changes |= {"verdict": verdict, "judged": Judged(state, act)}
    return next_hand(state, changes, first, [*told, *went_out(state, out)], TO_BID)


def _losses(state: State, bidder: int, challenger: int, difference: int) -> dict[int, int]:
    """Return how many dice each seat loses, nobody more than he has (B9)."""
    if not difference:
        return {seat: 1 for seat in state.living if seat != bidder}
    loser = challenger if difference > 0 else bidder
    return {loser: min(abs(difference), state.stakes[loser])}


def _told(state: State, lost: dict[int, int], exact: bool) -> list[Announcement]:
    told = [announce("exact", "Exactly as bid: everybody but the bidder loses a die.")] if exact else []
    for seat, dice in lost.items():
        name = state.seat(seat)
        told.append(announce("dice-lost", f"{name} loses {dice} {'die' if dice == 1 else 'dice'}.", name))
    return told


# --- leaving and voiding -------------------------------------------------------------------------------------------


def _leave(state: State, act: Act) -> Changes:
    """B13: out for good; a running round is void, and the same player opens the next."""
    seat = number(state, act)
    if not state.stakes[seat]:
        raise wrong_phase(state, act)
    changes, told = gone(state, seat), has_left(state, seat)
    if state.phase == STARTING_ROLL:
        return leave_starting_roll(state, seat, changes, told, TO_BID)
    assert state.first is not None
    if state.hand is not None and sum(map(bool, changes["stakes"])) > 1:
        told.append(announce("void", "The round is void and nobody loses."))
    return next_hand(state, changes, living_from(changes["stakes"], state.first), told, TO_BID)


def _void(state: State, act: Act) -> Changes:
    """B13: the round is void; the same player opens the next."""
    if state.hand is None or state.first is None:
        raise wrong_phase(state, act)
    return next_hand(state, {}, state.first, [announce("void", "The round is void: the same player opens.")], TO_BID)


def corrected(state: State, judged: Judged, act: Act) -> Act:
    """Return the act that settled the last exposure with the dice that `act` says some seats should have had (A34)."""
    return replace(judged.act, named=tuple((dict(judged.act.named) | dict(act.named)).items()))


RULES: dict[str, Rule] = {
    "starting-roll": starting_roll(TO_BID),
    "deal": _deal,
    "bid": _bid,
    "challenge": _challenge,
    "show": _show,
    "waive": _waive,
    "shows": _shows,
    "leave": _leave,
    "void": _void,
}
