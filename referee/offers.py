"""The offers of one hand in the one-cup game, and how they are reckoned against each other (A15, A20, A21)."""

from collections.abc import Iterable
from dataclasses import dataclass

from referee.grammar import BETTER, Meaning
from referee.hand import HANDS, TOP, HandClaim
from referee.values import Copied


@dataclass(frozen=True)
class Offer(Copied):
    """A bid with the cup. `words` are kept as said, an amendment in relative words after those that it betters.

    `claim` is the number of the hand that it is deemed to mean, `undercall` whether it did not beat the record.
    """

    seat: int
    words: tuple[str, ...]
    meanings: tuple[Meaning, ...]
    claim: int = 0
    undercall: bool = False

    def against(self, record: int | None, stands: bool) -> "Offer":
        """Return the offer reckoned against `record`. One that does not beat it is an undercall: it counts as `better`
        (A20), or if it `stands` as what was said."""
        said, *relative = self.meanings
        found = said.literal() if record is None else said.above(record)
        claim = said.literal() if found is None else found
        for meaning in relative:
            claim = _above(meaning, claim)
        if record is None or claim > record:
            return self.with_(claim=claim, undercall=False)
        return self.with_(claim=claim if stands else min(record + 1, TOP), undercall=True)

    def bettered(self, words: str, said: Meaning, record: int | None) -> "Offer":
        """Return the offer amended in relative words, which better its own claim (A21)."""
        claim = _above(said, self.claim)
        told = {"words": (*self.words, words), "meanings": (*self.meanings, said)}
        now_rises = record is not None and self.claim <= record < claim
        return self.with_(claim=claim, undercall=self.undercall and not now_rises, **told)


def _above(said: Meaning, claim: int) -> int:
    """Return what relative words make of a claim."""
    found = said.above(claim)
    return TOP if found is None else found


@dataclass(frozen=True)
class Hand(Copied):
    """A hand from its first roll to its verdict.

    `dice` is the sealed reading, None if nobody read it; `rolled` the seat that rolled last and how many it declared;
    at five aces `rolls_left` counts down, and `began` says that the first roll was made.
    """

    offers: tuple[Offer, ...] = ()
    dice: str | None = None
    rolled: tuple[int, int] | None = None
    rolls_left: int = 0
    began: bool = False

    @property
    def claim(self) -> int | None:
        """The number of the claim on record, or None."""
        return self.offers[-1].claim if self.offers else None

    @property
    def record(self) -> HandClaim | None:
        """The claim on record, or None."""
        return HANDS[self.offers[-1].claim] if self.offers else None

    @property
    def has_undercall(self) -> bool:
        """Whether any bid of this hand is an undercall that was not yet told."""
        return any(offer.undercall for offer in self.offers)


def reckoned_again(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Return the offers with every open undercall counted as `better`, and every later bid reckoned against that; a
    later one that no longer rises counts as `better` too (A20)."""
    done: list[Offer] = []
    opened = False
    for offer in offers:
        record = done[-1].claim if done else None
        opened = opened or offer.undercall
        if offer.undercall and record is not None:
            offer = offer.with_(claim=min(record + 1, TOP), undercall=False)
        elif opened:
            offer = offer.against(record, stands=False).with_(undercall=False)
        done.append(offer)
    return tuple(done)


def in_absence(seat: int) -> Offer:
    """Return the offer of somebody who is away: `better`, unrolled (A30)."""
    return Offer(seat, ("better",), (BETTER,))
