"""Exporting: any game of the journal becomes a record that replays to the same game."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.__main__ import main
from referee import fold, read_record
from tests.device.evening import Evening


@pytest.fixture
def pub(tmp_path: Path) -> Iterator[Evening]:
    """An evening on which one game was played and another begun."""
    evening = Evening(tmp_path)
    evening.begins("Ann", "Old Tom", start="Ann", lives="1", dog="off")
    evening.offers("Ann", "KKT9A", "three kings")
    evening.does("Old Tom", "challenge")
    evening.host("correct", hand="KKK9A")
    evening.host("undo")
    evening.does("Ann", "again")
    for seat in ("Ann", "Old Tom"):
        evening.does(seat, "agree")
    evening.does("Ann", "begin", start="Ann")
    evening.unplugs()
    evening.does("Ann", "roll", count=5)
    evening.does("Ann", "say", words="a pair")
    yield evening
    evening.close()


def export(pub: Evening, *words: str) -> int:
    """Run the command on the journal that the table is using."""
    return main(["export", *words, "--data", str(pub.path.parent)])


def test_a_game_replays_to_the_same_state(pub: Evening, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(pub, "last") == 0
    again = read_record(capsys.readouterr().out)
    game = pub.table._keeper.room.game
    assert game is not None
    assert fold(again.setup, list(again.acts)) == game.state
    assert "Ann rolls 5 unseen" in map(str, again.acts)


def test_an_old_game_is_found_by_its_number_with_who_put_it_right(
    pub: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(pub, "1") == 0
    text = capsys.readouterr().out
    assert "seats: Ann Old_Tom" in text
    assert "table corrects KKK9A  # by hand: the host" in text
    assert "table shows\n" in text


def test_without_a_number_the_games_are_listed(pub: Evening, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(pub) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["1", "2"]


@pytest.mark.parametrize("word", ["3", "0", "first", "1x"])
def test_a_game_that_is_not_there_is_said_so(pub: Evening, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(pub, word) == 2
    assert "there are 1 to 2, or 'last'" in capsys.readouterr().err


def test_a_folder_without_a_journal_is_said_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--data", str(tmp_path)]) == 2
    assert "there is no journal" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
