"""The configuration: one file that explains itself and says what is wrong with it."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from device import config
from device.__main__ import main

KEYS = [(section, key) for section in config.sections() for key in config.rules(section)]


def trouble(text: str) -> str:
    """Return what is said about a file with `text`."""
    with pytest.raises(config.ConfigTrouble) as caught:
        config.parse(text, "undercup.toml")
    return str(caught.value)


def test_the_first_start_makes_a_file_that_changes_nothing(tmp_path: Path) -> None:
    config.make(tmp_path)
    assert config.load(tmp_path) == config.effective()


def test_the_file_that_was_there_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / config.FILE_NAME).write_text("[web]\nport = 81\n")
    config.make(tmp_path)
    assert config.load(tmp_path).settings.web.port == 81


def test_without_its_marks_every_line_of_the_made_file_counts() -> None:
    bare = re.sub(r"^# (\w+ = )", r"\1", config.template(), flags=re.MULTILINE)
    given = config.parse(bare, "undercup.toml")
    assert [(one.section, one.key) for one in given] == KEYS
    assert config.effective(given).settings == config.Settings()


@pytest.mark.parametrize(("section", "key"), KEYS)
def test_every_key_says_what_it_means_and_what_is_right(section: str, key: str) -> None:
    rule = config.rules(section)[key]
    assert rule.meaning.endswith(".")
    assert rule.right
    assert rule.fits(getattr(config.sections()[section](), key))
    assert f"# {rule.meaning}\n# Right is {rule.right}.\n# {key} = " in config.template()


@pytest.mark.parametrize(("section", "key"), KEYS)
def test_every_key_refuses_what_is_not_right(section: str, key: str) -> None:
    text = f"\n[{section}]\n{key} = [1979-05-27]\n"
    rule = config.rules(section)[key]
    assert trouble(text).startswith(f"undercup.toml, line 3: {key} in [{section}] is {rule.right}, not ")


def test_an_unknown_key_names_itself_its_line_and_the_right_one() -> None:
    said = trouble("[web]\nport = 1\n\n[sound]\n# port\nvolum = 3\n")
    assert "line 6" in said
    assert "'volum'" in said
    assert "Did you mean 'volume'?" in said


def test_an_unknown_section_names_itself_its_line_and_the_right_ones() -> None:
    said = trouble("[web]\nport = 1\n[wbe]\nport = 2\n")
    assert "line 3" in said
    assert "[wbe]" in said
    assert "web" in said
    assert "line 1" in trouble("port = 3\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("port = 3\n", "the key 'port' stands before any section: it belongs below [web]."),
        ("# hello\nloud = 3\n", "the key 'loud' stands before any section: right are web, host,"),
        ("web = 3\n", "web is a section: write [web] in a line of its own"),
    ],
)
def test_a_key_outside_the_sections_is_told_where_it_belongs(text: str, words: str) -> None:
    said = trouble(text)
    assert words in said
    assert f"line {text.count(chr(10))}" in said


def test_a_key_of_one_section_is_not_found_in_another() -> None:
    assert "line 4" in trouble("[journal]\npictures = 3\n[host]\npin = 3\n")


def test_text_that_is_no_toml_names_its_line() -> None:
    assert "line 2" in trouble("[web]\nport 8000\n")


def test_true_is_no_number() -> None:
    assert "a whole number" in trouble("[web]\nport = true\n")


def test_the_command_line_beats_the_file_and_the_file_beats_the_default(tmp_path: Path) -> None:
    (tmp_path / config.FILE_NAME).write_text("[web]\nport = 81\nhost = '127.0.0.1'\n")
    found = config.load(tmp_path, config.Given("web", "port", 82, "--port"))
    assert (found.settings.web.port, found.origin("web", "port")) == (82, "--port")
    assert found.origin("web", "host").endswith("undercup.toml, line 3")
    assert found.origin("sound", "on") == "default"


def test_a_bad_option_of_the_command_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(config.ConfigTrouble, match=r"--port: port in .web. is a whole number from 0 to 65535"):
        config.load(tmp_path, config.Given("web", "port", -1, "--port"))


def test_the_command_prints_every_value_with_its_origin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / config.FILE_NAME).write_text("[sound]\nvolume = 10\n")
    assert main(["config", "--data", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"volume = 10 +# .*undercup\.toml, line 2", printed)
    assert re.search(r"port = 8000 +# default", printed)
    assert set(tomllib.loads(printed)) == set(config.sections())
    assert main(["config", "--data", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"]["sound"]["volume"] == 10


def test_the_command_ends_with_one_sentence_when_the_file_is_bad(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / config.FILE_NAME).write_text("[sound]\nloud = 10\n")
    assert main(["config", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
