"""Compose a bid with a knob: turn to choose, push to take what is shown. Pure values, no device.

>>> step = compose(Poker()).turn(3)
>>> step.shown
'a pair'
>>> step = step.push().turn(3)
>>> step.shown
'of J'
>>> step = step.push()
>>> step.sentence, step.shown
('a pair of J', 'say it')
>>> step.push().words
'a pair of J'
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

SAY, BACK = "say it", "back"


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing the knob can point at: what is shown, and the words so far once it is taken (None: go back)."""

    shown: str
    words: str | None
    say: bool = False


class Grammar(Protocol):
    """Which choices follow upon words."""

    def choices(self, words: str, taken: tuple[str, ...]) -> Sequence[Choice]:
        """Return what may follow upon `words`, that were put together by taking `taken` one after another."""


@dataclass(frozen=True, slots=True)
class Composer:
    """A bid being composed. `sentence` is what was taken so far, `shown` what the knob points at.

    `words` is None until "say it" was pushed; then it is the bid.
    """

    grammar: Grammar
    steps: tuple[tuple[str, str], ...] = ()
    at: int = 0
    words: str | None = None

    @property
    def sentence(self) -> str:
        """Return the words so far."""
        return self.steps[-1][1] if self.steps else ""

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Return everything that can be chosen now."""
        taken = tuple(shown for shown, _ in self.steps)
        back = (Choice(BACK, None),) if self.steps else ()
        return (*self.grammar.choices(self.sentence, taken), *back)

    @property
    def shown(self) -> str:
        """Return what a push would take."""
        return self.choices[self.at].shown

    def turn(self, steps: int) -> "Composer":
        """Return the composer with the knob turned by `steps`; the choices go round."""
        return replace(self, at=(self.at + steps) % len(self.choices))

    def push(self) -> "Composer":
        """Return the composer with the shown choice taken."""
        choice = self.choices[self.at]
        if choice.words is None:
            return replace(self, steps=self.steps[:-1], at=0)
        if choice.say:
            return replace(self, words=choice.words)
        return replace(self, steps=(*self.steps, (choice.shown, choice.words)), at=0)


def compose(grammar: Grammar) -> Composer:
    """Return a composer that has nothing yet."""
    return Composer(grammar)


def _say(words: str) -> Choice:
    return Choice(SAY, words, say=True)


def _joined(words: str, more: str) -> str:
    return f"{words}, {more}" if words else more


@dataclass(frozen=True, slots=True)
class Poker:
    """Bids of the one-cup game: every category, with faces and other dice, `better`, or a hand written out.

    `faces` run from low to high, as they are written in words; `letters` as in a hand written out.
    """

    faces: tuple[str, ...] = ("9", "10", "J", "Q", "K", "A")
    letters: tuple[str, ...] = ("9", "T", "J", "Q", "K", "A")

    def choices(self, words: str, taken: tuple[str, ...]) -> Sequence[Choice]:
        """Return what may follow: first the category, then its faces, then other dice."""
        if not taken:
            return self._first()
        head = taken[0]
        if head == "dice by dice":
            return Spelling(self.faces, self.letters).choices(words, taken)
        if head in ("better", "way better"):
            return self._better(words, taken)
        faces = self._faces(head, words, taken)
        if faces or head == "full house":  # a full house with both faces leaves nothing open
            return faces or (_say(words),)
        return self._more(words)

    def _first(self) -> Sequence[Choice]:
        return (
            Choice("better", "better"),
            Choice("way better", "way better"),
            Choice("singleton", "singleton"),
            Choice("a pair", "a pair"),
            Choice("two pairs", "two pairs"),
            Choice("three", "three of a kind"),
            Choice("full house", "full house"),
            Choice("four", "four of a kind"),
            Choice("five", "five of a kind"),
            Choice("dice by dice", ""),
        )

    def _better(self, words: str, taken: tuple[str, ...]) -> Sequence[Choice]:
        if len(taken) > 1:
            return (_say(words),)
        kinds = ("pair", "two pairs", "three of a kind", "full house", "four of a kind", "five of a kind")
        return (_say(words), *(Choice(kind, f"a {words} {kind}") for kind in kinds))

    def _faces(self, head: str, words: str, taken: tuple[str, ...]) -> Sequence[Choice]:
        """Return the choices of the category's own faces, none once they are taken."""
        if len(taken) == 1:
            return (_say(words), *self._leading(head, words))
        if len(taken) == 2 and head in ("two pairs", "full house"):
            return (_say(words), *self._second(head, taken[1].removeprefix("of ").removesuffix(" on top")))
        return ()

    def _leading(self, head: str, words: str) -> Sequence[Choice]:
        if head == "a pair":
            return [Choice(f"of {face}", f"a pair of {face}") for face in self.faces]
        if head in ("two pairs", "full house"):
            return [Choice(f"{face} on top", f"{words}, {face} on top") for face in self.faces]
        if head == "singleton":
            return [Choice(f"{face} high", f"singleton, {face} high") for face in self.faces]
        return [Choice(f"of {face}", f"{head} {face}") for face in self.faces]

    def _second(self, head: str, first: str) -> Sequence[Choice]:
        others = [face for face in self.faces if face != first]
        if head == "full house":
            return [Choice(f"over {face}", f"full house, {first} over {face}") for face in others]
        lower = self.faces[: self.faces.index(first)]
        return [Choice(f"and {face}", f"two pairs, {first} and {face}") for face in lower]

    def _more(self, words: str) -> Sequence[Choice]:
        """Return the choices of other dice: with one, without one."""
        having = [Choice(f"with {face}", _joined(words, f"with {face}")) for face in self.faces]
        lacking = [Choice(f"no {face}", _joined(words, f"no {face}")) for face in self.faces]
        free = [c for c in (*having, *lacking) if c.shown not in words]
        return (_say(words), *free)


