"""What lies on the tray, what hangs above it and what the light does. Values only; millimetres on the glass."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.synth.optics import Points, turn_about
from vision.synth.sets import Body, Colour

FLAT_DEG = 4.0
"""A die leaning less than this lies flat: rounded edges and dust allow about 2 degrees on real glass."""


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """A die with `face_up` on top (meant), its middle over (x_mm, y_mm), turned by `yaw_deg` (clockwise in the frame).

    `tilt_deg` leans it towards `tilt_dir_deg`; its lowest point stands `lift_mm` above the glass; `blur_mm` is how far
    it moves while the shutter is open.
    """

    face_up: str
    x_mm: float
    y_mm: float
    yaw_deg: float = 0.0
    tilt_deg: float = 0.0
    tilt_dir_deg: float = 0.0
    lift_mm: float = 0.0
    blur_mm: tuple[float, float] = (0.0, 0.0)
    twist: int = 0

    @property
    def state(self) -> str:
        """One of flat, cocked, stacked, moving."""
        if math.hypot(*self.blur_mm) > 0.8:
            return "moving"
        if self.tilt_deg > FLAT_DEG:
            return "cocked"
        return "stacked" if self.lift_mm > 1.0 else "flat"

    def turn(self, down: int) -> Points:
        """Rotation (3, 3) from the body to the tray when face number `down` (see `DieSet.faces`) is at the bottom."""
        lay = _LAY[down]
        yaw = math.radians(self.yaw_deg + 90.0 * self.twist)
        c, s = math.cos(yaw), math.sin(yaw)
        spin = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        return np.asarray(turn_about(self.tilt_dir_deg, self.tilt_deg) @ spin @ lay)

    def centre_mm(self, body: Body, turn: Points) -> Points:
        """The middle of the body (3,), its lowest point `lift_mm` above the glass."""
        inner = body.edge_mm / 2 - body.radius_mm
        reach = inner * float(np.abs(turn[2]).sum()) + body.radius_mm
        return np.array([self.x_mm, self.y_mm, reach + self.lift_mm])


def _lay() -> list[Points]:
    """Rotations that bring each of +x, -x, +y, -y, +z, -z to point at the glass (-z)."""
    x, y, z = np.eye(3)
    rows = [(z, y, -x), (y, z, x), (x, z, -y), (z, x, y), (y, x, -z), (x, y, z)]
    return [np.array(r) for r in rows]


_LAY = _lay()


@dataclass(frozen=True, slots=True)
class Cup:
    """A cup upside down on the glass (or `lift_mm` over it); `kind` is plain, leather or shiny."""

    x_mm: float
    y_mm: float
    radius_mm: float = 44.0
    colour: Colour = (40.0, 48.0, 70.0)
    lift_mm: float = 0.0
    depth_mm: float = 85.0
    wall_mm: float = 3.0
    kind: str = "plain"


@dataclass(frozen=True, slots=True)
class Lamp:
    """A light above the tray, out of focus: `shape` disc, panel or tube, where it appears on the glass plane."""

    x_mm: float
    y_mm: float
    size_mm: float = 8.0
    colour: Colour = (200.0, 230.0, 255.0)
    shape: str = "disc"
    turn_deg: float = 0.0
    soft_mm: float = 2.0
    gain: float = 1.0


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that is not a die: `kind` coin, mat, cap, ring, card, finger, block, nut."""

    kind: str
    x_mm: float
    y_mm: float
    size_mm: float = 22.0
    turn_deg: float = 0.0
    colour: Colour = (120.0, 130.0, 140.0)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Stain:
    """On the glass: `kind` print, smear, drop, ring, scratch, dust, haze, board; `depth` 0-1 is how plain it is."""

    kind: str
    x_mm: float
    y_mm: float
    size_mm: float = 12.0
    depth: float = 0.3
    turn_deg: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Light:
    """`face` lights what lies on the glass, `side` (from `azimuth_deg`) and `around` (from the rim of the tray) what
    stands, `ambient` all, in parts of white.

    `gleam` is the highlight along rounded edges, `shadow` how dark dice make each other and the ground.
    """

    face: float = 0.85
    side: float = 0.35
    around: float = 0.15
    azimuth_deg: float = 0.0
    ambient: float = 0.3
    slope: float = 0.1
    gleam: float = 0.15
    shadow: float = 0.3
    tint: Colour = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Ground:
    """What is behind the dice: `kind` dark, beams, plain, box (from below) or wood, felt, paper, tray (from above)."""

    kind: str = "beams"
    colour: Colour = (30.0, 38.0, 48.0)
    second: Colour = (20.0, 24.0, 30.0)
    seed: int = 0
    wall_mm: float | None = None


@dataclass(frozen=True, slots=True)
class Lens:
    """What camera and file do to the picture: exposure, white balance, blur, noise, veil, vignette, JPEG quality."""

    exposure: float = 1.0
    white: Colour = (1.0, 1.0, 1.0)
    blur_px: float = 0.7
    noise: float = 2.0
    veil: float = 0.01
    vignette: float = 0.25
    contrast: float = 0.1
    sharpen: float = 0.0
    jpeg: int | None = 90


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything in view; `lamps` hang above, `glare` are lights mirrored by the glass, `cover` is a covered lens."""

    dice: tuple[PlacedDie, ...] = ()
    cup: Cup | None = None
    light: Light = Light()
    ground: Ground = Ground()
    lamps: tuple[Lamp, ...] = ()
    glare: tuple[Lamp, ...] = ()
    dirt: tuple[Stain, ...] = ()
    foreign: tuple[Thing, ...] = ()
    lens: Lens = Lens()
    cover: bool = False
    above: bool = False
