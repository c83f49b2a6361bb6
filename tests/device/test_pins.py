"""The pins file is one source that refuses what cannot work, naming the line."""

from pathlib import Path

import pytest
from gpiozero.pins.pi import PiBoardInfo
from hypothesis import given
from hypothesis import strategies as st

from device.pins import (
    BUTTONS,
    GROUNDS,
    HARDWARE_PWM,
    HEADER,
    Pins,
    PinsError,
    line_of,
    load_pins,
    nearest_ground,
    packaged_pins,
    parse_pins,
    physical,
)

TEXT = packaged_pins().read_text(encoding="utf-8")


def refusal(old: str, new: str) -> str:
    """Return what is said about the packaged file after replacing the first `old` by `new`."""
    assert old in TEXT
    with pytest.raises(PinsError) as caught:
        parse_pins(TEXT.replace(old, new, 1))
    return str(caught.value)


def line_with(text: str, source: str = TEXT) -> int:
    """Return the number of the first line that starts with `text`."""
    return next(number for number, line in enumerate(source.splitlines(), 1) if line.startswith(text))


def test_the_packaged_file_is_sound_and_has_every_button() -> None:
    """The file that comes with the program loads, and its five buttons have five pins."""
    pins = load_pins()
    assert tuple(pins.buttons) == BUTTONS
    assert len(set(pins.buttons.values())) == len(BUTTONS)


def test_every_wire_of_the_packaged_file_has_a_place_of_its_own() -> None:
    """No two wires, fitted or not, share a GPIO or a line of the expander."""
    places = [wire.gpio if wire.line is None else wire.line for wire in load_pins().wires]
    assert len(places) == len(set(places))


@pytest.mark.parametrize("revision", [0xA02082, 0xC03111, 0xD04170], ids=["Pi 3", "Pi 4", "Pi 5"])
def test_places_on_the_header_are_those_that_gpiozero_knows(revision: int) -> None:
    """Our map of the header agrees with gpiozero's for three boards, grounds and PWM pins included."""
    header = PiBoardInfo.from_revision(revision).headers["J8"].pins
    theirs = {int(pin.name.removeprefix("GPIO")): number for number, pin in header.items() if "GPIO" in pin.name}
    assert theirs == HEADER
    assert tuple(number for number, pin in header.items() if pin.name == "GND") == GROUNDS
    assert tuple(sorted(g for g, n in HEADER.items() if "pwm" in header[n].interfaces)) == HARDWARE_PWM


