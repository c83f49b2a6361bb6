"""Dice and a cup on a simulated tray: where they are at any moment, and where they land. No clock, no picture.

Millimetres on the glass as the camera sees it: x to the right, y down, the middle of the tray at 0, 0. Every die and
the cup has a list of stretches; a stretch says what happens from one moment to another, and after the last one things
rest. So the state at a moment is a pure function of what the hands have done.
"""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

HALF_WIDTH, HALF_DEPTH = 98.0, 54.0  # of the tray: a little less than the simulated camera sees
CUP = (30.0, 0.0)  # where the cup always stands
CUP_RADIUS, CUP_WALL = 44.0, 3.0
CUP_HIGH = 120.0  # mm above the glass, where a lifted cup is out of the picture
TOUCH_GAP = 0.25  # mm between dice that lie against each other: edges are never quite parallel
FREE_GAP = 1.0  # mm between others
SHUTTER = 0.008  # s: how long a moving die smears
TICKS = 14  # new random attitudes a second of a tumbling die

#: Dice that are kept outside the cup lie here; one more than six, so that a free one is always found.
KEPT_SPOTS = (
    *((-44.0, -27.0), (-44.0, 0.0), (-44.0, 27.0)),
    *((-74.0, -14.0), (-74.0, 14.0), (-74.0, 40.0), (-74.0, -40.0)),
)

Where = Literal["cup", "open", "away"]
Kind = Literal["rest", "slide", "tumble", "taken", "gone"]


@dataclass(frozen=True, slots=True)
class Lie:
    """How a die lies: its middle, yaw and tilt in degrees, and the face on top."""

    x: float
    y: float
    yaw: float
    face: str
    tilt: float = 0.0
    tilt_dir: float = 0.0


@dataclass(frozen=True, slots=True)
class Seen:
    """A die as it is at one moment: how it lies, `lift` mm above the glass, `speed` mm/s, and whether it rests."""

    number: int
    lie: Lie
    lift: float = 0.0
    speed: tuple[float, float] = (0.0, 0.0)
    rests: bool = True


@dataclass(frozen=True, slots=True)
class Stretch:
    """From `start` to `end` seconds a die goes from one lie to another in the way of `kind`; None is off the tray."""

    start: float
    end: float
    kind: Kind
    before: Lie | None
    after: Lie | None

    def part(self, t: float) -> float:
        """Return how much of the stretch has passed at `t`, 0 to 1."""
        return min(1.0, max(0.0, (t - self.start) / max(self.end - self.start, 1e-9)))


@dataclass(slots=True)
class Die:
    """One die and all that ever happened to it; `kept` dice belong outside the cup."""

    number: int
    stretches: list[Stretch] = field(default_factory=list)
    kept: bool = False

    @property
    def lie(self) -> Lie | None:
        """Return where it comes to rest in the end; None: off the tray."""
        return self.stretches[-1].after if self.stretches else None

    @property
    def where(self) -> Where:
        """Return whether it ends in the cup's circle, in the open or away."""
        return "away" if self.lie is None else "open" if self.kept else "cup"

    @property
    def free_at(self) -> float:
        """Return when it has come to rest."""
        return self.stretches[-1].end if self.stretches else 0.0

    def add(self, start: float, seconds: float, kind: Kind, after: Lie | None) -> None:
        """Let `kind` happen for `seconds` from `start`, ending at `after`. Old stretches are forgotten."""
        self.stretches = [*self.stretches[-4:], Stretch(start, start + seconds, kind, self.lie, after)]

    def at(self, t: float) -> Seen | None:
        """Return the die as it is at `t`, None if it is not on the tray then."""
        begun = [stretch for stretch in self.stretches if stretch.start <= t]
        if not begun:
            return None
        now = begun[-1]
        if t >= now.end:
            return None if now.after is None else Seen(self.number, now.after)
        return _WAYS[now.kind](self.number, now, t)


def _rest(number: int, stretch: Stretch, t: float) -> Seen | None:
    return None if stretch.before is None else Seen(number, stretch.before)


def _gone(number: int, stretch: Stretch, t: float) -> Seen | None:
    return None


