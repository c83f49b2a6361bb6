"""What is written about the rules is what the code does."""

import ast
import re
from pathlib import Path

import pytest

from referee import HandClaim, Setup, bench, claim_of
from referee.errors import REFUSALS
from referee.sheet import rules_sheet, tables

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "docs/rules.md").read_text("utf-8")
RULE_NAMES = [f"A{n}" for n in range(1, 36)] + [f"B{n}" for n in range(1, 15)]


@pytest.mark.parametrize("name", tables())
def test_the_tables_of_the_rules_are_those_of_the_code(name: str) -> None:
    """`python -m referee.sheet` prints them."""
    assert tables()[name] in RULES


def test_every_phrase_in_the_rules_means_what_they_say() -> None:
    """The table of what you can say."""
    rows = re.findall(r"^\| ([^|]+) \| (\w{5})? ?\| (\w{5}) \|$", RULES, flags=re.MULTILINE)
    assert len(rows) > 20
    for words, record, claim in rows:
        assert str(claim_of(words, HandClaim.parse(record) if record else None)[0]) == claim, words


def test_every_rule_has_a_line_for_players() -> None:
    """A1 to A35, B1 to B14, in order."""
    games = [rules_sheet(Setup(game, ("a", "b"))) for game in ("one-cup", "common-hand")]
    assert [line.rule for sheet in games for line in sheet] == RULE_NAMES


def test_every_rule_is_named_by_a_test() -> None:
    """In the name or the docstring of a test that would catch it."""
    trees = [ast.parse(path.read_text("utf-8")) for path in Path(__file__).parent.glob("test_*.py")]
    tests = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    named = " ".join(f"{test.name.upper().replace('_', ' ')} {ast.get_docstring(test)}" for test in tests)
    assert [rule for rule in RULE_NAMES if not re.search(rf"\b{rule}\b", named)] == []


def test_the_refusal_codes_are_those_that_the_code_raises() -> None:
    """None is missing from the list, and none is there for nothing."""
    source = " ".join(path.read_text("utf-8") for path in (ROOT / "referee").glob("*.py"))
    raised = set(re.findall(r'Refused\(\s*"([a-z-]+)"', source))
    assert raised == set(REFUSALS)


def test_every_refusal_code_is_met_in_the_records() -> None:
    """`tests/records` replays are part of the gate, so each code is really reached."""
    told = " ".join(path.read_text("utf-8") for path in (ROOT / "tests/records").glob("*.liar"))
    assert set(re.findall(r"! refused ([a-z-]+)", told)) == set(REFUSALS)


def test_the_bench_tells_acts_a_second_and_a_fold() -> None:
    """Two lines; how fast is for people to read."""
    report = list(bench.report(length=160))
    assert re.fullmatch(r"play: [\d,]+ acts a second", report[0])
    assert re.fullmatch(r"fold of a 500-act game: [\d.]+ ms", report[1])
