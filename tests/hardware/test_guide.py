"""The guide, the bill of materials, the pins and the drawings say the same."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from device.firmware import firmware_lines
from device.pins import BUTTONS, load_pins, packaged_pins, physical
from hardware.box.panels import panels
from hardware.box.parameters import HERE, builds
from hardware.box.parts import PRINTED
from hardware.box.small import POD_BUTTONS, bar_screws, pod_posts
from hardware.guide import wiring
from hardware.guide.section import section
from hardware.guide.tables import MARK, TABLES, bom, made

README = (HERE / "README.md").read_text(encoding="utf-8")
WRITTEN = " ".join(MARK.sub("", README).split())  # without what is made, unwrapped
ROWS = {row.part: row for row in bom()}
PINS = load_pins(HERE / "pins.toml")


def test_the_guides_tables_are_those_that_would_be_made_now() -> None:
    """Whoever changes pins, parameters or parts runs `make -C hardware guide`."""
    assert made(README) == README
    assert sorted(match[1] for match in MARK.finditer(README)) == sorted(TABLES)


@pytest.mark.parametrize("build", builds(), ids=lambda build: build.name)
def test_the_sections_are_those_that_would_be_drawn_now(build: object) -> None:
    """The committed drawings follow the parameters."""
    name = f"section-{build.name}.svg"  # type: ignore[attr-defined]
    assert (HERE / "pictures" / name).read_text(encoding="utf-8") == section(build)  # type: ignore[arg-type]


def test_the_program_reads_the_very_file_that_the_guide_shows() -> None:
    """One source: the packaged pins file is the one in hardware/."""
    assert packaged_pins().read_bytes() == (HERE / "pins.toml").read_bytes()


@pytest.mark.parametrize("part", ROWS)
def test_every_part_that_is_bought_is_used_somewhere_in_the_guide(part: str) -> None:
    """In the written text, not only in the shopping list."""
    short = re.sub(r" (sheet|with nut)$", "", part).removeprefix("screw ")
    assert short.lower() in WRITTEN.lower()


def test_every_part_has_a_reason_a_number_and_a_substitute() -> None:
    """A shopping list that one can argue with."""
    assert len(ROWS) == len(bom())
    for row in ROWS.values():
        assert row.quantity > 0
        assert row.why
        assert row.substitutes


def test_no_prices_are_named() -> None:
    """They age."""
    assert not re.search(r"[€$£]|\bEUR\b|\bUSD\b", README + (HERE / "bom.csv").read_text(encoding="utf-8"))


def test_there_is_a_part_for_every_wire_and_a_wire_for_every_part() -> None:
    """What `pins.toml` wires is on the list, and what the list says it serves is wired."""
    wired = {"pod" if wire.part.startswith("pod") else wire.part for wire in PINS.wires} | {"oled", "expander"}
    served = {name for row in ROWS.values() for name in row.serves}
    assert wired - {"i2c"} == served - {"fan"}


def test_a_part_is_optional_on_the_list_if_the_pins_may_leave_it_out() -> None:
    """Optional here, optional there."""
    for name in ("buttons", "status", "light"):
        assert any(row.needed for row in ROWS.values() if name in row.serves)
    for name in ("mute", "shutdown", "encoder", "buzzer", "oled", "expander", "pod"):
        assert not any(row.needed for row in ROWS.values() if name in row.serves)


def test_numbers_on_the_list_follow_pins_and_drawings() -> None:
    """Buttons, resistors, MOSFETs, screws and inserts are counted from what they serve."""
    assert ROWS["arcade button 30 mm"].quantity == len(BUTTONS)
    pods = next(part.quantity for part in PRINTED if part.name == "pod_case")
    assert ROWS["resistor 330 ohm"].quantity == len([wire for wire in PINS.wires if wire.part == "status"]) + pods
    assert ROWS["arcade button 24 mm"].quantity == len(POD_BUTTONS) * pods
    assert ROWS["LED 5 mm"].quantity == ROWS["pod cable"].quantity == pods
    assert ROWS["MOSFET board"].quantity == len(ROWS["MOSFET board"].serves)
    assert ROWS["blade terminals"].quantity == 2 * (len(BUTTONS) + len(POD_BUTTONS) * pods)
    assert ROWS["rubber feet"].quantity == 4 * (2 + pods)
    blocks = next(part.quantity for part in PRINTED if part.name == "corner_block")
    assert ROWS["screw M3x10"].quantity == 8 * 2 + (blocks - 8) + len(pod_posts(builds()[0])) * pods
    assert ROWS["screw M3x20 with nut"].quantity == 4 + (blocks - 8)
    assert ROWS["heat-set insert M3"].quantity == ROWS["screw M3x30"].quantity == 4
    assert ROWS["screw M4x16 with nut"].quantity == 2 * next(part.quantity for part in PRINTED if part.name == "ear")
    camera_and_pi = (ROWS["screw M2x8"].quantity, ROWS["standoff M2.5x5"].quantity)
    assert camera_and_pi == (4 + len(bar_screws(builds()[0])), 4)


def test_the_list_has_sheets_enough_for_the_largest_build() -> None:
    """The table of sizes names the number for each."""
    sheets = [int(row.rsplit("|", 2)[1]) for row in TABLES["sizes"]().splitlines()[2:]]
    assert ROWS["plywood sheet"].quantity == max(sheets)


def test_wires_of_the_table_are_those_of_the_pins_file() -> None:
    """A row for each wire, with GPIO and header pin."""
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in wiring.table(PINS).splitlines()[2:]]
    assert len(rows) == len(PINS.wires)
    assert {len(row) for row in rows} == {7}
    for row, wire in zip(rows, PINS.wires, strict=True):
        if wire.gpio is not None:
            assert (int(row[2]), int(row[3])) == (wire.gpio, physical(wire.gpio))
        else:
            assert row[2] == f"expander {wire.line}"


def test_the_diagrams_cables_join_pins_and_parts_one_to_one() -> None:
    """Each cable has as many wires as pins at either end, and every fitted GPIO is drawn once."""
    diagram = wiring.diagram(PINS)
    header = diagram["connectors"]["Raspberry Pi"]
    label = dict(zip(header["pins"], header["pinlabels"], strict=True))
    drawn: list[str] = []
    for near, cable, far in diagram["connections"]:
        (pins,), (wires,), ((part, places),) = near.values(), cable.values(), far.items()
        assert len(pins) == len(wires) == len(places) == len(diagram["connectors"][part]["pinlabels"])
        assert len(diagram["cables"][next(iter(cable))]["colors"]) == len(wires)
        drawn += [label[pin] for pin in pins if label[pin].startswith("GPIO")]
    assert sorted(drawn) == sorted(f"GPIO {wire.gpio}" for wire in PINS.wires if wire.fitted and wire.gpio is not None)


def test_the_committed_diagram_shows_the_wires_of_the_pins_file() -> None:
    """Its texts name every GPIO, header pin and part that would be drawn now."""
    drawing = ElementTree.parse(HERE / "pictures" / "wiring.svg")
    texts = {"".join(node.itertext()).strip() for node in drawing.iter("{http://www.w3.org/2000/svg}text")}
    header = wiring.diagram(PINS)["connectors"]["Raspberry Pi"]
    assert set(header["pinlabels"]) <= texts
    assert {str(pin) for pin in header["pins"]} <= texts
    assert {wiring.harness(wire).title for wire in PINS.wires if wire.fitted} <= texts
    assert {text for text in texts if text.startswith("GPIO")} == {n for n in header["pinlabels"] if "GPIO" in n}


def test_overlays_in_the_guide_name_the_pins_of_the_pins_file() -> None:
    """The lines for config.txt are those that install.sh would add for a table with everything fitted."""
    everything = replace(PINS, oled=0x3C, expander=0x20)
    assert "```\n" + "\n".join(firmware_lines(everything)) + "\n```" in README


def test_measures_in_the_text_are_those_of_the_parameters() -> None:
    """Where a sentence names a number, the parameters have it."""
    build = builds()[0]
    ear, sled = build.of("ear"), build.of("sled")
    thinnest, thickest = ear.table - ear.slot / 2, ear.table + ear.slot / 2
    assert f"tops of {thinnest:.0f} to {thickest:.0f} mm" in WRITTEN
    assert f"lower the sled (up to {sled.travel / 2:.0f} mm)" in WRITTEN
    assert f"lens stands {build.of('deck').lens_above:.0f} mm out of the deck" in WRITTEN
    edge = build.wall_top - (build.of("light").top + build.of("light").shell)
    assert f"upper edge {edge:.0f} mm below the walls' upper edge" in WRITTEN


def test_every_picture_of_the_guide_is_there_and_described() -> None:
    """With words for those who cannot see it."""
    shown = re.findall(r"!\[(.*?)\]\((pictures/.*?)\)", README)
    assert len(shown) >= 8
    for words, path in shown:
        assert len(words) > 20
        assert (HERE / path).stat().st_size < 100_000
    rendered = {f"pictures/{path.name}" for path in (HERE / "pictures").glob("*.png")}
    assert rendered <= {path for _, path in shown}


def test_every_cut_and_printed_part_is_explained() -> None:
    """The tables of files name each part of the drawings."""
    for name in [panel.file for panel in panels(builds()[0])] + [part.file for part in PRINTED]:
        assert f"`{name}`" in README


def test_the_guide_claims_no_more_than_is_true() -> None:
    """It says that nobody has built it and that it has not run on a Pi."""
    assert "Nobody has built this box yet" in README
    assert re.search(r"has not yet run on a Raspberry Pi", README)
    assert "Five volts only" in README
