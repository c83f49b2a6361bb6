"""How loud the table was when it was put away: kept in a small file of the data folder, for it is no act of a game."""

import json
import logging
from dataclasses import asdict
from pathlib import Path

from device.sound import Loudness

log = logging.getLogger("undercup.sound")

#: The file's name in the data folder.
FILE_NAME = "loudness.json"


def recall(data: Path, configured: Loudness) -> Loudness:
    """Return what was chosen last, at the host's page or the console; `configured` if nothing was.

    A configuration that has been changed since counts as the newer choice.
    """
    try:
        kept = json.loads((data / FILE_NAME).read_text("utf-8"))
        chosen, then = _loudness(kept["chosen"]), _loudness(kept["configured"])
    except FileNotFoundError:
        return configured
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("%s is damaged (%s): the table is as loud as undercup.toml says", data / FILE_NAME, error)
        return configured
    return chosen if then == configured else configured


def remember(data: Path, chosen: Loudness, configured: Loudness) -> None:
    """Keep what was `chosen` while `configured` was in force; a card that is full is logged, not raised."""
    part = data / f"{FILE_NAME}.part"
    try:
        part.write_text(json.dumps({"chosen": asdict(chosen), "configured": asdict(configured)}), "utf-8")
        part.replace(data / FILE_NAME)
    except OSError as error:
        log.warning("how loud the table is cannot be kept in %s: %s", data, error)


def _loudness(data: dict[str, object]) -> Loudness:
    on, volume = data["on"], data["volume"]
    if not isinstance(on, bool) or type(volume) is not int or not 0 <= volume <= 100:
        raise ValueError(f"on = {on!r}, volume = {volume!r}")
    return Loudness(on, volume)
