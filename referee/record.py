"""Game records (`.liar`): a text that replays to the same game, one act a line."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from referee.act import Act, parse_act
from referee.errors import Malformed
from referee.setup import Setup

_HEADERS = ("game", "seats", "house", "dice", "start")
EXPECTATIONS = (
    "record",
    "lives",
    "dice",
    "starter",
    "to-act",
    "phase",
    "winner",
    "places",
    "dog",
    "refused",
    "announced",
)


@dataclass(frozen=True, slots=True)
class Expectation:
    """A line beginning with `!`: what the record says about the state, or about the act just before it."""

    what: str
    value: str

    def __str__(self) -> str:
        """Return the line."""
        return f"! {self.what} {self.value}"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a record that says something, with its number in the text."""

    number: int
    content: Act | Expectation


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it was read: its name, the setup, and its lines in order."""

    name: str
    setup: Setup
    lines: tuple[Line, ...]

    @property
    def acts(self) -> tuple[Act, ...]:
        """The acts alone; some of them may be there because they are refused."""
        return tuple(line.content for line in self.lines if isinstance(line.content, Act))


def read_record(text: str, name: str = "record") -> Record:
    """Return what the text records. `Malformed`, naming `name`, the line and the reason, if it is damaged.

    >>> record = read_record("game: one-cup\\nseats: a b\\nstart: a\\na rolls 5: TTAQ9\\n! phase to-say")
    >>> [str(line.content) for line in record.lines]
    ['a rolls 5: TTAQ9', '! phase to-say']
    """
    headers: dict[str, str] = {}
    setup: Setup | None = None
    lines: list[Line] = []
    number = 1  # what an empty text lacks, it lacks in its first line
    try:
        for number, line in _said(text):
            key, colon, value = line.partition(":")
            if colon and key.strip() in _HEADERS:
                _keep_header(headers, key.strip(), value.strip(), too_late=setup is not None)
                continue
            setup = setup or _setup(headers)
            lines.append(Line(number, _expectation(line) if line.startswith("!") else parse_act(line, setup)))
        return Record(name, setup or _setup(headers), tuple(lines))
    except Malformed as error:
        raise Malformed(f"{name}, line {number}: {error.message}", error.code) from error


def _said(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that say something, with their numbers from 1; comments are cut off."""
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        line = raw.split("#", 1)[0].strip()
        if line:
            yield number, line


def _keep_header(headers: dict[str, str], key: str, value: str, too_late: bool) -> None:
    if too_late:
        raise Malformed(f"'{key}:' comes too late: headers stand before the first act.")
    if key in headers:
        raise Malformed(f"'{key}:' is there twice.")
    headers[key] = value


def _setup(headers: Mapping[str, str]) -> Setup:
    """Return the setup that the headers describe."""
    for key in ("game", "seats"):
        if not headers.get(key):
            raise Malformed(f"The header '{key}:' is missing.")
    seats = tuple(headers["seats"].split())
    house = dict(_option(part) for part in headers.get("house", "").split(",") if part.strip())
    return Setup(headers["game"], seats, house, headers.get("dice"), headers.get("start"))


def _option(part: str) -> tuple[str, str]:
    name, equals, value = part.partition("=")
    if not equals:
        raise Malformed(f"'{part.strip()}' is no house rule: write option=value.")
    return name.strip(), value.strip()


def _expectation(line: str) -> Expectation:
    what, _, value = line[1:].strip().partition(" ")
    if what not in EXPECTATIONS or not value.strip():
        raise Malformed(f"'{line}' is no expectation: '!' and one of {', '.join(EXPECTATIONS)}, and a value.")
    return Expectation(what, " ".join(value.split()))


def write_record(setup: Setup, acts: Iterable[Act], remarks: Mapping[int, str] | None = None) -> str:
    """Return the record of a game. `remarks` are comments by the place of the act that they follow, from 0: who
    corrected a reading and why, for example. `read_record` gives setup and acts back."""
    house = ", ".join(f"{name}={value}" for name, value in setup.house.as_dict(setup.game).items())
    headers = {"game": setup.game, "seats": " ".join(setup.seats), "house": house, "dice": setup.dice}
    headers |= {"start": setup.start} if setup.start else {}
    remarks = remarks or {}
    lines = [f"{key}: {value}" for key, value in headers.items()]
    for place, act in enumerate(acts):
        remark = " ".join(remarks.get(place, "").split())
        lines.append(f"{act}  # {remark}" if remark else str(act))
    return "\n".join(lines) + "\n"
