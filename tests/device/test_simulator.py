"""The simulated tray behaves like a real one: dice fall apart, the cup hides them, the camera sees what lies there."""

import itertools
import random
from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.simulator import ACTIONS, Simulator, State
from device.simulator_hands import Hands
from device.simulator_world import CUP, CUP_RADIUS, Chance, Lie, Seen, apart
from device.sources import Pixels, SourceLost, SourceTimeout
from vision.synth import Camera, classic

FACES = ("9", "10", "J", "Q", "K", "A")
SMALL = Camera(width=320, height=180)
DONE = 100.0  # s: long after anything that a hand began


class Clock:
    """A clock that moves only when somebody waits."""

    def __init__(self) -> None:
        self.now = 10.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


def hands(seed: int = 1, **odds: float) -> Hands:
    return Hands(Chance(FACES, rng=random.Random(seed), **odds))


def faces(tray: Hands, t: float = DONE) -> list[str]:
    return [die.lie.face for die in tray.at(t)]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tray(clock: Clock) -> Simulator:
    die_set = classic()
    chance = Chance(die_set.symbols, rng=random.Random(3))
    return Simulator(chance, die_set=die_set, camera=SMALL, clock=clock, wait=clock.wait)


def squares_meet(a: Lie, b: Lie, edge: float = 16.0) -> bool:
    one, other = (((die.x, die.y), (edge, edge), die.yaw) for die in (a, b))
    kind, _ = cv2.rotatedRectangleIntersection(one, other)
    return bool(kind != cv2.INTERSECT_NONE)


@given(st.integers(0, 10_000), st.lists(st.sampled_from(["shake", "nudge", "keep", "roll", "gather"]), max_size=6))
@settings(max_examples=40, deadline=None)
def test_dice_at_rest_never_overlap_and_stay_on_the_tray(seed: int, actions: list[str]) -> None:
    tray, t = hands(seed), 0.0
    tray.do("cup_down", {}, t)
    for action in actions:
        tray.do(action, {"dice": [seed % 5, (seed + 2) % 5]}, t)
        t = tray.free_at()
    dice = [die.lie for die in tray.at(DONE)]
    assert len(dice) == 5
    assert not any(squares_meet(a, b) for a, b in itertools.combinations(dice, 2))
    assert all(abs(die.x) < 98 and abs(die.y) < 54 for die in dice)


def test_rolled_dice_lie_inside_the_cup() -> None:
    for seed in range(40):
        for die in hands(seed).at(DONE):
            corners = cv2.boxPoints(((die.lie.x, die.lie.y), (16, 16), die.lie.yaw))
            assert np.hypot(*(corners - CUP).T).max() < CUP_RADIUS


def test_a_rolled_die_shows_every_face_equally_often() -> None:
    tray = Chance(FACES, rng=random.Random(7))
    count = Counter(tray.land([0], [])[0].face for _ in range(3000))
    assert set(count) == set(FACES)
    assert all(420 < n < 580 for n in count.values())


def test_dice_touch_now_and_then_and_never_when_told_not_to() -> None:
    def closest(touching: float) -> float:
        gaps = []
        for seed in range(30):
            dice = [die.lie for die in hands(seed, touching=touching).at(DONE)]
            gaps += [not apart(a, b, 16.0, 0.6) for a, b in itertools.combinations(dice, 2)]
        return sum(gaps)

    assert closest(1.0) > 0
    assert closest(0.0) == 0


def test_a_die_leans_now_and_then_if_asked() -> None:
    assert any(die.lie.tilt > 20 for seed in range(10) for die in hands(seed, cocked=0.3).at(DONE))
    assert not any(die.lie.tilt for seed in range(10) for die in hands(seed).at(DONE))


def test_only_the_chosen_dice_leave_the_glass_and_get_new_faces() -> None:
    tray = hands()
    before = {die.number: die.lie for die in tray.at(DONE)}
    tray.do("roll", {"dice": [1, 3]}, DONE)
    away = {die.number for die in tray.at(DONE + 1)}
    after = {die.number: die.lie for die in tray.at(2 * DONE)}
    assert away == {0, 2, 4}
    assert {number for number in before if before[number] != after[number]} == {1, 3}


def test_the_cup_is_lifted_for_a_roll_and_comes_down_again() -> None:
    tray = hands()
    tray.do("cup_down", {}, 0)
    tray.do("shake", {}, DONE)
    assert tray.at(DONE + 1) == ()
    assert tray.cup.height(DONE + 1) > 100
    assert tray.cup.height(2 * DONE) == 0


def test_tumbling_dice_smear_and_calm_down() -> None:
    tray = hands()
    tray.do("gather", {}, DONE)
    speeds = [max(float(np.hypot(*die.speed)) for die in tray.at(DONE + t)) for t in (1.5, 1.9, 2.2)]
    assert speeds == sorted(speeds, reverse=True)
    assert speeds[0] > 100
    assert all(die.rests and die.speed == (0.0, 0.0) for die in tray.at(DONE + 3))


