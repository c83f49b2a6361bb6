"""Looking closely at one proposed square: which enrolled face fits there, by both readers, and how surely."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from vision.align import FINE, NEAR, ROUND, WIDE, Bank, Fit, Size, Spread, Start, bank, fit, starts, vector
from vision.details import Details, details
from vision.dice_set import DiceSet, Face
from vision.pips import BOUNDED_PIXELS, BOUNDED_REACH, bounded, counted, lone
from vision.place import Array, Place, cut
from vision.prepared import Prepared
from vision.strokes import Strokes, likeness, strokes
from vision.tint import Parts, Tint, parts, tint
from vision.twins import Twin, twins

TRIED = 3
"""Faces that are fitted at a proposal: the best by the coarse product. The right one was among them in all but two of
1044 dice of D1-D4, both of them hidden by glare."""
MORE_LOOKS = 1
"""Other looks of the best face that are fitted too: coarse patches do not tell wide pips from narrow ones."""
MOST_TURN_DEG = 25.0
"""Angle by which a pip die may be turned from the finder's square, whose own is 8 degrees off at most (p99, D1-D4)."""
MOST_OFF = 0.25
"""How far its middle may lie from that one's, in sides: 99 % of the dice of D1-D4 lie within .14, pairs of a four .28
off."""
RETRY_NCC = 0.93
"""Below this a proposal is tried again with wider starts, and with many: of 132 readable dice of drawn sets that were
told no face the right one had not been tried, or in a wrong turn, in 61."""
THOROUGH = 12
"""Faces and turns of them that are fitted then."""
RETRY_HEAT = 0.25
"""Only squares as hot as this are worth it: 97 % of the flat dice of D1-D4 are, of the rest one in eight."""
PROMISING = 0.5
"""Coarse correlation below which no start is fitted then: right ones have .6 and more, ground and coins mostly less."""
LEARNT = 0.12
"""By how much, as a logarithm, a face may have been learnt too large or too small (D1-D4: .07)."""
FAR_BEHIND = 0.20
"""A face whose start lies this far behind the best fit cannot catch up: fitting adds .12 at most (D1-D4, p99.9)."""
FAR_BEHIND_WIDE = 0.48
"""The same all round, where starts lie farther off: fitting adds .23 in the median and .48 at most. Of 49 looks all
round that ended well in D1-D4 18 began more than .20 behind, the farthest .46; a J laid upside down was one."""


@dataclass(frozen=True, slots=True)
class Known:
    """A set of dice made ready for looking.

    `prints` and `tints` say where each face's print is, and its colour; `twins` which faces differ in size only; `lone`
    which show one round spot.
    """

    faces: dict[str, Face]
    bank: Bank
    strokes: Strokes
    details: Details
    counted: bool
    prints: dict[str, Parts]
    tints: dict[str, Tint]
    twins: dict[str, tuple[Twin, ...]]
    lone: frozenset[str]


def known(dice_set: DiceSet) -> Known:
    """Return the set made ready."""
    patches = [(face.name, squares) for face in dice_set.faces for squares in face.patches()]
    templates = [template for face in dice_set.faces for template in face.templates()]
    prints = _prints(dice_set)
    return Known(
        {face.name: face for face in dice_set.faces},
        bank(templates),
        strokes(patches),
        details(templates),
        dice_set.counted,
        prints,
        {face.name: tint(face.colour, prints[face.name]) for face in dice_set.faces if face.name in prints},
        {} if dice_set.counted else twins(templates),
        lone(templates),
    )


def _prints(dice_set: DiceSet) -> dict[str, Parts]:
    """Return where each face's print is; none for pip dice, whose colours are anybody's."""
    return {} if dice_set.counted else {face.name: parts(face.templates()[0]) for face in dice_set.faces}


@dataclass(frozen=True, slots=True)
class Look:
    """What the readers say of one square.

    `proposed` is the finder's square, `heat` its heat. `ncc` is the correlation with `face` at `place` (working
    pixels), `rival` that of the next best face at its own best place; `strokes_face`, `like` and `strokes_rival` say
    the same of the edges. `counted` is what counting says of pip dice, `tint` the colour of the print.
    """

    proposed: Place
    place: Place
    face: str
    ncc: float
    rival: float
    strokes_face: str
    like: float
    strokes_rival: float
    heat: float
    counted: str | None = None
    tint: Tint = (0.0, 0.0)
    fits: tuple[Fit, ...] = field(repr=False, default=())


def look(prepared: Prepared, place: Place, heat: float, dice: Known) -> Look:
    """Return what the readers say of the die at `place` (working pixels), near it if it is not quite there."""
    return _judged(prepared, place, _fits(prepared, place, dice, NEAR, None), heat, dice)


def again(prepared: Prepared, seen: Look, dice: Known, size: Size | None) -> Look:
    """Return a second look with the side held near `size`, where the first one calls for it.

    A face that did not fit is looked for all round if its square is hot; one that came out in another size is laid
    again where it came to rest, so that no face of another size is ever told. Pips are always looked for all round:
    half of a four is a two.
    """
    sized = _fits_in(seen, size)
    if (seen.ncc < RETRY_NCC or (dice.counted and size is not None)) and seen.heat > RETRY_HEAT:
        return _against(seen, _all_round(prepared, seen, dice, size), dice, size)
    if sized or size is None:
        return seen
    place = Place(seen.place.x, seen.place.y, size.side, seen.place.yaw)
    found = _judged(prepared, seen.proposed, _fits(prepared, place, dice, NEAR, size), seen.heat, dice)
    return _against(seen, found, dice, size)


