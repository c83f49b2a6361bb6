"""Which wire goes to which pin: reads `hardware/pins.toml`, the one source of GPIO numbers, and refuses what clashes.

Nothing here touches a pin. The console opens what `load_pins` returns; the wiring table and diagram list `Pins.wires`.
"""

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

HEADER = {  # GPIO -> pin of the 40-pin header, the same on every Pi since 2014
    **{2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22},
    **{11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40},
}
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)  # pins of the header
HARDWARE_PWM = (12, 13, 18, 19)  # GPIOs that the Pi's PWM blocks can drive, on a Pi 5 as before
ADDON_EEPROM = (0, 1)  # the firmware talks there before Linux is up
BUS_1 = {"sda": 2, "scl": 3}  # the only bus with pull-ups on the board
LIGHT_HZ = 20_000  # at least: 100 whole periods in an exposure of 5 ms, so one more or less is 1 % of brightness
RING_HZ = 200  # at least: people see lamps flicker below about 100 Hz, and when they turn their heads below 200
# At most. Light: a MOSFET's slopes would eat the pulses. Ring: lgpio's own PWM ends at 10 kHz, and each of its edges
# wakes the processor, so from 2 kHz on it wanders and costs more than it gives.
LIGHT_HZ_MOST, RING_HZ_MOST = 50_000, 2_000
EXPANDER_LINES = tuple(f"{port}{bit}" for port in "AB" for bit in range(8))
OUTPUT_ONLY = ("A7", "B7")  # MCP23017 since its datasheet of 2022: inputs there can upset the bus
EXPANDER_ADDRESSES = range(0x20, 0x28)  # three address pins
BUS_ADDRESSES = range(0x08, 0x78)  # the others are reserved by I2C itself
MOST_SEATS = 12  # more pods than anybody wires

BUTTONS = ("accept", "challenge", "better", "undercall", "away")
PINS_OF = {  # section -> keys that hold a GPIO
    "buttons": BUTTONS,
    "mute": ("gpio",),
    "shutdown": ("gpio",),
    "encoder": ("a", "b", "push"),
    "status": ("red", "green", "blue"),
    "ring": ("gpio",),
    "light": ("gpio",),
    "buzzer": ("gpio",),
    "i2c": ("sda", "scl"),
    "oled": (),
    "expander": (),
}
NUMBERS_OF = {"ring": ("pwm_hz",), "light": ("pwm_hz", "percent"), "oled": ("address",), "expander": ("address",)}
OPTIONAL = ("mute", "shutdown", "encoder", "ring", "buzzer", "oled", "expander")
POD_KEYS = ("seat", "fitted", "accept", "challenge", "lamp")
OUTPUTS = ("status", "ring", "light", "buzzer")


class PinsError(Exception):
    """What is wrong in pins.toml, in which line, and what would be right."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire: from a part to a GPIO, or to a line of the expander (`gpio` is None, `line` such as "A0")."""

    part: str  # section of pins.toml; "pod 3" for a pod
    key: str
    gpio: int | None
    line: str | None
    fitted: bool

    @property
    def name(self) -> str:
        """Return the wire's name, such as "buttons.accept", "light" or "pod 3.lamp"."""
        return self.part if self.key == "gpio" else f"{self.part}.{self.key}"

    @property
    def is_output(self) -> bool:
        """Return True if the Pi drives the wire, False if it listens."""
        return self.part in OUTPUTS or self.key == "lamp"


@dataclass(frozen=True, slots=True)
class Encoder:
    """GPIOs of the rotary encoder's two contacts and of its push."""

    a: int
    b: int
    push: int


@dataclass(frozen=True, slots=True)
class Colours:
    """GPIOs of the three legs of the status LED."""

    red: int
    green: int
    blue: int


@dataclass(frozen=True, slots=True)
class Lamp:
    """GPIO of a lamp, the frequency of its PWM in Hz, and how bright it is of full."""

    gpio: int
    pwm_hz: int
    percent: int = 100


@dataclass(frozen=True, slots=True)
class Pod:
    """A seat's two buttons and lamp: GPIOs, or lines of the expander such as "A0"; never a mixture."""

    seat: int
    accept: int | str
    challenge: int | str
    lamp: int | str

    @property
    def on_expander(self) -> bool:
        """Return True if the pod hangs on the expander instead of the header."""
        return isinstance(self.accept, str)


