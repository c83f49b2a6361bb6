"""`undercup read`: a line for each picture, and a file that is none is named once."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.__main__ import main


def test_a_file_that_is_no_picture_is_named_once_and_the_others_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, grey, gone = tmp_path / "notes.png", tmp_path / "grey.png", tmp_path / "gone.png"
    text.write_text("no picture")
    cv2.imwrite(str(grey), np.full((480, 640, 3), 128, np.uint8))
    assert main(["read", "--set", "pips", str(text), str(gone), str(grey)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert [line.count(str(path)) for line, path in zip(told, (text, gone, grey), strict=True)] == [1, 1, 1]
    assert "unsure" in told[2]


def test_a_program_is_told_the_file_beside_the_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--set", "pips", "--json", str(tmp_path / "gone.png")]) == 1
    line = json.loads(capsys.readouterr().out)
    assert (line["file"], line["status"]) == (str(tmp_path / "gone.png"), "error")
