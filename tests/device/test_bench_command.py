"""`undercup bench` counts right, unsure and wrong, and says what is wrong with labels it cannot use."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.__main__ import main
from device.simulated_set import NAME, SPOTS, simulated_set
from vision.synth import Camera, PlacedDie, Scene, classic, render


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder with the simulated set and one picture of A A A A A beside it."""
    data = tmp_path_factory.mktemp("bench")
    simulated_set(data)
    dice = tuple(PlacedDie("A", x, y, yaw) for x, y, yaw in SPOTS)
    picture = render(Scene(dice), Camera(), classic(), np.random.default_rng(5))
    cv2.imwrite(str(data / "aces.png"), picture)
    return data


def bench(folder: Path, capsys: pytest.CaptureFixture[str], *labels: dict[str, object]) -> tuple[int, str]:
    """Return exit status and last line of the table for these labels."""
    (folder / "labels.jsonl").write_text("".join(json.dumps(label) + "\n" for label in labels))
    status = main(["bench", "--labels", str(folder / "labels.jsonl"), "--data", str(folder)])
    told = capsys.readouterr()
    return status, (told.out.splitlines() or [told.err])[-1]


def label(face: str, **more: object) -> dict[str, object]:
    return {"file": "aces.png", "set": NAME, "dice": [{"top": face}] * 5, **more}


def test_a_right_reading_counts_as_right(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Five aces labelled as such, once for enrolment and once to be read: one frame, right, exit 0."""
    status, last = bench(folder, capsys, label("A", use="enrol"), label("A"))
    assert (status, last.split()[:5]) == (0, ["all", "1", "1", "0", "0"])


def test_a_reading_that_is_not_the_label_counts_as_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Five aces labelled as kings: wrong, five dice with it, exit 1."""
    status, last = bench(folder, capsys, label("K"))
    assert (status, last.split()[:5], last.split()[10]) == (1, ["all", "1", "0", "0", "1"], "5")


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"file": "aces.png"}, "line 1 is no label"),
        ({"file": "aces.png", "dice": []}, "names no set of dice"),
        ({"file": "none.png", "dice": [], "set": NAME}, "none.png"),
        ({"file": "aces.png", "dice": [], "set": "nobody"}, "nobody"),
    ],
)
def test_labels_that_cannot_be_used_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str], bad: dict[str, object], said: str
) -> None:
    """A label without dice, without a set, of a picture or a set that is not there: one sentence, exit 2."""
    status, last = bench(folder, capsys, bad)
    assert status == 2
    assert said in last
