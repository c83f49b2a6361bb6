"""Readings as text, as the journal keeps them beside their photographs.

>>> from vision.reading import DieReading
>>> die = DieReading("K", 0.99, (120.0, 80.0), "flat", "10", 64.0, 12.5)
>>> reading = Reading("read", ("K",), (), (die,))
>>> reading_of(as_text(reading)) == reading
True
"""

import json
from collections.abc import Mapping
from typing import Any

from vision.reading import DieReading, Reading


def as_text(reading: Reading) -> str:
    """Return a reading as JSON, with what is needed to draw it again."""
    dice = [{**die.to_json(), "side_px": die.side_px, "yaw_deg": die.yaw_deg} for die in reading.dice]
    return json.dumps({**reading.to_json(), "dice": dice})


def reading_of(text: str) -> Reading:
    """Return the reading that `as_text` wrote."""
    data = json.loads(text)
    hand = None if data["hand"] is None else tuple(data["hand"])
    dice = tuple(_die(die) for die in data["dice"])
    return Reading(data["status"], hand, tuple(data["reasons"]), dice, data["ms"])


def _die(data: Mapping[str, Any]) -> DieReading:
    x, y = data["centre_px"]
    known = {key: data[key] for key in ("face", "confidence", "state", "seen", "side_px", "yaw_deg")}
    return DieReading(centre_px=(x, y), **known)
