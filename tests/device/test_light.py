"""The light under the glass burns while frames are wanted, and no frame taken in the dark is given out."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest

from device.console import mock_pins
from device.fitting import fit_light
from device.light import DARK_FRAMES, PI_5, Light, LitSource, kernel_channel, open_lamp
from device.pins import Lamp as Wiring
from device.pins import load_pins
from device.sources import Frame, SourceLost


class RecordingLamp:
    """A lamp that remembers what was done to it."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.dark = threading.Event()

    def on(self) -> None:
        self.done.append("on")
        self.dark.clear()

    def off(self) -> None:
        self.done.append("off")
        self.dark.set()

    def close(self) -> None:
        self.done.append("close")


class Shots:
    """A camera whose frames were taken at the moments that a test says."""

    name = "shots"

    def __init__(self, *moments: float) -> None:
        self.moments = list(moments)
        self.opened = self.closed = 0

    def open(self) -> None:
        self.opened += 1

    def read(self, timeout: float) -> Frame:
        if not self.moments:
            raise SourceLost("The cable is out.")
        return Frame(np.zeros((2, 2, 3), np.uint8), self.moments.pop(0), {"ExposureTime": 10_000})

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def lamp() -> RecordingLamp:
    return RecordingLamp()


def test_a_frame_that_was_exposed_before_the_light_was_on_is_left_out(lamp: RecordingLamp) -> None:
    source = LitSource(Shots(4.99, 5.005, 5.02, 5.04), Light(lamp, clock=lambda: 5.0, linger=60))
    source.open()
    assert source.read(1.0).t == 5.02
    source.close()


def test_the_light_stays_on_between_frames_that_follow_each_other(lamp: RecordingLamp) -> None:
    source = LitSource(Shots(6, 7, 8), Light(lamp, clock=lambda: 5.0, linger=60))
    for _ in range(3):
        source.read(1.0)
    assert lamp.done == ["on"]
    source.close()
    assert lamp.done == ["on", "off"]


def test_the_light_goes_out_by_itself_when_no_frame_is_wanted_any_more(lamp: RecordingLamp) -> None:
    source = LitSource(Shots(6), Light(lamp, clock=lambda: 5.0, linger=0.001))
    source.read(1.0)
    assert lamp.dark.wait(30)


def test_a_lost_camera_leaves_no_light_on(lamp: RecordingLamp) -> None:
    source = LitSource(Shots(), Light(lamp))
    with pytest.raises(SourceLost):
        source.read(1.0)
    assert lamp.done == ["on", "off"]


def test_a_camera_whose_clock_is_another_one_is_not_waited_for_for_ever(lamp: RecordingLamp) -> None:
    source = LitSource(Shots(*range(20)), Light(lamp, clock=lambda: 1000.0, linger=60))
    assert source.read(1.0).t == DARK_FRAMES
    source.close()


def test_closing_the_light_puts_it_out_and_lets_its_pin_go(lamp: RecordingLamp) -> None:
    light = Light(lamp)
    light.want()
    light.close()
    assert lamp.done == ["on", "off", "close"]


def kernel(folder: Path, device: str, *numbers: int, chip: int = 0) -> Path:
    """Make what the kernel shows of a PWM chip whose channels `numbers` were exported; return the last channel."""
    place = folder / "pwm" / f"pwmchip{chip}"
    (folder / device).mkdir()
    for number in numbers:
        channel = place / f"pwm{number}"
        channel.mkdir(parents=True)
        for name in ("period", "duty_cycle", "enable"):
            (channel / name).write_text("0")
    (place / "device").symlink_to(folder / device)
    return channel


@pytest.mark.parametrize(
    ("device", "gpio", "number"),
    [(PI_5, 18, 2), (PI_5, 13, 1), ("fe20c000.pwm", 18, 0), ("fe20c000.pwm", 19, 1), ("3f20c000.pwm", 12, 0)],
)
def test_a_pin_has_its_own_channel_on_a_pi_5_and_shares_one_on_older_pis(
    tmp_path: Path, device: str, gpio: int, number: int
) -> None:
    channel = kernel(tmp_path, device, number)
    assert kernel_channel(gpio, tmp_path / "pwm") == channel


def test_the_chip_that_turns_a_pi_5s_fan_is_never_taken_for_the_lights(tmp_path: Path) -> None:
    fan = "1f0009c000.pwm"
    kernel(tmp_path, fan, 0, 1, 2, 3)
    assert kernel_channel(18, tmp_path / "pwm") is None
    light = kernel(tmp_path, PI_5, 2, chip=6)
    assert kernel_channel(18, tmp_path / "pwm") == light


def test_a_channel_whose_files_udev_has_not_given_away_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = kernel(tmp_path, PI_5, 2)
    (channel / "enable").unlink()
    asked: list[float] = []

    def give(seconds: float) -> None:
        asked.append(seconds)
        (channel / "enable").write_text("0")

    monkeypatch.setattr(time, "sleep", give)
    assert kernel_channel(18, tmp_path / "pwm") == channel
    assert len(asked) == 1


def test_the_lamp_is_dimmed_by_the_kernel_where_it_can(tmp_path: Path) -> None:
    channel = kernel(tmp_path, PI_5, 2)
    lamp = open_lamp(Wiring(18, 25_000, 25), lambda gpio: RecordingLamp(), pwm=tmp_path / "pwm")
    lamp.on()
    assert [(channel / name).read_text() for name in ("period", "duty_cycle", "enable")] == ["40000", "10000", "1"]
    lamp.close()
    assert (channel / "enable").read_text() == "0"
    assert (channel.parent / "unexport").read_text() == "2"


def test_without_the_kernels_pwm_the_lamp_is_only_switched(tmp_path: Path) -> None:
    asked: list[int] = []

    def switched(gpio: int) -> RecordingLamp:
        asked.append(gpio)
        return RecordingLamp()

    assert isinstance(open_lamp(Wiring(18, 25_000), switched, pwm=tmp_path), RecordingLamp)
    assert asked == [18]


def model(folder: Path, name: str) -> Path:
    path = folder / "model"
    path.write_text(name)
    return path


def test_a_camera_on_a_pi_gets_the_light_on_its_pin(tmp_path: Path) -> None:
    factory, shots = mock_pins(), Shots(1e9)
    source = fit_light(shots, tmp_path, model=model(tmp_path, "Raspberry Pi 5 Model B Rev 1.0"), factory=factory)
    source.read(1.0)
    assert factory.pin(load_pins().light.gpio).state == 1
    source.close()
    assert factory.pin(load_pins().light.gpio).state == 0


def test_a_camera_elsewhere_and_one_whose_pins_have_a_mistake_do_without(tmp_path: Path) -> None:
    shots = Shots()
    assert fit_light(shots, tmp_path, model=model(tmp_path, "some laptop")) is shots
    (tmp_path / "pins.toml").write_text("light = 99")
    assert fit_light(shots, tmp_path, model=model(tmp_path, "Raspberry Pi 4 Model B")) is shots
