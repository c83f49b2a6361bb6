"""From looks to a reading: which squares are dice for certain, what the others are, and whether the whole is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision import health
from vision.align import FINE, SLACK_FOUND, Size
from vision.details import middle
from vision.dice_set import DiceSet, View
from vision.looks import Known, Look
from vision.place import Place, cut, overlap
from vision.prepared import Prepared
from vision.reading import DieReading, Reading, State
from vision.tint import angle, apart, coloured

MARGIN = 0.05
"""Least lead of the best face over the next, by correlation (finder trial; 1 % of readable dice of D1-D4 lie below)."""
STROKES_MARGIN = 0.06
"""Least lead of the best face over the next, by edges (0.4 % of readable dice of D1-D4 lie below)."""
POORLY_KNOWN, WELL_DRAWN = 0.87, 0.92
"""A face whose floor lies below the first, since its own set shows it badly, and that reaches no more, must be as sure
as the second by edges: three spots that were told as three others reached .85 and .90. Of 3,323 dice of drawn sets 3 %
have such a correlation, of D1-D4 none."""
PIPS_MARGIN = 0.04
"""The same of pip dice, which are counted besides: fours with great pips lead by .05."""
RATIO = 0.75
"""The misfit of the best face is at most this part of the next one's, by either reader (finder trial)."""
LEAST_SIDE_PX = 28.0
"""Side of a face below which nothing is told, in frame pixels: at 20 to 22 px a five was read as a four."""
OWN_SET = 0.05
"""The likest die of a frame lies so far above its floor by correlation, else all of them may be of another set. In 240
frames of D1-D4 the likest has .94 and more, of another set .87 at most; floors are .87."""
LEAST_HEAT = 0.28
"""Heat below which a square keeps no face. Of 1,573 readable flat dice of D1-D4 .5 % lie below; of the 43 faces that
were told wrongly in 6,004 rendered dice two of three did: side faces and mirrored lamps."""
GOOD_FIT = 0.93
"""Correlation from which a face may come to rest far from the finder's square (finder trial)."""
NEAR_CENTRE, NEAR_SIDE = 0.20, 0.20
"""How far a face that fits less well may come to rest from it, in parts of its side and as the logarithm of the sides'
ratio: 99 % of the dice of D1-D4 lie within .14 and .20. A C laid over the O of a 10 lay .22 off."""
PIPS_NEAR_SIDE = 0.30
"""The same for pip dice, whose drawn faces are a sixth smaller than dice whose pips lie close."""
NEIGHBOURS = 0.93
"""Sides between the middles of two dice at least: two flat dice that touch have their middles one side apart."""
OTHERS, WORSE_NCC, WORSE_LIKE = 3, 0.07, 0.85
"""So many certain dice tell how well a frame's faces fit; one is doubted that lies so far below their median by
correlation and below the last by edges. A picture that was told as another lay .09 below, at .83; of 975 dice of D1-D4
none does, a queen in the dark lies .07 below, at .851."""
EDGES_TELL, EDGES_LEAD = 0.85, 0.20
"""Likeness by edges, and lead, with which the middle of a face may stand for all of its grey levels: .86 and .24 on two
kings and a nine beside lamps (D2, D3)."""
SAME = 0.50
"""Two squares that overlap more are one die."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A look and what is wrong with it: no reasons means that the die is certain."""

    look: Look
    reasons: tuple[str, ...]

    @property
    def certain(self) -> bool:
        """Return whether the die has its face."""
        return not self.reasons


def verdict(seen: Look, dice: Known, prepared: Prepared, size: Size | None = None) -> Verdict:
    """Return whether the readers are certain of the face, or why not; with `size` it must have the frame's one size."""
    large = seen.place.side >= LEAST_SIDE_PX * prepared.scale
    sized = size is None or size.fits(seen.place.side)
    in_question = large and sized and seen.heat >= LEAST_HEAT and _in_place(seen, dice) and not _twin(seen, dice, size)
    told = _told(seen, dice, prepared) if in_question and not health.leaves(prepared, seen.place) else None
    return Verdict(told, ()) if told else Verdict(seen, tuple(health.of_place(prepared, seen.place)))


