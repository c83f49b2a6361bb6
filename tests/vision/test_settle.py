"""From frames to events: each test lets things happen on a drawn tray, or lets a reader say what it likes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vision import watched
from vision.pictures import BadPicture
from vision.place import Frame
from vision.reading import DieReading, Reading
from vision.settle import HELD_S, LOOK_AGAIN_S, PATIENCE, RESTLESS_S, STILL_LEVEL, Event, Settle, agreed, changed
from vision.synth import Camera, Cup, Lamp, Lens, PlacedDie, Scene, classic, render, truth

CAMERA = Camera(width=384, height=216)
DICE = classic()
STEP_S = 0.1
LAID = tuple(
    PlacedDie(face, x, y, yaw)
    for face, x, y, yaw in (
        ("K", -50.0, -20.0, 11.0),
        ("Q", -12.0, 8.0, 48.0),
        ("9", 28.0, -18.0, 85.0),
        ("10", 50.0, 20.0, 122.0),
        ("A", -32.0, 30.0, 159.0),
    )
)
SPOTS = ((10.0, -20.0), (26.0, 5.0), (-5.0, 20.0), (12.0, 0.0), (30.0, -40.0))
SHAKEN = tuple(
    replace(die, face_up=face, x_mm=x, y_mm=y) for die, face, (x, y) in zip(LAID, "JJQKQ", SPOTS, strict=True)
)


@dataclass
class Tray:
    """A drawn tray at ten frames a second, and a reader that knows what lies there.

    With `reasons` it is sure of no face; `blind` to leaning dice or to all it does not see them.
    """

    expect: int | None = None
    scene: Scene = field(default_factory=lambda: Scene(LAID))
    told: list[Event] = field(default_factory=list)
    now: float = 0.0
    looks: int = 0
    reasons: tuple[str, ...] = ()
    blind: Literal["", "leaning", "all"] = ""

    def __post_init__(self) -> None:
        self.settle = Settle(self, self.expect)
        self.rng = np.random.default_rng(5)

    def read(self, frame: Frame, expect: int | None = None) -> Reading:
        self.looks += 1
        dice = tuple(
            DieReading(
                label.top if label.state == "flat" and not self.reasons else None,
                1.0,
                label.centre_px,
                "flat" if label.state == "flat" else "cocked",
                label.bottom,
                label.side_px,
                label.yaw_deg,
            )
            for label in truth(self.scene, CAMERA, DICE)
            if not self.blind or (self.blind == "leaning" and label.state == "flat")
        )
        reasons = list(self.reasons)
        reasons += ["cocked"] if any(die.state != "flat" for die in dice) else []
        reasons += ["no-dice"] if not dice else []
        reasons += ["too-few"] if dice and len(dice) < (expect or 0) else []
        if reasons:
            return Reading.unsure(reasons, dice)
        return Reading("read", tuple(sorted(die.face or "" for die in dice)), (), dice)

    def shows(self, scene: Scene, seconds: float = STEP_S) -> list[Event]:
        """Show a scene for a while, and return what is told meanwhile."""
        self.scene = scene
        told: list[Event] = []
        for _ in range(round(seconds / STEP_S)):
            told += self.settle.feed(render(scene, CAMERA, DICE, self.rng), self.now)
            self.now += STEP_S
        self.told += told
        return told

    def lay(self, dice: Sequence[PlacedDie], seconds: float = STEP_S, **more: Any) -> list[Event]:
        return self.shows(Scene(tuple(dice), **more), seconds)

    def throws(self, dice: Sequence[PlacedDie], chosen: Sequence[int], landed: Sequence[PlacedDie]) -> list[Event]:
        """Take the chosen dice up, hold them for a moment, and let the others and `landed` come to rest."""
        kept = [die for number, die in enumerate(dice) if number not in chosen]
        up = [replace(dice[number], lift_mm=12.0, tilt_deg=15.0) for number in chosen]
        told = self.lay([*kept, *up])
        told += self.lay(kept, 0.6)
        for turn in (60.0, 20.0):
            told += self.lay([*kept, *(flying(die, turn) for die in landed)])
        return told + self.lay([*kept, *landed], 0.5)


def flying(die: PlacedDie, turn: float) -> PlacedDie:
    """Return a die a moment before it lies."""
    return replace(die, x_mm=die.x_mm - turn / 4, tilt_deg=turn, lift_mm=turn / 5, blur_mm=(6.0, 0.0))


def kinds(events: Sequence[Event]) -> list[str]:
    return [event.kind for event in events]


def settled(events: Sequence[Event]) -> Event:
    """Return the one settled event."""
    (event,) = [event for event in events if event.kind == "settled"]
    return event


def read(event: Event) -> Reading:
    """Return what was read when the tray settled."""
    assert event.reading is not None
    return event.reading


@pytest.fixture
def tray() -> Tray:
    """Return a tray on which five dice were read at rest."""
    tray = Tray()
    assert kinds(tray.lay(LAID, 0.5)) == ["settled"]
    return tray


def test_dice_at_rest_are_told_once_with_all_their_faces(tray: Tray) -> None:
    assert read(settled(tray.told)).hand == ("10", "9", "A", "K", "Q")
    assert settled(tray.told).rolled == 0
    looks = tray.looks
    assert tray.lay(LAID, 3.0) == []
    assert tray.looks == looks


@pytest.mark.parametrize("chosen", [(0,), (1, 3), (0, 1, 2, 3, 4)])
def test_as_many_are_told_as_lifted_and_rolled_as_left_the_glass(tray: Tray, chosen: tuple[int, ...]) -> None:
    events = tray.throws(LAID, chosen, [SHAKEN[number] for number in chosen])
    assert kinds(events) == ["moving", "lifted", "settled"]
    assert events[1].count == len(chosen)
    assert settled(events).rolled == len(chosen)


def test_a_pause_with_dice_in_the_hand_is_no_rest_but_a_long_one_is(tray: Tray) -> None:
    kept = LAID[2:]
    assert kinds(tray.lay(kept, HELD_S - 0.2)) == ["moving", "lifted"]
    told = settled(tray.lay(kept, 1.0))
    assert (told.rolled, len(read(told).dice)) == (2, 3)
    assert settled(tray.lay(LAID, 0.5)).rolled == 0, "those two were counted before"


def test_a_die_turned_by_fingers_is_a_disturbance_and_no_roll(tray: Tray) -> None:
    turned = replace(LAID[1], face_up="J", x_mm=LAID[1].x_mm + 3)
    before = settled(tray.told).reading
    events = [
        *tray.lay([LAID[0], replace(LAID[1], tilt_deg=40.0, blur_mm=(4.0, 0.0)), *LAID[2:]]),
        *tray.lay([LAID[0], replace(turned, tilt_deg=-30.0, blur_mm=(4.0, 2.0)), *LAID[2:]]),
        *tray.lay([LAID[0], turned, *LAID[2:]], 0.5),
    ]
    assert kinds(events) == ["moving", "disturbed", "settled"]
    assert events[1].before == before
    assert events[1].after == settled(events).reading
    assert settled(events).rolled == 0


@pytest.mark.parametrize("blind", ["", "leaning"])
def test_a_die_that_is_turned_slowly_is_not_taken_for_rolled(tray: Tray, blind: Literal["", "leaning"]) -> None:
    tray.blind = blind
    rest = [LAID[0], *LAID[2:]]
    turned = replace(LAID[1], face_up="J")
    events: list[Event] = []
    for step in range(15):
        events += tray.lay([*rest, replace(turned, tilt_deg=70.0 - 40 * (step % 2), blur_mm=(3.0, 1.0))])
    events += tray.lay([*rest, turned], 0.5)
    assert kinds(events) == ["moving", "disturbed", "settled"]


def test_in_a_declared_roll_nothing_is_a_disturbance_and_a_turned_die_counts(tray: Tray) -> None:
    tray.settle.expect_roll()
    turned = replace(LAID[1], face_up="J", x_mm=LAID[1].x_mm + 3)
    events = tray.lay([LAID[0], replace(LAID[1], tilt_deg=40.0, blur_mm=(4.0, 0.0)), *LAID[2:]])
    events += tray.lay([LAID[0], turned, *LAID[2:]], 0.5)
    assert "disturbed" not in kinds(events)
    assert settled(events).rolled == 1
    events = tray.lay([LAID[0], replace(turned, face_up="A"), *LAID[2:]], 0.5)
    assert "disturbed" in kinds(events), "the declaration ends when the dice have settled"


def test_a_die_pushed_aside_by_a_little_is_a_disturbance(tray: Tray) -> None:
    pushed = [replace(LAID[0], x_mm=LAID[0].x_mm + 8), *LAID[1:]]
    assert kinds(tray.lay(pushed, 0.5)) == ["moving", "disturbed", "settled"]


def test_a_die_taken_up_and_put_back_elsewhere_is_one_rolled_die(tray: Tray) -> None:
    events = tray.throws(LAID, (4,), [replace(LAID[4], x_mm=60.0, y_mm=-30.0)])
    assert settled(events).rolled == 1
    assert read(settled(events)).hand == read(tray.told[0]).hand


def test_a_leaning_die_is_told_as_unsure_and_again_when_it_lies(tray: Tray) -> None:
    leaning = [replace(LAID[0], x_mm=-60.0, tilt_deg=25.0), *LAID[1:]]
    assert read(settled(tray.lay(leaning, 1.0))).reasons == ("cocked",)
    assert read(settled(tray.lay(LAID, 0.5))).status == "read"


def test_a_die_that_could_not_be_read_for_a_while_is_still_watched(tray: Tray) -> None:
    """Else whoever makes one reading unsure could turn a die unseen."""
    tray.reasons = ("glare",)
    lamp = (Lamp(60.0, -45.0, 20.0),)
    assert read(settled(tray.lay(LAID, 1.0, lamps=lamp))).status == "unsure"
    tray.reasons = ()
    turned = [replace(LAID[0], face_up="J"), *LAID[1:]]
    events = tray.lay(turned, 0.5)
    assert kinds(events) == ["moving", "disturbed", "settled"]
    assert events[1].before == tray.told[0].reading


def test_an_unsure_rest_is_read_again_and_told_anew_only_when_it_is_certain() -> None:
    tray = Tray(reasons=("dirty",))
    assert kinds(tray.lay(LAID, 1.0)) == ["settled"]
    assert tray.looks == PATIENCE
    assert tray.lay(LAID, 3 * LOOK_AGAIN_S) == []
    assert PATIENCE < tray.looks <= PATIENCE + 4
    tray.reasons = ()
    assert read(settled(tray.lay(LAID, LOOK_AGAIN_S + 0.5))).status == "read"


def test_a_cup_that_comes_down_and_goes_up_is_no_roll_and_no_disturbance(tray: Tray) -> None:
    events: list[Event] = []
    for lift in (80.0, 50.0, 20.0):
        events += tray.lay(LAID, cup=Cup(-10.0, 0.0, lift_mm=lift))
    events += tray.lay(LAID, 0.5, cup=Cup(-10.0, 0.0))
    assert set(kinds(events)) == {"moving", "settled"}
    assert events[-1].rolled == 0
    events = tray.lay(LAID, cup=Cup(-10.0, 0.0, lift_mm=40.0))
    events += tray.lay(LAID, 0.5)
    assert set(kinds(events)) == {"moving", "settled"}
    assert events[-1].rolled == 0


def test_people_who_lean_over_the_tray_do_not_keep_dice_from_being_read(tray: Tray) -> None:
    kept, landed = LAID[1:], SHAKEN[0]
    tray.lay(kept, 0.6)
    events: list[Event] = []
    for step in range(round((2 * RESTLESS_S + 0.6) / STEP_S)):
        head = (Lamp(70.0 * math.sin(step), 40.0 * math.cos(1.7 * step), 35.0, gain=2.0),)
        events += tray.lay([*kept, landed], lamps=head)
    assert settled(events).rolled == 1
    assert "disturbed" not in kinds(events)


def test_dice_that_move_all_the_time_are_never_told_as_settled(tray: Tray) -> None:
    events: list[Event] = []
    for step in range(40):
        moved = [replace(die, x_mm=die.x_mm + 9 * math.sin(step), yaw_deg=die.yaw_deg + 40 * step) for die in LAID]
        events += tray.lay(moved)
    assert "settled" not in kinds(events)


@pytest.mark.parametrize("exposure", [0.001, 0.5, 1.6])
def test_light_that_goes_off_and_on_moves_no_die(tray: Tray, exposure: float) -> None:
    tray.reasons, tray.blind = (("too-dark",), "all") if exposure < 0.1 else ((), "")
    events = tray.lay(LAID, 1.5, lens=Lens(exposure=exposure))
    tray.reasons, tray.blind = (), ""
    events += tray.lay(LAID, 1.0)
    assert not {"lifted", "disturbed"} & set(kinds(events))
    assert sum(event.rolled for event in events) == 0
    assert read(tray.told[-1]).status == "read"


def test_light_that_changes_everywhere_is_no_movement(tray: Tray) -> None:
    assert tray.lay(LAID, 0.5, lens=Lens(exposure=1.3)) == []
    assert tray.lay(LAID, 0.5, lens=Lens(exposure=0.8)) == []


def test_bands_that_wander_across_the_picture_are_no_movement_but_dice_under_them_are(tray: Tray) -> None:
    still, moved = (render(Scene(dice), CAMERA, DICE, tray.rng) for dice in (LAID, SHAKEN[:1] + LAID[1:]))
    rows = 1 + 0.2 * np.sin(2 * np.pi * (3 * np.arange(216) / 216 + np.array([[0.0], [0.3]])))
    before, now, other = (
        16 * np.sqrt(watched.half(np.asarray(0.8 * frame * band[:, None, None], np.uint8)).astype(np.float32) + 1)
        for frame, band in ((still, rows[0]), (still, rows[1]), (moved, rows[1]))
    )
    assert changed(before, now).max() < STILL_LEVEL < changed(before, other).max()


def test_dice_that_leave_in_the_dark_are_counted_if_the_others_can_be_read(tray: Tray) -> None:
    dark = Lens(exposure=0.01)
    tray.lay(LAID, 0.5, lens=dark)
    assert settled(tray.lay(LAID[2:], HELD_S + 0.5, lens=dark)).rolled == 2


def test_a_lamp_that_shines_on_a_die_does_not_roll_it(tray: Tray) -> None:
    tray.settle.expect_roll()
    shone = (Lamp(LAID[0].x_mm, LAID[0].y_mm, 9.0, gain=2.0),)
    tray.lay([LAID[0], *LAID[2:]], 0.6, glare=shone)
    events = tray.lay([LAID[0], SHAKEN[1], *LAID[2:]], 0.6, glare=shone)
    assert settled(events).rolled == 1


def test_a_hand_that_hides_dice_from_a_camera_above_lifts_none(tray: Tray) -> None:
    assert "disturbed" not in kinds(tray.lay(LAID[:2], 1.0))
    events = tray.lay(LAID, 0.5)
    assert settled(events).rolled == 0
    assert "disturbed" not in kinds(events)


def test_who_knows_how_many_dice_lay_there_reads_them_among_other_things(tray: Tray) -> None:
    """Without a number things that may be dice make a reading unsure; the number that lay there before settles it."""

    class Doubtful(Tray):
        def read(self, frame: Frame, expect: int | None = None) -> Reading:
            found = super().read(frame, expect)
            return found if expect == 5 or self.now < 1 else Reading.unsure(["unknown-face"], found.dice)

    doubtful = Doubtful()
    doubtful.lay(LAID, 1.0)
    assert read(settled(doubtful.lay(SHAKEN, 1.0))).status == "read"


@pytest.mark.parametrize(("usual", "status"), [(0, "unsure"), (4, "unsure"), (5, "read")])
def test_a_first_rest_that_is_unsure_is_read_for_the_usual_number(usual: int, status: str) -> None:
    class Doubtful(Tray):
        def read(self, frame: Frame, expect: int | None = None) -> Reading:
            found = super().read(frame, expect)
            return found if expect == len(found.dice) else Reading.unsure(["unknown-face"], found.dice)

    doubtful = Doubtful()
    doubtful.settle = Settle(doubtful, usual=usual)
    assert read(settled(doubtful.lay(LAID, 1.0))).status == status


class Script:
    """A reader that says one thing after the other, and the last one for ever."""

    def __init__(self, *readings: Reading) -> None:
        self.left = list(readings)

    def read(self, frame: Frame, expect: int | None = None) -> Reading:
        return self.left.pop(0) if len(self.left) > 1 else self.left[0]


def says(*faces: str, off: float = 0.0) -> Reading:
    dice = tuple(
        DieReading(face, 1.0, (60.0 + 50 * k + off, 100.0), "flat", face, 25.0) for k, face in enumerate(faces)
    )
    return Reading("read", faces, (), dice)


def rest(script: Script, seconds: float = 1.0, step: float = STEP_S) -> list[Event]:
    """Return what is told of a picture in which nothing moves."""
    settle, frame = Settle(script), np.full((216, 384, 3), 90, np.uint8)
    return [event for k in range(round(seconds / step)) for event in settle.feed(frame, k * step)]


def test_two_readings_of_a_rest_must_agree() -> None:
    told = settled(rest(Script(says("K", "9"), says("K", "Q"), says("K", "Q"))))
    assert told.reading == says("K", "Q")
    assert told.t == pytest.approx(0.2)


def test_readings_agree_only_if_the_dice_lie_in_the_same_places() -> None:
    assert agreed([says("K", "9"), says("K", "9", off=2.0)]) == says("K", "9", off=2.0)
    assert agreed([says("K", "9"), says("K", "9", off=9.0)]) is None


def test_readings_that_never_agree_are_told_as_dice_that_move() -> None:
    told = settled(rest(Script(*(says("K", face) for face in "9JQA9JQA"))))
    assert read(told).reasons == ("moving",)


def test_readings_in_quick_succession_are_not_two_looks() -> None:
    assert settled(rest(Script(says("K")), step=0.01)).t >= 0.09


def test_one_unsure_reading_in_a_rest_does_no_harm() -> None:
    assert settled(rest(Script(says("K"), Reading.unsure(["glare"]), says("K")))).reading == says("K")


@pytest.mark.parametrize("shape", [(0, 4, 3), (7,), (4, 4, 2), (2, 2, 3, 1)])
def test_arrays_that_are_no_picture_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(BadPicture):
        Settle(Script(says("K"))).feed(np.zeros(shape, np.uint8), 0.0)


DEPTHS = (np.uint8, np.uint16, np.int64, np.float32, np.float64, np.bool_)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.lists(st.integers(0, 60), min_size=1, max_size=4), st.sampled_from(DEPTHS)), max_size=5))
@example([([30, 40, 3], np.uint8), ([30, 40], np.float64), ([9, 9, 4], np.uint8), ([1, 1, 3], np.bool_)])
def test_frames_of_any_shape_and_depth_are_followed_or_refused(frames: list[tuple[list[int], type]]) -> None:
    """A camera that changes its mode or a film with a broken frame ends nothing."""
    settle = Settle(Script(says("K", "9"), Reading.unsure(["no-dice"]), says("K", "9")))
    rng = np.random.default_rng(8)
    for step, (shape, depth) in enumerate(frames):
        frame: Any = (rng.standard_normal([*shape[:2], *(side % 5 for side in shape[2:])]) * 300).astype(depth)
        try:
            settle.feed(frame, step / 10)
        except BadPicture:
            assert frame.size == 0 or frame.ndim not in (2, 3) or frame.shape[-1] not in (1, 3, 4)
