"""Copies of the journal, made while the table plays on, and the way back from one."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

#: How many nightly copies stay: two weeks, after which a slip has been noticed.
KEPT = 14
#: What the copies are called; the date sorts them.
PATTERN = "journal-????-??-??.db"


class BackupTrouble(Exception):
    """The journal could not be copied or brought back: what happened and what to do, in one sentence."""


def copy(journal: Path, folder: Path, now: datetime, pictures: bool = False) -> Path:
    """Copy the journal into `folder` under the day's date and return the copy, checked; the table may play meanwhile.

    The photographs of the tray stay out unless `pictures`: readings and acts are what a game is made of, and the card
    is spared. Raises BackupTrouble.
    """
    made = folder / f"journal-{now:%Y-%m-%d}.db"
    part = made.with_suffix(".part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        _copy(journal, part)
        if not pictures:
            _leave_out_pictures(part)
        _check(part)
        _sync(part)
        os.replace(part, made)
    except (OSError, sqlite3.Error) as error:
        raise BackupTrouble(
            f"{journal} could not be copied to {folder} ({error}): is there room, may it be written?"
        ) from error
    finally:
        _drop(part)
    return made


def prune(folder: Path, kept: int = KEPT) -> list[Path]:
    """Delete all but the `kept` newest copies and return the deleted ones."""
    old = sorted(folder.glob(PATTERN))[:-kept]
    for path in old:
        path.unlink()
    return old


def bring_back(copied: Path, journal: Path, now: datetime) -> Path | None:
    """Put the copy in the place of the journal; return where the present journal went, None if there was none.

    Raises BackupTrouble if the copy is damaged or a table is using the journal.
    """
    part = journal.with_suffix(".part")
    try:
        _check(copied)
        part.unlink(missing_ok=True)
        _copy(copied, part)
        _sync(part)
        aside = _set_aside(journal, now) if journal.exists() else None
        os.replace(part, journal)
    except (OSError, sqlite3.Error) as error:
        raise BackupTrouble(f"{copied} could not be brought back ({error}): the journal is as it was.") from error
    finally:
        _drop(part)
    return aside


def _drop(part: Path) -> None:
    """Delete what is left of a copy that was not finished; there may be none, nor even its folder."""
    with contextlib.suppress(OSError):
        part.unlink(missing_ok=True)


@contextlib.contextmanager
def _open(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Open a database with SQLite's `mode` (ro, rw, rwc) and close it; a plain `with` would only commit."""
    with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True)) as database:
        yield database


def _copy(source: Path, target: Path) -> None:
    with _open(source, "ro") as here, _open(target, "rwc") as there:
        here.backup(there)
        # A copy is one file: the table turns write-ahead logging on again when it opens it.
        there.execute("pragma journal_mode = delete")


def _leave_out_pictures(path: Path) -> None:
    with _open(path, "rw") as database:
        database.execute("update evidence set jpeg = null where jpeg is not null")
        database.commit()
        database.execute("vacuum")


def _check(path: Path) -> None:
    with _open(path, "ro") as database:
        verdict = database.execute("pragma integrity_check").fetchone()[0]
        if verdict != "ok":
            raise sqlite3.DatabaseError(f"damaged: {verdict}")
        database.execute("select count(*) from entries").fetchone()


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _set_aside(journal: Path, now: datetime) -> Path:
    with _open(journal, "rw") as database:
        try:
            # SQLite leaves write-ahead logging only while nobody else has the file open.
            database.execute("pragma journal_mode = delete")
        except sqlite3.OperationalError as error:
            reason = f"The table is using {journal}: stop it first (sudo systemctl stop undercup)."
            raise BackupTrouble(reason) from error
    aside = journal.with_name(f"{journal.stem}-before-{now:%Y%m%d-%H%M%S}{journal.suffix}")
    os.replace(journal, aside)
    return aside
