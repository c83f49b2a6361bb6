"""Sets of dice drawn at random: bodies, inks and prints that nobody has seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.synth import glyphs
from vision.synth.glyphs import Mask, Pen
from vision.synth.sets import BUILT_IN, Body, Colour, DieSet, Layers

Rng = np.random.Generator

_SEEDS = 1_000_000


def random_colour(rng: Rng, low: float = 20, high: float = 235, dull: float = 0.6) -> Colour:
    """A random colour, the greyer the larger `dull`."""
    base = rng.uniform(low, high)
    mixed = base + (1 - dull) * rng.uniform(-1, 1, 3) * min(base, 255 - base, 110)
    return (float(mixed[0]), float(mixed[1]), float(mixed[2]))


def random_body(rng: Rng) -> Body:
    """Light, dark, coloured, wooden or translucent, 12-18 mm, sharp or well-rounded."""
    kind = rng.choice(["light", "light", "dark", "colour", "wood", "clear"])
    edge = float(rng.uniform(12, 18))
    colour = {
        "light": (random_colour(rng, 190, 238, 0.75)),
        "dark": (random_colour(rng, 18, 60, 0.6)),
        "colour": (random_colour(rng, 60, 190, 0.0)),
        "wood": tuple(np.array([120.0, 165, 200]) * rng.uniform(0.4, 1.1)),
        "clear": (random_colour(rng, 60, 200, 0.2)),
    }[str(kind)]
    return Body(
        edge_mm=edge,
        radius_mm=edge * float(rng.uniform(0.04, 0.2)),
        colour=colour,
        gloss=float(rng.uniform(0, 1)),
        grain=float(rng.uniform(0.2, 1)) if kind == "wood" else 0.0,
        clear=float(rng.uniform(0.2, 0.8)) if kind == "clear" else 0.0,
    )


def random_set(rng: Rng) -> DieSet:
    """A set nobody has seen: letters, pips, suits, pictures or a mixture on a random body; one in eight is built in."""
    if rng.random() < 0.125:
        built = BUILT_IN[str(rng.choice(list(BUILT_IN)))]()
        return replace(
            built, body=replace(built.body, edge_mm=float(rng.uniform(14, 17))), seed=int(rng.integers(_SEEDS))
        )
    body = random_body(rng)
    bright = sum(body.colour) / 3
    ink = _inks(rng, bright)
    style = str(rng.choice(["letters", "pips", "suits", "pictures", "mixed"]))
    kinds = [style if style != "mixed" else str(rng.choice(["letters", "pips", "suits", "pictures"])) for _ in range(6)]
    pen = random_pen(rng)
    one_ink = rng.random() < 0.5
    names = ("a", "b", "c", "d", "e", "f")
    prints = {n: _print(rng, kinds[k], k, pen, ink[0] if one_ink else ink[k]) for k, n in enumerate(names)}
    if rng.random() < 0.2:
        prints = {n: _worn(rng, layers) for n, layers in prints.items()}
    return DieSet(style, names, prints, body, seed=int(rng.integers(_SEEDS)))


def _inks(rng: Rng, bright: float) -> list[Colour]:
    """Six print colours that differ from the body in brightness by at least 45 of 255."""
    inks: list[Colour] = []
    while len(inks) < 6:
        ink = random_colour(rng, 8, 248, float(rng.choice([0.9, 0.1])))
        if abs(sum(ink) / 3 - bright) > 45:
            inks.append(ink)
    return inks


def random_pen(rng: Rng) -> Pen:
    """A hand to write letters in."""
    return Pen(
        width=float(rng.uniform(0.4, 1.3)),
        stress=float(rng.uniform(1, 1.8)),
        slant=float(rng.choice([0.0, 0.0, rng.uniform(-0.2, 0.2)])),
        serifs=bool(rng.random() < 0.4),
        aspect=float(rng.uniform(0.6, 1.15)),
    )


def _print(rng: Rng, kind: str, place: int, pen: Pen, ink: Colour) -> Layers:
    layers: list[tuple[Mask, Colour]] = []
    if kind == "pips":
        count = place + 1 if rng.random() < 0.8 else int(rng.integers(1, 11))
        radius = rng.uniform(0.04, 0.1) * (1.6 if count == 1 and rng.random() < 0.4 else 1.0)
        layers.append((glyphs.pips(count, radius, rng.uniform(0.18, 0.28), bool(rng.random() < 0.85)), ink))
    elif kind == "letters":
        text = "10" if rng.random() < 0.15 else str(rng.choice(list(glyphs.LETTERS)))
        height = rng.uniform(0.35, 0.7) if len(text) == 1 else rng.uniform(0.3, 0.5)
        spot = (0.5 + rng.normal(0, 0.03), 0.5 + rng.normal(0, 0.03))
        layers.append((glyphs.letters(text, pen, height, spot), ink))
    elif kind == "suits":
        layers.append((glyphs.suit(str(rng.choice(list(glyphs.SUITS))), rng.uniform(0.35, 0.75)), ink))
    else:
        layers.append((glyphs.blob(rng, rng.uniform(0.3, 0.65), (rng.uniform(0.4, 0.6), rng.uniform(0.4, 0.6))), ink))
        for _ in range(int(rng.integers(0, 3))):
            spot = (rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7))
            layers.append((glyphs.blob(rng, rng.uniform(0.15, 0.4), spot), random_colour(rng, 10, 245, 0.2)))
    if rng.random() < 0.25:
        spot = (float(rng.choice([0.25, 0.75])), float(rng.choice([0.25, 0.75])))
        layers.append((glyphs.suit(str(rng.choice(list(glyphs.SUITS))), rng.uniform(0.1, 0.22), spot), ink))
    if rng.random() < 0.06:
        layers.append((_border(rng), ink))
    return tuple(layers)


def _worn(rng: Rng, layers: Layers) -> Layers:
    """The print with paint rubbed off in patches."""
    noise = cv2.GaussianBlur(rng.normal(0, 1, (glyphs.SIZE, glyphs.SIZE)).astype(np.float32), (0, 0), rng.uniform(2, 8))
    left = np.clip(1.0 + rng.uniform(0.0, 0.6) + noise / noise.std() * 0.5, 0.3, 1)
    return tuple((np.asarray(mask * left, np.float32), ink) for mask, ink in layers)


def _border(rng: Rng) -> Mask:
    """A printed frame along the face's edges."""
    inset, width = rng.uniform(0.1, 0.16), rng.uniform(0.015, 0.05)
    x = np.abs(np.linspace(-0.5, 0.5, glyphs.SIZE))
    far = np.maximum(x[:, None], x[None, :])
    return np.asarray((far < 0.5 - inset) & (far > 0.5 - inset - width), np.float32)
