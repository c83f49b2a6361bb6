"""Draws the box cut open, with its measures and the two rays that decide where the LEDs may sit. Plain SVG, 1:SCALE."""

from collections.abc import Iterable, Iterator

from device.optics import mirrored_at
from hardware.box.flat import Point
from hardware.box.parameters import Build
from hardware.box.profiles import rim_profile, sled_level, trough_profile

SCALE = 2.6  # pixels a millimetre
EDGE = (150.0, 60.0)  # pixels left free beside and above
INK, FAINT = "#222", "#888"
FILLS = {
    "ply": "#d9b98a",
    "black": "#333",
    "print": "#2f6266",
    "glass": "#bfe3e6",
    "lamp": "#ffe27a",
    "board": "#3d8b4b",
    "die": "#f3ecd8",
}
FIELD, DIRECT, MIRROR = "#4a7fd6", "#c62828", "#e08a00"


def section(build: Build) -> str:
    """Return the drawing of a build as SVG."""
    width = 2 * EDGE[0] + 2 * _reach(build) * SCALE
    height = 2 * EDGE[1] + build.height * SCALE + 60
    body = [*_parts(build), *_rays(build), *_measures(build)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="13">'
    )
    ground = '<rect width="100%" height="100%" fill="#fff"/>'
    return "\n".join([head, ground, *(_placed(build, line) for line in body), "</svg>"]) + "\n"


def _reach(build: Build) -> float:
    rim = build.of("rim")
    return float(build.outer + rim.skirt_gap + rim.skirt)


def _x(build: Build, x: float) -> float:
    return EDGE[0] + (x + _reach(build)) * SCALE


def _y(build: Build, z: float) -> float:
    return EDGE[1] + (build.seat + float(build.of("rim").height) - z) * SCALE


Drawn = tuple[str, tuple[Point, ...], str]  # kind, places in mm, attributes or text


def _placed(build: Build, drawn: Drawn) -> str:
    kind, places, rest = drawn
    at = [(_x(build, x), _y(build, z)) for x, z in places]
    if kind == "text":
        (x, y), (anchor, _, words) = at[0], rest.partition("|")
        return f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}" fill="{INK}">{words}</text>'
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
    tag = "polygon" if kind == "area" else "polyline"
    return f'<{tag} points="{points}" {rest}/>'


def _area(points: Iterable[Point], fill: str) -> Drawn:
    return "area", tuple(points), f'fill="{FILLS[fill]}" stroke="{INK}" stroke-width="0.8"'


def _line(points: Iterable[Point], colour: str, dashed: bool = False) -> Drawn:
    dash = ' stroke-dasharray="6 4"' if dashed else ""
    return "line", tuple(points), f'fill="none" stroke="{colour}" stroke-width="1.4"{dash}'


def _block(left: float, low: float, right: float, high: float, fill: str) -> Drawn:
    return _area([(left, low), (right, low), (right, high), (left, high)], fill)


def _both(points: list[Point], fill: str) -> Iterator[Drawn]:
    """Yield a shape of the right half, and its mirror image on the left."""
    yield _area(points, fill)
    yield _area([(-x, z) for x, z in points], fill)


def _pair(left: float, low: float, right: float, high: float, fill: str) -> Iterator[Drawn]:
    yield _block(left, low, right, high, fill)
    yield _block(-right, low, -left, high, fill)


def _parts(build: Build) -> Iterator[Drawn]:
    sheet, glass = build.sheet, build.of("glass")
    yield _block(-build.outer, build.base_top - sheet, build.outer, build.base_top, "ply")
    yield from _pair(build.inner, build.base_top, build.outer, build.wall_top, "ply")
    yield from _pair(build.of("deck").hole / 2, build.deck_top - sheet, build.inner, build.deck_top, "black")
    yield from _pair(build.half, build.wall_top, build.outer, build.plate_top, "black")
    rest = build.half + glass.rest
    yield from _pair(rest + glass.clearance, build.plate_top, build.outer, build.seat, "ply")
    yield _block(-rest, 0, rest, glass.thickness, "glass")
    yield from _both(trough_profile(build), "black")
    light = build.of("light")
    face = build.half + light.aside
    yield from _pair(face, light.bottom, face + light.strip, light.top, "lamp")
    yield from _both(rim_profile(build), "print")
    yield from _inside(build)


