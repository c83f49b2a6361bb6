"""The simulated tray: a world of dice and a cup, seen by a simulated camera and moved by simulated hands.

It has poker dice and pip dice, and lays those on the tray that the game is played with.
It is a camera, not a shortcut: it implements `device.sources.FrameSource`, and only the frames it draws can tell the
table a face. What a person's hands and eyes do at a real tray comes through `act`, `look` and `picture`.

Actions and their fields (poker dice are numbered 0 to 4, pip dice 0 to 5):

==============  ==========================  ==========================================================
action          fields                      what the hand does
==============  ==========================  ==========================================================
`cup_down`                                  puts the cup over the dice
`cup_up`                                    lifts the cup: what lies there is seen from above
`shake`                                     shakes the cup: every die under it is rolled
`roll`          `dice`: [numbers]           takes these dice out and rolls them, under the cup if it is down
`keep`          `dice`: [numbers]           puts these dice outside the cup, faces unchanged
`nudge`                                     knocks the cup or the tray: leaning dice fall flat
`lean`          `die`: number               leans a die against another or the cup (cocked)
`flip`          `die`: number               a finger turns a die to another face: a cheat
`spill`                                     all dice leave the tray
`gather`                                    all dice come back and are rolled
`only`          `count`: n                  leaves `count` dice on the tray, freshly rolled (1: starting roll)
`cover`         `on`: true or false         a beer mat over the lens
`unplug`                                    pulls the camera's cable
`plug`                                      puts it back
`press`         `button`: name              pushes a button of the console down
`release`       `button`: name              lets it go
`turn`          `steps`: n                  turns the console's knob, clockwise if positive
==============  ==========================  ==========================================================

`look` returns::

    {"dice": [{"id": 0, "x": 0.4, "y": 0.5, "angle": 30.0, "face": "K" | None, "where": "cup" | "open" | "away",
               "moving": false, "leaning": false}, ...],
     "cup": {"down": true, "hides": true, "x": 0.35, "y": 0.5, "r": 0.22},
     "edge": 0.08, "aspect": 1.8, "covered": false, "plugged": true, "moving": false,
     "console": {"buttons": {"accept": false, ...}, "status": [r, g, b], "ring": 0.3, "buzzer": false,
                 "display": ["a pair", "of J"]} | None}

x and y are 0..1 from the left and from the far side of the tray, as a person sees it from above; `edge` (a die's side)
and `r` (the cup's radius) are parts of its width, `aspect` is width over depth, angles are clockwise degrees. `face`
is the top face, and only of dice that rest and can be seen: in the open, or under the cup with `peek`. Dice that the
cup hides have no place either.
"""

import random
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from device.simulator_hands import Hands
from device.simulator_memory import recall, remember
from device.simulator_view import above, look, scene_below
from device.simulator_world import Chance, Seen
from device.sources import Clock, Frame, Pace, Pixels, SourceLost, SourceTimeout, Wait
from vision.synth import Camera, DieSet, background, classic, render, western

FPS = 8.0  # of the simulated camera: a PC with two cores has other things to do
REST_FRAMES = 4  # pictures of a tray at rest that differ in their noise; they are shown in turn
JPEG_QUALITY = 80
LONGEST_STEP_S = 0.3  # the world stands still rather than run ahead of an eye on a busy computer
NOBODY_LOOKS_S = 2.0  # after so long without a read it goes on by itself

#: Action -> names of its fields.
ACTIONS: dict[str, tuple[str, ...]] = {
    "cup_down": (),
    "cup_up": (),
    "shake": (),
    "roll": ("dice",),
    "keep": ("dice",),
    "nudge": (),
    "lean": ("die",),
    "flip": ("die",),
    "spill": (),
    "gather": (),
    "only": ("count",),
    "cover": ("on",),
    "unplug": (),
    "plug": (),
    "press": ("button",),
    "release": ("button",),
    "turn": ("steps",),
}

_CONSOLE = ("press", "release", "turn")

#: Five belong to one cup; as many as a player may hold where everybody has a cup.
POKER_DICE, PIP_DICE = 5, 6

#: Dice, height of the cup, a mat on the lens, and whether they are pip dice.
State = tuple[tuple[Seen, ...], float, bool, bool]


class Fingers(Protocol):
    """What hands can do at a console, and what eyes see there."""

    def act(self, action: str, fields: Mapping[str, Any]) -> str | None:
        """Press, release or turn; return None or why it cannot be done."""

    def look(self) -> Mapping[str, Any]:
        """Return lamps, buttons and display as plain data."""


