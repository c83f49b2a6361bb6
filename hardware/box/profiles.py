"""Cross-sections of the printed rim and light trough, in x and z. Plain Python: drawings and tests use them too."""

from hardware.box.flat import Point
from hardware.box.parameters import Build


def rim_profile(build: Build) -> list[Point]:
    """Return the rim's cross-section: dice stay left of it, beer runs off to the right and drips clear of the wall."""
    rim, half = build.of("rim"), build.half
    inside = build.outer + rim.skirt_gap
    outside = inside + rim.skirt
    top = build.seat + rim.height
    fall = outside - half - rim.flat
    return [
        (half, build.seat),
        (half, top - 1),
        (half + 1, top),
        (half + rim.flat, top),
        (outside, top - fall),
        (outside, rim.skirt_bottom),
        (outside - 1.2, rim.skirt_bottom),
        (inside, rim.skirt_bottom + rim.skirt - 1.2),
        (inside, build.seat),
    ]


def trough_profile(build: Build) -> list[Point]:
    """Return the trough's cross-section: the LED strip sticks to its tall leg, the lip hides it from the lens."""
    light, half = build.of("light"), build.half
    lip, leg = half + light.lip_aside, build.inner
    bottom = light.floor - light.shell
    return [
        (lip, bottom),
        (leg, bottom),
        (leg, light.top + 2),
        (leg - light.shell, light.top + 2),
        (leg - light.shell, light.floor),
        (lip + light.lip, light.floor),
        (lip + light.lip, light.lip_top),
        (lip, light.lip_top),
    ]


def sled_level(build: Build) -> float:
    """Return the level of the lower face of the sled's plate when the lens is where it should be."""
    sled, board = build.of("sled"), build.of("camera").board
    return float(build.lens_level - sled.lens_over_board - board[2] - sled.post - sled.thickness)


def bolt_level(build: Build) -> float:
    """Return the level of the bolts that clamp the sled between its cheeks: the middle of the slots."""
    return sled_level(build) - float(build.of("sled").leg) / 2 - 1.0
