"""`undercup optics`: can this camera read dice through that glass?"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from device import optics
from device.commands import Trouble
from device.optics import CAMERAS, Camera, Lamp, Layout, Tray

HELP = "tell whether a camera can read dice through a tray: height, pixels a die, sharpness, places for lamps"
LEVELS = (0.0, 10.0, 20.0, 30.0)  # mm below the glass, for the table of places for LEDs


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what describes a build."""
    add = parser.add_argument
    add("--camera", choices=[*CAMERAS, "other"], default="cm3", help="cm3 (default), wide, or other with --fov")
    add("--fov", type=pair, metavar="LONGxSHORT", help="field of view in degrees, for another camera")
    add("--pixels", type=pair, metavar="LONGxSHORT", help="picture size, for another camera or mode")
    add("--nearest", type=positive, metavar="MM", help="closest focus, for another camera")
    add("--tray", type=pair, metavar="LONGxSHORT", default=(150.0, 150.0), help="clear glass in mm (150x150)")
    add("--die", type=positive, metavar="MM", default=16.0, help="side of a die (16)")
    add("--glass", type=positive, metavar="MM", default=4.0, help="thickness of the glass (4)")
    add("--margin", type=float, metavar="MM", default=4.0, help="field beyond the tray (4), if no --height")
    add("--height", type=positive, metavar="MM", help="lens to the faces of the dice, instead of computing it")
    add("--lamp", type=pair, metavar="ASIDExBELOW", help="LEDs: mm from the middle x mm below the glass")
    add("--json", action="store_true", help="for programs")


def pair(text: str) -> tuple[float, float]:
    """Return the two numbers of "150x200", both of them above 0 (the second one may be 0).

    >>> pair("150x200")
    (150.0, 200.0)
    """
    first, cross, second = text.lower().partition("x")
    try:
        numbers = float(first), float(second if cross else first)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not two numbers such as 150x200") from None
    if not (0 < numbers[0] < 1e5 and 0 <= numbers[1] < 1e5):
        raise argparse.ArgumentTypeError(f"'{text}': the numbers must be above 0")
    return numbers


def positive(text: str) -> float:
    """Return the number `text`, which must be above 0.

    >>> positive("4")
    4.0
    """
    number = float(text)
    if not 0 < number < 1e5:
        raise argparse.ArgumentTypeError(f"'{text}' must be above 0")
    return number


def run(args: argparse.Namespace) -> int:
    """Print the layout; return 0 if it can work and 1 if it cannot."""
    camera = chosen_camera(args)
    tray = Tray(max(args.tray), min(args.tray), args.glass, args.die)
    if tray.short < tray.die:
        raise Trouble(f"a tray of {tray.long:g} x {tray.short:g} mm cannot hold a die of {tray.die:g} mm.")
    layout = Layout(camera, tray, args.height or optics.least_height(camera, tray, args.margin))
    lamp = Lamp(*args.lamp) if args.lamp else None
    found = optics.findings(layout, lamp)
    print(json.dumps(as_data(layout, found), indent=2) if args.json else "\n".join(as_text(layout, found)))
    return int(any(finding.fatal for finding in found))


def chosen_camera(args: argparse.Namespace) -> Camera:
    """Return the camera that the arguments name; another one borrows what is not given from the standard one."""
    if args.camera != "other":
        if args.fov or args.pixels or args.nearest:
            raise Trouble("--fov, --pixels and --nearest describe another camera: add --camera other.")
        return CAMERAS[args.camera]
    if not (args.fov and args.pixels and args.nearest):
        raise Trouble("--camera other needs --fov, --pixels and --nearest; its data sheet has them.")
    if max(args.fov) >= 180 or min(args.fov) <= 0 or min(args.pixels) < 1:
        raise Trouble("a field of view is between 0 and 180 degrees, and a picture has pixels.")
    return replace(
        optics.STANDARD,
        name="another camera",
        fov=(max(args.fov), min(args.fov)),
        pixels=(int(max(args.pixels)), int(min(args.pixels))),
        nearest=args.nearest,
    )


def as_data(layout: Layout, found: tuple[optics.Finding, ...]) -> dict[str, Any]:
    """Return the layout as plain data, millimetres rounded to a tenth."""
    return {
        "camera": asdict(layout.camera),
        "tray": asdict(layout.tray),
        "least_height": round(optics.least_height(layout.camera, layout.tray), 1),
        "height": round(layout.height, 1),
        "lens_to_glass": round(layout.air, 1),
        "field": [round(side, 1) for side in layout.field],
        "margin": round(layout.margin, 1),
        "px_per_mm": round(layout.px_per_mm, 2),
        "die_px": round(layout.die_px, 1),
        "sharp": [round(distance, 1) for distance in layout.sharp],
        "side_face": [round(share, 3) for share in layout.side_face],
        "mirror": [round(share, 3) for share in layout.mirror],
        "lamps": [{"below": below, "least_aside": round(layout.lamp_aside(below), 1)} for below in LEVELS],
        "findings": [asdict(finding) for finding in found],
        "works": not any(finding.fatal for finding in found),
    }


def as_text(layout: Layout, found: tuple[optics.Finding, ...]) -> Iterator[str]:
    """Yield the lines for a person."""
    tray, camera = layout.tray, layout.camera
    yield f"{camera.name} under {tray.long:g} x {tray.short:g} mm of {tray.glass:g} mm glass, dice of {tray.die:g} mm"
    yield ""
    for name, value in _rows(layout):
        yield f"  {name:<28}{value}"
    yield ""
    yield "  LEDs are not mirrored in the glass if they sit"
    for below in LEVELS:
        where = "right under it" if not below else f"{below:.0f} mm below it"
        yield f"    {where:<16} and at least {layout.lamp_aside(below):.0f} mm from the middle"
    yield ""
    yield from (f"  {'CANNOT WORK' if finding.fatal else 'note'}: {finding.text}" for finding in found)
    if not found:
        yield "  Nothing speaks against it."


def _rows(layout: Layout) -> Iterator[tuple[str, str]]:
    least = optics.least_height(layout.camera, layout.tray)
    near, far = layout.sharp
    edge, corner = layout.side_face
    middle, rim = layout.mirror
    yield "lens to dice", f"{layout.height:.0f} mm (at least {least:.0f})"
    yield "lens to underside of glass", f"{layout.air:.0f} mm"
    yield "field", f"{layout.field[0]:.0f} x {layout.field[1]:.0f} mm, {layout.margin:.1f} mm beyond the tray"
    yield "a die in the picture", f"{layout.die_px:.0f} pixels"
    yield "sharp", f"{near:.0f} to {far:.0f} mm from the lens"
    yield "a die's side face shows", f"{edge:.0%} of a face at the edge, {corner:.0%} in the corner"
    yield "the glass mirrors", f"{middle:.0%} in the middle, {rim:.0%} in the corner"
