"""What a bid's words mean: a set of hands, and how far above the record to look in it (A15 to A19).

Words become tokens (`referee.lexicon`), tokens become clauses (`referee.clauses`), and clauses become sets of hands
that are cut with each other. Clauses may come in any order; what decides between two readings is the category that the
whole bid names. A clause with two readings that both are possible makes the bid ambiguous.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

from referee.clauses import Clause, clauses, without_articles
from referee.errors import Malformed, Refused
from referee.hand import (
    CATEGORIES,
    EVERY_HAND,
    FACES,
    HANDS,
    SPANISH,
    TOP,
    HandClaim,
    number_of,
    of_category,
    tidy,
    weakest,
    with_count,
    with_place,
)
from referee.lexicon import LANGUAGES, Lexicon, lexicon, not_understood

SINGLETON, PAIR, TWO_PAIRS, THREE, FULL_HOUSE, FOUR, FIVE = CATEGORIES
_OF_SIZES = {(2,): PAIR, (2, 2): TWO_PAIRS, (3,): THREE, (2, 3): FULL_HOUSE, (4,): FOUR, (5,): FIVE}
_SIZES = {category: sizes for sizes, category in _OF_SIZES.items()} | {SINGLETON: ()}
_PAIRS_MADE = {1: 2, 3: 3, 6: 4, 10: 5}
_BEST_OTHER = {PAIR: 2, THREE: 3, FOUR: 4}
_LOW = {TWO_PAIRS: 2, FULL_HOUSE: 3}
_NAMES = {"A": "aces", "K": "kings", "Q": "queens", "J": "jacks", "T": "tens", "9": "nines"}
_NOT_A_FACE = re.compile(r"[\s,;.-]+")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What words mean before anybody looks at the record: a set of hands, and for relative words (`better`, `a way
    better pair`) how many steps up in it; 0 for words that say what they mean themselves."""

    hands: int
    steps: int = 0

    @property
    def relative(self) -> bool:
        """Whether the words mean nothing without a claim to better."""
        return self.steps > 0

    def literal(self) -> int:
        """Return the number of the weakest hand that meets everything said, whatever the record."""
        found = weakest(self.hands)
        return TOP if found is None else found

    def above(self, record: int) -> int | None:
        """Return the number of the hand meant when `record` has to be beaten, or None for an undercall (A15, A16)."""
        if not self.steps:
            return weakest(self.hands, record)
        claim = record
        for _ in range(self.steps):
            step = weakest(self.hands, claim)
            if step is None:
                return TOP if self.hands == EVERY_HAND else min(record + 1, TOP)
            claim = step
        return claim


BETTER = Meaning(EVERY_HAND, 1)


@lru_cache(maxsize=4096)
def meaning(words: str) -> Meaning:
    """Return what the words mean in the first language that understands them.

    Refuses `not-understood` (quoting the word), `ambiguous` (naming both meanings) or `no-such-hand` (saying why).

    >>> HANDS[meaning("a pair of jacks with no ten").literal()], meaning("way better").steps
    (JJKQ9, 2)
    """
    written = tidy(_NOT_A_FACE.sub("", words)).translate(SPANISH)
    if len(written) == 5 and set(written) <= set(FACES):
        return Meaning(1 << number_of(written))
    refusals = []
    for code in LANGUAGES:
        try:
            return _read(words, lexicon(code))
        except Refused as refusal:
            if refusal.code != "not-understood":
                raise
            refusals.append(refusal)
    known = [lexicon(code).knows(words) for code in LANGUAGES]
    raise refusals[known.index(max(known))]


def claim_of(words: str, record: HandClaim | None = None) -> tuple[HandClaim, bool]:
    """Return the claim that the words mean when `record` has to be beaten, and whether they are an undercall (A20).

    >>> claim_of("two pairs, jacks on top"), claim_of("three tens", HandClaim.parse("JJJT9"))
    ((JJ99T, False), (JJJQ9, True))
    """
    said = meaning(words)
    if record is None:
        if said.relative:
            raise nothing_to_better(words)
        return HANDS[said.literal()], False
    found = said.above(record.number)
    return (record.better, True) if found is None else (HANDS[found], False)


