"""A voice that speaks German or Spanish has words for everything that the ticker can say."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.spoken import LANGUAGES, PARTS, SENTENCES, in_language
from referee.game import _TAKEN_BACK
from tests.device.evening import Evening

REPOSITORY = Path(__file__).parent.parent.parent

#: What stands for a value in a sentence of the source, by how it is written there; for others a name.
VALUES = {
    "dice": "2",
    "act.count": "3",
    "spoken(dice)": "10 K K",
    "spoken(data['dice'])": "10",
    "offer.words[0]": "two pairs, jacks on top",
    "'; '.join(parts) or 'nothing else changes'": "Ann 3 to 2, Old Tom 1 to 2; Bob starts",
    "taken_back(state)": "Ann's better bid",
    "taken_back(before.game)": "Old Tom's declared roll",
    "'die' if dice == 1 else 'dice'": "dice",
}


def sentences(source: Path, maker: str) -> Iterator[str]:
    """Yield what each call of `maker` in a source says, with values filled in."""
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == maker:
            said = node.args[1]
            for each in (said.body, said.orelse) if isinstance(said, ast.IfExp) else (said,):
                if isinstance(each, ast.JoinedStr):
                    yield "".join(filled(part) for part in each.values)
                elif isinstance(each, ast.Constant):
                    yield str(each.value)


def filled(part: ast.expr) -> str:
    """Return a piece of an f-string."""
    if isinstance(part, ast.Constant):
        return str(part.value)
    assert isinstance(part, ast.FormattedValue)
    written = ast.unparse(part.value)
    if "upper" in written or written == "who[1:]":  # "The host", capitals first
        return "Ann" if "upper" in written else ""
    return VALUES.get(written, "Old Tom")


EVERY = sorted(
    {said for source in (REPOSITORY / "referee").glob("*.py") for said in sentences(source, "announce")}
    | set(sentences(REPOSITORY / "device/announce.py", "Told"))
)


def test_there_is_much_to_say() -> None:
    assert len(EVERY) > 30
    assert "Old Tom has won." in EVERY
    assert "The game begins: Old Tom starts." in EVERY


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", EVERY)
def test_every_sentence_has_words_in_every_language(text: str, language: str) -> None:
    said = in_language(text, language)
    assert said != text
    assert re.search(r"\b(the|loses|starts|to|bid|roll)\b", said) is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("what", [*_TAKEN_BACK.values(), "declared roll", "die"])
def test_everything_that_can_be_taken_back_has_words(what: str, language: str) -> None:
    text = f"Taken back: {what if what.startswith('the ') else f'Ann{chr(39)}s {what}'}."
    assert what not in in_language(text, language)


@pytest.mark.parametrize("table", [SENTENCES, PARTS])
def test_what_is_named_in_english_is_named_in_the_others(table: dict[str, tuple[str, str]]) -> None:
    for pattern, others in table.items():
        names = set(re.findall(r"\{\w+\}", pattern))
        assert [set(re.findall(r"\{\w+\}", other)) for other in others] == [names] * len(LANGUAGES), pattern


def test_a_language_without_words_is_spoken_as_it_is_written() -> None:
    assert in_language("Bob has won.", "fr") == "Bob has won."
    assert in_language("Something new happened.", "de") == "Something new happened."


def test_what_an_evening_says_is_german_throughout(tmp_path: Path) -> None:
    pub = Evening(tmp_path)
    pub.begins("Ann", "Old Tom", start="Old Tom", lives="1", dog="on")
    pub.offers("Old Tom", "KKT9A", "three kings")
    pub.does("Ann", "challenge")
    pub.host("undo")
    pub.host("enter", hand="KKT9A")
    said = [in_language(text, "de") for text in pub.said]
    pub.close()
    assert "Old Tom würfelt 5." in said
    assert "Ann zweifelt an." in said
    assert not set(said) & set(pub.said)
