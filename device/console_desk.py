"""The console at work: touches come in from a queue, wishes go to the table, lamps and display follow its snapshots.

Whoever stands at the console speaks for the seat whose turn it is; the buttons of a seat's pod speak for that seat.
"""

import queue
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from device.composer import Composer
from device.console import Colour, Touch, Turned
from device.console_turns import Wish, fresh, grammar, lamps, spoken, wish
from device.presses import Freed, Press, Presses, Stuck
from device.sources import Clock
from web.table import Answer, Snapshot

TICK_S = 0.05  # how often holds, bounces and lamps are looked at
HOLDING = ("away", "mute")
QUICK = ("push",)


class Panel(Protocol):
    """The parts on the pins; see `device.console.Panel`."""

    @property
    def buttons(self) -> tuple[str, ...]:
        """Return the names of the buttons."""

    def show(self, colour: Colour, ring: float, pods: frozenset[int] = ...) -> None:
        """Light the lamps."""

    def buzz(self, times: int = 1) -> None:
        """Sound the buzzer."""

    def close(self) -> None:
        """Let the pins go."""


class TurnTable(Protocol):
    """A table that lets the console speak for a seat."""

    @property
    def version(self) -> int:
        """Return the table's version, cheaply: it is asked for many times a second."""

    def at_turn(self, seat: int | None = None) -> Snapshot:
        """Return what the seat whose turn it is may see and do (its view in `data["view"]`); `seat`: that pod's."""

    def speak(self, wish: Wish, version: int, seat: int | None = None) -> Answer:
        """Do what the console wishes for the seat whose turn it is, or for the pod at `seat` (1: the first seat)."""


@dataclass(frozen=True, slots=True)
class Display:
    """What stands on the small display: the bid so far, what a push would take, and a message."""

    sentence: str = ""
    shown: str = ""
    message: str = ""

    def lines(self) -> list[str]:
        """Return what is not empty."""
        return [line for line in (self.sentence, self.shown, self.message) if line]


