"""The Pi's camera: what is asked of picamera2, what is believed of its frames, and what its troubles mean.

The library is played by a recording fake here; tests/picamera2_bed runs the same class with the real one.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from device.camera import FULL_FIELD, SETTLE_FRAMES, PiCamera, Settings, holders, picamera2, to_bgr, trouble_of
from device.sources import CameraTrouble, SourceBusy, SourceHung, SourceLost, SourceTimeout

SIZE = (64, 36)
KEPT = {"ExposureTime": 5000, "AnalogueGain": 1.5, "ColourGains": (2.0, 1.8), "LensPosition": 6.0}


class FakeRequest:
    """One frame of the fake camera; remembers that it was given back."""

    def __init__(self, metadata: dict[str, Any], array: np.ndarray[Any, Any]) -> None:
        self.metadata, self.array, self.released = metadata, array, False

    def get_metadata(self) -> dict[str, Any]:
        return self.metadata

    def make_array(self, name: str) -> np.ndarray[Any, Any]:
        assert name == "main"
        return self.array

    def release(self) -> None:
        self.released = True


class FakePicamera2:
    """Plays picamera2's camera class: serves `frames` (metadata each), then stalls."""

    connected: ClassVar[bool] = True
    made: ClassVar[list["FakePicamera2"]] = []
    frames: ClassVar[list[dict[str, Any]]] = []
    layout: ClassVar[str] = "RGB888"
    failure: ClassVar[Exception | None] = None
    hangs: ClassVar[threading.Event | None] = None

    def __init__(self, number: int, allocator: object = None) -> None:
        if self.failure is not None:
            raise self.failure
        self.number, self.allocator = number, allocator
        self.camera_controls: dict[str, Any] = dict.fromkeys((*KEPT, "AeEnable", "FrameDurationLimits"))
        self.requests: list[FakeRequest] = []
        self.waits: list[float] = []
        self.started = self.closed = False
        self.asked: dict[str, Any] = {}
        self.libcamera_config = SimpleNamespace(
            at=lambda index: SimpleNamespace(color_space=SimpleNamespace(range="Range.Limited"))
        )
        self.made.append(self)

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return [{"Num": 0}] if cls.connected else []

    def create_video_configuration(self, **asked: Any) -> dict[str, Any]:
        return asked

    def configure(self, asked: dict[str, Any]) -> None:
        self.asked = asked

    def camera_configuration(self) -> dict[str, Any]:
        return {"main": {"format": self.layout, "size": SIZE}}

    def start(self) -> None:
        self.started = True

    def capture_request(self, wait: float) -> FakeRequest:
        self.waits.append(wait)
        if not self.frames:
            raise TimeoutError
        array = np.full((SIZE[1], SIZE[0], 3), 7, np.uint8)
        self.requests.append(FakeRequest(self.frames.pop(0), array))
        return self.requests[-1]

    def close(self) -> None:
        if self.hangs is not None:
            self.hangs.wait(30)
        self.closed = True


@pytest.fixture
def library() -> type[FakePicamera2]:
    class Library(FakePicamera2):
        made: ClassVar[list[FakePicamera2]] = []
        frames: ClassVar[list[dict[str, Any]]] = [KEPT | {"SensorTimestamp": 12_500_000_000}]

    return Library


def camera(library: type[FakePicamera2], **options: Any) -> PiCamera:
    return PiCamera(size=SIZE, library=lambda: library, **options)


def test_settings_are_given_before_the_start_in_the_mode_that_sees_everything(library: type[FakePicamera2]) -> None:
    camera(library).open()
    asked = library.made[0].asked
    assert asked["sensor"]["output_size"] == FULL_FIELD
    assert asked["controls"]["ExposureTime"] == 5000
    assert asked["controls"]["LensPosition"] == 6.0
    assert asked["controls"]["AeEnable"] is False
    assert library.made[0].started


def test_controls_that_the_camera_does_not_have_are_left_out(library: type[FakePicamera2]) -> None:
    camera(library).open()
    assert "AwbEnable" not in library.made[0].asked["controls"]


def test_a_camera_without_focus_is_not_asked_to_focus() -> None:
    assert not {"LensPosition", "AfMode"} & set(Settings(lens=None).controls())


def test_pixels_metadata_and_moment_come_from_one_request_and_it_is_given_back(library: type[FakePicamera2]) -> None:
    source = camera(library)
    source.open()
    frame = source.read(1.0)
    assert frame.t == 12.5
    assert frame.metadata["ExposureTime"] == 5000
    assert frame.pixels.shape == (36, 64, 3)
    assert library.made[0].requests[0].released


def test_frames_taken_before_the_settings_held_are_dropped(library: type[FakePicamera2]) -> None:
    library.frames[:0] = [KEPT | {"ExposureTime": 20_000}, KEPT | {"LensPosition": 1.0}]
    source = camera(library)
    source.open()
    assert source.read(1.0).metadata["SensorTimestamp"] == 12_500_000_000
    assert all(request.released for request in library.made[0].requests)


def test_a_line_more_or_less_of_exposure_is_the_same_exposure(library: type[FakePicamera2]) -> None:
    library.frames[:] = [KEPT | {"ExposureTime": 4978}]
    source = camera(library)
    source.open()
    assert source.read(1.0).metadata["ExposureTime"] == 4978


