"""Fingers at a simulated console: they drive mock pins and a pretended expander, behind which the real classes sit."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from device.console_wires import POD_BUTTONS, button_wires, far_pods, header_pods
from device.pins import Encoder, Pins
from device.simulator_expander import SimulatedExpander


class Pin(Protocol):
    """What is used of a mock pin."""

    @property
    def state(self) -> float:
        """Return its level."""

    def drive_low(self) -> None:
        """Let it be pulled to ground, as a pressed button does."""

    def drive_high(self) -> None:
        """Let go of it."""


class Factory(Protocol):
    """What is used of a mock pin factory, see `device.console.mock_pins`."""

    def pin(self, name: int) -> Pin:
        """Return the pin `name`."""


class SimulatedConsole:
    """Hands and eyes at a console whose pins are mock pins; see `device.simulator.Fingers`."""

    def __init__(
        self,
        pins: Pins,
        factory: Factory,
        display: Callable[[], Sequence[str]] = lambda: (),
        expander: SimulatedExpander | None = None,
    ) -> None:
        """Press what `pins` says is fitted; `display` returns what stands on the small display.

        `expander` must be there if pods hang on one.
        """
        self._pins, self._factory, self._display, self._expander = pins, factory, display, expander
        far = [] if expander is None else far_pods(pins)
        lines = {f"{key} {pod.seat}": str(getattr(pod, key)) for pod in far for key in POD_BUTTONS}
        self._buttons: dict[str, int | str] = {**button_wires(pins), **lines}
        self._down: set[str] = set()

    def act(self, action: str, fields: Mapping[str, Any]) -> str | None:
        """Press, release or turn; return None, or a sentence that says why it cannot be done."""
        if action == "turn":
            return self._turn(fields.get("steps"))
        name = fields.get("button")
        if name not in self._buttons:
            return f"There is no button '{name}'; there are {', '.join(self._buttons)}."
        down = action == "press"
        (self._down.add if down else self._down.discard)(name)
        self._pull(self._buttons[name], down)
        return None

    def _pull(self, wire: int | str, down: bool) -> None:
        """Connect a button's wire to ground, or let go of it."""
        if isinstance(wire, int):
            pin = self._factory.pin(wire)
            (pin.drive_low if down else pin.drive_high)()
        elif self._expander is not None:
            self._expander.press(wire, down)

    def look(self) -> Mapping[str, Any]:
        """Return buttons, lamps and display as plain data."""
        status, ring = self._pins.status, self._pins.ring
        return {
            "buttons": {name: name in self._down for name in self._buttons},
            "status": [
                round(float(self._factory.pin(pin).state), 3) for pin in (status.red, status.green, status.blue)
            ],
            "ring": None if ring is None else round(float(self._factory.pin(ring.gpio).state), 3),
            "buzzer": False if self._pins.buzzer is None else bool(self._factory.pin(self._pins.buzzer).state),
            "pods": self._pods(),
            "display": list(self._display()),
        }

    def _pods(self) -> dict[str, bool]:
        """Return whether the lamp of each pod is lit, by its seat."""
        pods = {str(pod.seat): bool(self._factory.pin(int(pod.lamp)).state) for pod in header_pods(self._pins)}
        if self._expander is not None:
            pods |= {str(pod.seat): self._expander.lit(str(pod.lamp)) for pod in far_pods(self._pins)}
        return pods

    def _turn(self, steps: Any) -> str | None:
        if self._pins.encoder is None:
            return "No knob is fitted to this console."
        if not isinstance(steps, int) or not -100 <= steps <= 100:
            return "Say how many clicks: a whole number from -100 to 100."
        for _ in range(abs(steps)):
            self._click(self._pins.encoder, clockwise=steps > 0)
        return None

    def _click(self, encoder: Encoder, *, clockwise: bool) -> None:
        """Close and open the knob's two contacts, the leading one first."""
        order = (encoder.a, encoder.b) if clockwise else (encoder.b, encoder.a)
        pins = [self._factory.pin(gpio) for gpio in order]
        for pin in pins:
            pin.drive_low()
        for pin in pins:
            pin.drive_high()
