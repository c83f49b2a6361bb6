"""Hands of five poker dice: their order, their notation, and sets of them as bit masks.

A *hand* is five faces out of A K Q J T 9, ace best; there are 252. They are numbered from 0 (`KQJT9`) to 251
(`AAAAA`) in the order of rule A14, so comparing claims is comparing numbers, and a set of hands is one integer whose
bit `n` stands for hand `n`.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

from referee.errors import Malformed

FACES = "AKQJT9"
PIPS = "123456"
CATEGORIES = ("singleton", "pair", "two pairs", "three", "full house", "four", "five")
_SHAPES = {
    (1, 1, 1, 1, 1): 0,
    (2, 1, 1, 1): 1,
    (2, 2, 1): 2,
    (3, 1, 1): 3,
    (3, 2): 4,
    (4, 1): 5,
    (5,): 6,
}
SPANISH = str.maketrans("RN", "T9")


def _in_order(faces: Iterable[str]) -> str:
    """Return the faces most frequent first, then high to low: `9JKQ9` gives `99KQJ`."""
    counts = Counter(faces)
    return "".join(sorted(counts.elements(), key=lambda face: (-counts[face], FACES.index(face))))


def _strength(notation: str) -> tuple[int, list[int]]:
    """Return what rule A14 compares: the category, then the faces in the notation's order."""
    shape = tuple(sorted(Counter(notation).values(), reverse=True))
    return _SHAPES[shape], [-FACES.index(face) for face in notation]


_NOTATIONS = tuple(sorted(map(_in_order, combinations_with_replacement(FACES, 5)), key=_strength))
_NUMBERS = {notation: number for number, notation in enumerate(_NOTATIONS)}


@dataclass(frozen=True, slots=True, order=True, repr=False)
class HandClaim:
    """One of the 252 hands, as a claim or as what was shown. Orders by rule A14; `str()` is its notation.

    >>> HandClaim.parse("T99QJ"), HandClaim.parse("99QJT").number
    (99QJT, 6)
    >>> HandClaim.parse("KQJT9") < HandClaim.parse("99QJT") < HandClaim.parse("AAAAA")
    True
    """

    number: int

    @classmethod
    def parse(cls, text: str) -> "HandClaim":
        """Return the hand written as five faces in any order, `10` for a ten too; else raise `Malformed`."""
        faces = tidy(text)
        if len(faces) != 5 or not set(faces) <= set(FACES):
            raise Malformed(f"'{text}' is not a hand: write five of the faces A K Q J T 9.", "bad-hand")
        return HANDS[number_of(faces)]

    def __str__(self) -> str:
        """Return the notation, most frequent face first: `JJQT9`."""
        return _NOTATIONS[self.number]

    def __repr__(self) -> str:
        """Return the notation."""
        return _NOTATIONS[self.number]

    @property
    def category(self) -> str:
        """The name of the category, one of `CATEGORIES`."""
        return CATEGORIES[_strength(str(self))[0]]

    @property
    def better(self) -> "HandClaim":
        """The next hand up; five aces stay five aces (A16)."""
        return HANDS[min(self.number + 1, TOP)]


HANDS = tuple(HandClaim(number) for number in range(len(_NOTATIONS)))
TOP = len(HANDS) - 1
FIVE_ACES = HANDS[TOP]
EVERY_HAND = (1 << len(HANDS)) - 1


def tidy(text: str) -> str:
    """Return dice as written by people in one spelling: upper case, no blanks, `10` as `T`."""
    return "".join(text.split()).upper().replace("10", "T")


@cache
def number_of(faces: str) -> int:
    """Return the number, 0 to 251, of the hand of these five face letters in any order."""
    return _NUMBERS[_in_order(faces)]


def hand_of(faces: Iterable[str]) -> str:
    """Return the notation of faces as a reader names them: `9 10 J Q K A`, Spanish `N R J Q K A`, or pips `1` to `6`.

    >>> hand_of(["10", "J", "10", "A", "9"]), hand_of(["5", "1", "5"])
    ('TTAJ9', '155')
    """
    letters = [face.replace("10", "T").translate(SPANISH) for face in faces]
    if all(letter in FACES for letter in letters) and not all(letter in PIPS for letter in letters):
        return _in_order(letters)
    if all(letter in PIPS for letter in letters):
        return "".join(sorted(letters))
    raise Malformed(f"{' '.join(letters)} are not faces of one kind of dice.", "bad-hand")


def hands_where(holds: Callable[[str], bool]) -> int:
    """Return the set of hands whose notation satisfies `holds`, as a bit mask."""
    return sum(1 << number for number, notation in enumerate(_NOTATIONS) if holds(notation))


@cache
def of_category(category: str) -> int:
    """Return the hands of one category, as a bit mask."""
    return sum(1 << hand.number for hand in HANDS if hand.category == category)


@cache
def with_count(face: str, count: int) -> int:
    """Return the hands with exactly `count` dice of `face`, as a bit mask."""
    return hands_where(lambda notation: notation.count(face) == count)


@cache
def with_place(place: int, face: str) -> int:
    """Return the hands whose notation has `face` at `place` (0 the first), as a bit mask."""
    return hands_where(lambda notation: notation[place] == face)


def weakest(hands: int, above: int = -1) -> int | None:
    """Return the number of the lowest hand of a set that is above number `above`, or None."""
    rest = hands >> (above + 1)
    return above + (rest & -rest).bit_length() if rest else None
