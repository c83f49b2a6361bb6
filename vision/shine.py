"""Pip dice on which light lies: a lamp may hide pips, and lamps in a row are mirrored as if they were some."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision import health
from vision.align import FINE
from vision.judge import DOUBT_HEAT, OTHERS, Verdict
from vision.pips import contrast, lit, softly
from vision.place import cut
from vision.prepared import Prepared

BLOWN_OUT, MORE_BLOWN_OUT = 0.50, 0.10
"""A pip die is doubted of whose face more than the first is blown out, and more by the second than twice as much as of
the frame's dice in the median: a lamp that blew out .73 hid a pip of a light die, one in 2,060, where the others had
.19 at most. With fewer than three dice in sight nothing can be compared, and the first decides."""
LIT_BODY, LIT_PART = 0.95, 0.01
"""A lamp over a light face hides dark pips: more than the second of what is counted is blown out on a body below the
first (square root of the level, 0 to 1)."""
WHITE_BODY, MORE_LIT = 0.98, 0.05
"""So it does on a body up to the first if more is blown out by the second than twice as much as of the others in the
median: lamps that hid the middle of a white three, told as a two, blew out .11, and .01 of the others. White dice in
bright light have as much all over; of 626 as white as that twelve are lost."""
SAME_BODY, BRIGHTER = 0.08, 1.25
"""Bodies whose levels (square roots, 0 to 1) are nearer than the first are of one colour, and have pips of one colour.
Light pips are doubted that stand out by more than the second as often as those of the others do, or where the others'
are dark: a chain of small lamps, mirrored in a one with a dark pip, was told as three light ones. Of 2,467 rendered
dice with two such others none has pips of the other kind; of the 621 with light pips the plainest has 1.15."""


def shone_on(verdicts: Sequence[Verdict], prepared: Prepared) -> list[Verdict]:
    """Return the verdicts without pip dice on which light lies, or far more than on the others of the frame."""
    parts = {id(v): health.blown_out(prepared, v.look.place) for v in verdicts if v.look.heat >= DOUBT_HEAT}
    usual = float(np.median(list(parts.values()))) if len(parts) >= OTHERS else 0.0
    most = max(BLOWN_OUT, 2 * usual + MORE_BLOWN_OUT)
    told = {id(v): softly(cut(prepared.fine, v.look.place, FINE)) for v in verdicts if v.certain}
    contrasts = {key: contrast(soft) for key, soft in told.items()}
    lights = {key: lit(soft) for key, soft in told.items()}

    def shone(one: Verdict) -> bool:
        key = id(one)
        rest = [other for other in told if other != key]
        return (
            parts.get(key, 0.0) > most
            or _under_a_lamp(contrasts[key], lights[key], [lights[other] for other in rest])
            or _mirrored(contrasts[key], [contrasts[other] for other in rest])
        )

    return [replace(v, reasons=("glare",)) if v.certain and shone(v) else v for v in verdicts]


def _under_a_lamp(seen: tuple[float, float], light: float, others: Sequence[float]) -> bool:
    """Return whether so much of a light die is blown out that a lamp may hide pips; `others` is how much of each other.

    >>> _under_a_lamp((0.94, -0.5), 0.02, []), _under_a_lamp((0.96, -0.5), 0.11, [0.01, 0.02])
    (True, True)
    >>> _under_a_lamp((0.96, -0.5), 0.11, [0.09, 0.12]), _under_a_lamp((0.4, 0.3), 0.11, [])
    (False, False)
    """
    body, pips = seen
    if pips > 0:
        return False
    usual = float(np.median(others)) if others else 0.0
    return light > LIT_PART if body < LIT_BODY else body < WHITE_BODY and light > 2 * usual + MORE_LIT


def _mirrored(seen: tuple[float, float], others: Sequence[tuple[float, float]]) -> bool:
    """Return whether light pips are none that the other dice of the same body have.

    Each die is the level of its body and how far its pips are from it.

    >>> dark, light = (0.63, -0.15), (0.36, 0.30)
    >>> _mirrored((0.65, 0.33), [dark, dark]), _mirrored((0.36, 0.45), [light, light])
    (True, True)
    >>> _mirrored((0.36, 0.33), [light, light]), _mirrored((0.36, 0.33), [dark, dark])
    (False, False)
    """
    body, pips = seen
    usual = [their_pips for their_body, their_pips in others if abs(their_body - body) < SAME_BODY]
    return pips > 0 and len(usual) >= OTHERS - 1 and pips > BRIGHTER * float(np.median(usual))
