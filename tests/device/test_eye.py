"""The eye tells what happens on the tray: each test moves the simulated tray and looks at what the eye told."""

import random
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import pytest

from device.eye import (
    CameraBack,
    CameraLost,
    Disturbed,
    Event,
    Eye,
    Lifted,
    Settled,
    TrayStatus,
    status_of,
)
from device.simulator import Simulator
from device.simulator_view import scene_below
from device.simulator_world import Chance
from device.sources import Frame, SourceLost
from vision.reading import DieReading, Reading
from vision.synth import Camera, classic, truth

CAMERA = Camera(width=480, height=270)
Kind = TypeVar("Kind", bound=Event)


class Clock:
    """A clock that moves only when somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


class TruthReader:
    """Reads what truly lies there: the eye is tested here, not the reading of faces."""

    def __init__(self, tray: Simulator, clock: Clock) -> None:
        self.tray, self.clock = tray, clock
        self.looks = 0

    def read(self, frame: np.ndarray[Any, np.dtype[np.uint8]], expect: int | None = None) -> Reading:
        self.looks += 1
        hands = self.tray._hands
        seen = hands.at(self.clock.now)
        scene = scene_below(seen, hands.cup.height(self.clock.now), covered=False)
        labels = truth(scene, CAMERA, self.tray.die_set)
        dice = tuple(
            DieReading(
                label.top if label.state == "flat" else None,
                1.0,
                label.centre_px,
                "flat" if label.state == "flat" else "cocked" if label.state == "cocked" else "unclear",
                label.bottom,
                label.side_px,
                label.yaw_deg,
            )
            for label in labels
        )
        reasons = [reason for reason, holds in self._reasons(dice, expect).items() if holds]
        if reasons:
            return Reading.unsure(reasons, dice)
        return Reading("read", tuple(sorted(die.face or "" for die in dice)), (), dice)

    def _reasons(self, dice: Sequence[DieReading], expect: int | None) -> Mapping[str, bool]:
        return {
            "no-dice": not dice,
            "too-few": 0 < len(dice) < (expect or 0),
            "too-many": len(dice) > (expect or 9),
            "cocked": any(die.state == "cocked" for die in dice),
            "moving": any(die.state == "unclear" for die in dice),
        }


class Table:
    """A tray, an eye over it, and everything that the eye has told."""

    def __init__(self, seed: int = 4) -> None:
        self.clock = Clock()
        die_set = classic()
        chance = Chance(die_set.symbols, rng=random.Random(seed), touching=0.0)
        self.tray = Simulator(chance, die_set=die_set, camera=CAMERA, clock=self.clock, wait=self.clock.wait)
        self.told: list[Event] = []
        self.reader = TruthReader(self.tray, self.clock)
        self.eye = Eye(self.tray, self.reader, self.told.append)
        self.watch(1)

    def watch(self, seconds: float) -> None:
        """Let the eye see every frame of the next seconds."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.eye.step(self.tray.read(1))

    def does(self, action: str, **fields: object) -> list[Event]:
        """Let hands do something, watch until it has come to rest, and return what was told meanwhile."""
        before = len(self.told)
        assert self.tray.act(action, fields) is None
        self.watch(max(0.0, self.tray._hands.free_at() - self.clock.now) + 2.0)
        return self.told[before:]

    def faces(self) -> tuple[str, ...]:
        return tuple(sorted(die["face"] for die in self.tray.look(peek=True)["dice"] if die["face"]))


def only(kind: type[Kind], events: Sequence[Event]) -> list[Kind]:
    return [event for event in events if isinstance(event, kind)]


def states(events: Sequence[Event]) -> list[str]:
    return [status.state for status in only(TrayStatus, events)]


@pytest.fixture
def table() -> Table:
    return Table()


def test_dice_at_rest_are_read_and_photographed_at_the_start(table: Table) -> None:
    (settled,) = only(Settled, table.told)
    assert settled.reading.hand == table.faces()
    assert settled.photograph[:2] == b"\xff\xd8"
    assert settled.expected == 5
    assert states(table.told) == ["settling", "read"]


def test_nobody_knows_how_many_were_rolled_before_the_eye_looked(table: Table) -> None:
    assert only(Settled, table.told)[0].rolled is None


def test_dice_that_are_rolled_onto_a_tray_that_was_empty_at_the_start_were_seen(table: Table) -> None:
    table.does("spill")
    told: list[Event] = []
    table.eye = Eye(table.tray, table.reader, told.append)
    table.watch(3)
    table.does("gather")
    empty, full = only(Settled, told)
    assert (empty.rolled, empty.reading.dice) == (None, ())
    assert (full.rolled, len(full.reading.dice)) == (0, 5)


