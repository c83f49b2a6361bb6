"""Watches each die that was read, at its place, between two readings: does it lie as it lay, was it turned or lifted?

The bottom face of a die that lies on the glass is always in sight, whatever hands do above it. When its picture is gone
the die was lifted, unless a die lies there again when its place is quiet, turned.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from vision.align import unit
from vision.place import Array, Frame, Place, cut
from vision.reading import DieReading, Reading

GONE_NCC = 0.75
"""Correlation with its own picture below which a die is no longer as it lay. In the sequences of D1-D4 dice at rest
keep .94 and more, whatever moves above them, and what is there when they are gone has .16 at most; the faces of one
set are more alike, hence nearer to the former."""
WATCHED = 24
"""Pixels along the patch by which a die is watched."""
RETURN_S = 0.45
"""Seconds within which a die that is to be rolled may be back at its place, nudged and not rolled."""
QUIET_S = 0.19
"""Seconds for which nothing moves at a die's place before it is looked for there: two frames at ten a second. While
fingers turn a die its place is never quiet."""
SAME_PLACE = 0.15
"""Part of a side by which a die at rest may seem to move between two readings."""
SAME_YAW_DEG = 8.0
"""Degrees by which it may seem to turn; a face's yaw is known within quarter turns only."""
NEAR = 0.75
"""Part of a side within which a turned die lies from where it lay."""
QUARTER_DEG = 90.0


@dataclass(frozen=True, slots=True)
class Watch:
    """One die as `reading` told it at rest, as it lies `now` with its face's picture, and what became of it.

    `since` is when it left its picture, `quiet` since when nothing moves at its place.
    """

    die: DieReading
    now: DieReading
    picture: Array
    reading: Reading
    state: Literal["lying", "left", "lifted", "turned"] = "lying"
    since: float = 0.0
    quiet: float = 0.0


def watched(reading: Reading, grey: Frame) -> list[Watch]:
    """Return a watch for every certain die of a reading of the frame whose half is `grey`."""
    return [Watch(die, die, picture(grey, die), reading) for die in reading.dice if die.face is not None]


def follow(watch: Watch, grey: Frame, t: float, *, still: bool, declared: bool) -> Watch:
    """Return the watch after one more frame, taken at `t` seconds; `still` if nothing moves at the die's place.

    A die that was only hidden for a while lies just as it lay, which no die that was rolled does. In a declared roll
    whatever leaves for long enough is rolled; else it must be looked for first (see `searched`).
    """
    if _alike(watch.picture, picture(grey, watch.now)):
        return replace(watch, state="lying" if watch.now == watch.die else "turned")
    if watch.state == "lifted":
        return watch
    if watch.state != "left":
        return replace(watch, state="left", since=t, quiet=t)
    if declared and t - watch.since >= RETURN_S:
        return replace(watch, state="lifted")
    return watch if still else replace(watch, quiet=t)


def missed(watch: Watch, t: float) -> bool:
    """Return whether the die left its picture and its place has been quiet for long enough to look for it there."""
    return watch.state == "left" and t - watch.quiet >= QUIET_S


def searched(watch: Watch, reading: Reading, grey: Frame, t: float) -> Watch:
    """Return a missed die's watch after a reading: turned if a flat die lies there again, lifted if none at all."""
    near = [die for die in reading.dice if apart(watch.die, die) < NEAR]
    certain = [die for die in near if die.face is not None]
    if certain:
        return replace(watch, state="turned", now=certain[0], picture=picture(grey, certain[0]))
    return replace(watch, quiet=t) if near else replace(watch, state="lifted")


def judged(watch: Watch, found: Reading, declared: bool) -> Watch:
    """Return the watch with its state as a rest shows it, in which `found` was read.

    A die of which nothing lies near was lifted if it left its picture, or if all that lies there is certain. If a roll
    is `declared`, so was one that lies near with another face. One that cannot be read there is still waited for.
    """
    if lies_as(watch.die, found.dice, turned=False):
        return replace(watch, state="lying")
    near = [die for die in found.dice if apart(watch.die, die) < NEAR]
    certain = [die for die in near if die.face is not None]
    if watch.state != "lifted" and found.status == "read" and not near:
        return replace(watch, state="lifted")
    if watch.state == "left":
        watch = replace(watch, state="turned" if certain else "left" if near else "lifted")
    if watch.state == "turned" and declared and certain and certain[0].face != watch.die.face:
        return replace(watch, state="lifted")
    return watch


def disturbed(watch: Watch, found: Reading) -> bool:
    """Return whether a judged die that was not lifted lies near its place, but with another face or elsewhere."""
    if watch.state == "lifted" or lies_as(watch.die, found.dice):
        return False
    return any(die.face is not None and apart(watch.die, die) < NEAR for die in found.dice)


def waiting(watch: Watch, found: Reading) -> bool:
    """Return whether a judged die is neither gone nor among the certain ones: it must be watched further."""
    return watch.state != "lifted" and not any(
        die.face is not None and apart(watch.die, die) < NEAR for die in found.dice
    )


def lies_as(die: DieReading, others: Sequence[DieReading], *, turned: bool = True) -> bool:
    """Return whether one of the others has its face and place, and if not `turned` its yaw."""
    lies = _near if turned else lies_still
    return any(other.face == die.face and lies(die, other) for other in others)


def lies_still(die: DieReading, other: DieReading) -> bool:
    """Return whether two readings of a die have it at one place and yaw, whatever its face."""
    return _near(die, other) and _turn(die, other) < SAME_YAW_DEG


def _near(die: DieReading, other: DieReading) -> bool:
    return apart(die, other) < SAME_PLACE


def apart(a: DieReading, b: DieReading) -> float:
    """Return how far apart two dice lie, in sides of the first."""
    return math.dist(a.centre_px, b.centre_px) / max(a.side_px, 1.0)


def _turn(a: DieReading, b: DieReading) -> float:
    return abs((a.yaw_deg - b.yaw_deg + QUARTER_DEG / 2) % QUARTER_DEG - QUARTER_DEG / 2)


def half(frame: Frame) -> Frame:
    """Return the frame at half size in grey, for watching dice."""
    size = (max(1, frame.shape[1] // 2), max(1, frame.shape[0] // 2))
    return np.asarray(cv2.resize(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), size, interpolation=cv2.INTER_AREA), np.uint8)


def picture(grey: Frame, die: DieReading) -> Array:
    """Return the die's face as a small picture from the half-size frame."""
    x, y = ((value + 0.5) / 2 - 0.5 for value in die.centre_px)
    place = Place(x, y, max(die.side_px, 1.0) / 2, math.radians(die.yaw_deg))
    return np.asarray(cut(grey, place, WATCHED), np.float32)


def _alike(before: Array, now: Array) -> bool:
    return float((unit(now.ravel()) * unit(before.ravel())).sum()) > GONE_NCC