@given(st.sampled_from(sorted(HEADER)))
def test_the_nearest_ground_is_at_most_four_rows_away(gpio: int) -> None:
    """Every GPIO has a ground pin that short jumper wires reach."""
    assert abs((nearest_ground(gpio) + 1) // 2 - (physical(gpio) + 1) // 2) <= 4


def test_outputs_that_switch_power_stay_off_while_the_pi_boots() -> None:
    """Light, ring and buzzer sit on GPIO 9 or above: those the Pi pulls low before any program runs."""
    switched = {wire.gpio for wire in load_pins().wires if wire.part in ("light", "ring", "buzzer")}
    assert all(gpio is not None and gpio >= 9 for gpio in switched)


def test_a_part_that_is_not_fitted_is_not_offered_but_keeps_its_pins() -> None:
    """Nothing opens an unfitted buzzer, and its pin still counts as taken."""
    pins = parse_pins(TEXT.replace("fitted = true\ngpio = 20", "fitted = false\ngpio = 20"))
    assert pins.buzzer is None
    assert 20 not in pins.free


def test_fitted_pods_are_offered_with_their_wires() -> None:
    """Pods appear once fitted: on the header as numbers, on the expander as lines."""
    pins = parse_pins(TEXT.replace("fitted = false", "fitted = true"))
    assert [pod.seat for pod in pins.pods] == [1, 2, 3, 4, 5, 6, 7]
    assert [pod.on_expander for pod in pins.pods] == [False, False, True, True, True, True, True]
    assert pins.expander == 0x20
    assert pins.oled == 0x3C


def test_a_pin_used_twice_names_both_users_and_both_lines() -> None:
    """The clash names the second user's line, the first user and the first user's line."""
    said = refusal("challenge = 6", "challenge = 5")
    first, second = line_with("accept = 5"), line_with("challenge = 6")
    assert said.startswith(f"line {second}: buttons.challenge = 5 is taken by buttons.accept in line {first};")


def test_a_clash_inside_a_pod_is_found_in_that_pod() -> None:
    """Keys that repeat in every pod are found in the right one."""
    said = refusal('accept = "B1"', 'accept = "A4"')
    line = line_with('accept = "B1"')
    assert said.startswith(f"line {line}: pod 7.accept = A4 is taken by pod 5.accept in line")


@pytest.mark.parametrize("gpio", [0, 1, 14, 15])
def test_a_reserved_pin_is_refused_with_its_reason(gpio: int) -> None:
    """Reserved pins say why they are reserved."""
    said = refusal("better = 12", f"better = {gpio}")
    assert said.startswith(f"line {line_with('better = 12')}: buttons.better = {gpio} is reserved (")
    assert ("EEPROM" if gpio < 2 else "serial console") in said


def test_the_pins_of_the_addon_eeprom_stay_reserved_without_the_section() -> None:
    """Deleting [reserved] frees the serial console's pins but not 0 and 1."""
    text = TEXT[: TEXT.index("[reserved]")]
    assert parse_pins(text).free == (14, 15)
    with pytest.raises(PinsError, match=r"buttons\.accept = 0 is reserved"):
        parse_pins(text.replace("accept = 5", "accept = 0", 1))


REFUSED = [
    ("better = 12", "beter = 12", "there is no key 'beter'; did you mean 'better'?"),
    ("[mute]", "[mutte]", "there is no section 'mutte'; did you mean 'mute'?"),
    ("better = 12\n", "", "[buttons] lacks 'better'"),
    ("better = 12", "better = 28", "the header has GPIO 0 to 27 only"),
    ("better = 12", "better = true", "must be a whole number"),
    ("better = 12", 'better = "12"', "must be a whole number"),
    ("sda = 2", "sda = 9", "i2c.sda is GPIO 2 on every Pi"),
    ("gpio = 18", "gpio = 21", "light.gpio = 21"),
    ("pwm_hz = 25000", "pwm_hz = 400", "light.pwm_hz = 400 flickers; at least 20000"),
    ("pwm_hz = 400", "pwm_hz = 50", "ring.pwm_hz = 50 flickers; at least 200"),
    ("pwm_hz = 25000", "pwm_hz = 90000", "light.pwm_hz = 90000 is more than can be made well; at most 50000"),
    ("pwm_hz = 400", "pwm_hz = 25000", "ring.pwm_hz = 25000 is more than can be made well; at most 2000"),
    ("percent = 100", "percent = 0", "light.percent = 0: from 1 to 100"),
    ("address = 0x3c", "address = 0x80", "oled.address = 0x80"),
    ("address = 0x20", "address = 0x3c", "an MCP23017 has 0x20 to 0x27"),
    ("address = 0x3c", "address = 0x20", "is the display's too"),
    ("fitted = true", "fitted = 1", "fitted is 1; it is true or false"),
    ("seat = 2", "seat = 1", "each pod has its own seat"),
    ('accept = "A0"', "accept = 3", "all three wires go to the header or all three to the expander"),
    ('accept = "A0"', 'accept = "A8"', "the expander's lines are A0 to A7 and B0 to B7"),
    ('challenge = "A1"', 'challenge = "B7"', "can drive a lamp but not listen"),
    (
        "seat = 3\nfitted = false",
        "seat = 3\nfitted = true",
        "pod 3 hangs on the expander, but expander.fitted is false",
    ),
    ('14 = "serial', 'uart = "serial', "write the number of a GPIO and the reason"),
    ("[buttons]", "[buttons", "not TOML"),
]


@pytest.mark.parametrize(("old", "new", "words"), REFUSED, ids=[words for _, _, words in REFUSED])
def test_a_wrong_file_is_refused_in_words_that_name_the_line(old: str, new: str, words: str) -> None:
    """Each kind of mistake is told apart and carries a line number."""
    said = refusal(old, new)
    assert words in said
    assert "line " in said


@given(st.sampled_from(BUTTONS), st.sampled_from(sorted(HEADER)))
def test_moving_a_button_is_accepted_only_where_nothing_else_is(button: str, gpio: int) -> None:
    """Whatever pin a button moves to, the result has no shared pin, or the file is refused."""
    mine = load_pins().buttons[button]
    line = next(line for line in TEXT.splitlines() if line.split("=")[0].strip() == button)
    taken = {wire.gpio for wire in load_pins().wires} - {mine} | {0, 1, 14, 15}
    text = TEXT.replace(line, f"{button} = {gpio}", 1)
    if gpio in taken:
        with pytest.raises(PinsError, match=f"buttons.{button}|= {gpio} is taken by"):
            parse_pins(text)
    else:
        assert parse_pins(text).buttons[button] == gpio


def test_a_missing_file_says_what_it_means(tmp_path: Path) -> None:
    """The path and the consequence are named."""
    with pytest.raises(PinsError, match=r"nowhere\.toml cannot be read .* cannot be opened"):
        load_pins(tmp_path / "nowhere.toml")


def test_a_file_of_ones_own_is_named_in_its_complaints(tmp_path: Path) -> None:
    """A maker who keeps an own file sees its path before the line."""
    mine = tmp_path / "pins.toml"
    mine.write_text(TEXT.replace("better = 12", "better = 5", 1), encoding="utf-8")
    with pytest.raises(PinsError, match=r"pins\.toml, line \d+: buttons\.better = 5 is taken"):
        load_pins(mine)


def test_lines_are_found_by_section_and_key() -> None:
    """The same key in two sections is told apart; an absent key falls back to its section's head."""
    text = "[light]\ngpio = 18\n\n[[pods]]\nseat = 1\n[[pods]]\nseat = 2\n"
    assert line_of(text, "light", "gpio") == 2
    assert line_of(text, "pods 1", "seat") == 7
    assert line_of(text, "pods 1", "lamp") == 6


def test_pins_are_a_frozen_value() -> None:
    """What was checked once cannot be changed behind the console's back."""
    pins: Pins = load_pins()
    with pytest.raises(AttributeError):
        pins.accept = 1  # type: ignore[misc]
