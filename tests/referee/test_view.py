"""The one door: what a view shows under each house rule, and that nothing hidden gets through it (A33)."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import Act, Refused, Setup, State, begin, play, view
from referee.hand import FIVE_ACES
from tests.referee.told import common, one_cup

OFFER = "a rolls 5: TTAQ9\na says a pair\n"


def seen(state: State, seat: str | None) -> dict[str, Any]:
    """Return a view as a client gets it: through JSON."""
    data: dict[str, Any] = json.loads(json.dumps(view(state, seat).as_dict()))
    return data


@pytest.mark.parametrize(
    ("screen", "words", "record"), [("pub", None, None), ("words", "a pair", None), ("ladder", "a pair", "99QJT")]
)
def test_a33_the_house_decides_what_the_screen_tells(screen: str, words: str | None, record: str | None) -> None:
    """A33: `pub` neither words nor record, `words` the last words, `ladder` both."""
    shown = seen(one_cup(OFFER, f"screen={screen}"), None)
    assert (shown["words"] and shown["words"]["words"], shown["record"]) == (words, record)


def test_a33_a_seat_always_sees_its_own_last_words() -> None:
    """A33: and nobody else's in the pub."""
    state = one_cup(OFFER + "b accepts\nb rolls 0\nb says better")
    assert seen(state, "a")["words"] == {"seat": "a", "words": "a pair"}
    assert seen(state, "b")["words"] == {"seat": "b", "words": "better"}
    assert seen(state, "c")["words"] is None


def test_a33_five_aces_are_shown_to_everybody() -> None:
    """A33: the exception; so are the dice that are rolled for them."""
    state = one_cup("a rolls 5: TTAQ9\na says five aces")
    assert (seen(state, None)["record"], seen(state, None)["five_aces"]) == ("AAAAA", True)
    assert "absent" not in seen(state, "a")["can"]
    rolling = seen(play(play(state, "b accepts"), "b rolls 5: AAKQJ"), "c")
    assert (rolling["rolls_left"], rolling["open_dice"]) == (2, "AAKQJ")


def test_what_each_seat_may_do_now() -> None:
    """Recipient, offerer, everybody else, and the table."""
    state = one_cup(OFFER, "undercall=players")
    assert seen(state, "b")["can"] == ["accept", "challenge", "point-out", "leave"]
    assert seen(state, "a")["can"] == ["amend", "absent", "point-out", "leave"]
    assert seen(state, "c")["can"] == ["point-out", "leave"]
    assert seen(state, None)["can"] == []
    assert seen(state, None)["table_can"] == ["absent", "void", "undo"]


def test_only_a_challenge_is_offered_where_five_aces_must_be_challenged() -> None:
    """A26: a phone shows no button that is refused."""
    state = one_cup("a rolls 5: TTAQ9\na says five aces", "five-aces=must-challenge")
    assert seen(state, "b")["can"] == ["challenge", "leave"]
    assert seen(state, None)["next"] == "b must challenge."
    lower = one_cup(OFFER, "five-aces=must-challenge")
    assert seen(lower, "b")["can"] == ["accept", "challenge", "leave"]


def test_who_is_asked_for_the_dog_and_who_judges() -> None:
    """A28: the asked barks or declines, the others judge once he has barked."""
    state = one_cup("a rolls 5: KQJT9\na says a pair\nb challenges\ntable shows", "lives=1")
    assert seen(state, "a")["can"] == ["bark", "decline", "leave"]
    assert [seat["status"] for seat in seen(state, None)["seats"]] == ["asked", "in", "in"]
    assert seen(state, "b")["can"] == ["leave"]
    assert seen(play(state, "a barks"), "b")["can"] == ["howl", "woof", "leave"]
    left = play(play(state, "a declines"), "b leaves")
    assert [seat["status"] for seat in seen(left, None)["seats"]] == ["out", "left", "in"]
    assert seen(left, "a")["can"] == []


