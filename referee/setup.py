"""What is agreed before play: the game, the seats, the house rules, the dice, and perhaps who starts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.errors import Malformed
from referee.hand import FACES, PIPS
from referee.house import COMMON_HAND, GAMES, ONE_CUP, House

TABLE = "table"
_DICE = {ONE_CUP: ("poker",), COMMON_HAND: ("pips", "poker")}
_FACES = {"poker": FACES, "pips": PIPS[::-1]}
_FORBIDDEN = set(",:=+#!")


@dataclass(frozen=True, slots=True, init=False)
class Setup:
    """A game before its first act. Seats are names in clockwise order, one word each."""

    game: str
    seats: tuple[str, ...]
    house: House
    dice: str
    start: str | None
    index: dict[str, int] = field(init=False, compare=False, repr=False)

    def __init__(
        self,
        game: str,
        seats: Sequence[str],
        house: House | Mapping[str, object] | None = None,
        dice: str | None = None,
        start: str | None = None,
    ) -> None:
        """Check everything and put the defaults in; `Malformed` says what is wrong.

        `house` may name some options only; `dice` is `poker` or `pips`, by default what the game is played with;
        `start` names the seat that starts, else starting rolls decide.
        """
        if game not in GAMES:
            raise Malformed(f"There is no game '{game}': it is one of {', '.join(GAMES)}.")
        seats = _checked_seats(seats)
        dice = dice or _DICE[game][0]
        if dice not in _DICE[game]:
            raise Malformed(f"{game} is not played with '{dice}' dice: {' or '.join(_DICE[game])}.")
        if start is not None and start not in seats:
            raise Malformed(f"'{start}' cannot start: there is no such seat.")
        house = House.of(game, house.as_dict(game) if isinstance(house, House) else house or {})
        index = {seat: number for number, seat in enumerate(seats)}
        for name, value in zip(self.__slots__, (game, seats, house, dice, start, index), strict=True):
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        """Hash what two equal setups share."""
        return hash((self.game, self.seats, self.house, self.dice, self.start))

    @property
    def faces(self) -> str:
        """The faces of these dice, best first."""
        return _FACES[self.dice]

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON data from which `Setup.of` makes the same setup."""
        house = self.house.as_dict(self.game)
        return {"game": self.game, "seats": list(self.seats), "house": house, "dice": self.dice, "start": self.start}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Setup":
        """Return the setup that `as_dict` described; `Malformed` if it is none."""
        try:
            return cls(
                data["game"], tuple(data["seats"]), **{k: data[k] for k in ("house", "dice", "start") if k in data}
            )
        except (KeyError, TypeError) as error:
            raise Malformed(f"This is no setup of a game: {error}.") from error


def _checked_seats(seats: Sequence[str]) -> tuple[str, ...]:
    """Return the seats, or raise `Malformed` saying what is wrong with them."""
    if isinstance(seats, str) or len(seats) < 2:
        raise Malformed("A game needs at least two seats.")
    for seat in seats:
        if not isinstance(seat, str) or len(seat.split()) != 1 or seat != seat.strip() or set(seat) & _FORBIDDEN:
            raise Malformed(f"'{seat}' cannot be a seat: a name is one word without any of , : = + # !.")
        if seat.lower() == TABLE:
            raise Malformed("A seat cannot be called 'table'.")
    if len(set(seats)) < len(seats):
        raise Malformed("Two seats have the same name.")
    return tuple(seats)
