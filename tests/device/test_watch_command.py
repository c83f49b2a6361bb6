"""`undercup watch` follows a roll from a folder or a film, and prints what happened and in which frame."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.__main__ import main
from device.simulated_set import NAME, SPOTS, simulated_set
from vision.pictures import load
from vision.place import Frame
from vision.synth import Camera, PlacedDie, Scene, classic, render

LAID = tuple(PlacedDie(face, x, y, yaw) for face, (x, y, yaw) in zip(("A", "K", "9", "J", "10"), SPOTS, strict=True))
ROLLED = (replace(LAID[0], face_up="Q", yaw_deg=70.0), replace(LAID[1], face_up="9", yaw_deg=20.0))
LIFTED = tuple(replace(die, lift_mm=15.0, tilt_deg=20.0, blur_mm=(5.0, 2.0)) for die in LAID[:2])
TUMBLING = tuple(replace(die, tilt_deg=40.0, lift_mm=5.0, blur_mm=(8.0, 0.0), x_mm=die.x_mm - 9) for die in ROLLED)
ROLL = [LAID] * 3 + [LIFTED + LAID[2:]] + [LAID[2:]] * 4 + [TUMBLING + LAID[2:]] + [ROLLED + LAID[2:]] * 3
"""Five dice at rest; two are lifted and rolled. Frames 0-2 rest, 3 lift, 4-7 three dice, 8 landing, 9-11 rest."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder with the simulated set."""
    folder = tmp_path_factory.mktemp("watch")
    simulated_set(folder)
    return folder


def drawn(dice: Iterable[tuple[PlacedDie, ...]]) -> list[Frame]:
    rng = np.random.default_rng(3)
    return [render(Scene(some), Camera(), classic(), rng) for some in dice]


@pytest.fixture(scope="module")
def folder(data: Path) -> Path:
    """Return a folder with the roll as pictures, and a note that is none."""
    pictures = data / "roll"
    pictures.mkdir()
    for number, frame in enumerate(drawn(ROLL)):
        cv2.imwrite(str(pictures / f"f_{number:02}.jpg"), frame)
    (pictures / "notes.txt").write_text("Two dice were rolled.")
    return pictures


def watch(data: Path, source: Path, capsys: pytest.CaptureFixture[str], *more: str) -> list[dict[str, Any]]:
    """Return the lines that are printed as JSON."""
    assert main(["watch", str(source), "--set", NAME, "--data", str(data), "--json", *more]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("more", [(), ("--expect", "5")])
def test_a_roll_in_a_folder_is_told_line_by_line(
    data: Path, folder: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]
) -> None:
    lines = watch(data, folder, capsys, *more)
    assert [line["event"] for line in lines] == ["settled", "moving", "lifted", "settled"]
    first, moving, lifted, last = lines
    assert first["reading"]["hand"] == ["A", "K", "J", "10", "9"]
    assert (first["frame"], first["rolled"]) == (1, 0)
    assert moving == {"frame": 3, "event": "moving"}
    assert lifted["count"] == 2
    assert 4 <= lifted["frame"] <= 8
    assert last["reading"]["hand"] == ["Q", "J", "10", "9", "9"]
    assert (last["frame"], last["rolled"]) == (10, 2)


def test_a_film_is_followed_by_its_own_clock(
    data: Path, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same roll as a film; at thirty frames a second the hand's pause and the rest are three times as many."""
    pictures = [load(path) for path in sorted(folder.glob("*.jpg"))]
    told = []
    for rate in (10, 30):
        path = tmp_path / f"{rate}.avi"
        film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, (1536, 864))
        for picture in pictures:
            for _ in range(rate // 10):
                film.write(picture)
        film.release()
        told.append([line["event"] for line in watch(data, path, capsys)])
    assert told[0] == told[1] == ["settled", "moving", "lifted", "settled"]


def test_a_turned_die_is_told_to_people_with_both_hands(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turning = replace(LAID[4], tilt_deg=45.0, blur_mm=(4.0, 0.0))
    turned = replace(LAID[4], face_up="A")
    for number, frame in enumerate(drawn([LAID] * 2 + [(*LAID[:4], turning)] + [(*LAID[:4], turned)] * 2)):
        cv2.imwrite(str(tmp_path / f"{number}.png"), frame)
    assert main(["watch", str(tmp_path), "--set", NAME, "--data", str(data)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "    1  settled   A K J 10 9, 0 rolled",
        "    2  moving",
        "    4  disturbed A K J 10 9 became A A K J 9",
        "    4  settled   A A K J 9, 0 rolled",
    ]


@pytest.mark.parametrize(
    ("source", "more", "said"),
    [
        ("gone.mp4", (), "gone.mp4 is not there."),
        ("empty.mp4", (), "empty.mp4 is empty."),
        ("bare", (), "bare holds no picture that can be read."),
        ("notes.jpg", (), "notes.jpg cannot be read: it is damaged or no picture at all."),
        ("bare", ("--fps", "0"), "--fps must be above 0"),
        ("bare", ("--camera", "nobody"), "nobody"),
    ],
)
def test_what_cannot_be_watched_is_one_sentence(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, more: tuple[str, ...], said: str
) -> None:
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "bare").mkdir()
    (tmp_path / "notes.jpg").write_text("Two queens, I think.")
    assert main(["watch", str(tmp_path / source), "--set", NAME, "--data", str(data), *more]) > 0
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err
    assert told.err.count("\n") == 1
