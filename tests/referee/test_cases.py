"""Every record that came with the rules replays, and everything that it expects holds."""

from pathlib import Path

import pytest

from referee import read_record, replay

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
