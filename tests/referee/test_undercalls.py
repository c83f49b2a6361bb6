"""Bids that do not beat the record, and bids that are changed: rules A20 and A21."""

import pytest

from tests.referee.told import one_cup

UNDER = "a rolls 5: JJJQ9\na says three jacks\nb accepts\nb rolls 0\nb says three tens\n"


def test_a20_silent_it_counts_as_better_and_is_shown_at_the_exposure() -> None:
    """A20, `undercall=silent`: nothing is announced before."""
    state = one_cup(UNDER + "! record JJJQ9", "undercall=silent")
    assert state.announced == ()
    one_cup(UNDER + "c challenges\ntable shows JJJT9\n! announced undercall\n! lives b=2", "undercall=silent")


def test_a20_announced_it_is_said_at_once_and_once() -> None:
    """A20, `undercall=announced`."""
    one_cup(UNDER + "! announced undercall\n! record JJJQ9", "undercall=announced")
    state = one_cup(UNDER + "c challenges\ntable shows JJJT9", "undercall=announced")
    assert [told.code for told in state.announced] == ["life-lost"]


def test_a20_among_players_it_stands_until_somebody_points_it_out() -> None:
    """A20, `undercall=players`: then it and every later bid are reckoned again, also after the challenge."""
    later = UNDER + "! record TTTJ9\nc accepts\nc rolls 0\nc says three jacks\n! record JJJT9\n"
    one_cup(later + "a points out\n! announced undercall\n! record JJJQT", "undercall=players")
    one_cup(later + "a challenges\nc points out\n! record JJJQT\ntable shows JJJQ9\n! lives c=2", "undercall=players")
    one_cup(later + "a challenges\ntable shows JJJT9\n! lives a=2", "undercall=players")


def test_a20_an_equal_bid_is_an_undercall() -> None:
    """A20: the same hand again counts as better."""
    one_cup("a rolls 5: JJJQ9\na says JJJT9\nb accepts\nb rolls 0\nb says JJJT9\n! record JJJQ9")


def test_a20_pointing_out_has_its_limits() -> None:
    """A20: not what is no undercall, not twice, not when out, not after the verdict."""
    one_cup(
        "a points out\n! refused no-undercall\n" + UNDER + "b points out\n! refused no-undercall", "undercall=silent"
    )
    one_cup(UNDER + "a points out\na points out\n! refused no-undercall", "undercall=players")
    one_cup(UNDER + "a leaves\na points out\n! refused not-your-turn\nb points out", "undercall=players")
    one_cup(UNDER + "c challenges\ntable shows JJJT9\na points out\n! refused no-undercall", "undercall=players")


def test_a20_nobody_may_point_out_once_five_aces_are_accepted() -> None:
    """A20: an undercall that is still open then stays what it was said to be."""
    accepted = UNDER + "c accepts\nc rolls 0\nc says five aces\na accepts\n! phase five-aces\n"
    one_cup(accepted + "b points out\n! refused no-undercall", "undercall=players")


def test_a20_an_undercall_on_five_kings_becomes_five_aces() -> None:
    """A20: and five aces are announced, whatever the house says about undercalls."""
    kings = "a rolls 5: KKKKK\na says five kings\nb accepts\nb rolls 0\nb says a pair\n"
    one_cup(kings + "! record AAAAA\n! announced five-aces", "undercall=silent")
    one_cup(kings + "! record 99QJT\nb points out\n! record AAAAA\n! announced five-aces", "undercall=players")


def test_a20_a_reckoning_that_makes_an_accepted_bid_five_aces_puts_its_acceptor_there() -> None:
    """A20: later bids and a challenge fall away, and nobody can point out any more."""
    kings = "a rolls 5: KKKKK\na says five kings\nb accepts\nb rolls 0\nb says a pair\n"
    accepted = kings + "c accepts\nc rolls 0\nc says two pairs\na challenges\n"
    one_cup(
        accepted
        + """a points out\n! announced five-aces\n! phase five-aces\n! to-act c\n! record AAAAA
        a points out
        ! refused no-undercall
        c rolls 5: AAAAA
        ! starter a""",
        "undercall=players",
    )
    one_cup(kings + "c accepts\nc points out\n! phase five-aces\n! to-act c", "undercall=players")
    one_cup(kings + "c accepts\nc points out\nc rolls 5: KKQJ9\n! lives c=2", "undercall=players, five-aces=one-roll")