def nothing_to_better(words: str) -> Refused:
    """Return the refusal of relative words when there is nothing on record."""
    return Refused("nothing-to-better", f"There is nothing to better yet: '{words}' needs a bid before it.")


@dataclass(slots=True)
class _Bid:
    """What the clauses of one bid have said so far: groups of equal dice, categories, and what is still to be read."""

    words: str
    groups: list[tuple[int, str]] = field(default_factory=list)
    categories: set[str] = field(default_factory=set)
    rest: list[Clause] = field(default_factory=list)
    steps: int = 0
    category: str = ""
    either: int = 0

    def impossible(self, why: str) -> Refused:
        """Return the refusal of a hand that cannot exist."""
        return Refused("no-such-hand", f"There is no such hand as '{self.words}': {why}.")

    def group(self, size: int, face: str) -> None:
        """Note `size` equal dice, of `face` if one was named."""
        if not 2 <= size <= 5:
            raise self.impossible(f"{size} equal dice are not among five")
        self.groups.append((size, face))

    def pairs(self, clause: Clause) -> None:
        """Note a number of pairs, counted as rule A18 counts them."""
        count, face = clause.number, clause.face
        if count in _PAIRS_MADE:
            self.group(_PAIRS_MADE[count], face)
        elif count not in (2, 4):
            raise self.impossible(f"five dice never make {count} pairs, only 1, 2, 3, 4, 6 or 10")
        elif count == 4 and face:
            raise self.impossible("four pairs are a full house, and that has two faces")
        else:
            self.categories.add(TWO_PAIRS if count == 2 else FULL_HOUSE)
            self.rest += [clause] if face else []
            self.either |= of_category(FOUR) if face else 0

    def hand(self, clause: Clause) -> None:
        """Note a hand that was named without a number: trips, a full house, a singleton."""
        category = next(token.category for token in clause.tokens if token.category)
        if category in (SINGLETON, TWO_PAIRS, FULL_HOUSE):
            self.categories.add(category)
            self.rest += [clause] if clause.face else []
        else:
            self.group(_SIZES[category][0], clause.face)

    def count(self, clause: Clause) -> None:
        """Note `three jacks`; `one jack` is a die among the others."""
        if clause.number == 1:
            self.rest.append(Clause("with", clause.tokens))
        else:
            self.group(clause.number, clause.face)

    def count_over(self, clause: Clause) -> None:
        """Note `three jacks over nines`."""
        self.group(clause.number, clause.face)
        self.group(5 - clause.number if clause.number == 3 else 2, clause.faces[1].face)

    def both(self, clause: Clause) -> None:
        """Note `two pairs of jacks and nines`, or `a pair of jacks and nines`."""
        if clause.number > 2:
            raise self.impossible("it names two faces for that many pairs")
        self.categories.add(TWO_PAIRS)
        self.rest.append(Clause("two", clause.faces))

    def keep(self, clause: Clause) -> None:
        """Keep a clause to be read when the whole bid's category is known."""
        self.rest.append(clause)

    def better(self, clause: Clause) -> None:
        """Note how far up: `better` one, each `way` one more, `better than better` two."""
        self.steps += sum(token.sign in "yb" for token in clause.tokens)

    def run(self, clause: Clause) -> None:
        """Refuse what does not exist in this game (A10)."""
        raise self.impossible(f"there is no {clause.text} in this game")


_NOTED: dict[str, Callable[[_Bid, Clause], None]] = {
    "pairs": _Bid.pairs,
    "pair": lambda bid, clause: bid.group(2, clause.face),
    "kind": lambda bid, clause: bid.group(clause.number, clause.face),
    "hand": _Bid.hand,
    "count": _Bid.count,
    "count-over": _Bid.count_over,
    "both": _Bid.both,
    "better": _Bid.better,
    "run": _Bid.run,
}
Reading = tuple[int, str]


