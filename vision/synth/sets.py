"""Dice to draw: bodies, prints and how the faces lie opposite each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth import glyphs
from vision.synth.glyphs import SIZE, Mask, Pen

Colour = tuple[float, float, float]  # blue, green, red, 0 to 255
Texture = NDArray[np.uint8]
Layers = Sequence[tuple[Mask, Colour]]

IVORY: Colour = (205.0, 222.0, 230.0)
WHITE: Colour = (228.0, 230.0, 230.0)
BLACK: Colour = (34.0, 32.0, 32.0)
INK: Colour = (30.0, 26.0, 26.0)
RED: Colour = (38.0, 34.0, 190.0)
GREEN: Colour = (60.0, 120.0, 36.0)
BLUE: Colour = (160.0, 60.0, 40.0)


@dataclass(frozen=True, slots=True)
class Body:
    """The die without its print: edge and corner radius in mm, colour, gloss 0-1, grain 0-1, clearness 0-1."""

    edge_mm: float = 16.0
    radius_mm: float = 1.6
    colour: Colour = WHITE
    gloss: float = 0.4
    grain: float = 0.0
    clear: float = 0.0


@dataclass(frozen=True)
class DieSet:
    """Six faces on a body. `faces` are symbols in the order +x, -x, +y, -y, +z, -z: neighbours in pairs are opposite.

    `prints` gives each symbol its layers (coverage mask, colour) from bottom to top.
    """

    name: str
    faces: tuple[str, str, str, str, str, str]
    prints: Mapping[str, Layers] = field(repr=False)
    body: Body = Body()
    order: tuple[str, ...] = ()
    seed: int = 0

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols in their order of rank (as given, else as they lie on the body)."""
        return self.order or self.faces

    def opposite(self, symbol: str) -> str:
        """The symbol on the other side of the die.

        >>> classic().opposite("A")
        '9'
        """
        return self.faces[self.faces.index(symbol) ^ 1]

    @cached_property
    def textures(self) -> dict[str, tuple[Texture, ...]]:
        """For each symbol its face in body colour, BGR, at `SIZE`, half and a quarter of it."""
        rng = np.random.default_rng(self.seed)
        return {symbol: _ladder(_paint(self.body, self.prints[symbol], rng)) for symbol in self.faces}


def _ladder(face: Texture) -> tuple[Texture, ...]:
    steps = [face]
    for _ in range(2):
        half = steps[-1].shape[0] // 2
        steps.append(np.asarray(cv2.resize(steps[-1], (half, half), interpolation=cv2.INTER_AREA), np.uint8))
    return tuple(steps)


def _paint(body: Body, layers: Layers, rng: np.random.Generator) -> Texture:
    face = np.empty((SIZE, SIZE, 3), np.float32)
    face[:] = body.colour
    if body.grain:
        face *= _grain(rng, body.grain)[:, :, None]
    for mask, colour in layers:
        face += mask[:, :, None] * (np.asarray(colour, np.float32) - face)
    return np.clip(face, 0, 255).astype(np.uint8)


def _grain(rng: np.random.Generator, depth: float) -> Mask:
    """Streaks along one side, as in wood or bone."""
    noise = rng.normal(0, 1, (SIZE, SIZE)).astype(np.float32)
    streaks = cv2.GaussianBlur(noise, (0, 0), sigmaX=14, sigmaY=1.2)
    gain = depth * 0.25 / max(float(streaks.std()), 1e-6)
    return np.asarray(np.clip(1 + streaks * gain, 0.4, 1.5), np.float32)


def classic(edge_mm: float = 16.0) -> DieSet:
    """Ivory poker dice: 9 and 10 as pips, J blue, Q green, K red, a black ace of spades; A-9, K-10, Q-J opposite."""
    pen = Pen(0.8, 1.3, serifs=True)
    crown = glyphs.suit("crown", 0.22, (0.5, 0.22))
    court = {
        name: ((glyphs.letters(name, pen, 0.48, (0.5, 0.6)), colour), (crown, colour))
        for name, colour in (("J", BLUE), ("Q", GREEN), ("K", RED))
    }
    prints = {
        "9": ((glyphs.pips(9, 0.065), INK),),
        "10": ((glyphs.pips(10, 0.06), RED),),
        "A": (
            (glyphs.suit("spade", 0.72), INK),
            (glyphs.letters("A", Pen(0.9), 0.2, (0.5, 0.54)), IVORY),
        ),
        **court,
    }
    body = Body(edge_mm, 1.9, IVORY)
    return DieSet("classic", ("A", "9", "K", "10", "Q", "J"), prints, body, ("9", "10", "J", "Q", "K", "A"))


def plain(edge_mm: float = 16.0) -> DieSet:
    """White dice with black letters and numerals; A-9, K-10, Q-J opposite."""
    pen = Pen(0.95, 1.25, aspect=0.85)
    prints = {s: ((glyphs.letters(s, pen, 0.6 if s != "10" else 0.5), INK),) for s in ("9", "10", "J", "Q", "K", "A")}
    body = Body(edge_mm, 1.2, WHITE)
    return DieSet("plain", ("A", "9", "K", "10", "Q", "J"), prints, body, ("9", "10", "J", "Q", "K", "A"))


def dark(edge_mm: float = 15.0) -> DieSet:
    """Black dice with white letters, a suit beside each; A-K, Q-10, J-9 opposite."""
    pen = Pen(1.0, aspect=0.8)
    small = {"9": "diamond", "10": "heart", "J": "club", "Q": "diamond", "K": "heart", "A": "spade"}
    prints = {
        s: ((glyphs.letters(s, pen, 0.42, (0.48, 0.42)), WHITE), (glyphs.suit(mark, 0.2, (0.72, 0.78)), WHITE))
        for s, mark in small.items()
    }
    body = Body(edge_mm, 1.3, BLACK, gloss=0.7)
    return DieSet("dark", ("A", "K", "Q", "10", "J", "9"), prints, body, ("9", "10", "J", "Q", "K", "A"))


def western(edge_mm: float = 16.0, body: Colour = WHITE, ink: Colour = INK) -> DieSet:
    """Pip dice, 1 to 6, opposites adding up to seven."""
    prints = {str(n): ((glyphs.pips(n, 0.085), ink),) for n in range(1, 7)}
    return DieSet("western", ("1", "6", "2", "5", "3", "4"), prints, Body(edge_mm, 2.0, body), _one_to_six())


def asian(edge_mm: float = 15.0) -> DieSet:
    """Pip dice with a large red one and a red four, the pips drawn together."""
    prints = {str(n): ((glyphs.pips(n, 0.08, 0.2), RED if n == 4 else INK),) for n in range(2, 7)}
    prints["1"] = ((glyphs.pips(1, 0.17), RED),)
    return DieSet("asian", ("1", "6", "2", "5", "3", "4"), prints, Body(edge_mm, 2.6, WHITE), _one_to_six())


def _one_to_six() -> tuple[str, ...]:
    return tuple(str(n) for n in range(1, 7))


BUILT_IN = {"classic": classic, "plain": plain, "dark": dark, "western": western, "asian": asian}
"""The sets by name; each is called to make one."""
