"""The dice sets of this table: where they are kept and how one is named."""

import re
from pathlib import Path

from device.calibrations import needed, size_px
from device.commands import Trouble
from vision.dice_set import BadSet, DiceSet, View
from vision.pips import pips
from vision.reader import Reader

PIPS = "pips"
"""Name of the built-in set of pip dice."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def set_file(data: Path, name: str) -> Path:
    """Return where the set `name` is kept. Raises Trouble if the name does not do for a file."""
    if not NAME.fullmatch(name):
        raise Trouble(f"'{name}' is no name for a set of dice: use letters, digits, dots, dashes, at most 64.")
    return data / "sets" / f"{name}.npz"


def set_names(data: Path) -> list[str]:
    """Return the names of all enrolled sets, sorted."""
    return sorted(path.stem for path in (data / "sets").glob("*.npz"))


def load_set(data: Path, name: str) -> DiceSet:
    """Return the enrolled set `name`. Raises Trouble that says which sets there are."""
    path = set_file(data, name)
    try:
        return DiceSet.load(path)
    except FileNotFoundError:
        there = ", ".join(set_names(data)) or "none yet"
        raise Trouble(
            f"there is no dice set '{name}' in {data} (there: {there}): enrol it with 'undercup enrol {name} DIR'."
        ) from None
    except BadSet as error:
        raise Trouble(f"{error}.") from None


def pip_set(data: Path, name: str) -> DiceSet | None:
    """Return the set for games with pip dice, None for the built-in one. Raises Trouble, also for other dice."""
    if name == PIPS:
        return None
    dice = load_set(data, name)
    if set(dice.order) != set("123456"):
        faces = ", ".join(dice.order)
        raise Trouble(
            f"the set '{name}' of [tray] pips has the faces {faces}, not 1 to 6: choose another, or \"pips\"."
        )
    return dice


def load_reader(data: Path, name: str, view: View | None = None, camera: str | None = None) -> Reader:
    """Return a reader of the set `name`, seen from `view` (default: as it was enrolled). Raises Trouble.

    With `camera` the dice have the size that its calibration and their edge tell.
    """
    dice = pips() if name == PIPS else load_set(data, name)
    size = None if camera is None else size_px(dice, needed(data, camera))
    try:
        return Reader(dice, view or ("below" if name == PIPS else dice.view), size)
    except ValueError as error:
        raise Trouble(f"{error}.") from None
