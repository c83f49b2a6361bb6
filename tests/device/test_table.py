"""The table: how a turn meets the tray, from the starting roll to the winner."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from device.eye import CameraBack, Lifted, Settled, TrayStatus
from tests.device.evening import PHOTOGRAPH, Evening, reading
from vision.reading import Reading


@pytest.fixture
def pub(tmp_path: Path) -> Iterator[Evening]:
    """An evening about to begin."""
    evening = Evening(tmp_path)
    yield evening
    evening.close()


def test_a_roll_is_declared_and_then_read(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.does("Ann", "roll", count=5)
    assert pub.phase == "to-roll"
    assert pub.sees()["asks"] == {"seat": "Ann", "sentence": "Ann rolls 5 dice now."}
    pub.rolls("KKT9A")
    assert pub.phase == "to-say"
    assert pub.record == ["Ann rolls 5: KKT9A"]


def test_dice_rolled_before_they_are_declared_count_as_soon_as_they_are(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.rolls("KKT9A")
    assert pub.phase == "to-roll"
    pub.does("Ann", "roll", count=5)
    assert pub.record == ["Ann rolls 5: KKT9A"]


def test_dice_that_lay_there_before_the_game_are_no_roll(pub: Evening) -> None:
    pub.rolls("AAAAA")
    pub.begins("Ann", "Bob", start="Ann")
    pub.does("Ann", "roll", count=5)
    assert pub.phase == "to-roll"


def test_dice_that_nobody_saw_roll_are_no_roll_and_the_table_says_so(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.does("Ann", "roll", count=5)
    pub.tells(Settled(reading("KKT9A"), None, PHOTOGRAPH, 5), TrayStatus("read"))
    assert pub.phase == "to-roll"
    assert pub.sees()["asks"]["sentence"] == "Ann rolls 5 dice now: nobody saw those on the tray roll."
    pub.rolls("KKT9A")
    assert pub.record == ["Ann rolls 5: KKT9A"]


def test_a_leaning_die_is_waited_for_with_advice(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.does("Ann", "roll", count=5)
    pub.leans()
    assert pub.sees()["asks"]["sentence"] == "Ann: Nudge the cup."
    assert pub.refused("Ann", "say", words="a pair") == "waiting-for-tray"
    pub.nudged("KKT9A")
    assert pub.record == ["Ann rolls 5: KKT9A"]


def test_a_count_that_the_rules_forbid_is_refused_before_anything_is_rolled(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    assert pub.refused("Ann", "roll", count=3) == "must-roll-five"
    assert pub.refused("Ann", "roll", count=6) == "bad-count"
    assert pub.refused("Bob", "roll", count=5) == "not-your-turn"
    assert pub.refused("Ann", "roll", count="5") == "malformed"


def test_the_refusal_of_a_roll_names_no_dice(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    answer = pub.tap("phone of Bob", "roll", count=3)
    assert answer.code == "wrong-phase"
    assert answer.message == "'Bob rolls 3' has no place now: an offer waits for its answer."


def test_dice_are_passed_on_without_a_reading(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.does("Bob", "accept")
    pub.does("Bob", "roll", count=0)
    assert pub.record[-1] == "Bob rolls 0"


def test_more_dice_than_declared_are_noticed(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.does("Bob", "accept")
    pub.does("Bob", "roll", count=1)
    pub.rolls("KKKKK", rolled=3)
    assert pub.record[-1] == "Bob rolls 1 (3): KKKKK"
    assert any("number of dice" in text for text in pub.said)


def test_a_roll_behind_the_recipients_declared_none_is_noticed(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.does("Bob", "accept")
    pub.rolls("KKT9K", rolled=1)
    pub.does("Bob", "roll", count=0)
    assert pub.record[-1] == "Bob rolls 0 (1): KKT9K"


def test_fewer_dice_than_declared_are_noticed(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.does("Bob", "accept")
    pub.does("Bob", "roll", count=3)
    pub.rolls("KKT9J", rolled=1)
    assert pub.record[-1] == "Bob rolls 3 (1): KKT9J"


def test_of_five_shaken_dice_one_may_lie_as_before(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.does("Bob", "accept")
    pub.does("Bob", "roll", count=5)
    pub.rolls("QQQ9A", rolled=4)
    assert pub.record[-1] == "Bob rolls 5: QQQ9A"


def test_dice_that_were_only_touched_before_the_declaration_are_no_roll(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.meddles("KKT9A", "KKQ9A")
    pub.does("Bob", "accept")
    pub.does("Bob", "roll", count=3)
    assert pub.phase == "to-roll"
    pub.rolls("KKTAA", rolled=3)
    assert pub.record[-1] == "Bob rolls 3: KKTAA"


def test_nothing_is_said_while_dice_are_in_somebodys_hand(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.does("Ann", "roll", count=5)
    pub.rolls("KKT9A")
    pub.tells(TrayStatus("moving"), Lifted(2))
    assert pub.refused("Ann", "say", words="a pair") == "waiting-for-tray"
    pub.rolls("KKTQQ", rolled=2)
    pub.does("Ann", "say", words="a pair")
    assert pub.record[-2:] == ["Ann rolls 5: KKTQQ", "Ann says a pair"]


def test_what_lies_there_when_the_camera_comes_back_is_no_roll(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.plugs("QQT9A")
    pub.does("Ann", "roll", count=5)
    pub.plugs("KKT9A")
    assert pub.phase == "to-roll"
    pub.rolls("KKT9A")
    assert pub.record == ["Ann rolls 5: KKT9A"]


def test_dice_from_beside_the_tray_are_not_counted(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="roll")
    pub.rolls("J", rolled=1)
    pub.rolls("9", rolled=1)
    pub.does("Ann", "roll", count=5)
    pub.rolls("KKT9A", rolled=1)
    assert pub.record[-1] == "Ann rolls 5: KKT9A"


def test_the_photograph_of_one_reading_is_stored_once(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.does("Bob", "challenge")
    assert pub.journal.evidence(1) is not None
    assert pub.journal.evidence(2) is None


def test_a_die_turned_before_the_bid_belongs_to_the_roll(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.does("Bob", "accept")
    pub.does("Bob", "roll", count=1)
    pub.rolls("KKT9J", rolled=1)
    pub.meddles("KKT9J", "KKK9J")
    assert pub.record[-2:] == ["undo", "Bob rolls 1 (2): KKK9J"]
    assert sum("rolls 1" in text for text in pub.said) == 1
    assert not any("aken back" in text for text in pub.said)


def test_an_undisturbed_challenge_is_settled_at_once_by_the_sealed_reading(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "three kings")
    pub.does("Bob", "challenge")
    assert pub.record[-1] == "table shows"
    assert pub.lives == {"Ann": 2, "Bob": 3}
    exposure = pub.sees()["exposure"]
    assert exposure["hand"] == ["K", "K", "A", "10", "9"]
    assert exposure["settled_by"] == "tray"
    assert exposure["dice"][0] == {"face": "K", "x": 0.875, "y": 0.5}
    assert pub.table.picture(exposure["picture"].removeprefix("/exposure/").removesuffix(".jpg")) == PHOTOGRAPH


def test_nobody_gets_the_picture_of_dice_that_were_not_shown(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    assert pub.sees()["exposure"] is None
    assert [pub.table.picture(f"tray-{n}") for n in range(6)] == [None] * 6


def test_dice_touched_after_the_offer_count_as_they_were_sealed(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair of kings")
    pub.meddles("KKT9A", "KQT9A")
    pub.does("Bob", "challenge")
    assert pub.record[-1] == "table shows, disturbed"
    assert pub.lives == {"Ann": 3, "Bob": 2}
    assert any("disturbed" in text for text in pub.said)
    assert pub.sees()["exposure"]["hand"] == ["K", "K", "A", "10", "9"]


def test_a_disturbance_is_told_to_nobody_before_the_exposure(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair of kings")
    before = pub.sees("phone of Bob")
    pub.meddles("KKT9A", "KQT9A")
    after = pub.sees("phone of Bob")
    assert {**before, "version": 0} == {**after, "version": 0}


def test_dice_taken_up_by_the_recipient_before_he_accepts_are_his_roll(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.rolls("KKQJ9", rolled=3)
    pub.does("Bob", "accept")
    pub.does("Bob", "roll", count=3)
    pub.does("Bob", "say", words="a better pair")
    pub.does("Ann", "challenge")
    assert pub.record[-4:] == ["Bob rolls 3: KKQJ9", "Bob says a better pair", "Ann challenges", "table shows"]


def test_the_lost_camera_leaves_the_roll_unseen_and_the_hand_to_the_host(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.unplugs()
    assert pub.sees()["manual"] is True
    assert pub.sees()["tray"]["state"] == "manual"
    pub.does("Ann", "roll", count=5)
    assert pub.record == ["Ann rolls 5 unseen"]
    pub.does("Ann", "say", words="three kings")
    pub.does("Bob", "challenge")
    assert pub.phase == "exposure"
    assert "the host enters" in pub.sees()["asks"]["sentence"]
    pub.host("enter", hand="10 K K 9 A")
    assert pub.record[-1] == "table shows TKK9A"
    assert pub.lives == {"Ann": 2, "Bob": 3}
    assert pub.sees()["exposure"]["settled_by"] == "host"


def test_without_a_host_any_player_enters_what_all_can_see(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.unplugs()
    pub.does("Ann", "roll", count=5)
    assert pub.refused("Bob", "enter", hand="KKT9A") == "not-host"
    pub.does("Ann", "say", words="three kings")
    pub.does("Bob", "challenge")
    pub.does("Bob", "enter", hand="KKT9A")
    assert "Bob entered the dice by hand." in pub.said
    assert pub.lives == {"Ann": 2, "Bob": 3}


def test_with_a_host_at_his_page_players_enter_nothing(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.unplugs()
    pub.does("Ann", "roll", count=5)
    pub.does("Ann", "say", words="three kings")
    pub.does("Bob", "challenge")
    pub.sees("host", host=True)
    pub.table.attend("host", True)
    assert pub.refused("Bob", "enter", hand="KKT9A") == "not-host"


def test_a_camera_that_comes_back_before_the_challenge_reads_the_unseen_dice(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.unplugs()
    pub.does("Ann", "roll", count=5)
    pub.does("Ann", "say", words="three kings")
    pub.plugs("KKT9A")
    pub.does("Bob", "challenge")
    assert pub.record[-1] == "table shows KKT9A"


def test_a_camera_that_comes_back_after_the_challenge_saw_too_little(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.unplugs()
    pub.does("Ann", "roll", count=5)
    pub.does("Ann", "say", words="three kings")
    pub.does("Bob", "challenge")
    pub.plugs("KKT9A")
    assert pub.phase == "exposure"
    pub.host("enter", hand="KKT9A")
    assert pub.lives == {"Ann": 2, "Bob": 3}


def test_a_covered_lens_can_be_played_around_by_the_host(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.does("Ann", "roll", count=5)
    pub.tells(TrayStatus("covered", ("too-dark",), "The camera sees nothing."))
    pub.host("enter", hand="")
    assert pub.record == ["Ann rolls 5 unseen"]


def test_the_starting_roll_takes_one_die_of_each_in_turn(pub: Evening) -> None:
    pub.begins("Ann", "Bob", "Cat", start="roll")
    assert pub.sees()["asks"]["seat"] == "Ann"
    assert pub.sees()["tray"]["expect"] == 1
    pub.rolls("K", rolled=1)
    assert pub.sees()["asks"]["seat"] == "Bob"
    pub.rolls("Q", rolled=1)
    pub.rolls("K", rolled=1)
    assert pub.record == ["starting-roll: Ann K, Bob Q, Cat K"]
    assert pub.sees()["asks"]["sentence"].startswith("Ann and Cat tie and roll again. Ann rolls one die")
    pub.rolls("9", rolled=1)
    assert pub.sees()["asks"]["seat"] == "Cat"
    pub.rolls("T", rolled=1)
    assert pub.record[-1] == "starting-roll: Ann 9, Cat T"
    assert pub.sees()["view"]["to_act"] == "Cat"
    assert pub.sees()["tray"]["expect"] == 5


def test_one_die_is_not_taken_for_two_players(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="roll")
    pub.rolls("K", rolled=1)
    pub.nudged("K")
    assert pub.sees()["asks"]["seat"] == "Bob"


def test_a_starting_die_is_entered_by_hand_where_the_camera_is_lost(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="roll")
    pub.unplugs()
    pub.host("enter", hand="K")
    pub.host("enter", hand="10")
    assert pub.record == ["starting-roll: Ann K, Bob T"]


def test_five_aces_are_rolled_openly_up_to_three_times(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "five aces")
    pub.does("Bob", "accept")
    assert pub.phase == "five-aces"
    pub.does("Bob", "roll", count=5)
    pub.rolls("AAAKQ", rolled=5)
    assert pub.sees()["exposure"]["hand"] == ["A", "A", "A", "K", "Q"]
    pub.does("Bob", "roll", count=2)
    pub.rolls("AAAAQ", rolled=2)
    pub.does("Bob", "roll", count=1)
    pub.rolls("AAAAA", rolled=1)
    assert pub.record[-3:] == ["Bob rolls 5: AAAKQ", "Bob rolls 2: AAAAQ", "Bob rolls 1: AAAAA"]
    assert pub.phase == "to-roll"
    assert pub.lives == {"Ann": 3, "Bob": 3}


def test_five_aces_without_a_camera_are_entered_by_hand(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann", five_aces="one-roll")
    pub.offers("Ann", "KKT9A", "five aces")
    pub.does("Bob", "accept")
    pub.unplugs()
    pub.does("Bob", "roll", count=5)
    assert pub.sees()["asks"]["sentence"] == "Bob rolls; the host enters what lies there."
    pub.host("enter", hand="AAAKQ")
    assert pub.lives == {"Ann": 3, "Bob": 2}


def test_the_others_judge_the_howl_by_majority(pub: Evening) -> None:
    pub.begins("Ann", "Bob", "Cat", "Dan", start="Ann", lives="1")
    pub.offers("Ann", "KKT9A", "three kings")
    pub.does("Bob", "challenge")
    assert pub.phase == "dog"
    pub.does("Ann", "bark")
    pub.does("Bob", "howl")
    pub.does("Cat", "woof")
    assert pub.sees()["votes"] == {"Bob": True, "Cat": False}
    pub.does("Dan", "howl")
    assert pub.record[-1] == "table hears a howl"
    assert pub.lives["Ann"] == 1
    assert pub.sees()["votes"] == {}


def test_the_host_who_does_not_play_decides_about_the_howl(pub: Evening) -> None:
    pub.begins("Ann", "Bob", "Cat", start="Ann", lives="1")
    pub.offers("Ann", "KKT9A", "three kings")
    pub.does("Bob", "challenge")
    pub.does("Ann", "bark")
    pub.host("woof")
    assert pub.record[-1] == "table hears a woof"
    assert pub.refused("Ann", "howl") == "not-host"


def test_an_absent_recipient_is_passed_by_the_offerer_or_the_host(pub: Evening) -> None:
    pub.begins("Ann", "Bob", "Cat", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    assert pub.refused("Cat", "absent") == "not-absent-now"
    pub.does("Ann", "absent")
    assert pub.record[-1] == "Bob is absent"
    pub.host("declare-absent")
    assert pub.record[-1] == "Cat is absent"


def test_spilled_dice_are_seen_and_the_host_voids_the_hand(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.tells(TrayStatus("moving"), Lifted(5), TrayStatus("empty", ("no-dice",), "No die lies on the glass."))
    assert "spilled" in pub.sees()["asks"]["sentence"]
    pub.host("void")
    assert pub.record[-1] == "table voids"
    assert pub.sees()["view"]["to_act"] == "Ann"


def test_a_tray_on_which_too_few_dice_are_none_is_bare(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    nothing = Settled(Reading.unsure(["too-few"]), 5, PHOTOGRAPH, 5)
    pub.tells(TrayStatus("moving"), Lifted(5), nothing, TrayStatus("unsure", ("too-few",)))
    assert "spilled" in pub.sees()["asks"]["sentence"]


def test_pages_are_told_whether_there_is_a_bid_to_better_and_nothing_else_of_it(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.does("Ann", "roll", count=5)
    pub.rolls("KKT9A")
    assert pub.sees()["opening"]
    pub.does("Ann", "say", words="a pair")
    assert pub.sees()["opening"]  # what Ann might say instead betters nothing either
    pub.does("Bob", "accept")
    pub.does("Bob", "roll", count=2)
    pub.rolls("KKJQA", 2)
    assert not pub.sees()["opening"]
    pub.does("Bob", "say", words="better")
    assert not pub.sees()["opening"]


@pytest.mark.parametrize(
    ("kind", "hand", "words"),
    [
        ("enter", "KKT9A", "There are no dice to enter now: a bid has to be said first."),
        ("correct", "KKT9A", "No dice have been shown yet that could be corrected."),
        ("correct", "", "No dice were given: enter those that lay there."),
    ],
)
def test_dice_that_cannot_be_entered_are_refused_in_peoples_words(
    pub: Evening, kind: str, hand: str, words: str
) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.does("Ann", "roll", count=5)
    pub.rolls("KKT9A")
    assert pub.tap("host", kind, host=True, hand=hand).message == words


def test_a_corrected_hand_of_one_cup_belongs_to_no_seat(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "three kings")
    pub.does("Bob", "challenge")
    pub.host("correct", hand="KKK9A", seat="Ann")
    assert pub.record[-1] == "table corrects KKK9A"


def test_dice_that_are_spilled_before_the_bid_are_missed_and_not_waited_for(pub: Evening) -> None:
    """The eye takes them to be in a hand; nobody is to roll now, so the table says what it misses."""
    pub.begins("Ann", "Bob", start="Ann")
    pub.does("Ann", "roll", count=5)
    pub.rolls("KKT9A")
    assert pub.phase == "to-say"
    nothing = Settled(Reading.unsure(["too-few"]), 0, PHOTOGRAPH, 5)
    pub.tells(TrayStatus("moving"), Lifted(5), nothing, TrayStatus("moving", ("too-few",)))
    seen = pub.sees()
    assert "spilled" in seen["asks"]["sentence"]
    assert (seen["tray"]["state"], seen["tray"]["advice"]) == ("empty", "No die lies on the tray.")


def test_dice_that_are_taken_out_before_the_bid_are_counted_and_asked_back(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.does("Ann", "roll", count=5)
    pub.rolls("KKT9A")
    left = Settled(replace(Reading.unsure(["too-few"]), dice=reading("KKT").dice), 0, PHOTOGRAPH, 5)
    pub.tells(TrayStatus("moving"), Lifted(2), left, TrayStatus("moving", ("too-few",)))
    seen = pub.sees()
    assert seen["asks"]["sentence"] == "Ann: 3 of 5 dice lie on the tray: put the others back."
    assert seen["tray"]["advice"] == "3 of 5 dice lie on the tray: put the others back."


def test_between_games_only_the_camera_is_minded(pub: Evening) -> None:
    pub.tells(TrayStatus("unsure", ("too-few",), "Nudge the cup."))
    assert pub.sees()["tray"]["advice"] is None
    pub.tells(TrayStatus("covered", ("too-dark",), "Take away what covers it."))
    assert pub.sees()["tray"]["advice"] == "Take away what covers it."


def test_dice_that_are_in_a_hand_to_be_rolled_are_not_missed(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.does("Bob", "accept")
    left = Settled(replace(Reading.unsure(["too-few"]), dice=reading("KKT").dice), 0, PHOTOGRAPH, 5)
    pub.tells(TrayStatus("moving"), Lifted(2), left, TrayStatus("moving", ("too-few",)))
    assert (pub.sees()["tray"]["state"], pub.sees()["tray"]["advice"]) == ("moving", None)


def test_who_rolls_none_of_spilled_dice_is_told_so(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.does("Bob", "accept")
    pub.tells(TrayStatus("moving"), Lifted(5), Settled(Reading.unsure(["too-few"]), 5, PHOTOGRAPH, 0))
    pub.tells(TrayStatus("unsure", ("too-few",)))
    pub.does("Bob", "roll", count=0)
    assert pub.phase == "to-roll"
    assert "spilled" in pub.sees()["asks"]["sentence"]


def test_a_whole_game_is_played_to_its_winner(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="roll", lives="1", dog="off")
    pub.rolls("Q", rolled=1)
    pub.rolls("A", rolled=1)
    pub.offers("Bob", "KQJT9", "a pair")
    pub.does("Ann", "accept")
    pub.offers("Ann", "KKJT9", "better", dice=1)
    pub.does("Bob", "challenge")
    assert pub.sees()["state"] == "over"
    assert pub.sees()["view"]["winner"] == "Ann"
    assert pub.sees()["asks"]["sentence"] == "Another game? Any player can begin it."
    assert "Ann has won." in pub.said
    assert "game: one-cup" in pub.table.record()
    assert "table shows" in pub.table.record()
    assert pub.refused("Ann", "roll", count=5) == "game-over"
    pub.does("Bob", "again")
    assert pub.sees()["state"] == "lobby"
    assert [guest["agreed"] for guest in pub.sees()["guests"]] == [False, False]
    assert pub.table.record() == ""


def test_a_player_begins_another_game_while_a_host_is_there_too(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.host("end")
    pub.does("Bob", "again")
    assert pub.sees()["state"] == "lobby"


def test_whoever_left_for_good_is_not_there_in_the_next_game(pub: Evening) -> None:
    pub.begins("Ann", "Bob", "Cat", start="Ann")
    pub.does("Cat", "leave")
    pub.host("end")
    assert pub.sees()["state"] == "over"
    pub.host("again")
    assert [guest["seat"] for guest in pub.sees()["guests"]] == ["Ann", "Bob"]


def test_the_eye_is_asked_for_what_the_game_needs(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="roll")
    pub.eye.asked.clear()
    pub.rolls("Q", rolled=1)
    assert ("roll", None) in pub.eye.asked
    pub.rolls("A", rolled=1)
    assert ("dice", 5) in pub.eye.asked
    pub.does("Bob", "roll", count=5)
    assert pub.eye.asked[-1] == ("roll", 5)
    pub.eye.asked.clear()
    pub.rolls("KKT9A")
    pub.does("Bob", "say", words="a pair")
    assert pub.eye.asked == []


def test_a_tray_that_comes_back_is_told_to_all(pub: Evening) -> None:
    pub.unplugs()
    assert pub.sees()["camera_ok"] is False
    pub.tells(CameraBack())
    assert pub.sees()["camera_ok"] is True
