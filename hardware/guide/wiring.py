"""The wiring table and the wiring diagram's source, both made from `hardware/pins.toml`."""

from dataclasses import dataclass
from typing import Any

from device.pins import Pins, Wire, nearest_ground, physical

VOLTS_3, VOLTS_5 = (1, 17), (2, 4)  # pins of the header


@dataclass(frozen=True, slots=True)
class Harness:
    """A part at the end of a cable: its name in the guide, what sits between, and its supply (volts, or 0)."""

    title: str
    between: str
    supply: float = 0.0


HARNESSES = {
    "buttons": Harness("Arcade buttons", "nothing: switch to ground"),
    "mute": Harness("Mute button", "nothing: switch to ground"),
    "shutdown": Harness("Shutdown button", "nothing: switch to ground"),
    "encoder": Harness("Rotary encoder", "nothing: middle pin and one push pin to ground"),
    "status": Harness("Status LED", "330 ohm in each leg, common leg to ground"),
    "ring": Harness("Lamp ring", "MOSFET board", 5.0),
    "light": Harness("Light under the glass", "MOSFET board, fuse 2 A", 5.0),
    "buzzer": Harness("Buzzer", "transistor, 1 kohm to its base", 5.0),
    "i2c": Harness("Display and expander (I2C)", "nothing: both side by side on the bus", 3.3),
}
POD = Harness("Seat pod", "buttons to ground; LED with 330 ohm")
COLOURS = ("BN", "OG", "YE", "GN", "BU", "VT", "WH", "PK")
SUPPLY_COLOURS = {"GND": "BK", "5V": "RD", "3V3": "RD"}


def harness(wire: Wire) -> Harness:
    """Return the cable that a wire belongs to."""
    return POD if wire.part.startswith("pod") else HARNESSES[wire.part]


def table(pins: Pins) -> str:
    """Return the wiring as a Markdown table, a row for each wire, in the order of the pins file."""
    head = (
        "| part | wire | GPIO | header pin | ground pin | Pi | between |\n| --- | --- | --- | --- | --- | --- | --- |"
    )
    return "\n".join([head, *(_row(wire) for wire in pins.wires)])


def _row(wire: Wire) -> str:
    title = harness(wire).title
    part = f"{title} {wire.part.removeprefix('pod ')}" if wire.part.startswith("pod") else title
    name = "signal" if wire.key == "gpio" else wire.key
    if wire.gpio is None:
        place = f"expander {wire.line} | | "
    else:
        place = f"{wire.gpio} | {physical(wire.gpio)} | {nearest_ground(wire.gpio)}"
    way = "both" if wire.part == "i2c" else "drives" if wire.is_output else "listens"
    option = "" if wire.fitted else " (not fitted)"
    return f"| {part}{option} | {name} | {place} | {way} | {harness(wire).between} |"


def diagram(pins: Pins) -> dict[str, Any]:
    """Return the WireViz description: the header on the left, a cable to each part on the right.

    Parts that are not fitted are left out, but for the I2C bus, which is drawn as the way to extend the table.
    """
    used: dict[int, str] = {}
    connectors: dict[str, Any] = {}
    cables: dict[str, Any] = {}
    connections: list[Any] = []
    for number, wires in enumerate(_groups(pins), start=1):
        ends = _ends(wires, harness(wires[0]))
        used |= {pin: label for pin, label, _ in ends}
        title, cable = harness(wires[0]).title, f"W{number}"
        connectors[title] = _connector(harness(wires[0]), [name for *_, name in ends])
        cables[cable] = {"wirecount": len(ends), "colors": _colours(ends), "category": "bundle"}
        span = list(range(1, len(ends) + 1))
        connections.append([{"Raspberry Pi": [pin for pin, *_ in ends]}, {cable: span}, {title: span}])
    connectors = {"Raspberry Pi": _header(used), **connectors}
    return {"connectors": connectors, "cables": cables, "connections": connections}


def _groups(pins: Pins) -> list[list[Wire]]:
    """Return the wires of each fitted part, parts in the order of their first place on the header."""
    parts = ([wire for wire in pins.wires if wire.part == part and wire.fitted] for part in HARNESSES)
    return sorted(filter(None, parts), key=lambda wires: physical(wires[0].gpio or 0))


def _ends(wires: list[Wire], cable: Harness) -> list[tuple[int, str, str]]:
    """Return a cable's wires: header pin, its label there, its name at the part; supply and ground last."""
    ends = [
        (physical(wire.gpio), f"GPIO {wire.gpio}", cable.title if wire.key == "gpio" else wire.key)
        for wire in wires
        if wire.gpio is not None
    ]
    named = [(pin, label, "signal" if name == cable.title else name) for pin, label, name in ends]
    first = wires[0].gpio or 0
    if cable.supply == 5.0:
        named.append((VOLTS_5[0] if first % 2 else VOLTS_5[1], "5V", "5V"))
    elif cable.supply:
        named.append((VOLTS_3[0], "3V3", "3V3"))
    return [*named, (nearest_ground(first), "GND", "GND")]


def _connector(cable: Harness, names: list[str]) -> dict[str, Any]:
    return {"type": cable.title, "show_name": False, "show_pincount": False, "pinlabels": names, "notes": cable.between}


def _colours(ends: list[tuple[int, str, str]]) -> list[str]:
    return [SUPPLY_COLOURS.get(label, COLOURS[place % len(COLOURS)]) for place, (_, label, _) in enumerate(ends)]


def _header(used: dict[int, str]) -> dict[str, Any]:
    pins = sorted(used)
    return {
        "type": "Raspberry Pi",
        "subtype": "40-pin header, numbers as printed on pinout cards",
        "show_name": False,
        "show_pincount": False,
        "pins": pins,
        "pinlabels": [used[pin] for pin in pins],
    }
