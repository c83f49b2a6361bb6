"""The camera class keeps its promises with the real picamera2, on libcamera's virtual camera.

It proves opening, configuring, capturing, time-outs, a busy camera, closing, opening again, format and colour. It does
not prove exposure, focus, the low-resolution stream or a pulled cable: the virtual camera has none of these.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import cv2
import numpy as np
import pytest

from device.camera import PiCamera
from device.sources import SourceBusy, SourceTimeout

SIZE = (1280, 720)
shim: Any = import_module("shim")  # beside this file, where pytest puts it on the path


def pi_camera() -> PiCamera:
    return PiCamera(size=SIZE, allocator=shim.MemoryAllocator)


@pytest.fixture
def camera() -> Iterator[PiCamera]:
    camera = pi_camera()
    camera.open()
    yield camera
    camera.close()


def test_a_frame_is_the_picture_that_the_camera_is_shown(camera: PiCamera) -> None:
    shown = cv2.imread("/opt/frames/tray.jpg")
    frame = camera.read(2.0)
    assert frame.pixels.shape == (720, 1280, 3)
    assert frame.pixels.dtype == np.uint8
    assert float(np.abs(frame.pixels.astype(int) - shown).mean()) < 3.0


def test_the_granted_format_is_not_the_one_asked_for_and_is_converted(camera: PiCamera) -> None:
    assert camera._format == "NV12"


def test_moments_rise_and_come_with_the_metadata(camera: PiCamera) -> None:
    frames = [camera.read(2.0) for _ in range(3)]
    assert frames[0].t < frames[1].t < frames[2].t
    assert frames[0].t == frames[0].metadata["SensorTimestamp"] / 1e9


def test_controls_that_the_camera_lacks_are_not_asked_for(camera: PiCamera) -> None:
    assert camera._wanted == {}


def test_a_camera_that_stalls_times_out(camera: PiCamera) -> None:
    camera.read(2.0)
    camera._camera.stop()
    with pytest.raises(SourceTimeout, match="check its cable"):
        camera.read(0.5)


def test_a_second_one_finds_the_camera_busy(camera: PiCamera) -> None:
    with pytest.raises(SourceBusy, match="The camera is used by"):
        pi_camera().open()


def test_a_camera_that_is_closed_while_another_waits_can_be_taken_by_it(camera: PiCamera) -> None:
    other = pi_camera()
    with pytest.raises(SourceBusy):
        other.open()
    camera.close()
    other.open()
    assert other.read(2.0).pixels.any()
    other.close()


@pytest.mark.parametrize("time", range(10))
def test_it_can_be_opened_and_closed_again_and_again(time: int) -> None:
    camera = pi_camera()
    camera.open()
    assert camera.read(2.0).pixels.any()
    camera.close()
    camera.close()