class Simulator:
    """A tray with dice, a cup, a camera under it and hands above it. Safe to use from several threads."""

    def __init__(
        self,
        chance: Chance | None = None,
        *,
        die_set: DieSet | None = None,
        camera: Camera | None = None,
        fingers: Fingers | None = None,
        memory: Path | None = None,
        clock: Clock = time.monotonic,
        wait: Wait = time.sleep,
    ) -> None:
        """Lay five rolled dice of `die_set` (default: the classic one) on the tray; `chance` says how dice fall.

        In the file `memory` they are kept over a restart, as on a real tray.
        """
        self._sets = (die_set or classic(), western())
        self.camera = camera or Camera()
        chance = chance or Chance(self._sets[0].symbols, self._sets[0].body.edge_mm)
        pip_dice = replace(chance, faces=self._sets[1].symbols, edge=self._sets[1].body.edge_mm)
        self._chances = (chance, pip_dice)
        self.fingers = fingers
        self._hands, self._memory = Hands(chance, POKER_DICE), memory
        self._pips = memory is not None and recall(memory, self._hands, pip_dice)
        self._keep()
        self._clock, self._pace = clock, Pace(FPS, clock, wait)
        self._lock, self._drawing = threading.Lock(), threading.Lock()
        self._covered, self._plugged = False, True
        self._drawn: tuple[State, list[Pixels]] | None = None
        self._behind: Pixels | None = None
        self._noise = np.random.default_rng(random.SystemRandom().getrandbits(32))
        self._last: Pixels | None = None
        self._served = 0
        self._behind_s = 0.0  # of the world's time behind the clock
        self._read_at: tuple[float, float] | None = None  # by the clock, and by the world's time

    @property
    def name(self) -> str:
        """Return "simulated camera"."""
        return "simulated camera"

    @property
    def die_set(self) -> DieSet:
        """Return the dice that lie there now."""
        return self._sets[self._pips]

    def use_pips(self, on: bool) -> None:
        """Lay pip dice where the others lie, or the other way round: whoever sets the table does so between games."""
        with self._lock:
            if on != self._pips:
                self._pips = on
                self._hands.exchange(self._chances[on], PIP_DICE if on else POKER_DICE)
                self._keep()

    def _keep(self) -> None:
        if self._memory is not None:
            remember(self._memory, self._hands, pips=self._pips)

    def open(self) -> None:
        """Begin to serve frames. Raises SourceLost while the camera is unplugged."""
        self._check_plug()

    def close(self) -> None:
        """Do nothing: a simulated camera holds nothing."""

    def read(self, timeout: float) -> Frame:
        """Return the next frame, when it is due. Raises SourceLost when unplugged, SourceTimeout."""
        self._check_plug()
        tick = self._pace.tick(timeout)
        if tick is None:
            raise SourceTimeout("The simulated camera's next frame is not due yet; wait longer.")
        self._check_plug()
        with self._lock:
            t, now = self._time(), self._clock()
            self._behind_s, self._read_at = now - t, (now, t)
        return self.frame(t)

    def frame(self, t: float) -> Frame:
        """Return the frame that the camera takes at moment `t`."""
        with self._lock:
            state: State = (self._hands.at(t), self._hands.cup.height(t), self._covered, self._pips)
        with self._drawing:
            pixels = self._last = self._draw(state)
        return Frame(pixels, t, {"simulated": True, "ExposureTime": 8000, "AnalogueGain": 1.0})

    def act(self, action: str, fields: Mapping[str, Any]) -> str | None:
        """Do what a hand would do; return None, or a sentence that says why it cannot be done."""
        if action not in ACTIONS:
            return f"There is no action '{action}'; known are {', '.join(ACTIONS)}."
        if action in _CONSOLE:
            return self.fingers.act(action, fields) if self.fingers else "No console is fitted to this table."
        with self._lock:
            if action == "cover":
                self._covered = bool(fields.get("on", not self._covered))
                return None
            if action in ("plug", "unplug"):
                self._plugged = action == "plug"
                return None
            why_not = self._hands.do(action, fields, self._time())
            if why_not is None:
                self._keep()
            return why_not

    def look(self, *, peek: bool) -> Mapping[str, Any]:
        """Return what a person sees from above, as plain data."""
        with self._lock:
            now = self._time()
            dice, cup = self._hands.at(now), self._hands.cup.height(now)
            moving = now < self._hands.free_at()
            flags = {"covered": self._covered, "plugged": self._plugged, "moving": moving}
            count, edge = len(self._hands.dice), self._hands.chance.edge
        seen = look(dice, count, cup, edge, peek=peek)
        return seen | flags | {"console": self.fingers.look() if self.fingers else None}

    def picture(self, *, below: bool, peek: bool = False) -> bytes:
        """Return a JPEG: the tray from above (`peek`: through the cup), or the camera's own last frame."""
        with self._lock:
            now = self._time()
            dice, cup, die_set = self._hands.at(now), self._hands.cup.height(now), self.die_set
        if below:
            pixels = self._last if self._last is not None else self.frame(now).pixels
        else:
            pixels = above(dice, cup, die_set, peek=peek)
        return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()

    def _time(self) -> float:
        """Return the world's time: the clock's, but never far ahead of the last frame that somebody read."""
        now = self._clock()
        if self._read_at is None or now - self._read_at[0] > NOBODY_LOOKS_S:
            return now - self._behind_s
        return min(now - self._behind_s, self._read_at[1] + LONGEST_STEP_S)

    def _check_plug(self) -> None:
        if not self._plugged:
            raise SourceLost("The camera's cable is pulled, so the tray cannot be read: plug it back in.")

    def _draw(self, state: State) -> Pixels:
        """Render the state, or take one of the pictures that were made of it while nothing moved."""
        if self._drawn is None or self._drawn[0] != state:
            self._drawn = (state, [])
        pictures = self._drawn[1]
        if len(pictures) < REST_FRAMES:
            pictures.append(self._render(state))
            return pictures[-1]
        self._served += 1
        return pictures[self._served % REST_FRAMES]

    def _render(self, state: State) -> Pixels:
        scene = scene_below(state[0], state[1], covered=state[2])
        if self._behind is None:
            self._behind = background(scene, self.camera)
        return render(scene, self.camera, self._sets[state[3]], self._noise, self._behind)