def _taken(number: int, stretch: Stretch, t: float) -> Seen | None:
    """A hand lifts the die: it rises, leans and smears."""
    if stretch.before is None:
        return None
    part = stretch.part(t)
    lie = replace(stretch.before, tilt=40 * part, tilt_dir=stretch.before.yaw)
    return Seen(number, lie, lift=30 * part, speed=(-180 * part, 60 * part), rests=False)


def _slide(number: int, stretch: Stretch, t: float) -> Seen | None:
    """A finger pushes the die along the glass; its face stays."""
    a, b = stretch.before, stretch.after
    if a is None or b is None:
        return None
    part = stretch.part(t)
    ease = part * part * (3 - 2 * part)
    rate = 6 * part * (1 - part) / (stretch.end - stretch.start)
    turn = (b.yaw - a.yaw + 180) % 360 - 180
    lie = Lie(
        a.x + (b.x - a.x) * ease,
        a.y + (b.y - a.y) * ease,
        a.yaw + turn * ease,
        b.face,
        a.tilt + (b.tilt - a.tilt) * ease,
        b.tilt_dir if b.tilt else a.tilt_dir,
    )
    return Seen(number, lie, speed=((b.x - a.x) * rate, (b.y - a.y) * rate), rests=False)


def _tumble(number: int, stretch: Stretch, t: float) -> Seen | None:
    """The die rolls: random attitudes that calm down towards where it lies in the end."""
    end = stretch.after
    if end is None:
        return None
    rest = 1 - stretch.part(t)
    chance = random.Random(number * 7919 + int((t - stretch.start) * TICKS) + int(stretch.start * 1000) * 31)
    way = chance.uniform(0, 2 * math.pi)
    far = 14 * rest
    faces = (end.face,) if rest < 0.2 or stretch.before is None else (end.face, stretch.before.face)
    lie = Lie(
        end.x + far * math.cos(way),
        end.y + far * math.sin(way),
        end.yaw + 200 * rest * chance.uniform(-1, 1),
        chance.choice(faces),
        tilt=70 * rest * chance.random() if rest > 0.25 else end.tilt,
        tilt_dir=chance.uniform(0, 360) if rest > 0.25 else end.tilt_dir,
    )
    pace = 700 * rest
    speed = (pace * math.cos(way + 1), pace * math.sin(way + 1))
    return Seen(number, lie, lift=6 * rest * chance.random(), speed=speed, rests=False)


_WAYS = {"rest": _rest, "gone": _gone, "taken": _taken, "slide": _slide, "tumble": _tumble}


@dataclass(frozen=True, slots=True)
class CupMove:
    """From `start` to `end` the cup goes from one height above the glass (mm) to another."""

    start: float
    end: float
    low: float
    high: float


@dataclass(slots=True)
class CupTrack:
    """The cup: up or down, and on its way."""

    moves: list[CupMove] = field(default_factory=list)

    @property
    def down(self) -> bool:
        """Return whether it ends on the glass."""
        return bool(self.moves) and self.moves[-1].high == 0.0

    @property
    def free_at(self) -> float:
        """Return when it stands still."""
        return self.moves[-1].end if self.moves else 0.0

    def move(self, start: float, seconds: float, *, down: bool) -> None:
        """Lower or lift it from `start` on, within `seconds`."""
        low = 0.0 if self.down else CUP_HIGH
        self.moves = [*self.moves[-4:], CupMove(start, start + seconds, low, 0.0 if down else CUP_HIGH)]

    def height(self, t: float) -> float:
        """Return how high it is above the glass at `t` in mm; CUP_HIGH is out of the picture."""
        begun = [move for move in self.moves if move.start <= t]
        if not begun:
            return CUP_HIGH
        now = begun[-1]
        part = min(1.0, (t - now.start) / max(now.end - now.start, 1e-9))
        return now.low + (now.high - now.low) * part


def apart(a: Lie, b: Lie, edge: float, gap: float) -> bool:
    """Tell whether two dice of `edge` mm lie at least about `gap` mm apart (squares, separating axes).

    >>> apart(Lie(0, 0, 0, "A"), Lie(17, 0, 0, "A"), 16, 0.5), apart(Lie(0, 0, 0, "A"), Lie(17, 0, 45, "A"), 16, 0.5)
    (True, False)
    """
    half = edge / 2
    turn = math.radians(b.yaw - a.yaw)
    reach = half + half * (abs(math.cos(turn)) + abs(math.sin(turn))) + gap
    for yaw in (a.yaw, b.yaw):
        c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
        dx, dy = b.x - a.x, b.y - a.y
        if abs(dx * c + dy * s) >= reach or abs(dy * c - dx * s) >= reach:
            return True
    return False


