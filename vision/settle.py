"""From frames to events: when the dice lie still, what lies there, how many were lifted, and who was touched.

A cheap gate looks at every frame; the costly reading is made only at rest, and two readings of one rest must agree.
The bottom face of a die that lies on the glass is always in sight, whatever hands do above it. So each die that was
read is watched at its place: when its face is gone it was lifted, unless a die lies there again at once, turned.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import cv2
import numpy as np

from vision.align import unit
from vision.place import Array, Frame, Place, cut
from vision.reading import DieReading, Reading

THUMB = (192, 108)
"""Width and height of the picture that the gate compares, in pixels: an eighth, so a die is 14 px wide."""
SPOT = (5, 5)
"""Thumbnail pixels over which a change is averaged, a third of a die: noise and compression come and go in less."""
STILL_LEVEL = 12.0
"""Grey levels (of 255) by which a spot may change between two frames at rest. See `docs` of the sequences: X."""
GONE_NCC = 0.75
"""Correlation with its own picture below which a die is no longer as it lay."""
WATCHED = 24
"""Pixels along the patch by which a die is watched."""
RETURN_S = 0.45
"""Seconds within which a die that left its picture and lies at its place again was turned there and not rolled."""
SAME_PLACE = 0.15
"""Part of a side by which a die at rest may seem to move between two readings."""
NEAR = 0.75
"""Part of a side within which a turned die lies from where it lay."""
PATIENCE = 4
"""Readings of one rest after which the best of them is told, though they do not agree or are unsure."""
LOOK_AGAIN_S = 2.0
"""Seconds after which a rest that was unsure is read again: light changes and glass is wiped."""


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
class Watch:
    """One die that was read at rest, as it lies now with its face's picture, and what became of it."""

    die: DieReading
    now: DieReading
    picture: Array
    state: Literal["lying", "left", "lifted", "turned"] = "lying"
    since: float = 0.0


class Settle:
    """Turns frames into events. `expect` is how many dice must lie there at rest, if that is known."""

    def __init__(self, reader: Eye, expect: int | None = None) -> None:
        """Start before the first frame, with nothing known to lie there."""
        self._reader = reader
        self._expect = expect
        self._declared = False
        self._thumb: Array | None = None
        self._last: Frame | None = None
        self._resting = False
        self._readings: list[Reading] = []
        self._told: Reading | None = None
        self._told_at = 0.0
        self._watches: list[Watch] = []
        self._counted = 0

    def expect(self, count: int | None) -> None:
        """Say how many dice must lie there from now on."""
        self._expect = count

    def expect_roll(self) -> None:
        """Say that a roll is declared: until the next settled no change is a disturbance."""
        self._declared = True

    def feed(self, frame: Frame, t: float) -> list[Event]:
        """Return what this frame, taken at `t` seconds, tells; frames come in order."""
        still = self._still(frame)
        grey = _grey(frame)
        events = self._followed(grey, frame, t)
        if still:
            events += self._rest(frame, grey, t)
        else:
            events += self._motion(t)
        self._last = frame
        return events

    def _still(self, frame: Frame) -> bool:
        """Return whether nothing moved since the last frame."""
        small = cv2.resize(frame, THUMB, interpolation=cv2.INTER_AREA)
        thumb = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
        before, self._thumb = self._thumb, thumb
        if before is None:
            return False
        change = np.asarray(cv2.blur(thumb - before, SPOT), np.float32)
        return float(np.abs(change - np.median(change)).max()) < STILL_LEVEL

    def _motion(self, t: float) -> list[Event]:
        """Return the event that motion begins, once."""
        self._readings = []
        if not self._resting:
            return []
        self._resting = False
        return [Event("moving", t)]

    def _rest(self, frame: Frame, grey: Array, t: float) -> list[Event]:
        """Read at rest until two readings agree, and tell what settled once."""
        if self._resting and not self._worth_another_look(t):
            return []
        if not self._readings and not self._resting and self._last is not None:
            self._readings.append(self._reader.read(self._last, self._expect))
        self._readings.append(self._reader.read(frame, self._expect))
        found = agreed(self._readings)
        if found is None or self._resting:
            return []
        return self._settled(found, grey, t)

    def _worth_another_look(self, t: float) -> bool:
        """Return whether a rest that was told as unsure may be read again, to be told anew if it has become certain."""
        if self._told is None or self._told.status == "read" or t - self._told_at < LOOK_AGAIN_S:
            return False
        self._resting, self._readings, self._told_at = False, [], t
        return True

    def _settled(self, found: Reading, grey: Array, t: float) -> list[Event]:
        lifted = self._lifted(t, final=True)
        disturbed = [] if self._declared or self._told is None else self._disturbances(found, t)
        rolled = sum(watch.state == "lifted" for watch in self._watches)
        self._watches = [Watch(die, die, _picture(grey, die)) for die in found.dice if die.face is not None]
        self._resting, self._declared, self._counted = True, False, 0
        self._told, self._told_at, self._readings = found, t, []
        return [*lifted, *disturbed, Event("settled", t, reading=found, rolled=rolled)]

    def _disturbances(self, found: Reading, t: float) -> list[Event]:
        """Return the event that a die which was not lifted lies otherwise than before, if one does."""
        kept = [watch for watch in self._watches if watch.state != "lifted"]
        if all(_same_somewhere(watch.die, found.dice) for watch in kept):
            return []
        return [Event("disturbed", t, before=self._told, after=found)]

    def _followed(self, grey: Array, frame: Frame, t: float) -> list[Event]:
        """Return the dice that were lifted, after looking at each watched one."""
        followed = [self._follow(watch, grey, t) for watch in self._watches]
        if any(watch.state == "left" and watch.since < t for watch in followed):
            reading = self._reader.read(frame, None)
            followed = [_back(watch, reading, grey) for watch in followed]
        self._watches = followed
        return self._lifted(t)

    def _follow(self, watch: Watch, grey: Array, t: float) -> Watch:
        if watch.state == "lifted":
            return watch
        alike = float((unit(_picture(grey, watch.now).ravel()) * unit(watch.picture.ravel())).sum())
        if alike > GONE_NCC:
            return replace(watch, state="lying" if watch.now == watch.die else "turned")
        if watch.state != "left":
            return replace(watch, state="left", since=t)
        return replace(watch, state="lifted") if t - watch.since >= RETURN_S else watch

    def _lifted(self, t: float, final: bool = False) -> list[Event]:
        """Return how many dice are gone, when no other is about to be."""
        if final:
            self._watches = [replace(w, state="lifted") if w.state == "left" else w for w in self._watches]
        gone = sum(watch.state == "lifted" for watch in self._watches)
        pending = any(watch.state == "left" for watch in self._watches)
        if gone <= self._counted or pending:
            return []
        self._counted = gone
        return [Event("lifted", t, count=gone)]


