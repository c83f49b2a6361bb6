"""When the table was last ended because its camera's driver hung: one that always hangs must not end it for ever."""

import logging
from pathlib import Path

log = logging.getLogger("undercup.camera")

AGAIN_S = 15 * 60.0  # a driver that hangs again so soon after a restart is not mended by another one

#: Name in the data folder of the file that says when.
LAST = "camera-hung"


def may_restart(data: Path, now: float) -> bool:
    """Tell whether a new process may mend a driver that hangs at `now` (seconds since 1970), and write that down.

    Not if that was tried less than AGAIN_S ago, and not if it cannot be written: better no camera than no table.
    """
    last = last_hang(data)
    if last is not None and 0 <= now - last < AGAIN_S:
        return False
    part = data / f"{LAST}.part"
    try:
        part.write_text(f"{now:.0f}\n", "ascii")
        part.replace(data / LAST)
    except OSError as error:
        log.warning("%s cannot be written (%s)", data / LAST, error)
        return False
    return True


def last_hang(data: Path) -> float | None:
    """Return when the table was last ended because its camera's driver hung, in seconds since 1970; None if never."""
    try:
        return float((data / LAST).read_text("ascii"))
    except (OSError, ValueError):
        return None