@dataclass(frozen=True, slots=True)
class Chance:
    """How dice fall: their `faces`, their `edge` in mm, and how often one touches another or leans (0 to 1)."""

    faces: tuple[str, ...]
    edge: float = 16.0
    touching: float = 0.3
    cocked: float = 0.0
    rng: random.Random = field(default_factory=random.SystemRandom)

    def land(self, numbers: Iterable[int], lying: Sequence[Lie]) -> dict[int, Lie]:
        """Return how each of `numbers` lies after a roll in the cup's circle beside those that are `lying` there."""
        for _ in range(60):
            laid = self._try(list(numbers), lying)
            if laid is not None:
                return laid
        raise RuntimeError("the dice do not fit under the cup")

    def _try(self, numbers: list[int], lying: Sequence[Lie]) -> dict[int, Lie] | None:
        laid: dict[int, Lie] = {}
        for number in numbers:
            others = [*lying, *laid.values()]
            lie = self._spot(others)
            if lie is None:
                return None
            laid[number] = self._lean(self._snuggle(lie, others))
        return laid

    def _spot(self, others: Sequence[Lie]) -> Lie | None:
        for _ in range(80):
            lie = self._anywhere()
            if all(apart(lie, other, self.edge, FREE_GAP) for other in others):
                return lie
        return None

    def _anywhere(self) -> Lie:
        far = self.room() * math.sqrt(self.rng.random())
        way = self.rng.uniform(0, 2 * math.pi)
        x, y = CUP[0] + far * math.cos(way), CUP[1] + far * math.sin(way)
        return Lie(x, y, self.rng.uniform(0, 360), self.rng.choice(self.faces))

    def room(self) -> float:
        """Return how far from the cup's middle a die's middle can lie, in mm."""
        return CUP_RADIUS - CUP_WALL - self.edge * math.sqrt(0.5)

    def _snuggle(self, lie: Lie, others: Sequence[Lie]) -> Lie:
        """Now and then push it against its nearest neighbour."""
        if not others or self.rng.random() >= self.touching:
            return lie
        near = min(others, key=lambda other: math.hypot(other.x - lie.x, other.y - lie.y))
        low, high = 0.0, 1.0
        for _ in range(12):
            part = (low + high) / 2
            moved = replace(lie, x=lie.x + (near.x - lie.x) * part, y=lie.y + (near.y - lie.y) * part)
            free = all(apart(moved, other, self.edge, TOUCH_GAP) for other in others)
            low, high = (part, high) if free else (low, part)
        return replace(lie, x=lie.x + (near.x - lie.x) * low, y=lie.y + (near.y - lie.y) * low)

    def _lean(self, lie: Lie) -> Lie:
        return self.lean(lie) if self.rng.random() < self.cocked else lie

    def lean(self, lie: Lie) -> Lie:
        """Return the die leaning so far that anybody sees it."""
        return replace(lie, tilt=self.rng.uniform(24, 38), tilt_dir=self.rng.uniform(0, 360))

    def shift(self, lie: Lie, others: Sequence[Lie]) -> Lie:
        """Return the die flat and knocked a little aside, where it fits."""
        flat = replace(lie, tilt=0.0)
        for _ in range(40):
            x, y = flat.x + self.rng.uniform(-3, 3), flat.y + self.rng.uniform(-3, 3)
            moved = replace(flat, x=x, y=y, yaw=flat.yaw + self.rng.uniform(-12, 12))
            if all(apart(moved, other, self.edge, TOUCH_GAP) for other in others) and self._inside(moved):
                return moved
        return flat

    def _inside(self, lie: Lie) -> bool:
        in_cup = math.hypot(lie.x - CUP[0], lie.y - CUP[1]) <= self.room()
        outside = math.hypot(lie.x - CUP[0], lie.y - CUP[1]) >= CUP_RADIUS + self.edge * 0.75
        return in_cup or (
            outside and abs(lie.x) < HALF_WIDTH - self.edge and abs(lie.y) < HALF_DEPTH - self.edge * 0.75
        )
