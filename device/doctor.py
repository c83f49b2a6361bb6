"""What is wrong with this table, and what to do: findings of many small looks, as a page or as JSON.

A look takes a `Machine` and yields findings; nothing here opens a door of its own, so that each can be shown a machine
that has the trouble. The looks themselves stand in `device.doctor_software`, `doctor_computer` and `doctor_table`.
"""

import json
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Protocol


class Level(IntEnum):
    """How bad a finding is; the exit status is that of the worst: 0 for ok and info, 1 for warning, 2 for issue."""

    OK = 0
    INFO = 1
    WARNING = 2
    ISSUE = 3


#: Exit status of each level.
STATUS = {Level.OK: 0, Level.INFO: 0, Level.WARNING: 1, Level.ISSUE: 2}
WIDTH = 100  # columns of the page, which also fits a screenshot in a message


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what it is, how it is, and what to do about it.

    >>> Finding("clock", Level.ISSUE, "It is 1970")
    Traceback (most recent call last):
    ...
    ValueError: the finding 'clock' is bad and does not say what to do
    """

    name: str
    level: Level
    says: str
    do: str = ""

    def __post_init__(self) -> None:
        """Refuse a finding that leaves people alone with their trouble."""
        if self.level >= Level.WARNING and not self.do:
            raise ValueError(f"the finding {self.name!r} is bad and does not say what to do")


def ok(name: str, says: str) -> Finding:
    """Return a finding that is as it should be."""
    return Finding(name, Level.OK, says)


def info(name: str, says: str, do: str = "") -> Finding:
    """Return a finding that is worth knowing."""
    return Finding(name, Level.INFO, says, do)


def warning(name: str, says: str, do: str) -> Finding:
    """Return a finding that spoils something sooner or later."""
    return Finding(name, Level.WARNING, says, do)


def issue(name: str, says: str, do: str) -> Finding:
    """Return a finding that is to be mended before people play."""
    return Finding(name, Level.ISSUE, says, do)


class Machine(Protocol):
    """The doors to the machine that looks need; every one answers, and none raises."""

    @property
    def data(self) -> Path:
        """Return the data folder; it need not exist."""

    def read(self, path: str) -> str | None:
        """Return the text of a file without its last line end or zero byte, None if it cannot be read."""

    def names(self, pattern: str) -> list[str]:
        """Return the paths that match a pattern such as /dev/gpiochip*, sorted."""

    def run(self, *words: str) -> str | None:
        """Return what a program prints, None if it is missing, fails or hangs."""

    def version(self, package: str) -> str | None:
        """Return the version of an installed Python package, None if it is not installed."""

    def failure(self, module: str) -> str | None:
        """Return why a Python module does not import, in one line, None if it does."""

    def room(self, folder: Path) -> tuple[int, int] | None:
        """Return the free and all bytes of the disk that holds `folder` or will hold it."""

    def may_write(self, folder: Path) -> bool:
        """Return whether `folder`, or the first of its parents that exists, can be written."""

    def setting(self, name: str) -> str:
        """Return an environment variable, empty if it is not set."""

    def now(self) -> float:
        """Return the time in seconds since 1970."""


Look = Callable[[Machine], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the table with its looks."""

    name: str
    looks: tuple[Look, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What was found, by part in the order of looking."""

    parts: Mapping[str, tuple[Finding, ...]]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return all findings in order."""
        return tuple(finding for findings in self.parts.values() for finding in findings)

    @property
    def worst(self) -> Level:
        """Return the level of the worst finding."""
        return max((finding.level for finding in self.findings), default=Level.OK)

    @property
    def status(self) -> int:
        """Return the exit status."""
        return STATUS[self.worst]


def examine(machine: Machine, parts: Iterable[Part]) -> Report:
    """Look at `parts` and return what was found. A look that breaks is a finding of its own."""
    return Report(
        {part.name: tuple(finding for look in part.looks for finding in _safely(look, machine)) for part in parts}
    )


def _safely(look: Look, machine: Machine) -> Iterator[Finding]:
    try:
        yield from look(machine)
    except Exception as error:
        name = look.__name__.replace("_", " ")
        says = f"This look itself broke: {type(error).__name__}: {error}"
        yield Finding(name, Level.WARNING, says, "Tell us, with this page; the rest of it holds.")


def as_json(report: Report) -> str:
    """Return the report as one JSON object: the worst level, the exit status, and every finding by part."""
    parts = {
        name: [{"name": f.name, "level": f.level.name.lower(), "says": f.says, "do": f.do} for f in findings]
        for name, findings in report.parts.items()
    }
    return json.dumps({"worst": report.worst.name.lower(), "status": report.status, "parts": parts}, indent=2)


def as_page(report: Report) -> str:
    """Return the report as a page for a person, with what to do last, the worst first."""
    lines: list[str] = []
    for name, findings in report.parts.items():
        lines += [name.capitalize(), *(line for finding in findings for line in _rows(finding)), ""]
    return "\n".join([*lines, *_summary(report.findings)])


def _rows(finding: Finding) -> list[str]:
    mark = {Level.OK: "ok", Level.INFO: "info", Level.WARNING: "WARNING", Level.ISSUE: "ISSUE"}[finding.level]
    head = f"  {mark:<8} {finding.name:<14} "
    rows = textwrap.wrap(finding.says, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))
    if finding.do:
        rows += textwrap.wrap(finding.do, WIDTH, initial_indent=" " * 11 + "do: ", subsequent_indent=" " * 15)
    return rows


def _summary(findings: Sequence[Finding]) -> list[str]:
    bad = sorted((finding for finding in findings if finding.level >= Level.WARNING), key=lambda f: -f.level)
    if not bad:
        return ["All is well: nothing to do."]
    issues = sum(finding.level is Level.ISSUE for finding in bad)
    counted = f"{issues} to mend before playing, {len(bad) - issues} to look at: "
    return textwrap.wrap(counted + ", ".join(finding.name for finding in bad) + ".", WIDTH)
