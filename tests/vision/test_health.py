"""A fault of the picture is told, and no clean picture is blamed: each on rendered frames with just that fault."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from vision import health
from vision.place import Frame, Place
from vision.prepared import prepare
from vision.reading import DieReading, Reading
from vision.synth import Camera, Cup, Ground, Lamp, Lens, Light, PlacedDie, Scene, Stain, classic, render, truth
from vision.upkeep import RESTS, Upkeep, explained

CAMERA = Camera()
DICE = classic()
LAID = tuple(
    PlacedDie(face, x, y, yaw)
    for face, x, y, yaw in (("K", -45.0, -20.0, 11.0), ("Q", -10.0, 5.0, 48.0), ("9", 30.0, -15.0, 85.0))
)
CLEAN = Scene(LAID)
SCENES = {
    "in the open": CLEAN,
    "under a cup": replace(CLEAN, cup=Cup(0.0, 0.0)),
    "under lamps": replace(CLEAN, lamps=(Lamp(60.0, 30.0, 12.0), Lamp(-70.0, 20.0, 20.0, shape="panel"))),
    "in dim light": replace(CLEAN, lens=Lens(exposure=0.2)),
    "in strong light": replace(CLEAN, lens=Lens(exposure=1.5)),
    "on felt": replace(CLEAN, ground=Ground("felt")),
    "with an empty tray": Scene(),
}


def drawn(scene: Scene, seed: int = 1) -> Frame:
    return render(scene, CAMERA, DICE, np.random.default_rng(seed))


def told(scene: Scene, *, read: bool = True, unread: Sequence[int] = ()) -> Reading:
    """Return the reading of a scene in which nothing is certain (or all but some dice are)."""
    dice = tuple(
        DieReading(
            None if not read or number in unread else label.top,
            1.0,
            label.centre_px,
            "flat" if read and number not in unread else "unclear",
            None,
            label.side_px,
            label.yaw_deg,
        )
        for number, label in enumerate(truth(scene, CAMERA, DICE))
    )
    if read and not unread:
        return Reading("read", tuple(die.face or "" for die in dice), (), dice)
    return Reading.unsure(["too-few", "unknown-face"], dice)


@pytest.mark.parametrize("name", SCENES)
def test_a_clean_picture_has_no_fault(name: str) -> None:
    scene = SCENES[name]
    frame = drawn(scene)
    assert health.of_frame(prepare(frame)) == []
    unsure = told(scene, read=False)
    assert Upkeep().explain(frame, unsure) == unsure


def test_a_picture_without_light_is_too_dark() -> None:
    frame = drawn(replace(CLEAN, lens=Lens(exposure=0.002)))
    assert health.of_frame(prepare(frame)) == ["too-dark"]
    assert health.dark(frame[:, :, 1])
    assert not health.dark(drawn(CLEAN)[:, :, 1])


def test_a_picture_that_is_blown_out_is_too_bright() -> None:
    white = replace(CLEAN, ground=Ground("paper", (220.0, 225.0, 230.0)), lens=Lens(exposure=3.0))
    assert health.of_frame(prepare(drawn(white))) == ["too-bright"]


def place_of(number: int, frame: Frame) -> Place:
    label = truth(CLEAN, CAMERA, DICE)[number]
    scale = prepare(frame).scale
    x, y = (value * scale for value in label.centre_px)
    return Place(x, y, label.side_px * scale, math.radians(label.yaw_deg))


def mirrored(x: float, y: float, size: float) -> Scene:
    """Return the clean scene with a lamp mirrored in the glass there."""
    lamp = Lamp(x, y, size, colour=(255.0, 255.0, 255.0), gain=3.0, soft_mm=5.0)
    lens = Lens(exposure=1.4, vignette=0.0, contrast=0.0, veil=0.0)
    return replace(CLEAN, glare=(lamp,), lens=lens, light=Light(face=0.3, side=0.1, ambient=0.1))


def test_a_lamp_that_is_mirrored_on_a_die_is_glare_on_that_die_only() -> None:
    frame = drawn(mirrored(LAID[0].x_mm + 3, LAID[0].y_mm, 4.0))
    assert health.of_place(prepare(frame), place_of(0, frame)) == ["glare"]
    assert health.of_place(prepare(frame), place_of(1, frame)) == ["unknown-face"]


def test_a_lamp_that_hides_a_die_is_told_though_no_die_is_seen_there() -> None:
    scene = mirrored(LAID[0].x_mm + 5, LAID[0].y_mm, 8.0)
    unsure = Reading.unsure(["too-few"], told(scene, unread=(0,)).dice[1:])
    assert Upkeep().explain(drawn(scene), unsure).reasons == ("too-few", "glare")
    beside = mirrored(10.0, 40.0, 8.0)
    few = Reading.unsure(["too-few"], told(beside, unread=(0,)).dice)
    assert Upkeep().explain(drawn(beside), few).reasons == ("too-few",)


@pytest.mark.parametrize("light", [Light(), Light(face=1.2), Light(gleam=0.4)])
def test_a_die_in_its_own_light_has_no_glare(light: Light) -> None:
    frame = drawn(replace(CLEAN, light=light))
    assert [health.of_place(prepare(frame), place_of(number, frame)) for number in range(3)] == [["unknown-face"]] * 3


def test_a_die_that_moves_says_so() -> None:
    frame = drawn(Scene((replace(LAID[0], blur_mm=(20.0, 20.0)), *LAID[1:])))
    assert health.of_place(prepare(frame), place_of(0, frame)) == ["moving"]


@pytest.mark.parametrize("read", [True, False])
def test_a_lens_out_of_focus_is_told_instead_of_moving_dice(read: bool) -> None:
    """Some dice may still be read: they are soft as well."""
    scene = replace(CLEAN, lens=Lens(blur_px=7.0))
    unsure = replace(told(scene, read=read, unread=(0,)), reasons=("too-few", "moving"))
    assert Upkeep().explain(drawn(scene), unsure).reasons == ("too-few", "blurred")


def test_small_faces_are_not_called_out_of_focus() -> None:
    """Far away a print is coarse, in focus or not."""
    far = replace(CAMERA, width=480, height=270)
    dice = tuple(
        DieReading(None, 0.0, label.centre_px, "unclear", None, label.side_px, label.yaw_deg)
        for label in truth(CLEAN, far, DICE)
    )
    unsure = Reading.unsure(["too-few"], dice)
    frame = render(replace(CLEAN, lens=Lens(blur_px=1.5)), far, DICE, np.random.default_rng(2))
    assert explained(frame, unsure).reasons == ("too-few",)


def test_focus_is_judged_by_how_sharp_this_tables_dice_were() -> None:
    scene = replace(CLEAN, lens=Lens(blur_px=4.0))
    unsure = told(scene, unread=(0,))
    assert Upkeep().explain(drawn(scene), unsure).reasons == unsure.reasons
    known = Upkeep()
    known.explain(drawn(CLEAN), told(CLEAN))
    assert "blurred" in known.explain(drawn(scene), unsure).reasons
    assert "blurred" not in known.explain(drawn(CLEAN), told(CLEAN, unread=(0,))).reasons


def test_one_die_that_moves_is_no_lens_out_of_focus() -> None:
    scene = Scene((replace(LAID[0], blur_mm=(12.0, 3.0)), *LAID[1:]))
    assert "blurred" not in Upkeep().explain(drawn(scene), told(scene, unread=(0,))).reasons


def rests(upkeep: Upkeep, **more: object) -> None:
    """Show rests in which dice and cup lie elsewhere each time."""
    for step in range(RESTS):
        dice = tuple(replace(die, x_mm=die.x_mm - 20 + 17 * step, y_mm=die.y_mm + (-1) ** step * 14) for die in LAID)
        scene = replace(Scene(dice, cup=Cup(-20.0 + 15 * step, 8.0 * step)), **more)  # type: ignore[arg-type]
        upkeep.explain(drawn(scene, step), told(scene))


@pytest.mark.parametrize(("kind", "aside"), [("print", 0.0), ("drop", 6.0), ("ring", 26.0), ("scratch", 0.0)])
@pytest.mark.parametrize("pictured", [True, False])
def test_dirt_on_the_glass_is_told_over_a_die_that_cannot_be_read(kind: str, aside: float, pictured: bool) -> None:
    """The glass is known to have been clean from a picture of the empty tray, or from the first rests."""
    upkeep = Upkeep(drawn(Scene()) if pictured else None)
    if not pictured:
        rests(upkeep)
    dirt = (Stain(kind, 35.0 + aside, -20.0, 26.0, 0.8),)
    rests(upkeep, dirt=dirt)
    scene = Scene((PlacedDie("J", 35.0, -20.0, 20.0), PlacedDie("A", -40.0, 25.0, 70.0)), dirt=dirt)
    assert upkeep.explain(drawn(scene), told(scene, unread=(0,))).reasons == ("too-few", "dirty")
    assert upkeep.explain(drawn(scene), told(scene, unread=(1,))).reasons == ("too-few", "unknown-face")


def test_clean_glass_is_never_called_dirty() -> None:
    upkeep = Upkeep(drawn(Scene()))
    for _ in range(2):
        rests(upkeep, lamps=(Lamp(20.0, 10.0, 12.0),))
    for x in range(-60, 61, 30):
        scene = Scene((PlacedDie("J", float(x), 10.0, 20.0 + x), PlacedDie("A", float(x), -30.0, 70.0)))
        assert "dirty" not in upkeep.explain(drawn(scene), told(scene, read=False)).reasons


@pytest.mark.parametrize("shape", [(1, 1, 3), (2, 900, 3), (900, 2, 3), (33, 47, 3)])
def test_odd_frames_have_no_faults_of_their_own(shape: tuple[int, int, int]) -> None:
    frame = np.random.default_rng(3).integers(0, 256, shape, dtype=np.uint8)
    unsure = told(CLEAN, read=False)
    assert Upkeep().explain(frame, unsure).status == "unsure"
    assert Upkeep(frame).explain(frame, told(CLEAN)).status == "read"


def striped(frame: Frame, phase: float, part: float) -> Frame:
    """Return the frame as rolling rows see it while a lamp flickers by `part` of its light."""
    rows = 1 + part * np.sin(2 * np.pi * (3 * np.arange(frame.shape[0]) / frame.shape[0] + phase))
    return np.asarray(np.clip(frame * rows[:, None, None], 0, 255), np.uint8)


@pytest.mark.parametrize("name", ["in the open", "under lamps", "on felt", "in strong light"])
def test_lamps_that_flicker_with_the_mains_paint_bands(name: str) -> None:
    before, now = drawn(SCENES[name], 1), drawn(SCENES[name], 2)
    assert health.banded(striped(before, 0.0, 0.15), striped(now, 0.3, 0.15))
    assert not health.banded(before, now)


def test_light_that_changes_everywhere_and_things_that_move_are_no_bands() -> None:
    before = drawn(CLEAN)
    assert not health.banded(before, drawn(replace(CLEAN, lens=Lens(exposure=0.6))))
    assert not health.banded(before, drawn(replace(CLEAN, cup=Cup(0.0, 0.0, lift_mm=20.0))))
    assert not health.banded(before, drawn(Scene(LAID[:1])))