def test_a_camera_that_never_takes_the_settings_says_which(library: type[FakePicamera2]) -> None:
    library.frames[:] = [KEPT | {"AnalogueGain": 8.0}] * SETTLE_FRAMES
    source = camera(library)
    source.open()
    with pytest.raises(CameraTrouble, match=r"AnalogueGain asked 1\.5, got 8\.0"):
        source.read(1.0)


def test_a_camera_that_sends_nothing_times_out_instead_of_waiting_for_ever(library: type[FakePicamera2]) -> None:
    library.frames.clear()
    source = camera(library)
    source.open()
    with pytest.raises(SourceTimeout, match="check its cable"):
        source.read(60.0)
    assert library.made[0].waits == [1.5]


def test_no_camera_at_all_is_lost(library: type[FakePicamera2]) -> None:
    library.connected = False
    with pytest.raises(SourceLost, match="ribbon cable"):
        camera(library).open()


def test_a_busy_camera_is_busy_and_the_next_try_may_work(library: type[FakePicamera2]) -> None:
    library.failure = RuntimeError("Camera __init__ sequence did not complete.")
    library.failure.__cause__ = RuntimeError("failed to acquire camera: Device or resource busy")
    source = camera(library)
    with pytest.raises(SourceBusy, match="takes it by itself"):
        source.open()
    library.failure = None
    source.open()
    assert source.read(1.0).pixels.any()


def test_pixels_in_a_layout_that_nobody_can_read_are_refused_and_the_camera_let_go(
    library: type[FakePicamera2],
) -> None:
    library.layout = "YUYV"
    with pytest.raises(CameraTrouble, match="YUYV"):
        camera(library).open()
    assert library.made[0].closed


def test_a_driver_that_hangs_is_left_behind_and_named(
    library: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.camera.CLOSE_S", 0.01)
    library.hangs = threading.Event()
    source = camera(library)
    source.open()
    source.close()
    with pytest.raises(SourceHung, match="driver hangs"):
        source.open()
    library.hangs.set()


def test_an_allocator_is_made_anew_for_each_opening(library: type[FakePicamera2]) -> None:
    source = camera(library, allocator=object)
    source.open()
    source.open()
    first, second = (made.allocator for made in library.made)
    assert first is not None
    assert first is not second


def test_without_the_library_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "picamera2", None)
    with pytest.raises(SourceLost, match="apt install python3-picamera2"):
        picamera2()


def test_other_errors_are_told_as_a_lost_camera() -> None:
    trouble = trouble_of(RuntimeError("Camera frontend has timed out"))
    assert isinstance(trouble, SourceLost)
    assert "frontend has timed out" in str(trouble)


def padded(plane: np.ndarray[Any, Any], width: int) -> np.ndarray[Any, Any]:
    return np.pad(plane, ((0, 0), (0, width - plane.shape[1])))


def planar(bgr: np.ndarray[Any, Any], stride: int) -> np.ndarray[Any, Any]:
    """YUV420 with padded rows, as the Pi's camera writes it."""
    height, width = bgr.shape[:2]
    yuv = cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420)
    luma = padded(yuv[:height], stride)
    chroma = yuv[height:].reshape(-1, width // 2)
    return np.vstack([luma, padded(chroma, stride // 2).reshape(-1, stride)])


def woven(bgr: np.ndarray[Any, Any], stride: int) -> np.ndarray[Any, Any]:
    """NV12 with padded rows."""
    height, width = bgr.shape[:2]
    yuv = cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420)
    u, v = yuv[height:].reshape(2, height // 2, width // 2)
    return np.vstack([padded(yuv[:height], stride), padded(np.stack([u, v], 2).reshape(height // 2, width), stride)])


LAYOUTS: dict[str, Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]] = {
    "RGB888": lambda bgr: bgr,
    "BGR888": lambda bgr: bgr[:, :, ::-1],
    "XRGB8888": lambda bgr: np.dstack([bgr, np.full(bgr.shape[:2], 255, np.uint8)]),
    "XBGR8888": lambda bgr: np.dstack([bgr[:, :, ::-1], np.full(bgr.shape[:2], 255, np.uint8)]),
    "YUV420": lambda bgr: planar(bgr, 96),
    "NV12": lambda bgr: woven(bgr, 96),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_becomes_blue_green_red_without_padding(layout: str) -> None:
    bgr = np.zeros((36, 64, 3), np.uint8)
    bgr[:18], bgr[18:] = (200, 40, 20), (30, 60, 220)
    seen = to_bgr(LAYOUTS[layout](bgr), layout, (64, 36))
    assert seen.shape == bgr.shape
    assert int(np.abs(seen.astype(int) - bgr).max()) <= 4


def test_whoever_holds_the_camera_is_named(tmp_path: Path) -> None:
    for number, name, device in ((12, "rpicam-hello", "/dev/media0"), (13, "bash", "/dev/null")):
        fds = tmp_path / str(number) / "fd"
        fds.mkdir(parents=True)
        (fds / "3").symlink_to(device)
        (tmp_path / str(number) / "comm").write_text(name + "\n")
    assert holders(tmp_path) == ["rpicam-hello (process 12)"]
