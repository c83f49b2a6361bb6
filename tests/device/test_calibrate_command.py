"""`undercup calibrate`, `selftest` and `focus`, and the eye that refuses to judge through a camera that was moved."""

import importlib.util
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest

from device import looking
from device.__main__ import main
from device.calibrations import calibration_file, calibration_of, size_px
from device.commands import Trouble, selftest
from device.config import Settings, Tray
from device.eye import CameraBack, CameraLost, Event, Eye
from device.selftest import Tally, Verdict
from device.sources import Frame, SourceLost
from device.steady import SURE, UNSEEN_SURE, Moved, SteadySource
from vision.calibration import Calibration, calibrate
from vision.dice_set import DiceSet
from vision.marks import WORDS, find_marks
from vision.place import Frame as Pixels
from vision.reading import Reading
from vision.synth import Camera

CAMERA = Camera(width=960, height=540)
MARKS = ((-68.0, -38.0, 0.0), (68.0, 38.0, 20.0))


@lru_cache(maxsize=1)
def views() -> ModuleType:
    """Load the pictures of the card that the reader's tests use; tests are no package."""
    path = Path(__file__).parents[1] / "vision" / "card_views.py"
    spec = importlib.util.spec_from_file_location("undercup_card_views", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules.setdefault("undercup_card_views", importlib.util.module_from_spec(spec))
    spec.loader.exec_module(module)
    return module


@lru_cache(maxsize=1)
def cards() -> tuple[Pixels, ...]:
    """Return pictures of the card in four places, with the watch marks where no card covers them."""
    return tuple(views().view(CAMERA, pose, marks=MARKS) for pose in views().POSES)


@lru_cache(maxsize=8)
def empty(camera: Camera = CAMERA, blur: float = 0.8, marked: bool = True) -> Pixels:
    """Return the tray without the card."""
    return np.asarray(views().view(camera, marks=MARKS if marked else (), board=False, blur=blur), np.uint8)


@lru_cache(maxsize=1)
def known() -> Calibration:
    """Return CAMERA's calibration."""
    return calibrate("a camera", {str(n): frame for n, frame in enumerate(cards())}, empty())


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Return the pictures of the card as files."""
    names = [str(tmp_path / f"card{number}.png") for number in range(len(cards()))]
    for name, frame in zip(names, cards(), strict=True):
        cv2.imwrite(name, frame)
    return names


def test_pictures_of_the_card_make_a_calibration_in_the_data_folder(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Named after the camera, with the right scale; the watch marks come from the empty tray."""
    cv2.imwrite(str(tmp_path / "empty.png"), empty())
    data = tmp_path / "data"
    options = ["--camera", "Pub cam", "--empty", str(tmp_path / "empty.png"), "--data", str(data), "--json"]
    assert main(["calibrate", *files, *options]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["camera"] == "Pub cam"
    assert told["px_per_mm"] == pytest.approx(CAMERA.px_per_mm, rel=0.01)
    assert told["watch_marks"] == 2
    kept = calibration_of(data, "Pub cam")
    assert kept is not None
    assert kept.size == (960, 540)
    assert [path.name for path in (data / "calibrations").iterdir()] == ["pub-cam.json"]


def test_a_person_is_told_what_the_calibration_is_worth(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Pixels a millimetre, and what the watch marks are for."""
    assert main(["calibrate", *files, "--camera", "x", "--data", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert f"{CAMERA.px_per_mm:.2f} pixels a millimetre" in told
    assert "watch mark" in told


def test_what_makes_no_calibration_is_said_in_one_sentence_and_nothing_is_kept(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A text file, a picture without a card, too few pictures, an empty tray that is not there."""
    (tmp_path / "text.jpg").write_text("no picture")
    cv2.imwrite(str(tmp_path / "bare.png"), empty())
    data = tmp_path / "data"
    for extra, words in (
        ([*files, str(tmp_path / "text.jpg")], "text.jpg"),
        ([*files, str(tmp_path / "bare.png")], "No card is found in"),
        (files[:2], "2 pictures are too few"),
        ([*files, "--empty", str(tmp_path / "nowhere.png")], "nowhere.png"),
    ):
        assert main(["calibrate", *extra, "--camera", "x", "--data", str(data)]) == 2
        error = capsys.readouterr().err
        assert words in error
        assert len(error.splitlines()) == 1
    assert not data.exists()


def test_without_pictures_the_configured_camera_takes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A picture without the card is said so and taken again."""
    folder, data = tmp_path / "camera", tmp_path / "data"
    folder.mkdir()
    data.mkdir()
    for number, frame in enumerate([empty(), *cards(), empty()]):
        for again in range(3):
            cv2.imwrite(str(folder / f"{number}{again}.png"), frame)
    (data / "undercup.toml").write_text(f"[tray]\ncamera = {json.dumps(str(folder))}\n")
    monkeypatch.setattr("builtins.input", lambda words: "")
    assert main(["calibrate", "--data", str(data)]) == 0
    assert "No card is found in picture 1" in capsys.readouterr().out
    kept = calibration_of(data, f"folder {folder}")
    assert kept is not None
    assert len(kept.marks) == 2


def test_a_calibrated_camera_and_a_known_edge_tell_the_size_of_a_face() -> None:
    """Both are needed; a face is the edge less its rounding, at the optics' own scale."""
    dice = DiceSet("x", "below", (), edge_mm=16.0)
    assert size_px(dice, known()) == pytest.approx(0.94 * 16 * CAMERA.px_per_mm, rel=0.01)
    assert size_px(dice, None) is None
    assert size_px(replace(dice, edge_mm=None), known()) is None


def test_reading_for_a_camera_without_calibration_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the names that there are."""
    known().save(calibration_file(tmp_path, "pub"))
    assert main(["read", "x.png", "--set", "pips", "--camera", "club", "--data", str(tmp_path)]) == 2
    assert "no calibration of 'club' (there: pub)" in capsys.readouterr().err


class Roll:
    """A camera that gives these frames, the last one for ever."""

    name = "roll of frames"

    def __init__(self, frames: Sequence[Pixels], focus: float | None = None) -> None:
        self.frames, self.metadata = list(frames), {} if focus is None else {"LensPosition": focus}
        self.read_so_far = 0

    def open(self) -> None: ...

    def close(self) -> None: ...

    def read(self, timeout: float) -> Frame:
        self.read_so_far += 1
        pixels = self.frames.pop(0) if len(self.frames) > 1 else self.frames[0]
        return Frame(pixels, self.read_so_far / 10, self.metadata)


MOVED = replace(CAMERA, x_mm=2.0)


@pytest.mark.parametrize(
    ("frame", "words"),
    [(lambda: empty(MOVED), WORDS["moved"]), (lambda: empty(blur=2.0), WORDS["refocused"])],
)
def test_a_camera_that_was_moved_or_refocused_gives_no_frames(frame: object, words: str) -> None:
    """It says what to do, after as many looks as a knock would not survive."""
    assert callable(frame)
    camera = Roll([frame()])
    source = SteadySource(camera, known())
    source.open()
    with pytest.raises(Moved, match=words.split(":")[0]):
        source.read(1.0)
    assert camera.read_so_far == SURE


def test_a_knock_at_the_table_is_not_a_moved_camera() -> None:
    """Two shaken frames are passed over."""
    source = SteadySource(Roll([empty(MOVED), empty(MOVED), empty()]), known())
    source.open()
    assert source.read(1.0).t == pytest.approx(0.3)


def test_marks_that_are_covered_for_a_moment_stop_nothing_but_for_long_they_do() -> None:
    """A hand lies on them for a second; a camera that looks elsewhere never sees them again."""
    source = SteadySource(Roll([empty(marked=False)]), known())
    source.open()
    for _ in range(UNSEEN_SURE - 1):
        source.read(1.0)
    with pytest.raises(Moved, match="watch marks are not in view"):
        source.read(1.0)


def test_another_focus_than_the_calibrated_one_is_noticed_without_any_mark() -> None:
    """The camera tells it with each frame."""
    plain = replace(known(), marks=(), settings={"LensPosition": 6.0})
    assert SteadySource(Roll([empty()], focus=6.0), plain).read(1.0).t == pytest.approx(0.1)
    with pytest.raises(Moved, match="refocused"):
        SteadySource(Roll([empty()], focus=7.0), plain).read(1.0)


class Nothing:
    """Reads no dice."""

    def read(self, frame: Pixels, expect: int | None = None) -> Reading:
        return Reading.unsure(["no-dice"])


def test_the_eye_refuses_to_judge_until_the_camera_is_put_right() -> None:
    """It is told as a lost camera, with the sentence, and as back when the marks lie where they lay."""
    told: list[Event] = []
    camera = Roll([empty(MOVED)])
    source = SteadySource(camera, known())
    eye = Eye(source, Nothing(), told.append)
    with pytest.raises(Moved) as refused:
        source.read(1.0)
    eye.lose(str(refused.value))
    assert told[0] == CameraLost(WORDS["moved"])
    camera.frames = [empty()]
    source.open()
    eye.step(source.read(1.0))
    assert CameraBack() in told


def test_the_live_table_looks_through_its_cameras_calibration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one is kept; a damaged one is refused with a sentence."""
    monkeypatch.setattr(looking, "load_set", lambda data, name: DiceSet("x", "below", (), edge_mm=16.0))
    folder = tmp_path / "camera"
    folder.mkdir()
    settings = Settings(tray=Tray(camera=str(folder), set="x"))
    kept = calibration_file(tmp_path, f"folder {folder}")
    known().save(kept)
    sight, _ = looking.real(tmp_path, settings)
    assert sight is not None
    assert isinstance(sight.source, SteadySource)
    assert sight.calibration == known()
    kept.write_text("{")
    with pytest.raises(Trouble, match="calibrate again"):
        looking.real(tmp_path, settings)


class Script:
    """A person whose answers are known beforehand."""

    def __init__(self, answers: str) -> None:
        self.answers: Iterator[str] = iter(answers)

    def roll(self, number: int) -> None: ...

    def judge(self, reading: Reading) -> Verdict:
        answer = next(self.answers, None)
        if answer is None:
            raise EOFError
        return selftest.ANSWERS[answer]


READ = Reading("read", ("A",), (), ())


def test_the_selftest_counts_what_the_person_says() -> None:
    """Right, wrong, what nobody could judge, and what the table would not read; leaving early keeps the rest."""
    readings = iter([READ, READ, Reading.unsure(["cocked"]), READ, None, READ, READ])
    told: list[str] = []
    tally = selftest.trial(9, Script("ynuy"), lambda: next(readings), told.append)
    assert tally == Tally(right=2, wrong=1, unsure=2, open=1)
    assert "  unsure: A die leans: nudge the cup." in told
    assert tally.words().startswith("5 hands: wrong 1, unsure 2, right 2. With 95 % certainty fewer than 65.7 % of")


def test_a_camera_that_is_lost_ends_the_selftest_with_its_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As any other command would."""

    class Lost(Roll):
        def open(self) -> None:
            raise SourceLost("The camera is gone: check its cable.")

    sight = looking.Looking(Lost([empty()]), DiceSet("x", "below", ()), "below")
    monkeypatch.setattr(looking.Looking, "readers", lambda self: Nothing())
    monkeypatch.setattr(selftest, "real", lambda data, name: sight)
    assert main(["selftest", "--set", "x", "--data", str(tmp_path)]) == 2
    assert "The camera is gone" in capsys.readouterr().err


def test_the_simulated_tray_tests_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hands roll, the reader reads, eyes confirm: none is wrong."""
    assert main(["selftest", "--simulate", "--hands", "2", "--json", "--data", str(tmp_path)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["wrong"] == 0
    assert told["hands"] == 2
    assert told["right"] + told["unsure"] == 2


def test_focus_measures_a_camera_that_cannot_focus_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder of pictures has one focus; without the card in view there is nothing to measure."""
    folder = tmp_path / "camera"
    folder.mkdir()
    (tmp_path / "undercup.toml").write_text(f"[tray]\ncamera = {json.dumps(str(folder))}\n")
    cv2.imwrite(str(folder / "a.png"), cards()[0])
    assert main(["focus", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("as it is: sharpness 0.3")
    cv2.imwrite(str(folder / "a.png"), empty())
    assert main(["focus", "--data", str(tmp_path)]) == 1
    assert "the card was not seen" in capsys.readouterr().err


def test_the_reader_never_sees_a_watch_mark() -> None:
    """It would take them for dice that lean; the frame that the camera gave is left as it was."""
    given = empty().copy()
    frame = SteadySource(Roll([given]), known()).read(1.0)
    assert find_marks(frame.pixels) == ()
    assert float(frame.pixels.max()) < 90
    assert (given == empty()).all()


def test_the_marks_are_seen_in_the_pictures_of_this_test() -> None:
    """Else the tests above would prove nothing."""
    assert [mark.number for mark in find_marks(empty())] == [0, 1]
