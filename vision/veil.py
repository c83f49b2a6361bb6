"""Faces that a lamp shines over: what is left of a face without the light must still be that face, and no other.

A lamp above the tray, seen through the glass or mirrored in it, adds light to a part of a face. That part is what lies
far from the face that was named once its levels are fitted to the rest; the other faces are compared without it too, so
that nothing is told if the light hides what tells two faces apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.align import FINE, Template, mask, unit
from vision.place import Array

ROUNDS = 8
"""Rounds in which levels are fitted to what is not veiled, and what is veiled is found anew."""
FAR, LEAST_FAR = 3.0, 0.06
"""A pixel is veiled that is off by so many deviations (median, as of a normal one), and by this much at least (square
root of the level, 0 to 1)."""
SPECK, AROUND = 3, 5
"""Pixels of a fine patch: what is narrower is noise, and by what a veiled part is widened."""
MOST = 0.40
"""Part of a face that may be veiled. Of two kings and a nine beside lamps (D2, D3) .16 to .36 were."""
LIT = 0.75
"""Part of the veiled pixels that must be brighter than the face, or it is no light: .89 to 1.0 there."""
LEAST_NCC, LEAST_LEAD = 0.93, 0.15
"""Correlation of the rest with the face, and lead over every other face without the veiled part: .95 to .98 there, with
leads of .18 and more."""
SHIFTS = (-2, 0, 2)
"""Pixels by which other faces are moved, since the square lies as the face that was named lies best."""


@dataclass(frozen=True, slots=True)
class Rest:
    """What is left of a face: the part that is veiled, how much of that is brighter, correlations with the rest."""

    veiled: float
    lit: float
    ncc: float
    rival: float

    @property
    def sure(self) -> bool:
        """Return whether light hides a part of the face and the rest shows which it is."""
        shown = 0 < self.veiled <= MOST and self.lit >= LIT
        return shown and self.ncc >= LEAST_NCC and self.ncc - self.rival >= LEAST_LEAD


def rest(patch: Array, faces: Sequence[Template], name: str) -> Rest:
    """Return what is left of a fine patch, cut as the face `name` lies best, without the light upon it."""
    own = max((face.patch for face in faces if face.name == name), key=lambda one: _ncc(patch, one, mask(FINE)))
    seen, off = _bared(patch, own)
    veiled = mask(FINE) & ~seen
    bare = Rest(
        float(1 - seen.sum() / mask(FINE).sum()),
        float(np.mean(off[veiled] > 0)) if veiled.any() else 0.0,
        _ncc(patch, own, seen),
        0.0,
    )
    if not bare.sure:  # most are not, and the other faces cost more than all the rest
        return bare
    turned = [np.rot90(face.patch, -quarter) for face in faces if face.name != name for quarter in range(4)]
    others = [np.roll(one, (down, right), (0, 1)) for one in turned for down in SHIFTS for right in SHIFTS]
    return replace(bare, rival=max((_ncc(patch, one, seen) for one in others), default=0.0))


def _bared(patch: Array, face: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.bool_], Array]:
    """Return where nothing veils the face, and how much brighter the patch is than the face everywhere."""
    seen, off = mask(FINE), np.zeros_like(patch)
    for _ in range(ROUNDS):
        levels = np.stack([face[seen], np.ones(int(seen.sum()), np.float32)], axis=1)
        gain, ground = np.linalg.lstsq(levels, patch[seen], rcond=None)[0]
        off = np.asarray(patch - (gain * face + ground), np.float32)
        usual = 1.4826 * float(np.median(np.abs(off[seen])))
        far = (np.abs(off) > max(FAR * usual, LEAST_FAR)).astype(np.uint8)
        spots = cv2.morphologyEx(far, cv2.MORPH_OPEN, np.ones((SPECK, SPECK), np.uint8))
        now = mask(FINE) & (cv2.dilate(spots, np.ones((AROUND, AROUND), np.uint8)) == 0)
        if now.sum() < (1 - MOST) * mask(FINE).sum():
            return now, off
        seen = now
    return seen, off


def _ncc(patch: Array, face: npt.NDArray[np.float32], where: npt.NDArray[np.bool_]) -> float:
    return float(unit(patch[where]) @ unit(face[where])) if where.any() else 0.0
