"""A camera is calibrated from pictures of the very card that is printed, seen from below as the optics have it."""

import importlib.util
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from vision.calibration import BadCalibration, BadCard, Calibration, calibrate, find_card, moved
from vision.place import Frame
from vision.synth import Camera


def _card_views() -> object:
    """Load the module beside this file; tests are no package."""
    name = "undercup_card_views"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / "card_views.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


views = _card_views()
CAMERA = Camera(tilt_deg=4, tilt_dir_deg=30, k1=-0.12, roll_deg=10, width=1152, height=648)
MARKS = ((-60.0, -30.0, 0.0), (60.0, 30.0, 20.0))


@lru_cache(maxsize=1)
def pictures() -> Mapping[str, Frame]:
    """Return pictures of the card in four places."""
    return {f"card{number}.png": view(pose) for number, pose in enumerate(views.POSES)}  # type: ignore[attr-defined]


def view(pose: tuple[float, float, float] = (0, 0, 0), camera: Camera = CAMERA, **how: object) -> Frame:
    """Return one picture of the card."""
    return np.asarray(views.view(camera, pose, **how), np.uint8)  # type: ignore[attr-defined]


def empty(camera: Camera = CAMERA, **how: object) -> Frame:
    """Return the tray with watch marks and without the card."""
    return view(camera=camera, marks=MARKS, board=False, **how)  # type: ignore[arg-type]


@lru_cache(maxsize=1)
def known() -> Calibration:
    """Return the calibration of CAMERA."""
    return calibrate("a camera", pictures(), empty())


def test_pixels_per_millimetre_are_known_within_a_hundredth_all_over_the_tray() -> None:
    """A tilted camera with a barrel lens: the middle, and out to where the card lay."""
    for x, y in ((0, 0), (-55, 0), (50, 30), (0, -40)):
        ends = CAMERA.project(np.array([[x - 0.5, y, 0], [x + 0.5, y, 0], [x, y - 0.5, 0], [x, y + 0.5, 0.0]]))
        true = abs(np.linalg.det(np.vstack([ends[1] - ends[0], ends[3] - ends[2]]))) ** 0.5
        at = tuple(CAMERA.project(np.array([[x, y, 0.0]]))[0].tolist())
        assert known().px_per_mm(at) == pytest.approx(true, rel=0.01)


def test_lengths_on_the_glass_are_true() -> None:
    """Two points 100 mm apart are 100 mm apart again, and points come back to their pixels."""
    pixels = CAMERA.project(np.array([[-50.0, 20, 0], [50, 20, 0]]))
    mm = known().to_mm(pixels)
    assert np.hypot(*(mm[1] - mm[0])) == pytest.approx(100, abs=0.5)
    assert known().to_pixels(mm) == pytest.approx(pixels, abs=0.01)


def test_the_lens_is_known() -> None:
    """The first radial term is the camera's, in half widths instead of focal lengths."""
    true = CAMERA.k1 * (CAMERA.width / 2 / CAMERA.focal) ** 2
    assert known().lens[0] == pytest.approx(true, rel=0.1)
    assert known().error_px < 0.2


def test_the_fall_of_light_is_learnt_from_the_paper() -> None:
    """A vignette of a third at the corners is found within a few hundredths where the card lay."""
    x, y = np.meshgrid(np.linspace(-1, 1, CAMERA.width), np.linspace(-1, 1, CAMERA.height))
    fall = np.exp(-0.3 * (x**2 + 0.4 * y**2))
    dimmed = {name: np.asarray(frame * fall[..., None], np.uint8) for name, frame in pictures().items()}
    found = calibrate("a camera", dimmed).flat_field()
    assert found[60:-60, 200:-200] == pytest.approx(fall[60:-60, 200:-200], abs=0.04)


def test_a_calibration_comes_back_from_its_file(tmp_path: Path) -> None:
    """All of it, and nothing else is left in the folder."""
    path = tmp_path / "calibrations" / "a.json"
    known().save(path)
    assert Calibration.load(path) == known()
    assert [one.name for one in path.parent.iterdir()] == ["a.json"]


