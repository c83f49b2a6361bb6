"""The doctor: what is said of a machine that has a known trouble, and what to do about it."""

import fnmatch
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from device import doctor_computer, doctor_software, doctor_table
from device.__main__ import main
from device.doctor import Finding, Level, Look, Machine, Part, as_json, as_page, examine, info, issue, ok, warning
from device.doctor_machine import ThisMachine
from device.journal import Draft, Journal
from device.sources import Frame, SourceBusy, SourceLost

PI = {"/proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0"}
EVENING = datetime(2025, 11, 28, 20, tzinfo=UTC).timestamp()


@dataclass
class Pretended:
    """A machine with the given files, programs, packages and broken modules, and nothing else."""

    data: Path = Path("/nowhere/undercup")
    files: dict[str, str] = field(default_factory=dict)
    programs: dict[str, str] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    disk: tuple[int, int] | None = (10_000_000_000, 30_000_000_000)
    writable: bool = True
    time: float = EVENING

    def read(self, path: str) -> str | None:
        return self.files.get(path)

    def names(self, pattern: str) -> list[str]:
        return sorted(fnmatch.filter(self.files, pattern))

    def run(self, *words: str) -> str | None:
        return next((said for start, said in self.programs.items() if " ".join(words).startswith(start)), None)

    def version(self, package: str) -> str | None:
        return self.packages.get(package)

    def failure(self, module: str) -> str | None:
        return self.broken.get(module)

    def room(self, folder: Path) -> tuple[int, int] | None:
        return self.disk

    def may_write(self, folder: Path) -> bool:
        return self.writable

    def setting(self, name: str) -> str:
        return self.settings.get(name, "")

    def now(self) -> float:
        return self.time


def only(look: Look, machine: Machine) -> Finding:
    """Return the one finding of a look."""
    (finding,) = look(machine)
    return finding


def test_every_bad_finding_says_what_to_do() -> None:
    with pytest.raises(ValueError, match="does not say what to do"):
        Finding("clock", Level.WARNING, "It is 1970")


@pytest.mark.parametrize(
    ("findings", "status"),
    [
        ([ok("a", "fine")], 0),
        ([ok("a", "fine"), info("b", "by the way")], 0),
        ([info("b", "by the way"), warning("c", "hm", "look")], 1),
        ([issue("d", "broken", "mend"), warning("c", "hm", "look")], 2),
        ([], 0),
    ],
)
def test_the_exit_status_is_that_of_the_worst_finding(findings: list[Finding], status: int) -> None:
    def look(_: Machine) -> Iterator[Finding]:
        yield from findings

    report = examine(Pretended(), [Part("part", (look,))])
    assert report.status == status
    assert json.loads(as_json(report))["status"] == status


def test_the_page_names_the_worst_first_and_says_what_to_do() -> None:
    def look(_: Machine) -> Iterator[Finding]:
        yield warning("heat", "72 °C", "Give it air.")
        yield issue("journal", "It is damaged", "Bring a copy back.")

    page = as_page(examine(Pretended(), [Part("table", (look,))]))
    assert "  ISSUE    journal        It is damaged\n           do: Bring a copy back.\n" in page
    assert page.endswith("1 to mend before playing, 1 to look at: journal, heat.")


def test_a_look_that_breaks_does_not_hide_the_others() -> None:
    def broken(_: Machine) -> Iterator[Finding]:
        yield ok("first", "fine")
        raise KeyError("MemTotal")

    def whole(_: Machine) -> Iterator[Finding]:
        yield ok("last", "fine")

    report = examine(Pretended(), [Part("part", (broken, whole))])
    assert [finding.name for finding in report.findings] == ["first", "broken", "last"]
    assert report.status == 1


def test_numpy_1_under_an_opencv_that_wants_2_is_named_with_its_remedy() -> None:
    machine = Pretended(packages={"numpy": "1.26.4", "opencv-python": "5.0.0.93"})
    found = only(doctor_software.numpy_and_kin, machine)
    assert found.level is Level.ISSUE
    assert "wants numpy 2" in found.says
    assert "opencv-python 4.10.0.84 with numpy 1.26.4" in found.do


