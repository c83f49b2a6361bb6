"""Tells systemd how the table is: started, alive, stopping. Says nothing where systemd did not ask.

The protocol is sd_notify(3): lines in one datagram to the socket named by NOTIFY_SOCKET. A message that cannot be
delivered is dropped, since a table must not stop for want of somebody who listens.
"""

import contextlib
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Supervisor:
    """Who started the table: an address to tell it, or None; `watchdog` is seconds, or None if none is kept.

    >>> Supervisor.of({}).ready("Serving on port 8000")
    False
    """

    address: str | None
    watchdog: float | None

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> "Supervisor":
        """Return the supervisor that `environment` names (NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID)."""
        return cls(environment.get("NOTIFY_SOCKET") or None, _watchdog(environment))

    @property
    def pulse(self) -> float | None:
        """Return how often, in seconds, to call `alive`: half the watchdog's patience, as systemd advises."""
        return None if self.watchdog is None else self.watchdog / 2

    def ready(self, status: str = "") -> bool:
        """Say that people can play now; `status` shows in `systemctl status`. Returns whether it was delivered."""
        return self._tell("READY=1", *([f"STATUS={_line(status)}"] if status else []))

    def alive(self) -> bool:
        """Feed the watchdog. Call it from the table's own loop only: it vouches for that loop."""
        return self._tell("WATCHDOG=1")

    def status(self, text: str) -> bool:
        """Show one line in `systemctl status`."""
        return self._tell(f"STATUS={_line(text)}")

    def stopping(self) -> bool:
        """Say that the table is being put away."""
        return self._tell("STOPPING=1")

    def _tell(self, *lines: str) -> bool:
        if self.address is None:
            return False
        # A leading @ stands for Linux's abstract namespace, whose names begin with a zero byte.
        address = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
            door.sendto("\n".join(lines).encode(), socket.MSG_DONTWAIT, address)
            return True
        return False


def _watchdog(environment: Mapping[str, str]) -> float | None:
    meant_for = environment.get("WATCHDOG_PID", str(os.getpid()))
    micros = environment.get("WATCHDOG_USEC", "")
    if meant_for != str(os.getpid()) or not micros.isdigit() or int(micros) == 0:
        return None
    return int(micros) / 1_000_000


def _line(text: str) -> str:
    return " ".join(text.split())