def agreed(readings: Sequence[Reading]) -> Reading | None:
    """Return the last reading if an earlier one of the same rest says the same hand; None means: look again.

    After PATIENCE readings the last unsure one is returned, so that somebody hears what to do.
    """
    last = readings[-1]
    if last.status == "read" and any(_agree(last, other) for other in readings[:-1]):
        return last
    if len(readings) < PATIENCE:
        return None
    return next((reading for reading in reversed(readings) if reading.status == "unsure"), None)


def _agree(a: Reading, b: Reading) -> bool:
    return a.hand == b.hand and all(_same_somewhere(die, b.dice) for die in a.dice if die.face is not None)


def _apart(a: DieReading, b: DieReading) -> float:
    """Return how far apart two dice lie, in sides."""
    return math.dist(a.centre_px, b.centre_px) / max(a.side_px, 1.0)


def _same_somewhere(die: DieReading, others: Sequence[DieReading]) -> bool:
    return any(other.face == die.face and _apart(die, other) < SAME_PLACE for other in others)


def _back(watch: Watch, reading: Reading, grey: Array) -> Watch:
    """Return the watch as turned if a flat die lies again where the watched one left its picture."""
    there = [die for die in reading.dice if die.face is not None and _apart(watch.die, die) < NEAR]
    if watch.state != "left" or not there:
        return watch
    return replace(watch, state="turned", now=there[0], picture=_picture(grey, there[0]))


def _grey(frame: Frame) -> Array:
    """Return the frame at half size in grey, for watching dice."""
    half = cv2.resize(frame, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY), np.float32)


def _picture(grey: Array, die: DieReading) -> Array:
    """Return the die's face as a small picture from the half-size frame."""
    x, y = ((value + 0.5) / 2 - 0.5 for value in die.centre_px)
    return cut(grey, Place(x, y, die.side_px / 2, math.radians(die.yaw_deg)), WATCHED)
