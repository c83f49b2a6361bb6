"""The box's drawings fit one another and the optics, for every tray and lens, without any CAD."""

import copy
import doctest
from collections.abc import Iterator
from itertools import combinations, pairwise
from math import hypot
from types import ModuleType
from xml.etree import ElementTree

import pytest

from device.optics import findings
from device.pins import BUTTONS, POD_KEYS
from hardware.box import flat, parts
from hardware.box.flat import Circle, Line, Panel, Point, lettering, outline, pack, svg
from hardware.box.panels import (
    PLATES,
    block_middle,
    button_places,
    console,
    console_blocks,
    panels,
    pi_holes,
    plate_run,
    plate_tabs,
    tabs,
)
from hardware.box.parameters import Build, builds, load, mirrored, trouble
from hardware.box.parts import PRINTED
from hardware.box.profiles import bolt_level, rim_profile, sled_level, trough_profile
from hardware.box.small import (
    EAR,
    POD_BUTTONS,
    bar_screws,
    display_view,
    pin_slots,
    pocket,
    pocket_depth,
    pod_buttons,
    pod_holes,
    pod_labels,
    pod_posts,
)
from hardware.guide.section import led_ray

ALL = builds()
NAMES = [build.name for build in ALL]


@pytest.fixture(params=ALL, ids=NAMES)
def build(request: pytest.FixtureRequest) -> Build:
    """Each of the builds in turn."""
    found: Build = request.param
    return found


def part(build: Build, name: str) -> Panel:
    """Return the named panel, true to size."""
    return next(panel for panel in panels(build) if panel.name == name)


def changed(section: str, key: str, value: object) -> Build:
    """Return the low box with one parameter changed."""
    tables = copy.deepcopy(load())
    tables[section][key] = value
    return Build(150, "wide", tables)


def area(points: tuple[Point, ...] | list[Point]) -> float:
    """Return the area of a polygon by the shoelace formula."""
    pairs = zip(points, [*points[1:], points[0]], strict=True)
    return float(abs(sum(x * v - u * y for (x, y), (u, v) in pairs))) / 2


def segments(panel: Panel) -> Iterator[tuple[Point, Point]]:
    """Yield the sides of a panel's outline."""
    yield from zip(panel.outline, (*panel.outline[1:], panel.outline[0]), strict=True)


