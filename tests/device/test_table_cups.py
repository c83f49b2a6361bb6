"""A cup for everyone at the table: bids on the phones, and at the exposure one cup after the other on the tray."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.eye import Lifted, Settled, TrayStatus
from tests.device.evening import PHOTOGRAPH, Evening, reading


@pytest.fixture
def pub(tmp_path: Path) -> Iterator[Evening]:
    """Three people with a cup of two dice each; Ann opens."""
    evening = Evening(tmp_path)
    evening.host("game", game="common-hand")
    evening.begins("Ann", "Bob", "Cat", start="Ann", dice="2")
    yield evening
    evening.close()


def puts(pub: Evening, dice: str) -> None:
    """Clear the tray and put these dice there."""
    gone = (TrayStatus("moving"), Lifted(1), TrayStatus("empty", ("no-dice",)))
    pub.tells(*gone, Settled(reading(dice), 0, PHOTOGRAPH, len(dice)), TrayStatus("read"))


def challenged(pub: Evening) -> None:
    """Let Ann bid three fives and Bob challenge."""
    pub.does("Ann", "bid", quantity=3, face="5")
    pub.does("Bob", "challenge")


def test_it_is_played_with_pip_dice(pub: Evening) -> None:
    assert pub.sees()["dice"] == "pips"


def test_cups_are_shown_in_turn_the_bidder_first(pub: Evening) -> None:
    challenged(pub)
    assert pub.sees()["asks"] == {"seat": "Ann", "sentence": "Ann puts 2 dice on the tray, and nobody else's."}
    puts(pub, "55")
    assert pub.sees()["asks"]["seat"] == "Bob"
    assert "Ann shows 5 5." in pub.said
    assert pub.sees()["exposure"]["picture"]
    puts(pub, "12")
    assert pub.sees()["asks"]["seat"] == "Cat"
    puts(pub, "34")
    assert pub.sees()["view"]["verdict"]["lines"]
    assert {seat["name"]: seat["dice"] for seat in pub.sees()["view"]["seats"]} == {"Ann": 2, "Bob": 1, "Cat": 1}


def test_the_same_dice_are_not_taken_for_two_cups(pub: Evening) -> None:
    challenged(pub)
    puts(pub, "55")
    pub.nudged("55")
    assert pub.sees()["asks"]["seat"] == "Bob"


def test_a_wrong_number_of_dice_is_named(pub: Evening) -> None:
    challenged(pub)
    puts(pub, "555")
    sentence = "Ann holds 2 dice, the tray sees 3: put just those on the tray."
    assert pub.sees()["asks"] == {"seat": "Ann", "sentence": sentence}
    puts(pub, "55")
    assert pub.sees()["asks"]["seat"] == "Bob"


def test_dice_that_were_set_outside_must_be_among_them(pub: Evening) -> None:
    pub.does("Ann", "bid", quantity=3, face="5")
    pub.does("Ann", "show", faces="5")
    pub.does("Bob", "challenge")
    puts(pub, "46")
    assert "set outside" in pub.sees()["asks"]["sentence"]
    puts(pub, "45")
    assert pub.record[-1] == "table shows Ann 45"


def test_cups_outlive_a_restart(pub: Evening) -> None:
    challenged(pub)
    puts(pub, "55")
    pub.again()
    pub.rolls("55", rolled=None)
    assert pub.sees()["asks"]["seat"] == "Bob"
    puts(pub, "12")
    assert pub.sees()["asks"]["seat"] == "Cat"


def test_without_a_camera_cups_are_entered_by_hand(pub: Evening) -> None:
    challenged(pub)
    pub.unplugs()
    assert "the host enters" in pub.sees()["asks"]["sentence"]
    pub.host("enter", hand="55")
    pub.host("enter", hand="12", seat="Bob")
    assert pub.tap("host", "enter", host=True, hand="345").code == "wrong-dice-count"
    pub.does("Cat", "enter", hand="34")
    assert pub.sees()["view"]["verdict"]["lines"]


def test_a_cup_that_was_taken_back_is_shown_again(pub: Evening) -> None:
    challenged(pub)
    puts(pub, "55")
    pub.host("undo")
    assert pub.sees()["asks"]["seat"] == "Ann"
    puts(pub, "56")
    assert pub.record[-1] == "table shows Ann 56"


def test_the_eye_looks_for_as_many_dice_as_the_next_one_holds(pub: Evening) -> None:
    challenged(pub)
    assert pub.eye.asked[-2:] == [("dice", 2), ("roll", None)]


def test_the_dice_are_chosen_by_the_host(pub: Evening) -> None:
    pub.host("end")
    pub.host("again")
    pub.host("game", game="common-hand", dice="poker")
    assert pub.sees()["dice"] == "poker"
    assert pub.tap("host", "game", host=True, game="one-cup", dice="pips").code == "malformed"
