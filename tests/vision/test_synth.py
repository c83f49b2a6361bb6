"""The renderer draws what its labels say, the same for the same seed, and in good time for a simulated tray."""

import math

import cv2
import numpy as np
import pytest

from vision.synth import (
    BUILT_IN,
    CONDITIONS,
    Camera,
    Cup,
    DieSet,
    Lens,
    PlacedDie,
    Scene,
    area_map,
    background,
    classic,
    crowded,
    outside,
    random_scene,
    random_set,
    render,
    truth,
)
from vision.synth.cube import pose
from vision.synth.scene import Ground

CALM = Lens(blur_px=0.0, noise=0.0, vignette=0.0, contrast=0.0, veil=0.0, jpeg=None)
SMALL = Camera(width=768, height=432)


def drawn(scene: Scene, die_set: DieSet | None = None, camera: Camera = SMALL, seed: int = 1) -> np.ndarray:
    """One frame."""
    return render(scene, camera, die_set or classic(), np.random.default_rng(seed))


def test_the_same_seed_draws_the_same_frame() -> None:
    first, second = (random_scene(np.random.default_rng(5), "glare") for _ in range(2))
    one = render(first.scene, SMALL, first.die_set, np.random.default_rng(6))
    other = render(second.scene, SMALL, second.die_set, np.random.default_rng(6))
    assert np.array_equal(one, other)


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_opposite_faces_are_opposite_both_ways(name: str) -> None:
    dice = BUILT_IN[name]()
    assert {dice.opposite(dice.opposite(s)) for s in dice.symbols} == set(dice.symbols)
    if name in ("western", "asian"):
        assert all(int(s) + int(dice.opposite(s)) == 7 for s in dice.symbols)


@pytest.mark.parametrize("up", ["9", "10", "J", "Q", "K", "A"])
def test_the_camera_sees_the_face_opposite_to_the_one_on_top(up: str) -> None:
    (label,) = truth(Scene((PlacedDie(up, 0, 0),)), SMALL, classic())
    assert (label.top, label.bottom) == (up, classic().opposite(up))


