"""The lobby: seats, names and agreement, as a fold over what people did."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.lobby import NAME_LIMIT, SEATS_LIMIT, Lobby, as_data, from_data, seat_name, shown, step
from referee import Refused


def seats(lobby: Lobby) -> list[str]:
    """Return the seats clockwise."""
    return [guest.seat for guest in lobby.guests]


def three() -> Lobby:
    """Ann, Bob and Cat sit at the table."""
    return Lobby().join("1", "Ann").join("2", "Bob").join("3", "Cat")


def refused(code: str) -> "pytest.RaisesExc[Refused]":
    """Expect a refusal with `code`."""
    return pytest.raises(Refused, check=lambda error: error.code == code)


def test_guests_sit_clockwise_in_the_order_in_which_they_came() -> None:
    assert seats(three()) == ["Ann", "Bob", "Cat"]


def test_a_guest_may_sit_down_between_two_others() -> None:
    assert seats(three().join("4", "Dan", 1)) == ["Ann", "Dan", "Bob", "Cat"]
    assert seats(three().join("4", "Dan", 99)) == ["Ann", "Bob", "Cat", "Dan"]


def test_two_guests_cannot_have_one_name_whatever_the_case() -> None:
    with refused("name-taken"):
        three().join("4", "ANN")


def test_joining_again_changes_the_name_and_keeps_the_place() -> None:
    lobby = three().join("2", "Bert")
    assert seats(lobby) == ["Ann", "Bert", "Cat"]
    assert lobby.seat_of("2") == "Bert"


def test_the_same_join_twice_changes_nothing() -> None:
    assert three().join("2", "Bob") == three()


def test_a_thirteenth_guest_finds_no_seat() -> None:
    lobby = Lobby()
    for n in range(SEATS_LIMIT):
        lobby = lobby.join(str(n), f"guest{n}")
    with refused("table-full"):
        lobby.join("late", "Late")


def test_a_freed_seat_goes_to_another_phone_under_its_name() -> None:
    lobby = three().detach("Bob")
    assert lobby.seat_of("2") is None
    assert lobby.attach("9", "bob").seat_of("9") == "Bob"
    assert seats(lobby.join("9", "bob")) == ["Ann", "Bob", "Cat"]


def test_a_guest_who_takes_a_freed_seat_leaves_his_own() -> None:
    lobby = three().detach("Bob").join("1", "Bob")
    assert seats(lobby) == ["Bob", "Cat"]


def test_nobody_new_sits_down_during_a_game() -> None:
    with refused("game-on"):
        three().attach("9", "Late")
    with refused("game-on"):
        three().attach("9", "Ann")


def test_whoever_stands_up_frees_his_name() -> None:
    assert seats(three().stand("Bob").join("7", "Bob")) == ["Ann", "Cat", "Bob"]
    with refused("unknown-seat"):
        three().stand("Zoe")


def test_everybody_agrees_anew_when_the_rules_change() -> None:
    lobby = three().agree("Ann").agree("Bob")
    assert [guest.agreed for guest in lobby.guests] == [True, True, False]
    assert not any(guest.agreed for guest in lobby.choose_house("lives", "5").guests)
    assert not any(guest.agreed for guest in lobby.choose_game("common-hand").guests)


def test_another_game_begins_with_its_own_defaults() -> None:
    assert three().choose_house("lives", "5").choose_game("common-hand").house == {}


@pytest.mark.parametrize("name", ["", "   ", "table", "Undo", "a,b", "a: b", "#1", "a+b", "<b>", "_", "x" * 15])
def test_what_would_break_the_record_or_the_screen_is_no_name(name: str) -> None:
    with refused("bad-name"):
        seat_name(name)


@pytest.mark.parametrize("name", ["Ann", "Old Tom", "Jürgen", "O'Neill", "Anne-Marie", "J.R.", "7", "李雷"])
def test_real_names_are_names(name: str) -> None:
    assert shown(seat_name(name)) == name


@given(st.text(max_size=20))
def test_a_name_is_one_word_or_refused(text: str) -> None:
    try:
        word = seat_name(text)
    except Refused:
        return
    assert word.split() == [word]
    assert len(word) <= NAME_LIMIT
    assert seat_name(shown(word)) == word


acts = st.one_of(
    st.tuples(
        st.just("join"),
        st.fixed_dictionaries(
            {"guest": st.sampled_from("1234"), "seat": st.sampled_from(["Ann", "ann", "Bob", "Cat"])},
            optional={"place": st.integers(-1, 4)},
        ),
    ),
    st.tuples(st.just("attach"), st.fixed_dictionaries({"guest": st.sampled_from("1234"), "seat": st.just("Bob")})),
    st.tuples(
        st.sampled_from(["stand", "detach", "agree"]),
        st.fixed_dictionaries({"seat": st.sampled_from(["Ann", "Bob", "Cat"])}),
    ),
    st.tuples(
        st.just("game"),
        st.fixed_dictionaries({"game": st.sampled_from(["one-cup", "common-hand"]), "dice": st.just("")}),
    ),
    st.tuples(st.just("house"), st.fixed_dictionaries({"option": st.just("lives"), "value": st.just("2")})),
)


@given(st.lists(acts, max_size=30))
def test_whatever_people_do_a_name_and_a_phone_sit_on_one_seat_only(done: list[tuple[str, dict[str, str]]]) -> None:
    lobby = Lobby()
    for kind, data in done:
        try:
            lobby = step(lobby, kind, data)
        except Refused:
            continue
        names = [guest.seat.casefold() for guest in lobby.guests]
        phones = [guest.guest for guest in lobby.guests if guest.guest is not None]
        assert len(set(names)) == len(names)
        assert len(set(phones)) == len(phones)
        assert from_data(json.loads(json.dumps(as_data(lobby)))) == lobby
