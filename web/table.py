"""What the pages need of a table: the contract between `web` and whoever owns the game.

One thread owns the game. Pages put a `Tap` into its inbox and get an `Answer`; they read `Snapshot`s, which are frozen
and already filtered for the one who looks. Nothing in here knows a camera, a button or a file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

#: What a tap can ask for in the lobby: take a seat, leave it, agree to the rules, choose (host), begin.
LOBBY_KINDS = ("join", "stand", "agree", "house", "game", "begin")

#: What a seat can do in a game; the names are those in a view's `can`.
SEAT_KINDS = (
    "roll",
    "say",
    "amend",
    "accept",
    "challenge",
    "point-out",
    "absent",
    "bark",
    "decline",
    "howl",
    "woof",
    "leave",
    "bid",
    "show",
    "waive",
)

#: What only the host can do: enter a hand, put right, take back, end, begin anew, remove a seat, turn the sound.
HOST_KINDS = ("enter", "void", "correct", "undo", "end", "again", "remove", "declare-absent", "sound")


@dataclass(frozen=True, slots=True)
class Tap:
    """One press on a page. `id` is made by the page: the same id twice is done once and answered alike."""

    guest: str
    id: str
    version: int
    kind: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    host: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a tap. `code` is None when it was done, else a stable word; `message` is for the person."""

    ok: bool
    version: int
    code: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table as one audience may see it: `data` is plain JSON data, `version` rises with every change."""

    version: int
    data: Mapping[str, Any]


class Table(Protocol):
    """A table that owns a game."""

    def tap(self, tap: Tap, timeout: float = 5.0) -> Answer:
        """Hand `tap` to the game thread and wait for its answer; code `busy` when none came in `timeout` seconds."""

    def snapshot(self, guest: str | None, *, host: bool = False) -> Snapshot:
        """Return what the browser `guest` may see (None: the screen)."""

    def wait(self, version: int, timeout: float) -> int:
        """Wait until the table's version is above `version` or `timeout` seconds passed; return the version then."""

    def attend(self, guest: str, here: bool) -> None:
        """Tell that the browser `guest` has a live page open (True), or none any more; return at once."""

    def picture(self, name: str) -> bytes | None:
        """Return the JPEG of an exposure that was shown, with the reading drawn on it, or None."""

    def pin_fits(self, pin: str) -> bool:
        """Tell whether `pin` is the host's."""

    def record(self) -> str:
        """Return the record of the game that is over (or, for the host, was abandoned); empty while one is played."""


class Tray(Protocol):
    """A simulated tray: what a person's hands and eyes do at a real one."""

    def act(self, action: str, fields: Mapping[str, Any]) -> str | None:
        """Do what a hand would do; return None, or a sentence that says why it cannot be done."""

    def look(self, *, peek: bool) -> Mapping[str, Any]:
        """Return what a person sees from above, as plain JSON data; `peek` looks under the cup."""

    def picture(self, *, below: bool) -> bytes:
        """Return a JPEG: the tray from above, as a person sees it, or the camera's own last frame from below."""