def test_the_verdict_stays_until_the_next_hand_begins() -> None:
    """Said, at least, shown, who loses what, who starts; it can be corrected later still."""
    state = one_cup(OFFER + "b challenges\ntable shows")
    verdict = seen(state, None)["verdict"]
    assert verdict["said"] == [{"seat": "a", "words": "a pair", "claim": "99QJT"}]
    assert (verdict["shown"], verdict["made"], verdict["losers"], verdict["starter"]) == ("TTAQ9", True, ["b"], "c")
    assert verdict["lines"][1:] == [
        "That is at least 99QJT.",
        "The dice show TTAQ9.",
        "That is enough: b loses a life.",
        "c starts.",
    ]
    after = play(state, "c rolls 5: KQJT9")
    assert seen(after, None)["verdict"] is None
    assert "correct" in seen(after, None)["table_can"]


def test_how_many_dice_were_declared_is_public() -> None:
    """A8: what was rolled is not."""
    state = one_cup(OFFER + "b accepts\nb rolls 2: TTAKJ")
    assert seen(state, None)["rolled"] == {"seat": "b", "declared": 2}
    assert seen(play(state, "b says better"), None)["rolled"] == {"seat": "b", "declared": 2}


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("", "a starts and rolls all five."),
        ("a rolls 5: TTAQ9", "a says a bid."),
        (OFFER, "b accepts or challenges."),
        (OFFER + "b accepts", "b rolls none, some or all, and says how many."),
        (OFFER + "b challenges", "The cup is lifted: five dice have to lie flat."),
        ("a rolls 5: TTAQ9\na says five aces\nb accepts", "b has accepted five aces and rolls all five, openly, up to"),
        (OFFER + "b leaves\nc leaves", "a has won."),
    ],
)
def test_the_table_is_told_what_is_next(lines: str, sentence: str) -> None:
    """One sentence: what, and by whom."""
    assert view(one_cup(lines or "table voids\n! refused wrong-phase"), None).next.startswith(sentence)


def test_the_common_hand_shows_the_bid_and_what_lies_outside() -> None:
    """B7, B10: bids are no secret there; the bidder may show, the next one answers."""
    state = common("roll: a 15236, b 22344, c 22344\na bids 2 5\na shows 15, rerolls: 234\nb bids 15 6")
    shown = seen(state, "a")
    assert shown["record"] == "15 6"
    assert shown["cups"][0] == {"seat": "a", "outside": "15", "hidden": 3, "hand": "234", "seen": None}
    assert seen(state, "b")["can"] == ["show", "waive", "leave"]
    assert seen(state, "c")["can"] == ["challenge", "leave"]
    exposed = common("a bids 2 5\nb challenges\ntable shows a 22344")
    assert view(exposed, None).next == "b puts all his dice on the tray."
    assert seen(exposed, "c")["cups"][0]["seen"] == "22344"


# --- noninterference -----------------------------------------------------------------------------------------------

SAYINGS = ["a pair", "three tens", "two pairs, jacks on top", "jacks over nines"]
RELATIVE = ["better", "way better", "a better pair"]
NONSENSE = ["gimme a pint", "two pairs of jacks", "seven pairs"]
SEATS = ("ann", "bob", "cat")


def told(state: State, client: str | None, own: bool) -> str:
    """Return every byte that a client is sent; a seat's own words, and its own dice, only if `own`."""
    data = view(state, client).as_dict()
    if not own:
        data["words"] = None
        for cup in data["cups"]:
            cup["hand"] = None
    return json.dumps(data)


def answer(state: State, act: Act) -> tuple[State, str]:
    """Return the state after an act, and what the player is answered."""
    try:
        return play(state, act), "yes"
    except Refused as no:
        return state, no.code


def step(data: st.DataObject, state: State, other: State, same_words: bool) -> tuple[Act, Act] | None:
    """Return an act for each of two games that differ only in what nobody may know; None ends the game."""
    seat = data.draw(st.sampled_from([state.to_act or "ann", state.to_act or "ann", *SEATS]))
    if state.phase == "to-roll":
        return rolls(data, seat, state, other)
    sayings = SAYINGS + NONSENSE + (RELATIVE if state.record else [])
    words = [data.draw(st.sampled_from(sayings)) for _ in range(2)]
    if same_words or words[0] in NONSENSE or words[1] in NONSENSE:
        words[1] = words[0]
    kind = data.draw(
        st.sampled_from(["say", "amend"] if state.phase == "to-say" else ["accept", "accept", "amend", "absent"])
    )
    if kind in ("say", "amend"):
        return Act(kind, seat, words=words[0]), Act(kind, seat, words=words[1])
    return Act(kind, seat), Act(kind, seat)


