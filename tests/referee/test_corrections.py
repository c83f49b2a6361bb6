"""Corrected exposures and steps taken back: rules A34 and A35, in both games."""

from referee import Act, State, begin, fold, play
from tests.referee.told import common, holds, one_cup

A_LOSES = "a rolls 5: QQQT9\na says three queens\nb challenges\ntable shows QQKT9\n! lives a=2\n! starter b\n"
NEXT_HAND = "b rolls 5: TTAQ9\nb says a pair\n"


def codes(state: State) -> list[str]:
    """Return the codes of what was announced last."""
    return [told.code for told in state.announced]


def test_a34_a_correction_gives_the_life_back_and_moves_the_start() -> None:
    """A34: who loses, and who starts; the announcement is the difference only."""
    state = one_cup(
        A_LOSES + "table corrects QQQT9\n! announced corrected\n! lives a=3 b=2 c=3\n! starter c\n! to-act c"
    )
    assert codes(state) == ["corrected"]
    assert state.announced[0].text == "Corrected: a 2 to 3, b 3 to 2; c starts."


def test_a34_a_hand_begun_since_is_void_if_the_loss_changes_and_stands_if_not() -> None:
    """A34: KKQT9 is less than three queens too."""
    one_cup(A_LOSES + NEXT_HAND + "table corrects QQQT9\n! announced void\n! phase to-roll\n! starter c\n! record none")
    state = one_cup(
        A_LOSES + NEXT_HAND + "table corrects KKQT9\n! phase offered\n! record 99QJT\n! to-act c\n! lives a=2"
    )
    assert codes(state) == ["corrected"]
    assert state.verdict is not None
    assert state.verdict.shown == ((None, "KKQT9"),)


def test_a34_nothing_to_correct_before_an_exposure_and_not_while_one_is_open() -> None:
    """A34: an open exposure is simply shown."""
    one_cup("table corrects QQQT9\n! refused nothing-to-correct")
    one_cup(A_LOSES + NEXT_HAND + "c challenges\ntable corrects QQQT9\n! refused wrong-phase")
    one_cup(A_LOSES + "table corrects QQQT\n! refused bad-hand\ntable corrects QQQT?\n! refused unreadable")


def test_a34_a_decline_of_a_dog_that_was_never_offered_is_dropped_and_stays_dropped() -> None:
    """A34: corrected twice, the second player is asked again and the first is not out."""
    one_cup(
        A_LOSES.replace("a=2", "a=0")
        + """a declines\n! announced out\ntable corrects QQQT9\n! lives a=1 b=0 c=1\n! dog offered b
        ! starter c
        table corrects QQKT9
        ! dog offered a
        ! lives a=0 b=1 c=1""",
        "lives=1",
    )


def test_a34_a_decline_that_still_has_its_ground_is_kept() -> None:
    """A34: the same player lost, so he stays out."""
    one_cup(A_LOSES.replace("a=2", "a=0") + "a declines\ntable corrects KKQJT\n! lives a=0\n! to-act b", "lives=1")


def test_a34_a_correction_can_take_back_a_win_and_make_one() -> None:
    """A34: never `game-over`."""
    lost = "a rolls 5: QQQT9\na says three queens\nb challenges\ntable shows QQKT9\n! winner b\n"
    one_cup(lost + "table corrects QQQT9\n! winner a\n! announced won\n! lives a=1 b=0", "lives=1, dog=off", "a b")
    one_cup(
        A_LOSES.replace("a=2", "a=0") + "! announced out\ntable corrects QQQT9\n! lives a=1 b=0 c=1\n! phase to-roll",
        "lives=1, dog=off",
    )


def test_a34_who_left_since_stays_left() -> None:
    """A34: leaving is nobody's misreading; the start goes on to the next living seat."""
    one_cup(A_LOSES + NEXT_HAND + "c leaves\ntable corrects QQQT9\n! lives a=3 b=2 c=0\n! starter a")


def test_a34_the_corrected_hand_counts_though_the_dice_were_disturbed() -> None:
    """A34: it is what the table says that it was."""
    one_cup(
        """a rolls 5: QQKT9\na says three queens\nb challenges\ntable shows, disturbed QQQT9\n! lives a=2
        table corrects QQQT9
        ! lives a=3 b=2"""
    )


FIVE_ACES = "a rolls 5: AAAAK\na says five aces\nb accepts\nb rolls 5: AAAAK\n"


def test_a34_a_roll_at_five_aces_can_be_corrected() -> None:
    """A34: to five aces and back, also after the next hand began."""
    one_cup(
        FIVE_ACES
        + """table corrects AAAAA\n! phase to-roll\n! starter c\n! lives b=3\nc rolls 5: KKQJ9
        table corrects AAAAQ
        ! announced void
        ! phase five-aces
        ! to-act b
        b rolls 1: AAAAQ
        b rolls 1: AAAAQ
        ! lives b=2
        ! starter c
        c rolls 5: KKQJ9
        table corrects AAAAA
        ! announced void
        ! lives b=3
        ! phase to-roll"""
    )


