"""Can this camera read dice through that glass? Height, scale, sharpness and places for lamps, from first principles.

All lengths are millimetres, all angles degrees. The camera looks straight up at the middle of the tray; a height is the
optical distance from the lens to the faces of the dice, on top of the glass. Standard library only: the drawings of the
box in `hardware/` use the same functions.

The heights that the fields of view need (150 mm tray: 201 mm and 113 mm; 200 mm tray: 267 mm and 151 mm):

>>> [round(least_height(camera, Tray(side, side))) for side in (150, 200) for camera in (STANDARD, WIDE)]
[201, 113, 267, 151]
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan, cos, degrees, hypot, radians, sin, sqrt, tan

GLASS_INDEX = 1.52  # float glass; acrylic has 1.49, which moves nothing by more than a tenth of a millimetre
GOOD_DIE_PX = 64.0  # side of a die in the picture that is enough to tell worn faces apart
POOR_DIE_PX = 40.0  # below, the share of read dice decays
SLACK = 2.0  # what a careful builder misplaces a camera by; the field must reach as far beyond the tray
FLAT_WITHIN = 3.0  # glass, frame and sled together stand off their drawn height by up to this much


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera in its full-field mode: field of view, pixels, nearest focus, focal length, aperture, pixel pitch."""

    name: str
    fov: tuple[float, float]  # degrees across the long and the short side
    pixels: tuple[int, int]
    nearest: float  # closest focus, mm
    focal: float  # mm
    f_number: float
    pitch: float  # mm on the sensor for a pixel of the picture


# Raspberry Pi's data sheets; the mode is 2304 x 1296, each pixel four of the sensor's of 1.4 um.
STANDARD = Camera("Camera Module 3", (66.0, 41.0), (2304, 1296), 100.0, 4.74, 1.8, 0.0028)
WIDE = Camera("Camera Module 3 Wide", (102.0, 67.0), (2304, 1296), 50.0, 2.75, 2.2, 0.0028)
CAMERAS = {"cm3": STANDARD, "wide": WIDE}


@dataclass(frozen=True, slots=True)
class Tray:
    """The clear glass that the camera must see, its thickness, and the dice on it; long side along the camera's."""

    long: float
    short: float
    glass: float = 4.0
    die: float = 16.0

    @property
    def halves(self) -> tuple[float, float]:
        """Return half the long and half the short side."""
        return self.long / 2, self.short / 2


@dataclass(frozen=True, slots=True)
class Lamp:
    """A row of LEDs along a wall: `aside` of the lens's axis, `below` the underside of the glass."""

    aside: float
    below: float


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a builder must know. `fatal`: built like this it cannot work."""

    fatal: bool
    text: str


@dataclass(frozen=True, slots=True)
class Layout:
    """A camera under a tray at a height, and everything that follows from it."""

    camera: Camera
    tray: Tray
    height: float

    @property
    def air(self) -> float:
        """Return the distance from the lens to the underside of the glass: glass looks thinner than it is.

        >>> round(Layout(STANDARD, Tray(150, 150), 201).air, 1)
        198.4
        """
        return self.height - self.tray.glass / GLASS_INDEX

    @property
    def field(self) -> tuple[float, float]:
        """Return the sides of what the camera sees in the plane of the faces, long and short."""
        across, along = (2 * self.height * tan(radians(angle / 2)) for angle in self.camera.fov)
        return across, along

    @property
    def margin(self) -> float:
        """Return how far the field reaches beyond the tray on its tighter pair of sides; negative: it does not."""
        return min(
            (field - side) / 2 for field, side in zip(self.field, (self.tray.long, self.tray.short), strict=True)
        )

    @property
    def px_per_mm(self) -> float:
        """Return the scale of the picture across its long side."""
        return self.camera.pixels[0] / self.field[0]

    @property
    def die_px(self) -> float:
        """Return the side of a die's face in pixels.

        >>> round(Layout(WIDE, Tray(150, 150), 113.3).die_px)
        132
        """
        return self.tray.die * self.px_per_mm

    @property
    def sharp(self) -> tuple[float, float]:
        """Return the nearest and farthest distance whose blur stays within a pixel when focused on the faces."""
        focal, height = self.camera.focal, self.height
        hyperfocal = focal * focal / (self.camera.f_number * self.camera.pitch) + focal
        near = height * (hyperfocal - focal) / (hyperfocal + height - 2 * focal)
        far = height * (hyperfocal - focal) / (hyperfocal - height) if height < hyperfocal else float("inf")
        return near, far

    @property
    def side_face(self) -> tuple[float, float]:
        """Return how much of a die's inner side face shows at the tray's edge and corner, in widths of a face."""
        long, short = (max(0.0, half - self.tray.die) / (self.height + self.tray.die) for half in self.tray.halves)
        return long, hypot(long, short)

    @property
    def mirror(self) -> tuple[float, float]:
        """Return the share of light that the glass mirrors in the tray's middle and corner."""
        return reflectance(0.0), reflectance(degrees(atan(hypot(*self.tray.halves) / self.height)))

    def lamp_aside(self, below: float) -> float:
        """Return how far from the axis a lamp `below` the glass must sit to be mirrored off the tray."""
        return least_aside(max(self.tray.halves), self.height, self.height - below)

    def lamp_below(self, aside: float) -> float:
        """Return how far below the glass a lamp `aside` of the axis may sit at most; negative: nowhere."""
        return self.height * (aside / max(self.tray.halves) - 1)


