"""The journal: written before anybody hears, whole after a power cut, put aside when damaged."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from device.journal import ANSWERS_KEPT, Answered, Draft, Evidence, Journal, JournalTrouble, open_journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A place for a journal."""
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    """An empty journal whose clock ticks a second an entry."""
    opened = Journal(path, count(1_000).__next__)
    yield opened
    opened.close()


def lines(journal: Journal) -> list[str]:
    """Return the text of the recent entries."""
    return [entry.line for entry in journal.recent()]


def test_what_was_appended_is_there_for_another_reader_at_once(journal: Journal, path: Path) -> None:
    journal.append([Draft("act", "a rolls 5: TTAQ9", "a")], 1)
    other = sqlite3.connect(path)
    assert other.execute("select line, who from entries").fetchall() == [("a rolls 5: TTAQ9", "a")]
    other.close()


def test_entries_come_back_with_rising_numbers_and_their_time(journal: Journal) -> None:
    first, second = journal.append([Draft("join", "{}"), Draft("act", "a accepts", "a")], 0)
    assert (first.n, second.n) == (1, 2)
    assert (first.at, second.at) == (1_000, 1_001)
    assert journal.recent() == (first, second)
    assert journal.last() == 2


def test_the_journal_is_safe_against_a_power_cut(journal: Journal, path: Path) -> None:
    other = sqlite3.connect(path)
    assert other.execute("pragma journal_mode").fetchone() == ("wal",)
    other.close()
    assert journal._one("pragma synchronous") == (2,)


def test_recent_entries_begin_with_the_last_begun_game(journal: Journal) -> None:
    journal.append([Draft("join", "old")], 0)
    journal.append([Draft("begin", "one"), Draft("act", "x")], 1)
    assert lines(journal) == ["one", "x"]
    journal.append([Draft("begin", "two")], 2)
    assert lines(journal) == ["two"]
    assert [entry.line for entry in journal.game(1)] == ["one", "x"]
    assert [(line.game, line.entries) for line in journal.games()] == [(1, 2), (2, 1)]


def test_evidence_is_stored_with_its_entry(journal: Journal) -> None:
    (entry,) = journal.append([Draft("act", "a rolls 5: AAAAA", "a", Evidence('{"hand": []}', b"jpeg"))], 1)
    assert entry.evidence is not None
    assert journal.evidence(entry.evidence) == Evidence('{"hand": []}', b"jpeg")
    assert journal.evidence(99) is None


def test_old_pictures_go_and_their_readings_stay(journal: Journal) -> None:
    (old,) = journal.append([Draft("act", "x", evidence=Evidence("{}", b"old"))], 1)
    (new,) = journal.append([Draft("act", "y", evidence=Evidence("{}", b"new"))], 2)
    journal.clear_pictures(2)
    assert journal.evidence(old.evidence or 0) == Evidence("{}", None)
    assert journal.evidence(new.evidence or 0) == Evidence("{}", b"new")


def test_an_answer_is_kept_with_the_entries_it_answers(journal: Journal) -> None:
    answer = Answered("guest", "tap-1", True, 7)
    journal.append([Draft("act", "a accepts")], 1, answer)
    assert journal.answer("guest", "tap-1") == answer
    assert journal.answer("somebody else", "tap-1") is None


def test_only_the_last_answers_are_kept(journal: Journal) -> None:
    for n in range(ANSWERS_KEPT + 1):
        journal.append([], 1, Answered("guest", f"tap-{n}", True, n))
    assert journal.answer("guest", "tap-0") is None
    assert journal.answer("guest", "tap-1") == Answered("guest", "tap-1", True, 1)


def test_nothing_is_written_when_a_part_of_it_fails(journal: Journal) -> None:
    bad = Draft("act", "later", evidence=Evidence(None))  # type: ignore[arg-type]
    with pytest.raises(sqlite3.IntegrityError):
        journal.append([Draft("act", "first"), bad], 1)
    assert journal.recent() == ()


def test_a_journal_goes_on_after_it_was_closed(path: Path) -> None:
    first = Journal(path)
    first.append([Draft("begin", "one")], 1)
    first.close()
    again, sentence = open_journal(path)
    assert sentence is None
    assert lines(again) == ["one"]
    again.close()


@pytest.mark.parametrize("damage", ["text", "middle", "no-table"])
def test_a_damaged_journal_is_kept_aside_and_the_table_goes_on(path: Path, damage: str) -> None:
    first = Journal(path)
    for n in range(300):
        first.append([Draft("act", f"line {n} " * 50)], 1)
    first.close()
    spoil(path, damage)
    spoilt = path.read_bytes()
    again, sentence = open_journal(path)
    assert sentence is not None
    assert "damaged" in sentence
    (aside,) = path.parent.glob("journal-damaged-*.db")
    assert aside.name in sentence
    assert aside.read_bytes() == spoilt
    assert again.recent() == ()
    again.append([Draft("act", "fresh")], 1)
    again.close()


def spoil(path: Path, damage: str) -> None:
    """Damage the file at `path` as a dying card would, or a person."""
    if damage == "text":
        path.write_text("this is no database")
    elif damage == "middle":
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(os.urandom(4096 * 20))
    else:
        database = sqlite3.connect(path)
        database.execute("drop table answers")
        database.commit()
        database.execute("pragma wal_checkpoint(truncate)")
        database.close()


def test_a_newer_journal_is_refused_and_left_alone(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("pragma user_version = 99")
    database.close()
    before = path.read_bytes()
    with pytest.raises(JournalTrouble, match="newer Undercup"):
        open_journal(path)
    assert path.read_bytes() == before


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalTrouble, match="cannot be opened"):
        open_journal(tmp_path / "nowhere" / "journal.db")


WRITER = """
import sys
from pathlib import Path
from device.journal import Answered, Draft, Evidence, Journal
journal = Journal(Path(sys.argv[1]))
n = journal.last()
while True:
    n += 1
    draft = Draft("act", str(n), evidence=Evidence("{}", b"x" * 50_000))
    (entry,) = journal.append([draft], 1, Answered("guest", f"tap-{n}", True, n))
    print(entry.n, flush=True)
"""


def test_what_was_told_is_there_after_kill_9_at_any_moment(path: Path) -> None:
    told = 0
    for lives in (3, 40, 17):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        for _ in range(lives):
            told = int(writer.stdout.readline())
        writer.kill()
        writer.wait()
        writer.stdout.close()
        journal, sentence = open_journal(path)
        entries = journal.recent()
        assert sentence is None
        assert [entry.line for entry in entries] == [str(n) for n in range(1, len(entries) + 1)]
        assert len(entries) >= told
        last = entries[-1]
        assert journal.answer("guest", f"tap-{last.n}") is not None
        assert journal.evidence(last.evidence or 0) == Evidence("{}", b"x" * 50_000)
        journal.close()
