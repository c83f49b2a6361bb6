"""Every source of frames keeps the same promises, whatever is behind it."""

import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.simulator import Simulator
from device.simulator_world import Chance
from device.sources import (
    CameraTrouble,
    FolderSource,
    Frame,
    FrameSource,
    Mailbox,
    Pace,
    SourceEnded,
    SourceLost,
    SourceTimeout,
    VideoSource,
)
from device.webcam import WebcamSource
from vision.synth import Camera, classic

SMALL = Camera(width=320, height=180)


class Clock:
    """A clock that moves only when somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


class FakeCapture:
    """A webcam's driver: serves `frames` pictures, each a little later than the last, then fails for ever."""

    def __init__(self, frames: int = 1_000_000, *, opens: bool = True) -> None:
        self.left, self.opens = frames, opens
        self.released = threading.Event()
        self.settings: dict[int, float] = {}
        self._interval = threading.Event()

    def isOpened(self) -> bool:
        return self.opens

    def read(self) -> tuple[bool, Any]:
        self._interval.wait(0.001)
        self.left -= 1
        return (True, np.zeros((90, 160, 3), np.uint8)) if self.left >= 0 else (False, None)

    def set(self, propId: int, value: float) -> bool:
        self.settings[propId] = value
        return True

    def release(self) -> None:
        self.released.set()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Five small pictures; the green value tells which."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(5):
        cv2.imwrite(str(folder / f"{number}.png"), np.full((90, 160, 3), (0, 40 * number, 255), np.uint8))
    (folder / "notes.txt").write_text("no picture")
    return folder


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """A video of ten frames at ten frames a second."""
    path = tmp_path / "tray.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (160, 90))
    for number in range(10):
        writer.write(np.full((90, 160, 3), (0, 20 * number, 255), np.uint8))
    writer.release()
    return path


def simulated(clock: Clock) -> Simulator:
    die_set = classic()
    chance = Chance(die_set.symbols, rng=random.Random(5))
    return Simulator(chance, die_set=die_set, camera=SMALL, clock=clock, wait=clock.wait)


@pytest.fixture(params=["folder", "live folder", "video", "live video", "webcam", "simulator"])
def source(request: pytest.FixtureRequest, pictures: Path, video: Path, clock: Clock) -> Iterator[FrameSource]:
    makers: dict[str, Callable[[], FrameSource]] = {
        "folder": lambda: FolderSource(pictures),
        "live folder": lambda: FolderSource(pictures, pace=Pace(10, clock, clock.wait)),
        "video": lambda: VideoSource(video),
        "live video": lambda: VideoSource(video, pace=Pace(10, clock, clock.wait)),
        "webcam": lambda: WebcamSource(opener=lambda device: FakeCapture()),
        "simulator": lambda: simulated(clock),
    }
    source = makers[request.param]()
    yield source
    source.close()


def test_a_source_serves_colour_frames_with_rising_moments(source: FrameSource) -> None:
    source.open()
    first, second = source.read(2.0), source.read(2.0)
    for frame in (first, second):
        assert frame.pixels.dtype == np.uint8
        assert frame.pixels.ndim == 3
        assert frame.pixels.shape[2] == 3
    assert second.t > first.t


def test_a_source_has_a_name_for_people(source: FrameSource) -> None:
    assert source.name


def test_a_source_can_be_opened_again_after_it_was_closed(source: FrameSource) -> None:
    source.open()
    source.read(2.0)
    source.close()
    source.close()
    source.open()
    assert source.read(2.0).pixels.size


def test_a_folder_serves_its_pictures_in_order_and_then_says_that_it_ended(pictures: Path) -> None:
    source = FolderSource(pictures, fps=10)
    source.open()
    frames = [source.read(0) for _ in range(5)]
    assert [frame.metadata["file"] for frame in frames] == [f"{n}.png" for n in range(5)]
    assert [frame.t for frame in frames] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    assert frames[3].pixels[0, 0].tolist() == [0, 120, 255]
    with pytest.raises(SourceEnded, match="no more pictures"):
        source.read(0)


def test_a_looping_folder_begins_again(pictures: Path) -> None:
    source = FolderSource(pictures, loop=True)
    source.open()
    assert [source.read(0).metadata["file"] for _ in range(6)][-1] == "0.png"


def test_a_late_reader_of_a_live_source_gets_the_latest_frame(pictures: Path, clock: Clock) -> None:
    source = FolderSource(pictures, pace=Pace(10, clock, clock.wait))
    source.open()
    assert source.read(1).metadata["number"] == 0
    clock.now += 0.35
    assert source.read(1).metadata["number"] == 3


