"""What one look at the tray says: each die with its face or without, and reasons in fixed words.

>>> Reading.unsure(["too-few"]).to_json("a.jpg")["hand"] is None
True
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

State = Literal["flat", "cocked", "unclear"]

REASONS = (
    "no-dice",
    "too-few",
    "too-many",
    "cocked",
    "stacked",
    "touching",
    "moving",
    "blurred",
    "too-dark",
    "too-bright",
    "glare",
    "dirty",
    "foreign-object",
    "unknown-face",
    "out-of-view",
    "no-camera",
)
"""Every reason a reading may give, in the order in which they are told."""

ADVICE = {
    "no-dice": "No die lies on the glass: put the dice on the tray.",
    "too-few": "Fewer dice lie flat than belong there: nudge the cup so that every die lies on the glass.",
    "too-many": "More dice lie there than belong there: take the strange ones away.",
    "cocked": "A die leans: nudge the cup.",
    "stacked": "A die lies on another: nudge the cup.",
    "touching": "Two dice cover each other: nudge the cup.",
    "moving": "The dice have not come to rest: wait.",
    "blurred": "The picture is out of focus: clean the glass and focus the camera again.",
    "too-dark": "The picture is too dark: switch the tray's light on.",
    "too-bright": "The picture is too bright: shade the tray or shorten the exposure.",
    "glare": "A lamp shines on a die: turn the lamp away or nudge the cup.",
    "dirty": "The glass is dirty or wet over a die: wipe it.",
    "foreign-object": "Something that is no die lies on the glass: take it away.",
    "unknown-face": "A die shows a face that this set does not have: use the dice that were enrolled.",
    "out-of-view": "A die lies at the edge of the picture: push it in.",
    "no-camera": "The camera gives no picture: check its cable.",
}
"""What each reason means and what to do, for a person."""


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die: the face that lies up (None: not certain), where it is (pixels of the frame) and how it lies.

    `confidence` runs from 0 to 1. `seen` names the face that the camera sees, if it is known. `side_px` and
    `yaw_deg` give the square of the face in the frame; they are for drawing and for following a die.
    """

    face: str | None
    confidence: float
    centre_px: tuple[float, float]
    state: State
    seen: str | None = None
    side_px: float = 0.0
    yaw_deg: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the die as the command line prints it."""
        return {
            "face": self.face,
            "confidence": round(self.confidence, 3),
            "centre_px": [round(self.centre_px[0], 1), round(self.centre_px[1], 1)],
            "state": self.state,
            "seen": self.seen,
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """One look at the tray. `hand` is there, in the set's order from the highest, only if `status` is `read`."""

    status: Literal["read", "unsure"]
    hand: tuple[str, ...] | None
    reasons: tuple[str, ...]
    dice: tuple[DieReading, ...]
    ms: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a hand without certainty, and reasons that have no advice."""
        if (self.status == "read") != (self.hand is not None):
            raise ValueError(f"a reading has a hand exactly if it is read: {self.status}, {self.hand}")
        if unknown := set(self.reasons) - set(REASONS):
            raise ValueError(f"unknown reasons: {sorted(unknown)}")

    @classmethod
    def unsure(cls, reasons: Iterable[str], dice: Sequence[DieReading] = (), ms: float = 0.0) -> "Reading":
        """Return a reading without a hand; its reasons stand in the fixed order and once each."""
        given = set(reasons)
        ordered = tuple(reason for reason in REASONS if reason in given) + tuple(sorted(given - set(REASONS)))
        return cls("unsure", None, ordered, tuple(dice), ms)

    def to_json(self, file: str | None = None) -> dict[str, Any]:
        """Return the reading as the command line prints it, with `file` first if it is given."""
        return ({} if file is None else {"file": file}) | {
            "status": self.status,
            "hand": None if self.hand is None else list(self.hand),
            "reasons": list(self.reasons),
            "dice": [die.to_json() for die in self.dice],
            "ms": round(self.ms, 1),
        }
