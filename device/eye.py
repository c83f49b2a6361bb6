"""The eye: watches a frame source and says what happened on the tray.

It owns its thread and nothing else. Whatever happens is handed to one callback as a frozen event; the callback must
only put it into a queue.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from vision.reading import Reading

#: What the tray looks like now, in the words of the contract.
TrayState = Literal["no-camera", "covered", "empty", "cup", "moving", "settling", "read", "unsure"]


@dataclass(frozen=True, slots=True)
class TrayStatus:
    """What the tray looks like, sent when it changes. `advice` is a sentence for a person, or None."""

    state: TrayState
    reasons: tuple[str, ...] = ()
    advice: str | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """The tray came to rest. `rolled`: dice that had left the glass since the last time, None when not known.

    `photograph` is a JPEG of the very frame that was read; `expected` is the number of dice the eye looked for.
    """

    reading: Reading
    rolled: int | None
    photograph: bytes
    expected: int


@dataclass(frozen=True, slots=True)
class Lifted:
    """`count` dice are gone from the glass."""

    count: int


@dataclass(frozen=True, slots=True)
class Disturbed:
    """Dice at rest changed face or place though no roll was expected; a `Settled` with `after` follows."""

    before: Reading
    after: Reading
    photograph_before: bytes
    photograph_after: bytes


@dataclass(frozen=True, slots=True)
class CameraLost:
    """There are no frames any more: `why` is a sentence for people. The table goes on by hand."""

    why: str


@dataclass(frozen=True, slots=True)
class CameraBack:
    """Frames come again."""


Event = TrayStatus | Settled | Lifted | Disturbed | CameraLost | CameraBack
Listener = Callable[[Event], None]


class TrayEye(Protocol):
    """What a table may ask of an eye. Every call returns at once and may come from any thread."""

    def start(self) -> None:
        """Begin to watch, in a thread of its own."""

    def stop(self) -> None:
        """Stop watching and let the camera go."""

    def expect_roll(self, count: int | None) -> None:
        """Expect `count` dice to be rolled (None: any number) until the next certain `Settled`."""

    def expect_rest(self) -> None:
        """Expect no roll any more: from now on a change is a disturbance."""

    def expect_dice(self, count: int) -> None:
        """Look for `count` dice on the tray (5, or 1 for a starting roll)."""
