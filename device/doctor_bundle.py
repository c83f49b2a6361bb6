"""One file for those who are to help: what the doctor found, the settings, the log, and what the tray saw last."""

import re
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from device.config import FILE_NAME
from device.doctor import Machine, Report, as_json, as_page

#: Lines of the log: an evening's, since the table logs little.
LOG_LINES = "2000"


def write_bundle(path: Path, machine: Machine, report: Report) -> list[str]:
    """Write the bundle as a ZIP file and return the names of what is in it. Raises OSError.

    The host's PIN stays out, wherever it may stand. The last picture is in it: send a bundle after the game.
    """
    pin = machine.read(str(machine.data / "host-pin"))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in _parts(machine, report):
            bundle.writestr(name, without_pin(content, pin) if isinstance(content, str) else content)
        return bundle.namelist()


def without_pin(text: str, pin: str | None) -> str:
    """Return `text` without the host's PIN: neither the one in `pin`, nor one in a line of the configuration.

    >>> without_pin('[host]\\npin = "4711"\\nHost, PIN 0815', "0815")
    '[host]\\npin = "…"\\nHost, PIN …'
    """
    text = re.sub(r'(?m)^(\s*pin\s*=\s*)["\'].*["\']', r'\1"…"', text)
    return re.sub(rf"\b{re.escape(pin)}\b", "…", text) if pin else text


def _parts(machine: Machine, report: Report) -> Iterator[tuple[str, str | bytes]]:
    yield "doctor.txt", as_page(report)
    yield "doctor.json", as_json(report)
    if (settings := machine.read(str(machine.data / FILE_NAME))) is not None:
        yield FILE_NAME, settings
    log = machine.run("journalctl", "--unit=undercup", f"--lines={LOG_LINES}", "--no-pager", "--output=short-iso")
    if log:
        yield "log.txt", log
    yield from _last_seen(machine.data / "journal.db")


def _last_seen(journal: Path) -> Iterator[tuple[str, str | bytes]]:
    """Yield the last reading and the last picture; none from a journal that is missing or cannot be read."""
    try:
        with closing(sqlite3.connect(f"{journal.resolve().as_uri()}?mode=ro", uri=True)) as database:
            found = database.execute("select reading, jpeg from evidence order by n desc limit 1").fetchone()
    except sqlite3.Error:
        return
    if found is None:
        return
    yield "last-reading.json", found[0]
    if found[1] is not None:
        yield "last-picture.jpg", found[1]
