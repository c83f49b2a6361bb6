"""The journal: what happened at the table, written down before anybody hears of it.

One SQLite file (WAL, full synchronous). Entries are appended and never changed; the state of the table is a fold over
them. Pictures and readings of the tray lie beside them as evidence. `append` is one transaction: after a power cut
either all of it is there, the answer to the tap included, or nothing of it.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

#: Version of the tables below; a file with a higher one was written by a newer Undercup.
SCHEMA = 1

#: Answers to taps that are kept, so that the same tap sent twice is done once.
ANSWERS_KEPT = 500

#: The kind of entry that begins a game: it holds the whole lobby, so a fold may start there.
BEGIN = "begin"

TABLES = """
create table entries (
  n integer primary key autoincrement, at real not null, game integer not null,
  kind text not null, line text not null, who text not null, evidence integer
);
create index entries_of_game on entries (game, n);
create table evidence (n integer primary key autoincrement, game integer not null, reading text not null, jpeg blob);
create table answers (
  n integer primary key autoincrement, guest text not null, id text not null,
  ok integer not null, version integer not null, code text, message text, unique (guest, id)
);
"""


class JournalTrouble(Exception):
    """The journal cannot be used: one sentence that says what happened and what to do."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the tray saw: a reading as JSON text, and the JPEG it was read from (None once it has been cleared away)."""

    reading: str
    jpeg: bytes | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry not yet written: its kind, its text, who did it, and what the tray saw then.

    `evidence` may be the number of evidence that is in the journal already.
    """

    kind: str
    line: str
    who: str = "table"
    evidence: Evidence | int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A written entry. `n` rises, `at` is in seconds since 1970, `evidence` is a number for `Journal.evidence`."""

    n: int
    at: float
    game: int
    kind: str
    line: str
    who: str
    evidence: int | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer that the tap `id` of `guest` got."""

    guest: str
    id: str
    ok: bool
    version: int
    code: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game of the journal, for lists: its number, when it began (seconds since 1970) and how many entries."""

    game: int
    at: float
    entries: int


