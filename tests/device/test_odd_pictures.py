"""`undercup read` says of every file what lies there or what is wrong with it, and goes on to the next."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.__main__ import main
from device.simulated_set import NAME, SPOTS, simulated_set
from vision.place import Frame
from vision.synth import Camera, PlacedDie, Scene, classic, render

HAND = ["A", "K", "K", "10", "9"]
TURN = b"Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("read")
    simulated_set(folder)
    return folder


@pytest.fixture(scope="module")
def frame() -> Frame:
    """Return a frame in which five dice lie."""
    dice = tuple(PlacedDie(face, x, y, yaw) for face, (x, y, yaw) in zip(HAND, SPOTS, strict=True))
    return render(Scene(dice), Camera(), classic(), np.random.default_rng(6))


def packed(ending: str, image: np.ndarray[Any, Any]) -> bytes:
    return cv2.imencode(ending, image)[1].tobytes()


def on_its_side(frame: Frame) -> bytes:
    """Return a JPEG that lies on its side, with the word of its camera that it must be turned by a quarter."""
    plain = packed(".jpg", np.ascontiguousarray(np.rot90(frame)))
    return plain[:2] + b"\xff\xe1" + (len(TURN) + 2).to_bytes(2, "big") + TURN + plain[2:]


READABLE: dict[str, Callable[[Frame], bytes]] = {
    "plain.jpg": lambda frame: packed(".jpg", frame),
    "deep.png": lambda frame: packed(".png", frame.astype(np.uint16) * 257),
    "clear.png": lambda frame: packed(".png", cv2.cvtColor(frame, cv2.COLOR_BGR2BGRA)),
    "turned.jpg": on_its_side,
    "photo.bmp": lambda frame: packed(".bmp", frame),
    "wrong-ending.png": lambda frame: packed(".jpg", frame),
}
ODD: dict[str, Callable[[Frame], bytes]] = {
    "grey.png": lambda frame: packed(".png", cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)),
    "dot.png": lambda frame: packed(".png", np.zeros((1, 1, 3), np.uint8)),
    "line.png": lambda frame: packed(".png", frame[:1]),
    "huge.jpg": lambda frame: packed(".jpg", np.full((9000, 12000), 90, np.uint8)),
}
BAD: dict[str, tuple[Callable[[Frame], bytes], str]] = {
    "cut.jpg": (lambda frame: packed(".jpg", frame)[:9000], "the picture is cut off, the file ends too early."),
    "cut.png": (lambda frame: packed(".png", frame)[:-99], "the picture is cut off, the file ends too early."),
    "notes.jpg": (lambda frame: b"Two queens, I think.", "it is damaged or no picture at all."),
    "noughts.jpg": (lambda frame: bytes(500), "it is damaged or no picture at all."),
    "empty.png": (lambda frame: b"", "is empty."),
}


@pytest.fixture(scope="module")
def pictures(data: Path, frame: Frame) -> Path:
    folder = data / "pictures"
    (folder / "folder.jpg").mkdir(parents=True)
    makers = READABLE | ODD | {name: made for name, (made, _) in BAD.items()}
    for name, made in makers.items():
        (folder / name).write_bytes(made(frame))
    return folder


def read(data: Path, capsys: pytest.CaptureFixture[str], *files: Path) -> tuple[int, list[dict[str, Any]]]:
    status = main(["read", *map(str, files), "--set", NAME, "--data", str(data), "--expect", "5", "--json"])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("name", READABLE)
def test_every_kind_of_picture_is_read(
    data: Path, pictures: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    status, (line,) = read(data, capsys, pictures / name)
    assert (status, line["status"], line["hand"]) == (0, "read", HAND)


@pytest.mark.parametrize("name", ODD)
def test_pictures_without_what_it_takes_are_unsure_or_right(
    data: Path, pictures: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    status, (line,) = read(data, capsys, pictures / name)
    assert status == 0
    assert line["hand"] == HAND if line["status"] == "read" else line["reasons"]


def test_each_bad_file_is_a_line_of_its_own_and_the_others_are_read(
    data: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = pictures / "plain.jpg"
    bad = {pictures / name: said for name, (_, said) in BAD.items()}
    bad |= {pictures / "folder.jpg": "is a folder, not a picture.", pictures / "gone.jpg": "is not there."}
    status, lines = read(data, capsys, good, *bad, good)
    assert status == 1
    first, *errors, last = lines
    assert first["hand"] == last["hand"] == HAND
    for line, (file, said) in zip(errors, bad.items(), strict=True):
        assert (line["file"], line["status"]) == (str(file), "error")
        assert line["message"].startswith(str(file))
        assert line["message"].endswith(said)