def test_debian_12s_own_pair_of_numpy_and_opencv_is_right() -> None:
    machine = Pretended(packages={"numpy": "1.26.4", "opencv-python": "4.10.0.84"})
    assert only(doctor_software.numpy_and_kin, machine).level is Level.OK


@pytest.mark.parametrize(
    ("why", "remedy"),
    [
        ("ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96", "'numpy<2'"),
        ("ModuleNotFoundError: No module named 'libcamera'", "apt-get install python3-libcamera"),
        ("ModuleNotFoundError: No module named 'picamera2'", "--system-site-packages"),
    ],
)
def test_a_pi_whose_picamera2_does_not_load_is_told_the_known_remedy(why: str, remedy: str) -> None:
    found = only(doctor_software.picamera2, Pretended(files=PI, broken={"picamera2": why}))
    assert found.level is Level.ISSUE
    assert remedy in found.do


def test_a_laptop_need_not_have_picamera2() -> None:
    assert only(doctor_software.picamera2, Pretended(broken={"picamera2": "No module"})).level is Level.INFO


def test_two_opencvs_in_one_venv_are_an_issue() -> None:
    machine = Pretended(packages={"opencv-python": "5.0.0.93", "opencv-python-headless": "5.0.0.93"})
    found = only(doctor_software.opencv, machine)
    assert found.level is Level.ISSUE
    assert "overwrite each other" in found.says


@pytest.mark.parametrize(
    ("why", "remedy"),
    [
        ("ImportError: libGL.so.1: cannot open shared object file", "apt-get install libgl1"),
        ("ImportError: numpy.core.multiarray failed to import", "different numpy releases"),
        ("ImportError: something else", "Install it again"),
    ],
)
def test_an_opencv_that_does_not_load_is_told_why(why: str, remedy: str) -> None:
    assert remedy in only(doctor_software.opencv, Pretended(broken={"cv2": why})).do


def test_an_opencv_too_old_for_the_reader_is_an_issue() -> None:
    found = only(doctor_software.opencv, Pretended(packages={"opencv-python": "4.6.0.66"}))
    assert found.level is Level.ISSUE


@pytest.mark.parametrize(
    ("bits", "levels", "word"),
    [
        ("throttled=0x0", [Level.OK], "Never too weak"),
        ("throttled=0x50005", [Level.ISSUE, Level.WARNING], "supply voltage is too low"),
        ("throttled=0x50000", [Level.WARNING, Level.WARNING], "Since the start it happened that the supply voltage"),
        ("throttled=0x80008", [Level.WARNING], "limit of heat"),
    ],
)
def test_a_weak_supply_and_heat_are_told_apart(bits: str, levels: list[Level], word: str) -> None:
    found = list(doctor_computer.power(Pretended(files=PI, programs={"vcgencmd get_throttled": bits})))
    assert [finding.level for finding in found] == levels
    assert word in found[0].says


@pytest.mark.parametrize(
    ("temperature", "level"), [("48312", Level.OK), ("71000", Level.WARNING), ("82500", Level.ISSUE)]
)
def test_heat_is_told_in_degrees(temperature: str, level: Level) -> None:
    machine = Pretended(files={"/sys/class/thermal/thermal_zone0/temp": temperature})
    assert only(doctor_computer.heat, machine).level is level


def test_a_machine_without_a_thermometer_is_not_asked() -> None:
    assert list(doctor_computer.heat(Pretended())) == []


@pytest.mark.parametrize(
    ("free", "level"), [(5_000_000_000, Level.OK), (500_000_000, Level.WARNING), (50_000_000, Level.ISSUE)]
)
def test_a_disk_that_fills_up_is_noticed_in_time(free: int, level: Level) -> None:
    assert only(doctor_computer.disk, Pretended(disk=(free, 8_000_000_000))).level is level


