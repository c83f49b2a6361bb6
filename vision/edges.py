"""Where the square of a face ends, told by dice that show the same face in different places.

Inside the face all of them look the same; outside, side faces, ground and neighbours differ from die to die. So the
spread over the dice rises at the face's edge, and the median picture mostly has a step there too.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.place import Array, Place

REACH = 1.5
"""Half-sides that the patches show."""
PIXELS = 96
"""Pixels along them: as fine as a template."""
HALVES = (0.82, 1.12)
"""Half-sides of the proposed square between which the true one is sought: proposals are up to 14 % too large."""
OFFSET = 0.14
"""How far its middle may lie from the proposed one, in half-sides."""
LEAST_SPREAD = 0.10
"""Spread, in spreads of a patch, that counts as none: noise and alignment."""
ALONG = 0.60
"""Part of an edge that is looked at: corners are round."""
INSIDE, WITHIN, BEYOND = 0.95, (0.84, 0.96), (1.0, 1.12)
"""Half-sides of the square within which levels are the face's, and of strips along its edge on both sides."""


@dataclass(frozen=True, slots=True)
class Shift:
    """How a square should lie: moved (half-sides), turned (radians) and grown (log of the side)."""

    u: float = 0.0
    v: float = 0.0
    turn: float = 0.0
    grow: float = 0.0

    def of(self, place: Place) -> Place:
        """Return the square so moved."""
        half, c, s = place.side / 2, math.cos(place.yaw), math.sin(place.yaw)
        x, y = place.x + half * (c * self.u - s * self.v), place.y + half * (s * self.u + c * self.v)
        return Place(x, y, place.side * math.exp(self.grow), place.yaw + self.turn)


def square(patches: Sequence[Array]) -> Shift:
    """Return where the face lies in aligned patches (PIXELS, PIXELS) that show REACH half-sides of it."""
    stack = np.stack([(patch - patch.mean()) / max(float(patch.std()), 1e-6) for patch in patches])
    across, down = _outward(stack), _outward(stack.transpose(0, 2, 1))
    best, found = -1.0, Shift()
    for half in np.arange(HALVES[0], HALVES[1], 0.01):
        (u, first), (v, second) = _middle(across, float(half)), _middle(down, float(half))
        if first + second > best:
            best, found = first + second, Shift(u, v, 0.0, math.log(float(half)))
    return found


def bounded(patches: Sequence[Array]) -> float:
    """Return how plainly aligned patches, as for `square`, show that the face ends at its square.

    It is what the dice differ by just outside, or what the strips along the edge do, in spreads of the face; the
    median of the four sides. Dice as dark as their ground show nothing.
    """
    axis = _axis()
    face = np.ix_(np.abs(axis) < INSIDE, np.abs(axis) < INSIDE)
    stack = np.stack([(patch - patch[face].mean()) / max(float(patch[face].std()), 1e-6) for patch in patches])
    turned = [np.rot90(stack, quarter, (1, 2)) for quarter in range(4)]
    return float(np.median([_end(side, axis) for side in turned]))


def _end(stack: npt.NDArray[np.float32], axis: npt.NDArray[np.float64]) -> float:
    """Return how plainly the face ends on the right."""
    rows = stack[:, np.abs(axis) < ALONG]
    within, beyond = (rows[:, :, (axis > low) & (axis < high)] for low, high in (WITHIN, BEYOND))
    step = abs(float(np.median(beyond)) - float(np.median(within)))
    return max(step, float(np.median(beyond.std(axis=0))))


def _outward(stack: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Return how much speaks for an edge at each column: the dice's own steps and their spread's rise."""
    axis = _axis()
    rows = np.abs(axis) < ALONG
    outer = np.abs(axis) > HALVES[0] - OFFSET
    step = np.median(np.median(np.abs(np.gradient(stack, axis=2)), axis=0)[rows], axis=0)
    spread = np.log(stack.std(axis=0) + LEAST_SPREAD)
    rise = np.median((np.gradient(spread, axis=1) * np.sign(axis)[None, :])[rows], axis=0)
    together = step / max(float(step[outer].max()), 1e-6) + np.maximum(rise, 0) / max(float(rise[outer].max()), 1e-6)
    return np.asarray(np.convolve(together, [0.25, 0.5, 0.25], mode="same"))


def _middle(edges: npt.NDArray[np.float64], half: float) -> tuple[float, float]:
    """Return the middle at which two edges `2 * half` apart are told best, and how well."""
    middles = np.arange(-OFFSET, OFFSET + 1e-9, 0.01)
    told = np.interp(middles - half, _axis(), edges) + np.interp(middles + half, _axis(), edges)
    best = int(told.argmax())
    return float(middles[best]), float(told[best])


def _axis() -> npt.NDArray[np.float64]:
    return ((2 * np.arange(PIXELS) + 1) / PIXELS - 1) * REACH
