"""Mute and volume outlive a restart, and a configuration that is changed meanwhile is the newer choice."""

import logging
from pathlib import Path

import pytest

from device.loudness import FILE_NAME, recall, remember
from device.sound import Loudness
from tests.device.test_run import Phone, running

USUAL = Loudness()


def test_a_table_that_was_never_turned_is_as_loud_as_configured(tmp_path: Path) -> None:
    assert recall(tmp_path, Loudness(True, 30)) == Loudness(True, 30)


def test_what_was_chosen_last_is_kept(tmp_path: Path) -> None:
    remember(tmp_path, Loudness(False, 70), USUAL)
    remember(tmp_path, Loudness(False, 40), USUAL)
    assert recall(tmp_path, USUAL) == Loudness(False, 40)
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_a_configuration_that_was_changed_since_wins(tmp_path: Path) -> None:
    remember(tmp_path, Loudness(False, 40), USUAL)
    assert recall(tmp_path, Loudness(True, 90)) == Loudness(True, 90)


@pytest.mark.parametrize(
    "damage",
    ["", "[]", "{}", '{"chosen": {"on": 1, "volume": 70}, "configured": {"on": true, "volume": 70}}', "\xff"],
)
def test_a_damaged_file_is_told_and_does_not_matter(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / FILE_NAME).write_text(damage, "latin-1")
    with caplog.at_level(logging.WARNING):
        assert recall(tmp_path, USUAL) == USUAL
    assert "damaged" in caplog.text


def test_a_card_that_takes_nothing_is_told_and_the_table_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        remember(tmp_path / "gone", Loudness(False, 40), USUAL)
    assert "cannot be kept" in caplog.text


def test_a_muted_table_is_muted_after_a_restart(tmp_path: Path) -> None:
    with running("--data", str(tmp_path)) as table:
        phone = Phone(table.url)
        pin = table.printed.split("PIN ")[1].split()[0]
        assert phone.post("/host/pin", {"pin": pin})["ok"]
        phone.tap("sound", on=False, volume=40)
        table.process.kill()
    with running("--data", str(tmp_path)) as table:
        assert Phone(table.url).sees()["sound"] == {"on": False, "volume": 40}
