"""`undercup optics` knows which builds cannot work, and its numbers are those of the optics, however one gets there."""

import json
from math import atan, degrees, hypot, radians, tan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.__main__ import main
from device.optics import (
    GLASS_INDEX,
    STANDARD,
    WIDE,
    Camera,
    Lamp,
    Layout,
    Tray,
    findings,
    least_aside,
    least_height,
    mirrored_at,
    reflectance,
)

# camera, side of the tray, least height in mm, pixels of a 16 mm die: worked out by hand before this code was written
KNOWN = [(STANDARD, 150, 201, 141), (WIDE, 150, 113, 132), (STANDARD, 200, 267, 106), (WIDE, 200, 151, 99)]
LENGTHS = st.floats(20, 400)
CAMERAS = st.sampled_from([STANDARD, WIDE])


@pytest.mark.parametrize(("camera", "side", "height", "pixels"), KNOWN)
def test_heights_and_pixels_are_those_worked_out_by_hand(camera: Camera, side: int, height: int, pixels: int) -> None:
    """Four builds: two trays, two lenses."""
    tray = Tray(side, side)
    least = least_height(camera, tray)
    assert least == pytest.approx(height, abs=0.6)
    assert Layout(camera, tray, least).die_px == pytest.approx(pixels, abs=0.5)


def test_side_faces_show_between_a_quarter_and_two_thirds_of_a_face() -> None:
    """The least is the standard lens at the edge, the most the Wide lens in the corner."""
    shares = [share for camera, side, *_ in KNOWN for share in at_least_height(camera, side).side_face]
    assert min(shares) == pytest.approx(0.27, abs=0.02)
    assert max(shares) == pytest.approx(0.70, abs=0.02)


def at_least_height(camera: Camera, side: float) -> Layout:
    """Return the layout that sees a square tray and nothing more."""
    tray = Tray(side, side)
    return Layout(camera, tray, least_height(camera, tray))


@given(CAMERAS, LENGTHS, st.floats(0, 30))
def test_from_the_least_height_the_tray_and_its_margin_fit_the_field(
    camera: Camera, side: float, margin: float
) -> None:
    """The field reaches the margin, and exactly that far unless the nearest focus asks for more height."""
    layout = Layout(camera, Tray(side, side), least_height(camera, Tray(side, side), margin))
    assert layout.margin >= margin - 1e-6
    if layout.height > camera.nearest:
        assert layout.margin == pytest.approx(margin, abs=1e-6)


@given(LENGTHS, st.floats(50, 400), st.floats(0, 1))
def test_a_lamp_at_the_least_place_is_mirrored_at_the_edge_of_the_tray(half: float, height: float, part: float) -> None:
    """The two directions of the mirror's formula are each other's inverse."""
    level = part * height
    assert mirrored_at(least_aside(half, height, level), height, level) == pytest.approx(half)


@given(st.floats(1, 300), st.floats(50, 400), st.floats(0, 0.99))
def test_the_mirror_image_obeys_the_law_of_reflection(aside: float, height: float, part: float) -> None:
    """Light from the lamp meets the glass at the angle at which it leaves for the lens."""
    level = part * height
    spot = mirrored_at(aside, height, level)
    arriving = degrees(atan((aside - spot) / (height - level)))
    leaving = degrees(atan(spot / height))
    assert arriving == pytest.approx(leaving, abs=1e-6)


@given(CAMERAS, LENGTHS, st.floats(0, 60))
def test_above_the_lowest_place_for_a_lamp_it_is_not_mirrored(camera: Camera, side: float, beyond: float) -> None:
    """`lamp_below` and `lamp_aside` name the same border."""
    layout = at_least_height(camera, side)
    assert layout.lamp_aside(layout.lamp_below(side / 2 + beyond)) == pytest.approx(side / 2 + beyond)


@pytest.mark.parametrize(("angle", "percent"), [(0, 8), (20, 8), (75, 39)])
def test_the_pane_mirrors_what_tables_of_float_glass_say(angle: float, percent: float) -> None:
    """Eight per cent from above, two fifths at a flat angle."""
    assert 100 * reflectance(angle) == pytest.approx(percent, abs=1)


@given(st.floats(1, 20), st.floats(1, 60))
def test_glass_looks_thinner_than_it_is(thickness: float, angle: float) -> None:
    """A ray through the pane meets its top where a shorter way through air would have led, near the axis."""
    layout = Layout(STANDARD, Tray(150, 150, glass=thickness), 201)
    small = radians(angle / 100)
    through = layout.air * tan(small) + thickness * tan(small / GLASS_INDEX)
    assert through == pytest.approx(layout.height * tan(small), rel=1e-4)


@given(CAMERAS, st.floats(100, 400))
def test_the_sharp_range_lies_round_the_faces_and_deeper_behind_them(camera: Camera, height: float) -> None:
    """As with every lens."""
    near, far = Layout(camera, Tray(150, 150), height).sharp
    assert near < height < far
    assert far - height > height - near


