"""One cup: the rules A1 to A35, one function an act.

Each rule takes the state and the act and returns what changes, or raises `Refused`. `referee.game` makes the next
state from that.
"""

from collections import Counter
from dataclasses import replace
from functools import lru_cache

from referee.act import Act
from referee.errors import Refused
from referee.grammar import Meaning, meaning, nothing_to_better
from referee.hand import HANDS, TOP, HandClaim, number_of
from referee.offers import Hand, Offer, in_absence, reckoned_again
from referee.rulings import (
    Changes,
    Rule,
    announce,
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
from referee.state import (
    DOG,
    EXPOSURE,
    FIVE_ACES_PHASE,
    OFFERED,
    STARTING_ROLL,
    TO_ROLL,
    TO_SAY,
    Announcement,
    Judged,
    State,
)
from referee.verdict import at_five_aces, at_the_cup

BEGINS = TO_ROLL
ROLLS = {"three-rolls": 3, "one-roll": 1, "must-challenge": 3}


# --- rolling -------------------------------------------------------------------------------------------------------


def _roll(state: State, act: Act) -> Changes:
    """A6 to A9: the starter rolls five, everybody else none, some or all; at five aces see `_five_aces_roll`."""
    if state.phase == FIVE_ACES_PHASE:
        return _five_aces_roll(state, act)
    seat = need(state, act, TO_ROLL)
    hand = state.hand or Hand()
    _check_count(act, all_five=not hand.offers)
    dice = _dice_after(act, hand)
    told = _miscount(state, act, hand, dice)
    hand = hand.with_(dice=dice, rolled=(seat, act.count))
    changes: Changes = {"hand": hand, "phase": TO_SAY, "announced": tuple(told)}
    if told and state.setup.house.miscount == "life":
        return _fined(state, seat, changes, told)
    return changes


def _check_count(act: Act, all_five: bool) -> None:
    """Refuse a number of dice that nobody can roll, or that is not five where it must be."""
    if act.count > 5 or (act.left or 0) > 5:
        raise Refused("bad-count", f"{act.seat} cannot roll {max(act.count, act.left or 0)} dice: there are five.")
    if all_five and act.count != 5:
        raise Refused("must-roll-five", f"{act.seat} must roll all five now.")


def _dice_after(act: Act, hand: Hand) -> str | None:
    """Return what lies under the cup after a roll: None if nobody read it."""
    if act.dice is not None:
        return _checked(act.dice)
    if act.count == 0 and not act.left:
        return hand.dice
    if act.note == "unseen":
        return None
    raise Refused("bad-hand", "The hand has five dice, and none were given: say 'unseen' if nobody read them.")


@lru_cache(maxsize=4096)
def _checked(dice: str) -> str:
    """Return five readable dice; refuse `bad-hand` or `unreadable`."""
    if len(dice) != 5 or not set(dice) <= _READABLE:
        raise Refused("bad-hand", f"'{dice}' is not a hand: five of the faces A K Q J T 9.")
    check_read(dice, "the hand")
    return dice


_READABLE = set("AKQJT9?")


def _miscount(state: State, act: Act, hand: Hand, dice: str | None) -> list[Announcement]:
    """Return the announcement of a false number: dice that left, or more faces changed than declared (A8)."""
    false = act.left is not None and act.left != act.count
    if not false and dice is not None and hand.dice is not None and hand.offers:
        false = _changed(hand.dice, dice) > act.count
    if not false or state.setup.house.miscount == "log":
        return []
    return [announce("miscount", f"{act.seat} did not roll the number of dice that was declared.", act.seat)]


@lru_cache(maxsize=4096)
def _changed(before: str, after: str) -> int:
    """Return how many dice at least show another face than before."""
    return 5 - (Counter(before) & Counter(after)).total()


def _fined(state: State, seat: int, changes: Changes, told: list[Announcement]) -> Changes:
    """A8, `miscount=life`: he loses a life and the hand goes on, unless it was his last."""
    stakes = _one_less(state, seat)
    if stakes[seat]:
        lost = announce("life-lost", f"{state.seat(seat)} loses a life for it.", state.seat(seat))
        return changes | {"stakes": stakes, "announced": (*told, lost)}
    told = [*told, announce("void", "The hand is void.")]
    return _lose(state, seat, state.left_of(seat), told)


# --- bidding -------------------------------------------------------------------------------------------------------


def _five_aces_stand(state: State) -> None:
    if state.phase == FIVE_ACES_PHASE:
        raise Refused("five-aces-stand", "Nothing beats five aces: they have to be rolled now.")


def _stands(state: State) -> bool:
    """Whether an undercall stands as said until somebody points it out."""
    return state.setup.house.undercall == "players"


def _say(state: State, act: Act) -> Changes:
    """A10, A11, A15: the bid, in the player's words."""
    _five_aces_stand(state)
    seat = need(state, act, TO_SAY)
    said = meaning(act.words)
    hand: Hand = state.hand
    record = hand.claim
    if record is None and said.relative:
        raise nothing_to_better(act.words)
    offer = Offer(seat, (act.words,), (said,)).against(record, _stands(state))
    return _offered(state, hand.with_(offers=(*hand.offers, offer)))


def _offered(state: State, hand: Hand) -> Changes:
    """Return what an offer changes: it goes to the left, and what everybody must hear is announced (A20)."""
    offer = hand.offers[-1]
    told = []
    if offer.undercall and len(offer.words) == 1 and state.setup.house.undercall == "announced":
        told.append(_undercall_told(state, offer))
    if offer.claim == TOP:
        told.append(announce("five-aces", f"{state.seat(offer.seat)} says five aces.", state.seat(offer.seat)))
    return {"hand": hand, "phase": OFFERED, "turn": state.left_of(offer.seat), "announced": tuple(told)}


def _undercall_told(state: State, offer: Offer) -> Announcement:
    seat = state.seat(offer.seat)
    return announce("undercall", f"{seat}'s '{offer.words[0]}' does not beat the bid before: it is 'better'.", seat)


def _amend(state: State, act: Act) -> Changes:
    """A21: upward only, both taken literally, before the offer is accepted."""
    _five_aces_stand(state)
    if state.phase != OFFERED:
        raise wrong_phase(state, act)
    hand: Hand = state.hand
    offer = hand.offers[-1]
    if number(state, act) != offer.seat:
        raise not_your_turn(state, act)
    said = meaning(act.words)
    if not _rises(said, offer):
        raise Refused("not-higher", f"'{act.words}' does not mean more than '{offer.words[-1]}': only upward.")
    record = hand.offers[-2].claim if len(hand.offers) > 1 else None
    if said.relative:
        amended = offer.bettered(act.words, said, record)
    else:
        amended = Offer(offer.seat, (act.words,), (said,)).against(record, _stands(state))
    return _offered(state, hand.with_(offers=(*hand.offers[:-1], amended)))


def _rises(said: Meaning, offer: Offer) -> bool:
    """Whether words mean more than those of the offer that they replace, whatever the record."""
    if said.relative:
        return offer.claim < TOP
    replaced = offer.meanings[-1]
    return not replaced.relative and said.literal() > replaced.literal()


def _point_out(state: State, act: Act) -> Changes:
    """A20, `undercall=players`: open undercalls and every later bid are reckoned again."""
    if not state.stakes[number(state, act)]:
        raise not_your_turn(state, act)
    hand: Hand | None = state.hand
    if not _stands(state) or hand is None or state.phase == FIVE_ACES_PHASE or not hand.has_undercall:
        raise Refused("no-undercall", "There is no undercall to point out now.")
    told = [_undercall_told(state, offer) for offer in hand.offers if offer.undercall]
    offers = reckoned_again(hand.offers)
    last = len(offers) if state.phase in (TO_ROLL, TO_SAY) else len(offers) - 1
    for place, offer in enumerate(offers):
        if offer.claim == TOP:
            told.append(announce("five-aces", f"{state.seat(offer.seat)}'s bid is five aces.", state.seat(offer.seat)))
            if place < last:
                return _at_five_aces(state, hand.with_(offers=offers[: place + 1]), _acceptor(state, place), told)
            break
    return {"hand": hand.with_(offers=offers), "announced": tuple(told)}


def _acceptor(state: State, place: int) -> int:
    """Return who accepted the offer at `place` of this hand, or the next living seat if he has left."""
    offers = state.hand.offers
    if place + 1 < len(offers):
        return living_from(state.stakes, offers[place + 1].seat)
    assert state.turn is not None
    return state.turn


# --- answering -----------------------------------------------------------------------------------------------------


def _accept(state: State, act: Act) -> Changes:
    """A12, A13, A25: the recipient's turn begins; at five aces he has to roll them."""
    seat = need(state, act, OFFERED)
    hand: Hand = state.hand
    if hand.claim != TOP:
        return {"hand": hand.with_(rolled=None), "phase": TO_ROLL}
    if state.setup.house.five_aces == "must-challenge":
        raise Refused("must-challenge", "Five aces cannot be accepted in this house: challenge them.")
    return _at_five_aces(state, hand, seat, [])


def _at_five_aces(state: State, hand: Hand, seat: int, told: list[Announcement]) -> Changes:
    """Return what changes when `seat` has accepted five aces."""
    hand = hand.with_(rolls_left=ROLLS[state.setup.house.five_aces], rolled=None, began=False)
    return {"hand": hand, "phase": FIVE_ACES_PHASE, "turn": seat, "announced": tuple(told)}


def _challenge(state: State, act: Act) -> Changes:
    """A12, A22: the dice are to be exposed."""
    need(state, act, OFFERED)
    return {"phase": EXPOSURE, "turn": None}


def _absent(state: State, act: Act) -> Changes:
    """A30, Königswinter: whoever is away accepts and passes the dice unrolled as `better`."""
    seat = number(state, act)
    hand: Hand | None = state.hand
    if state.phase != OFFERED or seat != state.turn or hand is None or hand.claim == TOP:
        raise Refused(
            "not-absent-now", f"{act.seat} cannot be passed over now: no offer that he may pass waits for him."
        )
    offer = in_absence(seat).against(hand.claim, _stands(state))
    return _offered(state, hand.with_(offers=(*hand.offers, offer), rolled=None))


# --- the verdict ---------------------------------------------------------------------------------------------------


def _shows(state: State, act: Act) -> Changes:
    """A22 to A24: what counts is compared with the record."""
    if state.phase != EXPOSURE:
        raise wrong_phase(state, act)
    hand: Hand = state.hand
    if act.dice is not None:
        _checked(act.dice)
    counts = _what_counts(hand, act)
    offerer = hand.offers[-1].seat
    recipient = state.left_of(offerer)
    made = counts.number >= hand.offers[-1].claim
    loser, first = (recipient, state.left_of(recipient)) if made else (offerer, recipient)
    verdict = at_the_cup(state, counts, act.note == "disturbed", loser, first)
    return _lose(state, loser, first, _told_first(state, act)) | {"verdict": verdict, "judged": Judged(state, act)}


def _what_counts(hand: Hand, act: Act) -> HandClaim:
    """Return the hand that counts at an exposure: the sealed one if the dice were disturbed, else what is shown."""
    counts = (hand.dice or act.dice) if act.note == "disturbed" else (act.dice or hand.dice)
    if counts is None:
        raise Refused("unreadable", "Nobody read these dice: enter the five that lie there by hand.")
    return HANDS[number_of(counts)]


def _told_first(state: State, act: Act) -> list[Announcement]:
    """Return what is announced before a verdict: a disturbance, and the undercalls that were kept silent."""
    told = []
    if act.note == "disturbed":
        told.append(announce("disturbed", "The dice were disturbed: the reading sealed with the offer counts."))
    if state.setup.house.undercall == "silent":
        told += [_undercall_told(state, offer) for offer in state.hand.offers if offer.undercall]
    return told


def _five_aces_roll(state: State, act: Act) -> Changes:
    """A25, A26: five aces in three rolls, openly."""
    seat = need(state, act, FIVE_ACES_PHASE)
    hand: Hand = state.hand
    _check_count(act, all_five=not hand.began)
    dice = _dice_after(act, hand)
    if dice is None:
        raise Refused("unreadable", "Five aces are rolled openly: enter the five dice that lie there by hand.")
    told = _miscount(state, act, hand, dice)
    hand = hand.with_(dice=dice, rolled=(seat, act.count), rolls_left=hand.rolls_left - 1, began=True)
    judged = Judged(state, act)
    made = number_of(dice) == TOP
    if hand.rolls_left and not made:
        return {"hand": hand, "announced": tuple(told), "judged": judged}
    first = state.left_of(seat)
    after = _lose(state, seat, first, told) if not made else next_hand(state, {}, first, told, TO_ROLL)
    return after | {"verdict": at_five_aces(state, HANDS[number_of(dice)], seat, first), "judged": judged}


def _one_less(state: State, seat: int) -> tuple[int, ...]:
    return tuple(stake - (other == seat) for other, stake in enumerate(state.stakes))


def _lose(state: State, loser: int, first: int, told: list[Announcement]) -> Changes:
    """A27, A28: a life is lost; with the last one the dog is asked, or he is out; then `first` starts."""
    stakes = _one_less(state, loser)
    seat = state.seat(loser)
    told = [*told, announce("life-lost", f"{seat} loses a life.", seat)]
    if stakes[loser]:
        return next_hand(state, {"stakes": stakes}, first, told, TO_ROLL)
    if state.dog_life == "available":
        told.append(announce("dog-offered", f"{seat} has no life left and may bark for the dog's.", seat))
        asked = {"phase": DOG, "turn": loser, "first": first, "hand": None, "seen": False}
        return {"stakes": stakes, "announced": tuple(told), **asked}
    told += went_out(state, (loser,))
    return next_hand(state, {"stakes": stakes, "out": (*state.out, (loser,))}, first, told, TO_ROLL)


# --- the dog, leaving, voiding -------------------------------------------------------------------------------------


def _asked(state: State, act: Act) -> int:
    """Return the seat that is asked for the dog; refuse anybody else."""
    if state.phase != DOG:
        raise Refused("no-dog", "Nobody is asked for the dog's life now.")
    if number(state, act) != state.turn:
        raise not_your_turn(state, act)
    return number(state, act)


def _bark(state: State, act: Act) -> Changes:
    """A28: he barks, and the others judge the howl."""
    _asked(state, act)
    return {"barked": True}


def _decline(state: State, act: Act) -> Changes:
    """A29: he is out, and the dog waits for the next."""
    seat = _asked(state, act)
    assert state.first is not None
    return next_hand(state, {"out": (*state.out, (seat,))}, state.first, went_out(state, (seat,)), TO_ROLL)


def _judge(state: State, act: Act) -> None:
    if state.phase != DOG or not state.barked:
        raise wrong_phase(state, act)


def _howl(state: State, act: Act) -> Changes:
    """A28: a decent howl is one more life, once a game."""
    _judge(state, act)
    assert state.turn is not None
    assert state.first is not None
    stakes = tuple(stake + (seat == state.turn) for seat, stake in enumerate(state.stakes))
    told = [announce("dog-used", f"{state.to_act} lives on with the dog's life.", state.to_act)]
    return next_hand(state, {"stakes": stakes, "dog_life": "used"}, state.first, told, TO_ROLL)


def _woof(state: State, act: Act) -> Changes:
    """A28: no howl, but he may try again."""
    _judge(state, act)
    return {"barked": False}


def _leave(state: State, act: Act) -> Changes:
    """A31: out for good, without a dog; a hand in which he held the cup or the offer is void."""
    seat = number(state, act)
    asked = state.phase == DOG and seat == state.turn
    if not state.stakes[seat] and not asked:
        raise wrong_phase(state, act)
    changes, told = gone(state, seat), has_left(state, seat)
    if state.phase == STARTING_ROLL:
        return leave_starting_roll(state, seat, changes, told, TO_ROLL)
    if state.phase == DOG:
        return _leave_dog(state, changes, told, asked)
    stakes = changes["stakes"]
    first = living_from(stakes, state.first or 0)
    if state.hand is None or sum(map(bool, stakes)) == 1:
        return next_hand(state, changes, first, told, TO_ROLL)
    if seat in _engaged(state):
        void = announce("void", "The hand is void and nobody loses.")
        return next_hand(state, changes, living_from(stakes, seat), [*told, void], TO_ROLL)
    return changes | {"first": first, "announced": tuple(told)}


def _engaged(state: State) -> tuple[int | None, ...]:
    """Return who has the cup, or the two whose offer is open."""
    if state.phase in (OFFERED, EXPOSURE):
        offerer = state.hand.offers[-1].seat
        return offerer, state.left_of(offerer)
    return (state.turn,)


def _leave_dog(state: State, changes: Changes, told: list[Announcement], asked: bool) -> Changes:
    """Return what a leave comes to while somebody is asked for the dog."""
    assert state.first is not None
    assert state.turn is not None
    stakes = changes["stakes"]
    first = living_from(stakes, state.first)
    if asked:
        return next_hand(state, changes, first, told, TO_ROLL)
    if any(stakes):
        return changes | {"first": first, "announced": tuple(told)}
    changes["stakes"] = tuple(int(seat == state.turn) for seat in range(len(stakes)))
    return next_hand(state, changes | {"dog_life": "used"}, state.turn, told, TO_ROLL)


def _void(state: State, act: Act) -> Changes:
    """A31: spilled dice; the same starter begins again."""
    if state.hand is None or state.first is None:
        raise wrong_phase(state, act)
    void = announce("void", "The hand is void: the same starter begins again.")
    return next_hand(state, {}, living_from(state.stakes, state.first), [void], TO_ROLL)


def corrected(state: State, judged: Judged, act: Act) -> Act:
    """Return the act that settled the last exposure with the dice that `act` says it should have had (A34)."""
    assert act.dice is not None
    return replace(judged.act, dice=_checked(act.dice), note="")


RULES: dict[str, Rule] = {
    "starting-roll": starting_roll(TO_ROLL),
    "roll": _roll,
    "say": _say,
    "amend": _amend,
    "accept": _accept,
    "challenge": _challenge,
    "point-out": _point_out,
    "absent": _absent,
    "shows": _shows,
    "bark": _bark,
    "decline": _decline,
    "howl": _howl,
    "woof": _woof,
    "leave": _leave,
    "void": _void,
}
