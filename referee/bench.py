"""`python -m referee.bench`: how many acts a second the referee plays, and how long it takes to fold a long game."""

import sys
from collections.abc import Iterator
from itertools import cycle, islice
from time import process_time

from referee.act import Act, parse_act
from referee.game import fold
from referee.setup import Setup

SEATS = ("ann", "bob", "cat", "dan", "eve", "fay")
_ROUND = (
    "{0} rolls 5: TTAQ9",
    "{0} says a pair",
    "{1} accepts",
    "{1} rolls 3: KKTTJ",
    "{1} says two pairs",
    "{2} accepts",
    "{2} rolls 1: KKTT9",
    "{2} says better",
    "{3} accepts",
    "{3} rolls 3: KKKAJ",
    "{3} says two pairs, jacks on top",
    "{4} accepts",
    "{4} rolls 0",
    "{4} says three queens",
    "{5} challenges",
    "table voids",
)


def long_game(setup: Setup, length: int) -> list[Act]:
    """Return `length` acts of hands that are bid up, challenged and voided, over and over."""
    told = (line.format(*SEATS) for line in cycle(_ROUND))
    return [parse_act(line, setup) for line in islice(told, length)]


def seconds(setup: Setup, acts: list[Act]) -> float:
    """Return the processor time of folding the acts, the best of five runs."""

    def run() -> float:
        started = process_time()
        fold(setup, acts)
        return process_time() - started

    return min(run() for _ in range(5))


def report(length: int = 8000) -> Iterator[str]:
    """Yield the lines of the report; `length` acts are played for the first."""
    setup = Setup("one-cup", SEATS, start=SEATS[0])
    yield f"play: {length / seconds(setup, long_game(setup, length)):,.0f} acts a second"
    yield f"fold of a 500-act game: {seconds(setup, long_game(setup, 500)) * 1000:.1f} ms"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in report())