def extent(shape: Circle | Line) -> tuple[float, float, float, float]:
    """Return a shape's left, bottom, right and top."""
    if isinstance(shape, Circle):
        half = shape.d / 2
        return shape.x - half, shape.y - half, shape.x + half, shape.y + half
    xs, ys = zip(*shape.points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def test_two_trays_and_both_lenses_are_drawn() -> None:
    """The four builds that the guide promises."""
    assert NAMES == ["150-cm3", "150-wide", "200-cm3", "200-wide"]


def test_nothing_speaks_against_any_build(build: Build) -> None:
    """Neither the optics nor the room for the parts."""
    assert trouble(build) == ()
    assert all(findings(build.layout, lamp) == () for lamp in build.lamps)


def test_the_light_is_neither_seen_nor_mirrored_in_the_tray(build: Build) -> None:
    """The lip stands in the way of every ray from strip to lens, and mirror images lie beside the tray."""
    _, (_, level) = led_ray(build)
    assert level < build.of("light").lip_top
    assert min(mirrored(build)) > 0.0


REFUSED = [
    ("light", "aside", 8.0, "mirrored in it"),
    ("light", "lip_top", -22.0, "sees the LEDs over the lip"),
    ("light", "lip_top", -12.0, "before the middle of the LEDs"),
    ("light", "floor", -19.0, "stands on the trough's floor"),
    ("light", "top", -3.0, "touches the top plate"),
    ("walls", "inside", 18.0, "does not fit between tray and wall"),
    ("walls", "inside", 18.0, "screws would meet the glass"),
    ("sled", "leg", 40.0, "legs reach the base"),
    ("deck", "room", 35.0, "fan is higher"),
    ("walls", "black", 0.7, "bare wall above the paint is mirrored"),
    ("rim", "skirt_bottom", -10.0, "skirt covers the screws"),
    ("field", "die", 4.0, "cannot be told apart"),
    ("field", "margin", -3.0, "misses 3 mm"),
    ("display", "view", [30.0, 12.0], "enlarge console.display"),
    ("console", "status", [-58.0, 5.1], "meets the status LED"),
    ("pod", "height", 30.0, "reach its floor"),
    ("pod", "pitch", 26.0, "touch each other"),
    ("pod", "lamp_row", 8.0, "lamp meets a button"),
    ("pod", "row", -9.0, "run over its edge"),
]


@pytest.mark.parametrize(("section", "key", "value", "words"), REFUSED, ids=[words for *_, words in REFUSED])
def test_parameters_that_cannot_work_are_refused_with_a_remedy(
    section: str, key: str, value: object, words: str
) -> None:
    """Each check can fail, and says what to change."""
    assert any(words in sentence for sentence in trouble(changed(section, key, value)))


def test_a_tray_too_small_for_pi_and_sled_is_refused() -> None:
    """Both stand side by side under the deck."""
    assert any("side by side" in sentence for sentence in trouble(Build(80, "wide", load())))


def test_every_hole_lies_inside_its_panel(build: Build) -> None:
    """With wood left round it."""
    for panel in panels(build):
        left, bottom, right, top = panel.box
        for hole in panel.holes:
            a, b, c, d = extent(hole)
            assert a > left + 1, (panel.name, hole)
            assert b > bottom + 1, (panel.name, hole)
            assert c < right - 1, (panel.name, hole)
            assert d < top - 1, (panel.name, hole)


def apart(one: Circle | Line, other: Circle | Line) -> float:
    """Return the gap between two shapes: exact between circles, of their frames otherwise; 0 or less if they meet."""
    if isinstance(one, Circle) and isinstance(other, Circle):
        return hypot(one.x - other.x, one.y - other.y) - (one.d + other.d) / 2
    a, b = extent(one), extent(other)
    return max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3])


def test_holes_of_a_panel_keep_apart(build: Build) -> None:
    """At least a millimetre of wood between any two."""
    for panel in panels(build):
        for one, other in combinations(panel.holes, 2):
            assert apart(one, other) > 1.0, (panel.name, one, other)


def test_walls_interlock(build: Build) -> None:
    """What the narrow walls' fingers fill is what the wide walls' notches leave, and together they are whole."""
    wide, narrow = part(build, "wall_front"), part(build, "wall_left")
    notches = {(y, v) for (x, y), (u, v) in segments(wide) if x == u and abs(abs(x) - build.inner) < 1e-6}
    fingers = {(y, v) for (x, y), (u, v) in segments(narrow) if x == u and abs(abs(x) - build.outer) < 1e-6}
    assert {frozenset(pair) for pair in notches} == {frozenset(pair) for pair in fingers}
    assert len(fingers) >= 4


def test_tabs_of_the_walls_meet_notches_in_base_and_top(build: Build) -> None:
    """Base and top plate have a notch for each tab, at the same place and as deep as the sheet is thick."""
    for name in ("base", "top_plate"):
        panel = part(build, name)
        depth = 2 * build.outer - build.sheet
        notches = sorted((x, u) for (x, y), (u, v) in segments(panel) if y == v and abs(y + build.inner) < 1e-6)
        assert [tuple(sorted(pair)) for pair in notches] == tabs(build)
        assert depth == pytest.approx(2 * build.inner + build.sheet)


def test_the_decks_tabs_meet_slots_in_every_wall(build: Build) -> None:
    """At the deck's level, as long as the tabs."""
    level = build.of("deck").room
    wanted = [at for tab in tabs(build) for at in tab]
    for name in ("wall_front", "wall_back", "wall_left", "wall_right"):
        slots = [extent(hole) for hole in part(build, name).holes if isinstance(hole, Line)]
        found = sorted(at for a, b, c, _ in slots if b == pytest.approx(level) for at in (a, c))
        assert found == pytest.approx(wanted)


