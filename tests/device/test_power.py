"""The wish that the power go off."""

from pathlib import Path

import pytest

from device.power import can_switch_off, wish_off


def test_the_wish_is_the_file_that_the_path_unit_waits_for(tmp_path: Path, repository: Path) -> None:
    wish_off({"RUNTIME_DIRECTORY": str(tmp_path), "INVOCATION_ID": "1"})
    (wish,) = tmp_path.iterdir()
    unit = (repository / "systemd/undercup-shutdown.path").read_text()
    assert f"PathExists=/run/undercup/{wish.name}\n" in unit


def test_a_table_on_a_laptop_switches_nothing_off(tmp_path: Path) -> None:
    assert not can_switch_off({"RUNTIME_DIRECTORY": str(tmp_path)})
    with pytest.raises(OSError, match="by its own means"):
        wish_off({})
    assert not list(tmp_path.iterdir())