def _inside(build: Build) -> Iterator[Drawn]:
    sled, camera, pi, die = build.of("sled"), build.of("camera"), build.of("pi"), build.of("field").die
    low, wide = sled_level(build), sled.plate[0] / 2
    cheek = wide + sled.gap
    under = build.deck_top - build.sheet
    yield from _pair(cheek, low - sled.leg * 0.8, cheek + sled.cheek, under, "print")
    yield from _pair(cheek, under - 4, cheek + 12, under, "print")
    yield from _pair(wide - 3, low - sled.leg, wide, low, "print")
    yield _block(-wide, low, wide, low + sled.thickness, "print")
    board = low + sled.thickness + sled.post
    yield _block(-camera.board[0] / 2, board, camera.board[0] / 2, board + camera.board[2], "board")
    yield _block(-4, board + camera.board[2], 4, build.lens_level, "black")
    right = build.inner - pi.wall_gap
    level = build.base_top + pi.standoff
    yield _block(right - pi.board[1], level, right, level + 1.4, "board")
    top = build.of("glass").thickness
    for left in (-build.half * 0.55, build.half * 0.25):
        yield _area([(left, top), (left + die, top), (left + die, top + die), (left, top + die)], "die")


def led_ray(build: Build) -> tuple[Point, Point]:
    """Return the ray from the LEDs' upper edge towards the lens: its start and where it meets the lip."""
    light = build.of("light")
    start = (build.half + light.aside, light.top)
    lip = build.half + light.lip_aside
    steep = (light.top - build.lens_level) / start[0]
    return start, (lip, light.top - steep * (light.aside - light.lip_aside))


def mirror_ray(build: Build) -> tuple[Point, Point, Point]:
    """Return the ray that the glass mirrors: from the LEDs' lower edge to the glass and down to the lens."""
    lamp, height = build.lamps[0], build.layout.height
    spot = mirrored_at(lamp.aside, height, height - lamp.below)
    return (lamp.aside, -lamp.below), (spot, 0.0), (0.0, build.lens_level)


def _rays(build: Build) -> Iterator[Drawn]:
    edge = build.half + build.of("field").margin
    yield _line([(-edge, 0), (0, build.lens_level), (edge, 0)], FIELD)
    start, stop = led_ray(build)
    yield _line([start, stop], DIRECT)
    yield _line([stop, (0, build.lens_level)], DIRECT, dashed=True)
    yield _line([(-x, z) for x, z in mirror_ray(build)], MIRROR)
    beyond = mirror_ray(build)[1][0] - build.half
    low = build.base_top - build.sheet - 20
    legend = (
        (FIELD, "what the camera sees"),
        (DIRECT, "how the lens would see the LEDs, but for the lip of the trough"),
        (MIRROR, f"how the glass mirrors them: {beyond:.0f} mm beside the tray, where the top plate is in the way"),
    )
    for place, (colour, words) in enumerate(legend):
        level = low - 7 * place
        yield _line([(-build.outer, level), (-build.outer + 12, level)], colour)
        yield "text", ((-build.outer + 16, level),), f"start|{words}"


def _measures(build: Build) -> Iterator[Drawn]:
    reach = _reach(build)
    top = build.seat + float(build.of("rim").height)
    bottom = build.base_top - build.sheet
    yield from _upright(-reach - 12, build.lens_level, 0.0, f"{build.layout.air:.0f}", "lens to glass")
    yield from _upright(-reach - 12, build.base_top, build.deck_top - build.sheet, f"{build.of('deck').room:.0f}", "Pi")
    yield from _upright(reach + 12, bottom, top, f"{build.height:.0f}", "box")
    yield from _level(top + 12, -build.half, build.half, f"tray {build.tray}")
    yield from _level(bottom - 8, -build.outer, build.outer, f"walls {2 * build.outer:.0f}")


def _upright(x: float, low: float, high: float, *words: str) -> Iterator[Drawn]:
    yield _line([(x, low), (x, high)], FAINT)
    for z in (low, high):
        yield _line([(x - 2, z), (x + 2, z)], FAINT)
    anchor, aside = ("end", -4.0) if x < 0 else ("start", 4.0)
    for place, word in enumerate(words):
        yield "text", ((x + aside, (low + high) / 2 - 6 * place),), f"{anchor}|{word}"


def _level(z: float, left: float, right: float, words: str) -> Iterator[Drawn]:
    yield _line([(left, z), (right, z)], FAINT)
    for x in (left, right):
        yield _line([(x, z - 2), (x, z + 2)], FAINT)
    yield "text", (((left + right) / 2, z + 4),), f"middle|{words}"
