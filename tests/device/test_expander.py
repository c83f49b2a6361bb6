"""Pods on the expander: a pretended MCP23017 with the datasheet's registers, pressed by fingers and read by polling."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from device import doctor_table
from device.console import Edge, Panel, Touch, mock_pins
from device.console_desk import Console
from device.console_seats import ConsoleSeats
from device.doctor import Level
from device.expander import Expander, WithPods
from device.fitting import fit_console
from device.i2c import answers, trouble
from device.pins import Pins, packaged_pins, parse_pins
from device.simulator import Simulator
from device.simulator_console import SimulatedConsole
from device.simulator_expander import SimulatedExpander
from tests.device.evening import Evening
from tests.device.test_doctor import PI, Pretended

TEXT = packaged_pins().read_text(encoding="utf-8")


def fitted(*seats: int) -> str:
    """Return the packaged pins file with the expander and the pods of `seats` fitted."""
    before, _, after = TEXT.partition("[expander]")
    text = before + "[expander]" + after.replace("fitted = false", "fitted = true", 1)
    for seat in seats:
        text = text.replace(f"seat = {seat}\nfitted = false", f"seat = {seat}\nfitted = true")
    return text


class Bench:
    """An expander with the pods of seats 3 and 4 on its bus, and a clock that stands still."""

    def __init__(self) -> None:
        self.pins: Pins = parse_pins(fitted(3, 4))
        self.chip = SimulatedExpander(0x20)
        self.edges: list[Edge] = []
        self.expander = Expander(self.pins, self.edges.append, bus=lambda: self.chip, clock=lambda: 7.0)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_only_the_far_pods_have_buttons_here(bench: Bench) -> None:
    assert bench.expander.buttons == ("accept 3", "challenge 3", "accept 4", "challenge 4")


def test_a_press_is_told_once_and_so_is_letting_go(bench: Bench) -> None:
    bench.expander.step()
    bench.chip.press("A3", True)
    bench.expander.step()
    bench.expander.step()
    assert bench.edges == [Edge("challenge 4", True, 7.0)]
    bench.chip.press("A3", False)
    bench.expander.step()
    assert bench.edges[1:] == [Edge("challenge 4", False, 7.0)]


def test_a_button_that_is_down_at_the_start_is_told(bench: Bench) -> None:
    bench.chip.press("A0", True)
    bench.expander.step()
    assert bench.edges == [Edge("accept 3", True, 7.0)]


def test_the_lamp_of_the_seat_at_turn_is_lit_and_no_other(bench: Bench) -> None:
    bench.expander.light({1, 4})
    bench.expander.step()
    assert (bench.chip.lit("A7"), bench.chip.lit("B7")) == (False, True)
    bench.expander.light({3})
    bench.expander.step()
    assert (bench.chip.lit("A7"), bench.chip.lit("B7")) == (True, False)


def test_lines_that_no_pod_uses_are_left_listening(bench: Bench) -> None:
    bench.expander.light({3, 4})
    bench.expander.step()
    assert [line for line in ("A1", "A5", "B0", "B4", "B6") if bench.chip.lit(line)] == []
    bench.chip.press("A5", True)
    bench.expander.step()
    assert bench.edges == []


def test_a_chip_whose_banks_another_program_has_parted_is_set_right(bench: Bench) -> None:
    bench.chip.write_byte_data(0x20, 0x0A, 0x80)
    bench.expander.step()
    bench.chip.press("A1", True)
    bench.expander.step()
    assert bench.edges == [Edge("challenge 3", True, 7.0)]


def test_a_chip_that_is_pulled_is_told_once_and_its_buttons_come_up(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    bench.chip.press("A0", True)
    bench.expander.step()
    bench.chip.unplug()
    with caplog.at_level(logging.WARNING):
        assert [bench.expander.step() for _ in range(3)] == [False, False, False]
    assert bench.edges == [Edge("accept 3", True, 7.0), Edge("accept 3", False, 7.0)]
    assert [record.getMessage() for record in caplog.records] == [trouble(0x20, OSError(121, "Remote I/O error"))]


def test_a_chip_that_comes_back_gets_its_settings_and_its_lamps_anew(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    bench.expander.light({4})
    bench.expander.step()
    bench.chip.unplug()
    bench.expander.step()
    bench.chip.plug()
    assert not bench.chip.lit("B7")
    with caplog.at_level(logging.WARNING):
        assert bench.expander.step()
    assert "answers again" in caplog.text
    assert bench.chip.lit("B7")


def test_a_dip_of_the_supply_between_two_looks_is_healed(bench: Bench) -> None:
    bench.expander.light({4})
    bench.expander.step()
    bench.chip.plug()  # power-on anew, and nobody noticed
    bench.chip.press("A2", True)
    bench.expander.step()
    assert bench.chip.lit("B7")
    assert bench.edges == [Edge("accept 4", True, 7.0)]


def test_closing_leaves_the_lamps_dark(bench: Bench) -> None:
    bench.expander.light({3, 4})
    bench.expander.step()
    bench.expander.close()
    assert (bench.chip.lit("A7"), bench.chip.lit("B7")) == (False, False)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(2, "No such file or directory"), "dtparam=i2c_arm=on"),
        (PermissionError(13, "Permission denied"), "group i2c"),
        (ImportError("No module named 'smbus2'"), "pip install smbus2"),
        (OSError(121, "Remote I/O error"), "nothing answers at 0x20 (Remote I/O error)"),
    ],
)
def test_every_trouble_of_the_bus_says_what_to_do(error: Exception, words: str) -> None:
    assert words in trouble(0x20, error)
    assert "Phones work." in trouble(0x20, error)


# --- the doctor ---------------------------------------------------------------------------------------------------


def machine(data: Path, *seats: int) -> Pretended:
    """Return a Pi whose table has its own pins file with the pods of `seats` on the expander."""
    (data / "pins.toml").write_text(fitted(*seats), encoding="utf-8")
    return Pretended(data=data, files=PI)


def test_the_doctor_says_that_the_expander_is_missing_and_what_to_do(tmp_path: Path) -> None:
    chip = SimulatedExpander(0x27)  # its address pins are soldered otherwise
    (finding,) = doctor_table.expander(machine(tmp_path, 3), lambda address: answers(address, lambda: chip))
    assert finding.level is Level.WARNING
    assert "nothing answers at 0x20" in finding.says
    assert "i2cdetect" in finding.do


def test_the_doctor_finds_an_expander_that_answers_and_names_its_seats(tmp_path: Path) -> None:
    chip = SimulatedExpander(0x20)
    (finding,) = doctor_table.expander(machine(tmp_path, 3, 5), lambda address: answers(address, lambda: chip))
    assert (finding.level, finding.says) == (Level.OK, "MCP23017 at 0x20, pods of seats 3, 5")


def test_the_doctor_asks_no_expander_on_which_no_pod_hangs(tmp_path: Path) -> None:
    assert list(doctor_table.expander(machine(tmp_path))) == []


def test_the_doctor_checks_the_tables_own_pins_file(tmp_path: Path) -> None:
    (tmp_path / "pins.toml").write_text(TEXT.replace("accept = 5", "accept = 6", 1), encoding="utf-8")
    (finding,) = doctor_table.pins(Pretended(data=tmp_path))
    assert finding.level is Level.ISSUE
    assert str(tmp_path / "pins.toml") in finding.says


# --- at a table ---------------------------------------------------------------------------------------------------


class Pub(Evening):
    """An evening with the pods of seats 1, 2 on the header and of seat 3 on the expander; the console is stepped."""

    def open(self) -> None:
        super().open()
        self.now = 0.0
        pins, factory, self.chip = parse_pins(fitted(1, 2, 3)), mock_pins(), SimulatedExpander(0x20)
        self.console = Console(ConsoleSeats(self.table), clock=lambda: self.now)
        self.expander = Expander(pins, self._touched, bus=lambda: self.chip, clock=lambda: self.now)
        self.console.fit(WithPods(Panel(pins, self._touched, factory=factory), self.expander))
        self.fingers = SimulatedConsole(pins, factory, lambda: self.console.display.lines(), self.chip)

    def close(self) -> None:
        self.console.stop()
        super().close()

    def _touched(self, touch: Touch) -> None:
        """Give a touch the test's own time: mock pins stamp the computer's."""
        self.console.put(Edge(touch.button, touch.down, self.now) if isinstance(touch, Edge) else touch)

    def press(self, button: str) -> None:
        for action in ("press", "release"):
            self.now += 1
            assert self.fingers.act(action, {"button": button}) is None
            self.expander.step()
            self.console.work()


@pytest.fixture
def pub(tmp_path: Path) -> Iterator[Pub]:
    pub = Pub(tmp_path)
    yield pub
    pub.close()


def test_pods_of_header_and_expander_play_together(pub: Pub) -> None:
    pub.begins("Ann", "Bob", "Cleo", start="Bob")
    pub.offers("Bob", "KKT9A", "a pair")
    pub.console.work()
    pub.expander.step()
    assert pub.fingers.look()["pods"] == {"1": False, "2": False, "3": True}
    pub.press("accept 3")
    assert pub.record[-1] == "Cleo accepts"


def test_a_pod_on_the_expander_challenges_for_its_own_seat(pub: Pub) -> None:
    pub.begins("Ann", "Bob", "Cleo", start="Bob")
    pub.offers("Bob", "KKT9A", "a pair")
    pub.press("challenge 3")
    assert "Cleo challenges" in pub.record


def test_the_console_that_a_table_fits_listens_to_its_expander(tmp_path: Path) -> None:
    (tmp_path / "pins.toml").write_text(fitted(3), encoding="utf-8")
    evening, tray = Evening(tmp_path), Simulator()
    with ExitStack() as hours:
        hours.callback(evening.close)
        assert fit_console(evening.table, tmp_path, tray, hours) is None
        evening.begins("Ann", "Bob", "Cleo", start="Bob")
        evening.offers("Bob", "KKT9A", "a pair")
        version = evening.table.snapshot(None).version
        assert tray.act("press", {"button": "accept 3"}) is None
        while version and evening.record[-1] != "Cleo accepts":
            assert evening.table.wait(version, 30) > version
            version = evening.table.snapshot(None).version


def test_a_console_whose_expander_is_missing_plays_on_with_what_hangs_on_the_header(pub: Pub) -> None:
    pub.chip.unplug()
    pub.begins("Ann", "Bob", "Cleo", start="Cleo")
    pub.offers("Cleo", "KKT9A", "a pair")
    pub.press("accept 3")
    assert pub.record[-1] == "Cleo says a pair"
    pub.press("accept 1")
    assert pub.record[-1] == "Ann accepts"
