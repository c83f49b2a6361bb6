"""One cup, rule by rule: each test names the rule that it would catch being broken."""

import pytest

from referee import HandClaim, Malformed, Setup, begin, fold, house_options, view
from referee.sheet import rules_sheet
from tests.referee.told import holds, one_cup

TO_EXPOSURE = "a rolls 5: TTAQ9\na says {said}\nb challenges\ntable shows {shown}"


def test_a1_hands_are_made_of_six_faces_and_ten_may_be_written_as_a_number() -> None:
    """A1: A K Q J T 9, and 10 for T; anything else is no face."""
    assert str(HandClaim.parse("A K Q J 10")) == "AKQJT"
    with pytest.raises(Malformed):
        HandClaim.parse("AKQJ8")


def test_a2_two_seats_or_more_and_at_least_twelve_clockwise() -> None:
    """A2: one seat is no game, twelve are one, and the offer goes clockwise to the next seat."""
    with pytest.raises(Malformed):
        Setup("one-cup", ("a",))
    seats = tuple("abcdefghijkl")
    state = fold(Setup("one-cup", seats, start="l"), ["l rolls 5: TTAQ9", "l says a pair"])
    assert state.to_act == "a"


def test_a3_the_rules_in_force_are_shown_before_play() -> None:
    """A3: the sheet has every rule with what the house chose, and the view the options in force."""
    setup = Setup("one-cup", ("a", "b"), {"miscount": "life"})
    sheet = {line.rule: line for line in rules_sheet(setup)}
    assert list(sheet) == [f"A{n}" for n in range(1, 36)]
    assert sheet["A8"].chosen == "The table says so, and it costs a life."
    assert view(begin(setup), None).house["miscount"] == "life"


def test_a4_only_those_tied_for_highest_roll_again() -> None:
    """A4: the highest starts, ties roll again, and nobody else does."""
    holds(
        """game: one-cup\nseats: a b c
        starting-roll: a K, b 9, c K
        ! phase starting-roll
        ! to-act none
        starting-roll: a A, b A, c 9
        ! refused bad-count
        starting-roll: a 9
        ! refused bad-count
        starting-roll: a 9, c T
        ! starter c
        ! phase to-roll"""
    )


@pytest.mark.parametrize("lives", [str(n) for n in range(1, 10)])
def test_a5_everybody_has_as_many_lives_as_the_house_gives(lives: str) -> None:
    """A5: `lives` 1 to 9, three by default."""
    assert begin(Setup("one-cup", ("a", "b"), {"lives": lives})).lives == {"a": int(lives), "b": int(lives)}
    assert begin(Setup("one-cup", ("a", "b"))).lives == {"a": 3, "b": 3}


def test_a6_the_starter_rolls_all_five() -> None:
    """A6: fewer are refused."""
    one_cup("a rolls 3: TTAQ9\n! refused must-roll-five\na rolls 5: TTAQ9\n! phase to-say")


def test_a7_everybody_else_rolls_none_some_or_all_once() -> None:
    """A7: none to five, and then a bid."""
    for count, dice in ((0, ""), (2, ": TTAKJ"), (5, ": KKQJ9")):
        one_cup(
            f"""a rolls 5: TTAQ9\na says a pair\nb accepts\nb rolls 6{dice}
            ! refused bad-count
            b rolls {count}{dice}
            ! phase to-say
            b rolls 1: TTAQ9
            ! refused wrong-phase"""
        )


FALSE = "a rolls 5: TTAQ9\na says a pair\nb accepts\nb rolls 1: TKJ99\n"


def test_a8_a_false_number_is_announced_and_costs_nothing() -> None:
    """A8, `miscount=announce`: more faces changed than declared, or other dice left than declared."""
    one_cup(FALSE + "! announced miscount\n! lives b=3\n! phase to-say", "miscount=announce")
    one_cup("a rolls 5 (4): TTAQ9\n! announced miscount\n! lives a=3")


def test_a8_a_false_number_may_go_unsaid() -> None:
    """A8, `miscount=log`: nothing is announced, the act keeps both numbers."""
    state = one_cup("a rolls 5 (4): TTAQ9", "miscount=log")
    assert state.announced == ()
    assert str(state.acts[-1]) == "a rolls 5 (4): TTAQ9"


def test_a8_a_false_number_may_cost_a_life() -> None:
    """A8, `miscount=life`: the hand goes on; with the last life it is void, and the left of him starts."""
    one_cup(FALSE + "! announced miscount\n! announced life-lost\n! lives b=2\n! phase to-say", "miscount=life")
    one_cup(
        FALSE + "! announced void\n! dog offered b\n! starter c\nb declines\n! lives a=1 b=0 c=1\n! to-act c",
        "miscount=life, lives=1",
    )


def test_a8_at_five_aces_a_false_number_costs_no_life() -> None:
    """A8: there `life` is as `announce`."""
    one_cup(
        """a rolls 5: AAAAK\na says five aces\nb accepts\nb rolls 5: AAKQJ\nb rolls 1: AAAAT
        ! announced miscount
        ! lives b=3""",
        "miscount=life",
    )