def test_kept_dice_slide_out_of_the_cup_with_their_faces() -> None:
    tray = hands()
    before = faces(tray)
    tray.do("cup_down", {}, 0)
    tray.do("keep", {"dice": [0, 4]}, DONE)
    assert faces(tray, 2 * DONE) == before
    outside = [die.number for die in tray.at(2 * DONE) if np.hypot(die.lie.x - CUP[0], die.lie.y - CUP[1]) > CUP_RADIUS]
    assert outside == [0, 4]
    assert tray.cup.down


def test_a_nudge_makes_leaning_dice_fall_flat() -> None:
    tray = hands()
    before = faces(tray)
    tray.do("lean", {"die": 2}, 0)
    assert tray.at(DONE)[2].lie.tilt > 20
    tray.do("nudge", {}, DONE)
    assert [die.lie.tilt for die in tray.at(2 * DONE)] == [0] * 5
    assert faces(tray, 2 * DONE) == before


def test_a_flipped_die_shows_another_face_without_leaving_the_glass() -> None:
    tray = hands()
    before = faces(tray)
    tray.do("flip", {"die": 1}, DONE)
    seen = [len(tray.at(DONE + k / 10)) for k in range(20)]
    assert set(seen) == {5}
    assert [a != b for a, b in zip(before, faces(tray, 2 * DONE), strict=True)] == [False, True, False, False, False]


def test_spilt_dice_are_gone_until_they_are_gathered() -> None:
    tray = hands()
    tray.do("spill", {}, DONE)
    assert tray.at(2 * DONE) == ()
    tray.do("gather", {}, 2 * DONE)
    assert len(tray.at(3 * DONE)) == 5


def test_a_single_die_can_be_left_for_the_starting_roll() -> None:
    tray = hands()
    tray.do("only", {"count": 1}, DONE)
    assert [die.number for die in tray.at(2 * DONE)] == [0]


def test_actions_wait_for_one_another() -> None:
    tray = hands()
    tray.do("cup_down", {}, DONE)
    tray.do("shake", {}, DONE)
    tray.do("cup_up", {}, DONE)
    assert tray.cup.height(DONE + 0.35) == 0
    assert tray.cup.height(2 * DONE) > 100


@pytest.mark.parametrize(
    ("action", "fields", "sentence"),
    [
        ("cup_up", {}, "already lifted"),
        ("shake", {}, "put it down first"),
        ("roll", {}, "which dice"),
        ("roll", {"dice": [7]}, "which dice"),
        ("keep", {"dice": "all"}, "which dice"),
        ("lean", {"die": 9}, "which die"),
        ("only", {"count": 0}, "how many"),
        ("press", {"button": "accept"}, "No console"),
        ("juggle", {}, "no action"),
    ],
)
def test_what_hands_cannot_do_is_said_in_a_sentence(
    tray: Simulator, action: str, fields: dict[str, object], sentence: str
) -> None:
    answer = tray.act(action, fields)
    assert answer is not None
    assert sentence in answer
    assert answer.endswith(".")


def test_a_die_under_the_cup_cannot_be_flipped(tray: Simulator, clock: Clock) -> None:
    assert tray.act("cup_down", {}) is None
    assert tray.act("flip", {"die": 0}) == "That die lies under the cup: lift the cup first."


def test_the_cup_hides_faces_and_places_except_from_one_who_peeks(tray: Simulator, clock: Clock) -> None:
    tray.act("keep", {"dice": [1]})
    tray.act("cup_down", {})
    clock.wait(5)
    hidden, peeked = tray.look(peek=False), tray.look(peek=True)
    assert [die["face"] is None for die in hidden["dice"]] == [True, False, True, True, True]
    assert {die["x"] for die in hidden["dice"] if die["where"] == "cup"} == {None}
    assert all(die["face"] in FACES for die in peeked["dice"])


def test_dice_are_in_the_cup_only_while_it_stands_over_them(tray: Simulator, clock: Clock) -> None:
    assert {die["where"] for die in tray.look(peek=False)["dice"]} == {"open"}
    tray.act("cup_down", {})
    clock.wait(5)
    assert {die["where"] for die in tray.look(peek=True)["dice"]} == {"cup"}


def test_a_picture_from_above_shows_nothing_of_the_dice_under_the_cup(clock: Clock) -> None:
    pictures = []
    for seed in (1, 2):
        chance = Chance(FACES, rng=random.Random(seed))
        tray = Simulator(chance, camera=SMALL, clock=clock, wait=clock.wait)
        tray.act("cup_down", {})
        clock.wait(5)
        pictures.append(tray.picture(below=False))
    assert pictures[0] == pictures[1]


def test_moving_dice_have_no_face_for_a_person(tray: Simulator, clock: Clock) -> None:
    tray.act("gather", {})
    clock.wait(1.8)
    assert {die["face"] for die in tray.look(peek=True)["dice"]} == {None}
    assert tray.look(peek=False)["moving"]


