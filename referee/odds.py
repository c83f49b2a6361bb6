"""Exact chances: rerolling for a hand, five aces, and counts over the common hand."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod

from referee.hand import FACES, HANDS, HandClaim, number_of

SIDES = len(FACES)
_ROLLS = SIDES**5


@cache
def _reaching(kept: str) -> tuple[int, ...]:
    """Return for every hand in how many of 7,776 equal cases rolling all dice but `kept` gives at least that hand."""
    rolled = 5 - len(kept)
    cases = [0] * len(HANDS)
    for dice in combinations_with_replacement(FACES, rolled):
        ways = factorial(rolled) // prod(map(factorial, Counter(dice).values()))
        cases[number_of(kept + "".join(dice))] += ways * SIDES ** len(kept)
    for number in range(len(HANDS) - 2, -1, -1):
        cases[number] += cases[number + 1]
    return tuple(cases)


@cache
def _keeps(hand: HandClaim) -> tuple[str, ...]:
    """Return the different sets of dice of a hand that can be kept, from none to all."""
    kept = {""}
    for face in str(hand):
        kept |= {other + face for other in kept}
    return tuple(sorted(kept, key=lambda dice: (len(dice), dice)))


@cache
def table() -> tuple[tuple[int, ...], ...]:
    """Return for every hand and every target how many of 7,776 cases the best keep-and-reroll reaches it in."""
    return tuple(tuple(map(max, zip(*map(_reaching, _keeps(hand)), strict=True))) for hand in HANDS)


def chance(have: HandClaim, target: HandClaim) -> Fraction:
    """Return the chance that the best keep-and-reroll of `have`, once, gives at least `target`.

    >>> chance(HandClaim.parse("AAAAK"), HandClaim.parse("AAAAA"))
    Fraction(1, 6)
    """
    return Fraction(table()[have.number][target.number], _ROLLS)


def best_keep(have: HandClaim, target: HandClaim) -> str:
    """Return the dice of `have` to keep for the best chance of at least `target`; most dice if it does not matter.

    >>> best_keep(HandClaim.parse("KKQJ9"), HandClaim.parse("KKKT9"))
    'KK'
    """
    return max(_keeps(have), key=lambda kept: (_reaching(kept)[target.number], len(kept)))


def blind(target: HandClaim) -> Fraction:
    """Return the chance that five dice rolled once show at least `target`."""
    return Fraction(_reaching("")[target.number], _ROLLS)


def five_aces(rolls: int = 3) -> Fraction:
    """Return the chance of five aces in so many rolls, keeping every ace.

    >>> round(float(five_aces(3)) * 100, 2)
    1.33
    """
    return (1 - Fraction(SIDES - 1, SIDES) ** rolls) ** 5


def at_least(wanted: int, unknown: int) -> Fraction:
    """Return the chance that of `unknown` dice at least `wanted` show a face or are wild (two sides of six).

    >>> at_least(1, 1), at_least(0, 3), at_least(2, 1)
    (Fraction(1, 3), Fraction(1, 1), Fraction(0, 1))
    """
    hit = Fraction(2, SIDES)
    counts = range(max(wanted, 0), unknown + 1)
    return sum((comb(unknown, count) * hit**count * (1 - hit) ** (unknown - count) for count in counts), Fraction(0))
