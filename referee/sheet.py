"""The rules in force in players' words: the start page's sheet, and the tables of `docs/rules.md`.

`python -m referee.sheet` prints those tables.
"""

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from referee.errors import REFUSALS
from referee.house import GAMES, HouseOption, house_options
from referee.setup import Setup


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One rule for players. `option` is the house option that settles it, if one does; `chosen` says how it stands."""

    rule: str
    text: str
    option: str | None
    chosen: str | None


def rules_sheet(setup: Setup) -> tuple[SheetLine, ...]:
    """Return the rules of the setup's game, in order, with what this house has chosen.

    >>> [line.chosen for line in rules_sheet(Setup("one-cup", ("a", "b"), {"lives": 2})) if line.rule == "A5"]
    ['Everybody starts with 2 lives.']
    """
    values = setup.house.as_dict(setup.game)
    chosen = {option.name: _sentence(option, values[option.name]) for option in house_options(setup.game)}
    return tuple(
        SheetLine(line["rule"], line["text"], line.get("house"), chosen.get(line.get("house", "")))
        for line in _lines()[setup.game]
    )


def _sentence(option: HouseOption, value: str) -> str:
    return option.sentences[option.values.index(value)]


@cache
def _lines() -> dict[str, list[dict[str, str]]]:
    return tomllib.loads(files("referee").joinpath("words", "rules.toml").read_text("utf-8"))


def rules_table(game: str) -> Iterator[str]:
    """Yield the lines of a Markdown table of all rules of a game."""
    yield from ("| rule | what it says | house rule |", "| --- | --- | --- |")
    for line in _lines()[game]:
        option = f"`{line['house']}`" if "house" in line else ""
        yield f"| {line['rule']} | {line['text']} | {option} |"


def house_table(game: str) -> Iterator[str]:
    """Yield the lines of a Markdown table of a game's house rules, the default of each in bold."""
    yield from ("| house rule | settles | value | what it means |", "| --- | --- | --- | --- |")
    for option in house_options(game):
        for value, sentence in zip(option.values, option.sentences, strict=True):
            shown = f"**{value}**" if value == option.default else value
            yield f"| `{option.name}` | {option.rule} | {shown} | {sentence} |"


def refusals_table() -> Iterator[str]:
    """Yield the lines of a Markdown table of all refusal codes."""
    yield from ("| code | when |", "| --- | --- |")
    for code, when in REFUSALS.items():
        yield f"| `{code}` | {when} |"


def tables() -> dict[str, str]:
    """Return every table of `docs/rules.md` by name."""
    found = {f"rules of {game}": rules_table(game) for game in GAMES}
    found |= {f"house rules of {game}": house_table(game) for game in GAMES}
    found["refusals"] = refusals_table()
    return {name: "\n".join(lines) for name, lines in found.items()}


if __name__ == "__main__":
    sys.stdout.writelines(f"## {name}\n\n{table}\n\n" for name, table in tables().items())