def _against(free: Look, held: Look, dice: Known, size: Size | None) -> Look:
    """Return what was found with the size held; another face that fitted freely, in nearly that size, is its rival.

    Faces of one set are learnt a little too large or too small, so the right one may be the one that was not to fit.
    So may one that fits better than the held one in any size: the frame's size may be wrong. Pips fit in any. A face
    that has a twin and fitted better in another size may be the twin, learnt with another part of its die.
    """
    near = size is None or abs(math.log(free.place.side / size.side)) < LEARNT
    better = free.ncc > held.ncc and not dice.counted
    twin = free.face in dice.twins and not _fits_in(free, size)
    rivals = (near or better) if free.face != held.face else (better and twin)
    return replace(held, rival=max(held.rival, free.ncc)) if rivals else held


def _fits_in(seen: Look, size: Size | None) -> bool:
    return size is None or size.fits(seen.place.side)


def _all_round(prepared: Prepared, seen: Look, dice: Known, size: Size | None) -> Look:
    proposed = seen.proposed if size is None else replace(seen.proposed, side=size.side)
    spread = ROUND if dice.counted else WIDE
    spread = spread if size is None else replace(spread, sizes=(1.0,))
    fits = _fits(prepared, proposed, dice, spread, size)
    if dice.counted:
        fits += _other_looks(prepared, max(_tenable(fits, proposed), key=lambda fit: fit.ncc), dice, size)
    found = _judged(prepared, seen.proposed, fits, seen.heat, dice)
    return seen if _fits_in(seen, size) and seen.ncc > found.ncc else found


def _fits(prepared: Prepared, place: Place, dice: Known, spread: Spread, size: Size | None) -> list[Fit]:
    """Return the best faces laid over the picture; those that are far behind at their start stay where they are."""
    options = starts(prepared, place, dice.bank, spread)
    fits = [fit(prepared, options[0], size)]
    behind = FAR_BEHIND if spread is NEAR else FAR_BEHIND_WIDE
    for option in _promising(options) if spread is not NEAR else _worth_trying(options):
        if option.score > max(one.ncc for one in fits) - behind:
            fits.append(fit(prepared, option, size))
        else:
            fits.append(Fit(option.template.name, option.place, option.score))
    return fits


def _other_looks(prepared: Prepared, found: Fit, dice: Known, size: Size | None) -> list[Fit]:
    """Return the looks of a face laid where one of them fits: its pips may lie wider or narrower."""
    shown = vector(prepared.fine, found.place, FINE)
    alike = [one for one in dice.bank.named(found.name) if float(shown @ one.fine.target) > PROMISING]
    return [fit(prepared, Start(one, found.place, found.ncc), size) for one in alike]


def _promising(options: Sequence[Start]) -> list[Start]:
    """Return, after the best start, those of any face in any turn that may become the best.

    A four looks the same in all its turns: of starts that only a turn tells apart one is enough.
    """
    thorough = options[:THOROUGH]
    known = {(id(one.template), round(one.score, 4)): one for one in reversed(thorough)}
    return [one for one in known.values() if one is not thorough[0] and one.score > PROMISING][::-1]


def _worth_trying(options: Sequence[Start]) -> list[Start]:
    """Return, after the best start, the best of each other face and the next look of the same face."""
    best = options[0].template
    more = [start for start in options[1:] if start.template.name == best.name and start.template is not best]
    first: dict[str, Start] = {}
    for option in options:
        first.setdefault(option.template.name, option)
    return more[:MORE_LOOKS] + [start for name, start in first.items() if name != best.name][: TRIED - 1]


def _judged(prepared: Prepared, place: Place, fits: Sequence[Fit], heat: float, dice: Known) -> Look:
    fits = _tenable(fits, place) if dice.counted else fits
    best = max(fits, key=lambda fit: fit.ncc)
    rival = max((fit.ncc for fit in fits if fit.name != best.name), default=0.0)
    patch = cut(prepared.fine, best.place, FINE)
    scores = likeness(dice.strokes, patch)
    ranked = sorted(scores, key=lambda name: -scores[name])
    return Look(
        place,
        best.place,
        best.name,
        best.ncc,
        rival,
        ranked[0],
        scores[ranked[0]],
        scores[ranked[1]],
        heat,
        _counted(prepared, best.place, patch) if dice.counted and not _askew(best.place, place) else None,
        (0.0, 0.0) if dice.counted else tint(cut(prepared.colour, best.place, FINE), dice.prints[best.name]),
        tuple(fits),
    )


def _counted(prepared: Prepared, place: Place, patch: Array) -> str | None:
    """Return the face whose pips are counted in the square, None if that is not plain or the die does not end there."""
    around = cut(prepared.fine, place, BOUNDED_PIXELS, BOUNDED_REACH)
    return counted(patch) if bounded(around) else None


def _tenable(fits: Sequence[Fit], proposed: Place) -> Sequence[Fit]:
    """Return the fits that lie as the finder's square does, all if none does.

    Two neighbours of a wide four are a narrow two between them, on its corner, and fit it better than the four.
    """
    kept = [one for one in fits if not _askew(one.place, proposed) and _off(one.place, proposed) <= MOST_OFF]
    return kept or fits


def _off(place: Place, proposed: Place) -> float:
    """Return how far the middles lie apart, in sides of the finder's square."""
    return math.hypot(place.x - proposed.x, place.y - proposed.y) / proposed.side


def _askew(place: Place, proposed: Place) -> bool:
    """Return whether a square is turned far from the finder's: two pips of a four are a two, on its corner."""
    turn = (place.yaw - proposed.yaw + math.pi / 4) % (math.pi / 2) - math.pi / 4
    return abs(turn) > math.radians(MOST_TURN_DEG)