def test_a9_nobody_has_to_look() -> None:
    """A9: a hand that nobody read is passed on all the same."""
    one_cup("a rolls 5 unseen\na says a pair\nb accepts\nb rolls 0\nb says better\n! record 99KJT")


def test_a10_the_starter_may_say_any_hand_and_runs_do_not_exist() -> None:
    """A10: a first bid of five aces stands; a straight is no hand."""
    one_cup("a rolls 5: TTAQ9\na says a straight\n! refused no-such-hand\na says five aces\n! record AAAAA")


def test_a11_a_later_bid_has_to_beat_the_record() -> None:
    """A11: a pair after a pair means a higher pair."""
    one_cup("a rolls 5: TTAQ9\na says a pair of jacks\nb accepts\nb rolls 0\nb says a pair\n! record JJKT9")


def test_a12_only_the_recipient_answers() -> None:
    """A12: nobody else accepts or challenges, not even the offerer."""
    one_cup(
        """a rolls 5: TTAQ9\na says a pair\nc accepts\n! refused not-your-turn\na challenges
        ! refused not-your-turn
        b challenges
        ! phase exposure"""
    )


def test_a13_an_accepted_offer_cannot_be_challenged() -> None:
    """A13: accepting begins his turn."""
    one_cup("a rolls 5: TTAQ9\na says a pair\nb accepts\n! phase to-roll\nb challenges\n! refused wrong-phase")


def test_a22_enough_costs_the_recipient_a_life_and_his_left_starts() -> None:
    """A22: shown equal to the record is enough."""
    one_cup(TO_EXPOSURE.format(said="a pair", shown="99QJT") + "\n! lives a=3 b=2 c=3\n! starter c")


def test_a23_too_little_costs_the_offerer_a_life_and_the_recipient_starts() -> None:
    """A23: shown below the record."""
    one_cup(TO_EXPOSURE.format(said="a pair", shown="AKQJT") + "\n! lives a=2 b=3 c=3\n! starter b")


def test_a24_there_is_no_verdict_before_five_dice_are_read() -> None:
    """A24: four dice or an unread one settle nothing; dice entered by hand do."""
    one_cup(
        """a rolls 5 unseen\na says a pair\nb challenges\ntable shows\n! refused unreadable
        table shows TTAQ
        ! refused bad-hand
        table shows TTAQ?
        ! refused unreadable
        ! phase exposure
        table shows TTAQ9
        ! lives b=2"""
    )


def test_a24_of_disturbed_dice_the_sealed_reading_counts() -> None:
    """A24: and the disturbance is announced; without it what is shown counts."""
    disturbed = TO_EXPOSURE.format(said="a pair", shown="AKQJT").replace("table shows", "table shows, disturbed")
    one_cup(disturbed + "\n! announced disturbed\n! lives a=3 b=2")
    one_cup(TO_EXPOSURE.format(said="a pair", shown="AKQJT") + "\n! lives a=2 b=3")


FIVE_ACES = "a rolls 5: AAAAK\na says five aces\n! announced five-aces\n"


def test_a25_five_aces_may_be_challenged_or_accepted_and_rolled_three_times() -> None:
    """A25, `five-aces=three-rolls`: all five first, then any, and he may stop at five aces."""
    one_cup(FIVE_ACES + "b challenges\ntable shows\n! lives a=2\n! starter b")
    one_cup(
        FIVE_ACES
        + """b accepts\n! phase five-aces\nb says better\n! refused five-aces-stand\nb rolls 4: AAAAK
        ! refused must-roll-five
        b rolls 5: AAKQJ
        b rolls 0
        b rolls 3: AAAAA
        ! lives a=3 b=3 c=3
        ! starter c"""
    )


def test_a26_not_made_costs_a_life_and_either_way_the_left_starts() -> None:
    """A26: the third roll decides."""
    one_cup(FIVE_ACES + "b accepts\nb rolls 5: AAKQJ\nb rolls 1: AAKQT\nb rolls 3: AAAAK\n! lives b=2\n! starter c")


def test_a26_one_roll_or_a_forced_challenge_if_the_house_says_so() -> None:
    """A26, `five-aces=one-roll` and `must-challenge`."""
    one_cup(FIVE_ACES + "b accepts\nb rolls 5: AAAAK\n! lives b=2\n! starter c", "five-aces=one-roll")
    one_cup(FIVE_ACES + "b accepts\n! refused must-challenge\nb challenges", "five-aces=must-challenge")


LOST = TO_EXPOSURE.format(said="a pair", shown="AKQJT") + "\n"


def test_a27_the_last_one_with_a_life_wins() -> None:
    """A27: no lives left is out, and places go backwards."""
    one_cup(
        LOST + "! announced out\n! lives a=0\nb rolls 5: TTAQ9\nb says a pair\nc challenges\ntable shows\n! winner b"
        "\n! places b, c, a\n! phase over\nb rolls 5: TTAQ9\n! refused game-over",
        "lives=1, dog=off",
    )


