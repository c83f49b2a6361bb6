"""A pretended MCP23017 on a pretended I2C bus: its registers behave as the datasheet (DS20001952) says.

Fingers pull its lines to ground, eyes see what it drives; whoever talks to it does so in registers only.
"""

from device.pins import EXPANDER_LINES

REGISTERS = 22  # two ports of eleven
IODIR, IPOL, IOCON, GPPU, GPIO, OLAT = 0, 1, 5, 6, 9, 10  # numbers of a port's registers
BANK = 0x80  # in IOCON: all registers of port A first, then those of port B from 0x10 on
SEQOP = 0x20  # in IOCON: the address does not go on to the next register


class SimulatedExpander:
    """The chip and the bus it hangs on; `device.expander.Bus` is its front, `press`, `lit` and `unplug` its back."""

    def __init__(self, address: int) -> None:
        """Hang the chip on the bus at `address`, as it is after power-on."""
        self._address, self._plugged = address, True
        self._grounded: set[str] = set()
        self._power_on()

    def press(self, line: str, down: bool) -> None:
        """Connect a line such as "A0" to ground, or let go of it."""
        (self._grounded.add if down else self._grounded.discard)(line)

    def lit(self, line: str) -> bool:
        """Tell whether the chip drives a line high."""
        port, bit = _place(line)
        return not self._ports[port][IODIR] & bit and bool(self._ports[port][OLAT] & bit)

    def unplug(self) -> None:
        """Pull the plug: nobody answers any more, and all settings are gone."""
        self._plugged = False

    def plug(self) -> None:
        """Put it back: the chip is as after power-on."""
        self._plugged = True
        self._power_on()

    def read_word_data(self, i2c_addr: int, register: int) -> int:
        """Return two registers, low byte first. Raises OSError if nobody has the address."""
        self._called(i2c_addr)
        return self._get(register) | self._get(self._next(register)) << 8

    def write_word_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write two registers, low byte first. Raises OSError if nobody has the address."""
        self._called(i2c_addr)
        self._set(register, value & 0xFF)
        self._set(self._next(register), value >> 8)

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write one register. Raises OSError if nobody has the address."""
        self._called(i2c_addr)
        self._set(register, value)

    def close(self) -> None:
        """Let the bus go; the chip stays as it is."""

    def _power_on(self) -> None:
        self._iocon = 0
        self._ports = [[0] * (REGISTERS // 2) for _ in "AB"]
        for port in self._ports:
            port[IODIR] = 0xFF

    def _called(self, address: int) -> None:
        if address != self._address or not self._plugged:
            raise OSError(121, "Remote I/O error")

    def _next(self, register: int) -> int:
        """Return where the chip goes on; with banks interleaved and SEQOP set it toggles between the two ports."""
        if self._iocon & SEQOP:
            return register if self._iocon & BANK else register ^ 1
        return register + 1

    def _where(self, register: int) -> tuple[int, int]:
        """Return the port and the number of a register by its address."""
        return (register >> 4 & 1, register & 0xF) if self._iocon & BANK else (register & 1, register >> 1)

    def _get(self, register: int) -> int:
        port, number = self._where(register)
        if number >= REGISTERS // 2:
            return 0
        if number == IOCON:
            return self._iocon
        return self._levels(port) if number == GPIO else self._ports[port][number]

    def _set(self, register: int, value: int) -> None:
        port, number = self._where(register)
        if number == IOCON:
            self._iocon = value
        elif number < REGISTERS // 2:  # a write to GPIO goes to the latches
            self._ports[port][OLAT if number == GPIO else number] = value

    def _levels(self, port: int) -> int:
        """Return what GPIO reads: outputs their latch, inputs their level; one without pull-up floats, here low."""
        registers = self._ports[port]
        pulled = sum(bit for line in self._grounded for of, bit in [_place(line)] if of == port)
        levels = registers[GPPU] & ~pulled ^ registers[IPOL]
        return levels & registers[IODIR] | registers[OLAT] & ~registers[IODIR] & 0xFF


def _place(line: str) -> tuple[int, int]:
    """Return a line's port, 0 or 1, and its bit.

    >>> _place("B2")
    (1, 4)
    """
    return divmod(EXPANDER_LINES.index(line), 8)[0], 1 << EXPANDER_LINES.index(line) % 8