POKER_FACES, POKER_LETTERS = ("9", "10", "J", "Q", "K", "A"), ("9", "T", "J", "Q", "K", "A")
PIPS = ("1", "2", "3", "4", "5", "6")


@dataclass(frozen=True, slots=True)
class Spelling:
    """A hand written out die by die, the best face first; its words are such as "KKQJ9"."""

    faces: tuple[str, ...] = POKER_FACES
    letters: tuple[str, ...] = POKER_LETTERS
    dice: int = 5

    def choices(self, words: str, taken: tuple[str, ...]) -> Sequence[Choice]:
        """Return the faces until all dice are named, then only saying it."""
        if len(words) == self.dice:
            return (_say(words),)
        faces = zip(reversed(self.faces), reversed(self.letters), strict=True)
        return [Choice(face, words + letter) for face, letter in faces]


@dataclass(frozen=True, slots=True)
class Quantity:
    """Bids of the game with a cup for everyone: how many, then of which face; `words` is such as "4 Q".

    The wild face, ones or aces, cannot be bid.
    """

    most: int
    faces: tuple[str, ...] = PIPS[1:]

    def choices(self, words: str, taken: tuple[str, ...]) -> Sequence[Choice]:
        """Return the quantities, then the faces, then only saying it."""
        if not taken:
            return [Choice(str(number), str(number)) for number in range(1, self.most + 1)]
        if len(taken) == 1:
            return [Choice(face, f"{words} {face}") for face in self.faces]
        return (_say(words),)


@dataclass(frozen=True, slots=True)
class Count:
    """A number from `least` to `most` of some `thing`: how many dice are rolled, how many seats there are."""

    least: int
    most: int
    thing: str = "dice"

    def choices(self, words: str, taken: tuple[str, ...]) -> Sequence[Choice]:
        """Return the numbers, the greatest first: a single push says it."""
        numbers = range(self.most, self.least - 1, -1)
        return [Choice(f"{number} {self.thing}", str(number), say=True) for number in numbers]
