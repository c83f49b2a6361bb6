"""What is seen of the simulated tray: the scene under the glass for the renderer, and what a person sees from above."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from device.simulator_world import CUP, CUP_HIGH, CUP_RADIUS, CUP_WALL, HALF_DEPTH, HALF_WIDTH, SHUTTER, Seen
from device.sources import Pixels
from vision.synth import Camera, Cup, DieSet, Ground, Lens, PlacedDie, Scene, render

SEE_UNDER = 30.0  # mm: lifted this far, a cup no longer hides what lies under it
CUP_COLOUR = (46, 62, 88)  # from above, blue green red
ABOVE = Camera(height_mm=330.0, hfov_deg=34.0, width=960, height=540)
PLAIN_LENS = Lens(noise=0.0, jpeg=None, vignette=0.1)


def scene_below(dice: Iterable[Seen], cup_mm: float, *, covered: bool) -> Scene:
    """Return what is above the glass: `cup_mm` is how high the cup hangs; `covered` is a mat on the lens."""
    cup = None if cup_mm >= CUP_HIGH else Cup(*CUP, CUP_RADIUS, lift_mm=cup_mm, wall_mm=CUP_WALL)
    return Scene(tuple(_placed(die) for die in dice), cup, cover=covered)


def _placed(die: Seen) -> PlacedDie:
    lie = die.lie
    blur = (die.speed[0] * SHUTTER, die.speed[1] * SHUTTER)
    return PlacedDie(lie.face, lie.x, lie.y, lie.yaw, lie.tilt, lie.tilt_dir, die.lift, blur)


def above(dice: Iterable[Seen], cup_mm: float, die_set: DieSet, *, peek: bool) -> Pixels:
    """Return the tray as a person over it sees it, (540, 960, 3): left and right are the camera's right and left."""
    hidden = cup_mm < SEE_UNDER and not peek
    shown = [die for die in dice if not (hidden and in_cup(die))]
    placed = tuple(_from_over(die, die_set) for die in shown)
    scene = Scene(placed, lens=PLAIN_LENS, ground=Ground("felt", (52.0, 74.0, 48.0)), above=True)
    frame = render(scene, ABOVE, die_set, np.random.default_rng(0))
    if cup_mm < CUP_HIGH:
        _draw_cup(frame, see_through=not hidden)
    return frame


def _from_over(die: Seen, die_set: DieSet) -> PlacedDie:
    """Return the die as a camera above sees it: mirrored, and the face on top is the one it looks at."""
    return replace(_placed(die), face_up=die_set.opposite(die.lie.face), x_mm=-die.lie.x, yaw_deg=-die.lie.yaw)


def _draw_cup(frame: Pixels, *, see_through: bool) -> None:
    middle = ABOVE.project(np.array([[-CUP[0], CUP[1], 0.0]]))[0]
    radius = round(CUP_RADIUS * ABOVE.px_per_mm)
    where = (round(float(middle[0])), round(float(middle[1])))
    if not see_through:
        cv2.circle(frame, where, radius, CUP_COLOUR, -1, cv2.LINE_AA)
        cv2.circle(frame, where, round(radius * 0.8), tuple(c * 1.25 for c in CUP_COLOUR), -1, cv2.LINE_AA)
    cv2.circle(frame, where, radius, tuple(c * 0.7 for c in CUP_COLOUR), 6, cv2.LINE_AA)


def in_cup(die: Seen) -> bool:
    """Tell whether the die is where the cup stands."""
    return (die.lie.x - CUP[0]) ** 2 + (die.lie.y - CUP[1]) ** 2 < CUP_RADIUS**2


def look(dice: Iterable[Seen], count: int, cup_mm: float, edge: float, *, peek: bool) -> dict[str, Any]:
    """Return dice and cup as plain data; see `device.simulator` for the keys. `count` dice belong to the set."""
    seen = {die.number: die for die in dice}
    standing = cup_mm < SEE_UNDER
    hidden = standing and not peek
    told = [_told(number, seen.get(number), standing=standing, hidden=hidden) for number in range(count)]
    x, y = _from_above(*CUP)
    return {
        "dice": told,
        "cup": {"down": cup_mm == 0.0, "hides": hidden, "x": x, "y": y, "r": CUP_RADIUS / (2 * HALF_WIDTH)},
        "edge": edge / (2 * HALF_WIDTH),
        "aspect": HALF_WIDTH / HALF_DEPTH,
    }


def _told(number: int, die: Seen | None, *, standing: bool, hidden: bool) -> Mapping[str, Any]:
    blank = {"id": number, "x": None, "y": None, "angle": None, "face": None, "moving": False, "leaning": False}
    if die is None:
        return blank | {"where": "away"}
    if hidden and in_cup(die):
        return blank | {"where": "cup"}
    x, y = _from_above(die.lie.x, die.lie.y)
    return {
        "id": number,
        "x": round(x, 4),
        "y": round(y, 4),
        "angle": round(-die.lie.yaw % 360, 1),
        "face": die.lie.face if die.rests else None,
        "where": "cup" if standing and in_cup(die) else "open",
        "moving": not die.rests,
        "leaning": die.rests and die.lie.tilt > 0,
    }


def _from_above(x: float, y: float) -> tuple[float, float]:
    return (HALF_WIDTH - x) / (2 * HALF_WIDTH), (y + HALF_DEPTH) / (2 * HALF_DEPTH)
