"""Learning a set of dice from pictures in which every die shows the same known face up."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from vision.align import FINE, Template
from vision.dice_set import DiceSet, Face, View
from vision.edges import PIXELS, REACH, bounded
from vision.finder import UNIT_PX as FINDER_FACE_PX
from vision.finder import Finding, find_squares
from vision.gather import EDGE_MEMBERS, Candidate, Learned, Member, compared, gather
from vision.place import Array, Frame, cut, overlap
from vision.prepared import place_of, prepare, working_scale
from vision.strokes import likeness, strokes
from vision.tint import parts, tint

KEPT_MEMBERS = 24
"""Members kept of a face: more only make the file larger."""
PROPOSED = 0.30
"""Heat from which a square may be a die: above it about one square in three frames is none (finder trial)."""
MANY_PICTURES, ENOUGH = 8, 0.7
"""With that many pictures of a face, this part of them must show it; with fewer, each must."""
CROP_PX = 300
"""Longer side up to which a picture from above is a crop of one die."""
CROP_PARTS = (0.4, 0.55)
"""Sides of a face that are tried in a crop, in parts of its longer side."""
LEAST_FACES = 2
"""A set has at least two faces."""
ALIKE = 0.90
"""Two faces cannot be told apart under a lamp if both readers find one die in five of the one more alike than this to
the other. The most alike of D1-D4 reach .87 (pips 2 and 3); two tens in inks of different colour reached .92, two faces
with two spots each .93 and one with rings beside one with spots .91, and all were taken for each other."""
NEARLY_ALIKE, WELL_LEARNT = 0.85, 0.975
"""Nor can they if they are more alike than the first, and the dice of the one, learnt in uneven light, reach less than
the second with their own face in the median. Of 17 such pairs in D1-D4 and 43 drawn sets twelve were well learnt and
never taken for each other; of the other five, which reached .88 to .97, two were."""
NCC_FLOOR, STROKES_FLOOR = 0.87, 0.75
"""What a square must reach by each reader. Of 974 dice of D1-D4 that are told apart the least like reach .88 and .85;
squares that are no die and wrong turns .69 and .60, dice of another of these sets .867."""
LEAST_OWN = 0.85
"""Correlation that four of five squares of a face must reach with their median. Of 14 drawn sets the three that did not
(dim, shaded prints on translucent dice) were told wrongly or not at all."""
MOST_LARGER = 1.4
"""Ratio by which the dice of one face may seem larger or smaller than those of all: a ring inside a face, taken for the
whole, is a third smaller; cameras of D1-D4 stood up to an eighth nearer or farther, of renders a quarter."""
MOST_RATIO = 1.15
"""The same for the learnt sides in parts of those that the finder proposed, which does not depend on the camera.
Faces of D1-D4 differ from their set's median by 8 % at most, of twelve drawn sets the two by more that had been learnt
a fifth and a quarter too small: from their print instead of their edge."""
BOUNDED = 0.25
"""How plainly the dice of a face must end at its square, in spreads of the face (`edges.bounded`). Faces whose dice are
as dark as what is behind them were learnt from their print, a fifth and more too small, and in three drawn sets others
were told as them: they had .03 to .23. Of D1-D4 the least has .35, of 39 other drawn sets three have .21 to .24."""
FLOOR_SLACK = 0.10
"""A set whose own members fit badly (worn, photographed from the side) has its floors this far below its fifth worst
of ten."""
FOREIGN_LAYOUT = 0.93
"""Correlation with another face from which a square of a folder is that other face: dice whose layouts differ."""


class EnrolError(ValueError):
    """The pictures do not make a set; `reasons` are sentences for a person, the message is all of them."""

    def __init__(self, reasons: Sequence[str]) -> None:
        """Keep the reasons."""
        super().__init__(" ".join(reasons))
        self.reasons = tuple(reasons)


def enrol(
    name: str,
    pictures: Mapping[str, Sequence[Frame]],
    view: View = "below",
    order: Sequence[str] = (),
    find: Callable[[Frame], Finding] = find_squares,
) -> DiceSet:
    """Return the set learnt from `pictures`: for each face that lies up, frames in which every die shows it.

    `order` names the faces from the lowest to the highest (default: as given). Raises EnrolError with all reasons.
    """
    names = tuple(order) or tuple(pictures)
    _check_names(names, pictures)
    learned: dict[str, Learned] = {}
    reasons: list[str] = []
    for face in names:
        found = [_candidates(frame, index, find, view) for index, frame in enumerate(pictures[face])]
        one = gather(face, [candidate for picture in found for candidate in picture])
        reasons += _missing(face, found, one)
        if one is not None:
            learned[face] = one
    if reasons:
        raise EnrolError(reasons)
    # From above, pictures may be crops of any size that show nothing round a face.
    sized = _sizes(learned) + _unbounded(learned) if view == "below" else []
    if reasons := _unlike(learned) + sized + _alike(learned) + _mixed(learned):
        raise EnrolError(reasons)
    return DiceSet(name, view, tuple(_faces(learned)))


def _check_names(names: Sequence[str], pictures: Mapping[str, Sequence[Frame]]) -> None:
    reasons = [f"No picture shows the face {name}: take at least one." for name in names if not pictures.get(name)]
    reasons += [f"The face {name} is not in the order {','.join(names)}." for name in pictures if name not in names]
    if len(names) < LEAST_FACES:
        reasons.append("A set needs at least two faces.")
    if reasons:
        raise EnrolError(reasons)


def _candidates(frame: Frame, index: int, find: Callable[[Frame], Finding], view: View) -> list[Candidate]:
    """Return the squares that may show the face; from above, of any size, for a crop may hold a die or half of one."""
    found = _proposed(frame, index, find(frame))
    if view == "above" and max(frame.shape[:2]) < CROP_PX:
        for part in CROP_PARTS:
            sized = find_squares(frame, FINDER_FACE_PX / (part * max(frame.shape[:2])))
            found += [one for one in _proposed(frame, index, sized) if not any(_same(one, other) for other in found)]
    return found


def _proposed(frame: Frame, index: int, finding: Finding) -> list[Candidate]:
    squares = [square for square in finding.squares if square.heat >= PROPOSED]
    if not squares:
        return []
    prepared = prepare(frame, working_scale([square.side_px for square in squares]))
    return [Candidate(prepared, place_of(square, prepared), index) for square in squares]


def _same(one: Candidate, other: Candidate) -> bool:
    """Return whether two candidates of one picture are the same square, at whatever scale they were prepared."""
    a, b = (candidate.place.scaled(1 / candidate.prepared.scale) for candidate in (one, other))
    return overlap(a, b) > 0.7 and abs(a.side / b.side - 1) < 0.2


def _missing(face: str, found: Sequence[Sequence[Candidate]], learned: Learned | None) -> list[str]:
    shown = {member.candidate.picture for member in learned.members} if learned else set()
    if len(found) >= MANY_PICTURES and len(shown) >= ENOUGH * len(found):
        return []
    return [
        f"No die showing {face} was found in picture {index + 1} of {face}: lay the dice apart, in good light."
        for index in range(len(found))
        if index not in shown
    ]


def _unlike(learned: Mapping[str, Learned]) -> list[str]:
    """Return a sentence for each face whose own squares resemble one another too little to tell it by them."""
    return [
        f"The dice that show {name} do not look alike in their pictures: take them again, sharp, in even light."
        for name, one in learned.items()
        if _own(one) < LEAST_OWN
    ]


def _sizes(learned: Mapping[str, Learned]) -> list[str]:
    """Return a sentence for each face whose squares are much smaller or larger than the others'."""
    faces = {name: one.members for name, one in learned.items()}
    sides = {name: _usual(m.fit.place.side / m.candidate.prepared.scale for m in ms) for name, ms in faces.items()}
    parts = {name: _usual(m.fit.place.side / m.candidate.place.side for m in ms) for name, ms in faces.items()}
    odd = _apart(sides, MOST_LARGER) | _apart(parts, MOST_RATIO)
    return [
        f"The dice that show {name} seem {'smaller' if part < 1 else 'larger'} than the others: leave the camera "
        "where it is, or the print's frame was taken for the die's."
        for name, part in odd.items()
    ]


