"""The units: systemd takes them, they are closed, and they agree with the rest of the house."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from device.journal import Journal
from device.power import WISH

# Programs that a unit starts and that this machine need not have.
ELSEWHERE = ("/opt/undercup/current/bin/undercup", "/usr/bin/cage")
#: What `systemd-analyze security` may say at most, of ten; 2.0 is what the units reach.
EXPOSURE = 3.0


@pytest.fixture
def units(repository: Path, tmp_path: Path) -> Path:
    """Return a folder with the units, their programs replaced by one that is here."""
    for path in (repository / "systemd").glob("undercup*.*"):
        text = path.read_text()
        for program in ELSEWHERE:
            text = text.replace(program, "/bin/true")
        (tmp_path / path.name).write_text(text)
    return tmp_path


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    """Run systemd-analyze."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.fail("There is no systemd-analyze here. Run: sudo apt-get install systemd")
    return subprocess.run([program, *words], capture_output=True, text=True, check=False)


def values(path: Path, key: str) -> list[str]:
    """Return the values of a key of a unit, in order."""
    return re.findall(rf"^{key}=(.*)$", path.read_text(), re.MULTILINE)


def test_systemd_takes_every_unit_without_a_word(units: Path) -> None:
    names = [str(path) for path in sorted(units.iterdir())]
    assert len(names) == 6
    verdict = analyze("verify", "--man=no", "--recursive-errors=no", *names)
    assert (verdict.returncode, verdict.stderr) == (0, "")


@pytest.mark.parametrize("name", ["undercup.service", "undercup-backup.service"])
def test_a_unit_is_closed_but_for_what_it_needs(units: Path, name: str) -> None:
    verdict = analyze("security", "--offline=true", f"--threshold={EXPOSURE * 10:.0f}", "--no-pager", str(units / name))
    exposure = re.search(r"Overall exposure level for \S+: (\d+\.\d)", verdict.stdout)
    assert exposure is not None, verdict.stderr
    assert float(exposure[1]) <= EXPOSURE
    assert verdict.returncode == 0


def test_devices_are_named_by_their_drivers_since_globs_match_nothing(repository: Path) -> None:
    allowed = values(repository / "systemd/undercup.service", "DeviceAllow")
    assert {"char-video4linux rw", "char-media rw", "char-dma_heap rw", "char-gpiochip rw"} <= set(allowed)
    assert all(re.fullmatch(r"char-[a-z0-9_]+ rw", device) for device in allowed)


def test_every_group_of_the_table_is_made_by_the_installer(repository: Path) -> None:
    groups = values(repository / "systemd/undercup.service", "SupplementaryGroups")[0].split()
    installer = (repository / "systemd/install.sh").read_text()
    joined = re.search(r'make_user undercup "\$data" (\S+)', installer)
    assert joined is not None
    assert sorted(groups) == sorted(joined[1].split(","))


def test_the_table_is_watched_and_waits_to_be_ready(repository: Path) -> None:
    unit = repository / "systemd/undercup.service"
    assert values(unit, "Type") == ["notify"]
    assert values(unit, "WatchdogSec") == ["30"]
    assert values(unit, "Restart") == ["always"]


def test_the_table_is_started_again_for_ever_but_not_without_a_pause(repository: Path) -> None:
    unit = repository / "systemd/undercup.service"
    assert values(unit, "StartLimitIntervalSec") == ["0"]
    assert int(values(unit, "RestartSec")[0]) >= 2


def test_the_fifo_of_lgpio_is_kept_off_the_card(repository: Path) -> None:
    (environment,) = values(repository / "systemd/undercup.service", "Environment")
    assert "LG_WD=/run/undercup" in environment.split()
    assert values(repository / "systemd/undercup.service", "RuntimeDirectory") == ["undercup"]


def test_the_wish_for_power_off_is_the_file_that_is_watched(repository: Path) -> None:
    assert values(repository / "systemd/undercup-shutdown.path", "PathExists") == [f"/run/undercup/{WISH}"]


def test_the_nightly_copy_is_of_the_journal_that_the_table_writes(repository: Path, tmp_path: Path) -> None:
    (command,) = values(repository / "systemd/undercup-backup.service", "ExecStart")
    words = command.split()[1:]
    words[words.index("--data") + 1] = str(tmp_path)
    Journal(tmp_path / "journal.db").close()
    import device.__main__

    assert device.__main__.main(words) == 0
    assert len(list((tmp_path / "backups").glob("journal-*.db"))) == 1
