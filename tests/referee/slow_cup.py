"""A slow model of one cup, written from the rules alone, with lists and copies: the engine is compared with it."""

from collections import Counter
from collections.abc import Callable, Iterable
from copy import copy, deepcopy
from itertools import combinations_with_replacement
from typing import Any

Test = Callable[[str], bool]
Bid = dict[str, Any]
ORDER = "9TJQKA"
SHAPES = [[1, 1, 1, 1, 1], [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], [3, 2], [4, 1], [5]]


def spelt(faces: Iterable[str]) -> str:
    """Return the faces most frequent first, then high to low."""
    count = Counter(faces)
    return "".join(sorted(faces, key=lambda face: (count[face], ORDER.index(face)), reverse=True))


def strength(hand: str) -> tuple[int, list[int]]:
    """Return the shape of a hand, then its faces."""
    return SHAPES.index(sorted(Counter(hand).values(), reverse=True)), [ORDER.index(face) for face in hand]


HANDS = sorted((spelt(faces) for faces in combinations_with_replacement(ORDER, 5)), key=strength)
FIVE_ACES = HANDS[-1]


def shape(number: int, *faces: tuple[int, str]) -> Test:
    """Return a test for hands of one shape whose groups, biggest first, show the faces named."""
    return lambda hand: strength(hand)[0] == number and all(hand[place] == face for place, face in faces)


def both(*tests: Test) -> Test:
    return lambda hand: all(test(hand) for test in tests)


def without(face: str) -> Test:
    return lambda hand: face not in hand


# Words, how many steps up they are (0: they say what they mean), and which hands they allow.
SAYINGS = {
    "a singleton": (0, shape(0)),
    "a pair": (0, shape(1)),
    "a pair of Jacks with no ten": (0, both(shape(1, (0, "J")), without("T"))),
    "two pairs": (0, shape(2)),
    "two pairs, jacks on top": (0, shape(2, (0, "J"))),
    "kings and nines": (0, shape(2, (0, "K"), (2, "9"))),
    "three queens": (0, shape(3, (0, "Q"))),
    "three pairs of jacks": (0, shape(3, (0, "J"))),
    "a full house with an ace": (0, both(shape(4), lambda hand: "A" in hand)),
    "jacks over nines": (0, shape(4, (0, "J"), (3, "9"))),
    "four of a kind": (0, shape(5)),
    "four kings, ace high": (0, shape(5, (0, "K"), (4, "A"))),
    "five of a kind": (0, shape(6)),
    "five kings": (0, shape(6, (0, "K"))),
    "five aces": (0, shape(6, (0, "A"))),
    "A K Q J 9": (0, lambda hand: hand == "AKQJ9"),
    "better": (1, lambda hand: True),
    "way way better": (3, lambda hand: True),
    "a better pair": (1, shape(1)),
    "a way better full house": (2, shape(4)),
}
NOT_BIDS = {
    "gimme a pint": "not-understood",
    "two pairs of jacks": "ambiguous",
    "seven pairs": "no-such-hand",
    "a pair of jacks, no jack": "no-such-hand",
}


class No(Exception):
    """A refusal of the model, with its code."""


def snapshot(model: Any) -> dict[str, Any]:
    """Return all that a model knows, so that later acts change none of it."""
    return {**model.__dict__, "lives": dict(model.lives), "bids": deepcopy(model.bids)}


