"""The state of a game: a value that acts make and nobody changes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from referee.act import Act
from referee.bid import Bid
from referee.hand import HandClaim
from referee.setup import Setup
from referee.values import Copied

# Phases
STARTING_ROLL = "starting-roll"
TO_ROLL = "to-roll"
TO_SAY = "to-say"
TO_BID = "to-bid"
OFFERED = "offered"
EXPOSURE = "exposure"
FIVE_ACES_PHASE = "five-aces"
DOG = "dog"
OVER = "over"


@dataclass(frozen=True, slots=True)
class Announcement:
    """Something that everybody hears: a stable code, the seat it is about if any, and a sentence."""

    code: str
    seat: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """A bid as the verdict tells it: who, in which words, and what they counted as."""

    seat: str
    words: str
    claim: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an exposure came to. `shown` is what counted, by seat in the common hand; `lost` is by seat."""

    said: tuple[Said, ...]
    record: str
    shown: tuple[tuple[str | None, str], ...]
    disturbed: bool
    made: bool
    lost: tuple[tuple[str, int], ...]
    starter: str | None
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Judged(Copied):
    """The last exposure, kept for a correction: the state before it, the act that settled it, and what followed."""

    before: "State"
    act: Act
    since: tuple[Act, ...] = ()


@dataclass(frozen=True, slots=True)
class Logged:
    """The journal as the state knows it: every act accepted so far, `undo` included, last one first."""

    act: Act
    earlier: "Logged | None"


@dataclass(frozen=True, eq=False, repr=False)
class State(Copied):
    """A game after some acts. Seats inside are numbers, clockwise from 0; the public properties give names.

    `stakes` are lives or dice by seat; `turn` is whose turn it is; `first` who starts this hand or the next; `out` the
    groups of seats that went out, first to last; `left` who left for good; `tied` who still rolls to start; `hand` the
    running hand (or round) from its first roll to its verdict; `seen` says that its dice were exposed and the exposure
    undone; `before` is the state that an undo goes back to.
    """

    setup: Setup
    phase: str
    stakes: tuple[int, ...]
    turn: int | None = None
    first: int | None = None
    out: tuple[tuple[int, ...], ...] = ()
    left: frozenset[int] = frozenset()
    tied: tuple[int, ...] = ()
    dog_life: str | None = None
    barked: bool = False
    hand: Any = None
    seen: bool = False
    verdict: Verdict | None = None
    judged: Judged | None = None
    announced: tuple[Announcement, ...] = ()
    act: Act | None = None
    before: "State | None" = field(default=None)
    log: Logged | None = None

    # --- for everybody ------------------------------------------------------------------------------------------------

    @property
    def to_act(self) -> str | None:
        """The seat whose turn it is, or None when it is nobody's."""
        return self.seat(self.turn)

    @property
    def starter(self) -> str | None:
        """The seat that starts this hand, or the next one; None while nobody does."""
        return self.seat(self.first)

    @property
    def record(self) -> "HandClaim | Bid | None":
        """The claim that the next bid has to beat, or None."""
        return self.hand.record if self.hand is not None else None

    @property
    def lives(self) -> dict[str, int]:
        """The lives by seat (one cup)."""
        return dict(zip(self.setup.seats, self.stakes, strict=True))

    @property
    def dice(self) -> dict[str, int]:
        """The dice by seat (common hand)."""
        return self.lives

    @property
    def dog(self) -> str | None:
        """The dog's life: `available`, `offered SEAT`, `used` or `off`; None in the common hand."""
        return f"offered {self.to_act}" if self.phase == DOG else self.dog_life

    @property
    def winner(self) -> str | None:
        """The seat that won, or None."""
        return self.seat(self.living[0]) if self.phase == OVER else None

    @property
    def places(self) -> tuple[tuple[str, ...], ...] | None:
        """The seats from first to last, those who share a place together; None until the game is over."""
        if self.phase != OVER:
            return None
        groups = ((self.living[0],), *reversed(self.out))
        return tuple(tuple(self.setup.seats[i] for i in sorted(group)) for group in groups)

    @property
    def acts(self) -> tuple[Act, ...]:
        """Every act accepted so far, `undo` included: folding them gives this state again."""
        return tuple(self._acts_backwards())[::-1]

    def _acts_backwards(self) -> Iterator[Act]:
        entry = self.log
        while entry is not None:
            yield entry.act
            entry = entry.earlier

    def __eq__(self, other: object) -> bool:
        """Compare everything but the way that led here."""
        return isinstance(other, State) and _SUBSTANCE(self) == _SUBSTANCE(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Return a line that says where the game stands."""
        stakes = " ".join(f"{seat}={n}" for seat, n in self.lives.items())
        return f"<{self.setup.game} {self.phase} to-act={self.to_act} record={self.record} {stakes}>"

    # --- for the rules ------------------------------------------------------------------------------------------------

    def seat(self, number: int | None) -> str | None:
        """Return the name of a seat number; None for None."""
        return None if number is None else self.setup.seats[number]

    @property
    def living(self) -> tuple[int, ...]:
        """The seat numbers that still have a stake."""
        return tuple(i for i, stake in enumerate(self.stakes) if stake)

    def left_of(self, seat: int) -> int:
        """Return the next living seat clockwise of `seat`; `seat` itself if no other lives."""
        stakes = self.stakes
        count = len(stakes)
        for step in range(1, count):
            if stakes[(seat + step) % count]:
                return (seat + step) % count
        return seat


_NAMES = tuple(State.__dataclass_fields__)
_SUBSTANCE = attrgetter(*(name for name in _NAMES if name not in ("judged", "announced", "act", "before", "log")))
