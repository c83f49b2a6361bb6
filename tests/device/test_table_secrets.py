"""What lies under the cup is nobody's business: evenings that differ only there look alike to everybody."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.device.evening import Evening

AUDIENCES = (None, "phone of Ann", "phone of Bob", "phone of Cat", "a stranger")


@pytest.fixture
def pubs(tmp_path: Path) -> Iterator[tuple[Evening, Evening]]:
    """Two tables."""
    folders = (tmp_path / "one", tmp_path / "two")
    for folder in folders:
        folder.mkdir()
    both = (Evening(folders[0]), Evening(folders[1]))
    yield both
    for pub in both:
        pub.close()


def seen_by_all(pub: Evening) -> list[Any]:
    """Return everything that anybody can see."""
    views = [pub.sees(guest) for guest in AUDIENCES]
    return [
        *views,
        pub.sees("host", host=True),
        pub.table.record(),
        *(pub.table.picture(f"tray-{n}") for n in range(9)),
    ]


def step(pubs: tuple[Evening, Evening], do: Callable[[Evening, int], object]) -> None:
    """Let the same happen at both tables, and compare what all can see."""
    for number, pub in enumerate(pubs):
        do(pub, number)
    assert seen_by_all(pubs[0]) == seen_by_all(pubs[1])


def test_before_an_exposure_nothing_depends_on_the_dice(pubs: tuple[Evening, Evening]) -> None:
    hands = ("KKT9A", "QQQQJ"), ("KKJJA", "999AT"), ("AAAAA", "KQJT9")
    step(pubs, lambda pub, n: pub.begins("Ann", "Bob", "Cat", start="Ann"))
    step(pubs, lambda pub, n: pub.does("Ann", "roll", count=5))
    step(pubs, lambda pub, n: pub.rolls(hands[0][n]))
    step(pubs, lambda pub, n: pub.host("undo"))
    step(pubs, lambda pub, n: pub.does("Ann", "roll", count=5))
    step(pubs, lambda pub, n: pub.does("Ann", "say", words="a pair"))
    step(pubs, lambda pub, n: pub.meddles(hands[0][n], hands[1][n]))
    step(pubs, lambda pub, n: pub.does("Bob", "accept"))
    step(pubs, lambda pub, n: pub.does("Bob", "roll", count=5))
    step(pubs, lambda pub, n: pub.rolls(hands[2][n]))
    step(pubs, lambda pub, n: pub.does("Bob", "say", words="a better pair"))
    step(pubs, lambda pub, n: pub.again())
    step(pubs, lambda pub, n: pub.rolls(hands[2][n], rolled=None))
    step(pubs, lambda pub, n: pub.host("undo"))


def test_after_the_exposure_they_differ(pubs: tuple[Evening, Evening]) -> None:
    for pub, hand in zip(pubs, ("KKT9A", "QQQQJ"), strict=True):
        pub.begins("Ann", "Bob", start="Ann")
        pub.offers("Ann", hand, "a pair")
        pub.does("Bob", "challenge")
    assert seen_by_all(pubs[0]) != seen_by_all(pubs[1])


def test_in_the_pub_a_good_bid_and_an_undercall_look_alike(pubs: tuple[Evening, Evening]) -> None:
    step(pubs, lambda pub, n: pub.begins("Ann", "Bob", "Cat", start="Ann"))
    step(pubs, lambda pub, n: pub.offers("Ann", "KKT9A", "three queens"))
    step(pubs, lambda pub, n: pub.does("Bob", "accept"))
    step(pubs, lambda pub, n: pub.does("Bob", "roll", count=0))
    for number, pub in enumerate(pubs):
        pub.does("Bob", "say", words=("three kings", "three jacks")[number])
    hidden = [without_own_words(seen_by_all(pub)) for pub in pubs]
    assert hidden[0] == hidden[1]
    step_views = [pub.sees("phone of Bob")["view"]["words"]["words"] for pub in pubs]
    assert step_views == ["three kings", "three jacks"]


def without_own_words(seen: list[Any]) -> str:
    """Return what all see, without the words that Bob's own phone may show him."""
    for each in seen:
        if isinstance(each, dict) and each["you"] == "Bob":
            each["view"]["words"] = None
    return json.dumps(seen, default=repr)


def test_no_picture_can_be_guessed(pubs: tuple[Evening, Evening]) -> None:
    pub = pubs[0]
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    for name in ("tray-1", "tray-01", "tray-1.jpg", "../journal.db", "", "tray-", "tray--1"):
        assert pub.table.picture(name) is None


def test_pictures_of_old_games_are_cleared_away(pubs: tuple[Evening, Evening]) -> None:
    pub = pubs[0]
    pub.table._keeper._pictures = 1
    for _ in range(2):
        pub.begins("Ann", "Bob", start="Ann")
        pub.offers("Ann", "KKT9A", "a pair")
        pub.host("end")
        pub.host("again")
    kept = [pub.journal.evidence(n) for n in (1, 2)]
    assert [proof is not None and proof.jpeg is not None for proof in kept] == [False, True]
