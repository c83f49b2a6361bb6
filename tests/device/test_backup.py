"""Copies of a journal that is in use, and the way back."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from device.__main__ import main
from device.backup import BackupTrouble, bring_back, copy, prune
from device.journal import Draft, Evidence, Journal

NIGHT = datetime(2025, 11, 28, 4, 30)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """Return the open journal of a table with one entry and a photograph."""
    opened = Journal(tmp_path / "journal.db")
    opened.append([Draft("begin", "one-cup ann bob", evidence=Evidence("{}", b"x" * 100_000))], 1)
    yield opened
    opened.close()


def lines(path: Path) -> list[str]:
    """Return the entries of a journal's file."""
    with closing(sqlite3.connect(path)) as database:
        return [row[0] for row in database.execute("select line from entries order by n")]


def test_a_copy_is_made_while_the_table_has_the_journal_open(journal: Journal, tmp_path: Path) -> None:
    made = copy(journal.path, tmp_path / "backups", NIGHT)
    assert made.name == "journal-2025-11-28.db"
    assert lines(made) == ["one-cup ann bob"]
    journal.append([Draft("act", "ann rolls")], 1)
    assert lines(journal.path) == ["one-cup ann bob", "ann rolls"]


def test_a_copy_leaves_the_photographs_out_unless_they_are_wanted(journal: Journal, tmp_path: Path) -> None:
    small = copy(journal.path, tmp_path / "small", NIGHT)
    large = copy(journal.path, tmp_path / "large", NIGHT, pictures=True)
    assert small.stat().st_size < 100_000 < large.stat().st_size


def test_only_the_newest_copies_stay_and_nothing_else_is_touched(tmp_path: Path) -> None:
    for day in range(1, 6):
        (tmp_path / f"journal-2025-11-0{day}.db").touch()
    (tmp_path / "journal-before-20251101-043000.db").touch()
    assert [path.name for path in prune(tmp_path, 3)] == ["journal-2025-11-01.db", "journal-2025-11-02.db"]
    assert len(list(tmp_path.iterdir())) == 4


def test_a_copy_is_not_brought_back_under_a_table_that_plays(journal: Journal, tmp_path: Path) -> None:
    made = copy(journal.path, tmp_path / "backups", NIGHT)
    with pytest.raises(BackupTrouble, match="stop it first"):
        bring_back(made, journal.path, NIGHT)
    assert lines(journal.path) == ["one-cup ann bob"]
    assert not list(tmp_path.glob("*.part"))


def test_a_copy_that_is_brought_back_keeps_what_was_there(journal: Journal, tmp_path: Path) -> None:
    made = copy(journal.path, tmp_path / "backups", NIGHT)
    journal.append([Draft("act", "ann rolls")], 1)
    journal.close()
    aside = bring_back(made, journal.path, NIGHT)
    assert lines(journal.path) == ["one-cup ann bob"]
    assert aside is not None
    assert lines(aside) == ["one-cup ann bob", "ann rolls"]
    with closing(Journal(journal.path)) as again:
        assert [entry.line for entry in again.recent()] == ["one-cup ann bob"]


def test_a_damaged_copy_is_refused_and_the_journal_stays(journal: Journal, tmp_path: Path) -> None:
    journal.close()
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    with pytest.raises(BackupTrouble, match="the journal is as it was"):
        bring_back(broken, journal.path, NIGHT)
    assert lines(journal.path) == ["one-cup ann bob"]
    assert not list(tmp_path.glob("*.part"))


def test_the_command_says_where_the_copy_is(
    journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", "--data", str(tmp_path)]) == 0
    assert f"Copied to {tmp_path}/backups/journal-" in capsys.readouterr().out


def test_a_table_that_was_never_played_at_has_nothing_to_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", "--data", str(tmp_path)]) == 0
    assert "nothing to copy" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_one_sentence_and_a_status(
    journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main(["backup", "--data", str(tmp_path), "--to", str(tmp_path / "file" / "in")]) == 1
    assert "is there room, may it be written?" in capsys.readouterr().err