@pytest.mark.parametrize("damage", ["", "[]", "{}", "\udce9", '{"format": 1, "size": [0, 0]}', "whole"])
def test_a_file_that_is_no_calibration_is_refused(tmp_path: Path, damage: str) -> None:
    """Whatever it holds instead, among it a plane that is none."""
    path = tmp_path / "a.json"
    known().save(path)
    text = json.dumps(json.loads(path.read_text()) | {"plane": [0.0] * 9}) if damage == "whole" else damage
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadCalibration, match=r"a\.json is no calibration"):
        Calibration.load(path)


def test_a_calibration_of_another_version_is_refused(tmp_path: Path) -> None:
    """It says which."""
    path = tmp_path / "a.json"
    known().save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 9}))
    with pytest.raises(BadCalibration, match="version 9"):
        Calibration.load(path)


def test_the_picture_without_a_card_is_named() -> None:
    """So that nobody has to look through all of them."""
    with pytest.raises(BadCard, match=r"No card is found in tray\.png"):
        calibrate("a camera", {**pictures(), "tray.png": empty()})


def test_a_card_that_is_mostly_out_of_view_is_named() -> None:
    """With how many corners are seen."""
    with pytest.raises(BadCard, match=r"Only \d+ corners of the card are seen in the picture"):
        find_card(view((105, 0, 0)))


def test_a_mirrored_picture_is_called_so() -> None:
    """Webcams like to mirror; the dice would be read mirrored too."""
    with pytest.raises(BadCard, match="is mirrored"):
        find_card(np.ascontiguousarray(pictures()["card0.png"][:, ::-1]))


def test_a_blurred_card_is_named() -> None:
    """It is still found, but its corners are not worth having."""
    with pytest.raises(BadCard, match=r"The card in far\.png is blurred"):
        find_card(view((0, 0, 3), Camera(), blur=4.0), "far.png")


def test_a_card_that_does_not_lie_flat_is_named() -> None:
    """One side stands 8 mm above the glass."""
    with pytest.raises(BadCard, match=r"The card in bent\.png does not lie in the plane"):
        calibrate("a camera", {**pictures(), "bent.png": view((5, 0, 30), lean=8.0)})


def test_too_few_pictures_or_other_sizes_are_refused() -> None:
    """Two pictures, and one of another camera."""
    first, second, third, _ = pictures().items()
    with pytest.raises(BadCard, match="2 pictures are too few"):
        calibrate("a camera", dict([first, second]))
    with pytest.raises(BadCard, match="differ in size"):
        calibrate("a camera", {**dict([first, second, third]), "x": np.zeros((20, 20, 3), np.uint8)})


def test_cards_that_leave_most_of_the_picture_unknown_are_refused() -> None:
    """Three pictures of a far card in the middle."""
    far = replace(CAMERA, height_mm=420.0)
    with pytest.raises(BadCard, match="lay the card into the corners"):
        calibrate("a camera", {str(number): view((number, 0, number), far) for number in range(3)})


def test_a_camera_at_rest_is_not_called_moved() -> None:
    """Other noise, dimmer light, and one mark covered."""
    assert len(known().marks) == 2
    assert moved(empty(seed=5, noise=4.0), known()) is None
    assert moved(np.asarray(empty(seed=6) * 0.6, np.uint8), known()) is None
    assert moved(view(camera=CAMERA, marks=MARKS[:1], board=False), known()) is None


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"x_mm": 1.0}, "moved"),
        ({"roll_deg": 10.6}, "moved"),
        ({"tilt_deg": 4.5}, "moved"),
        ({"height_mm": 168.0}, "moved"),
        ({"x_mm": 250.0}, "unseen"),
        ({"width": 768, "height": 432}, "moved"),
    ],
)
def test_a_camera_that_was_moved_is_noticed(change: dict[str, float], expected: str) -> None:
    """A millimetre aside, half a degree turned or tilted, three millimetres up, out of sight, another size."""
    assert moved(empty(replace(CAMERA, **change)), known()) == expected  # type: ignore[arg-type]


def test_a_camera_that_was_refocused_is_noticed() -> None:
    """Its marks lie where they lay, but are soft."""
    assert moved(empty(blur=1.8), known()) == "refocused"


def test_without_watch_marks_only_another_size_is_noticed() -> None:
    """What cannot be seen is not claimed."""
    plain = replace(known(), marks=())
    assert moved(empty(replace(CAMERA, x_mm=30.0)), plain) is None
    assert moved(np.zeros((9, 9, 3), np.uint8), plain) == "moved"
