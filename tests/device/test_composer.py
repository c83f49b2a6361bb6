"""Every bid that the knob can compose is one that the referee understands."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.composer import BACK, SAY, Composer, Count, Poker, Quantity, Spelling, compose
from referee import Refused
from referee.grammar import meaning
from referee.hand import HANDS, HandClaim


def take(composer: Composer, *wanted: str) -> Composer:
    """Turn to each of the wanted choices and push."""
    for one in wanted:
        shown = [choice.shown for choice in composer.choices]
        composer = composer.turn(shown.index(one) - composer.at).push()
    return composer


def bids(composer: Composer, depth: int) -> Iterator[str]:
    """Yield the words of every bid that `depth` more pushes can say."""
    for at, choice in enumerate(composer.choices):
        if choice.shown == BACK:
            continue
        pushed = composer.turn(at - composer.at).push()
        if pushed.words is not None:
            yield pushed.words
        elif depth:
            yield from bids(pushed, depth - 1)


def test_every_bid_of_the_knob_is_understood_or_names_a_hand_that_cannot_exist() -> None:
    said = set(bids(compose(Poker()), 3))
    assert len(said) > 300
    codes = set()
    for words in said:
        try:
            meaning(words)
        except Refused as refused:
            codes.add(refused.code)
    assert codes <= {"no-such-hand"}


@pytest.mark.parametrize(
    ("taken", "words"),
    [
        (("better", SAY), "better"),
        (("way better", SAY), "way better"),
        (("better", "pair", SAY), "a better pair"),
        (("a pair", SAY), "a pair"),
        (("a pair", "of J", "no 10", SAY), "a pair of J, no 10"),
        (("two pairs", "J on top", SAY), "two pairs, J on top"),
        (("two pairs", "K on top", "and 9", "with A", SAY), "two pairs, K and 9, with A"),
        (("three", "of Q", SAY), "three Q"),
        (("full house", "J on top", "over 9", SAY), "full house, J over 9"),
        (("singleton", "K high", SAY), "singleton, K high"),
        (("dice by dice", "K", "K", "Q", "J", "9", SAY), "KKQJ9"),
    ],
)
def test_a_bid_is_put_together_push_by_push(taken: tuple[str, ...], words: str) -> None:
    assert take(compose(Poker()), *taken).words == words


def test_words_mean_what_was_dialled() -> None:
    """Faces of two pairs and of a full house keep their places."""
    jacks_and_nines = take(compose(Poker()), "two pairs", "J on top", "and 9", SAY).words
    jacks_full = take(compose(Poker()), "full house", "J on top", "over 9", SAY).words
    assert jacks_and_nines is not None
    assert jacks_full is not None
    assert {str(hand)[:4] for hand in hands(jacks_and_nines)} == {"JJ99"}
    assert {str(hand) for hand in hands(jacks_full)} == {"JJJ99"}


def hands(words: str) -> list[HandClaim]:
    held = meaning(words).hands
    return [hand for number, hand in enumerate(HANDS) if held >> number & 1]


def test_back_takes_the_last_push_back() -> None:
    step = take(compose(Poker()), "a pair", "of J")
    assert take(step, BACK).sentence == "a pair"
    assert take(step, BACK, BACK) == compose(Poker())


def test_a_fresh_composer_has_no_way_back() -> None:
    assert BACK not in {choice.shown for choice in compose(Poker()).choices}


@given(st.lists(st.one_of(st.integers(-40, 40), st.just("push")), max_size=30))
@settings(max_examples=100)
def test_no_turning_and_pushing_gets_lost(moves: list[int | str]) -> None:
    composer = compose(Poker())
    for move in moves:
        composer = composer.push() if isinstance(move, str) else composer.turn(move)
        assert composer.shown
        if composer.words is not None:
            break


def test_the_knob_goes_round() -> None:
    composer = compose(Poker())
    assert composer.turn(len(composer.choices)) == composer
    assert composer.turn(-1).shown == composer.choices[-1].shown


def test_the_most_dice_are_offered_first_because_most_people_roll_them() -> None:
    assert [choice.words for choice in Count(0, 5).choices("", ())] == ["5", "4", "3", "2", "1", "0"]


def test_a_quantity_is_followed_by_a_face() -> None:
    assert take(compose(Quantity(10)), "4", "5", SAY).words == "4 5"


def test_a_single_die_can_be_spelled() -> None:
    assert take(compose(Spelling(dice=1)), "10", SAY).words == "T"


def test_sets_with_other_faces_are_dialled_by_their_own_names() -> None:
    spanish = Poker(("N", "R", "J", "Q", "K", "A"))
    assert take(compose(spanish), "a pair", "of R", SAY).words == "a pair of R"