def test_a28_the_dog_is_asked_before_the_next_roll_and_before_any_winner() -> None:
    """A28: also with two left; a poor howl may be tried again, a decent one is one more life."""
    one_cup(
        LOST
        + """! phase dog\n! dog offered a\nb rolls 5: TTAQ9\n! refused wrong-phase\ntable hears a howl
        ! refused wrong-phase
        a barks
        table hears a woof
        table hears a howl
        ! refused wrong-phase
        a barks
        table hears a howl
        ! announced dog-used
        ! lives a=1 b=1
        ! starter b""",
        "lives=1",
        "a b",
    )


def test_a28_if_all_others_leave_meanwhile_he_wins_with_one_life() -> None:
    """A28: the asked player is not living, and wins all the same."""
    one_cup(LOST + "b leaves\n! phase dog\n! starter c\nc leaves\n! winner a\n! lives a=1\n! places a, c, b", "lives=1")


def test_a29_declined_it_waits_for_the_next_and_used_it_is_gone() -> None:
    """A29: the second to lose his last life is asked only if the first declined."""
    second = "b rolls 5: TTAQ9\nb says a pair\nc challenges\ntable shows AKQJT\n"
    one_cup(LOST + f"a declines\n! dog available\n{second}! dog offered b", "lives=1")
    one_cup(LOST + f"a barks\ntable hears a howl\n! dog used\n{second}! announced out\n! lives b=0", "lives=1")


def test_a30_whoever_is_away_passes_the_dice_as_better() -> None:
    """A30: never the starter, never at five aces."""
    one_cup(
        """a is absent\n! refused not-absent-now\na rolls 5: TTAQ9\na says a pair\nc is absent
        ! refused not-absent-now
        b is absent
        ! record 99KJT
        ! to-act c
        c accepts
        c is absent
        ! refused not-absent-now"""
    )
    one_cup(FIVE_ACES + "b is absent\n! refused not-absent-now")


def test_a31_who_leaves_with_the_cup_or_the_offer_makes_the_hand_void() -> None:
    """A31: nobody loses, and the left of him starts; an offerer who was accepted no longer counts."""
    offered = "a rolls 5: TTAQ9\na says a pair\n"
    one_cup(offered + "b leaves\n! announced void\n! lives a=3 b=0 c=3\n! starter c")
    one_cup(offered + "a leaves\n! announced void\n! starter b")
    one_cup(offered + "b challenges\na leaves\n! announced void\n! starter b")
    one_cup(offered + "b accepts\na leaves\n! phase to-roll\n! record 99QJT\n! to-act b")
    one_cup(offered + "b accepts\nb leaves\n! announced void\n! starter c")
    one_cup(offered + "c leaves\n! phase offered\nb leaves\n! winner a\nb leaves\n! refused game-over")


def test_a31_he_is_out_without_a_dog_and_cannot_leave_twice() -> None:
    """A31: also while he is asked for it."""
    one_cup("b leaves\n! lives b=0\n! dog available\nb leaves\n! refused wrong-phase\n! starter a")
    one_cup(LOST + "a leaves\n! dog available\n! starter b\n! phase to-roll", "lives=1")


def test_a31_at_the_starting_roll_the_others_go_on() -> None:
    """A31: also if he was among the tied."""
    holds(
        """game: one-cup\nseats: a b c
        starting-roll: a K, b 9, c K
        a leaves
        ! starter c
        ! phase to-roll"""
    )


def test_a31_spilled_dice_are_void_from_the_first_roll_to_the_verdict() -> None:
    """A31: the same starter begins again, also after an exposure began or at five aces."""
    one_cup(
        """table voids\n! refused wrong-phase\na rolls 5: TTAQ9\ntable voids\n! announced void
        ! starter a
        a rolls 5: TTAQ9
        a says five aces
        b accepts
        b rolls 5: KKQJ9
        table voids
        ! starter a
        ! lives a=3 b=3 c=3"""
    )


@pytest.mark.parametrize(
    ("lines", "starter"),
    [
        (LOST, "b"),
        (TO_EXPOSURE.format(said="a pair", shown="TTAQ9"), "c"),
        (FIVE_ACES + "b accepts\nb rolls 5: AAAAA", "c"),
        ("a rolls 5: TTAQ9\na says a pair\nb accepts\ntable voids", "a"),
        ("a rolls 5: TTAQ9\na says a pair\nb leaves", "c"),
        ("a leaves", "b"),
    ],
)
def test_a32_who_starts_on_one_line(lines: str, starter: str) -> None:
    """A32: offerer lost, recipient lost, five aces, void, left, and always a living seat."""
    assert one_cup(lines).starter == starter


def test_every_house_option_has_values_a_default_and_a_sentence_for_each() -> None:
    """Options are named, and each value has a sentence for the start page."""
    names = [option.name for option in house_options("one-cup")]
    assert names == ["lives", "undercall", "miscount", "five-aces", "dog", "screen"]
    for option in (*house_options("one-cup"), *house_options("common-hand")):
        assert option.default in option.values
        assert len(option.sentences) == len(option.values)
