"""Replaying a record: every act played, every expectation checked, every step told as plain data."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from referee.act import Act
from referee.errors import Refused
from referee.game import begin, play
from referee.house import ONE_CUP
from referee.record import Expectation, Line, Record
from referee.state import State


@dataclass(frozen=True, slots=True)
class Step:
    """One act of a record played: the refusal if there was one, the state after it, and what failed about it."""

    line: int
    act: Act | None
    refused: Refused | None
    state: State
    failures: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the object that `undercup replay` prints for this act."""
        announced = () if self.refused else self.state.announced
        said = " ".join(told.text for told in announced) or f"{self.act}."
        return {
            "line": self.line,
            "act": None if self.act is None else str(self.act),
            "ok": self.refused is None,
            "refused": self.refused.code if self.refused else None,
            "message": self.refused.message if self.refused else said,
            "announced": [told.code for told in announced],
            "state": summary(self.state),
        }


def summary(state: State) -> dict[str, Any]:
    """Return what a replay tells of a state, as plain JSON data."""
    record = state.record
    return {
        "phase": state.phase,
        "to_act": state.to_act,
        "starter": state.starter,
        "record": None if record is None else str(record),
        "lives" if state.setup.game == ONE_CUP else "dice": state.lives,
        "dog": state.dog,
        "places": None if state.places is None else [list(group) for group in state.places],
        "winner": state.winner,
    }


def replay(record: Record) -> Iterator[Step]:
    """Yield a step for every act of the record. A refused act changes nothing and fails unless it is expected.

    Expectations before the first act are about the state at the beginning, and make a step without an act.
    """
    state = begin(record.setup)
    act: Line | None = None
    refused: Refused | None = None
    checks: list[Line] = []
    for line in record.lines:
        if isinstance(line.content, Expectation):
            checks.append(line)
            continue
        if act is not None or checks:
            yield _step(record, act, refused, state, checks)
        act, refused, checks = line, None, []
        try:
            state = play(state, line.content)
        except Refused as refusal:
            refused = refusal
    if act is not None or checks:
        yield _step(record, act, refused, state, checks)


def _step(record: Record, act: Line | None, refused: Refused | None, state: State, checks: list[Line]) -> Step:
    """Return the step of one act with the failures of the expectations that follow it."""
    expected = any(_is(line, "refused") for line in checks)
    failures = []
    if act is not None and refused is not None and not expected:
        failures.append(f"{record.name}, line {act.number}: expected to be allowed, found refused {refused.code}")
    for line in checks:
        assert isinstance(line.content, Expectation)
        found = _found(line.content, refused, state)
        if found is not None:
            failures.append(f"{record.name}, line {line.number}: expected {line.content}, found {found}")
    played = act.content if act is not None and isinstance(act.content, Act) else None
    return Step(act.number if act else 0, played, refused, state, tuple(failures))


def _is(line: Line, what: str) -> bool:
    return isinstance(line.content, Expectation) and line.content.what == what


def _found(expectation: Expectation, refused: Refused | None, state: State) -> str | None:
    """Return what was found instead of what is expected, or None if it holds."""
    found = _FOUND[expectation.what](expectation.value, refused, state)
    return None if found == expectation.value else found


def _codes(value: str, refused: Refused | None, state: State) -> str:
    codes = [] if refused else [told.code for told in state.announced]
    return value if value in codes else ", ".join(codes) or "nothing"


def _stakes(value: str, refused: Refused | None, state: State) -> str:
    """Return the stakes of the seats that the expectation names, in its order."""
    seats = [part.partition("=")[0] for part in value.split()]
    return " ".join(f"{seat}={state.lives.get(seat, '?')}" for seat in seats)


def _places(value: str, refused: Refused | None, state: State) -> str:
    """Return the places, a shared one written as the expectation writes it if it names the same seats."""
    written = [part.strip() for part in value.split(",")]
    groups = ["+".join(group) for group in state.places or ()]
    alike = {"+".join(sorted(part.split("+"))): part for part in written}
    return ", ".join(alike.get("+".join(sorted(group.split("+"))), group) for group in groups) or "none"


def _name(value: object) -> str:
    return "none" if value is None else str(value)


_FOUND: dict[str, Callable[[str, Refused | None, State], str]] = {
    "record": lambda value, refused, state: _name(state.record),
    "lives": _stakes,
    "dice": _stakes,
    "starter": lambda value, refused, state: _name(state.starter),
    "to-act": lambda value, refused, state: _name(state.to_act),
    "phase": lambda value, refused, state: state.phase,
    "winner": lambda value, refused, state: _name(state.winner),
    "places": _places,
    "dog": lambda value, refused, state: _name(state.dog),
    "refused": lambda value, refused, state: refused.code if refused else "allowed",
    "announced": _codes,
}