class Console:
    """Turns touches into wishes. `take` and `tick` may be called without the thread that `start` makes."""

    def __init__(
        self,
        table: TurnTable,
        *,
        clock: Clock = time.monotonic,
        show: Callable[[Display], object] = lambda display: None,
        mute: Callable[[bool], object] = lambda held: None,
    ) -> None:
        """Speak to `table`; `show` is told the display, `mute` that the mute button was pressed (or held)."""
        self._table, self._clock, self._show, self._mute = table, clock, show, mute
        self._queue: queue.SimpleQueue[Touch | None] = queue.SimpleQueue()
        self._panel: Panel | None = None
        self._presses = Presses(())
        self._composer: Composer | None = None
        self._stuck: dict[str, str] = {}
        self._lit: object = None
        self._seen: tuple[int, bool] | None = None
        self._display = Display()
        self._thread: threading.Thread | None = None

    @property
    def put(self) -> Callable[[Touch], object]:
        """Return where a panel puts its touches: a queue, nothing else."""
        return self._queue.put

    @property
    def display(self) -> Display:
        """Return what stands on the display."""
        return self._display

    @property
    def stuck(self) -> tuple[str, ...]:
        """Return a sentence for each button that is stuck."""
        return tuple(self._stuck.values())

    def fit(self, panel: Panel) -> None:
        """Use the buttons and lamps of `panel`, which puts its touches into `put`."""
        self._panel = panel
        self._presses = Presses(panel.buttons, holding=HOLDING, quick=QUICK)

    def start(self) -> None:
        """Work in a thread of its own until `stop`."""
        self._thread = threading.Thread(target=self._run, name="console", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and let the pins go."""
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join(2.0)
        if self._panel is not None:
            self._panel.close()

    def work(self) -> None:
        """Deal with every touch in the queue, then with what time alone brings."""
        while not self._queue.empty():
            touch = self._queue.get()
            if touch is not None:
                self.take(touch)
        self.tick(self._clock())

    def take(self, touch: Touch) -> None:
        """Deal with one touch."""
        if isinstance(touch, Turned):
            self._turn(touch.steps)
            return
        self._happen(self._presses.edge(touch.button, touch.down, touch.t))

    def tick(self, now: float) -> None:
        """Deal with holds and stuck buttons, and let the lamps follow the table."""
        self._happen(self._presses.tick(now))
        news = (self._table.version, bool(self._stuck))
        if news != self._seen:
            self._seen = news
            self._follow(self._table.at_turn().data)

    def _follow(self, data: Mapping[str, Any]) -> None:
        """Let lamps and composer follow what has changed at the table."""
        if self._composer is not None and self._composer.grammar != grammar(data):
            self._compose(None)
        lit = (lamps(data, stuck=bool(self._stuck)), _pods(data))
        if self._panel is not None and lit != self._lit:
            self._panel.show(lit[0].colour, lit[0].ring, lit[1])
            self._lit = lit

    def _run(self) -> None:
        while True:
            try:
                touch = self._queue.get(timeout=TICK_S)
            except queue.Empty:
                self.tick(self._clock())
                continue
            if touch is None:
                return
            self.take(touch)

    def _happen(self, happened: list[Press | Stuck | Freed]) -> None:
        for one in happened:
            match one:
                case Press():
                    self._press(one)
                case Stuck(button):
                    self._stuck[button] = one.sentence
                    self._say(one.sentence)
                case Freed(button):
                    self._stuck.pop(button, None)
                    self._say("")

    def _press(self, press: Press) -> None:
        if press.button == "mute":
            self._mute(press.held)
            return
        if press.button == "push":
            self._push()
            return
        name, _, pod = press.button.partition(" ")
        seat = int(pod) if pod else None
        snapshot = self._table.at_turn(seat)
        wanted = wish(Press(name, press.held), snapshot.data)
        if wanted is None and name == "accept" and self._composer is not None:
            self._push()  # what the knob points at may be taken with Accept as well
        elif wanted is None:
            self._refuse("That button means nothing now.")
        else:
            self._speak(wanted, snapshot, seat)

    def _turn(self, steps: int) -> None:
        data = self._table.at_turn().data
        if self._composer is None:
            self._compose(fresh(data))  # the first click only shows what can be chosen
        else:
            self._compose(self._composer.turn(steps))

    def _push(self) -> None:
        snapshot = self._table.at_turn()
        if self._composer is None:
            self._compose(fresh(snapshot.data))
            return
        pushed = self._composer.push()
        self._compose(None if pushed.words is not None else pushed)
        if pushed.words is not None:
            self._speak(spoken(pushed, snapshot.data), snapshot, None)

    def _compose(self, composer: Composer | None) -> None:
        self._composer = composer
        if composer is None:
            self._tell(Display(message=self._display.message))
        else:
            self._tell(Display(composer.sentence, composer.shown))

    def _speak(self, wanted: Wish, snapshot: Snapshot, seat: int | None) -> None:
        """Ask the table; the wish names the game it answers, so one that comes too late is refused, not guessed."""
        version = int(snapshot.data.get("game_version", snapshot.version))
        answer = self._table.speak(wanted, version, seat)
        if answer.ok:
            self._tell(Display())
        else:
            self._refuse(answer.message or "That is not possible now.")

    def _refuse(self, message: str) -> None:
        self._say(message)
        if self._panel is not None:
            self._panel.buzz(2)

    def _say(self, message: str) -> None:
        composer = self._composer
        sentence, shown = (composer.sentence, composer.shown) if composer else ("", "")
        self._tell(Display(sentence, shown, message))

    def _tell(self, display: Display) -> None:
        if display != self._display:
            self._display = display
            self._show(display)


def _pods(data: Mapping[str, Any]) -> frozenset[int]:
    """Return the number of the seat whose turn it is, as pods are counted."""
    view = data.get("view") or {}
    names = [seat.get("name") for seat in view.get("seats") or ()]
    return frozenset({names.index(view["to_act"]) + 1}) if view.get("to_act") in names else frozenset()
