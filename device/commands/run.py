"""`undercup run`: open the table and keep it open until somebody stops it."""

import argparse
import logging
import os
import signal
import socket
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

import segno

from device.config import Given
from device.folders import data_folder
from device.opening import Opened, Wanted, open_table

#: Exit status of a table that wants to be started anew: sysexits' EX_TEMPFAIL. Its unit restarts it after any status.
ANEW = 75

HELP = "open the table: pages for phones and the screen, the camera, the journal"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("--simulate", action="store_true", help="play on a simulated tray, which has a page of its own")
    parser.add_argument("--port", type=int, help="port of the pages (8000)")
    parser.add_argument("--host", help="address to listen on (0.0.0.0: every one of this machine)")
    parser.add_argument("--data", metavar="DIR", help="the data folder")
    parser.add_argument("--set", metavar="NAME", help="the enrolled set of dice that lies on the tray")


def run(args: argparse.Namespace) -> int:
    """Open the table, print where it is, and put it away when SIGINT or SIGTERM comes; return 0.

    When only a new process can help the table, put it away as well and end with the status ANEW.
    """
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    bell = Bell()
    with ExitStack() as hours:
        data = Path(data_folder(args.data))
        opened = open_table(Wanted(data, args.simulate, _options(args)), _say, hours, bell.ring)
        _say(banner(opened))
        anew = bell.wait()
        _say("Putting the table away …")
    _say("The table is put away. The game is kept.")
    if anew:
        _end_at_once()
    return 0


class Bell:
    """Wakes the main thread when SIGINT or SIGTERM comes, to whichever thread it comes, or when somebody rings.

    A handler that sets an Event would not do: it runs in the main thread, and may find that thread inside the Event.
    """

    def __init__(self) -> None:
        """Listen for the signals from now on. For the main thread."""
        self._ear, self._cord = socket.socketpair()
        self._cord.setblocking(False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, frame: None)
        signal.set_wakeup_fd(self._cord.fileno(), warn_on_full_buffer=False)

    def ring(self) -> None:
        """Wake the main thread, from any other."""
        self._cord.send(bytes(1))

    def wait(self) -> bool:
        """Return, once there is something to return for, whether somebody rang; False for a signal."""
        return self._ear.recv(1) == bytes(1)


def _end_at_once() -> NoReturn:
    """End the process here and now: a driver that hangs would also hang in Python's own tidying up."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(ANEW)


def _say(text: str) -> None:
    print(text, flush=True)


def _options(args: argparse.Namespace) -> tuple[Given, ...]:
    """Return what the command line says about the configuration."""
    said = (
        ("web", "port", args.port, "--port"),
        ("web", "host", args.host, "--host"),
        ("tray", "set", args.set, "--set"),
    )
    return tuple(Given(*option) for option in said if option[2] is not None)


def banner(opened: Opened) -> str:
    """Return where everything is, with the code that phones scan."""
    url = opened.address.url
    lines = ["", qr(url()), f"  Phones scan this, or open   {url()}", f"  Screen                      {url('screen')}"]
    lines.append(f"  Host, PIN {opened.pin:<17} {url('host')}")
    if opened.simulated:
        lines.append(f"  The simulated tray          {url('tray')}")
    return "\n".join([*lines, "", "  Ctrl-C puts the table away."])


def qr(text: str) -> str:
    """Return a code that a phone can scan from a terminal, two rows of squares a line.

    >>> print(qr("http://pub/").splitlines()[0].strip()[:4])
    ████
    """
    rows = [list(row) for row in segno.make(text, error="l").matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join(
        "  " + "".join(_HALVES[bool(top), bool(low)] for top, low in zip(*pair, strict=True)) for pair in pairs
    )


# Light squares are drawn, dark ones left: terminals are dark, and a phone wants light round its code.
_HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
