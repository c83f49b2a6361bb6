"""Hands at a simulated tray: what each action does to the dice and the cup. Moments are given, never asked for.

Actions wait for one another: what begins while dice still move begins when they lie. Every action returns None, or a
sentence that says why it cannot be done.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from device.simulator_world import KEPT_SPOTS, Chance, CupTrack, Die, Lie, Seen, Stretch, apart

LIFT_S = 0.35  # the cup goes up or down
TAKE_S = 0.12  # a hand takes dice: quicker than a frame
AWAY_S = 1.2  # dice are shaken in the hand or the cup: long enough to see which ones stayed
TUMBLE_S = 0.9  # they roll out
SLIDE_S = 0.5  # a finger pushes dice
NUDGE_S = 0.35  # a knock
PAUSE_S = 1.0  # a hand that pushed dice aside lets them lie before it does anything else

_CUP_IS_UP = "The cup is already lifted."
_CUP_IS_DOWN = "The cup is already over the dice."
_LIFT_FIRST = "That die lies under the cup: lift the cup first."


class Hands:
    """The dice, the cup and what hands do to them. Not safe for several threads: its owner holds a lock."""

    def __init__(self, chance: Chance, count: int = 5) -> None:
        """Put `count` dice on the tray, rolled and in the open, at moment 0."""
        self.chance = chance
        self.cup = CupTrack()
        self.dice = [Die(number) for number in range(count)]
        for number, lie in chance.land(range(count), []).items():
            self.dice[number].add(0.0, 0.0, "rest", lie)

    def exchange(self, chance: Chance, count: int) -> None:
        """Lay `count` other dice where these lie, fallen as `chance` has it; whatever was on its way has arrived.

        Dice that there were none of before lie beside the tray.
        """
        self.chance = chance
        self.dice = [*self.dice[:count], *(Die(number) for number in range(len(self.dice), count))]
        for die in self.dice:
            lie = None if die.lie is None else replace(die.lie, face=chance.rng.choice(chance.faces))
            die.stretches = [Stretch(0.0, 0.0, "gone" if lie is None else "rest", None, lie)]

    def at(self, t: float) -> tuple[Seen, ...]:
        """Return the dice that are on the tray at `t`."""
        return tuple(seen for die in self.dice if (seen := die.at(t)) is not None)

    def free_at(self) -> float:
        """Return when everything that was begun is over."""
        return max([self.cup.free_at, *(die.free_at for die in self.dice)])

    def do(self, action: str, fields: Mapping[str, Any], now: float) -> str | None:
        """Do `action`, beginning at `now` or when the hands are free."""
        start = max(now, self.free_at())
        match action:
            case "cup_down" | "cup_up":
                return self._move_cup(start, down=action == "cup_down")
            case "shake":
                return self._shake(start)
            case "roll":
                return self._with_dice(fields, lambda numbers: self._roll(numbers, start))
            case "keep":
                return self._with_dice(fields, lambda numbers: self._keep(numbers, start))
            case "lean" | "flip":
                return self._with_die(fields, lambda die: self._turn(action, die, start))
            case "only":
                return self._only(fields.get("count"), start)
            case _:
                return self._all(action, start)

    def _all(self, action: str, start: float) -> str | None:
        if action == "gather":
            return self._roll([die.number for die in self.dice], start)
        if action == "nudge":
            return self._nudge(start)
        return self._spill(start)

    def _spill(self, start: float) -> str | None:
        if self.cup.down:
            self.cup.move(start, LIFT_S, down=False)
            start += LIFT_S
        return self._take_away([die for die in self.dice if die.lie is not None], start)

    def _with_dice(self, fields: Mapping[str, Any], then: Any) -> str | None:
        numbers = fields.get("dice")
        known = range(len(self.dice))
        if not isinstance(numbers, list) or not numbers or any(number not in known for number in numbers):
            return f"Say which dice: a list of numbers from 0 to {len(self.dice) - 1}."
        answer: str | None = then(sorted(set(numbers)))
        return answer

    def _with_die(self, fields: Mapping[str, Any], then: Any) -> str | None:
        number = fields.get("die")
        if not isinstance(number, int) or number not in range(len(self.dice)):
            return f"Say which die: a number from 0 to {len(self.dice) - 1}."
        die = self.dice[number]
        if die.lie is None:
            return "That die is not on the tray: roll it first."
        answer: str | None = then(die)
        return answer

    def _move_cup(self, start: float, *, down: bool) -> str | None:
        if self.cup.down == down:
            return _CUP_IS_DOWN if down else _CUP_IS_UP
        self.cup.move(start, LIFT_S, down=down)
        return None

    def _shake(self, start: float) -> str | None:
        numbers = [die.number for die in self.dice if die.where == "cup"]
        if not self.cup.down:
            return "The cup is not over the dice: put it down first."
        return self._roll(numbers, start) if numbers else "No die is under the cup."

    def _roll(self, numbers: Iterable[int], start: float) -> str | None:
        """Take dice out and roll them; a cup that is down is lifted for it and comes down over them again."""
        chosen = set(numbers)
        covered = self.cup.down
        taken = start + (LIFT_S if covered else 0.0)
        if covered:
            self.cup.move(start, LIFT_S, down=False)
        landing = taken + TAKE_S + AWAY_S
        lying = [die.lie for die in self.dice if die.where == "cup" and die.number not in chosen]
        for number, lie in self.chance.land(sorted(chosen), [lie for lie in lying if lie is not None]).items():
            self._fly(self.dice[number], taken, landing, lie)
        if covered:
            self.cup.move(landing - LIFT_S / 2, LIFT_S, down=True)
        return None

    def _fly(self, die: Die, taken: float, landing: float, lie: Lie) -> None:
        before = die.lie
        if before is not None:
            die.add(taken, TAKE_S, "taken", None)
        die.kept = False
        die.add(landing, TUMBLE_S, "tumble", lie)
        # A die that tumbles shows the face it had as well as the one it gets.
        die.stretches[-1] = replace(die.stretches[-1], before=before)

    def _keep(self, numbers: Iterable[int], start: float) -> str | None:
        moved = [self.dice[number] for number in numbers if not self.dice[number].kept]
        if any(die.lie is None for die in moved):
            return "A die that is not on the tray cannot be kept."
        covered = self.cup.down
        if covered:
            self.cup.move(start, LIFT_S, down=False)
            start += LIFT_S
        for die in moved:
            self._push_out(die, start)
        if covered:
            self.cup.move(start + SLIDE_S, LIFT_S, down=True)
        return None

    def _push_out(self, die: Die, start: float) -> None:
        assert die.lie is not None  # the caller looked
        others = [other.lie for other in self.dice if other.kept and other.lie is not None]
        for x, y in KEPT_SPOTS:
            lie = replace(die.lie, x=x, y=y, yaw=die.lie.yaw + self.chance.rng.uniform(-25, 25), tilt=0.0)
            if all(apart(lie, other, self.chance.edge, 1.0) for other in others):
                break
        die.add(start, SLIDE_S, "slide", lie)
        die.add(start + SLIDE_S, PAUSE_S, "rest", lie)
        die.kept = True

    def _turn(self, action: str, die: Die, start: float) -> str | None:
        assert die.lie is not None  # the caller looked
        if action == "lean":
            die.add(start, NUDGE_S, "slide", self.chance.lean(die.lie))
            return None
        if self.cup.down and not die.kept:
            return _LIFT_FIRST
        others = [face for face in self.chance.faces if face != die.lie.face]
        die.add(start, SLIDE_S, "tumble", replace(die.lie, face=self.chance.rng.choice(others), tilt=0.0))
        return None

    def _only(self, count: Any, start: float) -> str | None:
        if not isinstance(count, int) or not 1 <= count <= len(self.dice):
            return f"Say how many dice stay: 1 to {len(self.dice)}."
        self._take_away([die for die in self.dice[count:] if die.lie is not None], start)
        return self._roll(range(count), start)

    def _take_away(self, dice: Iterable[Die], start: float) -> str | None:
        for die in dice:
            die.add(start, TAKE_S, "taken", None)
            die.kept = False
        return None

    def _nudge(self, start: float) -> str | None:
        lying = {die.number: die.lie for die in self.dice if die.lie is not None}
        if not lying:
            return "There are no dice on the tray."
        for number in list(lying):
            others = [lie for other, lie in lying.items() if other != number]
            lying[number] = self.chance.shift(lying[number], others)
            self.dice[number].add(start, NUDGE_S, "slide", lying[number])
        return None
