"""The tables of the guide that are made, not written: between marks in `README.md`, compared by the tests."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from device.pins import load_pins
from hardware.box.flat import pack
from hardware.box.panels import panels
from hardware.box.parameters import HERE, Build, builds
from hardware.box.parts import PRINTED, WHOLE_RIM
from hardware.guide import wiring

README = HERE / "README.md"
BOM = HERE / "bom.csv"
MARK = re.compile(r"<!-- made: (\w+) -->\n(.*?)<!-- end -->", re.DOTALL)
WHAT = {  # laser-cut parts: what each is
    "base": "carries the Pi; screwed, so it comes off",
    "deck": "hides the Pi from the glass; the lens looks through its hole",
    "top_plate": "its opening is the tray; the glass rests on it",
    "glass_frame": "two layers round the glass",
    "wall_front": "the console's cables come out here",
    "wall_back": "network, shutdown button, air",
    "wall_left": "fan",
    "wall_right": "window for power and screen",
    "console_top": "buttons, encoder, display, lamps",
    "console_bottom": "screwed, so it comes off",
    "console_front": "holes before the buzzer",
    "console_back": "cables",
    "console_cheek": "the console's two sides",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the bill of materials. `serves` names the parts of `pins.toml` that it is wired for."""

    part: str
    quantity: int
    needed: bool
    serves: tuple[str, ...]
    why: str
    substitutes: str


def bom(path: Path = BOM) -> tuple[Row, ...]:
    """Return the bill of materials."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            Row(
                line["part"],
                int(line["quantity"]),
                {"yes": True, "option": False}[line["needed"]],
                tuple(line["serves"].split()),
                line["why"],
                line["substitutes"],
            )
            for line in csv.DictReader(file)
        )


def shopping() -> str:
    """Return the bill of materials as a table."""
    head = "| part | number | why | instead |\n| --- | --- | --- | --- |"
    rows = (
        f"| {row.part}{'' if row.needed else ' (option)'} | {row.quantity} | {row.why} | {row.substitutes} |"
        for row in bom()
    )
    return "\n".join([head, *rows])


def sizes() -> str:
    """Return what differs between the builds."""
    head = (
        "| build | tray | lens to glass | a die | box, outside | glass | sheets |\n"
        "| --- | --- | --- | --- | --- | --- | --- |"
    )
    return "\n".join([head, *(_size(build) for build in builds())])


def _size(build: Build) -> str:
    pane = build.tray + 2 * build.of("glass").rest
    sheet = build.of("sheet")
    count = len(pack(panels(build, sheet.kerf), tuple(sheet.size)))
    wide = 2 * (build.outer + build.of("rim").skirt_gap + build.of("rim").skirt)
    lens = build.layout.camera.name.removeprefix("Camera Module 3").strip() or "standard"
    return (
        f"| `{build.name}` | {build.tray} x {build.tray} mm, {lens} lens | {build.layout.air:.0f} mm "
        f"| {build.layout.die_px:.0f} px | {wide:.0f} x {wide:.0f} x {build.height:.0f} mm "
        f"| {pane:.0f} x {pane:.0f} x {build.of('glass').thickness:g} mm | {count} |"
    )


def cut_parts() -> str:
    """Return the laser-cut parts."""
    head = "| file | what it is |\n| --- | --- |"
    return "\n".join([head, *(f"| `{panel.file}` | {WHAT[panel.name]} |" for panel in panels(builds()[0]))])


def printed_parts() -> str:
    """Return the printed parts."""
    head = "| file | how |\n| --- | --- |"
    return "\n".join([head, *(f"| `{part.file}` | {part.hint} |" for part in (*PRINTED, WHOLE_RIM))])


def wires() -> str:
    """Return the wiring table."""
    return wiring.table(load_pins(HERE / "pins.toml"))


TABLES = {"shopping": shopping, "sizes": sizes, "cut": cut_parts, "printed": printed_parts, "wiring": wires}


def made(text: str) -> str:
    """Return the guide's text with every table between its marks made afresh."""
    return MARK.sub(lambda match: f"<!-- made: {match[1]} -->\n{TABLES[match[1]]()}\n<!-- end -->", text)