class Journal:
    """An open journal. Every method may be called from any thread."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time, *, reading: bool = False) -> None:
        """Open or make the journal at `path`; `reading` only opens one that is there, and leaves it as it is.

        Raises JournalTrouble if it is newer, DatabaseError if it is damaged.
        """
        self.path = path
        self._clock = clock
        self._lock = threading.Lock()
        where = f"{path.resolve().as_uri()}?mode={'ro' if reading else 'rwc'}"
        self._db = sqlite3.connect(where, uri=True, check_same_thread=False, isolation_level=None)
        try:
            self._layout() if reading else self._prepare()
        except BaseException:
            self._db.close()
            raise

    def _prepare(self) -> None:
        """Set the file up for safety, check it, and make the tables if it is new."""
        found = self._layout()
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = full")
        if found == 0:
            self._db.executescript(f"begin; {TABLES} pragma user_version = {SCHEMA}; commit;")
        if (verdict := self._db.execute("pragma quick_check").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(str(verdict))
        there = {row[0] for row in self._db.execute("select name from sqlite_master where type = 'table'")}
        if missing := {"entries", "evidence", "answers"} - there:
            raise sqlite3.DatabaseError(f"no table {', '.join(sorted(missing))}")

    def _layout(self) -> int:
        """Return the version of the tables in the file, 0 for an empty one. Raises JournalTrouble for a newer one."""
        found = int(self._db.execute("pragma user_version").fetchone()[0])
        if found > SCHEMA:
            raise JournalTrouble(
                f"The journal {self.path} was written by a newer Undercup (layout {found}, this one knows {SCHEMA}): "
                "update Undercup, or choose another data folder with --data."
            )
        return found

    def append(self, drafts: Sequence[Draft], game: int, answer: Answered | None = None) -> tuple[Entry, ...]:
        """Write `drafts` and `answer` down, all or nothing, and return the entries once they are safe on the disk.

        Raises sqlite3.Error, and then nothing was written.
        """
        with self._lock:
            self._db.execute("begin immediate")
            try:
                entries = tuple(self._write(draft, game) for draft in drafts)
                if answer is not None:
                    self._keep(answer)
                self._db.execute("commit")
            except BaseException:
                self._db.rollback()
                raise
        return entries

    def _write(self, draft: Draft, game: int) -> Entry:
        evidence = draft.evidence
        if isinstance(evidence, Evidence):
            row = (game, evidence.reading, evidence.jpeg)
            evidence = self._db.execute("insert into evidence (game, reading, jpeg) values (?, ?, ?)", row).lastrowid
        at = self._clock()
        written = self._db.execute(
            "insert into entries (at, game, kind, line, who, evidence) values (?, ?, ?, ?, ?, ?)",
            (at, game, draft.kind, draft.line, draft.who, evidence),
        )
        return Entry(int(written.lastrowid or 0), at, game, draft.kind, draft.line, draft.who, evidence)

    def _keep(self, answer: Answered) -> None:
        row = (answer.guest, answer.id, answer.ok, answer.version, answer.code, answer.message)
        sql = "insert or replace into answers (guest, id, ok, version, code, message) values (?, ?, ?, ?, ?, ?)"
        n = int(self._db.execute(sql, row).lastrowid or 0)
        self._db.execute("delete from answers where n <= ?", (n - ANSWERS_KEPT,))

    def last(self) -> int:
        """Return the number of the last entry that was ever written, 0 if there is none."""
        row = self._one("select seq from sqlite_sequence where name = 'entries'")
        return int(row[0]) if row else 0

    def recent(self) -> tuple[Entry, ...]:
        """Return the entries from the last begun game on: all that the present state of the table rests on."""
        return self._entries("n >= coalesce((select max(n) from entries where kind = ?), 0)", BEGIN)

    def game(self, game: int) -> tuple[Entry, ...]:
        """Return the entries of one game; empty if there is no such game."""
        return self._entries("game = ?", game)

    def games(self) -> tuple[GameLine, ...]:
        """Return all games that were begun, oldest first."""
        sql = "select game, min(at), count(*) from entries where game > 0 group by game order by game"
        with self._lock:
            return tuple(GameLine(*row) for row in self._db.execute(sql).fetchall())

    def evidence(self, n: int) -> Evidence | None:
        """Return what the tray saw, by its number, or None."""
        row = self._one("select reading, jpeg from evidence where n = ?", n)
        return Evidence(row[0], row[1]) if row else None

    def highest_version(self) -> int:
        """Return the highest version that an answer named, 0 if there is none."""
        row = self._one("select max(version) from answers")
        return int(row[0] or 0) if row else 0

    def answer(self, guest: str, id_: str) -> Answered | None:
        """Return the answer that this tap got, or None if it never came or is long past."""
        row = self._one("select ok, version, code, message from answers where guest = ? and id = ?", guest, id_)
        return Answered(guest, id_, bool(row[0]), row[1], row[2], row[3]) if row else None

    def clear_pictures(self, before_game: int) -> None:
        """Drop the pictures of games before `before_game` to save the card; readings and entries stay."""
        with self._lock:
            self._db.execute("update evidence set jpeg = null where game < ? and jpeg is not null", (before_game,))

    def close(self) -> None:
        """Let the file go. May be called twice."""
        with self._lock:
            self._db.close()

    def _entries(self, where: str, *values: object) -> tuple[Entry, ...]:
        sql = f"select n, at, game, kind, line, who, evidence from entries where {where} order by n"
        with self._lock:
            return tuple(Entry(*row) for row in self._db.execute(sql, values).fetchall())

    def _one(self, sql: str, *values: object) -> tuple[Any, ...] | None:
        with self._lock:
            row: tuple[Any, ...] | None = self._db.execute(sql, values).fetchone()
        return row


def set_aside(path: Path, now: datetime) -> Path:
    """Rename a damaged journal and its side files, so that a new one can begin; return the new name."""
    aside = path.with_name(f"{path.stem}-damaged-{now:%Y%m%d-%H%M%S-%f}{path.suffix}")
    for tail in ("", "-wal", "-shm"):
        side = path.with_name(path.name + tail)
        if side.exists():
            os.replace(side, aside.with_name(aside.name + tail))
    return aside


def open_journal(path: Path, clock: Callable[[], float] = time.time) -> tuple[Journal, str | None]:
    """Open the journal at `path`; a damaged one is kept aside and a new one begun.

    Returns the journal, and a sentence for people if it had to begin anew. Raises JournalTrouble if the file cannot
    be used or was written by a newer Undercup.
    """
    try:
        return Journal(path, clock), None
    except sqlite3.OperationalError as error:
        raise JournalTrouble(f"The journal {path} cannot be opened ({error}): check the folder's rights.") from error
    except sqlite3.DatabaseError as error:
        return begin_anew(path, str(error), clock)


def begin_anew(path: Path, why: str, clock: Callable[[], float] = time.time) -> tuple[Journal, str]:
    """Keep the journal at `path` aside and return a new one with a sentence that says so."""
    aside = set_aside(path, datetime.fromtimestamp(clock()))
    sentence = (
        f"The journal is damaged ({why}): it was kept as {aside.name} and the table begins with an empty one. "
        "Seats and the game under way are lost; everybody joins again."
    )
    return Journal(path, clock), sentence


def open_to_read(path: Path) -> Journal:
    """Open the journal at `path` to look into it, while a table may be using it.

    Raises JournalTrouble if there is none or it cannot be read.
    """
    if not path.exists():
        raise JournalTrouble(
            f"there is no journal {path}: no game was played with this data folder; choose it by --data."
        )
    try:
        return Journal(path, reading=True)
    except sqlite3.Error as error:
        raise JournalTrouble(f"the journal {path} cannot be read ({error}): 'undercup doctor' tells more.") from error
