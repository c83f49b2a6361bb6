"""The configuration: one `undercup.toml`, made at the first start with a comment for every key.

The keys, what they mean and what is right stand here only; the file, `undercup config` and the messages come from them.

>>> effective(parse("[web]\\nport = 8100\\n", "undercup.toml")).settings.web.port
8100
>>> parse("[web]\\nport = 70000\\n", "undercup.toml")
Traceback (most recent call last):
...
device.config.ConfigTrouble: undercup.toml, line 2: port in [web] is a whole number from 0 to 65535, not 70000.
"""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

#: The file's name in the data folder.
FILE_NAME = "undercup.toml"


class ConfigTrouble(Exception):
    """The configuration cannot be used: the key, its line and what would be right, in one sentence."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What a key means, what is right for it in words, and the test of it."""

    meaning: str
    right: str
    fits: Callable[[Any], bool]


def _key(default: Any, meaning: str, right: str, fits: Callable[[Any], bool]) -> Any:
    return field(default=default, metadata={"rule": Rule(meaning, right, fits)})


def _text(default: str, meaning: str, right: str = "a text in quotes") -> Any:
    return _key(default, meaning, right, lambda value: isinstance(value, str))


def _choice(default: str, meaning: str, *choices: str) -> Any:
    right = "one of " + ", ".join(f'"{choice}"' for choice in choices)
    return _key(default, meaning, right, lambda value: value in choices)


def _whole(default: int, meaning: str, low: int, high: int) -> Any:
    return _key(default, meaning, f"a whole number from {low} to {high}", lambda v: type(v) is int and low <= v <= high)


def _number(default: float, meaning: str, low: float, high: float) -> Any:
    right = f"a number from {low:g} to {high:g}"
    return _key(default, meaning, right, lambda value: type(value) in (int, float) and low <= value <= high)


def _switch(default: bool, meaning: str) -> Any:
    return _key(default, meaning, "true or false", lambda value: isinstance(value, bool))


@dataclass(frozen=True, slots=True)
class Web:
    """The pages: phones, the screen, the host."""

    host: str = _text("0.0.0.0", "Address to listen on; 127.0.0.1 shuts out everybody but this machine.")
    port: int = _whole(8000, "Port of the pages; 0: any free one.", 0, 65535)
    address: str = _text("", "Address that phones are told, such as 192.168.4.1; empty: this machine's own, as found.")


@dataclass(frozen=True, slots=True)
class Host:
    """The one who looks after the table."""

    pin: str = _key(
        "",
        "PIN of the host's page; empty: one is made at the first start and kept.",
        "empty, or four to twelve digits in quotes",
        lambda value: isinstance(value, str) and re.fullmatch(r"|\d{4,12}", value) is not None,
    )


@dataclass(frozen=True, slots=True)
class Tray:
    """The tray and the dice on it."""

    camera: str = _text(
        "auto",
        'Which camera looks up: "auto", "pi", "usb", "usb:2" for the third, "none", a folder of pictures, or a film.',
    )
    set: str = _text("", "Name of the enrolled set of poker dice; empty: the only one there is.")
    pips: str = _text(
        "pips", 'Set for games with pip dice: "pips" reads those of any pub, or the name of an enrolled one.'
    )
    view: str = _choice("below", "Where the camera is: below the glass, or above the tray.", "below", "above")


@dataclass(frozen=True, slots=True)
class Camera:
    """How the Pi's camera looks; nothing is left to its automatics, for a table's light does not change."""

    exposure_us: int = _whole(
        5000, "Exposure in microseconds: longer is brighter, and smears what moves.", 100, 100_000
    )
    gain: float = _number(1.5, "Amplification of the sensor: more is brighter and noisier.", 1.0, 16.0)
    red: float = _number(2.0, "White balance: amplification of red.", 0.1, 8.0)
    blue: float = _number(1.8, "White balance: amplification of blue.", 0.1, 8.0)
    focus: float = _number(6.0, "Focus in dioptres (1 over metres); -1: a camera that cannot focus.", -1.0, 32.0)
    fps: float = _number(15.0, "Frames a second.", 1.0, 56.0)


@dataclass(frozen=True, slots=True)
class Console:
    """Buttons, knob and lamps on the Pi's pins, wired as pins.toml says."""

    fitted: str = _choice(
        "auto", 'Whether there is a console; "auto": on a Raspberry Pi there is.', "auto", "yes", "no"
    )


@dataclass(frozen=True, slots=True)
class Sound:
    """Cues and voice. What the host chooses on his page since stays in force until these lines are changed."""

    on: bool = _switch(True, "Whether the table makes any sound.")
    volume: int = _whole(70, "How loud, in per cent.", 0, 100)
    voice: bool = _switch(True, "Whether announcements are spoken, where espeak-ng is installed.")
    language: str = _text(
        "en-gb",
        'Voice of espeak-ng that speaks; "de" and "es" speak German and Spanish, others English.',
        'the name of a voice, such as "en-gb"',
    )


