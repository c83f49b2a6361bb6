"""A cup for everyone, rule by rule."""

import pytest

from referee import Setup, begin, view
from referee.bid import Bid, bid_order, is_raise
from tests.referee.told import common, holds


@pytest.mark.parametrize("dice", [str(n) for n in range(1, 7)])
def test_b1_everybody_has_as_many_dice_as_the_house_gives(dice: str) -> None:
    """B1: one to six, five by default."""
    assert begin(Setup("common-hand", ("a", "b"), {"dice": dice})).dice == {"a": int(dice), "b": int(dice)}
    assert begin(Setup("common-hand", ("a", "b"))).dice == {"a": 5, "b": 5}


def test_b1_the_last_with_a_die_wins() -> None:
    """B1: and the game is over."""
    common("a bids 1 6\nb challenges\ntable shows a 6, b 6\n! dice a=1 b=0\n! winner a\n! phase over", "dice=1", "a b")


def test_b2_the_highest_die_opens_first_and_later_the_winner_of_the_challenge() -> None:
    """B2: 6 is highest with pips, the ace with poker dice."""
    holds("game: common-hand\nseats: a b\nstarting-roll: a 1, b 6\n! starter b\n! phase to-bid")
    holds("game: common-hand\nseats: a b\ndice: poker\nstarting-roll: a A, b K\n! starter a")


def test_b3_everybody_sees_his_own_dice_and_nobody_else() -> None:
    """B3: as far as the engine knows them."""
    state = common("roll: a 11234, b 22256, c 33333\na bids 1 2")
    assert [cup["hand"] for cup in view(state, "b").cups] == [None, "22256", None]
    assert [cup["hand"] for cup in view(state, None).cups] == [None, None, None]


def test_b3_all_roll_once_a_round() -> None:
    """B3: a second roll has no place, nor dice that nobody holds."""
    common(
        """roll: a 1123, b 22256\n! refused bad-hand\nroll: a 11237\n! refused bad-hand\nroll: a 1123?
        ! refused unreadable
        roll: a 11234, b 22256
        roll: a 11234, b 22256
        ! refused wrong-phase
        a bids 1 2
        roll: c 11234
        ! refused wrong-phase"""
    )


def test_b4_the_wild_face_cannot_be_bid_and_faces_have_their_order() -> None:
    """B4: 1 is wild with pips, the ace with poker dice, where nine is lowest and king highest."""
    common("a bids 1 1\n! refused wild-face\na bids 1 2\nb bids 1 3\nc bids one six\n! record 1 6")
    common("a bids 1 A\n! refused wild-face\na bids 1 9\nb bids 1 T\nc bids one king\n! record 1 K", dice="poker")
    common("a bids two kings\n! refused not-understood\na bids 2 7\n! refused not-understood")
    common("a bids drei Damen\n! record 3 Q", dice="poker")


def test_b5_from_one_of_the_lowest_to_all_of_the_top_face() -> None:
    """B5: more than there are dice is refused."""
    common(
        "a bids 0 2\n! refused not-a-raise\na bids 16 6\n! refused above-the-dice\na bids fifteen sixes\n! record 15 6"
    )


def test_b6_a_higher_face_in_any_quantity_or_more_of_the_same_face() -> None:
    """B6, `raise=face-first`."""
    common(
        """a bids 15 5\nb bids 1 6\n! record 1 6\nc bids 15 5\n! refused not-a-raise\nc bids 1 6
        ! refused not-a-raise
        c bids 2 6"""
    )
    common("a bids seven 4s\nb bids one 5\n! record 1 5")


def test_b6_more_dice_or_as_many_of_a_higher_face() -> None:
    """B6, `raise=quantity-first`."""
    common(
        "a bids 2 5\nb bids 1 6\n! refused not-a-raise\nb bids 2 4\n! refused not-a-raise\nb bids 2 6\nc bids 3 2",
        "raise=quantity-first",
    )


def test_b7_only_the_next_player_acts_and_the_highest_bid_must_be_challenged() -> None:
    """B7: no pass, and no challenge before a bid."""
    common(
        """a challenges\n! refused nothing-to-challenge\nb challenges\n! refused not-your-turn\nb bids 1 2
        ! refused not-your-turn
        a bids 15 6
        c challenges
        ! refused not-your-turn
        b bids 15 6
        ! refused must-challenge
        b challenges
        ! phase exposure
        c bids 1 2
        ! refused wrong-phase
        c challenges
        ! refused wrong-phase"""
    )


def test_b8_wilds_and_dice_outside_are_counted() -> None:
    """B8: two fives shown, one hidden, and a one: four."""
    common(
        """roll: a 55523, b 12346, c 22346\na bids 4 5\na shows 55, rerolls: 523\nb challenges\ntable shows
        ! announced exact"""
    )


LAID = "\ntable shows a {0}, b {1}, c {2}\n"


@pytest.mark.parametrize(
    ("bid", "dice", "expected"),
    [
        ("2 5", ("55123", "22346", "22346"), "! dice a=5 b=4 c=5\n! starter a"),
        ("5 5", ("55123", "22346", "22346"), "! dice a=3 b=5 c=5\n! starter b"),
        ("3 5", ("55123", "22346", "22346"), "! dice a=5 b=4 c=4\n! starter a\n! announced exact"),
        ("15 5", ("22346", "22346", "22346"), "! dice a=0 b=5 c=5\n! starter b\n! announced out"),
    ],
)
def test_b9_who_loses_how_many(bid: str, dice: tuple[str, str, str], expected: str) -> None:
    """B9: the difference, or one each but the bidder; nobody more than he has."""
    common(f"a bids {bid}\nb challenges" + LAID.format(*dice) + expected)


