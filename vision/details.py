"""The last reader of enrolled faces: what is printed in the middle of the face, without its rim and without shade.

A bevelled rim that lights up has more contrast than many prints. Two faces that were learnt in like light share it, and
with it nine tenths of their correlation, by whole faces and by edges alike; and a face learnt with a bright rim fits
none that has a dark one. So every face is tried once more in every turn at the one place, where only print is. Light
that grows from one side to the other is taken out of both.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.align import FINE, Template
from vision.place import Array

REACH = 0.62
"""Part of the face that is compared. On 24 dice with bright rims that were told wrongly the true face was the likest in
none within .90, in 19 within .75 and in all within .62."""
SOFT = 1.0
"""Pixels of a fine patch by which it is softened."""
SHIFTS = (-2, 0, 2)
"""Pixels by which it is moved, since it lies as the face that was named lies best."""
LEAST_OWN, LEAST_LEAD = 0.90, 0.06
"""Correlation with the face that was named, and lead over the next face. Of 3,588 dice of 17 rendered sets 13 show
less, of 15 told wrongly without this reader three. With the shade left in, and .92 asked for, 28 and three did, and
of 89 faces told wrongly in 28,000 rendered dice all but ten."""
SURE_OWN, SURE_LEAD = 0.86, 0.20
"""The same where the whole face fits badly, as one does that was learnt with a bright rim or in less noise, and its
edges must say the same. Of 241 flat dice of 17 rendered sets that were told no face half show so much, of 64 other
squares only four dice that lean plainly."""
LAMP, BRIGHTER, DARKER = 0.96, 0.04, 0.10
"""Level (square root, 0 to 1) of a lamp that is mirrored in a face, by how much it is brighter there than the face, and
by how much what it leaves of a dark print is darker, in parts of the print's contrast."""
LIT, LEFT, LIT_LEAD = 0.10, 0.15, 0.30
"""Parts of what tells the next face from the one that was named that are so bright and so dark if a lamp hides it, and
lead from which other parts tell it too. A five whose middle spot a lamp hid, told as a four, has .22, .20 and .21; of
4,599 dice of D1-D4 and 17 rendered sets two have as much."""


@dataclass(frozen=True, slots=True)
class Middle:
    """How like the middle of the face that was named is, and by how much liker than that of any other, -1 to 1.

    `lit` says whether a lamp may hide what would have told the next face.
    """

    own: float
    lead: float
    lit: bool = False

    @property
    def doubtful(self) -> bool:
        """Return whether the middle may be another face's after all."""
        return self.own < LEAST_OWN or self.lead < LEAST_LEAD or self.lit

    @property
    def sure(self) -> bool:
        """Return whether the middle alone shows the face."""
        return self.own >= SURE_OWN and self.lead >= SURE_LEAD


@dataclass(frozen=True, slots=True, eq=False)
class Details:
    """The middles of all faces in four turns, (4 n, pixels), row by row with `names`."""

    names: tuple[str, ...]
    matrix: Array


def details(templates: Sequence[Template]) -> Details:
    """Return the middles of faces."""
    turned = [(one.name, np.rot90(one.patch, -quarter)) for one in templates for quarter in range(4)]
    return Details(tuple(name for name, _ in turned), _even(np.stack([_middle(_soft(patch)) for _, patch in turned])))


def middle(known: Details, patch: Array, name: str) -> Middle:
    """Return what the middle of a fine patch says of the face `name` that the patch seems to show."""
    soft = _soft(patch)
    moved = np.stack([_middle(soft, down, right) for down in SHIFTS for right in SHIFTS])
    scores = known.matrix @ _even(moved).T
    best = scores.max(axis=1)
    named = np.array([face == name for face in known.names])
    own, other = (int(np.argmax(np.where(where, best, -1.0))) for where in (named, ~named))
    shown = moved[int(np.argmax(scores[own]))]
    lead = float(best[own] - best[other])
    return Middle(float(best[own]), lead, lead < LIT_LEAD and _lit(shown, known.matrix[own], known.matrix[other]))


def _lit(shown: Array, own: Array, other: Array) -> bool:
    """Return whether a lamp, and dark rest round it, lie where only the other face has its print."""
    if float(shown.max()) <= LAMP:
        return False
    rest = _shadeless(shown[None])[0]
    gain = float(rest @ own)
    apart = gain * (own - other)
    telling = np.abs(apart) > np.abs(apart).max() / 2
    off = (rest - gain * own)[telling]
    dark = off < -DARKER * float(np.abs(apart[telling]).mean())
    lamp = float(shown[telling].max()) > LAMP
    return lamp and float(np.mean(off > BRIGHTER)) > LIT and float(np.mean(dark)) > LEFT


def _even(middles: Array) -> Array:
    """Return middles, (n, pixels), without level and shade and of unit norm; flat ones become zero."""
    rest = _shadeless(middles)
    return np.asarray(rest / np.maximum(np.linalg.norm(rest, axis=1, keepdims=True), 1e-6), np.float32)


def _shadeless(middles: Array) -> Array:
    """Return middles, (n, pixels), without level and shade."""
    return np.asarray(middles - (middles @ _SHADE) @ _SHADE.T, np.float32)


def _soft(patch: npt.NDArray[np.float32]) -> Array:
    return np.asarray(cv2.GaussianBlur(np.ascontiguousarray(patch, np.float32), (0, 0), SOFT), np.float32)


def _middle(patch: Array, down: int = 0, right: int = 0) -> Array:
    """Return the pixels of the middle, or of a square that much below and to the right of it."""
    return patch[_RIM + down : FINE - _RIM + down, _RIM + right : FINE - _RIM + right].ravel()


_RIM = round(FINE / 2 * (1 - REACH))


def _shade() -> Array:
    """Return an orthonormal base of what is level or grows evenly across the middle, (pixels, 3)."""
    axis = np.linspace(-1, 1, FINE - 2 * _RIM)
    u, v = np.meshgrid(axis, axis)
    return np.asarray(np.linalg.qr(np.stack([np.ones_like(u), u, v], axis=2).reshape(-1, 3))[0], np.float32)


_SHADE = _shade()
