"""Reads `parameters.toml` and works out what follows: levels, clearances, and whether the light stays hidden."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from device.optics import CAMERAS, Lamp, Layout, Tray, findings, least_height, mirrored_at

HERE = Path(__file__).resolve().parent.parent
FILE = HERE / "parameters.toml"
SCREW_HEAD = 5.5  # diameter, M3


def load(path: Path = FILE) -> dict[str, Any]:
    """Return the parameters as nested tables."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Build:
    """One box: a tray, a lens, and all parameters. Levels are z, from the underside of the glass, upwards positive."""

    tray: int
    lens: str
    tables: dict[str, Any]

    @property
    def name(self) -> str:
        """Return the build's name, which its files carry: "150-cm3"."""
        return f"{self.tray}-{self.lens}"

    def of(self, section: str) -> SimpleNamespace:
        """Return a section of the parameters, keys as attributes."""
        return SimpleNamespace(**self.tables[section])

    @property
    def half(self) -> float:
        """Return half the tray's side: the edge from which "beyond the tray" counts."""
        return self.tray / 2

    @property
    def sheet(self) -> float:
        """Return the thickness of the laser-cut sheet."""
        return float(self.of("sheet").thickness)

    @property
    def layout(self) -> Layout:
        """Return the camera under the tray, as `undercup optics` sees it."""
        tray = Tray(self.tray, self.tray, self.of("glass").thickness, self.of("field").die)
        camera = CAMERAS[self.lens]
        return Layout(camera, tray, least_height(camera, tray, self.of("field").margin))

    @property
    def inner(self) -> float:
        """Return half the box's width between the walls."""
        return self.half + float(self.of("walls").inside)

    @property
    def outer(self) -> float:
        """Return half the box's width over the walls."""
        return self.inner + self.sheet

    @property
    def seat(self) -> float:
        """Return the level on which the rim sits: frame and gaskets over the top plate."""
        glass = self.of("glass")
        return float(glass.thickness + glass.gasket)

    @property
    def plate_top(self) -> float:
        """Return the level of the top plate's upper face, on which the lower gasket lies."""
        return -float(self.of("glass").gasket)

    @property
    def wall_top(self) -> float:
        """Return the level where the walls end, under the top plate."""
        return self.plate_top - self.sheet

    @property
    def lens_level(self) -> float:
        """Return the level of the lens."""
        return -self.layout.air

    @property
    def deck_top(self) -> float:
        """Return the level of the deck's upper face."""
        return self.lens_level - float(self.of("deck").lens_above)

    @property
    def base_top(self) -> float:
        """Return the level on which the walls and the Pi's standoffs stand."""
        return self.deck_top - self.sheet - float(self.of("deck").room)

    @property
    def wall_height(self) -> float:
        """Return the height of the walls without their tabs."""
        return self.wall_top - self.base_top

    @property
    def height(self) -> float:
        """Return the height of the whole box, base to rim."""
        return self.seat + float(self.of("rim").height) - self.base_top + self.sheet

    @property
    def lamps(self) -> tuple[Lamp, ...]:
        """Return what must not be mirrored in the tray: edges of strip, lip and bare wall."""
        light = self.of("light")
        return (
            Lamp(self.half + light.aside, -light.bottom),
            Lamp(self.half + light.lip_aside, -light.lip_top),
            Lamp(self.inner, -self.paint_level),
        )

    @property
    def paint_level(self) -> float:
        """Return the level up to which the walls are painted black."""
        return self.base_top + self.wall_height * float(self.of("walls").black)

    @property
    def glare(self) -> float:
        """Return by how much the lip hides the LEDs from the lens; negative: the lens sees them."""
        light = self.of("light")
        aside = self.half + light.aside
        steep = (light.top - self.lens_level) / aside
        level_at_lip = light.top - steep * (light.aside - light.lip_aside)
        return float(light.lip_top - level_at_lip)


def builds(tables: dict[str, Any] | None = None) -> tuple[Build, ...]:
    """Return every combination of tray and lens that the parameters name."""
    values = load() if tables is None else tables
    return tuple(Build(tray, lens, values) for tray in values["build"]["trays"] for lens in values["build"]["lenses"])


def trouble(build: Build) -> tuple[str, ...]:
    """Return why `build` cannot be built, in sentences; empty if it can."""
    optical = (finding.text for lamp in build.lamps[:2] for finding in findings(build.layout, lamp))
    from hardware.box.small import small_trouble  # it needs a Build, too

    return (*dict.fromkeys(optical), *_light(build), *_room(build), *small_trouble(build))


def _light(build: Build) -> Iterator[str]:
    light, walls = build.of("light"), build.of("walls")
    bare = mirrored(build)[2]
    if bare < 0:
        yield f"The bare wall above the paint is mirrored {-bare:.1f} mm inside the tray: raise walls.black."
    if build.glare < 0:
        yield f"The lens sees the LEDs over the lip by {-build.glare:.1f} mm: raise light.lip_top."
    if (light.top + light.bottom) / 2 < light.lip_top:
        yield "The lip stands before the middle of the LEDs: lower light.lip_top or raise the strip."
    if light.aside + light.strip + light.shell > walls.inside + 0.01:
        yield "The trough does not fit between tray and wall: enlarge walls.inside."
    if light.bottom < light.floor:
        yield "The LED strip stands on the trough's floor: lower light.floor."
    if light.top > build.wall_top - 1:
        yield "The LED strip touches the top plate: lower light.top."


def _room(build: Build) -> Iterator[str]:
    pi, deck, sled = build.of("pi"), build.of("deck"), build.of("sled")
    if 2 * build.inner < pi.board[1] + pi.wall_gap + sled.plate[0] / 2 + sled.cheek + build.inner:
        yield "The Pi and the camera's sled do not fit side by side: take a larger tray or enlarge walls.inside."
    hanging = sled.post + build.of("camera").board[2] + sled.lens_over_board + sled.thickness + sled.leg
    if hanging + sled.travel / 2 - deck.lens_above - build.sheet > deck.room:
        yield "The sled's legs reach the base: enlarge deck.room or shorten sled.leg."
    if build.of("fan").size > deck.room:
        yield "The fan is higher than the room under the deck: enlarge deck.room."
    if build.wall_top - build.of("block").height / 2 + SCREW_HEAD / 2 > build.of("rim").skirt_bottom - 1:
        yield "The rim's skirt covers the screws that hold the lid: raise rim.skirt_bottom."
    if build.of("block").side + build.of("glass").rest + build.of("glass").clearance > build.of("walls").inside:
        yield "The corner blocks' screws would meet the glass: enlarge walls.inside."


def mirrored(build: Build) -> tuple[float, ...]:
    """Return how far beyond the tray the lens sees the mirror images of strip, lip and bare wall."""
    height = build.layout.height
    return tuple(mirrored_at(lamp.aside, height, height - lamp.below) - build.half for lamp in build.lamps)
