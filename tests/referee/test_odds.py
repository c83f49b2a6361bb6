"""Exact chances against brute force."""

from fractions import Fraction
from itertools import combinations, product
from math import isclose

import pytest

from device.__main__ import main
from referee import HandClaim
from referee.hand import HANDS, number_of
from referee.odds import at_least, best_keep, blind, chance, five_aces, table

FACES = "AKQJT9"


def brute(have: str, target: int) -> Fraction:
    """Return the best chance over every way to keep some dice, by rolling the others in every way."""
    best = Fraction(0)
    for size in range(6):
        for kept in {"".join(dice) for dice in combinations(have, size)}:
            rolls = ["".join(dice) for dice in product(FACES, repeat=5 - size)]
            good = sum(number_of(kept + dice) >= target for dice in rolls)
            best = max(best, Fraction(good, len(rolls)))
    return best


PAIRS = [("KKQJ9", "KKKT9"), ("AAAAK", "AAAAA"), ("KQJT9", "999TT"), ("TTAA9", "TTT99"), ("99999", "JJJJA")]


@pytest.mark.parametrize(("have", "target"), [*PAIRS, ("QQQT9", "QQQT9")])
def test_the_best_keep_and_reroll_is_what_brute_force_finds(have: str, target: str) -> None:
    """All ways to keep, all 7,776 rolls."""
    goal = HandClaim.parse(target)
    assert chance(HandClaim.parse(have), goal) == brute(have, goal.number)


def test_all_pairs_are_there_and_a_higher_goal_is_never_easier() -> None:
    """252 by 252; what one has is certain."""
    rows = table()
    assert len(rows) == 252
    for number, row in enumerate(rows):
        assert list(row) == sorted(row, reverse=True)
        assert row[number] == 7776
        assert len(row) == 252


def test_a_blind_roll_is_counted_over_all_7776() -> None:
    """The chance of at least the lowest hand is 1, of five aces 1 in 7,776."""
    assert blind(HANDS[0]) == 1
    assert blind(HANDS[-1]) == Fraction(1, 7776)
    assert blind(HandClaim.parse("99QJT")) == Fraction(7776 - 720, 7776)


def test_the_dice_to_keep_are_named() -> None:
    """The pair for three of a kind, everything for what lies there."""
    assert best_keep(HandClaim.parse("KKQJ9"), HandClaim.parse("KKKT9")) == "KK"
    assert best_keep(HandClaim.parse("KKQJ9"), HandClaim.parse("99QJT")) == "KKQJ9"


def test_five_aces_in_three_rolls_are_one_and_a_third_per_cent() -> None:
    """1.33 %; in one roll 1 in 7,776; and as a chain of single rolls counts it."""
    assert round(100 * float(five_aces()), 2) == 1.33
    assert five_aces(1) == Fraction(1, 7776)
    two = sum(
        Fraction(ways, 7776) * Fraction(1, 6) ** missing for missing, ways in enumerate([1, 25, 250, 1250, 3125, 3125])
    )
    assert five_aces(2) == two


def test_counts_over_the_common_hand_are_binomial() -> None:
    """Two sides of six hit; by brute force over four dice."""
    for wanted in range(-1, 6):
        hits = sum(sum(die in "15" for die in dice) >= wanted for dice in product("123456", repeat=4))
        assert at_least(wanted, 4) == Fraction(hits, 6**4)
    assert isclose(float(at_least(5, 15)), 0.5959, abs_tol=1e-4)


def test_undercup_odds_tells_what_to_keep_and_the_chance(capsys: pytest.CaptureFixture[str]) -> None:
    """One line; a hand that is none is told, not traced."""
    assert main(["odds", "KKQJ9", "KKKT9"]) == 0
    assert capsys.readouterr().out == "Keep KK: 44.44 % for at least KKKT9.\n"
    assert main(["odds", "KKQJ9", "KKK"]) == 2
