"""What systemd hears of the table, over a real socket."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.notify import Supervisor


@pytest.fixture
def door(tmp_path: Path) -> Iterator[socket.socket]:
    """Return a bound socket such as systemd listens on."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(5)
        yield listening


def heard(door: socket.socket) -> list[str]:
    """Return the lines of the next message."""
    return door.recv(4096).decode().split("\n")


def test_the_table_says_that_it_is_ready_alive_and_stopping(door: socket.socket) -> None:
    supervisor = Supervisor.of({"NOTIFY_SOCKET": door.getsockname()})
    assert supervisor.ready("Serving on\nport 8000")
    assert heard(door) == ["READY=1", "STATUS=Serving on port 8000"]
    assert supervisor.alive()
    assert heard(door) == ["WATCHDOG=1"]
    assert supervisor.status("No camera: hands are entered")
    assert heard(door) == ["STATUS=No camera: hands are entered"]
    assert supervisor.stopping()
    assert heard(door) == ["STOPPING=1"]


def test_an_abstract_address_begins_with_an_at_sign() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(f"\0undercup-{os.getpid()}")
        listening.settimeout(5)
        assert Supervisor.of({"NOTIFY_SOCKET": f"@undercup-{os.getpid()}"}).alive()
        assert heard(listening) == ["WATCHDOG=1"]


def test_nobody_listening_does_not_stop_the_table(tmp_path: Path) -> None:
    assert not Supervisor.of({"NOTIFY_SOCKET": str(tmp_path / "gone")}).alive()
    assert not Supervisor.of({}).alive()


def test_a_full_mailbox_drops_the_pulse_instead_of_blocking_the_game(door: socket.socket) -> None:
    supervisor = Supervisor.of({"NOTIFY_SOCKET": door.getsockname()})
    delivered = [supervisor.alive() for _ in range(5000)]
    assert delivered[0]
    assert not delivered[-1]


@pytest.mark.parametrize(
    ("environment", "watchdog"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "30000000"}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
    ],
)
def test_the_watchdog_is_the_one_meant_for_this_process(environment: dict[str, str], watchdog: float | None) -> None:
    assert Supervisor.of(environment).watchdog == watchdog


def test_the_pulse_is_half_the_watchdogs_patience() -> None:
    assert Supervisor(None, 30.0).pulse == 15.0
    assert Supervisor(None, None).pulse is None