@pytest.mark.parametrize(
    ("mount", "level"),
    [("overlay / overlay rw 0 0", Level.INFO), ("/dev/mmcblk0p2 / ext4 ro,noatime 0 0", Level.WARNING)],
)
def test_a_root_that_became_read_only_is_not_taken_for_one_that_was_made_so(mount: str, level: Level) -> None:
    _, root = doctor_computer.disk(Pretended(files={"/proc/mounts": f"proc /proc proc rw 0 0\n{mount}"}))
    assert root.level is level


def test_little_memory_is_a_warning() -> None:
    machine = Pretended(files={"/proc/meminfo": "MemTotal: 500000 kB\nMemAvailable: 80000 kB"})
    assert only(doctor_computer.memory, machine).level is Level.WARNING


def test_a_card_tells_its_make_and_what_was_written_and_flash_its_wear() -> None:
    sd = "/sys/block/mmcblk0/device"
    machine = Pretended(
        files={
            "/sys/block/mmcblk0": "",
            f"{sd}/type": "SD",
            f"{sd}/name": "SD32G",
            f"{sd}/date": "05/2023",
            "/sys/fs/ext4/mmcblk0p2/lifetime_write_kbytes": "250000000",
        }
    )
    assert only(doctor_computer.card, machine).says.startswith("SD32G of 05/2023, 250 GB written")
    machine.files |= {f"{sd}/type": "MMC", f"{sd}/life_time": "0x02 0x0A"}
    worn = only(doctor_computer.card, machine)
    assert (worn.level, "worn to 100 %" in worn.says) == (Level.WARNING, True)


def test_errors_of_the_file_system_mean_a_new_card() -> None:
    found = only(doctor_computer.card, Pretended(files={"/sys/fs/ext4/mmcblk0p2/errors_count": "3"}))
    assert (found.level, "new card" in found.do) == (Level.WARNING, True)


def test_a_clock_that_was_never_set_is_named() -> None:
    found = only(doctor_computer.clock, Pretended(time=3600.0))
    assert found.level is Level.WARNING
    assert "1970-01-01 01:00 UTC" in found.says


def test_a_clock_without_a_network_is_no_trouble() -> None:
    assert only(doctor_computer.clock, Pretended(programs={"timedatectl show": "no"})).level is Level.INFO


def test_phones_need_an_address() -> None:
    link = json.dumps([{"ifname": "wlan0", "addr_info": [{"family": "inet", "local": "192.168.4.1"}]}])
    reached = Pretended(programs={"ip -json -4": link})
    assert only(doctor_computer.network, reached).says == "192.168.4.1"
    alone = only(doctor_computer.network, Pretended(programs={"ip -json -4": "[]", "ip -json link": "[]"}))
    assert (alone.level, "undercup-hotspot on" in alone.do) == (Level.WARNING, True)


def test_a_bad_line_of_the_configuration_is_named(tmp_path: Path) -> None:
    (tmp_path / "undercup.toml").write_text("[web]\nprot = 80\n")
    found = only(doctor_table.configuration, Pretended(data=tmp_path))
    assert found.level is Level.ISSUE
    assert "line 2" in found.says


def test_a_folder_that_cannot_be_written_is_an_issue() -> None:
    assert only(doctor_table.folder, Pretended(writable=False)).level is Level.ISSUE


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """Return a data folder with the journal of a game."""
    with closing(Journal(tmp_path / "journal.db")) as journal:
        journal.append([Draft("begin", "one-cup ann bob")] * 400, 1)
    return tmp_path


def test_a_whole_journal_is_counted(played: Path) -> None:
    found = only(doctor_table.journal, Pretended(data=played))
    assert (found.level, found.says.startswith("400 entries")) == (Level.OK, True)


def test_a_damaged_journal_is_an_issue_and_names_the_way_back(played: Path) -> None:
    path = played / "journal.db"
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xa5" * 8192 + whole[12288:])
    found = only(doctor_table.journal, Pretended(data=played))
    assert found.level is Level.ISSUE
    assert "undercup backup --restore" in found.do


