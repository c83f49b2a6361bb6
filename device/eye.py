"""The eye: watches a frame source and says what happened on the tray.

It owns its thread and nothing else. Whatever happens is handed to one callback as a frozen event; the callback must
only put it into a queue. A camera that is lost is told once, and looked for again with back-off until it is back.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeVar

import cv2

from device.rolls import Rolls
from device.sources import CameraTrouble, Frame, FrameSource, Pixels
from vision import health, settle
from vision.reading import ADVICE, Reading

JOIN_S = 0.1
READ_S = 2.0  # without a frame for this long the camera is lost
BACK_OFF_S = (0.5, 1.0, 2.0, 5.0, 10.0)  # between attempts to find it again; the last one for ever
COVERED_SPREAD, COVERED_LEVEL = 4.0, 60.0  # grey levels: the dimmest tray of D1-D4 has a spread of 8.6
JPEG_QUALITY = 90
DICE = 5

_COVERED = "The camera sees nothing: take away what covers it, or switch the tray's light on."
_STUMBLED = "The reader stumbled over a picture ({}): enter hands by hand; the log tells more."
log = logging.getLogger("undercup.eye")
_FLICKERS = "The light flickers and paints bands across the picture: turn up the dimmed lamp, or switch it off."
_PICTURE = ("too-dark", "too-bright", "blurred", "glare", "dirty")  # what is told first: nudging the cup does not help
Answered = TypeVar("Answered")

#: What the tray looks like now, in the words of the contract.
TrayState = Literal["no-camera", "covered", "empty", "moving", "settling", "read", "unsure"]


@dataclass(frozen=True, slots=True)
class TrayStatus:
    """What the tray looks like, sent when it changes. `advice` is a sentence for a person, or None."""

    state: TrayState
    reasons: tuple[str, ...] = ()
    advice: str | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """The tray came to rest. `rolled`: dice rolled since it was last `read` (see `device.rolls`), None if not known.

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
        """Expect `count` dice to be rolled (None: any number) until the next certain `Settled`: no disturbance."""

    def expect_dice(self, count: int) -> None:
        """Look for `count` dice on the tray (5, or 1 for a starting roll)."""


