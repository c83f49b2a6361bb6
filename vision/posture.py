"""Which dice lean: the less a small network takes a square for a flat die, the better its face must fit."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.align import FINE, mask
from vision.finder import Leaning
from vision.judge import DOUBT_HEAT, Verdict
from vision.lean import Posture, odds, postures
from vision.looks import Known, Look
from vision.place import Place, cut
from vision.prepared import Prepared

Curve = tuple[tuple[float, float], ...]
NEEDED = ((0.45, 0.85), (0.40, 0.92), (0.30, 0.93), (0.20, 0.95), (0.10, 0.965), (0.08, 0.97), (0.05, 1.01))
"""How well a face must fit, by the reader that finds it less like, for the network's likelihood that it lies flat.
One of 1,330 flat dice of D1-D4 does not, of 17 rendered sets one in 220. Of ten printed faces that benches had told
wrongly, side faces of dice that lean or tumble by less than 80 degrees, one does, which SURE_FINDER catches; another
that fitted with .96 looks flat by .065. One that had made a hand fitted with .95 and looked flat by .13 at first."""
SQUARE_NCC, SQUARE_FLAT = 0.997, 0.10
"""A face that correlates so well lies flat from this likelihood on, whatever its edges say: a wooden six that looked
flat by .22 had .999, and .93 by its edges. Of the side faces that benches had told wrongly the likest had .996."""
SEEMS_FLAT, SURE_FINDER = 0.25, 0.68
"""A face that looks flat by less than the first is told only where the finder is as hot as the second, for it sees more
around: the side of a die leaning by 42 degrees looked flat by .125, fitted with .98 and made a hand, but had a heat of
.62, as the one above had .61. Of 5,550 flat printed dice it costs five."""
TROUBLED = ((0.98, 0.90), (0.90, 0.96), (0.60, 0.98), (0.30, 0.99), (0.03, 0.997), (0.002, 1.01))
"""As NEEDED, in a frame in which dice are missing or lean: no hand is to be told there, and any face may be the side of
a die that tumbles or leans."""
COUNTED_FLAT, TROUBLED_FLAT, COUNTED_HEAT = 0.35, 0.60, 0.45
"""Pip dice, whose drawn faces fit as they like, may have any fit from this likelihood of lying flat (the second in
such frames) and this heat. Of three dice with more than one pip that were told wrongly in 408 rendered frames none has
both; of 1,939 told rightly 1.7 % lack one."""
SURE_FLAT, ROUND_HEAT = 0.80, 0.65
"""From this likelihood they need no heat. A round spot alone needs it, or the second heat and the likelihood above: the
camera, mirrored in the glass, and lamps looked flat by up to .71 and hot by up to .61 where they were told, once by .26
and .71, and once by .92 and .57, which MIDDLE catches; of 325 ones 9 % look less flat than .35, most hotter than .6."""
ROUND_FIT = 0.85
"""Nor is a round spot told that looks less flat than SURE_FLAT and fits less well by either reader: a pip of a four on
the side of a leaning die had .68 and .81 and made a hand. Of 1,534 ones of rendered dice five are lost."""
LEARNT_SIDE = 0.955
"""Side of a learnt face in parts of the whole one, whose rounded edges it lacks: the median of 3,581 dice of 17 sets.
Pip faces are drawn, and may be a sixth smaller; of them the finder's squares tell. Squares of a frame's median side
halve the part of flat dice that seem to lean: of printed ones 1 % lie below .3 instead of 2, of pip dice 1.6 instead of
20 %."""
MANY, SEEM_FLAT = 12, 0.70
"""With so many certain dice that lie flat by no more than that in the median the network is not asked: it knows cameras
that look straight up. In a photograph through glass, taken by hand, 17 flat dice have .55 in the median, in rendered
frames no twelve have less than .84."""
LIKELY_LEAN = 0.50
"""Likelihood from which a die without a certain face is said to lean."""
NO_FACE = 0.80
"""Likelihood of no face at all from which a square without a certain face is no die: ground, lamps, coins."""
LONE_NOTHING, LONE_HEAT, FAINT = 0.15, 0.55, 0.05
"""The camera, mirrored in the glass, is a square with a round middle below the lens. A lone round spot whose levels
(square roots, 0 to 1) spread less than the third is none if it is likelier none than the first or less hot than the
second: ones of 32 rendered dice have .03 at most, .64 and more."""
MIDDLE, MIDDLE_FLAT, MIDDLE_HEAT = 2.0, 0.98, 0.72
"""Within so many sides of the picture's middle it is not told either if it looks less flat than the second, and is as
faint or less hot than the third. Of 21 mirrored cameras that were told all lay within 1.6 and were such, the flattest
by .92; of 76 ones of rendered dice there five are lost."""
LEANING_HEAT = 0.40
"""The finder's heat from which a die that leans, moves or lies on another is told, where no certain die lies."""
BESIDE = 0.75
"""Part of a side within which such heat belongs to a die that has been told."""


