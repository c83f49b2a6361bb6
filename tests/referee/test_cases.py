"""Every record replays as it says; on the way every view is plain data and every step can be taken back."""

import json
from pathlib import Path

import pytest

from referee import Record, begin, fold, play, read_record, replay, view, write_record

RECORDS = Path(__file__).parents[1] / "records"
CASES = Path(__file__).parents[2] / "../shared/cases"
FOUND = sorted([*RECORDS.glob("**/*.liar"), *CASES.glob("*.liar"), *CASES.glob("random/*.liar")])


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_a_record_replays_as_it_says(path: Path) -> None:
    """Every act of the record is allowed or refused as it says, and every expectation holds."""
    failures = [
        failure for step in replay(read_record(path.read_text("utf-8"), path.name)) for failure in step.failures
    ]
    assert failures == []


@pytest.mark.parametrize("path", FOUND[:: max(1, len(FOUND) // 12)], ids=lambda path: path.stem)
def test_every_client_has_a_view_of_every_state(path: Path) -> None:
    """Plain JSON data, and nothing that may be done by somebody who is out."""
    for step in replay(read(path)):
        for seat in (None, *step.state.setup.seats):
            shown = json.loads(json.dumps(view(step.state, seat).as_dict()))
            status = {entry["name"]: entry["status"] for entry in shown["seats"]}
            assert seat is None or not shown["can"] or status[seat] in ("in", "asked")
            assert shown["next"].endswith(".")


@pytest.mark.parametrize("path", FOUND[:: max(1, len(FOUND) // 12)], ids=lambda path: path.stem)
def test_what_was_played_can_be_written_and_taken_back_to_the_beginning(path: Path) -> None:
    """The record of the accepted acts gives the same state; undoing ends where it began."""
    record = read(path)
    state = list(replay(record))[-1].state
    again = read_record(write_record(record.setup, state.acts))
    assert fold(again.setup, again.acts) == state
    while state.before is not None:
        state = play(state, "undo")
    assert state == begin(record.setup)


def read(path: Path) -> Record:
    """Return the record in a file."""
    return read_record(path.read_text("utf-8"), path.name)
