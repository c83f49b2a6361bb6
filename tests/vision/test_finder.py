"""The finder proposes the faces that lie flat on renders of ours, at any size of frame."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vision.finder import Square, find_squares
from vision.synth import Camera, DieSet, PlacedDie, Scene, classic, dark, render, truth, western
from vision.synth.scene import Ground

CAMERA = Camera(height_mm=165)


def hand(sets: DieSet) -> Scene:
    """Five dice, apart and touching, over the dark."""
    faces = sets.symbols
    spots = ((-60, -20, 10), (-40, 25, 35), (5, 5, 0), (5, 5 + sets.body.edge_mm + 0.2, 4), (55, -10, 70))
    return Scene(
        tuple(PlacedDie(faces[k], float(x), float(y), float(yaw)) for k, (x, y, yaw) in enumerate(spots)),
        ground=Ground("plain"),
    )


def found(squares: tuple[Square, ...], centre: tuple[float, float], side: float) -> bool:
    """Whether a square lies within a quarter of the side, of about its size."""
    near = [q for q in squares if np.hypot(q.centre_px[0] - centre[0], q.centre_px[1] - centre[1]) < side / 4]
    return any(0.75 < q.side_px / side < 1.3 for q in near)


@pytest.mark.parametrize("sets", [classic, dark, western])
def test_every_die_of_an_open_hand_is_found(sets: Callable[[], DieSet]) -> None:
    dice = sets()
    frame = render(hand(dice), CAMERA, dice, np.random.default_rng(3))
    finding = find_squares(frame)
    for label in truth(hand(dice), CAMERA, dice):
        assert found(finding.squares, label.centre_px, label.side_px), label.bottom


def test_the_angle_is_that_of_an_edge() -> None:
    frame = render(hand(classic()), CAMERA, classic(), np.random.default_rng(3))
    for label in truth(hand(classic()), CAMERA, classic()):
        square = min(find_squares(frame).squares, key=lambda q: np.hypot(*np.subtract(q.centre_px, label.centre_px)))
        apart = (square.yaw_deg - label.yaw_deg + 45) % 90 - 45
        assert abs(apart) < 12
        assert -45 <= square.yaw_deg < 45


def test_squares_come_hottest_first_and_never_twice() -> None:
    frame = render(hand(classic()), CAMERA, classic(), np.random.default_rng(3))
    squares = find_squares(frame).squares
    heats = [q.heat for q in squares]
    assert heats == sorted(heats, reverse=True)
    for k, one in enumerate(squares):
        for other in squares[:k]:
            away = np.hypot(*np.subtract(one.centre_px, other.centre_px))
            assert away > 0.5 * max(one.side_px, other.side_px)


def test_an_empty_tray_has_no_sure_face() -> None:
    finding = find_squares(render(Scene(), CAMERA, classic(), np.random.default_rng(1)))
    assert not [q for q in finding.squares if q.heat > 0.5]


@pytest.mark.parametrize("size", [(700, 900), (1200, 1200), (500, 500)])
def test_dice_of_unknown_size_are_found_by_searching(size: tuple[int, int]) -> None:
    camera = Camera(height_mm=200, width=size[1], height=size[0])
    dice = classic()
    scene = Scene((PlacedDie("K", -20, 0, 10), PlacedDie("10", 20, 10, 60)), ground=Ground("plain"))
    finding = find_squares(render(scene, camera, dice, np.random.default_rng(5)))
    for label in truth(scene, camera, dice):
        assert found(finding.squares, label.centre_px, label.side_px)


@pytest.mark.parametrize("shape", [(1, 1), (1, 500), (3, 2000), (40, 30), (2000, 50)])
def test_odd_frames_are_looked_at_without_trouble(shape: tuple[int, int]) -> None:
    noise = np.random.default_rng(2).integers(0, 256, (*shape, 3)).astype(np.uint8)
    for square in find_squares(noise).squares:
        assert 0 < square.heat <= 1


def test_the_weights_are_small_and_tell_where_they_come_from() -> None:
    folder = Path(find_squares.__code__.co_filename).parent / "weights"
    assert (folder / "finder.onnx").stat().st_size < 3_000_000
    assert "seed" in (folder / "README.md").read_text()