def rolls(data: st.DataObject, seat: str, state: State, other: State) -> tuple[Act, Act]:
    """Return a roll in each game: as many dice, other faces, and never more changed than declared."""
    count = data.draw(st.sampled_from([0, 1, 2, 5])) if state.record else 5
    acts = []
    for game in (state, other):
        kept = (game.hand.dice if game.hand and game.hand.dice else "AAAAA")[count:]
        fresh = "".join(data.draw(st.lists(st.sampled_from("AKQJT9"), min_size=count, max_size=count)))
        acts.append(Act("roll", seat, count=count, dice=kept + fresh if count else None))
    return acts[0], acts[1]


@pytest.mark.parametrize("screen", ["pub", "words", "ladder"])
@settings(max_examples=25, deadline=None)
@given(data=st.data(), undercall=st.sampled_from(["silent", "announced", "players"]))
def test_a33_games_that_differ_only_in_hidden_dice_look_alike_to_everybody(
    screen: str, data: st.DataObject, undercall: str
) -> None:
    """A33: equal views, answers and announcements for every client until the exposure."""
    setup = Setup("one-cup", SEATS, {"screen": screen, "undercall": undercall}, start="ann")
    alike(data, setup, same_words=True)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), undercall=st.sampled_from(["silent", "players"]))
def test_a33_in_the_pub_games_that_differ_in_the_record_look_alike_too(data: st.DataObject, undercall: str) -> None:
    """A33: a good bid and an undercall get the same answer in every byte."""
    alike(data, Setup("one-cup", SEATS, {"screen": "pub", "undercall": undercall}, start="ann"), same_words=False)


def alike(data: st.DataObject, setup: Setup, same_words: bool) -> None:
    """Play two games side by side and compare everything that anybody is told."""
    one = other = begin(setup)
    for _ in range(data.draw(st.integers(4, 16))):
        acts = step(data, one, other, same_words)
        if acts is None:
            return
        ahead, said = answer(one, acts[0])
        beside, heard = answer(other, acts[1])
        if FIVE_ACES in (ahead.record, beside.record) or "not-higher" in (said, heard):
            return
        assert said == heard
        one, other = ahead, beside
        for client in (None, *SEATS):
            assert told(one, client, own=same_words) == told(other, client, own=same_words)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_b3_nobody_is_told_of_other_players_dice(data: st.DataObject) -> None:
    """B3: two rounds with other dice under the cups look alike until the exposure."""
    die = st.sampled_from("123456")
    hands = st.lists(die, min_size=4, max_size=4).map("".join)
    setup = Setup("common-hand", SEATS, start="ann")
    games = [
        play(begin(setup), Act("deal", named=tuple((seat, f"1{data.draw(hands)}") for seat in SEATS))) for _ in "ab"
    ]
    for _ in range(data.draw(st.integers(1, 8))):
        seat = data.draw(st.sampled_from([games[0].to_act or "ann", *SEATS]))
        kind = data.draw(st.sampled_from(["bid", "bid", "show", "waive"]))
        bid = f"{data.draw(st.integers(0, 16))} {data.draw(die)}"
        answers = []
        for place, game in enumerate(games):
            under = max(1, 4 - len(game.hand.outside[setup.index[seat]]))
            rerolled = "1" + "".join(data.draw(st.lists(die, min_size=under - 1, max_size=under - 1)))
            acts = {"bid": Act(kind, seat, words=bid), "show": Act(kind, seat, dice="1", rerolled=rerolled)}
            games[place], said = answer(game, acts.get(kind, Act(kind, seat)))
            answers.append(said)
        assert answers[0] == answers[1]
        for client in (None, *SEATS):
            assert told(games[0], client, own=False) == told(games[1], client, own=False)
