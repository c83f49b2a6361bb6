"""The one door: what a phone, the screen or a spectator is shown of a state, and nothing else.

Before an exposure nothing in a view depends on hidden dice, nor (with `screen=pub`, five aces excepted) on the record.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.bid import Bid, bid_order
from referee.hand import FIVE_ACES
from referee.house import ONE_CUP
from referee.state import (
    DOG,
    EXPOSURE,
    FIVE_ACES_PHASE,
    OFFERED,
    OVER,
    STARTING_ROLL,
    TO_BID,
    TO_ROLL,
    TO_SAY,
    State,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class View:
    """What one seat is shown; `you` is None for the screen and for spectators. `as_dict()` is plain JSON data.

    `can` are the kinds of act that the seat may do now, `table_can` those that the table (the host) may; `next` tells
    the table what is to be done and by whom; `verdict` is the last exposure until the next hand's first roll.
    """

    game: str
    phase: str
    you: str | None
    seats: tuple[dict[str, Any], ...]
    to_act: str | None
    starter: str | None
    dog: str | None
    places: tuple[tuple[str, ...], ...] | None
    winner: str | None
    house: dict[str, str]
    record: str | None
    can: tuple[str, ...]
    table_can: tuple[str, ...]
    next: str
    verdict: dict[str, Any] | None
    announced: tuple[dict[str, Any], ...]
    rolled: dict[str, Any] | None = None
    words: dict[str, str] | None = None
    five_aces: bool = False
    rolls_left: int | None = None
    open_dice: str | None = None
    cups: tuple[dict[str, Any], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON data: dictionaries, lists, strings, numbers, None."""
        return {name: _plain(getattr(self, name)) for name in self.__slots__}


