"""Which dice lean: the network that sees side faces and the print that tilts must agree, or the face stays."""

from collections.abc import Sequence
from dataclasses import replace

from vision.align import FINE, even, mask
from vision.finder import Leaning
from vision.judge import DOUBT_HEAT, LONE_PIP, Verdict
from vision.lean import Posture, postures
from vision.looks import Known, Look
from vision.place import Place, cut
from vision.prepared import Prepared
from vision.tilt import tilt

SURE_LEAN = 0.98
"""Likelihood from which a die leans if its print agrees. Of 924 readable flat dice of D1-D4 2.6 % lie above it."""
TILT_GAIN, TILT_DEG = 1.6, 8.0
"""Factor by which tilting must better the print's misfit, and by how many degrees. With SURE_LEAN none of the 924 flat
dice remains (two at 1.35), and four of the eight leaning dice whose face both readers told."""
POOR, NOT_FLAT, DOUBTED_HEAT = 0.08, 0.30, 0.72
"""A face is no flat die's if it fits, in even light, less than this above its floor, the likelihood of lying flat is
below the second and the finder's heat below the third. Of 13 faces told wrongly in 9,800 rendered dice, most of them
side faces of dice that tumble or lean, two are not caught; of 975 flat dice of D1-D4 one is lost."""
POOR_LIKE = 0.90
"""The same by edges: of flat dice of D1-D4 with such a fit, likelihood and heat the one that is lost has less."""
LIKELY_LEAN = 0.50
"""Likelihood from which a die without a certain face is said to lean."""
NO_FACE = 0.80
"""Likelihood of no face at all from which a square without a certain face is no die: ground, lamps, coins."""
NOTHING = 0.50
"""Likelihood of no face at all from which a certain face is doubted: 975 flat dice of D1-D4 reach .24, the mirrored
camera, told as the large one of a set, .72. Pips are counted instead."""
LONE_NOTHING, LONE_HEAT, FAINT = 0.15, 0.55, 0.05
"""Likelihood of no face at all from which, or heat below which, a lone round spot is none if its levels (square roots,
0 to 1) spread less than the third. The camera, mirrored in the glass, is a square with a round middle: .25, .30 to .71
and .038 in seven renders; ones of 32 rendered dice have .03 at most, .64 and more. A round spot tilts as one likes, so
nothing else is asked of it."""
LEANING_HEAT = 0.40
"""The finder's heat from which a die that leans, moves or lies on another is told, where no certain die lies."""
BESIDE = 0.75
"""Part of a side within which such heat belongs to a die that has been told."""


def postured(prepared: Prepared, verdicts: Sequence[Verdict], dice: Known) -> list[Verdict]:
    """Return the verdicts with leaning dice named, and without squares that are no dice."""
    seen = [v for v in verdicts if v.certain or v.look.heat >= DOUBT_HEAT]
    lying = postures(prepared.colour, [v.look.place for v in seen])
    judged = [_judged(prepared, v, how, dice) for v, how in zip(seen, lying, strict=True)]
    return [v for v in judged if v is not None]


def _judged(prepared: Prepared, one: Verdict, how: Posture, dice: Known) -> Verdict | None:
    lone = dice.counted and one.look.face == LONE_PIP
    if one.certain and lone:
        doubted = how.nothing > LONE_NOTHING or one.look.heat < LONE_HEAT
        return None if doubted and _spread(prepared, one.look.place) < FAINT else one
    if one.certain and how.nothing > NOTHING and not dice.counted:
        return replace(one, reasons=("unknown-face",))
    if one.certain:
        return replace(one, reasons=("cocked",)) if _leans(prepared, one.look, how, dice) else one
    if how.leaning > LIKELY_LEAN and "out-of-view" not in one.reasons:
        return replace(one, reasons=("cocked",))
    return None if how.nothing > NO_FACE else one


def _leans(prepared: Prepared, seen: Look, how: Posture, dice: Known) -> bool:
    """Return whether both the side faces and the print say that the die leans, or nothing speaks for a flat one."""
    if how.flat < NOT_FLAT and seen.heat < DOUBTED_HEAT and _poor(prepared, seen, dice):
        return True
    if how.leaning < SURE_LEAN:
        return False
    tilts = [tilt(prepared.fine, seen.place, face) for face in dice.bank.named(seen.face)]
    best = max(tilts, key=lambda one: one.gain)
    return best.gain >= TILT_GAIN and best.degrees >= TILT_DEG


def _spread(prepared: Prepared, place: Place) -> float:
    """Return the spread of the levels inside the face."""
    return float(cut(prepared.fine, place, FINE)[mask(FINE)].std())


def _poor(prepared: Prepared, seen: Look, dice: Known) -> bool:
    """Return whether the face fits poorly, even if the light is uneven."""
    bar = dice.faces[seen.face].ncc_floor + POOR
    faces = dice.bank.named(seen.face)
    if seen.ncc >= bar:
        return False
    return seen.like < POOR_LIKE or max(even(prepared.fine, seen.place, face) for face in faces) < bar


def elsewhere(prepared: Prepared, leaning: Sequence[Leaning], verdicts: Sequence[Verdict], bar: float) -> bool:
    """Return whether the finder sees a die that does not lie flat where no die has been told."""
    places = [v.look.place.scaled(1 / prepared.scale) for v in verdicts]
    return any(one.heat >= bar and not any(_beside(one, place) for place in places) for one in leaning)


def _beside(one: Leaning, place: Place) -> bool:
    return max(abs(one.centre_px[0] - place.x), abs(one.centre_px[1] - place.y)) < BESIDE * place.side
