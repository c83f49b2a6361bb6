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
        """Return the offer reckoned against `record`; `stands` leaves an undercall as it was said (`players`)."""
        claim, undercall = self._first_claim(record, stands)
        for meaning in self.meanings[1:]:
            found = meaning.above(claim)
            claim = TOP if found is None else found
        if stands and record is not None:
            undercall = claim <= record
        return self.with_(claim=claim, undercall=undercall)

    def _first_claim(self, record: int | None, stands: bool) -> tuple[int, bool]:
        """Return the claim of the words before any relative amendment, and whether they are an undercall."""
        said = self.meanings[0]
        if record is None:
            return said.literal(), False
        claim = said.above(record)
        if claim is not None:
            return claim, False
        return (said.literal() if stands else min(record + 1, TOP)), True


@dataclass(frozen=True)
class Hand(Copied):
    """A hand from its first roll to its verdict.

    `dice` is the sealed reading, None if nobody read it; `rolled` the seat that rolled last and how many it declared;
    `pointed` how many offers were reckoned again because an undercall was pointed out; `rolls_left` counts at five
    aces, `challenged` while the dice are being exposed.
    """

    offers: tuple[Offer, ...] = ()
    dice: str | None = None
    rolled: tuple[int, int] | None = None
    pointed: int = 0
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
    """Return the offers with every undercall, and every later bid that no longer rises, counted as `better`."""
    done: list[Offer] = []
    for offer in offers:
        record = done[-1].claim if done else None
        done.append(offer.against(record, stands=False).with_(undercall=False))
    return tuple(done)


def in_absence(seat: int) -> Offer:
    """Return the offer of somebody who is away: `better`, unrolled (A30)."""
    return Offer(seat, ("better",), (BETTER,))