def test_blur_at_the_ends_of_the_sharp_range_is_one_pixel() -> None:
    """The thin lens, computed the long way: image distances and similar triangles."""
    layout = Layout(STANDARD, Tray(150, 150), 201)
    camera = layout.camera
    aperture = camera.focal / camera.f_number

    def image(distance: float) -> float:
        return 1 / (1 / camera.focal - 1 / distance)

    for distance in layout.sharp:
        blur = aperture * abs(image(distance) - image(layout.height)) / image(distance)
        assert blur == pytest.approx(camera.pitch, rel=0.01)


UNFIT = [
    (Layout(STANDARD, Tray(150, 150), 190), None, "misses 4 mm"),
    (Layout(WIDE, Tray(50, 50), 48), None, "focuses from 50 mm on"),
    (Layout(WIDE, Tray(600, 600), 500), None, "below 40 faces cannot be told apart"),
    (Layout(STANDARD, Tray(150, 150), 212), Lamp(85, 60), "up to 28 mm below the glass"),
    (Layout(STANDARD, Tray(150, 150), 212), Lamp(40, 200), "mirrored in it"),
]


@pytest.mark.parametrize(("layout", "lamp", "words"), UNFIT, ids=[words for *_, words in UNFIT])
def test_what_cannot_work_is_said_with_a_remedy(layout: Layout, lamp: Lamp | None, words: str) -> None:
    """Field, focus, scale and mirrored lamps each stop a build."""
    fatal = [finding.text for finding in findings(layout, lamp) if finding.fatal]
    assert any(words in text for text in fatal)


@pytest.mark.parametrize(("camera", "side"), [(camera, side) for camera, side, *_ in KNOWN])
def test_the_four_drawn_builds_work_with_their_lamps(camera: Camera, side: int) -> None:
    """With 4 mm to spare and LEDs 10 mm aside of the tray, 8 mm below the glass, nothing speaks against them."""
    tray = Tray(side, side)
    layout = Layout(camera, tray, least_height(camera, tray, 4))
    assert findings(layout, Lamp(side / 2 + 10, 8)) == ()


def test_a_tight_or_coarse_build_is_noted_but_not_forbidden() -> None:
    """No slack, or fewer pixels than worn faces need."""
    tight = findings(at_least_height(STANDARD, 150))
    coarse = findings(Layout(WIDE, Tray(300, 300), 240))
    assert [finding.fatal for finding in (*tight, *coarse)] == [False, False]
    assert "to spare" in tight[0].text
    assert "nudge the cup" in coarse[0].text


def test_the_command_prints_the_page_and_succeeds(capsys: pytest.CaptureFixture[str]) -> None:
    """The standard build prints its height and that nothing speaks against it."""
    assert main(["optics", "--margin", "0.5", "--camera", "wide", "--tray", "200"]) == 0
    said = capsys.readouterr().out
    assert "at least 151" in said
    assert "note: Only 0.5 mm to spare" in said


def test_the_command_fails_for_a_build_that_cannot_work(capsys: pytest.CaptureFixture[str]) -> None:
    """Scripts can rely on the exit status."""
    assert main(["optics", "--height", "150"]) == 1
    assert "CANNOT WORK: The camera misses 19 mm" in capsys.readouterr().out


def test_json_carries_the_same_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    """For programs: numbers, findings and whether it works."""
    assert main(["optics", "--json", "--lamp", "60x100"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["least_height"] == pytest.approx(200.6)
    assert data["die_px"] == pytest.approx(16 * data["px_per_mm"], abs=0.1)
    assert data["works"] is False
    assert "mirrored" in data["findings"][0]["text"]


def test_another_camera_is_described_by_its_data_sheet(capsys: pytest.CaptureFixture[str]) -> None:
    """A webcam with its field of view, pixels and nearest focus."""
    words = ["--camera", "other", "--fov", "60x36", "--pixels", "1920x1080", "--nearest", "300"]
    assert main(["optics", *words]) == 0
    assert "lens to dice                300 mm" in capsys.readouterr().out


WRONG = [
    (["--camera", "other"], "needs --fov, --pixels and --nearest"),
    (["--fov", "60x40"], "add --camera other"),
    (["--tray", "10x10"], "cannot hold a die of 16 mm"),
    (["--camera", "other", "--fov", "190x40", "--pixels", "9x9", "--nearest", "9"], "between 0 and 180"),
]


@pytest.mark.parametrize(("words", "said"), WRONG, ids=[said for _, said in WRONG])
def test_arguments_that_make_no_sense_are_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With one sentence and exit status 2."""
    assert main(["optics", *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("word", ["150y150", "0x10", "-5", "nan"])
def test_sizes_that_are_no_sizes_are_refused(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    """argparse names the argument and the value."""
    with pytest.raises(SystemExit):
        main(["optics", f"--tray={word}"])
    assert "--tray" in capsys.readouterr().err


def test_corners_are_seen_at_flatter_angles_than_edges() -> None:
    """The corner's share is the edge's share seen diagonally."""
    edge, corner = at_least_height(WIDE, 150).side_face
    assert corner == pytest.approx(hypot(edge, edge))