@pytest.mark.parametrize("symbol", classic().faces)
def test_prints_read_unmirrored_at_the_place_the_label_gives(symbol: str) -> None:
    dice, die = classic(), PlacedDie(classic().opposite(symbol), 10, -8, yaw_deg=37)
    frame = drawn(Scene((die,), ground=Ground("plain"), lens=CALM), dice)
    (label,) = truth(Scene((die,)), SMALL, dice)
    size = dice.textures[symbol][1].shape[0]
    square = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    seen = cv2.warpPerspective(
        frame, cv2.getPerspectiveTransform(label.quad_px.astype(np.float32), square), (size, size)
    )
    inner = slice(size // 6, -size // 6)
    want = dice.textures[symbol][1][inner, inner]
    likeness = float(cv2.matchTemplate(seen[inner, inner], want, cv2.TM_CCOEFF_NORMED)[0, 0])
    assert likeness > 0.85


def test_a_flat_die_rests_on_the_glass_and_a_cocked_one_touches_it() -> None:
    body = classic().body
    for tilt in (0.0, 17.0, 45.0):
        die = PlacedDie("A", 0, 0, 20, tilt_deg=tilt, tilt_dir_deg=70)
        posed = pose(die, SMALL, classic())
        inner = body.edge_mm / 2 - body.radius_mm
        corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * inner
        lowest = (corners @ posed.turn.T + posed.centre)[:, 2].min() - body.radius_mm
        assert lowest == pytest.approx(0, abs=1e-9)


def test_a_face_is_as_large_as_the_camera_says() -> None:
    camera = Camera(height_mm=160, hfov_deg=66)
    (label,) = truth(Scene((PlacedDie("K", 0, 0),)), camera, classic(16.0))
    assert label.side_px == pytest.approx(16 * camera.focal / 160, rel=1e-6)
    assert label.partly_hidden < 0.05


def test_side_faces_show_towards_the_middle_of_the_picture() -> None:
    scene = Scene((PlacedDie("K", 60, 0),))
    areas = area_map(scene, SMALL, classic())
    face, sides = np.argwhere(areas == 1), np.argwhere(areas == 2)
    assert sides[:, 1].mean() < face[:, 1].mean()
    assert len(sides) > 0.2 * len(face)


def test_a_die_that_tumbled_on_is_labelled_by_the_face_it_would_fall_to() -> None:
    tops = {
        tilt: truth(Scene((PlacedDie("K", 0.0, 0.0, tilt_deg=tilt, tilt_dir_deg=0.0),)), SMALL, classic())[0].top
        for tilt in (0.0, 40.0, 50.0, 88.0)
    }
    assert tops[0.0] == tops[40.0] == "K"
    assert tops[50.0] == tops[88.0] in {"A", "9", "Q", "J"}


def test_states_name_how_a_die_lies() -> None:
    flat = PlacedDie("K", 0, 0)
    assert flat.state == "flat"
    assert PlacedDie("K", 0, 0, tilt_deg=12).state == "cocked"
    assert PlacedDie("K", 0, 0, lift_mm=16).state == "stacked"
    assert PlacedDie("K", 0, 0, blur_mm=(3, 0)).state == "moving"


def test_a_die_below_hides_the_die_stacked_on_it() -> None:
    scene = Scene((PlacedDie("K", 0, 0), PlacedDie("A", 1, 1, lift_mm=16)))
    below, above = truth(scene, SMALL, classic())
    assert below.partly_hidden < 0.05
    assert above.partly_hidden > 0.9


def test_a_die_beyond_the_frame_is_outside() -> None:
    (label,) = truth(Scene((PlacedDie("K", 300, 0),)), SMALL, classic())
    assert label.outside == 1.0


def test_a_moving_die_is_smeared_along_its_way() -> None:
    still, moving = (Scene((PlacedDie("K", 0, 0, blur_mm=b),), lens=CALM) for b in ((0, 0), (8, 0)))
    sharp = [np.abs(cv2.Sobel(drawn(s)[:, :, 1], cv2.CV_32F, 1, 0)).max() for s in (still, moving)]
    assert sharp[1] < sharp[0] / 2


def test_a_covered_lens_gives_a_black_frame() -> None:
    assert drawn(Scene((PlacedDie("K", 0, 0),), cover=True)).mean() < 20


def test_a_cup_darkens_what_is_behind_it() -> None:
    ground = Ground("plain", (150, 150, 150))
    open_, cupped = drawn(Scene(ground=ground)), drawn(Scene(ground=ground, cup=Cup(0, 0)))
    assert cupped[200:230, 360:400].mean() < 0.4 * open_[200:230, 360:400].mean()


def test_a_given_background_makes_no_difference() -> None:
    scene = Scene((PlacedDie("K", 0, 0),))
    rngs = [np.random.default_rng(2) for _ in range(2)]
    given = render(scene, SMALL, classic(), rngs[0], behind=background(scene, SMALL))
    assert np.array_equal(given, render(scene, SMALL, classic(), rngs[1]))


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("above", [False, True])
def test_every_condition_can_be_drawn(condition: str, above: bool) -> None:
    rng = np.random.default_rng(CONDITIONS.index(condition))
    shown = random_scene(rng, condition, above=above)
    camera = shown.camera.scaled(0.25)
    frame = render(shown.scene, camera, shown.die_set, rng)
    assert frame.shape == (216, 384, 3)
    assert len(truth(shown.scene, camera, shown.die_set)) == len(shown.scene.dice)


def test_random_dice_never_lie_in_each_other() -> None:
    for seed in range(12):
        shown = random_scene(np.random.default_rng(seed), "many")
        edge = shown.die_set.body.edge_mm
        places = [(d.x_mm, d.y_mm) for d in shown.scene.dice]
        gaps = [math.dist(a, b) for i, a in enumerate(places) for b in places[:i]]
        assert min(gaps, default=edge) >= edge


@pytest.mark.parametrize("condition", ["open", "cup", "cocked", "foreign"])
def test_dice_laid_into_a_picture_keep_off_everything_that_lies_there(condition: str) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        before = random_scene(rng, condition)
        after = crowded(rng, before, 12)
        edge = before.die_set.body.edge_mm
        added = [die for die in after.scene.dice if die not in before.scene.dice]
        assert set(before.scene.dice) <= set(after.scene.dice)
        assert len(after.scene.dice) <= max(12, len(before.scene.dice))
        assert all(die.state == "flat" for die in added)
        for die in added:
            others = [other for other in after.scene.dice if other is not die]
            assert all(math.dist((die.x_mm, die.y_mm), (o.x_mm, o.y_mm)) >= edge for o in others)


def test_an_open_tray_takes_as_many_dice_as_are_asked_for() -> None:
    rng = np.random.default_rng(2)
    assert len(crowded(rng, random_scene(rng, "open"), 12).scene.dice) == 12


@pytest.mark.parametrize(("x_mm", "part"), [(0.0, 0.0), (107.0, 0.5), (300.0, 1.0)])
def test_the_part_of_a_face_beyond_the_frame_is_what_its_label_says(x_mm: float, part: float) -> None:
    die = PlacedDie("K", x_mm, 0)
    (label,) = truth(Scene((die,)), SMALL, classic())
    assert outside(die, SMALL, classic()) == pytest.approx(label.outside, abs=0.01)
    assert label.outside == pytest.approx(part, abs=0.1)


def test_random_prints_can_be_seen_on_their_bodies() -> None:
    for seed in range(15):
        dice = random_set(np.random.default_rng(seed))
        for symbol in dice.faces:
            face = dice.textures[symbol][0].astype(float)
            assert np.ptp(face, axis=(0, 1)).max() > 25, (seed, symbol)
