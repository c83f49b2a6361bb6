"""Learning one face from squares that show it, some of which may show something else.

The square that resembles its best neighbours most is the seed; the others are laid over it, and their median becomes
the next template. Four rounds settle it (finder trial: 24 of 24 faces usable from ten dice each).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.align import FINE, NEAR, Fit, Size, Spread, Template, bank, fit, starts, template
from vision.edges import PIXELS, REACH, Shift, square
from vision.place import Array, Place, cut
from vision.prepared import Prepared
from vision.strokes import describe

SEED_NEIGHBOURS = 7
"""How many neighbours judge a seed: of ten dice at least seven are seen well."""
JOIN_FIRST, JOIN = 0.60, 0.75
"""Correlation from which a square joins the face, in the first round and after. Intruders of D1-D4 lay at .75 and
below, members at .80 and above."""
ROUNDS = 4
EDGE_MEMBERS = 4
"""Dice from which edges are told from what differs round them; fewer leave the proposals' median."""
MOST_OFF = 0.095
"""Sides by which the middle of a face may lie off the middle of the proposals in the median; farther off its edges are
those of a frame in the print. Faces of D1-D4 lie within .074; of four faces of drawn sets that lay farther the middle
was learnt a tenth of a side off, and .01 from the proposals alone."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A square that may show the face: the prepared picture it is in, the proposed place and the picture's number.

    `start` is where the next fit begins, if that is better known than the proposal.
    """

    prepared: Prepared
    place: Place
    picture: int
    start: Place | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """A square that shows the face: where it came to rest, and how alike both readers find it."""

    candidate: Candidate
    fit: Fit
    alike: float


@dataclass(frozen=True, slots=True)
class Learned:
    """A face as it is seen, the squares it was learnt from, and the candidates that show something else."""

    template: Template
    members: tuple[Member, ...]
    others: tuple[Candidate, ...]


def lay(face: Template, candidate: Candidate, spread: Spread = NEAR, size: Size | None = None) -> Fit:
    """Return the best fit of one face at a candidate."""
    options = starts(candidate.prepared, candidate.start or candidate.place, bank([face]), spread)
    return fit(candidate.prepared, options[0], size)


def compared(face: Template, candidate: Candidate, size: Size | None = None) -> Member:
    """Return the candidate with one face laid over it; smooth ground correlates with anything, its edges do not."""
    found = lay(face, candidate, NEAR, size)
    patch = cut(candidate.prepared.fine, found.place, FINE)
    by_edges = float(describe(patch) @ describe(face.patch))
    return Member(candidate, found, min(found.ncc, by_edges))


def gather(name: str, candidates: Sequence[Candidate], *, edges: bool = True) -> Learned | None:
    """Return the face that most of the candidates show, or None if no two resemble one another.

    After each round the square is laid where the dice say that the face ends (with `edges`, and if that is near the
    proposals), and every die of a picture gets the picture's one size.
    """
    if not candidates:
        return None
    face, now = _seed(name, candidates), list(candidates)
    compare: list[Member] = []
    for turn in range(ROUNDS):
        sizes = _sizes(compare) if turn > 1 else {}
        compare = [compared(face, candidate, sizes.get(candidate.picture)) for candidate in now]
        members = [member for member in compare if member.alike > (JOIN if turn else JOIN_FIRST)]
        if not members:
            return None
        shift = _shift(members, edges=edges)
        face = template(name, _median([_patch(member, shift.of(member.fit.place)) for member in members]))
        now = [replace(one.candidate, start=shift.of(one.fit.place)) for one in compare]
    others = tuple(one for one, seen in zip(candidates, compare, strict=True) if seen.alike <= JOIN)
    placed = [replace(member, fit=replace(member.fit, place=shift.of(member.fit.place))) for member in members]
    if edges and math.dist((0.0, 0.0), _off(placed)) > MOST_OFF:
        return gather(name, candidates, edges=False)
    return Learned(face, tuple(placed), others)


def _off(members: Sequence[Member]) -> tuple[float, float]:
    """Return how far the proposals lie from the faces, in sides, in the median: across and along."""
    shift = _towards_proposals(members)
    return shift.u / 2, shift.v / 2


def _sizes(compare: Sequence[Member]) -> dict[int, Size]:
    """Return the one size of the dice in each picture, from those that fit."""
    sides: dict[int, list[float]] = {}
    for member in compare:
        if member.alike > JOIN:
            sides.setdefault(member.candidate.picture, []).append((member.candidate.start or member.fit.place).side)
    return {picture: Size(float(np.median(found))) for picture, found in sides.items()}


def _shift(members: Sequence[Member], *, edges: bool) -> Shift:
    """Return how the template's square should be moved to be the face's."""
    proposed = _towards_proposals(members)
    if len(members) < EDGE_MEMBERS or not edges:
        return proposed
    patches = [_patch(member, proposed.of(member.fit.place), PIXELS, REACH) for member in members]
    return _after(proposed, square(patches))


def _after(first: Shift, second: Shift) -> Shift:
    """Return the shift that does one after the other."""
    half, c, s = math.exp(first.grow), math.cos(first.turn), math.sin(first.turn)
    u = first.u + half * (c * second.u - s * second.v)
    v = first.v + half * (s * second.u + c * second.v)
    return Shift(u, v, first.turn + second.turn, first.grow + second.grow)


def _seed(name: str, candidates: Sequence[Candidate]) -> Template:
    best, top = template(name, _cut(candidates[0])), -1.0
    for candidate in candidates:
        face = template(name, _cut(candidate))
        others = sorted((compared(face, other).alike for other in candidates if other is not candidate), reverse=True)
        score = float(np.mean(others[:SEED_NEIGHBOURS])) if others else 0.0
        if score > top:
            best, top = face, score
    return best


def _cut(candidate: Candidate) -> Array:
    return np.asarray(cut(candidate.prepared.fine, candidate.place, FINE), np.float32)


def _towards_proposals(members: Sequence[Member]) -> Shift:
    """Return how far the proposed squares lie, in the median, from where the template came to rest.

    The seed's square is as far off as any; the median of ten is not. So faces learnt apart get one size.
    """
    offsets = []
    for member in members:
        there, here = member.candidate.place, member.fit.place
        half, c, s = here.side / 2, math.cos(here.yaw), math.sin(here.yaw)
        x, y = (there.x - here.x) / half, (there.y - here.y) / half
        turn = (there.yaw - here.yaw + math.pi / 4) % (math.pi / 2) - math.pi / 4
        offsets.append((c * x + s * y, c * y - s * x, turn, math.log(there.side / here.side)))
    return Shift(*(float(value) for value in np.median(np.array(offsets), axis=0)))


def _patch(member: Member, place: Place, size: int = FINE, reach: float = 1.0) -> Array:
    patch = cut(member.candidate.prepared.fine, place, size, reach)
    return np.asarray((patch - patch.mean()) / max(float(patch.std()), 1e-6), np.float32)


def _median(patches: Sequence[Array]) -> Array:
    return np.asarray(np.median(np.stack(patches), axis=0), np.float32)
