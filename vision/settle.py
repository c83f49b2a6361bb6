"""From frames to events: when the dice lie still, what lies there, how many were lifted, and who was touched.

A cheap gate looks at every frame; the costly reading is made only at rest, and two readings of one rest must agree.
Between two rests each die that was read is watched at its place (see `watched.py`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision import health, watched
from vision.pictures import plain
from vision.place import Array, Frame
from vision.reading import DieReading, Reading
from vision.watched import Watch, lies_as

THUMB = (192, 108)
"""Width and height of the picture that the gate compares, in pixels: an eighth, so a die is 14 px wide."""
SPOT = (5, 5)
"""Thumbnail pixels over which a change is averaged, a third of a die: noise and compression come and go in less."""
STILL_LEVEL = 12.0
"""Change of a spot from which something moves, in root levels (16 for black to 256 for white; they make noise and
movement alike in dim and in strong light). Rest in the sequences of D1-D4: 8.2 at most, movement 27 at least."""
WHITE_ROOT = 256.0
"""Root level of white, beyond which nothing is told apart."""
REST_S = 0.09
"""Seconds that lie at least between two readings that agree: at ten frames a second the next frame."""
HELD_S = 1.5
"""Seconds of rest after which it is told although dice are missing that lay there before: until then they are held in
a hand or a cup that will roll them."""
PATIENCE = 4
"""Readings of one rest after which the best of them is told, though they do not agree or are unsure."""
LOOK_AGAIN_S = 2.0
"""Seconds after which a rest that was unsure is read again: light changes and glass is wiped."""
KEPT = 8
"""Readings of one rest that are compared."""
SLACK_S = 1e-6
"""Seconds by which clocks may round."""
RESTLESS_S = 1.0
"""Seconds of movement after which the dice are read all the same, and again as often: people lean over the tray while
the dice lie still. Dice in one place in two readings so far apart have come to rest."""


State = Literal["moving", "resting", "people move"]
"""Whether the rest was told already; in the last case although something still moves, which are not the dice."""


class Eye(Protocol):
    """What reads a frame: `vision.reader.Reader`, or a recorded one."""

    def read(self, frame: Frame, expect: int | None = None) -> Reading:
        """Return what lies there."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened on the tray, at time `t` (seconds of the frames' own clock).

    `count` belongs to lifted (dice gone since the last rest), `reading` and `rolled` to settled (dice that had left
    the glass since the last settled), `before` and `after` to disturbed.
    """

    kind: Literal["lifted", "moving", "settled", "disturbed"]
    t: float
    count: int = 0
    reading: Reading | None = None
    rolled: int = 0
    before: Reading | None = None
    after: Reading | None = None


@dataclass(frozen=True, slots=True)
class _Shot:
    """One frame with its time, its half in grey, and how much changed where since the one before (None: the first)."""

    frame: Frame
    t: float
    grey: Frame
    change: Array | None

    @property
    def still(self) -> bool:
        return self.change is not None and float(self.change.max()) < STILL_LEVEL

    def still_at(self, die: DieReading) -> bool:
        """Return whether nothing moved within a side of the middle of `die`."""
        if self.change is None:
            return False
        across, down = THUMB[0] / self.frame.shape[1], THUMB[1] / self.frame.shape[0]
        x, y, reach = die.centre_px[0] * across, die.centre_px[1] * down, die.side_px
        rows = slice(max(0, round(y - reach * down)), max(1, round(y + reach * down)))
        columns = slice(max(0, round(x - reach * across)), max(1, round(x + reach * across)))
        around = self.change[rows, columns]
        return around.size > 0 and float(around.max()) < STILL_LEVEL


class Settle:
    """Turns frames into events. `expect` is how many dice must lie there at rest, if that is known.

    Else a rest that is unsure is read once more for as many dice as lay there before, at first for `usual` ones.
    """

    def __init__(self, reader: Eye, expect: int | None = None, usual: int = 0) -> None:
        """Start before the first frame, with nothing known to lie there."""
        self._reader = reader
        self._expect = expect
        self._declared = False
        self._thumb: Array | None = None
        self._last: _Shot | None = None
        self._state: State = "moving"
        self._still = True
        self._readings: list[Reading] = []
        self._began, self._next = 0.0, math.inf
        self._told: Reading | None = None
        self._lay, self._most = 0, usual
        self._watches: list[Watch] = []
        self._counted = 0

    def expect(self, count: int | None) -> None:
        """Say how many dice must lie there from now on."""
        self._expect = count

    def expect_roll(self) -> None:
        """Say that a roll is declared: until the next settled no change is a disturbance."""
        self._declared = True

    def feed(self, frame: Frame, t: float) -> list[Event]:
        """Return what this frame, taken at `t` seconds, tells; frames come in order.

        Raises `vision.pictures.BadPicture` for an array that is no picture.
        """
        shot = self._shot(plain(frame), t)
        begun, self._still = shot.still != self._still, shot.still
        events = self._followed(shot)
        events += self._rest(shot, begun) if shot.still else self._motion(shot, begun)
        self._last = shot
        return events

    def _shot(self, frame: Frame, t: float) -> _Shot:
        """Return the frame with what changed in it."""
        grey = watched.half(frame)
        thumb = 16 * np.sqrt(np.asarray(cv2.resize(grey, THUMB, interpolation=cv2.INTER_AREA), np.float32) + 1)
        before, self._thumb = self._thumb, thumb
        return _Shot(frame, t, grey, None if before is None else changed(before, thumb))

    def _followed(self, shot: _Shot) -> list[Event]:
        """Return the dice that were lifted, after looking at each watched one; in the dark none is followed."""
        if health.dark(shot.grey):
            return []
        t, grey = shot.t, shot.grey
        watches = [
            watched.follow(watch, grey, t, still=shot.still_at(watch.die), declared=self._declared)
            for watch in self._watches
        ]
        if any(watched.missed(watch, t) for watch in watches):
            found = self._reader.read(shot.frame, None)
            watches = [watched.searched(w, found, grey, t) if watched.missed(w, t) else w for w in watches]
        self._watches = watches
        return self._lifted(t)

    def _lifted(self, t: float, *, final: bool = False) -> list[Event]:
        """Return how many dice are gone, when no other is about to be or the rest is `final`."""
        gone = sum(watch.state == "lifted" for watch in self._watches)
        self._counted = min(self._counted, gone)
        if gone == self._counted or (not final and any(watch.state == "left" for watch in self._watches)):
            return []
        self._counted = gone
        return [Event("lifted", t, count=gone)]

    def _motion(self, shot: _Shot, begun: bool) -> list[Event]:
        """Return the event that movement begins, once, or what settled although it does not end."""
        if self._state == "people move" and all(watch.state == "lying" for watch in self._watches):
            return []
        if begun or self._state != "moving":
            told = [Event("moving", shot.t)] if self._state != "moving" else []
            self._begin("moving", shot.t, RESTLESS_S)
            return told
        if shot.t < self._next:
            return []
        self._take(shot, RESTLESS_S)
        found = agreed(self._readings[-2:], PATIENCE)
        return [] if found is None or self._awaited(found) else self._settled(found, shot)

    def _rest(self, shot: _Shot, begun: bool) -> list[Event]:
        """Read at rest until two readings agree, and tell what settled once."""
        if self._state == "people move":
            self._state = "resting"
        if begun and self._state == "moving" and self._last is not None:
            self._begin("moving", self._last.t, 0.0)
            self._take(self._last, REST_S)
        if shot.t < self._next:
            return []
        self._take(shot, REST_S)
        return self._found(shot)

    def _found(self, shot: _Shot) -> list[Event]:
        """Return what the readings of this rest tell, if they agree and it is time to tell it."""
        again = self._state == "resting"
        found = agreed(self._readings, 1 if again else PATIENCE)
        if found is None:
            return []
        if again and self._told is not None and found.reasons == self._told.reasons and found.hand is None:
            self._begin("resting", shot.t, LOOK_AGAIN_S)
            return []
        if self._awaited(found) and shot.t - self._began < HELD_S - SLACK_S:
            self._next = self._began + HELD_S - SLACK_S
            return []
        return self._settled(found, shot)

    def _begin(self, state: State, t: float, wait: float) -> None:
        """Begin anew in `state`, with the first reading `wait` seconds after `t`."""
        self._state, self._began, self._readings = state, t, []
        self._next = t + wait - SLACK_S

    def _take(self, shot: _Shot, wait: float) -> None:
        """Read a frame, and the next one not before `wait` seconds are over."""
        reading = self._reader.read(shot.frame, self._expect)
        if self._expect is None and reading.status == "unsure" and self._most:
            complete = self._reader.read(shot.frame, self._most)
            reading = complete if complete.status == "read" else reading
        self._readings = [*self._readings[1 - KEPT :], reading]
        self._next = shot.t + wait - SLACK_S

    def _awaited(self, found: Reading) -> bool:
        """Return whether dice are missing that left the glass and have not come back."""
        gone = any(watch.state in ("left", "lifted") for watch in self._watches)
        return gone and len(found.dice) < self._lay

    def _settled(self, found: Reading, shot: _Shot) -> list[Event]:
        """Return the events of a rest, and begin to watch what lies there now."""
        watches = self._watches = [watched.judged(watch, found, self._declared) for watch in self._watches]
        lifted = self._lifted(shot.t, final=True)
        touched = [] if self._declared else [watch for watch in watches if watched.disturbed(watch, found)]
        events = [Event("disturbed", shot.t, before=touched[0].reading, after=found)] if touched else []
        rolled = sum(watch.state == "lifted" for watch in watches)
        waiting = [watch for watch in watches if watched.waiting(watch, found)]
        self._watches = [*watched.watched(found, shot.grey), *waiting]
        self._begin("resting" if shot.still else "people move", shot.t, LOOK_AGAIN_S)
        if found.hand is not None:
            self._most, self._next = max(self._most, len(found.hand)), math.inf
        certain = sum(die.face is not None for die in found.dice)
        self._lay = max(certain, min(self._lay, len(found.dice)))
        self._told, self._declared, self._counted = found, False, 0
        return [*lifted, *events, Event("settled", shot.t, reading=found, rolled=rolled)]


def changed(before: Array, now: Array) -> Array:
    """Return by how much each spot changed between two pictures in root levels, beyond a change of the light.

    The light changes everywhere alike, or row by row: lamps that flicker with the mains paint bands that wander.
    """
    ratio = now / before
    return np.minimum(_beyond(before, now, np.median(ratio)), _beyond(before, now, np.median(ratio, 1, keepdims=True)))


def _beyond(before: Array, now: Array, light: npt.NDArray[np.floating]) -> Array:
    lit = np.minimum(before * np.asarray(light, np.float32), WHITE_ROOT)
    change = np.where(np.minimum(before, now) >= WHITE_ROOT - STILL_LEVEL, np.float32(0), now - lit)
    return np.abs(np.asarray(cv2.blur(change, SPOT), np.float32))


def agreed(readings: Sequence[Reading], patience: int = PATIENCE) -> Reading | None:
    """Return the last reading if an earlier one of the same rest says the same hand; None means: look again.

    After `patience` readings the last unsure one is returned, so that somebody hears what to do; if all were certain
    of different hands, the dice are said to move.
    """
    last = readings[-1]
    if last.status == "read" and any(_agree(last, other) for other in readings[:-1]):
        return last
    if len(readings) < patience:
        return None
    if all(reading.status == "read" for reading in readings):
        return Reading.unsure(["moving"], last.dice) if patience > 1 else None
    return next(reading for reading in reversed(readings) if reading.status == "unsure")


def _agree(a: Reading, b: Reading) -> bool:
    return a.hand == b.hand and all(lies_as(die, b.dice) for die in a.dice if die.face is not None)
