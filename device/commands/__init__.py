"""The commands of `undercup`, one module each.

A module offers `HELP` (one line), `arguments(parser)` and `run(args) -> int`, the exit status. It is imported only
when its command is called, so that `undercup replay` needs neither OpenCV nor Flask. What goes wrong for a person is
raised as `Trouble`: one sentence on standard error, exit status 2 unless it says otherwise.
"""

import argparse
from typing import Protocol


class Trouble(Exception):
    """What happened, what it means and what to do, in one sentence for a person."""

    def __init__(self, message: str, status: int = 2) -> None:
        """Carry `message` to standard error and `status` to the shell."""
        super().__init__(message)
        self.status = status


class Command(Protocol):
    """What a module in this folder offers."""

    HELP: str

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's own arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it and return the exit status."""
