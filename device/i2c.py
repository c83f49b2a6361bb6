"""The I2C bus of the header. The only file that imports smbus2, and only when the bus is opened."""

from collections.abc import Callable
from typing import Protocol

BUS = 1  # the header's


class Bus(Protocol):
    """What is used of smbus2's bus. Every call raises OSError when nobody answers at the address."""

    def read_word_data(self, i2c_addr: int, register: int) -> int:
        """Return the registers `register` (low byte) and the one after it (high byte)."""

    def write_word_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write both."""

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write one register."""

    def close(self) -> None:
        """Let the bus go."""


def open_bus() -> Bus:
    """Return the Pi's I2C bus. Raises OSError where there is none, ImportError without smbus2."""
    import smbus2

    bus: Bus = smbus2.SMBus(BUS)
    return bus


def trouble(address: int, error: Exception) -> str:
    """Return what an error of the bus means for people, and what to do.

    >>> print(trouble(0x20, FileNotFoundError(2, "No such file or directory")))
    The pods on the expander do nothing: there is no I2C bus (put dtparam=i2c_arm=on into config.txt). Phones work.
    """
    if isinstance(error, ImportError):
        why = "smbus2 is not installed (pip install smbus2 in Undercup's venv)"
    elif isinstance(error, FileNotFoundError):
        why = "there is no I2C bus (put dtparam=i2c_arm=on into config.txt)"
    elif isinstance(error, PermissionError):
        why = "the I2C bus is closed to this user (put it into the group i2c)"
    else:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        why = f"nothing answers at {address:#x} ({reason}); check plug, supply and expander.address in pins.toml"
    return f"The pods on the expander do nothing: {why}. Phones work."


def answers(address: int, bus: Callable[[], Bus] = open_bus) -> str | None:
    """Return None if a chip answers at `address`, else what that means and what to do. It changes nothing there."""
    try:
        opened = bus()
        try:
            opened.read_word_data(address, 0)
        finally:
            opened.close()
    except (OSError, ImportError) as error:
        return trouble(address, error)
    return None