def _apart(sides: Mapping[str, float], most: float) -> dict[str, float]:
    """Return the sides, in parts of their median, that differ from it by more than a factor."""
    usual = _usual(sides.values())
    return {name: side / usual for name, side in sides.items() if not usual / most < side < usual * most}


def _usual(values: Iterable[float]) -> float:
    return float(np.median(list(values)))


def _unbounded(learned: Mapping[str, Learned]) -> list[str]:
    """Return a sentence for each face of which it is not seen where its dice end."""
    return [
        f"It is not seen where the dice that show {name} end: take them again on the glass, in better light, without "
        "the cup."
        for name, one in learned.items()
        if len(one.members) >= EDGE_MEMBERS and bounded(_cuts(one.members, PIXELS, REACH)) < BOUNDED
    ]


def _own(one: Learned) -> float:
    """Return the correlation that four of five members reach."""
    return float(np.percentile([member.fit.ncc for member in one.members], 20))


def _alike(learned: Mapping[str, Learned]) -> list[str]:
    """Return a sentence for each pair of faces of which one may be taken for the other."""
    reasons = []
    for first, second in combinations(learned, 2):
        ways = ((first, second), (second, first))
        like = {shown: _likeness(learned[face], learned[shown]) for face, shown in ways}
        if max(like.values()) > ALIKE:
            reasons.append(f"The faces {first} and {second} are too alike to be told apart: use other dice.")
            continue
        reasons += [
            f"The dice that show {shown} resemble {face} as much as one another: take both again, sharp, in even light."
            for face, shown in ways
            if like[shown] > NEARLY_ALIKE and _usual(m.alike for m in learned[shown].members) < WELL_LEARNT
        ]
    return reasons


