"""Which dice lean: the less a small network takes a square for a flat die, the better its face must fit."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.align import FINE, mask
from vision.dice_set import Face
from vision.finder import Leaning
from vision.judge import DOUBT_HEAT, POORLY_KNOWN, Verdict
from vision.lean import Posture, postures
from vision.looks import Known, Look
from vision.place import Place, cut
from vision.prepared import Prepared

Curve = tuple[tuple[float, float], ...]
NEEDED = ((0.45, 0.85), (0.40, 0.88), (0.30, 0.91), (0.10, 0.925), (0.03, 0.955), (0.004, 0.98), (0.002, 1.01))
"""How well a face must fit, by the reader that finds it less like, for the network's likelihood that it lies flat.
All 972 flat dice of D1-D4 do; of 18 faces told wrongly in 200,000 rendered dice, most of them side faces of dice that
tumble or lean, 14 do not."""
FLAT_ENROLLED = 0.93
SURE = ((0.45, 0.85), (0.40, 0.88), (0.30, 0.95), (0.25, 1.01))
"""The same for a face whose own dice all looked as flat as the first when they were enrolled: then no fit makes up for
a die that does not. 14 of the 24 faces of D1-D4 are such, none of their flat dice lies below .31; a black ace of D3, in
which the network sees a side face, is not."""
TROUBLED = ((0.98, 0.90), (0.90, 0.96), (0.60, 0.98), (0.30, 0.99), (0.03, 0.997), (0.002, 1.01))
"""The same in a frame in which dice are missing or lean: no hand is to be told there, and any face may be the side of a
die that tumbles or leans."""
BADLY_SHOWN = ((0.98, 0.85), (0.90, 0.87), (0.75, 0.90), (0.60, 0.93), (0.30, 0.965), (0.03, 0.985), (0.002, 1.01))
"""The same for a face that its own set shows badly: two that were told of dice that moved fitted with .86 and .89 at
likelihoods of .74 and .70."""
COUNTED_FLAT, TROUBLED_FLAT, COUNTED_HEAT = 0.10, 0.60, 0.45
"""Pip dice, whose drawn faces fit as they like, may have any fit from this likelihood of lying flat (the second in
such frames), and none below that heat. Of 13 pip dice told wrongly, mirrored cameras apart, all have less of both or
fit too badly; of 2,058 told rightly 1 % have less heat."""
MANY, SEEM_FLAT = 12, 0.10
"""With so many certain dice that lie flat by no more than that in the median the network is not asked: it knows cameras
that look straight up. In a photograph through glass, taken by hand, 17 flat dice have .02 in the median."""
LIKELY_LEAN = 0.50
"""Likelihood from which a die without a certain face is said to lean."""
NO_FACE = 0.80
"""Likelihood of no face at all from which a square without a certain face is no die: ground, lamps, coins."""
LONE_NOTHING, LONE_HEAT, FAINT = 0.15, 0.55, 0.05
"""The camera, mirrored in the glass, is a square with a round middle below the lens. A lone round spot whose levels
(square roots, 0 to 1) spread less than the third is none if it is likelier none than the first or less hot than the
second: ones of 32 rendered dice have .03 at most, .64 and more."""
MIDDLE, MIDDLE_FLAT, MIDDLE_HEAT = 2.0, 0.90, 0.72
"""Within so many sides of the picture's middle it is not told either if it looks less flat than the second, and is as
faint or less hot than the third. Of 20 mirrored cameras that were told all lay within 1.6 and were such; of 330 ones of
rendered dice one in 20 is lost."""
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
    lying = list(zip(seen, postures(prepared.colour, [v.look.place for v in seen]), strict=True))
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
    if dice.counted and (seen.heat < COUNTED_HEAT or how.flat >= (TROUBLED_FLAT if troubled else COUNTED_FLAT)):
        return seen.heat >= COUNTED_HEAT
    flats, fits = zip(*reversed(_needed(dice.faces[seen.face], dice.counted, troubled)), strict=True)
    odds = [_odds(flat) for flat in flats]
    return min(seen.ncc, seen.like) >= float(np.interp(_odds(how.flat), odds, fits))


def _needed(face: Face, counted: bool, troubled: bool) -> Curve:
    if troubled:
        return TROUBLED
    if not counted and face.ncc_floor < POORLY_KNOWN:
        return BADLY_SHOWN
    return SURE if face.flat >= FLAT_ENROLLED else NEEDED


def _odds(likelihood: float) -> float:
    return math.log(max(likelihood, 1e-6) / max(1 - likelihood, 1e-6))


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
