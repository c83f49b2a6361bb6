"""What the eye has told the table: a fold over the eye's events, kept in memory only.

Nothing here is an act. It says whether a certain reading is there to be used, and what to tell people meanwhile.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from device.eye import CameraBack, CameraLost, Disturbed, Event, Lifted, Settled, TrayStatus, status_of
from device.journal import Evidence
from device.proof import as_text
from vision.reading import Reading

#: Name of a face in a dice set -> its letter in the game record.
Letters = Mapping[str, str]

#: The faces of a poker set by their usual names, and of pip dice.
LETTERS: Letters = {**{face: face for face in "AKQJ9123456"}, "10": "T", "T": "T"}

#: Faces of poker dice in the game record, from the lowest to the highest.
POKER = "9TJQKA"

#: Faces of pip dice in the game record, from the lowest to the highest.
PIPS = "123456"


def letters_of(order: tuple[str, ...]) -> Letters:
    """Return the letters of a set whose faces are named in `order`, from the lowest to the highest.

    >>> letters_of(("N", "R", "J", "Q", "K", "A"))["R"]
    'T'
    """
    faces = PIPS if set(order) == set(PIPS) else POKER
    return dict(zip(order, faces, strict=True))


@dataclass(frozen=True, slots=True)
class Sight:
    """A certain reading: the hand as letters of the game record, and the reading with its photograph.

    `evidence` is a number once it is in the journal.
    """

    hand: str
    evidence: Evidence | int


@dataclass(frozen=True, slots=True)
class Seen:
    """What the eye has told.

    `sight` is the newest certain reading. `fresh` says that dice were on the move since a reading was last used;
    `rolled` is the most dice that were seen to leave the glass or to come from beside it since then, `spent` the same
    for the reading used last. `early` says that all this was before the roll was declared.
    `known` says that the eye has watched since the last certain reading, `watched` that the camera has not been away
    since the last challenge.
    `lay` counts the dice of the last certain reading, `dice` those of the last look. Before the eye has said anything a
    camera is taken to be there.
    """

    state: str = "settling"
    reasons: tuple[str, ...] = ()
    advice: str | None = None
    camera: bool = True
    sight: Sight | None = None
    fresh: bool = False
    rolled: int = 0
    spent: int = 0
    early: bool = False
    known: bool = False
    watched: bool = False
    lay: int = 0
    dice: int | None = None

    @property
    def in_hand(self) -> bool:
        """Tell whether dice were taken up, by what the camera sees, and cannot be read again yet."""
        unread = self.moving or (self.state in ("unsure", "empty") and self.sight is None)
        return self.camera and self.fresh and unread

    @property
    def bare(self) -> bool:
        """Tell whether no die lies on the tray."""
        at_rest = self.state == "unsure" or self.taken
        return self.camera and (self.state == "empty" or (at_rest and self.dice == 0))

    @property
    def taken(self) -> bool:
        """Tell whether dice were taken from the tray, and what is left there lies still."""
        return self.camera and self.state == "moving" and bool(self.reasons)

    @property
    def moving(self) -> bool:
        """Tell whether dice are in somebody's hand or on their way."""
        return self.state in ("moving", "settling")

    def used(self) -> "Seen":
        """Return what is left when a reading was used: the next one needs dice that moved."""
        return replace(self, fresh=False, rolled=0, spent=self.rolled)

    def given_back(self) -> "Seen":
        """Return what is left when the use of the last reading was taken back."""
        return replace(self, fresh=self.sight is not None, rolled=self.spent)

    def declared(self) -> "Seen":
        """Return the same with all that moved so far having moved before the roll was declared."""
        return replace(self, early=self.fresh)

    def kept(self, number: int) -> "Seen":
        """Return the same with the sight's evidence in the journal under `number`."""
        return self if self.sight is None else replace(self, sight=Sight(self.sight.hand, number))

    def challenged(self) -> "Seen":
        """Return what is left when a challenge begins: from now on the camera must not be away."""
        return replace(self, watched=self.camera)


def changed(before: str, after: str) -> int:
    """Return how many dice at least show another face.

    >>> changed("TTAQ9", "KTTA9")
    1
    """
    return sum((Counter(after) - Counter(before)).values())


def evidence(reading: Reading, photograph: bytes) -> Evidence:
    """Return a reading and its photograph as the journal keeps them."""
    return Evidence(as_text(reading), photograph)


def hand(reading: Reading, letters: Letters) -> str | None:
    """Return the hand of a certain reading as the game record writes it, else None."""
    return None if reading.hand is None else "".join(letters[face] for face in reading.hand)


def see(seen: Seen, event: Event, letters: Letters = LETTERS) -> Seen:
    """Return what is known after `event`."""
    match event:
        case TrayStatus(state, reasons, advice):
            return replace(seen, state=state, reasons=reasons, advice=advice, camera=state != "no-camera")
        case Settled():
            return _settled(seen, event, letters)
        case Lifted(count):
            return replace(seen, fresh=True, early=False, rolled=max(seen.rolled, count), known=True, sight=None)
        case Disturbed():
            return replace(seen, fresh=True)
        case CameraLost(why):
            return Seen("no-camera", ("no-camera",), why, camera=False)
        case CameraBack():
            return replace(seen, camera=True, state="settling", reasons=(), advice=None)


def _settled(seen: Seen, event: Settled, letters: Letters) -> Seen:
    """Return what is known after the tray came to rest; an uncertain reading takes the last certain one's place."""
    found = hand(event.reading, letters)
    moved = event.rolled is None or event.rolled > 0
    after = replace(
        seen,
        state=status_of(event.reading).state,
        camera=True,
        fresh=seen.fresh or moved,
        early=seen.early and not moved,
        rolled=max(seen.rolled, event.rolled or 0),
        known=seen.known or event.rolled is not None,
        dice=len(event.reading.dice),
    )
    if found is None:
        return replace(after, sight=None)
    came = 0 if event.rolled is None else max(0, len(found) - seen.lay)
    rolled = max(after.rolled, came + (event.rolled or 0))
    sight = Sight(found, evidence(event.reading, event.photograph))
    return replace(after, sight=sight, lay=len(found), rolled=rolled, fresh=after.fresh or came > 0)