def _read(words: str, language: Lexicon) -> Meaning:
    """Return what the words mean in one language, or refuse them."""
    tokens = list(without_articles(language.tokens(words)))
    faces = [token.face for token in tokens if token.sign in "fd"]
    if len(faces) == 5 and all(token.sign in "fd,+" for token in tokens):
        return Meaning(1 << number_of("".join(faces)))
    said = list(clauses(tokens))
    if not said:
        raise not_understood(words)
    bid = _Bid(words)
    for clause in said:
        _NOTED.get(clause.kind, _Bid.keep)(bid, clause)
    bid.category = _category(bid)
    return Meaning(_hands(bid), bid.steps)


def _category(bid: _Bid) -> str:
    """Return the category that a bid names, or an empty string; refuse one that names two."""
    sizes = tuple(sorted(size for size, _ in bid.groups))
    if not bid.categories:
        if sizes and sizes not in _OF_SIZES:
            raise bid.impossible("that is more than five dice can show")
        return _OF_SIZES[sizes] if sizes else _implied(bid)
    category = min(bid.categories)
    left = list(_SIZES[category])
    for size in sizes:
        if size not in left:
            raise bid.impossible(f"it cannot be {_a(category)} as well")
        left.remove(size)
    if len(bid.categories) > 1:
        raise bid.impossible(f"it cannot be both {' and '.join(sorted(bid.categories))}")
    return category


def _implied(bid: _Bid) -> str:
    """Return the category that is meant when none is said: `jacks over nines`, `kings and nines`, `king high`."""
    for clause in bid.rest:
        last = clause.tokens[-1].sign
        if clause.kind in ("over", "full"):
            return FULL_HOUSE
        if (clause.kind == "two" and all(t.sign == "F" for t in clause.faces)) or (
            clause.kind == "top" and last == "u"
        ):
            return TWO_PAIRS
        if clause.kind == "top" and last == "g":
            return SINGLETON
    return ""


def _hands(bid: _Bid) -> int:
    """Return the set of hands that meets everything said; refuse an empty one and one of two meanings."""
    base = bid.either | of_category(bid.category) if bid.category else EVERY_HAND
    for size, face in bid.groups:
        base &= with_count(face, size) if face else EVERY_HAND
    choices = [list(_readings(clause, bid)) for clause in bid.rest]
    possible: dict[int, str] = {}
    for chosen in product(*choices):
        hands = base
        for reading, _ in chosen:
            hands &= reading
        if hands:
            possible.setdefault(hands, ", ".join(said for _, said in chosen if said))
    if not possible:
        raise bid.impossible("no five dice show all of it")
    if len(possible) > 1:
        raise Refused("ambiguous", f"'{bid.words}' has two meanings: {' or '.join(possible.values())}. Say which.")
    return next(iter(possible))


def _readings(clause: Clause, bid: _Bid) -> Iterator[Reading]:
    """Yield the sets of hands that a clause can mean in this bid, each with words for it."""
    yield from _READ[clause.kind](clause, bid)


def _named(bid: _Bid) -> bool:
    """Whether the bid already says of which face its main dice are."""
    return any(face for _, face in bid.groups)


def _a(category: str) -> str:
    return (
        category
        if category == TWO_PAIRS
        else f"{category} of a kind"
        if category in (THREE, FOUR, FIVE)
        else f"a {category}"
    )


def _first(face: str, category: str) -> Reading:
    """Return the hands of the category whose first face (the higher pair, the three) is `face`."""
    return with_place(0, face) & of_category(category), f"{_a(category)} with {_NAMES[face]} on top"


def _any_die(face: str) -> int:
    return EVERY_HAND & ~with_count(face, 0)


def _two_pairs_of(clause: Clause, bid: _Bid) -> Iterator[Reading]:
    """`two pairs of jacks`: four jacks, or two pairs with jacks on top; `full house of jacks`, `high card king`."""
    if clause.kind == "pairs":
        bid_face = clause.face
        yield with_count(bid_face, 4), f"four {_NAMES[bid_face]}"
    yield _first(clause.face, bid.category)


