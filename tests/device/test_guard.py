"""A camera's driver that hangs: it is noticed, told, and mended by a new process, but not over and over."""

import json
import logging
import os
import signal
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from device import doctor_table
from device.commands.run import ANEW
from device.doctor import Level
from device.guard import CALL_HANGS_S, OPEN_HANGS_S, GuardedSource
from device.hangs import AGAIN_S, LAST, last_hang, may_restart
from device.sources import Frame, SourceHung, SourceLost
from tests.device.test_doctor import EVENING, Pretended
from tests.device.test_run import PATIENCE, Phone, running
from vision.pips import pips

FRAME = Frame(np.zeros((4, 4, 3), np.uint8), 1.0)


class Slow:
    """A camera each of whose calls takes `seconds` of a clock that only it moves; meanwhile somebody may look."""

    name = "slow camera"

    def __init__(self) -> None:
        self.now, self.seconds = 0.0, 0.1
        self.told: list[str] = []
        self.guard = GuardedSource(self, self.told.append, clock=lambda: self.now)

    def _takes(self) -> None:
        for _ in range(10):
            self.now += self.seconds / 10
            self.guard.look()

    def open(self) -> None:
        self._takes()

    def read(self, timeout: float) -> Frame:
        self._takes()
        return FRAME

    def close(self) -> None:
        self._takes()


def test_a_camera_that_answers_is_left_alone() -> None:
    slow = Slow()
    slow.guard.open()
    assert slow.guard.read(2.0) is FRAME
    slow.guard.close()
    slow.now += 1000
    slow.guard.look()
    assert slow.told == []


@pytest.mark.parametrize(
    ("call", "patience"), [("open", OPEN_HANGS_S), ("read", 2.0 + CALL_HANGS_S), ("close", CALL_HANGS_S)]
)
def test_a_call_that_does_not_come_back_is_told_once(call: str, patience: float) -> None:
    slow = Slow()
    slow.seconds = patience * 3
    with pytest.raises(SourceLost, match="did not answer for a while"):
        slow.guard.read(2.0) if call == "read" else getattr(slow.guard, call)()
    assert slow.told == ["The slow camera does not answer any more: its driver hangs."]


def test_it_is_told_again_when_frames_have_come_meanwhile() -> None:
    slow = Slow()
    for seconds in (100.0, 0.1, 100.0):
        slow.seconds = seconds
        if seconds > 1:
            with pytest.raises(SourceLost):
                slow.guard.read(2.0)
        else:
            slow.guard.read(2.0)
    assert len(slow.told) == 2


def test_a_driver_that_was_left_behind_is_told_as_the_camera_says_it() -> None:
    class LeftBehind(Slow):
        def open(self) -> None:
            raise SourceHung("The camera was lost and its driver hangs.")

    slow = LeftBehind()
    for _ in range(3):
        with pytest.raises(SourceHung):
            slow.guard.open()
    assert slow.told == ["The camera was lost and its driver hangs."]


def test_a_new_process_is_tried_once_in_a_quarter_of_an_hour(tmp_path: Path) -> None:
    assert may_restart(tmp_path, EVENING)
    assert not may_restart(tmp_path, EVENING + AGAIN_S - 1)
    assert may_restart(tmp_path, EVENING + AGAIN_S)


def test_a_clock_that_was_set_back_forbids_nothing(tmp_path: Path) -> None:
    assert may_restart(tmp_path, EVENING)
    assert may_restart(tmp_path, EVENING - 86_400)


def test_a_damaged_note_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / LAST).write_bytes(b"\xff\0")
    assert last_hang(tmp_path) is None
    assert may_restart(tmp_path, EVENING)


def test_without_a_place_to_write_it_down_the_table_is_not_ended(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert not may_restart(tmp_path / "gone", EVENING)
    assert "cannot be written" in caplog.text


def test_a_driver_that_always_hangs_cannot_reach_systemds_start_limit() -> None:
    """The unit starts the table after any status; of our own ends one at most falls into an interval that it counts."""
    unit = (Path(__file__).parent.parent.parent / "systemd/undercup.service").read_text("utf-8").splitlines()
    values = dict(line.split("=", 1) for line in unit if "=" in line and not line.startswith("#"))
    assert values["Restart"] == "always"
    assert float(values["StartLimitIntervalSec"]) < AGAIN_S  # 0: it counts none


def test_the_doctor_tells_of_a_hang_for_some_days(tmp_path: Path) -> None:
    may_restart(tmp_path, EVENING)
    (finding,) = doctor_table.driver(Pretended(data=tmp_path, time=EVENING + 3600))
    assert finding.level is Level.WARNING
    assert "hung at 2025-11-28 20:00 UTC" in finding.says
    assert list(doctor_table.driver(Pretended(data=tmp_path, time=EVENING + 4 * 86_400))) == []


# --- a real process whose camera really hangs ---------------------------------------------------------------------


@pytest.fixture
def hanging(tmp_path: Path) -> Path:
    """Return the data folder of a table whose camera never answers: its picture is a pipe into which nobody writes."""
    data, pictures = tmp_path / "data", tmp_path / "pictures"
    pictures.mkdir()
    os.mkfifo(pictures / "frame.png")
    (data / "sets").mkdir(parents=True)
    pips().save(data / "sets" / "mine.npz")
    (data / "undercup.toml").write_text(f"[tray]\ncamera = {json.dumps(str(pictures))}\n")
    return data


def test_the_table_ends_in_order_so_that_systemd_starts_it_anew(hanging: Path, tmp_path: Path) -> None:
    """The driver's hang is told at the table, the journal is whole, the status is not zero; the next start stays."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.bind(str(tmp_path / "notify"))
        with running("--data", str(hanging), NOTIFY_SOCKET=str(tmp_path / "notify")) as table:
            phone = Phone(table.url)
            phone.tap("join", name="Ann")
            out, err = table.process.communicate(timeout=PATIENCE)
            assert table.process.returncode == ANEW != 0
        assert "The table is put away. The game is kept." in out
        assert "its driver hangs. The table ends, and is started again in a moment; the game is kept." in err
        with closing(sqlite3.connect(hanging / "journal.db")) as journal:
            assert journal.execute("pragma integrity_check").fetchone() == ("ok",)
        with running("--data", str(hanging), NOTIFY_SOCKET=str(tmp_path / "notify")) as table:
            phone = phone.moved(table.url)
            seen = phone.waits(lambda seen: seen["manual"])
            assert seen["you"] == "Ann"
            assert "driver hangs" in seen["tray"]["advice"]
            status, _, err = table.stop(signal.SIGTERM)
        assert status == 0
        assert "A new start has not helped." in err


def test_a_table_that_nobody_would_start_anew_goes_on_by_hand(hanging: Path) -> None:
    with running("--data", str(hanging)) as table:
        seen = Phone(table.url).waits(lambda seen: seen["manual"])
        assert "The host enters what lies on the tray." in seen["tray"]["advice"]
        status, _, err = table.stop()
    assert status == 0
    assert "until the table is started again" in err
