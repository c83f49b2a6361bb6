"""A simulated tray that is switched off and on again has its dice and its cup where they lay."""

from pathlib import Path
from typing import Any

import pytest

from device.simulator import Simulator


def lying(tray: Simulator) -> list[tuple[Any, ...]]:
    """Return id, face and place of every die, as one who looks under the cup sees them."""
    return [(die["id"], die["face"], die["x"], die["where"]) for die in tray.look(peek=True)["dice"]]


class Late:
    """A clock that is past everything that a hand began."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 100.0
        return self.now


def tray(memory: Path) -> Simulator:
    return Simulator(memory=memory, clock=Late())


def test_dice_and_cup_lie_where_they_lay(tmp_path: Path) -> None:
    """Rolled, one kept outside, the cup put over the rest: after a restart all of it is so again."""
    first = tray(tmp_path / "tray.json")
    assert first.act("keep", {"dice": [2]}) is None
    assert first.act("cup_down", {}) is None
    assert first.act("shake", {}) is None
    again = tray(tmp_path / "tray.json")
    assert lying(again) == lying(first)
    assert again.look(peek=False)["cup"]["down"]


def test_a_die_that_was_taken_away_stays_away(tmp_path: Path) -> None:
    """Only one die was left for a starting roll: one die lies there after a restart."""
    assert tray(tmp_path / "tray.json").act("only", {"count": 1}) is None
    again = tray(tmp_path / "tray.json")
    assert [die[3] for die in lying(again)].count("away") == 4


@pytest.mark.parametrize("text", ["", "{", "[]", '{"dice": [{"lie": {"face": "Z"}, "kept": 0}], "cup_down": true}'])
def test_a_damaged_memory_is_a_fresh_roll(tmp_path: Path, text: str) -> None:
    """A file that cannot be read costs the dice their places, not the evening."""
    (tmp_path / "tray.json").write_text(text)
    assert len([die for die in lying(tray(tmp_path / "tray.json")) if die[1]]) == 5


def test_pip_dice_lie_after_a_restart_as_they_lay(tmp_path: Path) -> None:
    first = tray(tmp_path / "tray.json")
    first.use_pips(True)
    assert first.act("only", {"count": 3}) is None
    again = tray(tmp_path / "tray.json")
    assert again.die_set.name == "western"
    assert lying(again) == lying(first)
    again.use_pips(True)
    assert lying(again) == lying(first)