def test_a_live_video_that_is_opened_again_begins_again_in_its_own_time(video: Path, clock: Clock) -> None:
    source = VideoSource(video, pace=Pace(99, clock, clock.wait))
    source.open()
    clock.wait(0.5)
    late = [source.read(1).metadata["number"] for _ in range(2)]
    source.close()
    clock.wait(100)
    source.open()
    frames = [source.read(1) for _ in range(3)]
    assert [frame.metadata["number"] for frame in frames] == [0, 1, 2]
    assert frames[2].t - frames[0].t == pytest.approx(0.2)
    assert late[0] < late[1]


def test_a_live_video_skips_what_a_late_reader_missed(video: Path, clock: Clock) -> None:
    source = VideoSource(video, pace=Pace(10, clock, clock.wait))
    source.open()
    source.read(1)
    clock.now += 0.65
    assert source.read(1).metadata["number"] == 6
    source.close()


def test_a_live_source_that_is_not_due_in_time_says_timeout(pictures: Path, clock: Clock) -> None:
    source = FolderSource(pictures, pace=Pace(1, clock, clock.wait))
    source.open()
    source.read(0)
    with pytest.raises(SourceTimeout):
        source.read(0.2)


@pytest.mark.parametrize(
    "make",
    [
        lambda path: FolderSource(path / "nowhere"),
        lambda path: FolderSource(path),
        lambda path: VideoSource(path / "nothing.mp4"),
        lambda path: WebcamSource(str(path / "nothing.mp4")),
    ],
    ids=["no folder", "empty folder", "no video", "no webcam"],
)
def test_what_is_not_there_is_lost_and_says_what_to_do(make: Callable[[Path], FrameSource], tmp_path: Path) -> None:
    with pytest.raises(SourceLost, match=r"[.]$"):
        make(tmp_path).open()


def test_a_damaged_picture_names_itself(pictures: Path) -> None:
    (pictures / "0.png").write_bytes(b"no picture at all")
    source = FolderSource(pictures)
    source.open()
    with pytest.raises(SourceLost, match=r"0\.png"):
        source.read(0)


def test_a_source_that_was_never_opened_is_lost(pictures: Path, video: Path) -> None:
    for source in (FolderSource(pictures), VideoSource(video), WebcamSource(str(video))):
        with pytest.raises(CameraTrouble):
            source.read(0)


def test_a_webcam_that_goes_away_is_lost_and_released() -> None:
    capture = FakeCapture(frames=3)
    source = WebcamSource(2, opener=lambda device: capture)
    source.open()
    assert capture.released.wait(30)
    with pytest.raises(SourceLost, match="webcam 2 is gone"):
        source.read(30)
    source.close()


def test_a_webcam_is_asked_for_a_short_queue() -> None:
    capture = FakeCapture()
    source = WebcamSource(opener=lambda device: capture)
    source.open()
    source.close()
    assert capture.settings[cv2.CAP_PROP_BUFFERSIZE] == 1
    assert capture.released.is_set()


def test_a_webcam_that_sends_nothing_times_out() -> None:
    released = threading.Event()

    class Hanging(FakeCapture):
        def read(self) -> tuple[bool, Any]:
            released.wait(30)
            return False, None

    source = WebcamSource(opener=lambda device: Hanging())
    source.open()
    with pytest.raises(SourceTimeout, match="check its cable"):
        source.read(0.01)
    released.set()
    source.close()


def test_a_webcam_reads_what_opencv_really_opens(video: Path) -> None:
    source = WebcamSource(str(video))
    source.open()
    source.close()


def test_a_mailbox_keeps_only_the_latest_frame() -> None:
    box = Mailbox()
    frames = [Frame(np.zeros((1, 1, 3), np.uint8), float(t)) for t in range(3)]
    for frame in frames:
        box.put(frame)
    assert box.take(0) is frames[-1]
    assert box.take(0) is None


def test_a_mailbox_tells_its_trouble_to_whoever_waits() -> None:
    box = Mailbox()
    told: list[CameraTrouble] = []

    def wait() -> None:
        try:
            box.take(30)
        except CameraTrouble as trouble:
            told.append(trouble)

    reader = threading.Thread(target=wait)
    reader.start()
    box.fail(SourceLost("gone."))
    reader.join(30)
    assert [str(trouble) for trouble in told] == ["gone."]
