"""The file for those who are to help: all that they need, and no PIN."""

import json
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from device.__main__ import main
from device.journal import Draft, Evidence, Journal


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """Return the data folder of a table that saw two hands."""
    (tmp_path / "undercup.toml").write_text('[tray]\ncamera = "none"\n[host]\npin = "4711"\n')
    (tmp_path / "host-pin").write_text("0815\n")
    with closing(Journal(tmp_path / "journal.db")) as journal:
        for hand in ("first", "last"):
            journal.append([Draft("seen", hand, evidence=Evidence(json.dumps({"hand": hand}), hand.encode()))], 1)
    return tmp_path


def test_the_bundle_holds_what_was_found_the_settings_and_what_the_tray_saw_last(played: Path) -> None:
    main(["doctor", "--data", str(played), "--part", "table", "--bundle", str(played / "help.zip")])
    with zipfile.ZipFile(played / "help.zip") as bundle:
        names = bundle.namelist()
        assert {"doctor.txt", "doctor.json", "undercup.toml", "last-reading.json", "last-picture.jpg"} <= set(names)
        assert json.loads(bundle.read("last-reading.json")) == {"hand": "last"}
        assert bundle.read("last-picture.jpg") == b"last"
        assert "table" in json.loads(bundle.read("doctor.json"))["parts"]
        assert b'camera = "none"' in bundle.read("undercup.toml")
        everything = b"".join(bundle.read(name) for name in names)
    assert b"4711" not in everything
    assert b"0815" not in everything


def test_a_table_that_never_ran_has_a_bundle_all_the_same(tmp_path: Path) -> None:
    main(["doctor", "--data", str(tmp_path / "none"), "--part", "table", "--bundle", str(tmp_path / "help.zip")])
    with zipfile.ZipFile(tmp_path / "help.zip") as bundle:
        assert "doctor.txt" in bundle.namelist()
        assert "last-picture.jpg" not in bundle.namelist()


def test_a_bundle_that_cannot_be_written_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["doctor", "--data", str(tmp_path), "--part", "table", "--bundle", str(tmp_path / "no" / "help.zip")]
    assert main(words) == 2
    assert "name a file elsewhere" in capsys.readouterr().err
