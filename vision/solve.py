"""Least squares of a smooth function, by Levenberg and Marquardt; NumPy only."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
STEP = 1e-6
"""Step of the numerical derivatives, in the unknowns' own units, which are of about one."""
ROUNDS = 60


def least_squares(misses: Callable[[Vector], Vector], start: Vector) -> Vector:
    """Return the unknowns, near `start`, for which the squares of `misses` sum to the least.

    >>> least_squares(lambda v: np.array([v[0] - 3, v[0] * v[1] - 6]), np.array([1.0, 1.0])).round(4).tolist()
    [3.0, 2.0]
    """
    now, off = np.asarray(start, np.float64), misses(start)
    damp = 1e-3
    for _ in range(ROUNDS):
        slopes = _slopes(misses, now, off)
        square, pull = slopes.T @ slopes, slopes.T @ off
        step = np.linalg.lstsq(square + damp * np.diag(np.diag(square) + 1e-12), -pull, rcond=None)[0]
        then = misses(now + step)
        if not float(then @ then) < float(off @ off):
            damp *= 10
            if damp > 1e8:
                break
            continue
        gained = float(off @ off) - float(then @ then)
        now, off, damp = now + step, then, damp / 10
        if gained < 1e-10 * float(off @ off):
            break
    return now


def _slopes(misses: Callable[[Vector], Vector], at: Vector, off: Vector) -> Vector:
    columns = [(misses(at + STEP * axis) - off) / STEP for axis in np.eye(len(at))]
    return np.asarray(np.stack(columns, axis=1))
