"""Learning one face from squares that show it, some of which may show something else.

The square that resembles its best neighbours most is the seed; the others are laid over it, and their median becomes
the next template. Four rounds settle it (finder trial: 24 of 24 faces usable from ten dice each).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.align import FINE, NEAR, Fit, Spread, Template, bank, fit, starts, template
from vision.place import Array, Place, cut
from vision.prepared import Prepared

SEED_NEIGHBOURS = 7
"""How many neighbours judge a seed: of ten dice at least seven are seen well."""
JOIN_FIRST, JOIN = 0.60, 0.75
"""Correlation from which a square joins the face, in the first round and after. Intruders of D1-D4 lay at .75 and
below, members at .80 and above."""
ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Candidate:
    """A square that may show the face: the prepared picture it is in, its place there and the picture's number."""

    prepared: Prepared
    place: Place
    picture: int


@dataclass(frozen=True, slots=True)
class Member:
    """A square that shows the face: where it came to rest, how well it fits, and which picture it is in."""

    candidate: Candidate
    fit: Fit


@dataclass(frozen=True, slots=True)
class Learned:
    """A face as it is seen and the squares it was learnt from."""

    template: Template
    members: tuple[Member, ...]


def lay(face: Template, candidate: Candidate, spread: Spread = NEAR, size: float | None = None) -> Fit:
    """Return the best fit of one face at a candidate."""
    options = starts(candidate.prepared, candidate.place, bank([face]), spread)
    return fit(candidate.prepared, options[0], size)


def gather(name: str, candidates: Sequence[Candidate]) -> Learned | None:
    """Return the face that most of the candidates show, or None if no two resemble one another."""
    if not candidates:
        return None
    face = _seed(name, candidates)
    members: list[Member] = []
    for turn in range(ROUNDS):
        fits = [Member(candidate, lay(face, candidate)) for candidate in candidates]
        members = [member for member in fits if member.fit.ncc > (JOIN if turn else JOIN_FIRST)]
        if not members:
            return None
        face = template(name, _median([_patch(member) for member in members]))
    return Learned(face, tuple(members))


def _seed(name: str, candidates: Sequence[Candidate]) -> Template:
    best, top = template(name, _cut(candidates[0])), -1.0
    for candidate in candidates:
        face = template(name, _cut(candidate))
        others = sorted((lay(face, other).ncc for other in candidates if other is not candidate), reverse=True)
        score = float(np.mean(others[:SEED_NEIGHBOURS])) if others else 0.0
        if score > top:
            best, top = face, score
    return best


def _cut(candidate: Candidate) -> Array:
    return np.asarray(cut(candidate.prepared.fine, candidate.place, FINE), np.float32)


def _patch(member: Member) -> Array:
    patch = np.asarray(cut(member.candidate.prepared.fine, member.fit.place, FINE), np.float32)
    return np.asarray((patch - patch.mean()) / max(float(patch.std()), 1e-6), np.float32)


def _median(patches: Sequence[Array]) -> Array:
    return np.asarray(np.median(np.stack(patches), axis=0), np.float32)