def postured(
    prepared: Prepared, verdicts: Sequence[Verdict], leaning: Sequence[Leaning], dice: Known, expect: int | None
) -> list[Verdict]:
    """Return the verdicts with leaning dice named, and without squares that are no dice.

    `leaning` is what the finder says of dice that do not lie flat; `expect` is how many must, if that is known.
    """
    seen = [v for v in verdicts if v.certain or v.look.heat >= DOUBT_HEAT]
    lying = list(zip(seen, postures(prepared.colour, _places(seen, dice)), strict=True))
    judged = [_judged(prepared, v, how, dice, troubled=False) for v, how in lying]
    told = [v for v in judged if v is not None]
    leans = elsewhere(prepared, leaning, told, LEANING_HEAT)
    if not leans and _slanted([how.flat for v, how in lying if v.certain]):
        return list(verdicts)
    if expect is None:
        troubled = leans or any("cocked" in v.reasons for v in told)
    else:
        troubled = sum(v.certain for v in told) != expect
    if not troubled:
        return told
    return [v for v in (_judged(prepared, v, how, dice, troubled=True) for v, how in lying) if v is not None]


def _places(seen: Sequence[Verdict], dice: Known) -> list[Place]:
    """Return where the dice lie, all as large as those that are certain say: the network was taught whole faces.

    A face that is not certain has no say in where its die lies.
    """
    telling = [v.look for v in seen if v.certain] or [v.look for v in seen]
    sides = [one.proposed.side if dice.counted else one.place.side / LEARNT_SIDE for one in telling]
    side = float(np.median(sides)) if sides else 0.0
    return [replace(v.look.place if v.certain else v.look.proposed, side=side) for v in seen]


def _slanted(flats: Sequence[float]) -> bool:
    """Return whether so many dice seem to lean that the picture was not taken straight from below."""
    return len(flats) >= MANY and float(np.median(flats)) < SEEM_FLAT


def _judged(prepared: Prepared, one: Verdict, how: Posture, dice: Known, *, troubled: bool) -> Verdict | None:
    if one.certain and one.look.face in dice.lone:
        faint = _faint(prepared, one.look.place)
        if faint and (how.nothing > LONE_NOTHING or one.look.heat < LONE_HEAT):
            return None
        doubted = how.flat < MIDDLE_FLAT and (faint or one.look.heat < MIDDLE_HEAT)
        if doubted and _in_the_middle(prepared, one.look.place):
            return replace(one, reasons=("unknown-face",))
    if one.certain and not _lies(one.look, how, dice, troubled=troubled):
        return replace(one, reasons=("cocked" if how.leaning > how.nothing else "unknown-face",))
    if one.certain:
        return one
    if how.leaning > LIKELY_LEAN and "out-of-view" not in one.reasons:
        return replace(one, reasons=("cocked",))
    return None if how.nothing > NO_FACE else one


def _lies(seen: Look, how: Posture, dice: Known, *, troubled: bool) -> bool:
    """Return whether a face that is told may be a flat die's: the less it looks so, the better it must fit."""
    if dice.counted and (lies := _pips_lie(seen, how, dice, troubled=troubled)) is not None:
        return lies
    fit = min(seen.ncc, seen.like)
    if how.flat < SEEMS_FLAT and seen.heat < SURE_FINDER:
        return False
    if troubled:
        return fit >= max(_needed(NEEDED, how), _needed(TROUBLED, how))
    return fit >= _needed(NEEDED, how) or (seen.ncc >= SQUARE_NCC and how.flat >= SQUARE_FLAT)


def _needed(curve: Curve, how: Posture) -> float:
    """Return the fit that a curve asks for, between its points along the odds of a flat die."""
    flats, fits = zip(*reversed(curve), strict=True)
    return float(np.interp(odds(how.flat), [odds(flat) for flat in flats], fits))


def _pips_lie(seen: Look, how: Posture, dice: Known, *, troubled: bool) -> bool | None:
    """Return whether a pip die lies flat, None if its fit must tell."""
    if how.flat >= SURE_FLAT and (seen.heat >= COUNTED_HEAT or seen.face not in dice.lone):
        return True
    if seen.face in dice.lone and min(seen.ncc, seen.like) < ROUND_FIT:
        return False
    if seen.heat < (ROUND_HEAT if seen.face in dice.lone else COUNTED_HEAT):
        return False
    return True if how.flat >= (TROUBLED_FLAT if troubled else COUNTED_FLAT) else None


def _faint(prepared: Prepared, place: Place) -> bool:
    return float(cut(prepared.fine, place, FINE)[mask(FINE)].std()) < FAINT


def _in_the_middle(prepared: Prepared, place: Place) -> bool:
    height, width = prepared.fine.shape
    return math.hypot(place.x - (width - 1) / 2, place.y - (height - 1) / 2) < MIDDLE * place.side


def elsewhere(prepared: Prepared, leaning: Sequence[Leaning], verdicts: Sequence[Verdict], bar: float) -> bool:
    """Return whether the finder sees a die that does not lie flat where no die has been told."""
    places = [v.look.place.scaled(1 / prepared.scale) for v in verdicts]
    return any(one.heat >= bar and not any(_beside(one, place) for place in places) for one in leaning)


def _beside(one: Leaning, place: Place) -> bool:
    return max(abs(one.centre_px[0] - place.x), abs(one.centre_px[1] - place.y)) < BESIDE * place.side