@dataclass(frozen=True, slots=True)
class Pins:
    """All pins of a table, checked. What is not fitted is None; `wires` lists every wire, fitted or not.

    `shutdown` belongs to the kernel (its gpio-shutdown overlay): the table's program never opens it.
    """

    accept: int
    challenge: int
    better: int
    undercall: int
    away: int
    light: Lamp
    status: Colours
    mute: int | None
    shutdown: int | None
    encoder: Encoder | None
    ring: Lamp | None
    buzzer: int | None
    oled: int | None  # I2C address
    expander: int | None  # I2C address
    pods: tuple[Pod, ...]
    wires: tuple[Wire, ...]
    reserved: tuple[tuple[int, str], ...]

    @property
    def buttons(self) -> dict[str, int]:
        """Return the GPIO of each of the console's five buttons by name."""
        return {name: getattr(self, name) for name in BUTTONS}

    @property
    def free(self) -> tuple[int, ...]:
        """Return the GPIOs that no wire uses and nothing reserves."""
        return free_gpios(self.wires, dict(self.reserved))


def physical(gpio: int) -> int:
    """Return the pin of the 40-pin header where `gpio` comes out.

    >>> physical(18)
    12
    """
    return HEADER[gpio]


def nearest_ground(gpio: int) -> int:
    """Return the ground pin of the header nearest to `gpio`'s pin, rows of the header counted as steps.

    >>> nearest_ground(18)
    14
    """
    pin = physical(gpio)
    return min(GROUNDS, key=lambda ground: (abs((ground + 1) // 2 - (pin + 1) // 2), ground % 2 != pin % 2, ground))


def packaged_pins() -> Path:
    """Return the path of the `pins.toml` that came with the program, from a clone or from a wheel alike."""
    return Path(str(resources.files("hardware").joinpath("pins.toml")))


def load_pins(path: Path | None = None) -> Pins:
    """Read and check a pins file (the packaged one if None) and return it; `PinsError` names file, line and key."""
    source = packaged_pins() if path is None else path
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PinsError(f"{source} cannot be read ({error}), so the buttons and lamps cannot be opened.") from error
    try:
        return parse_pins(text)
    except PinsError as error:
        raise PinsError(f"{source}, {error}") from error


def parse_pins(text: str) -> Pins:
    """Return the pins that `text` (TOML) describes; `PinsError` names line and key."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PinsError(f"not TOML: {error}") from error
    return _Reader(data, text).pins()


def free_gpios(wires: tuple[Wire, ...], reserved: Mapping[int, str]) -> tuple[int, ...]:
    """Return the GPIOs of the header that neither `wires` nor `reserved` take, ascending."""
    taken = {wire.gpio for wire in wires} | set(reserved) | set(ADDON_EEPROM)
    return tuple(sorted(set(HEADER) - taken))


def line_of(text: str, section: str, key: str = "") -> int:
    """Return the line of `key` in `[section]` of TOML `text`, else of the section's head, else 1.

    A section of a list is written with its index from 0: "pods 2".

    >>> line_of("[light]\\ngpio = 18\\n", "light", "gpio")
    2
    """
    here, found, count = "", 1, 0
    for number, line in enumerate(text.splitlines(), start=1):
        if head := re.match(r"\s*\[(\[?)\s*([\w-]+)\s*\]", line):
            here = f"{head[2]} {count}" if head[1] else head[2]
            count += bool(head[1])
            found = number if here == section else found
        elif here == section and key and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
            return number
    return found


class _Reader:
    """Checks parsed TOML piece by piece; every complaint finds its line in the text."""

    def __init__(self, data: dict[str, Any], text: str) -> None:
        self.data, self.text = data, text

    def pins(self) -> Pins:
        """Check everything and return the pins."""
        self._known_names(self.data, [*PINS_OF, "pods", "reserved"], "", "section")
        reserved = self._reserved()
        wires = (*self._header_wires(), *self._pod_wires())
        self._bus()
        self._lamps()
        self._no_clash(wires, reserved)
        return self._assemble(wires, reserved)

    def _assemble(self, wires: tuple[Wire, ...], reserved: dict[int, str]) -> Pins:
        data = {name: self._section(name) for name in PINS_OF}

        def pin(name: str, key: str = "gpio") -> int | None:
            return int(data[name][key]) if data[name].get("fitted", True) else None

        return Pins(
            **{name: data["buttons"][name] for name in BUTTONS},
            light=Lamp(*(data["light"][key] for key in ("gpio", "pwm_hz", "percent"))),
            status=Colours(**data["status"]),
            mute=pin("mute"),
            shutdown=pin("shutdown"),
            encoder=Encoder(*(data["encoder"][key] for key in ("a", "b", "push"))) if pin("encoder", "a") else None,
            ring=Lamp(data["ring"]["gpio"], data["ring"]["pwm_hz"]) if pin("ring") else None,
            buzzer=pin("buzzer"),
            oled=pin("oled", "address"),
            expander=pin("expander", "address"),
            pods=self._pods(),
            wires=wires,
            reserved=tuple(sorted(reserved.items())),
        )

    def _section(self, name: str) -> dict[str, Any]:
        """Return a section with exactly its keys, each of its type."""
        section = self.data.get(name)
        if not isinstance(section, dict):
            raise self._error(name, "", f"[{name}] is missing; copy it from the pins.toml that came with the program")
        numbers = (*PINS_OF[name], *NUMBERS_OF.get(name, ()))
        self._keys(section, name, [*numbers, *(["fitted"] if name in OPTIONAL else [])])
        for key in numbers:
            self._whole_number(section[key], name, key)
        self._is_fitted(section, name)
        return section

    def _is_fitted(self, section: dict[str, Any], name: str) -> bool:
        fitted = section.get("fitted", True)
        if not isinstance(fitted, bool):
            raise self._error(name, "fitted", f"fitted is {fitted!r}; it is true or false")
        return fitted

    def _keys(self, section: dict[str, Any], name: str, keys: list[str]) -> None:
        self._known_names(section, keys, name, "key")
        for key in keys:
            if key not in section:
                raise self._error(name, "", f"[{name.split()[0]}] lacks '{key}'")

    def _known_names(self, found: Mapping[str, Any], known: list[str], section: str, kind: str) -> None:
        for name in found:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean '{near[0]}'?" if near else f"known here: {', '.join(known)}"
                where, key = (section, name) if section else (name, "")
                raise self._error(where, key, f"there is no {kind} '{name}'; {hint}")

    def _whole_number(self, value: Any, section: str, key: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._error(section, key, f"{section}.{key} is {value!r}; it must be a whole number")
        return value

    def _gpio(self, value: Any, section: str, key: str) -> int:
        number = self._whole_number(value, section, key)
        if number not in HEADER:
            raise self._error(section, key, f"{section}.{key} = {number}: the header has GPIO 0 to 27 only")
        return number

    def _header_wires(self) -> Iterator[Wire]:
        for name, keys in PINS_OF.items():
            section = self._section(name)
            for key in keys:
                yield Wire(name, key, self._gpio(section[key], name, key), None, section.get("fitted", True))

    def _pod_tables(self) -> list[dict[str, Any]]:
        tables = self.data.get("pods", [])
        if not isinstance(tables, list):
            raise self._error("pods", "", "pods are written as [[pods]], a table for each")
        return tables

    def _pod_wires(self) -> Iterator[Wire]:
        seats: set[int] = set()
        for index, table in enumerate(self._pod_tables()):
            place = f"pods {index}"
            self._keys(table, place, list(POD_KEYS))
            seat = self._whole_number(table["seat"], place, "seat")
            if seat in seats or not 1 <= seat <= MOST_SEATS:
                raise self._error(place, "seat", f"seat {seat}: each pod has its own seat, from 1 to {MOST_SEATS}")
            seats.add(seat)
            yield from self._wires_of_pod(table, place)

    def _wires_of_pod(self, table: dict[str, Any], place: str) -> Iterator[Wire]:
        part, fitted = f"pod {table['seat']}", self._is_fitted(table, place)
        on_expander = isinstance(table["accept"], str)
        if on_expander and fitted and self._section("expander")["fitted"] is not True:
            raise self._error(place, "fitted", f"{part} hangs on the expander, but expander.fitted is false")
        for key in ("accept", "challenge", "lamp"):
            if isinstance(table[key], str) != on_expander:
                raise self._error(place, key, f"{part}: all three wires go to the header or all three to the expander")
            if on_expander:
                yield Wire(part, key, None, self._line(table[key], place, key), fitted)
            else:
                yield Wire(part, key, self._gpio(table[key], place, key), None, fitted)

    def _line(self, line: str, place: str, key: str) -> str:
        if line not in EXPANDER_LINES:
            raise self._error(place, key, f"{key} = {line!r}: the expander's lines are A0 to A7 and B0 to B7")
        if line in OUTPUT_ONLY and key != "lamp":
            raise self._error(place, key, f"{key} = {line!r}: A7 and B7 of an MCP23017 can drive a lamp but not listen")
        return line

    def _pods(self) -> tuple[Pod, ...]:
        keys = ("seat", "accept", "challenge", "lamp")
        return tuple(Pod(*(table[key] for key in keys)) for table in self._pod_tables() if table["fitted"] is True)

    def _reserved(self) -> dict[int, str]:
        section = self.data.get("reserved", {})
        for key in section:
            if not key.isdigit():
                raise self._error("reserved", key, f"reserved.{key}: write the number of a GPIO and the reason")
            self._gpio(int(key), "reserved", key)
        default = dict.fromkeys(ADDON_EEPROM, "the Pi reads the EEPROM of an add-on board here")
        return default | {int(key): str(reason) for key, reason in section.items()}

    def _no_clash(self, wires: tuple[Wire, ...], reserved: dict[int, str]) -> None:
        owners: dict[int | str | None, Wire] = {}
        free = ", ".join(map(str, free_gpios(wires, reserved))) or "none, so drop a part that is not fitted"
        for wire in wires:
            place = wire.gpio if wire.line is None else wire.line
            if wire.gpio in reserved:
                reason = reserved[wire.gpio]
                raise self._wire_error(wire, f"{wire.name} = {place} is reserved ({reason}); free: {free}")
            if place in owners:
                other = self._line_of_wire(owners[place])
                taken = f"{wire.name} = {place} is taken by {owners[place].name} in line {other}"
                raise self._wire_error(wire, f"{taken}; give one of them another pin, free: {free}")
            owners[place] = wire

    def _bus(self) -> None:
        for key, gpio in BUS_1.items():
            if self.data["i2c"][key] != gpio:
                raise self._error("i2c", key, f"i2c.{key} is GPIO {gpio} on every Pi and cannot move")
        oled, expander = self.data["oled"]["address"], self.data["expander"]["address"]
        if oled not in BUS_ADDRESSES:
            raise self._error("oled", "address", f"oled.address = {oled:#x}: I2C devices have 0x08 to 0x77")
        if expander not in EXPANDER_ADDRESSES:
            raise self._error("expander", "address", f"expander.address = {expander:#x}: an MCP23017 has 0x20 to 0x27")
        if oled == expander:
            raise self._error("expander", "address", f"expander.address = {expander:#x} is the display's too")

    def _lamps(self) -> None:
        light = self.data["light"]
        if light["gpio"] not in HARDWARE_PWM:
            raise self._error("light", "gpio", f"light.gpio = {light['gpio']} has no hardware PWM; 12, 13, 18, 19 have")
        if not 1 <= light["percent"] <= 100:
            raise self._error("light", "percent", f"light.percent = {light['percent']}: from 1 to 100, which is full")
        for name, least, most in (("light", LIGHT_HZ, LIGHT_HZ_MOST), ("ring", RING_HZ, RING_HZ_MOST)):
            hz = self.data[name]["pwm_hz"]
            if hz < least:
                raise self._error(name, "pwm_hz", f"{name}.pwm_hz = {hz} flickers; at least {least}")
            if hz > most:
                raise self._error(name, "pwm_hz", f"{name}.pwm_hz = {hz} is more than can be made well; at most {most}")

    def _line_of_wire(self, wire: Wire) -> int:
        for index, table in enumerate(self._pod_tables()):
            if wire.part == f"pod {table['seat']}":
                return line_of(self.text, f"pods {index}", wire.key)
        return line_of(self.text, wire.part, wire.key)

    def _wire_error(self, wire: Wire, message: str) -> PinsError:
        return PinsError(f"line {self._line_of_wire(wire)}: {message}.")

    def _error(self, section: str, key: str, message: str) -> PinsError:
        end = "" if message.endswith("?") else "."
        return PinsError(f"line {line_of(self.text, section, key)}: {message}{end}")
