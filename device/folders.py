"""Where the table keeps its things: dice sets, the journal, the configuration."""

import os
from pathlib import Path


def data_folder(argument: str | None) -> Path:
    """Return the data folder: `argument`, else `UNDERCUP_DATA`, else systemd's `STATE_DIRECTORY`, else the user's own.

    The folder is not made. Of several state directories the first counts.
    """
    if argument:
        return Path(argument).expanduser()
    if own := os.environ.get("UNDERCUP_DATA"):
        return Path(own).expanduser()
    if state := os.environ.get("STATE_DIRECTORY"):
        return Path(state.split(":")[0])
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(home).expanduser() / "undercup"
