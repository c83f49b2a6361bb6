"""`undercup bench` counts right, unsure and wrong, and says what is wrong with labels it cannot use."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.__main__ import main
from device.simulated_set import NAME, SPOTS, simulated_set
from vision.bench import Counted, Outcome, Spent
from vision.bench_drawn import Batch, BenchError, Plan
from vision.bench_speed import Speed, Way
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
    assert (status, last.split()[:6]) == (0, ["all", "1", "1", "1", "0", "0"])


def test_a_reading_that_is_not_the_label_counts_as_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Five aces labelled as kings: wrong, five dice with it, exit 1."""
    status, last = bench(folder, capsys, label("K"))
    assert (status, last.split()[:6], last.split()[11]) == (1, ["all", "1", "1", "0", "0", "1"], "5")


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


def outcome(dice_wrong: int = 0) -> Outcome:
    return Outcome("cup", "unsure", True, 5, 4, dice_wrong, Spent(40.0, 10.0, 30.0))


BATCHES = (
    Batch("classic", "classic classic, 16.0 mm", (), 900.0, (outcome(), outcome())),
    Batch("drawn", "drawn letters, 13.0 mm", ("The faces a and b are too alike.",), 900.0, ()),
)


def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], batches: Iterator[Batch]) -> str:
    """Return what the command prints about these batches."""
    monkeypatch.setattr("device.commands.bench.drawn", lambda plan: batches)
    main(["bench", "--placements", "20"])
    return "".join(capsys.readouterr())


def test_sets_that_were_read_and_refused_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The refused set stands with its reason, and counts no frame."""
    said = told(monkeypatch, capsys, iter(BATCHES))
    assert "Sets read: 1 x classic classic." in said
    assert "Refused at enrolment: drawn letters, 13.0 mm: The faces a and b are too alike." in said
    assert "this proves the code on that generator only" in said


def test_a_run_that_is_stopped_prints_what_it_has(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C after the first batch: its two frames are in the table, and the number of dice is the true one."""

    def stopped() -> Iterator[Batch]:
        yield BATCHES[0]
        raise KeyboardInterrupt

    said = told(monkeypatch, capsys, stopped())
    assert "Stopped at 10 of 20 dice." in said
    rows = [line.split()[:6] for line in said.splitlines() if line.startswith("all")]
    assert rows == [["all", "2", "2", "0", "2", "0"]] * 2


def test_a_reader_that_breaks_down_is_told_after_what_it_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table has the frames before; the sentence names the frame that broke it."""

    def breaking() -> Iterator[Batch]:
        yield BATCHES[0]
        raise BenchError("batch 1, frame 3 (drawn letters, cup): ZeroDivisionError()")

    said = told(monkeypatch, capsys, breaking())
    assert "all" in said
    assert "the reader broke down (batch 1, frame 3 (drawn letters, cup): ZeroDivisionError())" in said


def test_misses_of_two_runs_are_not_mixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that has labels is refused before anything is drawn."""
    (tmp_path / "labels.jsonl").touch()
    assert main(["bench", "--save-misses", str(tmp_path)]) == 2
    assert "name a new folder" in capsys.readouterr().err


def test_a_wrong_die_makes_the_exit_status_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though no hand was wrong."""
    wrong = replace(BATCHES[0], outcomes=(outcome(1),))
    monkeypatch.setattr("device.commands.bench.drawn", lambda plan: iter([wrong]))
    assert main(["bench", "--placements", "5"]) == 1
    monkeypatch.setattr("device.commands.bench.drawn", lambda plan: iter(BATCHES))
    assert main(["bench", "--placements", "5"]) == 0


def test_the_plan_is_what_the_command_line_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Placements, seed, processes and the folder for misses."""
    plans: list[Plan] = []

    def drawn(plan: Plan) -> Iterator[Batch]:
        plans.append(plan)
        return iter(())

    monkeypatch.setattr("device.commands.bench.drawn", drawn)
    main(["bench", "--placements", "9", "--seed", "4", "--jobs", "2", "--save-misses", str(tmp_path)])
    assert plans == [Plan(9, 4, 2, tmp_path)]


def way(name: str, verdict: Counted = "right", dice_wrong: int = 0) -> Way:
    made = Way(name)
    made.add(Outcome(name, verdict, True, 5, 5 - dice_wrong, dice_wrong, Spent(30.0)), 31.0)
    return made


@pytest.mark.parametrize(
    ("memory", "said"), [(120.0, "120.0 MB: met"), (300.0, "300.0 MB: MISSED"), (None, "not tell")]
)
def test_speed_is_told_with_the_machine_and_the_memory(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], memory: float | None, said: str
) -> None:
    """The exit status is 0: what another way read wrongly is no fault of ours."""
    reader, other = way("reader"), way("SIFT", "wrong", 2)
    printed = {f"{number} printed dice": (reader, other) for number in ("five", "forty")}
    found = Speed(2.0, {**printed, "five pip dice": (reader, way("blobs"), other, way("built-in", "unsure"))})
    monkeypatch.setattr("device.commands.bench.speed", lambda frames, seed: found)
    monkeypatch.setattr("device.commands.bench.stills", lambda *how: [])
    monkeypatch.setattr("device.commands.bench.simulated_set", lambda folder: None)
    monkeypatch.setattr("device.commands.bench.peak_mb", lambda words: memory)
    assert main(["bench", "--speed"]) == 0
    out = capsys.readouterr().out
    assert f"OpenCV {cv2.__version__}" in out
    assert said in out
    assert "settle gate, a frame: 2.0 ms: met" in out


@pytest.mark.parametrize("words", [["--jobs", "0"], ["--seed", "-1"], ["--frames", "0"]])
def test_numbers_that_make_no_sense_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench", *words])
    assert words[0] in capsys.readouterr().err
