"""The laser-cut parts of a box, from its parameters. Plain Python: the tests check them without any CAD.

Every panel is drawn in its own plane; `assembly` says where that plane lies. Walls are drawn with x to the right (front
and back) or y to the right (left and right) and their lower edge at 0; plates with x to the right and y upwards.
"""

from math import hypot

from device.pins import BUTTONS
from hardware.box.flat import Circle, Line, Panel, Point, Shape, Step, fingers, lettering, outline, rectangle, square
from hardware.box.parameters import Build

M3, M4 = 3.2, 4.3  # holes that the screws pass through
CABLE = (44.0, 16.0)  # hole for the console's cables and the network
SHUTDOWN = 12.2
TAB = 24.0


def panels(build: Build, kerf: float = 0.0) -> tuple[Panel, ...]:
    """Return all laser-cut parts; joints are `kerf` tighter than drawn, nothing else changes."""
    return (
        base(build, kerf),
        deck(build, kerf),
        top_plate(build, kerf),
        glass_frame(build),
        *walls(build, kerf),
        *console(build, kerf),
    )


def tabs(build: Build) -> list[Point]:
    """Return the intervals of the two tabs that each wall puts through base, deck and top plate."""
    middle = build.outer / 2
    return [(at - TAB / 2, at + TAB / 2) for at in (-middle, middle)]


def steps(intervals: list[Point], out: float, kerf: float) -> list[Step]:
    """Return steps for a side: tabs (`out` positive) grow by the kerf, notches shrink by it."""
    grow = kerf / 2 if out > 0 else -kerf / 2
    return [(start - grow, end + grow, out) for start, end in intervals]


def corners(at: float, diameter: float) -> tuple[Circle, ...]:
    """Return four holes at (+-at, +-at)."""
    return tuple(Circle(x, y, diameter) for x in (-at, at) for y in (-at, at))


def block_middle(build: Build) -> float:
    """Return how far from both axes the corner blocks' upright screws stand."""
    return build.inner - float(build.of("block").side) / 2


def pi_place(build: Build, along: float, across: float) -> Point:
    """Return x, y of a place on the Pi's board, `along` its long side and `across` from the side with the power.

    The board lies by the right wall, power and displays towards the window there, network and USB towards the back.
    """
    pi = build.of("pi")
    return build.inner - pi.wall_gap - across, along - pi.board[0] / 2 - 8.0


def pi_holes(build: Build) -> tuple[Circle, ...]:
    """Return the four holes for the Pi's standoffs in the base."""
    pi = build.of("pi")
    near = pi.first_hole
    places = ((near + i * pi.holes[0], near + j * pi.holes[1]) for i in (0, 1) for j in (0, 1))
    return tuple(Circle(*pi_place(build, *place), pi.hole) for place in places)


def base(build: Build, kerf: float) -> Panel:
    """Return the base: notches for the walls' tabs, the Pi's holes, slots for air that also let spilt beer out."""
    notches = steps(tabs(build), -build.sheet, kerf)
    slots = tuple(rectangle(-build.half * 0.85 + 11 * row, -25, 4, 50) for row in range(4))
    holes: tuple[Shape, ...] = (*pi_holes(build), *corners(block_middle(build), M3), *slots)
    return Panel("base", _plate(build, notches), holes)


def _plate(build: Build, notches: list[Step]) -> tuple[Point, ...]:
    side = 2 * build.outer
    corner = (-build.outer, -build.outer)
    return outline(corner, side, side, bottom=notches, right=notches, top=notches, left=notches)


def deck(build: Build, kerf: float) -> Panel:
    """Return the black plate between camera and dice that hides the Pi and its lamps."""
    side = 2 * build.inner
    out = steps(tabs(build), build.sheet, kerf)
    shape = outline((-build.inner, -build.inner), side, side, bottom=out, right=out, top=out, left=out)
    light_cable = Circle(-(build.inner - 14), build.inner - 14, 10.0)
    return Panel("deck", shape, (square(build.of("deck").hole / 2), light_cable, *cheek_holes(build)))


def cheek_holes(build: Build) -> tuple[Circle, ...]:
    """Return the holes by which the sled's two cheeks hang under the deck."""
    sled = build.of("sled")
    at = sled.plate[0] / 2 + sled.gap + sled.cheek + 6.0
    return tuple(Circle(x, y, M3) for x in (-at, at) for y in (-10.0, 10.0))


def top_plate(build: Build, kerf: float) -> Panel:
    """Return the plate on the walls whose opening is the tray; the glass rests on it."""
    notches = steps(tabs(build), -build.sheet, kerf)
    return Panel("top_plate", _plate(build, notches), (square(build.half), *corners(block_middle(build), M3)))


def glass_frame(build: Build) -> Panel:
    """Return one of two layers that surround the glass; together they are as high as glass and gaskets."""
    glass = build.of("glass")
    opening = square(build.half + glass.rest + glass.clearance)
    layers = round((glass.thickness + 2 * glass.gasket) / build.sheet)
    shape = square(build.outer).points
    return Panel("glass_frame", shape, (opening, *corners(block_middle(build), M3)), quantity=layers)