def _told(seen: Look, dice: Known, prepared: Prepared) -> Look | None:
    """Return the look if every reader is certain, or edges and middle where rim and light spoil the rest; else None."""
    if dice.counted:
        return seen if clear(seen, dice) else None
    inner = middle(dice.details, cut(prepared.fine, seen.place, FINE), seen.face)
    if clear(seen, dice):
        sure = not inner.doubtful
    else:
        best = seen.rival <= seen.ncc and _own_colour(seen, dice)
        sure = best and inner.sure and _edges_tell(seen)
    return replace(seen, ncc=max(seen.ncc, inner.own)) if sure else None


def _edges_tell(seen: Look) -> bool:
    """Return whether the edges show the face so plainly that its middle is enough for the other readers."""
    lead = seen.like - seen.strokes_rival
    return seen.face == seen.strokes_face and seen.like >= EDGES_TELL and lead >= EDGES_LEAD


def _twin(seen: Look, dice: Known, size: Size | None) -> bool:
    """Return whether another face of the set, in another size, may lie there as well: the finder's size is no proof."""
    twins = dice.twins.get(seen.face, ())
    if size is None or size.slack >= SLACK_FOUND:
        return bool(twins)
    return any(size.fits(seen.place.side * twin.factor) for twin in twins)


def _in_place(seen: Look, dice: Known) -> bool:
    """Return whether the face came to rest where the finder saw a die, as it must if it is not a very good fit."""
    place, proposed = seen.place, seen.proposed
    off = math.hypot(place.x - proposed.x, place.y - proposed.y) / proposed.side
    near_side = PIPS_NEAR_SIDE if dice.counted else NEAR_SIDE
    return seen.ncc > GOOD_FIT or (off <= NEAR_CENTRE and abs(math.log(place.side / proposed.side)) <= near_side)


def clear(seen: Look, dice: Known) -> bool:
    """Return whether every reader names the same face, each with its margin."""
    face = dice.faces[seen.face]
    return (
        (seen.counted == seen.face if dice.counted else _own_colour(seen, dice))
        and seen.ncc >= face.ncc_floor
        and (dice.counted or seen.ncc >= POORLY_KNOWN or seen.like >= WELL_DRAWN)
        and seen.like >= face.strokes_floor
        and seen.face == seen.strokes_face
        and seen.ncc - seen.rival >= MARGIN
        and seen.like - seen.strokes_rival >= (PIPS_MARGIN if dice.counted else STROKES_MARGIN)
        and 1 - seen.ncc <= RATIO * (1 - seen.rival)
        and 1 - seen.like <= RATIO * (1 - seen.strokes_rival)
    )


def _own_colour(seen: Look, dice: Known) -> bool:
    """Return whether the print has no colour, or the face's rather than that of another face."""
    own = dice.tints[seen.face]
    others = [tint for tint in dice.tints.values() if apart(own, tint)]
    return not coloured(seen.tint) or all(angle(seen.tint, own) < angle(seen.tint, tint) for tint in others)