def test_dice_that_leave_the_glass_are_counted_as_rolled(table: Table) -> None:
    events = table.does("roll", dice=[0, 2])
    assert only(Lifted, events)[-1].count == 2
    settled = only(Settled, events)[-1]
    assert settled.rolled == 2
    assert settled.reading.hand == table.faces()


def test_a_shaken_cup_rolls_all_five(table: Table) -> None:
    table.does("cup_down")
    assert only(Settled, table.does("shake"))[-1].rolled == 5


def test_dice_that_are_taken_one_after_the_other_are_all_counted(table: Table) -> None:
    hands = table.tray._hands
    for number in (0, 3):
        hands.dice[number].add(table.clock.now, 0.2, "taken", None)
        table.watch(3)
    assert only(Settled, table.does("roll", dice=[0, 3]))[-1].rolled == 2


def test_a_die_that_is_rolled_again_because_it_leant_is_counted_once(table: Table) -> None:
    table.tray.act("roll", {"dice": [0, 1]})
    table.does("lean", die=1)
    assert only(Settled, table.does("roll", dice=[1]))[-1].rolled == 2


def test_a_nudge_is_no_roll(table: Table) -> None:
    assert only(Settled, table.does("nudge"))[-1].rolled == 0


def test_dice_in_the_hand_are_no_reason_to_nudge_the_cup(table: Table) -> None:
    assert {status.advice for status in only(TrayStatus, table.does("roll", dice=[1, 2]))} == {None}


def test_moving_dice_are_told_as_moving_and_then_as_read(table: Table) -> None:
    events = table.does("roll", dice=[1])
    assert states(events)[0] == "moving"
    assert states(events)[-1] == "read"


def test_a_leaning_die_makes_the_eye_unsure_and_a_nudge_helps(table: Table) -> None:
    (leaning, *_) = [status for status in only(TrayStatus, table.does("lean", die=3)) if status.state == "unsure"]
    assert leaning.reasons == ("cocked",)
    assert leaning.advice == "A die leans: nudge the cup."
    assert states(table.does("nudge"))[-1] == "read"


def test_a_die_turned_by_fingers_is_a_disturbance_with_both_photographs(table: Table) -> None:
    before = table.faces()
    events = table.does("flip", die=1)
    (disturbed,) = only(Disturbed, events)
    assert disturbed.before.hand == before
    assert disturbed.after.hand == table.faces() != before
    assert disturbed.photograph_before != disturbed.photograph_after
    assert events.index(disturbed) < events.index(only(Settled, events)[0])


def test_a_declared_roll_is_no_disturbance(table: Table) -> None:
    table.eye.expect_roll(1)
    assert only(Disturbed, table.does("flip", die=1)) == []


def test_a_declared_roll_stays_declared_until_it_could_be_read(table: Table) -> None:
    table.eye.expect_roll(5)
    table.does("lean", die=0)
    assert only(Disturbed, table.does("nudge")) == []
    assert len(only(Disturbed, table.does("flip", die=2))) == 1


def test_lifting_the_cup_changes_nothing(table: Table) -> None:
    table.does("cup_down")
    events = table.does("cup_up")
    assert not only(Disturbed, events)
    assert not only(Lifted, events)


def test_spilt_dice_leave_an_empty_tray(table: Table) -> None:
    events = table.does("spill")
    assert only(Lifted, events)[-1].count == 5
    assert only(Settled, events)[-1].reading.reasons == ("no-dice",)


def test_one_die_can_be_expected_for_a_starting_roll(table: Table) -> None:
    table.eye.expect_dice(1)
    settled = only(Settled, table.does("only", count=1))[-1]
    assert settled.expected == 1
    assert settled.reading.hand == table.faces()
    assert len(settled.reading.dice) == 1


def test_a_covered_lens_is_told_with_what_to_do_and_the_dice_are_not_called_lifted(table: Table) -> None:
    events = table.does("cover", on=True)
    (status,) = only(TrayStatus, events)
    assert status.state == "covered"
    assert status.advice is not None
    assert "take away what covers it" in status.advice
    assert only(Lifted, table.does("cover", on=False)) == []


@pytest.mark.parametrize(
    ("reasons", "advice"),
    [
        (("too-few",), "Fewer dice lie flat"),
        (("too-few", "glare"), "A lamp shines on a die"),
        (("too-few", "cocked", "blurred"), "out of focus"),
        (("too-few", "dirty"), "wipe it"),
        (("too-few", "too-dark"), "switch the tray's light on"),
    ],
)
def test_what_is_wrong_with_the_picture_is_told_before_what_is_missing(reasons: tuple[str, ...], advice: str) -> None:
    status = status_of(Reading.unsure(reasons))
    assert status.reasons == reasons
    assert advice in (status.advice or "")


