"""The console's parts on their pins: buttons, knob, lamps, buzzer. The only file that imports gpiozero.

Nothing is decided here. What a hand does is put into a queue as a `Touch`, with its moment; what a touch means is
settled in `device.presses` and `device.console_turns`. In simulation the same gpiozero classes run on mock pins.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gpiozero
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.console_wires import button_wires, header_pods
from device.pins import Pins

PI_5 = "d04170"  # the revision that mock pins pretend to be

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Edge:
    """The line of `button` went `down` or up at `t` seconds. Buttons of pods are called "accept 1", "challenge 1"."""

    button: str
    down: bool
    t: float


@dataclass(frozen=True, slots=True)
class Turned:
    """The knob went `steps` clicks, clockwise if positive."""

    steps: int


Touch = Edge | Turned


def mock_pins() -> Any:
    """Return a pin factory without a Pi: its pins are driven by `drive_low` and `drive_high`."""
    return MockFactory(revision=PI_5, pin_class=MockPWMPin)


class Panel:
    """Everything on the console that is fitted, opened on its pins. Touches go to `put`, from gpiozero's threads."""

    def __init__(self, pins: Pins, put: Callable[[Touch], object], *, factory: Any = None) -> None:
        """Open the pins with `factory` (None: the Pi's own). Raises OSError-like errors of gpiozero when it cannot."""
        self._put, self._factory = put, factory
        self._parts: list[Any] = []
        wires = button_wires(pins)
        self.buttons = tuple(wires)
        for name, gpio in wires.items():
            self._open_button(name, gpio)
        self._status = self._keep(gpiozero.RGBLED(*_colours(pins), pin_factory=factory))
        self._ring = self._open_ring(pins)
        self._buzzer = self._keep(gpiozero.Buzzer(pins.buzzer, pin_factory=factory)) if pins.buzzer else None
        near = header_pods(pins)
        self._lamps = {pod.seat: self._keep(gpiozero.LED(pod.lamp, pin_factory=factory)) for pod in near}
        if pins.encoder is not None:
            self._open_knob(pins.encoder.a, pins.encoder.b)

    def show(self, colour: Colour, ring: float, pods: frozenset[int] = frozenset()) -> None:
        """Light the status lamp (red, green, blue, 0 to 1), the ring (0 to 1) and the lamps of the seats in `pods`."""
        self._status.color = colour
        if self._ring is not None:
            self._ring.value = ring
        for seat, lamp in self._lamps.items():
            lamp.value = seat in pods

    def buzz(self, times: int = 1) -> None:
        """Sound the buzzer, briefly and so many times, without waiting for it."""
        if self._buzzer is not None:
            self._buzzer.beep(on_time=0.06, off_time=0.08, n=times, background=True)

    def close(self) -> None:
        """Let all pins go, lamps dark."""
        while self._parts:
            self._parts.pop().close()

    def _open_button(self, name: str, gpio: int) -> None:
        button = self._keep(gpiozero.Button(gpio, pull_up=True, pin_factory=self._factory))
        button.when_pressed = lambda: self._put(Edge(name, True, time.monotonic()))
        button.when_released = lambda: self._put(Edge(name, False, time.monotonic()))
        if button.is_pressed:  # no edge will tell: a button that is down already
            self._put(Edge(name, True, time.monotonic()))

    def _open_ring(self, pins: Pins) -> Any:
        if pins.ring is None:
            return None
        return self._keep(gpiozero.PWMLED(pins.ring.gpio, frequency=pins.ring.pwm_hz, pin_factory=self._factory))

    def _open_knob(self, a: int, b: int) -> None:
        knob = self._keep(gpiozero.RotaryEncoder(a, b, max_steps=0, pin_factory=self._factory))
        knob.when_rotated_clockwise = lambda: self._put(Turned(1))
        knob.when_rotated_counter_clockwise = lambda: self._put(Turned(-1))

    def _keep(self, part: Any) -> Any:
        self._parts.append(part)
        return part


def open_light(gpio: int, factory: Any = None) -> Any:
    """Return the light under the glass as a plain lamp with `on`, `off` and `close`, for want of the kernel's PWM."""
    return gpiozero.LED(gpio, pin_factory=factory)


def _colours(pins: Pins) -> tuple[int, int, int]:
    return pins.status.red, pins.status.green, pins.status.blue
