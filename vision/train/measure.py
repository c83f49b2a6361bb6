"""`python -m vision.train.measure LABELS [--every N]`: how many dice of labelled frames the finder finds.

Prints, per category and together: readable flat dice, the part found (middle and mean corner within a quarter of the
side), false squares a frame at two heats, and how many dice that do not lie flat pass as flat.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finder import LEAST_HEAT, Finding, Square, find_squares

HEATS = (LEAST_HEAT, 0.3, 0.5)
"""Heats at which squares are counted."""
NEAR = 0.25
"""Part of the side within which a square is found."""


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--every", type=int, default=1, help="only every Nth frame")
    parser.add_argument("--missed", action="store_true", help="name the dice that are missed")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    errors: list[float] = []
    lines = options.labels.read_text().splitlines()[:: options.every]
    for label in map(json.loads, lines):
        frame = cv2.imread(str(options.labels.parent / label["file"]))
        if frame is None or any(not (die.get("quad_px") or die.get("box")) for die in label["dice"]):
            continue
        tally = count(label, find_squares(np.asarray(frame, np.uint8)), errors, options.missed)
        for key in (label.get("category") or str(Path(label["file"]).parent)[:10], "all"):
            tallies[key].update(tally)
    for name in sorted(tallies):
        sys.stdout.write(row(name, tallies[name]) + "\n")
    if errors:
        sys.stdout.write(f"corner error, part of the side: median {np.median(errors):.3f}, ")
        sys.stdout.write(f"95 % {np.percentile(errors, 95):.3f}\n")
    return 0


def row(name: str, tally: Counter[str]) -> str:
    """One line of the table."""
    flat, frames = max(tally["flat"], 1), max(tally["frames"], 1)
    found = " ".join(f"{tally[f'found{h}'] / flat:.4f}" for h in HEATS)
    false = " ".join(f"{tally[f'false{h}'] / frames:.2f}" for h in HEATS)
    lean = " ".join(f"{tally[f'lean{h}']}" for h in HEATS)
    return (
        f"{name:10s} flat {tally['flat']:5d} found {found} | false {false} | not flat {tally['other']:3d} "
        f"passed {lean}, named {tally['named']}"
    )


def count(label: dict[str, Any], finding: Finding, errors: list[float], name_missed: bool) -> Counter[str]:
    """What is right and wrong in one frame."""
    tally: Counter[str] = Counter(frames=1)
    free = list(finding.squares)
    for die in label["dice"]:
        if die.get("outside_frame", 0) > 0.25:
            free = [s for s in free if math.dist(s.centre_px, die["centre_px"]) > 60]
            continue
        quad = outline(die)
        apart = corner_error if die.get("quad_px") else centre_error
        hits = [(error, s) for s in finding.squares if (error := apart(s, quad)) < NEAR]
        best = max(hits, key=lambda h: h[1].heat, default=None)
        free = [s for s in free if best is None or s is not best[1]]
        flat = die.get("state", "flat") == "flat"
        if flat and not die.get("readable", True):
            continue
        tally["flat" if flat else "other"] += 1
        _one(tally, flat, best, errors)
        if not flat:
            near = [q for q in finding.leaning if math.dist(q.centre_px, quad.mean(0)) < 60]
            tally["named"] += bool(near)
        if flat and name_missed and (best is None or best[1].heat < HEATS[1]):
            at = [round(float(v)) for v in quad.mean(0)]
            sys.stdout.write(f"missed {label['file']} {at} heat {best[1].heat if best else 0:.2f}\n")
    for heat in HEATS:
        tally[f"false{heat}"] += sum(s.heat > heat for s in free)
    return tally


def _one(tally: Counter[str], flat: bool, best: tuple[float, Square] | None, errors: list[float]) -> None:
    if best is None:
        return
    for heat in HEATS:
        tally[f"{'found' if flat else 'lean'}{heat}"] += best[1].heat > heat
    if flat:
        errors.append(best[0])


def outline(die: dict[str, Any]) -> NDArray[np.float64]:
    """The corners (4, 2) of the face, or of the box where only that is labelled."""
    if die.get("quad_px"):
        return np.array(die["quad_px"], float)
    x, y, width, height = die["box"]
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], float)


def centre_error(square: Square, quad: NDArray[np.float64]) -> float:
    """Distance of the middles in parts of the box's larger side; 1 if the square is no part or far more of the box."""
    side = float(np.ptp(quad, axis=0).max())
    if not 0.45 < square.side_px / side < 1.2:
        return 1.0
    return math.dist(square.centre_px, quad.mean(0)) / side


def corner_error(square: Square, quad: NDArray[np.float64]) -> float:
    """Mean distance of the corners in the best of four turns, in parts of the quad's side."""
    side = np.hypot(*(np.roll(quad, -1, 0) - quad).T).mean()
    return min(float(np.hypot(*(np.roll(own, 0, 0) - quad).T).mean()) for own in corners(square)) / float(side)


def corners(square: Square) -> Iterator[NDArray[np.float64]]:
    """The square's corners (4, 2), beginning with each of them, both ways round."""
    turn = math.radians(square.yaw_deg)
    across = np.array([math.cos(turn), math.sin(turn)]) * square.side_px / 2
    down = np.array([-across[1], across[0]])
    ring = np.array([-across - down, across - down, across + down, -across + down]) + square.centre_px
    for k in range(4):
        yield np.roll(ring, k, 0)
        yield np.roll(ring[::-1], k, 0)


if __name__ == "__main__":
    sys.exit(main())