def test_light_that_flickers_is_told_when_the_dice_cannot_be_read_for_it(table: Table) -> None:
    class Unsure(Blind):
        def read(self, frame: np.ndarray[Any, np.dtype[np.uint8]], expect: int | None = None) -> Reading:
            return Reading.unsure(["too-few", "unknown-face"])

    def striped(phase: float) -> Frame:
        rows = 1 + 0.15 * np.sin(2 * np.pi * (3 * np.arange(216) / 216 + phase))
        return Frame(np.asarray(rows[:, None, None] * np.full((216, 384, 3), 120), np.uint8), 0.0)

    for bands in (True, False):
        told: list[Event] = []
        eye = Eye(table.tray, Unsure(), told.append)
        for number in range(8):
            phase = 0.31 * number if bands else 0.0
            eye.step(replace(striped(phase), t=number / 8))
        (unsure,) = [status for status in only(TrayStatus, told) if status.state == "unsure"]
        assert ("flickers" in (unsure.advice or "")) == bands


def test_a_lost_camera_is_told_once_and_so_is_its_return(table: Table) -> None:
    told = len(table.told)
    table.eye.lose("The cable is out.")
    table.eye.lose("The cable is still out.")
    lost = table.told[told:]
    assert lost == [CameraLost("The cable is out."), TrayStatus("no-camera", ("no-camera",), "The cable is out.")]
    table.watch(2)
    assert isinstance(table.told[told + 2], CameraBack)
    assert only(Settled, table.told)[-1].rolled is None


def test_a_tray_at_rest_is_not_read_again_and_again(table: Table) -> None:
    looks = table.reader.looks
    table.watch(10)
    assert table.reader.looks == looks


class Flaky:
    """A camera that cannot be opened twice, serves two frames, is lost, and then serves for good."""

    name = "flaky camera"

    def __init__(self) -> None:
        self.opened = self.closed = self.served = 0
        self.enough = threading.Event()

    def open(self) -> None:
        self.opened += 1
        if self.opened <= 2:
            raise SourceLost("There is no camera.")

    def read(self, timeout: float) -> Frame:
        self.served += 1
        if self.served == 3:
            raise SourceLost("The cable is out.")
        if self.served == 6:
            self.enough.set()
        return Frame(np.full((108, 192, 3), 128, np.uint8), float(self.served))

    def close(self) -> None:
        self.closed += 1


class Blind:
    """A reader that finds nothing."""

    def read(self, frame: np.ndarray[Any, np.dtype[np.uint8]], expect: int | None = None) -> Reading:
        return Reading.unsure(["no-dice"])


def test_the_thread_finds_a_lost_camera_again_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.eye.BACK_OFF_S", (0.0,))
    source, told = Flaky(), list[Event]()
    eye = Eye(source, Blind(), told.append)
    eye.start()
    assert source.enough.wait(30)
    eye.stop()
    assert [event.why for event in only(CameraLost, told)] == ["There is no camera.", "The cable is out."]
    assert len(only(CameraBack, told)) == 2
    assert source.closed == source.opened == 4


def test_a_reader_that_breaks_does_not_end_the_eye(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Breaking(Blind):
        def read(self, frame: np.ndarray[Any, np.dtype[np.uint8]], expect: int | None = None) -> Reading:
            raise ZeroDivisionError("a side of 0 px")

    monkeypatch.setattr("device.eye.BACK_OFF_S", (0.0,))
    source, told, lost = Flaky(), list[Event](), threading.Event()

    def listen(event: Event) -> None:
        told.append(event)
        if isinstance(event, CameraLost) and "a side of 0 px" in event.why:
            lost.set()

    eye = Eye(source, Breaking(), listen)
    eye.start()
    assert lost.wait(30)
    eye.stop()
    assert "the eye stumbled" in caplog.text


def test_stopping_waits_for_a_reading_but_not_for_a_driver_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interpreter that ends while a thread is inside OpenCV is aborted."""
    monkeypatch.setattr("device.eye.READ_S", -1.0)
    inside, go_on = threading.Event(), threading.Event()

    class Hanging(Flaky):
        def open(self) -> None:
            inside.set()
            go_on.wait(30)

    hanging = Eye(Hanging(), Blind(), lambda event: None)
    hanging.start()
    assert inside.wait(30)
    hanging.stop()
    go_on.set()

    done: list[str] = []

    class Slow(Blind):
        def read(self, frame: np.ndarray[Any, np.dtype[np.uint8]], expect: int | None = None) -> Reading:
            reading.set()
            stopping.wait(30)
            done.append("read")
            return super().read(frame, expect)

    reading, stopping, source = threading.Event(), threading.Event(), Flaky()
    source.opened = 2
    monkeypatch.setattr("device.eye.BACK_OFF_S", (0.0,))
    slow = Eye(source, Slow(), lambda event: None)
    slow.start()
    assert reading.wait(30)
    stopper = threading.Thread(target=slow.stop)
    stopper.start()
    stopping.set()
    stopper.join(30)
    assert not stopper.is_alive()
    assert done