def test_a34_a_penalty_of_a_hand_that_should_not_have_begun_comes_back() -> None:
    """A34 with A8: the life that a false number cost in the void hand."""
    one_cup(A_LOSES + "b rolls 5 (4): TTAQ9\n! lives b=2\ntable corrects QQQT9\n! lives a=3 b=2 c=3", "miscount=life")


def test_a34_a_correction_can_be_taken_back() -> None:
    """A35: it is one act."""
    one_cup(A_LOSES + NEXT_HAND + "table corrects QQQT9\nundo\n! phase offered\n! lives a=2 b=3\n! record 99QJT")


def test_a34_in_the_common_hand_only_the_seats_named_are_corrected() -> None:
    """A34: the others keep what was seen."""
    common(
        """a bids 2 5\nb challenges\ntable shows a 55234, b 22346, c 22346\n! announced exact
        a bids 1 2
        table corrects b 55346
        ! announced corrected
        ! announced void
        ! dice a=5 b=3 c=5
        table corrects b 5534
        ! refused wrong-dice-count
        table corrects zed 5534
        ! refused unknown-seat"""
    )


def test_a35_one_act_at_a_time_and_it_is_named() -> None:
    """A35: any number, until nothing is left."""
    state = one_cup("a rolls 5: TTAQ9\na says a pair\nundo\n! phase to-say\n! record none")
    assert (codes(state), state.announced[0].text) == (["undone"], "Taken back: a's bid.")
    one_cup("a rolls 5: TTAQ9\nundo\nundo\n! refused nothing-to-undo")


def test_a35_dice_that_were_exposed_stay_exposed() -> None:
    """A35: the verdict goes back to the exposure, the challenge to a void hand, then the whole hand."""
    state = one_cup(
        """b leaves\na rolls 5 (4): QQQT9\n! lives a=2\na says three queens\nc challenges\ntable shows QQKT9
        ! lives a=1
        undo
        ! phase exposure
        ! lives a=2
        undo
        ! announced void
        ! phase to-roll
        ! starter a
        ! lives a=2
        undo
        ! lives a=3
        undo
        ! lives b=3
        undo
        ! refused nothing-to-undo""",
        "miscount=life",
    )
    assert state.announced[-1].text == "Taken back: b's leaving."


def test_a35_what_was_seen_stays_seen_through_other_steps() -> None:
    """A35: also if a pointing-out is taken back in between."""
    one_cup(
        """a rolls 5: QQQT9\na says three queens\nb accepts\nb rolls 0\nb says a pair\nc challenges\na points out
        table shows QQQT9
        undo
        undo
        ! phase exposure
        ! record 99QJT
        undo
        ! announced void
        ! phase to-roll""",
        "undercall=players",
    )


def test_a35_a_challenge_undone_before_anything_was_shown_simply_goes_back() -> None:
    """A35: the offer stands again."""
    one_cup("a rolls 5: TTAQ9\na says a pair\nb challenges\nundo\n! phase offered\nb accepts\n! phase to-roll")


def test_a35_in_the_common_hand_dice_seen_from_one_seat_are_enough() -> None:
    """A35: the round is void, and the next step takes all of it back."""
    common(
        """a bids 1 2\nb challenges\ntable shows a 11111\nundo\n! phase exposure\nundo\n! announced void
        ! phase to-bid
        undo
        undo
        ! refused nothing-to-undo"""
    )
    common("a bids 1 2\nb challenges\ntable shows\n! phase exposure\nundo\nundo\n! phase offered")


def test_a35_undo_reaches_across_eliminations_and_the_dog() -> None:
    """A35: from the winner back to the first roll."""
    state = holds(
        """game: one-cup\nseats: a b\nhouse: lives=1\nstart: a
        a rolls 5: KQJT9
        a says a pair
        b challenges
        table shows
        a barks
        table hears a howl
        b rolls 5: KQJT9
        b says a pair
        a challenges
        table shows
        ! winner a
        undo
        undo
        undo
        undo
        ! dog offered a
        undo
        undo
        ! phase exposure
        ! lives a=1 b=1"""
    )
    assert fold(state.setup, [str(act) for act in state.acts]) == state


def test_the_log_keeps_what_was_taken_back() -> None:
    """Acts are only added: the undone act and the undo are both there."""
    state = one_cup("a rolls 5: TTAQ9\na says a pair\nundo")
    assert list(map(str, state.acts)) == ["a rolls 5: TTAQ9", "a says a pair", "undo"]
    assert play(begin(state.setup), Act("leave", "a")).acts == (Act("leave", "a"),)