def walls(build: Build, kerf: float) -> tuple[Panel, ...]:
    """Return the four walls; the engraved line tells how far up they are painted black, on the inner side."""
    cable = rectangle(-CABLE[0] / 2, 6, *CABLE)
    front = (cable, *_vents(build, (-60.0, 40.0)))
    back = (cable, Circle(-74, 22, SHUTDOWN), *_vents(build, (-54.0,)))
    right = (*_window(build), *_ear_holes(build))
    left = (*_fan(build), *_ear_holes(build))
    return (
        _wide_wall("wall_front", build, kerf, front).mirrored(),
        _wide_wall("wall_back", build, kerf, back),
        _narrow_wall("wall_left", build, kerf, left),
        _narrow_wall("wall_right", build, kerf, right).mirrored(),
    )


def _wide_wall(name: str, build: Build, kerf: float, holes: tuple[Shape, ...]) -> Panel:
    notches = steps(fingers(0, build.wall_height, build.of("walls").finger), -build.sheet, kerf)
    out = steps(tabs(build), build.sheet, kerf)
    width, height = 2 * build.outer, build.wall_height
    shape = outline((-build.outer, 0), width, height, bottom=out, top=out, left=notches, right=notches)
    return Panel(name, shape, (*holes, *_common_holes(build, kerf)), _black_line(build))


def _narrow_wall(name: str, build: Build, kerf: float, holes: tuple[Shape, ...]) -> Panel:
    across = steps(fingers(0, build.wall_height, build.of("walls").finger), build.sheet, kerf)
    out = steps(tabs(build), build.sheet, kerf)
    width, height = 2 * build.inner, build.wall_height
    shape = outline((-build.inner, 0), width, height, bottom=out, top=out, left=across, right=across)
    return Panel(name, shape, (*holes, *_common_holes(build, kerf)), _black_line(build))


def _common_holes(build: Build, kerf: float) -> tuple[Shape, ...]:
    """Return the slots for the deck's tabs and the holes for the corner blocks' screws."""
    level = build.of("deck").room
    slots = (rectangle(a + kerf / 2, level, b - a - kerf, build.sheet) for a, b in tabs(build))
    block = build.of("block")
    at = block_middle(build) - 4.0
    heights = (block.height / 2, build.wall_height - block.height / 2)
    return (*slots, *(Circle(x, y, M3) for x in (-at, at) for y in heights))


def _black_line(build: Build) -> tuple[Shape, ...]:
    level = build.paint_level - build.base_top
    return (Line(((-build.inner + 4, level), (build.inner - 4, level)), closed=False),)


def _vents(build: Build, places: tuple[float, ...]) -> tuple[Shape, ...]:
    return tuple(rectangle(at + 7 * slot, 8, 3, 24) for at in places for slot in range(4))


def _fan(build: Build) -> tuple[Shape, ...]:
    fan = build.of("fan")
    middle = build.of("deck").room / 2
    away = fan.holes / 2
    holes = (Circle(x, middle + y, M3) for x in (-away, away) for y in (-away, away))
    return (Circle(0, middle, fan.opening), *holes)


def _window(build: Build) -> tuple[Shape, ...]:
    pi = build.of("pi")
    start = pi_place(build, pi.ports[0], 0)[1]
    return (rectangle(start, pi.standoff - 1, pi.ports[1] - pi.ports[0], pi.ports_height),)


def ear_places(build: Build) -> tuple[float, ...]:
    """Return where along the left and right walls the ears' middles sit."""
    return -build.outer * 0.6, build.outer * 0.6


def ear_level(build: Build) -> float:
    """Return the level of the ears' upper face: under the table top, on which the rim's skirt rests."""
    return float(build.of("rim").skirt_bottom - build.of("ear").table)


def _ear_holes(build: Build) -> tuple[Circle, ...]:
    ear = build.of("ear")
    height = ear_level(build) - ear.height / 2 - build.base_top
    return tuple(Circle(at + side, height, M4) for at in ear_places(build) for side in (-10.0, 10.0))


def console(build: Build, kerf: float) -> tuple[Panel, ...]:
    """Return the console's plates and its two cheeks."""
    return (*(_console_plate(build, kerf, name) for name in PLATES), _console_cheek(build, kerf))


PLATES = ("console_top", "console_bottom", "console_front", "console_back")


def slope(build: Build) -> tuple[Point, float]:
    """Return the direction of the console's slope, front to back, in the cheek's plane, and its length."""
    table = build.of("console")
    rise = table.back - table.front
    length = hypot(table.depth, rise)
    return (table.depth / length, rise / length), length


def plate_run(build: Build, name: str) -> tuple[Point, Point, float]:
    """Return where a plate lies in the cheek's plane: start of its outer face, its direction, its length.

    The top plate reaches from the front plate's outer face to the back plate's; these two end under it.
    """
    table, sheet = build.of("console"), build.sheet
    (run, rise), _ = slope(build)
    inset, back = table.inset, table.depth - table.inset
    if name == "console_bottom":
        start = inset + sheet
        return (start, inset), (1.0, 0.0), back - sheet - start
    if name == "console_top":
        return (inset, _slope_level(build, inset, inset)), (run, rise), (back - inset) / run
    if name == "console_front":
        return (inset, inset), (0.0, 1.0), _slope_level(build, inset, inset + sheet) - inset - 0.2
    return (back, inset), (0.0, 1.0), _slope_level(build, back - sheet, inset + sheet) - inset - 0.2


