"""Bids of the common hand: a quantity and a face, and what beats what (B4 to B6)."""

from dataclasses import dataclass
from functools import lru_cache

from referee.hand import FACES, PIPS
from referee.lexicon import LANGUAGES, Lexicon, lexicon, not_understood

_ORDERS = {"pips": PIPS, "poker": FACES[0] + FACES[:0:-1]}


def bid_order(dice: str) -> str:
    """Return the faces as bids rank them, the wild one first: `123456`, or `A9TJQK`."""
    return _ORDERS[dice]


@dataclass(frozen=True, slots=True, repr=False)
class Bid:
    """At least `quantity` dice show `face` or are wild. `str()` is the notation: `3 5`."""

    quantity: int
    face: str

    def __str__(self) -> str:
        """Return the notation."""
        return f"{self.quantity} {self.face}"

    def __repr__(self) -> str:
        """Return the notation."""
        return str(self)


def is_raise(bid: Bid, record: Bid, order: str, face_first: bool) -> bool:
    """Return whether `bid` beats `record` (B6): more of a face always does, a higher face as the house has it."""
    higher = order.index(bid.face) - order.index(record.face)
    if face_first:
        return higher > 0 or (higher == 0 and bid.quantity > record.quantity)
    return bid.quantity > record.quantity or (bid.quantity == record.quantity and higher > 0)


@lru_cache(maxsize=4096)
def read_bid(words: str, dice: str) -> Bid:
    """Return the bid that the words say, `three fives` or `3 5`; refuse `not-understood`, quoting them.

    >>> read_bid("three fives", "pips"), read_bid("15 K", "poker"), read_bid("drei Damen", "poker")
    (3 5, 15 K, 3 Q)
    """
    said = words.replace(",", " ").replace("-", " ").split()
    for language in map(lexicon, LANGUAGES):
        if len(said) > 1 and (bid := _read(said, dice, language)):
            return bid
    raise not_understood(words)


def _read(said: list[str], dice: str, language: Lexicon) -> Bid | None:
    """Return the bid in one language, or None. The last word is the face, the others are the quantity."""
    words = [word.lower().replace("'", "") for word in said]
    face = language.pips.get(words[-1]) if dice == "pips" else language.faces.get(words[-1])
    if dice == "pips" and words[-1].removesuffix("s") in PIPS:
        face = words[-1].removesuffix("s")
    quantity = _quantity(words[:-1], language)
    return None if face is None or quantity is None else Bid(quantity, face)


def _quantity(words: list[str], language: Lexicon) -> int | None:
    """Return the number that `twelve`, `12` or `twenty one` says, or None."""
    if len(words) == 1 and words[0].isdecimal():
        return int(words[0][:9])
    values = [language.numbers.get(word) for word in words]
    if any(value is None for value in values):
        return None
    tens, *ones = [value for value in values if value is not None]
    if not ones:
        return tens
    return tens + ones[0] if len(ones) == 1 and tens >= 20 and tens % 10 == 0 and 0 < ones[0] < 10 else None
