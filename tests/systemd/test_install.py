"""The installer and its kin, without touching the machine: refusals, and what --dry-run says would be done."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BOOKWORM = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n'


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Return a file that says that this is Debian 12, beside an apt that has every package but picamera2."""
    path = tmp_path / "os-release"
    path.write_text(BOOKWORM)
    apt = tmp_path / "apt-cache"
    apt.write_text('#!/bin/sh\nfor word; do echo "Package: $word"; done | grep -v picamera2\n')
    apt.chmod(0o755)
    return path


def install(repository: Path, release: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Call install.sh."""
    path = f"{release.parent}:{os.environ['PATH']}"
    environment = {**os.environ, "UNDERCUP_OS_RELEASE": str(release), "PATH": path}
    environment |= {"UNDERCUP_FIRMWARE": str(release.with_name("config.txt"))}
    command = ["sh", str(repository / "systemd/install.sh"), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_dry_run_tells_the_order_of_work_and_writes_nothing(repository: Path, release: Path) -> None:
    told = install(repository, release, "--dry-run", "--screen", "--name", "snug")
    assert told.returncode == 0, told.stderr
    steps = ["Packages", "Users", "Release: into /opt/undercup/", "Services", "Name: snug.local"]
    places = [told.stdout.index(step) for step in steps]
    assert places == sorted(places)
    assert "would run: apt-get -qq -y install --no-install-recommends python3-venv" in told.stdout
    assert "python3-lgpio python3-spidev espeak-ng alsa-utils cage chromium" in told.stdout
    assert "  python3-picamera2 is not offered here: left out\n" in told.stdout
    assert "--system-site-packages" in told.stdout
    assert "would write: /etc/systemd/system/undercup-screen.service" in told.stdout


def test_every_unit_of_the_folder_is_installed(repository: Path, release: Path) -> None:
    told = install(repository, release, "--dry-run", "--screen").stdout
    for unit in (repository / "systemd").glob("undercup*.*"):
        assert f"would write: /etc/systemd/system/{unit.name}\n" in told


BEFORE = "# kept\ndtparam=audio=on\n[pi4]\narm_boost=1"  # without an end of line, as some editors leave it
ADDED = """
# undercup: begin
[all]
camera_auto_detect=1
dtoverlay=gpio-shutdown,gpio_pin=4
dtoverlay=pwm,pin=18,func=2
# undercup: end
"""


@pytest.fixture
def firmware(release: Path) -> Path:
    """Return a pretended Pi's config.txt."""
    path = release.with_name("config.txt")
    path.write_text(BEFORE)
    return path


def call(repository: Path, release: Path, step: str, *, dry: bool = False) -> str:
    """Let install.sh do one step for the pretended firmware and return what it says."""
    script = (repository / "systemd/install.sh").read_text().replace('$(dirname "$0")', str(repository / "systemd"))
    steps = release.with_name("steps.sh")
    steps.write_text(script.rsplit('read_options "$@"', 1)[0] + ("dry=yes\n" if dry else "") + step)
    environment = {**os.environ, "UNDERCUP_FIRMWARE": str(release.with_name("config.txt"))}
    environment |= {"UNDERCUP_HOME": str(release.parent / "opt")}
    done = subprocess.run(["sh", str(steps)], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_machine_without_a_pis_firmware_is_left_alone(repository: Path, release: Path) -> None:
    assert "Firmware" not in install(repository, release, "--dry-run").stdout


def test_a_dry_run_names_every_line_that_the_firmware_lacks(repository: Path, release: Path, firmware: Path) -> None:
    told = install(repository, release, "--dry-run").stdout
    lines = ADDED.splitlines()[3:-1]
    assert [line for line in told.splitlines() if "would add" in line] == [f"  would add: {line}" for line in lines]
    assert firmware.read_text() == BEFORE


def test_missing_lines_are_added_for_every_model_and_only_once(repository: Path, release: Path, firmware: Path) -> None:
    assert "  added: dtoverlay=pwm,pin=18,func=2\n" in call(repository, release, "tell_firmware")
    assert firmware.read_text() == BEFORE + ADDED
    assert "  it knows the wiring already\n" in call(repository, release, "tell_firmware")
    assert firmware.read_text() == BEFORE + ADDED


def test_a_line_that_its_owner_wrote_is_not_written_again(repository: Path, release: Path, firmware: Path) -> None:
    own = "camera_auto_detect=0\ndtoverlay=imx708\ndtoverlay=gpio-shutdown,gpio_pin=4,debounce=200\n"
    firmware.write_text(own + "dtoverlay=pwm,pin=18,func=2\r\n")
    call(repository, release, "tell_firmware")
    assert "undercup" not in firmware.read_text()


def test_a_line_in_the_section_of_another_model_does_not_count(repository: Path, release: Path, firmware: Path) -> None:
    firmware.write_text("[pi3]\ndtoverlay=pwm,pin=18,func=2\n[all]\ncamera_auto_detect=1\n")
    told = call(repository, release, "tell_firmware")
    assert "added: dtoverlay=pwm,pin=18,func=2\n" in told
    assert "camera_auto_detect" not in told


def test_lines_of_an_earlier_wiring_make_room_for_those_of_todays(
    repository: Path, release: Path, firmware: Path
) -> None:
    firmware.write_text(BEFORE + ADDED.replace("gpio_pin=4", "gpio_pin=21"))
    told = call(repository, release, "tell_firmware")
    assert "  added: dtoverlay=gpio-shutdown,gpio_pin=4\n  taken out: dtoverlay=gpio-shutdown,gpio_pin=21\n" in told
    assert firmware.read_text() == BEFORE + ADDED


def test_taking_the_program_away_takes_its_own_lines_only(repository: Path, release: Path, firmware: Path) -> None:
    firmware.write_text("dtoverlay=pwm,pin=18,func=2\n" + BEFORE)
    before = firmware.read_text() + "\n"
    call(repository, release, "tell_firmware")
    assert firmware.read_text() != before
    would = call(repository, release, "forget_firmware", dry=True)
    assert "  would take out: dtoverlay=gpio-shutdown,gpio_pin=4\n" in would
    assert "dtoverlay=pwm" not in would
    call(repository, release, "forget_firmware")
    assert firmware.read_text() == before


def test_half_a_pair_of_marks_takes_nothing_away(repository: Path, release: Path, firmware: Path) -> None:
    firmware.write_text("# undercup: begin\ngpu_mem=128\n")
    call(repository, release, "forget_firmware")
    assert "gpu_mem=128" in firmware.read_text()


def test_no_package_of_the_camera_comes_from_pip(repository: Path) -> None:
    pins = (repository / "constraints.txt").read_text().splitlines()
    assert not [pin for pin in pins if pin.startswith(("picamera2", "lgpio", "rpi"))]
    assert "python3-picamera2" in (repository / "systemd/install.sh").read_text()


@pytest.mark.parametrize(
    ("system", "told"),
    [
        ('ID=fedora\nVERSION_ID=41\nPRETTY_NAME="Fedora"\n', "here is fedora"),
        ('ID=debian\nVERSION_ID="11"\n', "knows Debian 12 and 13"),
        ("ID=debian\n", "here is one without a number"),
    ],
)
def test_another_system_is_refused_in_one_sentence(repository: Path, release: Path, system: str, told: str) -> None:
    release.write_text(system)
    refused = install(repository, release, "--dry-run")
    assert refused.returncode == 1
    assert told in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--sideways"], "there is no option --sideways"),
        (["--wheel"], "--wheel wants a file"),
        (["--dry-run", "--wheel", "/nowhere/undercup.whl"], "there is no wheel /nowhere/undercup.whl"),
        (["--purge"], "--purge goes with --uninstall only"),
        (["--name", "The Snug"], "a name in the network has small letters"),
    ],
)
def test_a_wrong_word_is_named(repository: Path, release: Path, words: list[str], told: str) -> None:
    refused = install(repository, release, *words)
    assert refused.returncode == 1
    assert told in refused.stderr