def _slope_level(build: Build, across: float, under: float) -> float:
    """Return the height, in the cheek's plane, of the line that runs `under` the slope, at `across` from the front."""
    (run, rise), _ = slope(build)
    return float(build.of("console").front + (across * rise - under) / run)


def inwards(name: str) -> int:
    """Return 1 if a plate's thickness goes to the left of its direction, -1 if to the right: towards the inside."""
    return 1 if name in ("console_bottom", "console_back") else -1


def plate_tabs(build: Build, name: str) -> list[Point]:
    """Return the intervals of a plate's tabs, along its run: two if there is room, else one."""
    length = plate_run(build, name)[2]
    if length > 60:
        return [(length * 0.2, length * 0.2 + 16), (length * 0.8 - 16, length * 0.8)]
    return [(length / 2 - 7, length / 2 + 7)]


def _console_plate(build: Build, kerf: float, name: str) -> Panel:
    table = build.of("console")
    width = table.width - 2 * build.sheet
    length = plate_run(build, name)[2]
    out = steps(plate_tabs(build, name), build.sheet, kerf)
    shape = outline((-width / 2, 0), width, length, left=out, right=out)
    holes, engraved = _console_details(build, name)
    return Panel(name, shape, holes, engraved)


def button_places(build: Build) -> dict[str, Point]:
    """Return the middle of each arcade button on the console's top plate, in the order of the pins file."""
    table = build.of("console")
    first = -table.pitch * (len(BUTTONS) - 1) / 2
    return {name: (first + table.pitch * place, table.row) for place, name in enumerate(BUTTONS)}


def _console_details(build: Build, name: str) -> tuple[tuple[Shape, ...], tuple[Shape, ...]]:
    table = build.of("console")
    if name == "console_top":
        return _top_holes(build), _top_labels(build)
    if name == "console_bottom":
        return tuple(Circle(x, y, M3) for x, y in console_blocks(build)), ()
    if name == "console_back":
        return (rectangle(-CABLE[0] / 2, 12, *CABLE),), ()
    sound = (Circle(-table.width / 2 + 40 + 6 * i, 8 + 6 * j, 2.5) for i in range(4) for j in range(3))
    return tuple(sound), ()


def _top_holes(build: Build) -> tuple[Shape, ...]:
    table = build.of("console")
    buttons = (Circle(x, y, table.button) for x, y in button_places(build).values())
    across, wide, high = table.display
    encoder, hole = table.encoder
    ring_wires = (Circle(encoder + side * (table.ring / 2 - 4), table.upper, 3.0) for side in (-1, 1))
    return (
        *buttons,
        rectangle(across - wide / 2, table.upper - high / 2, wide, high),
        Circle(encoder, table.upper, hole),
        *ring_wires,
        *(Circle(at, table.upper, diameter) for at, diameter in (table.status, table.mute)),
    )


def _top_labels(build: Build) -> tuple[Shape, ...]:
    table = build.of("console")
    words = (
        stroke
        for name, (x, y) in button_places(build).items()
        for stroke in lettering(name.upper(), (x, y - table.button / 2 - 8), 4.0)
    )
    mute = lettering("MUTE", (table.mute[0], table.upper - 13), 3.5)
    return (*words, *mute, Circle(table.encoder[0], table.upper, table.ring))


def console_blocks(build: Build) -> tuple[Point, ...]:
    """Return the middles of the console's four corner blocks on its bottom plate."""
    table = build.of("console")
    side = build.of("block").side
    x = table.width / 2 - build.sheet - side / 2
    length = plate_run(build, "console_bottom")[2]
    return tuple((across, along) for across in (-x, x) for along in (side / 2, length - side / 2))


def _console_cheek(build: Build, kerf: float) -> Panel:
    table, block = build.of("console"), build.of("block")
    shape = ((0.0, 0.0), (table.depth, 0.0), (table.depth, table.back), (0.0, table.front))
    slots = (slot for name in PLATES for slot in _cheek_slots(build, name, kerf))
    level = table.inset + build.sheet + block.height / 2
    indent = table.inset + build.sheet + block.side - 3
    screws = (Circle(u, level, M3) for u in (indent, table.depth - indent))
    return Panel("console_cheek", shape, (*slots, *screws), quantity=2)


def _cheek_slots(build: Build, name: str, kerf: float) -> list[Line]:
    (u, v), (du, dv), _ = plate_run(build, name)
    deep = inwards(name) * build.sheet
    nu, nv = -dv * deep, du * deep
    found = []
    for start, end in plate_tabs(build, name):
        a, b = start + kerf / 2, end - kerf / 2
        near, far = (u + du * a, v + dv * a), (u + du * b, v + dv * b)
        found.append(Line((near, far, (far[0] + nu, far[1] + nv), (near[0] + nu, near[1] + nv))))
    return found
