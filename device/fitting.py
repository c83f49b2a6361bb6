"""Fits the console to the table: real pins on a Pi, mock pins behind the same classes in simulation."""

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from device.console import Panel, mock_pins, open_light
from device.console_desk import Console
from device.console_seats import ConsoleSeats
from device.console_wires import far_pods
from device.expander import Expander, WithPods
from device.i2c import Bus, open_bus
from device.light import Light, LitSource, open_lamp
from device.oled import open_oled
from device.pins import Pins, PinsError, load_pins
from device.simulator import Simulator
from device.simulator_console import SimulatedConsole
from device.simulator_expander import SimulatedExpander
from device.sources import FrameSource
from device.table import Table

log = logging.getLogger("undercup.console")

#: The Pi's name as its kernel tells it; other machines have no such file, or another name in it.
MODEL = Path("/proc/device-tree/model")

#: Pins of one's own, in the data folder; without them those that came with the program.
PINS = "pins.toml"


def is_pi(model: Path = MODEL) -> bool:
    """Tell whether this machine is a Raspberry Pi."""
    try:
        return model.read_bytes().startswith(b"Raspberry Pi")
    except OSError:
        return False


def fit_console(table: Table, data: Path, tray: Simulator | None, hours: ExitStack) -> str | None:
    """Fit the console, to mock pins if `tray` is simulated, until `hours` end.

    Returns None, or a sentence that says why there is none; the table goes on with phones.
    """
    own = data / PINS
    shows: list[Callable[[Sequence[str]], None]] = [table.compose]
    console = Console(ConsoleSeats(table), show=lambda display: _show(shows, display.lines()), mute=table.mute)
    try:
        pins = load_pins(own if own.exists() else None)
        if tray is None:
            _with_pods(console, pins, Panel(pins, console.put), open_bus)
            shows += _oled(pins)
        else:
            _pretend(console, pins, tray)
    except PinsError as trouble:
        return f"The console is not used: {trouble}"
    except Exception as error:  # gpiozero's backends raise whatever they like; a table without buttons goes on
        log.exception("the console could not be opened")
        return f"The console cannot be used ({error}): check its wiring; phones work meanwhile."
    console.start()
    hours.callback(console.stop)
    return None


def _pretend(console: Console, pins: Pins, tray: Simulator) -> None:
    """Fit the console to mock pins and a pretended expander, for the fingers at the simulated tray."""
    factory, chip = mock_pins(), SimulatedExpander(pins.expander or 0)
    _with_pods(console, pins, Panel(pins, console.put, factory=factory), lambda: chip)
    tray.fingers = SimulatedConsole(pins, factory, lambda: console.display.lines(), chip)


def _with_pods(console: Console, pins: Pins, panel: Panel, bus: Callable[[], Bus]) -> None:
    """Fit the console to `panel` and to the pods on the expander, if there are any; a chip that is mute is retried."""
    if pins.expander is None or not far_pods(pins):
        console.fit(panel)
        return
    expander = Expander(pins, console.put, bus=bus)
    console.fit(WithPods(panel, expander))
    expander.start()


def _show(shows: Iterable[Callable[[Sequence[str]], None]], lines: Sequence[str]) -> None:
    for show in shows:
        show(lines)


def _oled(pins: Pins) -> list[Callable[[Sequence[str]], None]]:
    """Return how to show lines on the small display, nothing if none is fitted or it does not answer."""
    if pins.oled is None:
        return []
    try:
        return [open_oled(pins.oled).show]
    except Exception:  # luma's backends raise whatever they like; the screen shows the same
        log.exception("the small display could not be opened: install luma.oled, check its address and wiring")
        return []


def fit_light(source: FrameSource, data: Path, *, model: Path = MODEL, factory: Any = None) -> FrameSource:
    """Return `source` with the light under the glass, where this is a Pi and its pins can be opened."""
    if not is_pi(model):
        return source
    own = data / PINS
    try:
        wiring = load_pins(own if own.exists() else None).light
        return LitSource(source, Light(open_lamp(wiring, lambda gpio: open_light(gpio, factory))))
    except Exception:  # a pins file with a mistake, or any of gpiozero's: the pub's own light has to do
        log.exception("the light under the glass could not be opened")
        return source


def is_fitted(word: str) -> bool:
    """Tell whether the configuration's `word` (`auto`, `yes`, `no`) means that there is a console."""
    return word == "yes" or (word == "auto" and is_pi())