def test_there_is_no_way_back_before_a_second_release(repository: Path, release: Path) -> None:
    environment = {**os.environ, "UNDERCUP_HOME": str(release.parent)}
    command = ["sh", str(repository / "systemd/install.sh"), "--roll-back", "--dry-run"]
    refused = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "there is no release before this one" in refused.stderr


def test_the_journal_stays_when_the_program_goes(repository: Path, release: Path) -> None:
    kept = install(repository, release, "--uninstall", "--dry-run")
    assert "stay in /var/lib/undercup" in kept.stdout
    assert "rm -rf /var/lib/undercup" not in kept.stdout
    assert "rm -rf /var/lib/undercup" in install(repository, release, "--uninstall", "--purge", "--dry-run").stdout


def test_an_update_needs_the_clone_that_the_table_came_from(repository: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "UNDERCUP_HOME": str(tmp_path)}
    command = ["sh", str(repository / "systemd/update.sh")]
    refused = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "Run install.sh from a new one, or say --wheel FILE" in refused.stderr


def test_the_screen_opens_once_the_pages_answer(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "python3").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "chromium-browser").write_text('#!/bin/sh\necho "$@"\n')
    for path in tmp_path.iterdir():
        path.chmod(0o755)
    environment = {"PATH": str(tmp_path), "RUNTIME_DIRECTORY": "/run/undercup-screen"}
    command = ["/bin/sh", str(repository / "systemd/screen.sh")]
    words = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()
    assert words[-1] == "http://localhost/screen"
    assert "--kiosk" in words
    assert "--user-data-dir=/run/undercup-screen/profile" in words