def test_a_journal_of_a_newer_release_is_not_called_damaged(played: Path) -> None:
    with closing(sqlite3.connect(played / "journal.db")) as database:
        database.execute("pragma user_version = 999")
    assert "newer Undercup" in only(doctor_table.journal, Pretended(data=played)).says


def test_a_journal_that_was_set_aside_is_remembered(played: Path) -> None:
    (played / "journal-damaged-20251128-200000.db").touch()
    _, aside = doctor_table.journal(Pretended(data=played))
    assert (aside.level, "journal-damaged-20251128-200000.db" in aside.says) == (Level.WARNING, True)


def test_a_table_that_was_installed_today_has_missed_no_night(played: Path) -> None:
    key = played / "cookie-key"
    key.write_text("0" * 64)
    today = key.stat().st_mtime
    timer = {"systemctl is-enabled undercup-backup.timer": "enabled"}
    assert only(doctor_table.copies, Pretended(data=played, programs=timer, time=today + 60)).level is Level.OK
    later = today + 4 * 86400
    assert only(doctor_table.copies, Pretended(data=played, programs=timer, time=later)).level is Level.WARNING


def test_missed_nights_are_noticed_where_copies_are_made_by_themselves(played: Path) -> None:
    timer = {"systemctl is-enabled undercup-backup.timer": "enabled"}
    assert only(doctor_table.copies, Pretended(data=played, programs=timer)).level is Level.WARNING
    assert only(doctor_table.copies, Pretended(data=played)).level is Level.INFO
    (played / "backups").mkdir()
    copied = played / "backups/journal-2025-11-28.db"
    copied.touch()
    last_night = copied.stat().st_mtime + 80_000
    assert only(doctor_table.copies, Pretended(data=played, programs=timer, time=last_night)).level is Level.OK


class Lens:
    """A camera that gives one picture, or trouble."""

    name = "a lens"

    def __init__(self, grey: int = 120, trouble: Exception | None = None) -> None:
        self.grey, self.trouble, self.closed = grey, trouble, False

    def open(self) -> None:
        if self.trouble:
            raise self.trouble

    def read(self, timeout: float) -> Frame:
        metadata = {"ExposureTime": 5000, "LensPosition": 6.0}
        return Frame(np.full((120, 160, 3), self.grey, np.uint8), 0.0, metadata)

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("lens", "level", "word"),
    [
        (Lens(), Level.OK, "160 x 120, brightness 120 of 255, sharpness 0, exposure 5000 us, focus 6.0"),
        (Lens(2), Level.WARNING, "dark"),
        (Lens(254), Level.WARNING, "glaring"),
        (Lens(trouble=SourceBusy("python3 (812) holds it")), Level.INFO, "python3 (812)"),
        (Lens(trouble=SourceLost("No camera answers")), Level.ISSUE, "No camera answers"),
    ],
)
def test_one_frame_tells_how_the_camera_is_and_the_camera_is_let_go(lens: Lens, level: Level, word: str) -> None:
    (found,) = doctor_table.camera(Pretended(), lambda _: lens)
    assert (found.level, word in found.says) == (level, True)
    assert lens.closed


def test_no_camera_is_no_fault() -> None:
    (found,) = doctor_table.camera(Pretended(), lambda _: None)
    assert found.level is Level.INFO


def test_a_camera_that_nobody_can_mean_is_an_issue(tmp_path: Path) -> None:
    (tmp_path / "undercup.toml").write_text('[tray]\ncamera = "telescope"\n')
    found = only(doctor_table.camera, Pretended(data=tmp_path))
    assert (found.level, "no camera 'telescope'" in found.says) == (Level.ISSUE, True)


@pytest.mark.parametrize(
    ("wanted", "name"),
    [("pi", "Raspberry Pi camera 0"), ("usb:2", "webcam 2"), ("none", None)],
)
def test_the_camera_of_the_configuration_is_the_one_looked_at(tmp_path: Path, wanted: str, name: str | None) -> None:
    (tmp_path / "undercup.toml").write_text(f'[tray]\ncamera = "{wanted}"\n')
    found = doctor_table.source(Pretended(data=tmp_path))
    assert (found.name if found else None) == name


