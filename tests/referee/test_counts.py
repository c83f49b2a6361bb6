"""Counting as an oracle: hands, rolls, and the order between them."""

from collections import Counter
from itertools import product

import pytest

from referee import HandClaim, Malformed, hand_of
from referee.hand import CATEGORIES, EVERY_HAND, HANDS, number_of, of_category, weakest, with_count


def test_there_are_252_hands_in_seven_categories() -> None:
    """6, 60, 60, 60, 30, 30 and 6."""
    assert [Counter(hand.category for hand in HANDS)[name] for name in CATEGORIES] == [6, 60, 60, 60, 30, 30, 6]
    assert [of_category(name).bit_count() for name in CATEGORIES] == [6, 60, 60, 60, 30, 30, 6]
    assert len(set(map(str, HANDS))) == 252


def test_the_7776_rolls_fall_on_the_hands_as_chance_has_it() -> None:
    """No roll is missed: 720 singletons, 3,600 pairs, 1,800 two pairs, 1,200, 300, 150 and 6."""
    rolls = Counter(HANDS[number_of("".join(dice))].category for dice in product("AKQJT9", repeat=5))
    assert [rolls[name] for name in CATEGORIES] == [720, 3600, 1800, 1200, 300, 150, 6]


def test_every_hand_is_its_own_notation() -> None:
    """`str` and `repr` parse back, in any order of the dice."""
    for hand in HANDS:
        assert HandClaim.parse(str(hand)) == HandClaim.parse(str(hand)[::-1]) == hand
        assert repr(hand) == str(hand)
        assert hand.better.number == min(hand.number + 1, 251)


@pytest.mark.parametrize("text", ["", "KKKK", "KKKKKK", "KKKK8", "KKKK?", "five kings"])
def test_what_is_no_hand_is_malformed_and_quoted(text: str) -> None:
    """With the code of a bad hand."""
    with pytest.raises(Malformed, match=f"'{text}'".replace("?", r"\?")) as no:
        HandClaim.parse(text)
    assert no.value.code == "bad-hand"


def test_faces_as_a_reader_names_them_become_a_hand() -> None:
    """Poker, Spanish and pips; not mixed."""
    assert hand_of(["9", "10", "J", "10", "A"]) == "TTAJ9"
    assert hand_of(["N", "R", "J", "R", "A"]) == "TTAJ9"
    assert hand_of(["5", "1", "5"]) == "155"
    assert hand_of([]) == ""
    with pytest.raises(Malformed):
        hand_of(["K", "5"])


def test_the_weakest_hand_of_a_set_is_found_above_any_other() -> None:
    """Against a plain search."""
    sets = [EVERY_HAND, with_count("J", 2), of_category("four") & with_count("9", 0), 0]
    for hands in sets:
        for above in range(-1, 252):
            plain = [number for number in range(above + 1, 252) if hands >> number & 1]
            assert weakest(hands, above) == (plain[0] if plain else None)
