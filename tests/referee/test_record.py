"""Game records: what was written is read again, what is damaged is told by line, and a replay says what happened."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.__main__ import main
from referee import Act, Malformed, Refused, Setup, begin, fold, parse_act, play, read_record, replay, write_record
from referee.act import KINDS

ONE_CUP = Setup("one-cup", ("ann", "bob", "cat"), {"lives": 2}, start="ann")
COMMON = Setup("common-hand", ("ann", "bob"), {"dice": 3}, dice="poker")
LINES = [
    "starting-roll: ann K, bob 9",
    "ann rolls 5: TTAQ9",
    "ann rolls 5 (4): TTAQ9",
    "ann rolls 0",
    "ann rolls 3 unseen",
    "ann says two pairs, jacks on top",
    "ann says",
    "ann amends better",
    "bob accepts",
    "bob challenges",
    "cat points out",
    "table shows",
    "table shows KKKAJ",
    "table shows, disturbed",
    "table shows, disturbed KKKAJ",
    "bob is absent",
    "bob barks",
    "bob declines",
    "table hears a howl",
    "table hears a woof",
    "bob leaves",
    "table voids",
    "table corrects QQKT9",
    "undo",
]
COMMON_LINES = [
    "starting-roll: ann K, bob 9",
    "roll: ann 9TJ, bob QKA",
    "ann bids 3 K",
    "ann bids three kings",
    "ann shows 9T",
    "ann shows 9T, rerolls: A",
    "ann shows 9TJ, rerolls:",
    "ann waives",
    "bob challenges",
    "table shows",
    "table shows ann 9TJ, bob QKA",
    "bob leaves",
    "table voids",
    "table corrects ann 9TJ",
    "undo",
]


@pytest.mark.parametrize("line", LINES)
def test_every_act_of_one_cup_is_its_own_notation(line: str) -> None:
    """What is read is written the same, and `repr` is the notation."""
    act = parse_act(line, ONE_CUP)
    assert str(act) == repr(act) == line
    assert parse_act(str(act), ONE_CUP) == act


@pytest.mark.parametrize("line", COMMON_LINES)
def test_every_act_of_the_common_hand_is_its_own_notation(line: str) -> None:
    """The same for the other game."""
    assert str(parse_act(line, COMMON)) == line


def test_every_kind_of_act_has_a_line_here() -> None:
    """No act without a notation that is tested."""
    kinds = {parse_act(line, ONE_CUP).kind for line in LINES} | {parse_act(line, COMMON).kind for line in COMMON_LINES}
    assert kinds == set(KINDS)


def test_ten_may_be_written_in_two_characters_and_blanks_do_not_matter() -> None:
    """Dice are kept in one spelling, words as they were said."""
    assert str(parse_act("  ann   rolls 5:  10 10 a q 9 ", ONE_CUP)) == "ann rolls 5: TTAQ9"
    assert str(Act("say", "ann", words="  two   Pairs # hm ")) == "ann says two Pairs hm"


@pytest.mark.parametrize(
    "line",
    [
        "ann sings",
        "ann rolls many",
        "table rolls 5: TTAQ9",
        "ann bids 3 5",
        "starting-roll: ann",
        "starting-roll: ann K, ann 9",
        "",
        "says a pair",
    ],
)
def test_a_line_that_is_no_act_is_malformed_and_quoted(line: str) -> None:
    """It never was an act, so nothing is refused."""
    with pytest.raises(Malformed) as no:
        parse_act(line, ONE_CUP)
    assert line in no.value.message


GOOD = "game: one-cup\nseats: ann bob\nstart: ann\n"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "'game:' is missing"),
        ("game: chess\nseats: a b\na accepts", 3, "no game 'chess'"),
        ("game: one-cup\na accepts", 2, "'seats:' is missing"),
        ("game: one-cup\nseats: a\nundo", 3, "two seats"),
        ("game: one-cup\nseats: a a\nundo", 3, "same name"),
        ("game: one-cup\nseats: a table\nundo", 3, "'table'"),
        ("game: one-cup\ngame: one-cup\nseats: a b", 2, "twice"),
        ("game: one-cup\nseats: a b\nhouse: lives\nundo", 4, "option=value"),
        ("game: one-cup\nseats: a b\nhouse: lives=0\nundo", 4, "no choice"),
        ("game: one-cup\nseats: a b\nhouse: raise=face-first\nundo", 4, "no house rule"),
        ("game: one-cup\nseats: a b\ndice: pips\nundo", 4, "pips"),
        ("game: one-cup\nseats: a b\nstart: c\nundo", 4, "no such seat"),
        (GOOD + "ann sings", 4, "not an act"),
        (GOOD + "undo\nhouse: lives=2", 5, "too late"),
        (GOOD + "\n# so far\nundo\n! hope never", 7, "no expectation"),
        (GOOD + "! record", 4, "no expectation"),
    ],
)
def test_a_damaged_record_names_itself_the_line_and_the_reason(text: str, line: int, reason: str) -> None:
    """Never a traceback of something else."""
    with pytest.raises(Malformed) as no:
        read_record(text, "evening.liar")
    assert no.value.message.startswith(f"evening.liar, line {line}: ")
    assert reason in no.value.message


@given(st.text(alphabet="ab KQ9:#!=,\n\ufeffgamesetroundoe-cup1", max_size=80))
def test_any_text_is_a_record_or_malformed(text: str) -> None:
    """Whatever was damaged."""
    for head in ("", GOOD):
        try:
            assert read_record(head + text).setup
        except Malformed as no:
            assert "line" in no.message  # noqa: PT017


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_written_record_gives_setup_acts_and_state_back(data: st.DataObject) -> None:
    """The round trip, for whatever was accepted, remarks or not."""
    setup = data.draw(st.sampled_from([ONE_CUP, COMMON]))
    lines = data.draw(st.lists(st.sampled_from(LINES if setup == ONE_CUP else COMMON_LINES), max_size=30))
    state = begin(setup)
    for line in lines:
        try:
            state = play(state, line)
        except Refused:
            continue
    text = write_record(setup, state.acts, {0: "the host said so"})
    record = read_record(text)
    assert (record.setup, record.acts) == (setup, state.acts)
    assert fold(record.setup, record.acts) == state


def test_who_corrected_and_why_is_kept_as_a_remark() -> None:
    """A comment behind the act."""
    text = write_record(ONE_CUP, [Act("undo")], {0: "ann: a slip of\nthe finger"})
    assert text.endswith("\nundo  # ann: a slip of the finger\n")


def test_expectations_before_the_first_act_are_about_the_beginning() -> None:
    """They make a step without an act."""
    steps = list(replay(read_record(GOOD + "! phase to-roll\n! starter bob")))
    assert [(step.act, len(step.failures)) for step in steps] == [(None, 1)]


def test_a_failed_expectation_names_file_line_expected_and_found() -> None:
    """Also an act that is allowed or refused against expectation."""
    text = (
        GOOD
        + "ann rolls 5: TTAQ9\n! phase offered\nbob accepts\nann says a pair\n! refused wrong-phase\n! announced won"
    )
    failures = [failure for step in replay(read_record(text, "x.liar")) for failure in step.failures]
    assert failures == [
        "x.liar, line 5: expected ! phase offered, found to-say",
        "x.liar, line 6: expected to be allowed, found refused wrong-phase",
        "x.liar, line 8: expected ! refused wrong-phase, found allowed",
        "x.liar, line 9: expected ! announced won, found nothing",
    ]


def test_undercup_replay_prints_an_object_for_each_act(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 0, 1 if an expectation failed, 2 if a line cannot be read; the highest over several files."""
    good, failing, broken = (tmp_path / name for name in ("good.liar", "failing.liar", "broken.liar"))
    good.write_text(GOOD + "ann rolls 5 (5): 10 10 A Q 9\nbob accepts\n! refused wrong-phase\n")
    failing.write_text(GOOD + "bob accepts\n")
    broken.write_text(GOOD + "bob sings\n")
    assert main(["replay", str(good)]) == 0
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert objects[0] == {
        "line": 4,
        "act": "ann rolls 5 (5): TTAQ9",
        "ok": True,
        "refused": None,
        "message": "ann rolls 5 (5): TTAQ9.",
        "announced": [],
        "state": {
            "phase": "to-say",
            "to_act": "ann",
            "starter": "ann",
            "record": None,
            "lives": {"ann": 3, "bob": 3},
            "dog": "available",
            "places": None,
            "winner": None,
        },
    }
    assert (objects[1]["ok"], objects[1]["refused"]) == (False, "wrong-phase")
    assert main(["replay", str(good), str(failing)]) == 1
    assert main(["replay", str(broken), str(failing)]) == 2
    assert main(["replay", str(tmp_path / "missing.liar")]) == 2
    told = capsys.readouterr().err
    assert f"{broken}, line 4: 'bob sings' is not an act" in told
    assert "missing.liar cannot be opened" in told


def test_undercup_bid_prints_the_claim_or_the_refusal(capsys: pytest.CaptureFixture[str]) -> None:
    """Status 0 for a claim, 1 for words that are none, 2 for a record that is no hand."""
    assert main(["bid", "a", "better", "pair", "--record", "99QJT"]) == 0
    assert capsys.readouterr().out == "99KJT\n"
    assert main(["bid", "three tens", "--record", "JJJT9"]) == 0
    assert capsys.readouterr().out == "JJJQ9\n"
    assert main(["bid", "a pear"]) == 1
    assert capsys.readouterr().err.startswith("not-understood: ")
    assert main(["bid", "a pair", "--record", "XX"]) == 2