def test_kerf_makes_tabs_longer_and_slots_shorter(build: Build) -> None:
    """By as much as the laser burns away, so that joints stay tight; screw holes stay as they are."""
    drawn, cut = console(build, 0.0), console(build, 0.2)
    for before, after in zip(drawn, cut, strict=True):
        circles = [[hole for hole in panel.holes if isinstance(hole, Circle)] for panel in (before, after)]
        assert circles[0] == circles[1]
    top = zip(sorted({y for _, y in drawn[0].outline}), sorted({y for _, y in cut[0].outline}), strict=True)
    assert sorted(round(abs(a - b), 3) for a, b in top) == [0.0, 0.0, 0.1, 0.1, 0.1, 0.1]


def test_the_consoles_plates_have_slots_in_its_cheeks(build: Build) -> None:
    """As many as the tabs, each as long and as thick."""
    cheek = next(panel for panel in console(build, 0.0) if panel.name == "console_cheek")
    slots = [hole.points for hole in cheek.holes if isinstance(hole, Line)]
    wanted = [end - start for name in PLATES for start, end in plate_tabs(build, name)]
    assert len(slots) == len(wanted)
    assert [area(slot) / build.sheet for slot in slots] == pytest.approx(wanted)


def test_the_consoles_plates_close_it_round(build: Build) -> None:
    """Front and back end under the top plate, and the bottom ends between them."""
    table = build.of("console")
    (start, _), _, length = plate_run(build, "console_bottom")
    assert start == table.inset + build.sheet
    assert start + length == table.depth - table.inset - build.sheet
    front, back = (plate_run(build, name)[2] for name in ("console_front", "console_back"))
    assert 0 < front < table.front
    assert front < back < table.back


def test_the_pis_holes_are_where_the_pi_has_them(build: Build) -> None:
    """58 x 49 mm, M2.5, and the whole board lies between the walls beside the sled."""
    xs = sorted({hole.x for hole in pi_holes(build)})
    ys = sorted({hole.y for hole in pi_holes(build)})
    assert xs[1] - xs[0] == pytest.approx(49)
    assert ys[1] - ys[0] == pytest.approx(58)
    assert {hole.d for hole in pi_holes(build)} == {2.7}
    assert xs[0] - 3.5 > build.of("sled").plate[0] / 2 + build.of("sled").cheek
    assert xs[1] + 3.5 < build.inner


def test_there_is_a_hole_for_every_button_of_the_pins_file(build: Build) -> None:
    """Thirty millimetres, far enough apart for arcade buttons' rims, with its name engraved."""
    top = part(build, "console_top")
    holes = [hole for hole in top.holes if isinstance(hole, Circle) and hole.d == 30.0]
    assert len(holes) == len(BUTTONS)
    assert tuple(button_places(build)) == BUTTONS
    assert min(b.x - a.x for a, b in pairwise(holes)) > 33
    strokes = sum(len(lettering(name.upper(), (0, 0), 4)) for name in (*BUTTONS, "mute"))
    assert sum(isinstance(shape, Line) for shape in top.engraved) == strokes


def test_corner_blocks_screws_pass_every_layer(build: Build) -> None:
    """Base, top plate and glass frame have the same four holes, and they miss the glass."""
    at = block_middle(build)
    wanted = {(x, y) for x in (-at, at) for y in (-at, at)}
    for name in ("base", "top_plate", "glass_frame"):
        holes = {(hole.x, hole.y) for hole in part(build, name).holes if isinstance(hole, Circle) and hole.d == 3.2}
        assert holes == wanted
    glass = build.of("glass")
    assert at - 1.6 > build.half + glass.rest + glass.clearance