class Eye:
    """Watches `source` with `reader` and tells `listener` what happens; see `TrayEye`.

    `step` does all the work for one frame, without a thread and without a camera.
    """

    def __init__(self, source: FrameSource, reader: settle.Eye, listener: Listener, *, dice: int = DICE) -> None:
        """Make ready to look for `dice` dice."""
        self._source, self._reader, self._listener = source, reader, listener
        self._dice = dice
        self._asked: deque[Callable[[], None]] = deque()
        self._settle = settle.Settle(reader, dice)
        self._rolls = Rolls()
        self._rolling = False
        self._status: TrayStatus | None = None
        self._rested: bytes = b""
        self._before: Pixels | None = None
        self._lost = False
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._at_camera: float | None = None

    def start(self) -> None:
        """Begin to watch, in a thread of its own."""
        self._ended.clear()
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching and let the camera go. A reading is waited for; a driver that hangs is left behind."""
        self._ended.set()
        while self._thread is not None and self._thread.is_alive() and not self._hangs():
            self._thread.join(JOIN_S)
        self._thread = None

    def _hangs(self) -> bool:
        since = self._at_camera
        return since is not None and time.monotonic() - since > READ_S + 1.0

    def expect_roll(self, count: int | None) -> None:
        """Expect dice to be rolled until the next certain `Settled`."""
        self._asked.append(self._declare)

    def expect_dice(self, count: int) -> None:
        """Look for `count` dice from the next frame on."""
        self._asked.append(lambda: self._look_for(count))

    def step(self, frame: Frame) -> list[Event]:
        """Return what this frame tells, in order; events are told to the listener as well."""
        while self._asked:
            self._asked.popleft()()
        events: list[Event] = []
        if self._lost:
            self._lost = False
            events.append(CameraBack())
        events += self._look(frame)
        for event in events:
            self._listener(event)
        return events

    def lose(self, trouble: str) -> None:
        """Tell, once, that there are no frames, and forget what lay there: nobody watches it now."""
        if self._lost:
            return
        self._lost, self._rolls = True, Rolls()
        self._settle = settle.Settle(self._reader, self._dice)
        if self._rolling:
            self._settle.expect_roll()
        self._status = TrayStatus("no-camera", ("no-camera",), trouble)
        self._listener(CameraLost(trouble))
        self._listener(self._status)

    def _declare(self) -> None:
        self._rolling = True
        self._settle.expect_roll()

    def _look_for(self, count: int) -> None:
        self._dice = count
        self._settle.expect(count)

    def _look(self, frame: Frame) -> list[Event]:
        if covered(frame.pixels):
            return self._changed(TrayStatus("covered", ("too-dark",), _COVERED))
        told = self._settle.feed(frame.pixels, frame.t)
        events: list[Event] = []
        for one in told:
            events += self._tell(one, frame)
        if self._status is None or self._status.state in ("covered", "no-camera"):
            events += self._changed(TrayStatus("settling"))
        self._before = frame.pixels
        return events

    def _tell(self, one: settle.Event, frame: Frame) -> list[Event]:
        """Return the table's events for one of the settle logic's."""
        if one.kind == "moving":
            return self._changed(TrayStatus("moving"))
        if one.kind == "lifted":
            return [Lifted(one.count)]
        if one.kind == "disturbed" and one.before is not None and one.after is not None:
            return [Disturbed(one.before, one.after, self._rested, jpeg(frame.pixels))]
        return [] if one.reading is None else self._came_to_rest(one.reading, one.rolled, frame)

    def _came_to_rest(self, reading: Reading, left: int, frame: Frame) -> list[Event]:
        self._rested = jpeg(frame.pixels)
        self._rolls = self._rolls.add(left)
        settled = Settled(reading, self._rolls.rolled(reading), self._rested, self._dice)
        in_hand = self._rolls.in_hand(reading)
        if reading.status == "read":
            self._rolling, self._rolls = False, Rolls(reading)
        elif self._rolls.base is None and reading.reasons == ("no-dice",):
            self._rolls = Rolls(reading)
        if self._rolling:
            self._settle.expect_roll()
        status = status_of(reading, in_hand=in_hand)
        if status.state == "unsure" and self._before is not None and health.banded(self._before, frame.pixels):
            status = replace(status, advice=_FLICKERS)
        return [settled, *self._changed(status)]

    def _changed(self, status: TrayStatus) -> list[Event]:
        """Return the status as an event if it is a new one."""
        if status == self._status:
            return []
        self._status = status
        return [status]

    def _run(self) -> None:
        attempt = 0
        while not self._ended.is_set():
            try:
                self._camera(self._source.open)
                while not self._ended.is_set():
                    self.step(self._camera(lambda: self._source.read(READ_S)))
                    attempt = 0
            except CameraTrouble as trouble:
                self.lose(str(trouble))
            except Exception as error:  # a table without eyes goes on by hand, so nothing may end this thread
                log.exception("the eye stumbled")
                self.lose(_STUMBLED.format(error))
            self._camera(self._source.close)
            self._ended.wait(BACK_OFF_S[min(attempt, len(BACK_OFF_S) - 1)])
            attempt += 1

    def _camera(self, call: Callable[[], Answered]) -> Answered:
        """Return what a call of the camera's returns, and know meanwhile that the thread is in its driver's hands."""
        self._at_camera = time.monotonic()
        try:
            return call()
        finally:
            self._at_camera = None


def covered(pixels: Pixels) -> bool:
    """Tell whether the picture is dark and without any structure.

    >>> import numpy as np
    >>> covered(np.full((108, 192, 3), 20, np.uint8))
    True
    """
    small = cv2.cvtColor(cv2.resize(pixels, settle.THUMB, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return float(small.mean()) < COVERED_LEVEL and float(small.std()) < COVERED_SPREAD


def status_of(reading: Reading, *, in_hand: bool = False) -> TrayStatus:
    """Return what a reading at rest means for people; `in_hand`: all that is missing is in somebody's hand."""
    if reading.status == "read":
        return TrayStatus("read")
    if in_hand and set(reading.reasons) <= {"too-few", "no-dice"}:
        return TrayStatus("moving", reading.reasons)
    state: TrayState = "empty" if "no-dice" in reading.reasons else "unsure"
    causes = [reason for reason in _PICTURE if reason in reading.reasons] or reading.reasons
    return TrayStatus(state, reading.reasons, ADVICE[causes[0]] if causes else None)


def jpeg(pixels: Pixels) -> bytes:
    """Return a frame as a JPEG, good enough to be looked at as evidence.

    >>> import numpy as np
    >>> jpeg(np.zeros((8, 8, 3), np.uint8))[:2].hex()
    'ffd8'
    """
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
