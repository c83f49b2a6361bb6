"""What a simulated tray keeps over a restart: which dice lie there, and how. A real tray keeps them by itself."""

import json
import logging
from dataclasses import asdict
from pathlib import Path
from typing import Any

from device.simulator_hands import Hands
from device.simulator_world import Chance, Lie

log = logging.getLogger("undercup.simulator")


def remember(path: Path, hands: Hands, *, pips: bool) -> None:
    """Write how the dice and the cup will lie when all that was begun is over; `pips`: they are pip dice.

    A full disk is logged, not raised.
    """
    dice = [{"lie": None if die.lie is None else asdict(die.lie), "kept": die.kept} for die in hands.dice]
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(json.dumps({"dice": dice, "cup_down": hands.cup.down, "pips": pips}), "utf-8")
        part.replace(path)
    except OSError as why:
        log.warning("the simulated tray cannot be kept in %s: %s", path, why)


def recall(path: Path, hands: Hands, pip_dice: Chance) -> bool:
    """Lay the dice and the cup as `path` says, and return whether they are `pip_dice`.

    Without such a file, or with a damaged one, they stay as they lie.
    """
    try:
        kept = json.loads(path.read_text("utf-8"))
        pips = bool(kept.get("pips", False))
        lies = [_lie(each["lie"], (pip_dice if pips else hands.chance).faces) for each in kept["dice"]]
        own = [bool(each["kept"]) for each in kept["dice"]]
        down = bool(kept["cup_down"])
    except FileNotFoundError:
        return False
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as why:
        log.warning("%s is damaged (%s): the simulated dice are rolled anew", path, why)
        return False
    if pips:
        hands.exchange(pip_dice, len(lies))
    for die, lie, is_kept in zip(hands.dice, lies, own, strict=False):
        die.kept = is_kept
        die.add(0.0, 0.0, "rest" if lie is not None else "gone", lie)
    if down:
        hands.cup.move(0.0, 0.0, down=True)
    return pips


def _lie(data: dict[str, Any] | None, faces: tuple[str, ...]) -> Lie | None:
    if data is None:
        return None
    if data["face"] not in faces:
        raise ValueError(f"no die has a face {data['face']!r}")
    numbers = {name: float(data[name]) for name in ("x", "y", "yaw", "tilt", "tilt_dir")}
    return Lie(face=data["face"], **numbers)