def _likeness(face: Learned, shown: Learned) -> float:
    """Return how like a face both readers find one in five of the dice that show another."""
    return float(np.percentile([compared(face.template, member.candidate).alike for member in shown.members], 80))


def _mixed(learned: Mapping[str, Learned]) -> list[str]:
    """Return a sentence for each face in whose pictures another face lies: layouts differ, or a die was misplaced."""
    reasons = []
    for name, one in learned.items():
        for other, another in learned.items():
            strange = [c for c in one.others if other != name and compared(another.template, c).alike > FOREIGN_LAYOUT]
            if strange:
                reasons.append(
                    f"In picture {strange[0].picture + 1} of {name} a die shows what {other} shows from the camera's "
                    "side: the dice have different layouts, or one of them lay with another face up."
                )
    return reasons


def _faces(learned: Mapping[str, Learned]) -> list[Face]:
    known = strokes([(name, _patches(one)) for name, one in learned.items()])
    return [
        _face(name, one, [likeness(known, patch)[name] for patch in _patches(one)]) for name, one in learned.items()
    ]


def _face(name: str, one: Learned, likenesses: Sequence[float]) -> Face:
    """Return the face with its best members and the floors that they set."""
    best = sorted(one.members, key=lambda member: -member.fit.ncc)[:KEPT_MEMBERS]
    greys = np.stack([np.clip(patch * 255, 0, 255).astype(np.uint8) for patch in _cuts(best)])
    colour = _typical([cut(m.candidate.prepared.colour, m.fit.place, FINE) for m in best], one.template)
    own = _own(one)
    like = float(np.percentile(likenesses, 20))
    return Face(name, (greys,), colour, min(NCC_FLOOR, own - FLOOR_SLACK), min(STROKES_FLOOR, like - FLOOR_SLACK))


def _typical(squares: Sequence[Frame], face: Template) -> Frame:
    """Return the square whose print has the most usual colour."""
    where = parts(face)
    tints = [tint(square, where) for square in squares]
    usual = (float(np.median([t[0] for t in tints])), float(np.median([t[1] for t in tints])))
    return squares[min(range(len(squares)), key=lambda index: math.dist(tints[index], usual))]


def _patches(one: Learned) -> list[Array]:
    return _cuts(one.members)


def _cuts(members: Sequence[Member], size: int = FINE, reach: float = 1.0) -> list[Array]:
    return [cut(member.candidate.prepared.fine, member.fit.place, size, reach) for member in members]