def distinct(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return the verdicts without those that look at the same die as a better one."""
    kept: list[Verdict] = []
    for one in sorted(verdicts, key=lambda v: (-v.certain, -v.look.ncc)):
        if all(overlap(one.look.place, other.look.place) < SAME for other in kept):
            kept.append(one)
    return kept


def outdone(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return the verdicts without enrolled faces that fit far worse than the others of the frame do."""
    fits = [v.look.ncc for v in verdicts if v.certain]
    usual = float(np.median(fits)) if len(fits) >= OTHERS else 0.0
    return [replace(v, reasons=("unknown-face",)) if _outdone(v, usual) else v for v in verdicts]


def _outdone(one: Verdict, usual: float) -> bool:
    worse = one.look.ncc < usual - WORSE_NCC and one.look.like < WORSE_LIKE
    return one.certain and one.look.counted is None and worse


def parted(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return the verdicts without the faces of squares that lie nearer to another certain one than flat dice can."""
    certain = [v for v in verdicts if v.certain]
    close = [
        v for v in certain if any(_too_close(v.look.place, other.look.place) for other in certain if other is not v)
    ]
    return [replace(v, reasons=("touching",)) if v in close else v for v in verdicts]


def _too_close(a: Place, b: Place) -> bool:
    return math.hypot(a.x - b.x, a.y - b.y) < NEIGHBOURS * min(a.side, b.side)


def reading(verdicts: Sequence[Verdict], dice: Sequence[DieReading], order: DiceSet, expect: int | None) -> Reading:
    """Return the reading of all squares that may be dice; with `expect`, that many must lie flat."""
    faces = [one.face for one in dice if one.face is not None]
    reasons = _whole(verdicts, len(faces), expect)
    if not order.counted and not _own(verdicts, order):
        reasons.append("unknown-face")
    if reasons:
        return Reading.unsure(reasons, dice)
    return Reading("read", order.sorted(faces), (), tuple(dice))


def _own(verdicts: Sequence[Verdict], dice_set: DiceSet) -> bool:
    """Return whether a certain die is so like its face that the dice are of this set."""
    floors = {face.name: face.ncc_floor for face in dice_set.faces}
    certain = [v.look for v in verdicts if v.certain]
    return not certain or max(seen.ncc - floors[seen.face] for seen in certain) >= OWN_SET


def told(verdicts: Sequence[Verdict], dice_set: DiceSet, view: View, prepared: Prepared) -> list[DieReading]:
    """Return the dice that are worth telling: the certain ones and those that may be dice."""
    return [die(v, dice_set, view, prepared) for v in verdicts if v.certain or v.look.heat >= DOUBT_HEAT]


DOUBT_HEAT = 0.30
"""Heat from which a square without a face is shown as a doubtful die."""
ALIKE = 0.65
"""Likeness by either reader from which a doubtful square may be a die after all. Coins, caps, lamps and the mirrored
camera of D1-D4 reach .55."""
DIE_HEAT = 0.55
"""Heat from which a square without a face is a die for certain (finder trial: rule K)."""


def _whole(verdicts: Sequence[Verdict], certain: int, expect: int | None) -> list[str]:
    bar = DIE_HEAT if expect is not None and certain >= expect else DOUBT_HEAT
    complete = expect is not None and certain == expect
    doubtful = [v for v in verdicts if not v.certain and v.look.heat >= bar and (not complete or _alike(v.look))]
    doubts = [reason for v in doubtful for reason in v.reasons]
    reasons: list[str] = []
    if expect is not None and certain < expect:
        reasons += ["too-few", *doubts]
    elif expect is not None and certain > expect:
        reasons += ["too-many"]
    else:
        reasons += doubts
    return reasons or ([] if certain else ["no-dice"])


def _alike(seen: Look) -> bool:
    """Return whether a square without a face is like one: when all dice are there, coins and lamps do not matter."""
    return max(seen.ncc, seen.like) >= ALIKE


def die(one: Verdict, dice_set: DiceSet, view: View, prepared: Prepared) -> DieReading:
    """Return the verdict as the reading tells it, in pixels of the frame."""
    place, seen = one.look.place, one.look
    up, down = dice_set.named(seen.face, view)
    centre = tuple((value + 0.5) / prepared.scale - 0.5 for value in (place.x, place.y))
    state: State = "flat" if one.certain else "cocked" if "cocked" in one.reasons else "unclear"
    return DieReading(
        up if one.certain else None,
        min(seen.ncc, seen.like) if one.certain else 0.0,
        (centre[0], centre[1]),
        state,
        down if one.certain else None,
        place.side / prepared.scale,
        math.degrees(place.yaw),
    )
