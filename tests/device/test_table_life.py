"""The table over time: taps twice, taps too late, acts taken back, plugs pulled, things that go wrong inside."""

import itertools
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.eye import TrayStatus
from device.journal import Journal
from device.keeper import Keeper
from device.room import fold
from device.table import Facts, Table
from referee import fold as replayed
from tests.device.evening import PIN, Evening, reopen
from web.table import Tap


@pytest.fixture
def pub(tmp_path: Path) -> Iterator[Evening]:
    """An evening about to begin."""
    evening = Evening(tmp_path)
    yield evening
    evening.close()


# --- taps -----------------------------------------------------------------------------------------------------------


def test_the_same_tap_twice_is_done_once_and_answered_alike(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.does("Ann", "roll", count=5)
    pub.rolls("KKT9A")
    tap = Tap("phone of Ann", "say-1", pub.sees()["game_version"], "say", {"words": "a pair"})
    first = pub.table.tap(tap)
    assert first.ok
    assert pub.table.tap(tap) == first
    assert pub.record.count("Ann says a pair") == 1
    pub.again()
    assert pub.table.tap(tap) == first
    assert pub.record.count("Ann says a pair") == 1


def test_a_refused_tap_sent_again_is_refused_alike(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    tap = Tap("phone of Bob", "roll-1", pub.sees()["game_version"], "roll", {"count": 5})
    first = pub.table.tap(tap)
    assert first.code == "not-your-turn"
    assert pub.table.tap(tap) == first


def test_one_phone_cannot_ask_for_the_answer_of_another(pub: Evening) -> None:
    pub.sits("Ann")
    join = Tap("phone of Bob", "same-id", 0, "join", {"name": "Bob"})
    assert pub.table.tap(join).ok
    assert pub.table.tap(Tap("phone of Cat", "same-id", 0, "join", {"name": "Cat"})).ok
    assert [guest["seat"] for guest in pub.sees()["guests"]] == ["Ann", "Bob", "Cat"]


def test_a_tap_that_answers_an_older_game_is_refused(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    old = pub.sees()["game_version"]
    pub.does("Bob", "accept")
    answer = pub.table.tap(Tap("phone of Bob", "late", old, "challenge"))
    assert answer.code == "stale"
    assert pub.phase == "to-roll"


def test_what_changes_nothing_in_the_game_makes_no_tap_stale(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    version = pub.sees()["game_version"]
    pub.meddles("KKT9A", "KKT9J")
    pub.table.attend("phone of Ann", True)
    pub.host("stand", seat="Ann")
    assert pub.table.tap(Tap("phone of Bob", "in-time", version, "accept")).ok


def test_guests_may_sit_down_all_at_once(pub: Evening) -> None:
    version = pub.sees()["game_version"]
    names = [f"guest{n}" for n in range(8)]
    answers = []
    threads = [
        threading.Thread(target=lambda n=name: answers.append(pub.table.tap(Tap(n, n, version, "join", {"name": n}))))
        for name in names
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(answer.ok for answer in answers)
    assert sorted(guest["seat"] for guest in pub.sees()["guests"]) == names


def test_agreeing_to_rules_that_have_changed_since_is_refused(pub: Evening) -> None:
    pub.does("Ann", "join", name="Ann")
    version = pub.sees()["game_version"]
    pub.host("house", option="lives", value="5")
    assert pub.table.tap(Tap("phone of Ann", "agree", version, "agree")).code == "stale"
    assert pub.sees()["rules"][0] == "Everybody starts with 5 lives."
    pub.does("Ann", "agree")


@pytest.mark.parametrize(
    ("kind", "fields", "code"),
    [
        ("join", {"name": "table"}, "bad-name"),
        ("join", {}, "malformed"),
        ("join", {"name": "Ann", "place": "first"}, "malformed"),
        ("agree", {}, "no-seat"),
        ("begin", {}, "no-seat"),
        ("roll", {"count": 5}, "no-seat"),
        ("undo", {}, "not-host"),
        ("house", {"option": "lives", "value": "1"}, "not-host"),
        ("dance", {}, "malformed"),
    ],
)
def test_what_cannot_be_is_refused_with_its_code(pub: Evening, kind: str, fields: dict[str, object], code: str) -> None:
    assert pub.refused("Nobody", kind, **fields) == code


def test_a_game_begins_only_when_all_have_agreed(pub: Evening) -> None:
    pub.sits("Ann")
    assert pub.refused("Ann", "begin") == "too-few"
    pub.does("Bob", "join", name="Bob")
    assert pub.refused("Ann", "begin") == "not-agreed"
    pub.does("Bob", "agree")
    pub.does("Ann", "begin", start="Bob")
    assert pub.sees()["view"]["to_act"] == "Bob"
    assert pub.refused("Bob", "begin") == "game-on"


def test_a_house_rule_that_does_not_exist_is_refused(pub: Evening) -> None:
    answer = pub.tap("host", "house", host=True, option="lives", value="77")
    assert answer.code == "malformed"
    assert "77" in str(answer.message)


def test_late_guests_watch(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    assert pub.refused("Late", "join", name="Late") == "game-on"
    assert pub.sees("phone of Late")["you"] is None


def test_a_seat_goes_on_from_another_phone(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    assert pub.refused("New", "join", name="Ann") == "game-on"
    pub.host("stand", seat="Ann")
    assert pub.sees()["guests"][0]["free"] is True
    pub.does("New", "join", name="ann")
    assert pub.sees("phone of New")["you"] == "Ann"
    pub.does("New", "roll", count=5)


def test_who_is_here_is_seen(pub: Evening) -> None:
    pub.sits("Ann", "Bob")
    pub.table.attend("phone of Ann", True)
    pub.table.settle()
    assert [guest["here"] for guest in pub.sees()["guests"]] == [True, False]
    pub.table.attend("phone of Ann", False)
    pub.table.settle()
    assert [guest["here"] for guest in pub.sees()["guests"]] == [False, False]


def test_the_pin_fits_or_not(pub: Evening) -> None:
    assert pub.table.pin_fits(PIN)
    assert not pub.table.pin_fits("0000")
    assert not pub.table.pin_fits("ä")


# --- taking back and putting right ----------------------------------------------------------------------------------


def test_undo_takes_one_act_back_and_names_it_without_its_dice(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.host("undo")
    assert pub.phase == "to-say"
    assert pub.said[-1] == "Taken back: Ann's bid."
    pub.host("undo")
    assert pub.phase == "to-roll"
    assert pub.said[-1] == "Taken back: Ann's roll."


def test_a_roll_that_was_taken_back_can_be_declared_anew_without_rolling(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.does("Bob", "accept")
    pub.does("Bob", "roll", count=1)
    pub.rolls("KKTJA", rolled=2)
    pub.host("undo")
    pub.does("Bob", "roll", count=2)
    assert pub.record[-1] == "Bob rolls 2: KKTJA"


def test_a_declared_roll_can_be_taken_back(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.does("Ann", "roll", count=5)
    pub.host("undo")
    assert pub.record == []
    pub.rolls("KKT9A")
    assert pub.phase == "to-roll"


def test_undo_pressed_twice_takes_one_act_back(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    version = pub.sees()["game_version"]
    assert pub.table.tap(Tap("host", "u1", version, "undo", {}, True)).ok
    assert pub.table.tap(Tap("host", "u2", version, "undo", {}, True)).code == "stale"
    assert pub.phase == "to-say"


def test_an_undone_exposure_waits_for_the_host(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "three kings")
    pub.does("Bob", "challenge")
    pub.host("undo")
    assert pub.phase == "exposure"
    assert "taken back" in pub.sees()["asks"]["sentence"]
    pub.nudged("KKT9A")
    assert pub.phase == "exposure"
    pub.host("enter", hand="KKK9A")
    assert pub.lives == {"Ann": 3, "Bob": 2}


def test_a_correction_says_what_it_changes_and_no_more(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "three kings")
    pub.does("Bob", "challenge")
    before = len(pub.said)
    pub.host("correct", hand="KKK9A")
    assert pub.lives == {"Ann": 3, "Bob": 2}
    assert pub.sees()["exposure"]["hand"] == ["K", "K", "K", "A", "9"]
    assert pub.sees()["exposure"]["settled_by"] == "host"
    fresh = pub.said[before:] or pub.said[-2:]
    assert any(text.startswith("Corrected:") for text in fresh)


def test_a_sentence_on_the_ticker_has_its_own_number(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "three kings")
    pub.does("Bob", "challenge")
    numbers = [each["n"] for each in pub.sees()["ticker"]]
    assert numbers == sorted(set(numbers))
    pub.again()
    assert [each["n"] for each in pub.sees()["ticker"]] == numbers


def test_the_host_removes_a_seat_in_the_lobby_and_in_a_game(pub: Evening) -> None:
    pub.sits("Ann", "Bob", "Cat", "Dan")
    pub.host("remove", seat="Dan")
    pub.does("Ann", "begin", start="Ann")
    pub.host("remove", seat="Cat")
    assert pub.record == ["Cat leaves"]


# --- restarts -------------------------------------------------------------------------------------------------------


def test_a_restart_goes_on_with_game_seats_and_sealed_reading(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "three kings")
    before = pub.sees("phone of Bob")
    pub.again()
    after = pub.sees("phone of Bob")
    for key in ("you", "guests", "view", "game_version", "ticker", "house"):
        assert after[key] == before[key], key
    assert after["version"] > before["version"]
    pub.does("Bob", "challenge")
    assert pub.lives == {"Ann": 2, "Bob": 3}
    assert pub.sees()["exposure"]["picture"]


def test_dice_moved_while_the_table_was_off_were_disturbed(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair of kings")
    pub.again()
    pub.rolls("QQT9A", rolled=None)
    pub.does("Bob", "challenge")
    assert pub.record[-1] == "table shows, disturbed"


def test_a_declared_roll_outlives_a_restart(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.does("Bob", "accept")
    pub.does("Bob", "roll", count=2)
    pub.again()
    pub.rolls("KKT9A", rolled=None)
    assert pub.phase == "to-roll"
    pub.rolls("KKTJQ", rolled=2)
    assert pub.record[-1] == "Bob rolls 2: KKTJQ"


def test_starting_dice_outlive_a_restart(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="roll")
    pub.rolls("K", rolled=1)
    pub.again()
    pub.rolls("K", rolled=None)
    assert pub.sees()["asks"]["seat"] == "Bob"
    pub.rolls("Q", rolled=1)
    assert pub.record == ["starting-roll: Ann K, Bob Q"]


def test_a_fold_may_start_at_the_last_begun_game(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann", lives="1", dog="off")
    pub.offers("Ann", "KKT9A", "three kings")
    pub.does("Bob", "challenge")
    pub.does("Bob", "again")
    pub.sits("Ann", "Bob")
    pub.does("Ann", "begin", start="Ann")
    everything = (*pub.journal.game(0), *pub.journal.game(1), *pub.journal.game(2))
    whole, recent = fold(everything), fold(pub.journal.recent())
    assert (whole.lobby, whole.game, whole.version) == (recent.lobby, recent.game, recent.version)


def test_a_journal_that_does_not_fold_is_told_apart_from_an_empty_one(pub: Evening) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.close()
    database = sqlite3.connect(pub.path)
    database.execute("update entries set line = '{}' where kind = 'begin'")
    database.commit()
    database.close()
    journal = Journal(pub.path)
    with pytest.raises((ValueError, KeyError)):
        Keeper(journal)
    journal.close()
    pub.path.unlink()
    pub.open()


# --- when things go wrong -------------------------------------------------------------------------------------------


def test_an_act_that_cannot_be_stored_did_not_happen(pub: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    before = pub.sees()

    def full(*args: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(pub.journal, "append", full)
        assert pub.refused("Ann", "roll", count=5) == "not-stored"
        assert pub.sees() == before
    pub.does("Ann", "roll", count=5)


def test_the_table_lives_on_after_it_stumbled(pub: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    pub.sits("Ann")

    def stumble(*args: object, **more: object) -> None:
        raise RuntimeError("a mistake of ours")

    with monkeypatch.context() as patch:
        patch.setattr(Keeper, "tap", stumble)
        assert pub.refused("Bob", "join", name="Bob") == "trouble"
    pub.does("Bob", "join", name="Bob")


def test_a_table_that_does_not_answer_in_time_says_that_it_is_busy(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    table = Table(journal, Facts(PIN), now=0.0)
    answer = table.tap(Tap("phone", "id", 0, "join", {"name": "Ann"}), timeout=0.001)
    assert answer.code == "busy"
    table.start()
    table.stop()
    assert [guest["seat"] for guest in table.snapshot(None).data["guests"]] == ["Ann"]
    journal.close()


def test_whoever_waits_hears_of_a_change(pub: Evening) -> None:
    version = pub.sees()["version"]
    assert pub.table.wait(version, 0.0) == version
    heard: list[int] = []
    waiter = threading.Thread(target=lambda: heard.append(pub.table.wait(version, 60.0)))
    waiter.start()
    pub.does("Ann", "join", name="Ann")
    waiter.join()
    assert heard[0] > version


def test_what_changes_nothing_wakes_nobody(pub: Evening) -> None:
    pub.tells(TrayStatus("empty"))
    version = pub.sees()["version"]
    pub.tells(TrayStatus("empty"))
    assert pub.sees()["version"] == version


def test_the_watchdog_is_fed_by_the_loop_at_work(pub: Evening) -> None:
    beats = pub.pulse.beats
    pub.sits("Ann")
    pub.table.settle()
    assert pub.pulse.beats > beats


# --- the plug -------------------------------------------------------------------------------------------------------

PLAYER = """
import sys
from pathlib import Path
from tests.device.evening import Evening

pub = Evening(Path(sys.argv[1]))
if not pub.sees()["guests"]:
    pub.does("Ann", "join", name="Ann")
while True:
    seen = pub.sees()
    names = [guest["seat"] for guest in seen["guests"]]
    if seen["state"] == "over":
        pub.does("Ann", "again")
    elif seen["state"] == "lobby":
        for name in ("Ann", "Bob"):
            pub.does(name, "join", name=name)
            pub.does(name, "agree")
        pub.does("Ann", "begin", start="Ann")
    elif seen["view"]["phase"] == "to-roll":
        seat = seen["view"]["to_act"]
        if seen["asks"]["sentence"] != f"{seat} rolls 5 dice now.":
            pub.does(seat, "roll", count=5)
        pub.rolls("KKT9A")
    elif seen["view"]["phase"] == "to-say":
        pub.does(seen["view"]["to_act"], "say", words="four kings")
    elif seen["view"]["phase"] == "offered":
        pub.does(seen["view"]["to_act"], "challenge")
    elif seen["view"]["phase"] == "dog":
        pub.does(seen["view"]["to_act"], "decline")
    print(pub.sees()["game_version"], flush=True)
"""


def test_the_game_goes_on_after_kill_9_at_any_moment(tmp_path: Path) -> None:
    dice = random.Random(4)
    told = 0
    for _ in range(6):
        player = subprocess.Popen([sys.executable, "-c", PLAYER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        assert player.stdout is not None
        for line in itertools.islice(player.stdout, dice.randint(1, 25)):
            told = int(line)
        player.send_signal(signal.SIGKILL)
        player.wait()
        player.stdout.close()
        journal = reopen(tmp_path / "journal.db")
        room = fold(journal.recent())
        assert room.version >= told
        assert [guest.guest for guest in room.lobby.guests] == [f"phone of {n.seat}" for n in room.lobby.guests]
        if room.game is not None:
            assert replayed(room.game.state.setup, room.game.state.acts) == room.game.state
            if room.game.state.phase in ("to-say", "offered", "exposure"):
                assert room.game.state.hand.dice == "KKT9A"
                assert journal.evidence(room.game.rolled or 0) is not None
        journal.close()