def view(state: State, seat: str | None) -> View:
    """Return what `seat` is shown of the state; None is the screen. `KeyError` for a seat that does not sit here."""
    number = None if seat is None else state.setup.index[seat]
    own = _one_cup(state, number) if state.setup.game == ONE_CUP else _common(state, number)
    return View(
        game=state.setup.game,
        phase=state.phase,
        you=seat,
        seats=tuple(_seat(state, i) for i in range(len(state.stakes))),
        to_act=state.to_act,
        starter=state.starter,
        dog=state.dog,
        places=state.places,
        winner=state.winner,
        house=state.setup.house.as_dict(state.setup.game),
        can=tuple(_can(state, number)) if number is not None else (),
        table_can=tuple(_table_can(state)),
        next=next_sentence(state),
        verdict=_verdict(state.verdict) if state.hand is None else None,
        announced=tuple({"code": told.code, "seat": told.seat, "text": told.text} for told in state.announced),
        **own,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def _seat(state: State, number: int) -> dict[str, Any]:
    stake = "lives" if state.setup.game == ONE_CUP else "dice"
    asked = state.phase == DOG and state.turn == number
    status = "left" if number in state.left else "asked" if asked else "in" if state.stakes[number] else "out"
    return {"name": state.seat(number), stake: state.stakes[number], "status": status}


def _verdict(verdict: Verdict | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    said = [{"seat": s.seat, "words": s.words, "claim": s.claim} for s in verdict.said]
    shown = [{"seat": seat, "dice": dice} for seat, dice in verdict.shown]
    return {
        "said": said,
        "record": verdict.record,
        "shown": shown[0]["dice"] if len(shown) == 1 and shown[0]["seat"] is None else shown,
        "disturbed": verdict.disturbed,
        "made": verdict.made,
        "losers": [seat for seat, _ in verdict.lost],
        "lost": dict(verdict.lost),
        "starter": verdict.starter,
        "lines": list(verdict.lines),
    }


# --- one cup -------------------------------------------------------------------------------------------------------


def _one_cup(state: State, you: int | None) -> dict[str, Any]:
    """Return what only the one-cup game shows."""
    hand, screen = state.hand, state.setup.house.screen
    five_aces = hand is not None and hand.record == FIVE_ACES
    rolling = state.phase == FIVE_ACES_PHASE
    rolled = None
    if hand is not None and hand.rolled is not None and state.phase in (TO_SAY, OFFERED, EXPOSURE):
        rolled = {"seat": state.seat(hand.rolled[0]), "declared": hand.rolled[1]}
    return {
        "record": str(hand.record) if hand is not None and hand.offers and (five_aces or screen == "ladder") else None,
        "rolled": rolled,
        "words": _words(state, you),
        "five_aces": five_aces,
        "rolls_left": hand.rolls_left if rolling else None,
        "open_dice": hand.dice if rolling and hand.began else None,
    }


def _words(state: State, you: int | None) -> dict[str, str] | None:
    """Return the last words said if the house shows them, else a seat's own last words of this hand."""
    offers = state.hand.offers if state.hand is not None else ()
    shown = offers if state.setup.house.screen != "pub" else [offer for offer in offers if offer.seat == you]
    if not shown:
        return None
    return {"seat": state.setup.seats[shown[-1].seat], "words": shown[-1].words[-1]}


def _common(state: State, you: int | None) -> dict[str, Any]:
    """Return what only the common hand shows: the bid, which is no secret, and what lies outside the cups."""
    hand = state.hand
    return {
        "record": None if hand is None or hand.record is None else str(hand.record),
        "cups": tuple(_cup(state, seat, you) for seat in range(len(state.stakes))),
    }


def _cup(state: State, seat: int, you: int | None) -> dict[str, Any]:
    """Return one seat's dice as `you` may see them: outside, how many hidden, seen on the tray; your own by face."""
    hand = state.hand
    outside = hand.outside[seat] if hand is not None else ""
    return {
        "seat": state.seat(seat),
        "outside": outside,
        "hidden": state.stakes[seat] - len(outside),
        "hand": hand.hidden[seat] if hand is not None and seat == you else None,
        "seen": hand.exposed[seat] if hand is not None else None,
    }


# --- who may do what -----------------------------------------------------------------------------------------------


def _can(state: State, you: int) -> list[str]:
    """Return the kinds of act that seat `you` may do now. Never depends on dice or, but for five aces, the record."""
    if state.phase == OVER:
        return []
    if state.phase == DOG and state.turn == you:
        return ["bark", "decline", "leave"]
    if not state.stakes[you]:
        return []
    kinds = list(_TURN[state.phase](state)) if state.turn == you and state.phase in _TURN else []
    kinds += _bidder_can(state, you) if state.phase == OFFERED else []
    if state.phase == DOG and state.barked:
        kinds += ["howl", "woof"]
    if _may_point_out(state):
        kinds.append("point-out")
    return [*kinds, "leave"]


def _answers(state: State) -> list[str]:
    """Return how an offer may be answered; five aces and the highest bid are no secrets."""
    if state.setup.game == ONE_CUP:
        challenged = state.hand.record == FIVE_ACES and state.setup.house.five_aces == "must-challenge"
        return ["challenge"] if challenged else ["accept", "challenge"]
    highest = Bid(sum(state.stakes), bid_order(state.setup.dice)[-1])
    return ["challenge"] if state.hand.record == highest else ["bid", "challenge"]


_TURN: dict[str, Callable[[State], list[str]]] = {
    TO_ROLL: lambda state: ["roll"],
    TO_SAY: lambda state: ["say"],
    TO_BID: lambda state: ["bid"],
    OFFERED: _answers,
    FIVE_ACES_PHASE: lambda state: ["roll"],
}


def _bidder_can(state: State, you: int) -> list[str]:
    """Return what the seat whose bid waits for an answer may do."""
    hand = state.hand
    if state.setup.game == ONE_CUP:
        absent = [] if hand.record == FIVE_ACES else ["absent"]
        return ["amend", *absent] if hand.offers[-1].seat == you else []
    if hand.bidder != you or not hand.may_show:
        return []
    return ["show", "waive"] if state.stakes[you] - len(hand.outside[you]) > 1 else ["waive"]


def _may_point_out(state: State) -> bool:
    """Whether pointing out has a place now; it does not depend on whether an undercall is open."""
    running = state.hand is not None and state.phase in (TO_ROLL, TO_SAY, OFFERED, EXPOSURE)
    return state.setup.game == ONE_CUP and state.setup.house.undercall == "players" and running


def _table_can(state: State) -> list[str]:
    """Return the kinds of act that the table may do now."""
    kinds = {STARTING_ROLL: ["starting-roll"], EXPOSURE: ["shows"]}.get(state.phase, [])
    if state.phase == DOG and state.barked:
        kinds = ["howl", "woof"]
    if state.setup.game == ONE_CUP and state.phase == OFFERED and state.hand.record != FIVE_ACES:
        kinds = ["absent"]
    kinds = [*kinds, "void"] if state.hand is not None else kinds
    kinds = [*kinds, "correct"] if state.judged is not None and state.phase != EXPOSURE else kinds
    return [*kinds, "undo"] if state.before is not None else kinds


def next_sentence(state: State) -> str:
    """Return one sentence that tells the table what is to be done next, and by whom."""
    if state.phase == STARTING_ROLL:
        names = ", ".join(state.setup.seats[seat] for seat in state.tied)
        return f"Each rolls one die, the highest starts: {names}."
    return _NEXT[state.phase](state)


def _next_exposure(state: State) -> str:
    if state.setup.game == ONE_CUP:
        return "The cup is lifted: five dice have to lie flat."
    bidder = state.hand.bidder
    waiting = [seat for seat in range(bidder, bidder + len(state.stakes)) if state.stakes[seat % len(state.stakes)]]
    seats = [seat % len(state.stakes) for seat in waiting if not state.hand.exposed[seat % len(state.stakes)]]
    return f"{state.seat(seats[0] if seats else bidder)} puts all his dice on the tray."


def _next_roll(state: State) -> str:
    if state.hand is None:
        return f"{state.to_act} starts and rolls all five."
    return f"{state.to_act} rolls none, some or all, and says how many."


def _next_five_aces(state: State) -> str:
    hand = state.hand
    how = "any number of dice" if hand.began else "all five"
    left = "once" if hand.rolls_left == 1 else f"up to {hand.rolls_left} times"
    return f"{state.to_act} has accepted five aces and rolls {how}, openly, {left}."


def _next_offered(state: State) -> str:
    if len(_answers(state)) == 1:
        return f"{state.to_act} must challenge."
    return f"{state.to_act} {'accepts' if state.setup.game == ONE_CUP else 'bids more'} or challenges."


_NEXT: dict[str, Callable[[State], str]] = {
    TO_ROLL: _next_roll,
    TO_SAY: lambda state: f"{state.to_act} says a bid.",
    TO_BID: lambda state: f"Everybody rolls; {state.to_act} opens with a bid.",
    OFFERED: _next_offered,
    EXPOSURE: _next_exposure,
    FIVE_ACES_PHASE: _next_five_aces,
    DOG: lambda state: (
        f"The others judge {state.to_act}'s howl."
        if state.barked
        else f"{state.to_act} barks for the dog's life or declines."
    ),
    OVER: lambda state: f"{state.winner} has won.",
}
