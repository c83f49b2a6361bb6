"""`undercup enrol` without pictures: the table's camera takes them while a person lays the dice."""

import json
from pathlib import Path

import cv2
import pytest

from device.__main__ import main
from device.commands.enrol import POKER
from device.shots import STALE
from device.simulated_set import pictures
from vision.synth import Camera, classic


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a data folder whose camera shows each face of a poker die twice, in the order in which it is asked for."""
    camera, folder = tmp_path / "camera", tmp_path / "data"
    camera.mkdir()
    folder.mkdir()
    shown = pictures(classic(), Camera())
    frames = [frame for face in POKER for frame in (list(shown[face]) * 2)[:2]]
    for number, frame in enumerate(frames):
        for again in range(STALE):
            cv2.imwrite(str(camera / f"{number:02}{again}.png"), frame)
    (folder / "undercup.toml").write_text(f"[tray]\ncamera = {json.dumps(str(camera))}\n")
    return folder


def test_a_person_is_asked_for_each_face_twice_and_the_set_is_learnt(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was taken is kept, so that the set can be learnt again from it."""
    asked: list[str] = []

    def ask(words: str) -> str:
        asked.append(words)
        return ""

    monkeypatch.setattr("builtins.input", ask)
    assert main(["enrol", "mine", "--data", str(data)]) == 0
    assert [word for words in asked for word in POKER if f" {word} " in words] == [f for f in POKER for _ in (1, 2)]
    assert (data / "sets" / "mine.npz").exists()
    assert "Q: learnt from" in capsys.readouterr().out
    kept = {path.parent.name for path in (data / "enrolled" / "mine").glob("*/2.png")}
    assert kept == set(POKER)


def test_without_a_terminal_it_says_what_to_do(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nobody(words: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", nobody)
    assert main(["enrol", "mine", "--data", str(data)]) == 2
    assert "run it in a terminal, or name pictures" in capsys.readouterr().err