class Model:
    """One cup as rules A1 to A35 tell it. Everything is a list or a number; undo and correction copy it whole."""

    phase: str
    turn: Any
    starter: Any
    dice: Any
    trail: Any
    last: Any
    out: list[str]
    past: list[Any]
    told: list[str]
    bids: list[Bid]

    def __init__(self, seats: list[str], house: dict[str, str], start: str | None) -> None:
        self.seats, self.house = seats, house
        self.lives = {seat: int(house["lives"]) for seat in seats}
        self.out, self.dog = [], "available" if house["dog"] == "on" else "off"
        self.phase, self.turn, self.starter = "to-roll", start, start
        self.tied = []
        if start is None:
            self.phase, self.tied = "starting-roll", list(seats)
        self.clear()
        self.trail = None
        self.past, self.seen, self.told, self.last = [], False, [], None

    def clear(self) -> None:
        """Forget the hand."""
        self.bids, self.dice, self.begun, self.left_over, self.opened, self.barked = [], None, False, 0, False, False

    # What a table would say -------------------------------------------------------------------------------------

    @property
    def record(self) -> Any:
        return self.bids[-1]["claim"] if self.bids else None

    def living(self) -> list[str]:
        return [seat for seat in self.seats if self.lives[seat] > 0]

    def left(self, seat: str) -> str:
        around = self.seats[self.seats.index(seat) + 1 :] + self.seats[: self.seats.index(seat) + 1]
        return next((other for other in around if self.lives[other] > 0), seat)

    def stay(self, seat: str) -> str:
        return seat if self.lives[seat] > 0 else self.left(seat)

    # Acts -----------------------------------------------------------------------------------------------------------

    def act(self, kind: str, seat: str | None = None, *rest: Any) -> None:
        """Play one act; raises `No` and changes nothing if the rules forbid it."""
        if seat is not None and seat not in self.seats:
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
        if kind == "shows" or (kind == "roll" and before["phase"] == "five-aces"):
            self.trail = [before, (kind, seat, *rest), []]
        elif self.trail:
            self.trail = [self.trail[0], self.trail[1], [*self.trail[2], (kind, seat, *rest)]]
        self.past, self.last = [*before["past"], before], kind

    def restore(self, before: dict[str, Any]) -> None:
        """Be again as a snapshot was, without changing it."""
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
            self.past = [*opening["past"], opening]
            self.last = "undo"
            return
        seen = back["phase"] == "exposure" and (
            back["seen"] or self.last == "shows" or (self.phase == "exposure" and self.seen)
        )
        self.restore(back)
        self.seen, self.told = seen, []

    def correct(self, hand: str) -> None:
        if self.phase == "exposure":
            raise No("wrong-phase")
        if not self.trail:
            raise No("nothing-to-correct")
        hand = self.five(hand)
        base, verdict, since = self.trail
        results = []
        for dice in (None, hand):
            model = copy(self)
            model.restore(base)
            if dice is None:
                model.forward(*verdict)
            elif verdict[0] == "shows":
                model.forward("shows", None, dice, False)
            else:
                model.forward(*verdict[:-1], dice)
            results.append(model)
        was, now = results
        stands = (was.lives, was.starter, was.phase) == (now.lives, now.starter, now.phase)
        for later in since:
            if stands or later[0] in ("bark", "decline", "howl", "woof", "leave"):
                try:
                    now.forward(*later)
                except No:
                    continue
        pre = snapshot(self)
        voided = self.begun and not stands
        self.__dict__.update(now.__dict__)
        self.past, self.last = [*pre["past"], pre], "correct"
        self.told = ["corrected", "void"] if voided else ["corrected"]

    def starting_roll(self, rolls: dict[str, str]) -> None:
        if self.phase != "starting-roll":
            raise No("wrong-phase")
        if sorted(rolls) != sorted(self.tied):
            raise No("bad-count")
        best = max(ORDER.index(die) for die in rolls.values())
        self.tied = [seat for seat in self.tied if ORDER.index(rolls[seat]) == best]
        if len(self.tied) == 1:
            self.start(self.tied[0])

    def mine(self, seat: str, phase: str) -> None:
        if self.phase != phase:
            raise No("wrong-phase")
        if seat != self.turn:
            raise No("not-your-turn")

    def five(self, dice: str | None) -> str:
        if dice is None or len(dice) != 5 or set(dice) - set(ORDER + "?"):
            raise No("bad-hand")
        if "?" in dice:
            raise No("unreadable")
        return spelt(dice)

    def roll(self, seat: str, count: int, saw: int | None, dice: str | None) -> Any:
        five_aces = self.phase == "five-aces"
        self.mine(seat, "five-aces" if five_aces else "to-roll")
        if count > 5 or (saw or 0) > 5:
            raise No("bad-count")
        if count != 5 and (not self.opened if five_aces else not self.bids):
            raise No("must-roll-five")
        old = self.dice
        self.dice = old if dice is None and not count and not saw else self.five(dice)
        self.begun = True
        false = (saw is not None and saw != count) or (
            old is not None and self.bids and self.dice is not None and self.changed(old) > count
        )
        if false and self.house["miscount"] != "log":
            self.told.append("miscount")
        if five_aces:
            return self.five_aces_roll(seat)
        self.phase = "to-say"
        if false and self.house["miscount"] == "life":
            if self.lives[seat] == 1:
                self.told.append("void")
                self.lose(seat, self.left(seat))
            else:
                self.lives[seat] -= 1
                self.told.append("life-lost")

    def changed(self, old: str) -> int:
        kept: int = sum(min(self.dice.count(face), old.count(face)) for face in ORDER)
        return 5 - kept

    def five_aces_roll(self, seat: str) -> None:
        self.opened, self.left_over = True, self.left_over - 1
        if self.dice == FIVE_ACES:
            self.start(self.left(seat))
        elif self.left_over == 0:
            self.lose(seat, self.left(seat))

    def meaning(self, words: str, record: str | None) -> tuple[Any, bool]:
        """Return the claim of the words against a record, and whether they fall short of it."""
        steps, allowed = SAYINGS[words]
        hands = [hand for hand in HANDS if allowed(hand)]
        above = [hand for hand in hands if record is None or HANDS.index(hand) > HANDS.index(record)]
        if steps:
            if len(above) >= steps:
                return above[steps - 1], False
            return (FIVE_ACES if len(hands) == 252 else self.next(record)), False
        return (above[0], False) if above else (None, True)

    @staticmethod
    def next(record: Any) -> str:
        return HANDS[min(HANDS.index(record) + 1, 251)]

    def reckon(self, bid: Bid, record: str | None, players: bool) -> None:
        """Work out what a bid claims: its words, then the relative words that amended it, all against a record."""
        claim = self.meaning(bid["words"][0], record)[0] or self.meaning(bid["words"][0], None)[0]
        for words in bid["words"][1:]:
            claim = self.meaning(words, claim)[0]
        bid["under"] = record is not None and HANDS.index(claim) <= HANDS.index(record)
        bid["claim"] = self.next(record) if bid["under"] and not players else claim

    def offer(self, bid: Bid) -> None:
        self.reckon(bid, self.record, self.house["undercall"] == "players")
        self.pass_on(bid)
        if bid["under"] and self.house["undercall"] == "announced":
            self.told.append("undercall")

    def pass_on(self, bid: Bid) -> None:
        self.bids = [*self.bids, bid]
        self.phase, self.turn = "offered", self.left(bid["seat"])
        if bid["claim"] == FIVE_ACES:
            self.told.append("five-aces")

    def understood(self, words: str) -> None:
        if words in NOT_BIDS:
            raise No(NOT_BIDS[words])

    def say(self, seat: str, words: str) -> None:
        if self.phase == "five-aces":
            raise No("five-aces-stand")
        self.mine(seat, "to-say")
        self.understood(words)
        if self.record is None and SAYINGS[words][0]:
            raise No("nothing-to-better")
        self.offer({"seat": seat, "words": [words]})

    def amend(self, seat: str, words: str) -> None:
        if self.phase == "five-aces":
            raise No("five-aces-stand")
        if self.phase != "offered":
            raise No("wrong-phase")
        old = self.bids[-1]
        if seat != old["seat"]:
            raise No("not-your-turn")
        self.understood(words)
        relative = SAYINGS[words][0] > 0
        if relative:
            higher = old["claim"] != FIVE_ACES
        else:
            was_relative = SAYINGS[old["words"][-1]][0]
            higher = not was_relative and self.literal(words) > self.literal(old["words"][-1])
        if not higher:
            raise No("not-higher")
        self.bids = self.bids[:-1]
        if not relative:
            self.offer({"seat": seat, "words": [words]})
            return
        claim = self.meaning(words, old["claim"])[0]
        under = old["under"]
        if self.house["undercall"] == "players" and under:
            under = HANDS.index(claim) <= HANDS.index(self.record)
        self.pass_on({"seat": seat, "words": [*old["words"], words], "claim": claim, "under": under})

    def literal(self, words: str) -> int:
        return HANDS.index(self.meaning(words, None)[0])

    def accept(self, seat: str) -> None:
        self.mine(seat, "offered")
        if self.record != FIVE_ACES:
            self.phase = "to-roll"
        elif self.house["five-aces"] == "must-challenge":
            raise No("must-challenge")
        else:
            self.roll_five_aces(seat)

    def roll_five_aces(self, seat: str) -> None:
        self.phase, self.turn, self.opened = "five-aces", seat, False
        self.left_over = 1 if self.house["five-aces"] == "one-roll" else 3

    def challenge(self, seat: str) -> None:
        self.mine(seat, "offered")
        self.phase, self.turn = "exposure", None

    def point_out(self, seat: str) -> Any:
        if not self.lives[seat]:
            raise No("not-your-turn")
        open_ones = [bid for bid in self.bids if bid["under"]]
        if self.house["undercall"] != "players" or not open_ones or self.phase == "five-aces":
            raise No("no-undercall")
        self.told += ["undercall"] * len(open_ones)
        bids, record, again = deepcopy(self.bids), None, False
        for place, bid in enumerate(bids):
            if bid["under"]:
                bid["claim"], again = self.next(record), True
            elif again:
                self.reckon(bid, record, False)
            bid["under"], record = False, bid["claim"]
            accepted = place < len(bids) - 1 or self.phase in ("to-roll", "to-say")
            if record == FIVE_ACES:
                self.told.append("five-aces")
                if accepted:
                    acceptor = bids[place + 1]["seat"] if place + 1 < len(bids) else self.turn
                    self.bids = bids[: place + 1]
                    return self.roll_five_aces(self.stay(acceptor))
                break
        self.bids = bids

    def absent(self, seat: str) -> None:
        if self.phase != "offered" or seat != self.turn or self.record == FIVE_ACES:
            raise No("not-absent-now")
        self.offer({"seat": seat, "words": ["better"]})

    def shows(self, dice: str | None, disturbed: bool) -> None:
        if self.phase != "exposure":
            raise No("wrong-phase")
        shown = None if dice is None else self.five(dice)
        counts = (self.dice if disturbed and self.dice else shown) or self.dice
        if disturbed:
            self.told.append("disturbed")
        if self.house["undercall"] == "silent":
            self.told += ["undercall" for bid in self.bids if bid["under"]]
        offerer = self.bids[-1]["seat"]
        recipient = self.left(offerer)
        if HANDS.index(counts) >= HANDS.index(self.record):
            self.lose(recipient, self.left(recipient))
        else:
            self.lose(offerer, recipient)

    def lose(self, seat: str, starter: Any) -> None:
        self.lives[seat] -= 1
        self.told.append("life-lost")
        if self.lives[seat]:
            self.start(starter)
        elif self.dog == "available":
            self.clear()
            self.told.append("dog-offered")
            self.phase, self.turn, self.starter, self.seen = "dog", seat, starter, False
        else:
            self.told.append("out")
            self.out = [*self.out, seat]
            self.start(starter)

    def start(self, seat: str) -> None:
        self.clear()
        self.seen, self.tied = False, []
        self.phase, self.turn, self.starter = "to-roll", seat, seat
        if len(self.living()) == 1:
            self.told.append("won")
            self.phase, self.turn, self.starter = "over", None, None

    def asked(self, seat: str) -> None:
        if self.phase != "dog":
            raise No("no-dog")
        if seat != self.turn:
            raise No("not-your-turn")

    def bark(self, seat: str) -> None:
        self.asked(seat)
        self.barked = True

    def decline(self, seat: str) -> None:
        self.asked(seat)
        self.out = [*self.out, seat]
        self.told.append("out")
        self.start(self.starter)

    def howl(self) -> None:
        if self.phase != "dog" or not self.barked:
            raise No("wrong-phase")
        self.lives[self.turn], self.dog = 1, "used"
        self.told.append("dog-used")
        self.start(self.starter)

    def woof(self) -> None:
        if self.phase != "dog" or not self.barked:
            raise No("wrong-phase")
        self.barked = False

    def leave(self, seat: str) -> None:
        asked = self.phase == "dog" and self.turn == seat
        if not self.lives[seat] and not asked:
            raise No("wrong-phase")
        offerer = self.bids[-1]["seat"] if self.phase in ("offered", "exposure") else None
        engaged = [offerer, self.left(offerer)] if offerer else [self.turn]
        self.lives[seat] = 0
        self.out, self.told = [*self.out, seat], ["out"]
        if self.phase == "starting-roll":
            self.tied = [other for other in self.tied if other != seat]
            if len(self.tied) == 1 or len(self.living()) == 1:
                self.start((self.tied or self.living())[0])
        elif self.phase == "dog" and not asked and not self.living():
            self.lives[self.turn], self.dog = 1, "used"
            self.start(self.turn)
        elif asked or (len(self.living()) == 1 and self.phase != "dog"):
            self.start(self.stay(self.starter))
        elif self.phase == "dog":
            self.starter = self.stay(self.starter)
        elif self.begun and seat in engaged:
            self.told.append("void")
            self.start(self.stay(seat))
        elif self.begun:
            self.starter = self.stay(self.starter)
        else:
            self.start(self.stay(self.starter))

    def void(self) -> None:
        if not self.begun:
            raise No("wrong-phase")
        self.told.append("void")
        self.start(self.stay(self.starter))
