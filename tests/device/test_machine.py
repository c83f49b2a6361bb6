"""The machine says what it is, and how much memory a command takes."""

from pathlib import Path

import cv2
import pytest

from device.machine import machine, peak_mb


def test_the_machine_is_named_with_its_opencv() -> None:
    assert f"OpenCV {cv2.__version__}" in machine()


def test_a_command_takes_the_memory_of_a_python_at_least() -> None:
    peak = peak_mb(["--help"])
    assert peak is None or 5 < peak < 2000


def test_a_command_that_fails_is_named_with_what_it_said(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"undercup read .* failed: .*nobody"):
        peak_mb(["read", "none.jpg", "--set", "nobody", "--data", str(tmp_path)])