def test_the_frame_is_as_high_as_glass_and_gaskets(build: Build) -> None:
    """So the rim presses the gaskets and never the bare glass."""
    assert part(build, "glass_frame").quantity * build.sheet == pytest.approx(build.seat - build.plate_top)


def test_the_rim_overhangs_the_walls_and_drips_clear_of_them(build: Build) -> None:
    """Its lowest edge is outside the walls, below the top plate, and nothing of it hangs over the tray."""
    profile = rim_profile(build)
    drip = [x for x, z in profile if z == min(z for _, z in profile)]
    assert min(drip) > build.outer + build.of("rim").skirt_gap
    assert min(z for _, z in profile) < build.wall_top
    assert min(x for x, _ in profile) == build.half


def test_the_rim_can_be_printed_without_support(build: Build) -> None:
    """Lying on its flat top, its outer side falls away at 45 degrees or steeper."""
    profile = rim_profile(build)
    slopes = [(u - x, z - w) for (x, z), (u, w) in pairwise(profile) if x < u and z > w]
    assert all(across <= down + 1e-6 for across, down in slopes)


def test_the_trough_stands_on_its_floor_and_holds_the_strip(build: Build) -> None:
    """The strip has room between floor and upper edge, and the lip stays clear of it."""
    light = build.of("light")
    profile = trough_profile(build)
    assert max(z for _, z in profile) >= light.top
    assert light.bottom - light.floor >= 0
    assert max(x for x, _ in profile) == build.inner
    assert light.aside - light.lip_aside - light.lip > 3.0


def test_the_sled_reaches_its_travel_both_ways(build: Build) -> None:
    """The bolts stay in the slots, and the legs stay off the base, at both ends."""
    sled = build.of("sled")
    half = sled.travel / 2
    slot = (bolt_level(build) - half, bolt_level(build) + half)
    assert sled_level(build) - sled.leg < slot[0]
    assert slot[1] < sled_level(build)
    assert sled_level(build) - sled.leg - half > build.base_top


def test_the_consoles_blocks_stand_on_its_bottom(build: Build) -> None:
    """Four, each with a hole beneath it."""
    bottom = part(build, "console_bottom")
    assert {(hole.x, hole.y) for hole in bottom.holes if isinstance(hole, Circle)} == set(console_blocks(build))
    assert next(p.quantity for p in PRINTED if p.name == "corner_block") == 4 + 4 + len(console_blocks(build))


def test_the_displays_board_lies_in_its_pocket_behind_the_window(build: Build) -> None:
    """The pocket has play all round, and what is lit is seen through holder and plate alike."""
    table, window = build.of("display"), build.of("console").display
    left, low, right, high = extent(pocket(build))
    assert (right - left, high - low) == pytest.approx([side + 2 * table.play for side in table.board[:2]])
    assert (low + high) / 2 == pytest.approx(-table.rise)
    a, b, c, d = extent(display_view(build))
    assert max(c - a - window[1], d - b - window[2]) < 0
    assert left < a
    assert low < b
    assert c < right
    assert d < high


def test_the_displays_solder_tips_have_slots_that_the_plate_hides(build: Build) -> None:
    """Beyond the window, at both ends of the pocket: makers put the plug at either."""
    half = build.of("console").display[2] / 2
    lower, upper = pin_slots(build)
    assert extent(lower)[3] < -half
    assert extent(upper)[1] > half
    assert extent(lower)[1] == extent(pocket(build))[1]
    assert extent(upper)[3] == extent(pocket(build))[3]


def test_the_displays_holder_fits_under_the_consoles_plate(build: Build) -> None:
    """Clear of the buttons' bodies before it and of the cheek beside it; its screws bite the ears and not the plate."""
    table, console = build.of("display"), build.of("console")
    reach = bar_screws(build)[1][0] + EAR / 2
    assert console.display[0] - reach > -console.width / 2 + build.sheet
    assert console.upper + extent(pocket(build))[1] - table.shell > console.row + console.button / 2 + 3
    assert pocket_depth(build) + table.bar > 7.8  # M2x8 ends at the plate


