"""The questions that groups settle differently: each option, its values, its default, and a sentence for each value."""

from collections.abc import Mapping
from dataclasses import dataclass

from referee.errors import Malformed

ONE_CUP = "one-cup"
COMMON_HAND = "common-hand"
GAMES = (ONE_CUP, COMMON_HAND)


@dataclass(frozen=True, slots=True)
class HouseOption:
    """One `house:` option: `sentences[i]` says what `values[i]` means, `rule` names the rule that it settles."""

    name: str
    rule: str
    title: str
    values: tuple[str, ...]
    default: str
    sentences: tuple[str, ...]


def _counted(one: str, many: str, most: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the values 1 to `most` and their sentences, for an option that counts something."""
    values = tuple(str(n) for n in range(1, most + 1))
    return values, tuple(f"Everybody starts with {n} {one if n == '1' else many}." for n in values)


_LIVES, _LIVES_SAID = _counted("life", "lives", 9)
_DICE, _DICE_SAID = _counted("die", "dice", 6)

_OPTIONS: dict[str, tuple[HouseOption, ...]] = {
    ONE_CUP: (
        HouseOption("lives", "A5", "Lives", _LIVES, "3", _LIVES_SAID),
        HouseOption(
            "undercall",
            "A20",
            "A bid that does not beat the last one",
            ("silent", "announced", "players"),
            "silent",
            (
                "It counts as 'better'; nobody is told before the dice are shown.",
                "It counts as 'better', and the table says so at once.",
                "It stands as said until a player points it out, at the latest before the verdict.",
            ),
        ),
        HouseOption(
            "miscount",
            "A8",
            "Declaring a false number of dice",
            ("log", "announce", "life"),
            "announce",
            (
                "It is written down and nothing is said.",
                "The table says so, and it costs nothing.",
                "The table says so, and it costs a life.",
            ),
        ),
        HouseOption(
            "five-aces",
            "A26",
            "Who accepts five aces",
            ("three-rolls", "one-roll", "must-challenge"),
            "three-rolls",
            (
                "He rolls all five, then any number twice more, and needs five aces.",
                "He rolls all five once and needs five aces.",
                "Nobody may accept five aces: they must be challenged.",
            ),
        ),
        HouseOption(
            "dog",
            "A28",
            "The dog's life",
            ("on", "off"),
            "on",
            (
                "Once a game, whoever loses his last life may bark for one more.",
                "Whoever loses his last life is out.",
            ),
        ),
        HouseOption(
            "screen",
            "A33",
            "What the screen tells",
            ("pub", "words", "ladder"),
            "pub",
            (
                "Lives, turn, dice rolled, five aces and verdicts: the bids are for the memory.",
                "Also the last words that were said.",
                "Also the claim that has to be beaten.",
            ),
        ),
    ),
    COMMON_HAND: (
        HouseOption("dice", "B1", "Dice", _DICE, "5", _DICE_SAID),
        HouseOption(
            "raise",
            "B6",
            "What a raise is",
            ("face-first", "quantity-first"),
            "face-first",
            (
                "More of the same face, or any quantity of a higher face.",
                "More dice of any face, or as many of a higher face.",
            ),
        ),
    ),
}


def house_options(game: str) -> tuple[HouseOption, ...]:
    """Return the options of `game` in the order in which a start page asks them; `Malformed` for an unknown game."""
    if game not in _OPTIONS:
        raise Malformed(f"There is no game '{game}': it is one of {', '.join(GAMES)}.")
    return _OPTIONS[game]


@dataclass(frozen=True, slots=True)
class House:
    """The rules in force. A game looks at its own options only; the others keep their defaults."""

    lives: int = 3
    undercall: str = "silent"
    miscount: str = "announce"
    five_aces: str = "three-rolls"
    dog: str = "on"
    screen: str = "pub"
    dice: int = 5
    raise_: str = "face-first"

    @classmethod
    def of(cls, game: str, chosen: Mapping[str, object]) -> "House":
        """Return the house rules of `game` with the options `chosen` by name; `Malformed` if one does not exist."""
        options = {option.name: option for option in house_options(game)}
        for name, value in chosen.items():
            if name not in options:
                raise Malformed(f"'{name}' is no house rule of {game}: there are {', '.join(options)}.")
            if str(value) not in options[name].values:
                raise Malformed(f"'{name}={value}' is no choice: it is one of {', '.join(options[name].values)}.")
        given = {_field(name): str(value) for name, value in chosen.items()}
        return cls(**{name: int(value) if value.isdigit() else value for name, value in given.items()})  # type: ignore[arg-type]

    def as_dict(self, game: str) -> dict[str, str]:
        """Return every option of `game` by name with its value in force."""
        return {option.name: str(getattr(self, _field(option.name))) for option in house_options(game)}


def _field(name: str) -> str:
    """Return the attribute of `House` that holds option `name`."""
    return "raise_" if name == "raise" else name.replace("-", "_")