def test_a_person_above_sees_left_what_the_camera_sees_right(tray: Simulator) -> None:
    assert tray.look(peek=False)["cup"]["x"] < 0.5 < CUP[0]


def test_pulling_the_cable_loses_the_camera_until_it_is_plugged_again(tray: Simulator) -> None:
    tray.open()
    tray.act("unplug", {})
    with pytest.raises(SourceLost, match="cable"):
        tray.read(1)
    with pytest.raises(SourceLost):
        tray.open()
    tray.act("plug", {})
    tray.open()
    assert tray.read(1).pixels.shape == (180, 320, 3)


def test_a_covered_lens_sees_black(tray: Simulator) -> None:
    seen = tray.read(1).pixels.max()
    tray.act("cover", {"on": True})
    covered = tray.read(1).pixels.max()
    tray.act("cover", {"on": False})
    assert covered < 60 < 150 < seen
    assert tray.read(1).pixels.max() > 150


def test_a_frame_that_is_not_due_in_time_is_a_timeout(tray: Simulator) -> None:
    tray.read(1)
    with pytest.raises(SourceTimeout):
        tray.read(0.001)


def test_a_tray_at_rest_is_drawn_a_few_times_only_and_its_noise_differs(
    tray: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[object] = []
    real = Simulator._render

    def render(self: Simulator, state: State) -> Pixels:
        drawn.append(state)
        return real(self, state)

    monkeypatch.setattr(Simulator, "_render", render)
    frames: Sequence[bytes] = [tray.read(1).pixels.tobytes() for _ in range(12)]
    assert len(drawn) == 4
    assert len(set(frames)) == 4
    assert frames[-1] != frames[-2]


def test_a_slow_eye_misses_nothing_because_the_world_waits_for_it(tray: Simulator, clock: Clock) -> None:
    tray.read(1)
    tray.act("gather", {})
    away = []
    for _ in range(12):
        clock.wait(1.0)
        tray.read(1)
        away.append(all(die["where"] == "away" for die in tray.look(peek=True)["dice"]))
    assert any(away)
    assert not away[-1]


def test_the_world_goes_on_when_nobody_reads_the_camera(tray: Simulator, clock: Clock) -> None:
    tray.read(1)
    tray.act("gather", {})
    clock.wait(10)
    assert not tray.look(peek=True)["moving"]


def test_frames_are_never_older_than_the_one_before(tray: Simulator, clock: Clock) -> None:
    moments = []
    for pause in (0.0, 0.1, 1.0, 1.9, 5.0, 0.0, 0.3, 30.0, 0.2):
        clock.wait(pause)
        moments.append(tray.read(1).t)
    assert moments == sorted(moments)


def test_pip_dice_lie_where_the_poker_dice_lay_and_are_drawn_as_such(tray: Simulator, clock: Clock) -> None:
    before, picture = tray.look(peek=True), tray.read(1).pixels
    tray.use_pips(True)
    after = tray.look(peek=True)
    assert [(die["x"], die["y"]) for die in after["dice"][:5]] == [(die["x"], die["y"]) for die in before["dice"]]
    assert {die["face"] for die in after["dice"][:5]} <= set("123456")
    assert after["dice"][5]["where"] == "away"  # the sixth, which one cup does not need
    assert (tray.read(1).pixels != picture).any()
    tray.act("only", {"count": 2})
    clock.wait(10)
    assert len([die for die in tray.look(peek=True)["dice"] if die["face"] in set("123456")]) == 2


def test_dice_are_exchanged_even_while_they_roll_or_are_away(tray: Simulator, clock: Clock) -> None:
    tray.act("only", {"count": 1})
    clock.wait(0.5)
    tray.use_pips(True)
    assert tray.read(1).pixels.shape == (180, 320, 3)
    where = [die["where"] for die in tray.look(peek=True)["dice"]]
    assert (where.count("open"), where.count("away")) == (1, 5)
    tray.use_pips(False)
    assert [die["where"] for die in tray.look(peek=True)["dice"]].count("away") == 4
    assert tray.read(1).pixels.shape == (180, 320, 3)


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_six_pip_dice_fit_under_the_cup_and_beside_it(seed: int) -> None:
    tray = hands(seed)
    tray.exchange(Chance(tuple("123456"), rng=random.Random(seed)), 6)
    tray.do("gather", {}, 0.0)
    tray.do("keep", {"dice": list(range(6))}, DONE / 2)
    dice = [die.lie for die in tray.at(DONE)]
    assert len(dice) == 6
    assert not any(squares_meet(a, b) for a, b in itertools.combinations(dice, 2))


def test_every_action_is_written_in_the_docs() -> None:
    from device import simulator

    assert simulator.__doc__ is not None
    assert all(f"`{action}`" in simulator.__doc__ for action in ACTIONS)


def test_a_seen_die_rests_unless_told_otherwise() -> None:
    assert Seen(0, Lie(0, 0, 0, "A")).rests