@pytest.mark.parametrize(
    ("machine", "level", "word"),
    [
        (Pretended(), Level.INFO, "No pins here"),
        (Pretended(files=PI, broken={"lgpio": "No module named 'lgpio'"}), Level.ISSUE, "lgpio does not load"),
        (Pretended(files=PI), Level.ISSUE, "no /dev/gpiochip"),
        (Pretended(files=PI | {"/dev/gpiochip0": ""}, packages={"gpiozero": "2.0.1"}), Level.ISSUE, "a Pi 5"),
        (Pretended(files=PI | {"/dev/gpiochip0": ""}, packages={"gpiozero": "2.0.1.post3"}), Level.OK, "lgpio"),
        (
            Pretended(files=PI | {"/dev/gpiochip0": ""}, settings={"GPIOZERO_PIN_FACTORY": "mock"}),
            Level.WARNING,
            "pretended",
        ),
    ],
)
def test_pins_that_cannot_be_driven_are_told_with_their_reason(machine: Pretended, level: Level, word: str) -> None:
    found = only(doctor_table.gpio, machine)
    assert (found.level, word in found.says) == (level, True)


def test_the_file_of_pins_of_this_release_has_no_clash() -> None:
    assert only(doctor_table.pins, Pretended()).level is Level.OK


def test_the_doors_of_this_machine_answer_without_raising(tmp_path: Path) -> None:
    machine = ThisMachine(tmp_path / "not" / "yet")
    assert machine.read("/nowhere") is None
    assert machine.run("no-such-program") is None
    assert machine.run("false") is None
    assert machine.version("no-such-package") is None
    assert machine.failure("json") is None
    assert machine.failure("no_such_module") == "ModuleNotFoundError: No module named 'no_such_module'"
    assert machine.may_write(machine.data)
    room = machine.room(machine.data)
    assert room is not None
    assert 0 < room[0] <= room[1]


def test_the_command_prints_json_for_one_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["doctor", "--data", str(tmp_path), "--json", "--part", "table"])
    told = json.loads(capsys.readouterr().out)
    assert told["status"] == status == 0
    assert [finding["name"] for finding in told["parts"]["table"]] == [
        "configuration",
        "folder",
        "journal",
        "copies",
        "dice",
    ]


def test_the_page_of_the_whole_machine_ends_with_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "undercup.toml").write_text('[tray]\ncamera = "none"\n')
    main(["doctor", "--data", str(tmp_path)])
    page = capsys.readouterr().out
    for part in ("Software", "Computer", "Camera", "Console", "Network", "Table"):
        assert f"{part}\n" in page
    assert "broke" not in page


def test_a_voice_that_espeak_does_not_have_is_named(tmp_path: Path) -> None:
    (tmp_path / "undercup.toml").write_text("[sound]\nlanguage = 'ghost'\n")
    programs = {"espeak-ng --version": "eSpeak NG 1.51", "espeak-ng -q -v en-gb": ""}
    found = only(doctor_software.voice, Pretended(data=tmp_path, programs=programs))
    assert (found.level, "'ghost'" in found.says, "[sound] language" in found.do) == (Level.WARNING, True, True)
    assert only(doctor_software.voice, Pretended(programs=programs)).level is Level.OK


def test_without_espeak_it_is_said_how_to_get_it() -> None:
    found = only(doctor_software.voice, Pretended())
    assert found.level is Level.INFO
    assert "apt-get install espeak-ng" in found.do


@pytest.mark.parametrize(
    ("programs", "level", "words"),
    [
        ({}, Level.INFO, "silent"),
        ({"aplay -l": ""}, Level.INFO, "silent"),
        ({"aplay -l": "**** List ****\ncard 1: UACDemo [UACDemo], device 0: USB Audio"}, Level.OK, "card 1: UACDemo"),
    ],
)
def test_a_loudspeaker_is_looked_for(programs: dict[str, str], level: Level, words: str) -> None:
    found = only(doctor_software.loudspeaker, Pretended(programs=programs))
    assert (found.level, words in found.says) == (level, True)