def test_a20_if_the_acceptor_has_left_the_next_living_seat_rolls() -> None:
    """A20 with A31: an offerer whose offer was accepted may have left since."""
    one_cup(
        """a rolls 5: KKKKK\na says five kings\nb accepts\nb rolls 0\nb says a pair\nc accepts\nc rolls 0
        c says two pairs
        d accepts
        c leaves
        a points out
        ! phase five-aces
        ! to-act d""",
        "undercall=players",
        "a b c d",
    )


def test_a20_a_bid_that_was_amended_is_reckoned_again_as_a_whole() -> None:
    """A20 with A21: the amended undercall counts as better, and what was pointed out is bettered from there."""
    one_cup(
        UNDER
        + """b amends better\n! record TTTQ9\na points out\n! record JJJQ9\nb amends better\n! record JJJQT
        a points out
        ! refused no-undercall""",
        "undercall=players",
    )
    one_cup(UNDER + "b amends better\n! record JJJQT\nc challenges\ntable shows\n! announced undercall")


def test_a20_bids_before_the_open_undercall_stay_as_they_are() -> None:
    """A20: also one that was an undercall until its offerer bettered it past the record."""
    one_cup(
        """a rolls 5: 99QJT\na says 99QJT\nb accepts\nb rolls 0\nb says a singleton, ace high, no nine
        ! record AKQJT
        b amends way better
        ! record 99KJT
        c accepts
        c rolls 0
        c says 99QJT
        a points out
        ! record 99KQT""",
        "undercall=players",
    )


def test_a20_announced_is_not_announced_again_for_a_relative_amendment() -> None:
    """A20 with A21: the undercall was told already."""
    state = one_cup(UNDER + "b amends better\n! record JJJQT", "undercall=announced")
    assert state.announced == ()


def test_a21_a_bid_may_be_changed_upward_until_it_is_accepted() -> None:
    """A21: the amended bid takes the first one's place altogether."""
    one_cup(
        """a rolls 5: KKKK9\na says three tens\nb amends four kings\n! refused not-your-turn\na amends four kings
        ! record KKKK9
        ! to-act b
        a amends three kings
        ! refused not-higher
        a amends four kings
        ! refused not-higher
        b accepts
        a amends five kings
        ! refused wrong-phase"""
    )


def test_a21_both_are_taken_literally_so_that_the_answer_tells_nothing_of_the_record() -> None:
    """A21: 'three kings' is more than 'three tens', though both are undercalls here."""
    one_cup(
        """a rolls 5: KKKK9\na says four nines\nb accepts\nb rolls 0\nb says three tens\n! record 9999J
        b amends three kings
        ! record 9999J
        b amends three queens
        ! refused not-higher"""
    )


def test_a21_relative_words_better_ones_own_claim_and_are_only_replaced_by_relative_ones() -> None:
    """A21: up to five aces, which nothing betters."""
    one_cup(
        """a rolls 5: KKKK9\na says a pair\na amends better\n! record 99KJT\na amends five kings
        ! refused not-higher
        a amends way better
        ! record 99KQJ"""
    )
    one_cup("a rolls 5: AAAAA\na says five aces\na amends better\n! refused not-higher")


@pytest.mark.parametrize("words", ["a pear", "seven pairs", "two pairs of jacks"])
def test_a21_words_that_are_no_bid_change_nothing(words: str) -> None:
    """A21: the offer stands as it was."""
    code = {"a pear": "not-understood", "seven pairs": "no-such-hand"}.get(words, "ambiguous")
    one_cup(f"a rolls 5: KKKK9\na says a pair\na amends {words}\n! refused {code}\n! record 99QJT")
