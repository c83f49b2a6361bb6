"""The pods on the expander: an MCP23017 on the I2C bus, asked for its lines many times a second.

A chip that does not answer is told once in the log and asked again with back-off; one that lost its settings (a plug
that was pulled, a dip of the supply) gets them anew.
"""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterable

from device.console import Colour, Edge
from device.console_desk import Panel
from device.console_wires import POD_BUTTONS, far_pods
from device.i2c import Bus, open_bus, trouble
from device.pins import EXPANDER_LINES, Pins
from device.sources import Clock

log = logging.getLogger("undercup.console")

POLL_S = 0.02  # nobody presses a button for less than 50 ms; 100 kHz carries the answer in half a millisecond
BACK_OFF_S = 2.0  # between attempts to find a chip that does not answer
JOIN_S = 2.0

#: Registers of an MCP23017 with its banks interleaved (datasheet DS20001952, table 3-3); a word is port A, then B.
IODIR, IPOL, GPINTEN, IOCON, GPPU, GPIO, OLAT = 0x00, 0x02, 0x04, 0x0A, 0x0C, 0x12, 0x14
#: Where IOCON lies if another program has parted the banks; in our layout it is GPINTENB, where 0 means no interrupts.
PARTED_IOCON = 0x05


def bit(line: str) -> int:
    """Return the bit of a line in a word of both ports.

    >>> bit("A0"), bit("B7")
    (1, 32768)
    """
    return 1 << EXPANDER_LINES.index(line)


class Expander:
    """The buttons and lamps of the pods that hang on the chip. `step` does all the work, without thread or waiting."""

    def __init__(
        self,
        pins: Pins,
        put: Callable[[Edge], object],
        *,
        bus: Callable[[], Bus] = open_bus,
        clock: Clock = time.monotonic,
    ) -> None:
        """Serve the far pods of `pins`, whose expander must be fitted; edges go to `put`."""
        assert pins.expander is not None
        self._address, self._open_bus, self._put, self._clock = pins.expander, bus, put, clock
        pods = far_pods(pins)
        self._lines = {f"{key} {pod.seat}": bit(str(getattr(pod, key))) for pod in pods for key in POD_BUTTONS}
        self._lamps = {pod.seat: bit(str(pod.lamp)) for pod in pods}
        self._down: frozenset[str] = frozenset()
        self._lit = 0
        self._bus: Bus | None = None
        self._told = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="expander", daemon=True)

    @property
    def buttons(self) -> tuple[str, ...]:
        """Return the names of the pods' buttons, as "accept 3"."""
        return tuple(self._lines)

    def light(self, pods: Iterable[int]) -> None:
        """Light the lamps of the seats in `pods`, the others not; done at the next step."""
        self._lit = sum(self._lamps[seat] for seat in set(pods) & set(self._lamps))

    def start(self) -> None:
        """Ask the chip in a thread of its own until `close`."""
        self._thread.start()

    def close(self) -> None:
        """End the thread, lamps dark, and let the bus go."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(JOIN_S)
        if self._bus is not None:
            with contextlib.suppress(OSError):
                self._bus.write_word_data(self._address, OLAT, 0)
            self._bus.close()
            self._bus = None

    def step(self) -> bool:
        """Ask the chip once, tell edges, set lamps; return whether it answered."""
        try:
            pressed = self._exchange()
        except (OSError, ImportError) as error:
            self._lose(error)
            return False
        if self._told:
            log.warning("the expander at %#x answers again", self._address)
            self._told = False
        self._tell(frozenset(name for name, line in self._lines.items() if pressed & line))
        return True

    def _exchange(self) -> int:
        """Return the lines that are pulled to ground, after setting what differs."""
        if self._bus is None:
            self._bus = self._open_bus()
        inputs = ~sum(self._lamps.values()) & 0xFFFF
        if self._word(IODIR) != inputs:
            self._set_up(inputs)
        if self._word(OLAT) != self._lit:
            self._bus.write_word_data(self._address, OLAT, self._lit)
        return ~self._word(GPIO) & inputs

    def _set_up(self, inputs: int) -> None:
        """Give the chip its settings: after power-on all lines listen, without pull-ups."""
        assert self._bus is not None
        self._bus.write_byte_data(self._address, PARTED_IOCON, 0)
        self._bus.write_byte_data(self._address, IOCON, 0)
        buttons = sum(self._lines.values())
        for register, value in ((GPINTEN, 0), (IPOL, 0), (GPPU, buttons), (OLAT, self._lit), (IODIR, inputs)):
            self._bus.write_word_data(self._address, register, value)

    def _word(self, register: int) -> int:
        assert self._bus is not None
        return self._bus.read_word_data(self._address, register)

    def _lose(self, error: Exception) -> None:
        """Tell it once; buttons that were down come up, for nobody knows any more."""
        if not self._told:
            log.warning("%s", trouble(self._address, error))
            self._told = True
        self._tell(frozenset())
        if self._bus is not None:
            self._bus.close()
        self._bus = None

    def _tell(self, down: frozenset[str]) -> None:
        for name in sorted(down ^ self._down):
            self._put(Edge(name, name in down, self._clock()))
        self._down = down

    def _run(self) -> None:
        while not self._ended.wait(POLL_S if self.step() else BACK_OFF_S):
            pass


class WithPods:
    """A panel and the pods of an expander as one panel; see `device.console_desk.Panel`."""

    def __init__(self, panel: Panel, expander: Expander) -> None:
        """Join what hangs on the header and what hangs on the chip; closing it closes both."""
        self._panel, self._expander = panel, expander

    @property
    def buttons(self) -> tuple[str, ...]:
        """Return the names of all buttons."""
        return (*self._panel.buttons, *self._expander.buttons)

    def show(self, colour: Colour, ring: float, pods: frozenset[int] = frozenset()) -> None:
        """Light the lamps."""
        self._panel.show(colour, ring, pods)
        self._expander.light(pods)

    def buzz(self, times: int = 1) -> None:
        """Sound the buzzer."""
        self._panel.buzz(times)

    def close(self) -> None:
        """Let pins and bus go, lamps dark."""
        self._expander.close()
        self._panel.close()