def _top(clause: Clause, bid: _Bid) -> Iterator[Reading]:
    """`jacks on top`, `jacks up`, `jack high`: what is on top depends on the category."""
    face = clause.face
    if not bid.category:
        yield _first(face, TWO_PAIRS)
        yield _first(face, FULL_HOUSE)
    elif bid.category not in _BEST_OTHER:
        yield _first(face, bid.category)
    else:
        others = f"{_a(bid.category)} with {_NAMES[face].removesuffix('s')} as the best other die"
        yield with_place(_BEST_OTHER[bid.category], face), others
        if clause.tokens[-1].sign != "g" and clause.faces[0].sign == "F" and not _named(bid):
            yield _first(face, bid.category)


def _over(clause: Clause, bid: _Bid) -> Iterator[Reading]:
    """`jacks over nines`, `jacks full of nines`, `jacks full`."""
    if bid.category not in _LOW or (clause.kind == "full" and bid.category != FULL_HOUSE):
        raise not_understood(clause.text)
    hands = with_place(0, clause.face)
    for token in clause.faces[1:]:
        hands &= with_place(_LOW[bid.category], token.face)
    yield hands, ""


def _two(clause: Clause, bid: _Bid) -> Iterator[Reading]:
    """`kings and nines`: the two pairs, the two halves of a full house in either order, or two other dice."""
    one, other = (token.face for token in clause.faces)
    if not bid.category:
        raise not_understood(clause.text)
    if bid.category == FULL_HOUSE:
        yield with_count(one, 3) & with_count(other, 2), f"{_NAMES[one]} over {_NAMES[other]}"
        yield with_count(one, 2) & with_count(other, 3), f"{_NAMES[other]} over {_NAMES[one]}"
    elif bid.category == TWO_PAIRS:
        yield with_count(one, 2) & with_count(other, 2), ""
    else:
        yield _any_die(one) & _any_die(other), ""


def _with(clause: Clause, bid: _Bid) -> Iterator[Reading]:
    """`with a king and a ten`; after two pairs, `with kings` is one of the pairs."""
    hands = EVERY_HAND
    for token in clause.faces:
        pair = bid.category == TWO_PAIRS and token.sign == "F"
        hands &= with_count(token.face, 2) if pair else _any_die(token.face)
    yield hands, ""


def _without(clause: Clause, bid: _Bid) -> Iterator[Reading]:
    """`no ten`, `without a nine or a ten`."""
    hands = EVERY_HAND
    for token in clause.faces:
        hands &= with_count(token.face, 0)
    yield hands, ""


def _bare(clause: Clause, bid: _Bid) -> Iterator[Reading]:
    """A face said after the hand: the face of the hand's own dice if they have none yet, else another die."""
    face, many = clause.face, clause.faces[0].sign == "F"
    if not bid.category:
        raise not_understood(clause.text)
    if _named(bid):
        yield _any_die(face), ""
        return
    yield _first(face, bid.category)
    if not many and bid.category not in (FULL_HOUSE, FIVE):
        yield _any_die(face), f"{_a(bid.category)} with {'an' if face == 'A' else 'a'} {_NAMES[face].removesuffix('s')}"


_READ: dict[str, Callable[[Clause, _Bid], Iterator[Reading]]] = {
    "pairs": _two_pairs_of,
    "hand": _two_pairs_of,
    "top": _top,
    "over": _over,
    "full": _over,
    "two": _two,
    "with": _with,
    "without": _without,
    "bare": _bare,
}


def phrase(claim: HandClaim, code: str = "en") -> str:
    """Return words for a claim that mean exactly it, in the language `code`; `Malformed` for an unknown one.

    >>> phrase(HandClaim.parse("JJQT9")), phrase(HandClaim.parse("AKQJ9"), "de")
    ('a pair of jacks, with queen, ten and nine', 'Singleton ohne zehn')
    """
    if code not in LANGUAGES:
        raise Malformed(f"There is no language '{code}': it is one of {', '.join(LANGUAGES)}.")
    language = lexicon(code)
    faces = list(dict.fromkeys(str(claim)))
    names = {"many": language.names[faces[0]][1], "no": language.names[min(set(FACES) - set(faces), default="A")][0]}
    for place, face in enumerate(faces[1:], start=1):
        names |= {f"one{place}": language.names[face][0], f"many{place}": language.names[face][1]}
    return language.phrases[claim.category].format(**names)