def test_a_screen_without_a_browser_says_what_to_install(repository: Path, tmp_path: Path) -> None:
    command = ["/bin/sh", str(repository / "systemd/screen.sh")]
    told = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert "sudo apt-get install chromium" in told.stderr


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """Return a folder with a NetworkManager that writes down what it is asked, and knows one network."""
    manager = tmp_path / "nmcli"
    manager.write_text(
        "#!/bin/sh\n"
        f'echo "$@" >>{tmp_path}/asked\n'
        'case "$*" in *ssid*show*) echo "The; Snug" ;; *psk*show*) echo "bid:well" ;; *TYPE*) echo wifi ;; esac\n'
    )
    (tmp_path / "python").write_text('#!/bin/sh\necho "$3"\n')
    for path in (manager, tmp_path / "python"):
        path.chmod(0o755)
    return tmp_path


def hotspot(repository: Path, network: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Call hotspot.sh."""
    path = f"{network}:{os.environ['PATH']}"
    environment = {"PATH": path, "UNDERCUP_PYTHON": str(network / "python")}
    command = ["sh", str(repository / "systemd/hotspot.sh"), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_the_code_of_the_tables_own_network_quotes_what_phones_take_for_signs(repository: Path, network: Path) -> None:
    told = hotspot(repository, network, "show")
    assert told.stdout.splitlines()[-1] == r"WIFI:T:WPA;S:The\; Snug;P:bid\:well;;"


def test_a_sign_for_the_table_has_the_code_of_network_and_page(repository: Path, network: Path) -> None:
    (network / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    told = hotspot(repository, network, "sign", str(network / "sign.html"))
    assert told.returncode == 0, told.stderr
    page = (network / "sign.html").read_text()
    assert page.count("<svg") == 2
    assert "<b>bid:well</b>" in page
    assert "http://10.42.0.1/" in page


def test_the_tables_own_network_asks_for_what_gives_phones_their_addresses(repository: Path, network: Path) -> None:
    for name in ("sh", "tr", "head", "mkdir", "dirname", "grep", "cat"):
        (network / name).symlink_to(shutil.which(name) or name)
    environment = {"PATH": str(network), "UNDERCUP_PYTHON": str(network / "python")}
    command = ["sh", str(repository / "systemd/hotspot.sh"), "on", "--password", "long enough"]
    refused = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "sudo apt-get install dnsmasq-base" in refused.stderr


def test_a_password_too_short_for_wifi_is_refused(repository: Path, network: Path) -> None:
    refused = hotspot(repository, network, "on", "--password", "short")
    assert refused.returncode == 1
    assert "8 to 63 letters" in refused.stderr
    assert not (network / "asked").exists()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return a folder with a playing table's surroundings, which write down what is asked of them."""
    tools = {"id": "echo 0", "chown": "", "runuser": "pwd", "systemctl": ""}
    for name, does in tools.items():
        tool = tmp_path / name
        tool.write_text(f'#!/bin/sh\necho "{name} $@" >>{tmp_path}/asked\n{does}\n')
        tool.chmod(0o755)
    (tmp_path / "data").mkdir()
    return tmp_path


def at_table(repository: Path, table: Path, *words: str) -> list[str]:
    """Call table.sh and return what it asked for, but for the checks."""
    environment = {"PATH": f"{table}:{os.environ['PATH']}", "UNDERCUP_DATA": str(table / "data")}
    command = ["sh", str(repository / "systemd/table.sh"), *words]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert str(table / "data") in told.stdout.splitlines()
    lines = (table / "asked").read_text().splitlines()
    return [line for line in lines if line.startswith(("systemctl st", "runuser"))]


def test_a_command_that_needs_the_camera_puts_the_table_away_and_brings_it_back(repository: Path, table: Path) -> None:
    away, done, back = at_table(repository, table, "enrol", "my dice")
    assert (away, back) == ("systemctl stop undercup.service", "systemctl start undercup.service")
    assert done.startswith("runuser -u undercup -- env HOME=")
    assert done.endswith("/opt/undercup/current/bin/undercup enrol my dice")


@pytest.mark.parametrize("words", [["doctor"], ["backup", "--to", "/media/stick"], ["calibrate", "--help"]])
def test_a_command_that_needs_no_camera_lets_the_table_play_on(repository: Path, table: Path, words: list[str]) -> None:
    (done,) = at_table(repository, table, *words)
    assert done.startswith("runuser")


def test_a_copy_is_brought_back_while_the_table_is_away(repository: Path, table: Path) -> None:
    assert len(at_table(repository, table, "backup", "--restore", "copy.db")) == 3
