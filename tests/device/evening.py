"""An evening at the table for tests: people who tap, a tray that tells what lies on it, a plug that can be pulled."""

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.eye import CameraBack, CameraLost, Disturbed, Event, Lifted, Settled, TrayStatus
from device.journal import Journal, open_journal
from device.table import Facts, Table
from vision.reading import DieReading, Reading
from web.table import Answer, Tap

NAMES = {"T": "10"}
PIN = "4711"

#: A black picture of 64 x 32 pixels: what a photograph is to the table.
PHOTOGRAPH = cv2.imencode(".jpg", np.zeros((32, 64, 3), np.uint8))[1].tobytes()


class RecordingEye:
    """An eye that remembers what it was asked to look for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int | None]] = []

    def expect_roll(self, count: int | None) -> None:
        """Remember it."""
        self.asked.append(("roll", count))

    def expect_dice(self, count: int) -> None:
        """Remember it."""
        self.asked.append(("dice", count))


class RecordingPulse:
    """A watchdog that counts the signs of life."""

    pulse: float | None = None

    def __init__(self) -> None:
        self.beats = 0

    def alive(self) -> bool:
        """Count it."""
        self.beats += 1
        return True


def reading(hand: str) -> Reading:
    """Return a certain reading of `hand`, its dice in a row."""
    dice = tuple(
        DieReading(NAMES.get(face, face), 0.99, (8.0 + 12 * n, 16.0), "flat", side_px=8.0)
        for n, face in enumerate(hand)
    )
    return Reading("read", tuple(NAMES.get(face, face) for face in hand), (), dice)


class Evening:
    """A table with people round it. Lines of a test read as what happens there."""

    def __init__(self, folder: Path) -> None:
        """Open the pub; the journal lies in `folder`."""
        self.path = folder / "journal.db"
        self._taps = count()
        self._ticks = count(1_700_000_000)
        self.open()

    def open(self) -> None:
        """Switch the table on."""
        self.eye, self.pulse = RecordingEye(), RecordingPulse()
        self.journal, self.trouble = open_journal(self.path, lambda: float(next(self._ticks)))
        self.table = Table(self.journal, Facts(PIN, lambda: "http://table/"), now=next(self._ticks), pulse=self.pulse)
        self.table.start(self.eye)
        self.tells(TrayStatus("empty"))

    def close(self) -> None:
        """Switch the table off in order."""
        self.table.stop()
        self.journal.close()

    def again(self) -> None:
        """Switch the table off and on again."""
        self.close()
        self.open()

    # --- the tray -----------------------------------------------------------------------------------------------------

    def tells(self, *events: Event) -> None:
        """Let the eye tell `events`, and wait until the table has heard them."""
        for event in events:
            self.table.tell(event)
        self.table.settle()

    def rolls(self, hand: str, rolled: int | None = 5) -> None:
        """Let `rolled` dice leave the glass and `hand` lie there."""
        lifted = [Lifted(rolled)] if rolled else []
        settled = Settled(reading(hand), rolled, PHOTOGRAPH, len(hand))
        self.tells(TrayStatus("moving"), *lifted, settled, TrayStatus("read"))

    def leans(self) -> None:
        """Let five dice have rolled, one of which leans."""
        unsure = Settled(Reading.unsure(["cocked"]), 5, PHOTOGRAPH, 5)
        self.tells(TrayStatus("moving"), Lifted(5), unsure, TrayStatus("unsure", ("cocked",), "Nudge the cup."))

    def nudged(self, hand: str) -> None:
        """Let the cup have been nudged, so that `hand` can be read."""
        self.tells(TrayStatus("moving"), Settled(reading(hand), 0, PHOTOGRAPH, 5), TrayStatus("read"))

    def meddles(self, before: str, after: str) -> None:
        """Let fingers have turned dice that were at rest."""
        disturbed = Disturbed(reading(before), reading(after), PHOTOGRAPH, PHOTOGRAPH)
        self.tells(TrayStatus("moving"), disturbed, Settled(reading(after), 0, PHOTOGRAPH, 5), TrayStatus("read"))

    def unplugs(self) -> None:
        """Pull the camera's cable."""
        self.tells(CameraLost("The camera is gone: check its cable."), TrayStatus("no-camera", ("no-camera",)))

    def plugs(self, hand: str) -> None:
        """Put the cable back, with `hand` on the tray."""
        settled = Settled(reading(hand), None, PHOTOGRAPH, 5)
        self.tells(CameraBack(), TrayStatus("settling"), settled, TrayStatus("read"))

    # --- the people ---------------------------------------------------------------------------------------------------

    def tap(self, guest: str, kind: str, *, host: bool = False, **fields: Any) -> Answer:
        """Tap `kind` on the phone of `guest`, which shows the newest game."""
        version = self.sees(guest)["game_version"]
        return self.table.tap(Tap(guest, f"tap-{next(self._ticks)}", version, kind, fields, host))

    def does(self, seat: str, kind: str, **fields: Any) -> None:
        """Let `seat` tap, and expect that it is done."""
        answer = self.tap(f"phone of {seat}", kind, **fields)
        assert answer.ok, (seat, kind, answer)

    def host(self, kind: str, **fields: Any) -> None:
        """Let the host tap, and expect that it is done."""
        answer = self.tap("host", kind, host=True, **fields)
        assert answer.ok, (kind, answer)

    def refused(self, seat: str, kind: str, **fields: Any) -> str | None:
        """Let `seat` tap, expect a refusal, and return its code."""
        answer = self.tap(f"phone of {seat}", kind, **fields)
        assert not answer.ok
        assert answer.message
        return answer.code

    def sits(self, *seats: str) -> None:
        """Let `seats` join and agree to the rules."""
        for seat in seats:
            self.does(seat, "join", name=seat)
        for seat in seats:
            self.does(seat, "agree")

    def begins(self, *seats: str, start: str, **house: str) -> None:
        """Let `seats` begin a game by the `house` rules, `start` starting."""
        for option, value in house.items():
            self.host("house", option=option.replace("_", "-"), value=value)
        self.sits(*seats)
        self.does(seats[0], "begin", start=start)

    def offers(self, seat: str, hand: str, words: str, dice: int = 5) -> None:
        """Let `seat` roll `dice` so that `hand` lies there, and say `words`."""
        self.does(seat, "roll", count=dice)
        self.rolls(hand, dice)
        self.does(seat, "say", words=words)

    # --- what they see ------------------------------------------------------------------------------------------------

    def sees(self, guest: str | None = None, *, host: bool = False) -> Mapping[str, Any]:
        """Return what a browser sees; None is the screen."""
        return self.table.snapshot(guest, host=host).data

    @property
    def phase(self) -> str:
        """Return the referee's phase."""
        return str(self.sees()["view"]["phase"])

    @property
    def lives(self) -> dict[str, int]:
        """Return the lives by seat."""
        return {seat["name"]: seat["lives"] for seat in self.sees()["view"]["seats"]}

    @property
    def said(self) -> list[str]:
        """Return the ticker's sentences."""
        return [each["text"] for each in self.sees()["ticker"]]

    @property
    def record(self) -> list[str]:
        """Return the acts of the game record as the journal has them."""
        return [entry.line for entry in self.journal.recent() if entry.kind == "act"]


def reopen(path: Path) -> Journal:
    """Open a journal to look into it."""
    return open_journal(path)[0]