@dataclass(frozen=True, slots=True)
class Journal:
    """What is kept."""

    pictures: int = _whole(20, "For how many games the photographs of the tray are kept.", 1, 10_000)


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole configuration, a section a field."""

    web: Web = field(default_factory=Web)
    host: Host = field(default_factory=Host)
    tray: Tray = field(default_factory=Tray)
    camera: Camera = field(default_factory=Camera)
    console: Console = field(default_factory=Console)
    sound: Sound = field(default_factory=Sound)
    journal: Journal = field(default_factory=Journal)


@dataclass(frozen=True, slots=True)
class Given:
    """One value that somebody gave, and where."""

    section: str
    key: str
    value: Any
    origin: str


@dataclass(frozen=True, slots=True)
class Effective:
    """The settings in force, and where each came from: `origins["web.port"]`; what is not there is the default."""

    settings: Settings
    origins: Mapping[str, str]

    def origin(self, section: str, key: str) -> str:
        """Return where the value of a key came from."""
        return self.origins.get(f"{section}.{key}", "default")


def sections() -> dict[str, type]:
    """Return the sections by name, in the order of the file."""
    return {part.name: type(getattr(Settings(), part.name)) for part in fields(Settings)}


def rules(section: str) -> dict[str, Rule]:
    """Return the rule of each key of a section."""
    return {part.name: part.metadata["rule"] for part in fields(sections()[section])}


def written(value: Any) -> str:
    """Return a value as TOML writes it.

    >>> written("a \\"b\\""), written(True), written(7)
    ('"a \\\\"b\\\\""', 'true', '7')
    """
    return json.dumps(value, ensure_ascii=False)


def template() -> str:
    """Return the file as it is made at the first start: every key, commented out, at its default."""
    lines = ["# Undercup's configuration. A line without its # counts; the values here are the defaults.", ""]
    for section, kind in sections().items():
        lines += [f"# {(kind.__doc__ or '').strip()}", f"[{section}]"]
        for key, rule in rules(section).items():
            lines += [
                f"# {rule.meaning}",
                f"# Right is {rule.right}.",
                f"# {key} = {written(getattr(kind(), key))}",
                "",
            ]
    return "\n".join(lines)


def parse(text: str, name: str) -> tuple[Given, ...]:
    """Return the values that the file's `text` gives; `name` is what the file is called in messages.

    Raises ConfigTrouble for text that is no TOML, an unknown section or key, or a bad value.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigTrouble(f"{name} cannot be read: {error}. Mend that line, or delete the file.") from error
    given: list[Given] = []
    for section, values in data.items():
        if section not in sections() or not isinstance(values, dict):
            raise ConfigTrouble(f"{name}, line {_line(text, None, section)}: {_misplaced(section, values)}")
        given += [_value(text, name, section, key, value) for key, value in values.items()]
    return tuple(given)


def _misplaced(name: str, value: Any) -> str:
    """Return what is wrong with a section that there is not, or with a key outside any section."""
    if isinstance(value, dict):
        return _unknown(f"section [{name}]", name, list(sections()))
    if name in sections():
        return f"{name} is a section: write [{name}] in a line of its own, and its keys below."
    homes = [f"[{section}]" for section in sections() if name in rules(section)]
    right = (
        f"it belongs below {' or '.join(homes)}" if homes else f"right are {', '.join(sections())}, each in brackets"
    )
    return f"the key {name!r} stands before any section: {right}."


def _value(text: str, name: str, section: str, key: str, value: Any) -> Given:
    line = _line(text, section, key)
    known = rules(section)
    if key not in known:
        raise ConfigTrouble(f"{name}, line {line}: {_unknown(f'key {key!r} in [{section}]', key, list(known))}")
    check(section, key, value, f"{name}, line {line}")
    return Given(section, key, value, f"{name}, line {line}")


def check(section: str, key: str, value: Any, where: str) -> None:
    """Raise ConfigTrouble if `value` is not right for the key; `where` says who gave it."""
    rule = rules(section)[key]
    if not rule.fits(value):
        raise ConfigTrouble(f"{where}: {key} in [{section}] is {rule.right}, not {value!r}.")


def _unknown(what: str, word: str, right: list[str]) -> str:
    close = get_close_matches(word, right, 1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    return f"there is no {what}.{hint} Right are: {', '.join(right)}."


def _line(text: str, section: str | None, key: str) -> int:
    """Return the number of the line that names `key` in `section` (None: a section or a key outside any)."""
    here: str | None = None
    wanted = re.compile(rf"\s*\[?\s*[\"']?{re.escape(key)}[\"']?\s*[\].=]")
    for number, line in enumerate(text.splitlines(), 1):
        if head := re.match(r"\s*\[\s*[\"']?([^\]\"']+?)[\"']?\s*\]", line):
            here = head.group(1)
        if (here == section or section is None) and wanted.match(line):
            return number
    return 1


def effective(*layers: tuple[Given, ...]) -> Effective:
    """Return the settings in force: the defaults, then each layer over what came before."""
    settings, origins = Settings(), {}
    for given in (given for layer in layers for given in layer):
        part = replace(getattr(settings, given.section), **{given.key: given.value})
        settings = replace(settings, **{given.section: part})
        origins[f"{given.section}.{given.key}"] = given.origin
    return Effective(settings, origins)


def load(folder: Path, *options: Given) -> Effective:
    """Return the settings of the data folder, with `options` of the command line over them.

    A missing file gives the defaults. Raises ConfigTrouble.
    """
    path = folder / FILE_NAME
    for option in options:
        check(option.section, option.key, option.value, option.origin)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return effective(options)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigTrouble(f"{path} cannot be read ({error}): put its rights or its text right.") from error
    return effective(parse(text, str(path)), options)


def make(folder: Path) -> None:
    """Write the commented file into the data folder if there is none. Raises OSError."""
    path = folder / FILE_NAME
    if not path.exists():
        path.write_text(template(), encoding="utf-8")