def test_a_pod_has_the_buttons_and_the_lamp_of_the_pins_file(build: Build) -> None:
    """One hole for each, as large as what goes in, with the button's name below it."""
    assert (*POD_BUTTONS, "lamp") == tuple(key for key in POD_KEYS if key not in ("seat", "fitted"))
    pod = build.of("pod")
    assert sorted(hole.d for hole in pod_holes(build)) == [pod.lamp, pod.button, pod.button]
    strokes = sum(len(lettering(name.upper(), (0, 0), 3)) for name in POD_BUTTONS)
    assert len(pod_labels(build)) == strokes


def test_a_pods_buttons_miss_its_posts_and_walls(build: Build) -> None:
    """Rims above, bodies below: two millimetres of air at least."""
    pod = build.of("pod")
    for x, y in pod_buttons(build).values():
        assert abs(x) + pod.rim / 2 < pod.width / 2 - pod.wall - 2
        for u, v in pod_posts(build):
            assert hypot(x - u, y - v) > pod.button / 2 + pod.post * 0.71 + 2


def test_every_button_has_a_name_that_can_be_engraved() -> None:
    """All letters of console and pods have strokes."""
    assert set("".join((*BUTTONS, *POD_BUTTONS, "mute")).upper()) <= set(flat.STROKES)


def test_all_panels_fit_the_sheets_without_touching(build: Build) -> None:
    """Every piece once, none over the edge, none over another."""
    sheet = build.of("sheet")
    parts = panels(build, sheet.kerf)
    sheets = pack(parts, tuple(sheet.size))
    assert sum(map(len, sheets)) == sum(panel.quantity for panel in parts)
    for laid in sheets:
        for left, bottom, right, top in (panel.box for panel in laid):
            assert left > 0
            assert bottom > 0
            assert right < sheet.size[0]
            assert top < sheet.size[1]
        for one, other in combinations([panel.box for panel in laid], 2):
            assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]


def test_a_panel_larger_than_a_sheet_is_refused() -> None:
    """Naming the panel and the parameter."""
    with pytest.raises(ValueError, match=r"wall_front is 250 x 328 mm and larger than a sheet: see sheet\.size"):
        pack(panels(ALL[2]), (300, 300))


def test_drawings_are_true_to_size_and_tell_cuts_from_engravings(build: Build) -> None:
    """One user unit is one millimetre; red is cut, blue is engraved."""
    top = part(build, "console_top")
    drawing = ElementTree.fromstring(svg([top.moved(200, 10)], (400, 200)))
    assert drawing.attrib["width"] == "400mm"
    assert drawing.attrib["viewBox"] == "0 0 400 200"
    colours = [shape.attrib["stroke"] for shape in drawing[0]]
    assert colours.count("#0000ff") == len(top.engraved)
    assert colours.count("#ff0000") == len(top.holes) + 1


def test_seen_from_behind_a_panel_is_mirrored_and_twice_is_itself(build: Build) -> None:
    """Walls are engraved on the inside, so some are drawn mirrored."""
    wall = part(build, "wall_right")
    assert wall.mirrored().mirrored() == wall
    assert wall.mirrored() != wall


def test_outlines_keep_their_area_plus_tabs_minus_notches() -> None:
    """A tab adds and a notch takes exactly its rectangle."""
    points = outline((0, 0), 50, 30, bottom=[(10, 20, 3)], left=[(5, 15, -2)], right=[(10, 14, 1)], top=[(40, 45, -3)])
    assert area(points) == pytest.approx(50 * 30 + 30 - 20 + 4 - 15)


@pytest.mark.parametrize("module", [flat, parts], ids=lambda module: module.__name__)
def test_examples_in_the_drawings_sources_run(module: ModuleType) -> None:
    """Their doctests; the modules that need CAD have none."""
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0
