"""`undercup selftest`: roll hands, see how the table reads them, and learn how far it can be trusted."""

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Protocol

from device import config, looking
from device.commands import Trouble
from device.folders import data_folder
from device.looking import Looking
from device.selftest import Tally, Verdict, at_rest
from device.simulated_set import NAME
from device.simulator import Simulator
from device.sources import CameraTrouble
from vision.bench import bound
from vision.reading import ADVICE, Reading

HELP = "roll hands and confirm what the table reads: how often it is wrong, at this table"
HANDS, DICE = 20, 5
ANSWERS: dict[str, Verdict] = {"y": "right", "n": "wrong", "u": "open"}


class Person(Protocol):
    """Who rolls the dice and sees what lies there."""

    def roll(self, number: int) -> None:
        """Roll hand `number`. Raises EOFError if there shall be no more."""

    def judge(self, reading: Reading) -> Verdict:
        """Tell whether `reading` is what lies there. Raises EOFError if there shall be no more."""


class Owner:
    """The person at the terminal."""

    def roll(self, number: int) -> None:
        """Wait until the dice were rolled."""
        input(f"Hand {number}: roll the dice and press Enter (Ctrl-D ends). ")

    def judge(self, reading: Reading) -> Verdict:
        """Ask whether the reading is right."""
        while True:
            word = input("  Does that lie there? [y]es, [n]o, [u]nsure: ").strip().lower()[:1]
            if word in ANSWERS:
                return ANSWERS[word]


class Hands:
    """The hands and eyes of the simulated tray."""

    def __init__(self, tray: Simulator) -> None:
        """Roll the dice of `tray`."""
        self._tray = tray

    def roll(self, number: int) -> None:
        """Gather all dice and roll them."""
        self._tray.act("gather", {})

    def judge(self, reading: Reading) -> Verdict:
        """Compare the reading with what the eyes see from above."""
        seen = sorted(str(die["face"]) for die in self._tray.look(peek=True)["dice"])
        return "right" if sorted(reading.hand or ()) == seen else "wrong"


class Hurry:
    """A clock for the simulated tray that runs as fast as frames are read."""

    def __init__(self) -> None:
        """Start at nought."""
        self._now = 0.0

    def __call__(self) -> float:
        """Return the seconds that were waited for."""
        return self._now

    def wait(self, seconds: float) -> None:
        """Let `seconds` pass at once."""
        self._now += seconds


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the set, how many hands and where."""
    parser.add_argument("--set", metavar="NAME", help="enrolled set of dice (default: the configured one)")
    parser.add_argument("--hands", metavar="N", type=positive, default=HANDS, help=f"how many hands ({HANDS})")
    parser.add_argument("--expect", metavar="N", type=positive, default=DICE, help=f"dice of a hand ({DICE})")
    parser.add_argument("--simulate", action="store_true", help="let the simulated tray roll, and judge")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--data", metavar="DIR", help="data folder")


def positive(text: str) -> int:
    """Return a number of at least 1. Raises ValueError for others."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def run(args: argparse.Namespace) -> int:
    """Let hands be rolled and print the tally; the exit status is 1 if one was read wrongly."""
    data = data_folder(args.data)
    sight, person = simulated(data, args.expect) if args.simulate else (real(data, args.set), Owner())
    reader = sight.readers()
    tell = (lambda _: None) if args.json else print
    try:
        sight.source.open()
        tally = trial(args.hands, person, lambda: at_rest(sight.source, reader, args.expect), tell)
    except CameraTrouble as trouble:
        raise Trouble(str(trouble)) from None
    finally:
        sight.source.close()
    result = asdict(tally) | {"hands": tally.count, "bound": round(bound(tally.wrong, tally.count), 4)}
    print(json.dumps(result) if args.json else tally.words())
    return 1 if tally.wrong else 0


def trial(hands: int, person: Person, read: Callable[[], Reading | None], tell: Callable[[str], object]) -> Tally:
    """Return the tally of `hands` hands that `person` rolls and judges; one who stops early ends it.

    Raises CameraTrouble.
    """
    tally = Tally()
    for number in range(1, hands + 1):
        try:
            person.roll(number)
            reading = read()
            tell(f"  {told(reading)}")
            certain = reading is not None and reading.status == "read"
            tally = tally.add(person.judge(reading) if certain and reading is not None else "unsure")
        except (EOFError, KeyboardInterrupt):
            break
    return tally


def told(reading: Reading | None) -> str:
    """Return a reading in words."""
    if reading is None:
        return "unsure: the dice did not come to rest."
    if reading.hand is not None:
        return " ".join(reading.hand)
    return "unsure: " + " ".join(ADVICE[reason] for reason in reading.reasons)


def simulated(data: Path, dice: int) -> tuple[Looking, Person]:
    """Return the sight of a simulated tray with its hands. Raises Trouble."""
    clock = Hurry()
    tray = Simulator(clock=clock, wait=clock.wait)
    if dice != DICE:
        raise Trouble(f"the simulated tray has {DICE} dice.")
    return looking.simulated(data, tray), Hands(tray)


def real(data: Path, name: str | None) -> Looking:
    """Return the sight of the real tray. Raises Trouble if it has no camera or its dice are not known."""
    if name == NAME:
        raise Trouble("the simulated dice lie on the simulated tray only: add --simulate.")
    given = () if name is None else (config.Given("tray", "set", name, "--set"),)
    try:
        settings = config.load(data, *given).settings
    except config.ConfigTrouble as trouble:
        raise Trouble(str(trouble)) from None
    sight, why = looking.real(data, settings)
    if sight is None:
        raise Trouble(why)
    return sight
