"""A slow model of the common hand, written from the rules alone: the engine is compared with it."""

from collections import Counter
from copy import copy
from typing import Any

from tests.referee.slow_cup import No

FACES = {"pips": "123456", "poker": "A9TJQK"}
VALUES = {"pips": "123456", "poker": "9TJQKA"}


def snapshot(model: Any) -> dict[str, Any]:
    """Return all that a model knows, so that later acts change none of it."""
    fields = ("held", "under", "outside", "seen_dice")
    return {**model.__dict__, **{name: dict(getattr(model, name)) for name in fields}}


class Model:
    """The common hand as rules B1 to B14 tell it."""

    phase: str
    turn: Any
    starter: Any
    trail: Any
    last: Any
    bid: Any
    bidder: Any
    out: list[list[str]]
    past: list[Any]
    told: list[str]
    under: dict[str, str]
    seen_dice: dict[str, str]

    def __init__(self, seats: list[str], house: dict[str, str], dice: str, start: str | None) -> None:
        self.seats, self.house, self.kind = seats, house, dice
        self.held = {seat: int(house["dice"]) for seat in seats}
        self.out = []
        self.phase, self.turn, self.starter, self.tied = "to-bid", start, start, []
        if start is None:
            self.phase, self.tied = "starting-roll", list(seats)
        self.clear()
        self.trail, self.past, self.seen, self.told, self.last = None, [], False, [], None

    def clear(self) -> None:
        """Forget the round."""
        self.bid, self.bidder, self.begun, self.may_show = None, None, False, False
        self.under, self.outside, self.seen_dice = {}, dict.fromkeys(self.seats, ""), {}

    def living(self) -> list[str]:
        return [seat for seat in self.seats if self.held[seat]]

    def left(self, seat: str) -> str:
        around = self.seats[self.seats.index(seat) + 1 :] + self.seats[: self.seats.index(seat) + 1]
        return next((other for other in around if self.held[other]), seat)

    def stay(self, seat: str) -> str:
        return seat if self.held[seat] else self.left(seat)

    def act(self, kind: str, seat: str | None = None, *rest: Any) -> None:
        """Play one act; raises `No` and changes nothing if the rules forbid it."""
        named = rest[0] if rest and isinstance(rest[0], dict) else {}
        if {seat, *named} - {None, *self.seats}:
            raise No("unknown-seat")
        if kind == "undo":
            self.undo()
        elif kind == "correct":
            self.correct(*rest)
        else:
            self.forward(kind, seat, *rest)

    def forward(self, kind: str, seat: str | None, *rest: Any) -> None:
        if self.phase == "over":
            raise No("game-over")
        before = snapshot(self)
        self.told = []
        try:
            getattr(self, kind.replace("-", "_"))(*([seat] if seat else []), *rest)
        except No:
            self.__dict__.update(before)
            raise
        if before["phase"] == "exposure" and kind == "shows" and self.phase != "exposure":
            self.trail = [before, (kind, seat, *rest), []]
        elif self.trail:
            self.trail = [self.trail[0], self.trail[1], [*self.trail[2], (kind, seat, *rest)]]
        self.past, self.last = [*before["past"], before], kind

    def restore(self, before: dict[str, Any]) -> None:
        self.__dict__.update(before)
        self.__dict__.update(snapshot(self))

    def undo(self) -> None:
        if not self.past:
            raise No("nothing-to-undo")
        back = self.past[-1]
        if self.phase == "exposure" and self.seen and back["phase"] != "exposure":
            opening = next(s for s in [back, *reversed(back["past"])] if not s["begun"])
            self.restore(back)
            self.forward("void", None)
            self.past, self.last = [*opening["past"], opening], "undo"
            return
        showed = self.last == "shows" and (self.phase != "exposure" or bool(self.seen_dice))
        seen = back["phase"] == "exposure" and (back["seen"] or showed or (self.phase == "exposure" and self.seen))
        self.restore(back)
        self.seen, self.told = seen, []

    def correct(self, dice: dict[str, str]) -> None:
        if self.phase == "exposure":
            raise No("wrong-phase")
        if not self.trail:
            raise No("nothing-to-correct")
        base, verdict, since = self.trail
        was, now = copy(self), copy(self)
        was.restore(base)
        was.forward(*verdict)
        now.restore(base)
        now.forward("shows", None, {**verdict[2], **dice})
        stands = (was.held, was.starter, was.phase) == (now.held, now.starter, now.phase)
        for later in since:
            if stands or later[0] == "leave":
                try:
                    now.forward(*later)
                except No:
                    continue
        before = snapshot(self)
        voided = self.begun and not stands
        self.__dict__.update(now.__dict__)
        self.past, self.last = [*before["past"], before], "correct"
        self.told = ["corrected", "void"] if voided else ["corrected"]

    def starting_roll(self, rolls: dict[str, str]) -> None:
        if self.phase != "starting-roll":
            raise No("wrong-phase")
        if sorted(rolls) != sorted(self.tied):
            raise No("bad-count")
        values = VALUES[self.kind]
        best = max(values.index(die) for die in rolls.values())
        self.tied = [seat for seat in self.tied if values.index(rolls[seat]) == best]
        if len(self.tied) == 1:
            self.start(self.tied[0])

    def faces(self, dice: str) -> None:
        if set(dice) - set(FACES[self.kind] + "?"):
            raise No("bad-hand")

    def read(self, dice: str) -> None:
        if "?" in dice:
            raise No("unreadable")

    def deal(self, dice: dict[str, str]) -> None:
        if self.phase != "to-bid" or self.begun:
            raise No("wrong-phase")
        for seat, hand in dice.items():
            if len(hand) != self.held[seat]:
                raise No("bad-hand")
            self.faces(hand)
            self.read(hand)
        self.under, self.begun = dict(dice), True

    def bids(self, seat: str, quantity: int, face: str) -> None:
        if self.phase not in ("to-bid", "offered"):
            raise No("wrong-phase")
        if seat != self.turn:
            raise No("not-your-turn")
        order, total = FACES[self.kind], sum(self.held.values())
        if self.bid == (total, order[-1]):
            raise No("must-challenge")
        if face not in order:
            raise No("not-understood")
        if face == order[0]:
            raise No("wild-face")
        if quantity > total:
            raise No("above-the-dice")
        if not quantity or (self.bid and not self.higher(quantity, face)):
            raise No("not-a-raise")
        self.bid, self.bidder, self.begun, self.may_show = (quantity, face), seat, True, True
        self.phase, self.turn = "offered", self.left(seat)

    def higher(self, quantity: int, face: str) -> bool:
        """Return whether the bid comes later than the last one in a ladder of all bids."""
        order, (last, last_face) = FACES[self.kind], self.bid
        if self.house["raise"] == "face-first":
            return (order.index(face), quantity) > (order.index(last_face), last)
        return (quantity, order.index(face)) > (last, order.index(last_face))

    def challenges(self, seat: str) -> None:
        if self.phase == "to-bid":
            raise No("not-your-turn" if seat != self.turn else "nothing-to-challenge")
        if self.phase != "offered":
            raise No("wrong-phase")
        if seat != self.turn:
            raise No("not-your-turn")
        self.phase, self.turn, self.may_show = "exposure", None, False

    def show(self, seat: str, dice: str, rerolled: str | None) -> None:
        if self.phase != "offered" or seat != self.bidder or not self.may_show:
            raise No("cannot-show")
        hidden = self.held[seat] - len(self.outside[seat])
        if not 1 <= len(dice) < hidden:
            raise No("cannot-show")
        self.faces(dice)
        self.read(dice)
        if seat in self.under and Counter(dice) - Counter(self.under[seat]):
            raise No("bad-hand")
        self.under.pop(seat, None)
        if rerolled is not None:
            if len(rerolled) != hidden - len(dice):
                raise No("bad-hand")
            self.faces(rerolled)
            self.read(rerolled)
            self.under[seat] = rerolled
        self.outside[seat] += dice
        self.may_show = False

    def waive(self, seat: str) -> None:
        if self.phase != "offered" or seat != self.bidder or not self.may_show:
            raise No("cannot-show")
        self.may_show = False

    def shows(self, dice: dict[str, str]) -> None:
        if self.phase != "exposure":
            raise No("wrong-phase")
        for seat, hand in dice.items():
            self.faces(hand)
            if sum((Counter(self.outside[seat]) - Counter(hand)).values()) > hand.count("?"):
                raise No("bad-hand")
        for hand in dice.values():
            self.read(hand)
        for seat, hand in dice.items():
            if len(hand) != self.held[seat]:
                raise No("wrong-dice-count")
        self.seen_dice.update(dice)
        known = {seat: self.outside[seat] + hand for seat, hand in self.under.items()} | self.seen_dice
        if all(seat in known for seat in self.living()):
            self.judge("".join(known[seat] for seat in self.living()))

    def judge(self, dice: str) -> None:
        quantity, face = self.bid
        challenger = self.left(self.bidder)
        count = sum(die in (face, FACES[self.kind][0]) for die in dice)
        if count == quantity:
            losses = {seat: 1 for seat in self.living() if seat != self.bidder}
            self.told.append("exact")
        else:
            loser = challenger if count > quantity else self.bidder
            losses = {loser: min(self.held[loser], abs(count - quantity))}
        for seat, dice_lost in losses.items():
            self.held[seat] -= dice_lost
            self.told.append("dice-lost")
        together = [seat for seat in losses if not self.held[seat]]
        self.told += ["out"] * len(together)
        self.out = [*self.out, together] if together else self.out
        self.start(self.bidder if count >= quantity else challenger)

    def start(self, seat: str) -> None:
        self.clear()
        self.seen, self.tied = False, []
        self.phase, self.turn, self.starter = "to-bid", seat, seat
        if len(self.living()) == 1:
            self.told.append("won")
            self.phase, self.turn, self.starter = "over", None, None

    def leave(self, seat: str) -> None:
        if not self.held[seat]:
            raise No("wrong-phase")
        self.held[seat] = 0
        self.out, self.told = [*self.out, [seat]], ["out"]
        if self.phase == "starting-roll":
            self.tied = [other for other in self.tied if other != seat]
            if len(self.tied) == 1 or len(self.living()) == 1:
                self.start((self.tied or self.living())[0])
            return
        if self.begun and len(self.living()) > 1:
            self.told.append("void")
        self.start(self.stay(self.starter))

    def void(self) -> None:
        if not self.begun:
            raise No("wrong-phase")
        self.told.append("void")
        self.start(self.starter)