def least_height(camera: Camera, tray: Tray, margin: float = 0.0) -> float:
    """Return the height from which `camera` sees the tray and `margin` around it, or its nearest focus if higher."""
    needed = ((half + margin) / tan(radians(angle / 2)) for half, angle in zip(tray.halves, camera.fov, strict=True))
    return max(*needed, camera.nearest)


def mirrored_at(aside: float, height: float, level: float) -> float:
    """Return how far from the axis the lens sees the mirror image of a lamp, `level` above the lens.

    A lamp beside the lens is mirrored half-way between them:

    >>> mirrored_at(aside=40, height=200, level=0)
    20.0
    """
    return aside * height / (2 * height - level)


def least_aside(half: float, height: float, level: float) -> float:
    """Return how far aside a lamp `level` above the lens must sit to be mirrored off a tray of half-width `half`.

    Level with the lens, half-way up, under the rim:

    >>> [least_aside(75, 201, level) / 75 for level in (0, 100.5, 201)]
    [2.0, 1.5, 1.0]
    """
    return half * (2 - level / height)


def reflectance(angle: float) -> float:
    """Return the share of unpolarised light that a pane mirrors, both faces, at `angle` from the upright.

    >>> [round(100 * reflectance(angle)) for angle in (0, 20, 75)]
    [8, 8, 39]
    """
    cosine = cos(radians(angle))
    inside = sqrt(1 - (sin(radians(angle)) / GLASS_INDEX) ** 2)
    across = ((cosine - GLASS_INDEX * inside) / (cosine + GLASS_INDEX * inside)) ** 2
    along = ((inside - GLASS_INDEX * cosine) / (inside + GLASS_INDEX * cosine)) ** 2
    return sum(face * 2 / (1 + face) for face in (across, along)) / 2


def findings(layout: Layout, lamp: Lamp | None = None) -> tuple[Finding, ...]:
    """Return what speaks against the build, gravest first; empty if nothing does.

    >>> findings(Layout(STANDARD, Tray(150, 150), 212))
    ()
    """
    found = [*_about_field(layout), *_about_focus(layout), *_about_scale(layout), *_about_lamp(layout, lamp)]
    return tuple(sorted(found, key=lambda finding: not finding.fatal))


def _about_field(layout: Layout) -> Iterator[Finding]:
    need = least_height(layout.camera, layout.tray, SLACK)
    if layout.margin < 0:
        yield Finding(
            True,
            f"The camera misses {-layout.margin:.0f} mm of the tray at two sides: raise the tray to {need:.0f} mm "
            "above the lens, take the Wide lens or a smaller tray.",
        )
    elif layout.margin < SLACK - 0.05:
        yield Finding(
            False,
            f"Only {layout.margin:.1f} mm to spare at the tray's edge: a camera mounted a little off cuts dice. "
            f"{need:.0f} mm would leave {SLACK:.0f} mm.",
        )


def _about_focus(layout: Layout) -> Iterator[Finding]:
    near, far = layout.sharp
    if layout.height < layout.camera.nearest:
        yield Finding(
            True,
            f"The dice are {layout.height:.0f} mm from the lens, which focuses from {layout.camera.nearest:.0f} mm on: "
            "they stay blurred. Raise the tray.",
        )
    elif near > layout.height - FLAT_WITHIN or far < layout.height + FLAT_WITHIN:
        yield Finding(
            False,
            f"Sharp only from {near:.1f} to {far:.1f} mm: sweep the focus on the card in the final position, "
            "and again whenever the camera has moved.",
        )


def _about_scale(layout: Layout) -> Iterator[Finding]:
    if layout.die_px < POOR_DIE_PX:
        yield Finding(
            True,
            f"A die is {layout.die_px:.0f} pixels wide; below {POOR_DIE_PX:.0f} faces cannot be told apart. Lower the "
            "tray, take the standard lens, a smaller tray or larger dice.",
        )
    elif layout.die_px < GOOD_DIE_PX:
        yield Finding(
            False,
            f"A die is {layout.die_px:.0f} pixels wide: less than the {GOOD_DIE_PX:.0f} that worn faces need. Expect "
            "more 'nudge the cup'.",
        )


def _about_lamp(layout: Layout, lamp: Lamp | None) -> Iterator[Finding]:
    if lamp is None:
        return
    seen = mirrored_at(lamp.aside, layout.height, layout.height - lamp.below)
    half = max(layout.tray.halves)
    if seen < half:
        yield Finding(
            True,
            f"LEDs {lamp.aside:.0f} mm from the middle and {lamp.below:.0f} mm below the glass are mirrored in it "
            f"{half - seen:.0f} mm inside the tray: move them out to {layout.lamp_aside(lamp.below):.0f} mm"
            + (f" or up to {layout.lamp_below(lamp.aside):.0f} mm below the glass." if lamp.aside > half else "."),
        )