def test_b10_after_his_own_bid_a_player_may_show_and_reroll() -> None:
    """B10: one or more outside, at least one rerolled, once a bid, never with one hidden die."""
    common(
        """roll: a 15236, b 22344, c 22344\na shows 1, rerolls: 2222\n! refused cannot-show\na bids 2 5
        b shows 2, rerolls: 2344
        ! refused cannot-show
        a shows 15236
        ! refused cannot-show
        a shows 44, rerolls: 556
        ! refused bad-hand
        a shows 55, rerolls: 556
        ! refused bad-hand
        a shows 15, rerolls: 55
        ! refused bad-hand
        a shows 15, rerolls: 55?
        ! refused unreadable
        a shows 1?
        ! refused unreadable
        a shows 17
        ! refused bad-hand
        a shows 15, rerolls: 556
        a shows 5, rerolls: 56
        ! refused cannot-show
        a waives
        ! refused cannot-show
        b bids 3 5
        b waives
        c bids 4 5
        a bids 5 5
        a shows 55, rerolls: 2
        b bids 6 5
        c bids 7 5
        a bids 8 5
        a shows 2
        ! refused cannot-show"""
    )


def test_b10_the_next_answer_waives_for_the_bidder() -> None:
    """B10: after it he cannot show any more."""
    common("a bids 2 5\nb bids 3 5\na shows 1\n! refused cannot-show\nc challenges\nb shows 1\n! refused cannot-show")


def test_b10_dice_that_were_rolled_unseen_are_unknown_until_the_exposure() -> None:
    """B10: the exposure waits for them."""
    common(
        """roll: a 15236, b 22344, c 22344\na bids 2 5\na shows 15\nb challenges\ntable shows\n! phase exposure
        table shows a 15556
        ! dice b=3"""
    )


def test_b11_the_winner_of_the_challenge_opens_and_places_are_shared() -> None:
    """B11: two who go out together share a place."""
    common(
        "a bids 3 6\nb challenges\ntable shows a 6, b 6, c 1\n! announced exact\n! places a, b+c\n! winner a", "dice=1"
    )


def test_b12_the_tray_must_see_as_many_dice_as_he_holds() -> None:
    """B12: his name and both numbers are told; dice set outside must be among them."""
    state = common(
        """a bids 2 5\na shows 15\nb challenges\ntable shows a 22346\n! refused bad-hand\ntable shows a 1523X
        ! refused bad-hand
        table shows a 1523?
        ! refused unreadable
        table shows a 1?222
        ! refused unreadable
        table shows b 2234
        ! refused wrong-dice-count
        table shows a 1522
        ! refused wrong-dice-count
        table shows zed 11111
        ! refused unknown-seat
        table shows a 15223, b 22346
        ! phase exposure
        table shows c 22346
        ! phase to-bid"""
    )
    assert state.verdict is not None
    assert dict(state.verdict.shown) == {"a": "15223", "b": "22346", "c": "22346"}


def test_b12_the_refusal_names_him_and_the_two_numbers() -> None:
    """B12: there is no verdict before they agree."""
    from referee import Refused, play

    state = common("a bids 2 5\nb challenges")
    with pytest.raises(Refused, match=r"b: the tray sees 4 dice, and he holds 5"):
        play(state, "table shows b 2234")


def test_b13_leaving_mid_round_voids_it() -> None:
    """B13: the same player opens the next, or the left of the leaver if it was he; before a round nothing is void."""
    common("a bids 1 2\nb leaves\n! announced void\n! starter a\n! dice a=5 b=0 c=5\nb leaves\n! refused wrong-phase")
    common("a bids 1 2\na leaves\n! announced void\n! starter b")
    state = common("b leaves\n! starter a")
    assert [told.code for told in state.announced] == ["out"]
    common("table voids\n! refused wrong-phase\na bids 1 2\ntable voids\n! announced void\n! starter a")
    common("b leaves\nc leaves\n! winner a\n! places a, c, b\na bids 1 2\n! refused game-over")
    holds("game: common-hand\nseats: a b c\nstarting-roll: a 6, b 6, c 1\nb leaves\n! starter a\n! phase to-bid")


def raises(dice: int, face_first: bool) -> list[tuple[Bid, Bid]]:
    """Return every pair of a bid and a legal raise."""
    order = bid_order("pips")
    bids = [Bid(quantity, face) for quantity in range(1, dice + 1) for face in order[1:]]
    return [(a, b) for a in bids for b in bids if is_raise(b, a, order, face_first)]


@pytest.mark.parametrize("face_first", [True, False])
def test_b14_at_fifteen_dice_there_are_75_bids_and_2775_raises(face_first: bool) -> None:
    """B14: of two different bids exactly one beats the other, so both orders have 75 * 74 / 2."""
    assert len(raises(15, face_first)) == 2775
    assert len({bid for pair in raises(15, face_first) for bid in pair}) == 75


@pytest.mark.parametrize("house", ["face-first", "quantity-first"])
def test_ladders_counted_by_recursion_and_by_the_engine_agree(house: str) -> None:
    """Every way to bid from nothing to the highest bid: with n bids there are 2 to the n - 1."""
    from referee import Refused, State, play

    def ladders(state: State) -> int:
        found = 0
        for quantity in (1, 2):
            for face in "23456":
                try:
                    found += ladders(play(state, f"{state.to_act} bids {quantity} {face}"))
                except Refused as no:
                    if no.code == "must-challenge":
                        return 1
        return found

    start = begin(Setup("common-hand", ("a", "b"), {"dice": 1, "raise": house}, start="a"))
    assert ladders(start) == 2 ** (10 - 1)
