"""The console: buttons, knob and lamps on gpiozero's mock pins, and a whole game played with nothing else."""

import queue
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from device.console import Edge, Panel, Touch, Turned, mock_pins
from device.console_desk import Console, Display
from device.console_seats import ConsoleSeats
from device.console_turns import AMBER, BLUE, GREEN, RED, WHITE, Wish, lamps, wish
from device.eye import Lifted, TrayStatus
from device.pins import Pins, load_pins
from device.presses import HOLD_S, STUCK_S, Freed, Happening, Press, Presses, Stuck
from device.simulator_console import SimulatedConsole
from tests.device.evening import Evening
from web.table import Answer, Snapshot

# --- what an edge means -------------------------------------------------------------------------------------------


def presses(**kinds: tuple[str, ...]) -> Presses:
    return Presses(("accept", "away", "push"), **kinds)


def told_in(parts: Iterable[list[Happening]]) -> list[Happening]:
    return list(chain.from_iterable(parts))


def test_a_press_is_told_when_the_button_goes_down() -> None:
    assert presses().edge("accept", True, 0.0) == [Press("accept")]


def test_bounces_of_a_contact_are_one_press() -> None:
    board = presses()
    happened = [board.edge("accept", n % 2 == 0, n * 0.002) for n in range(7)]
    assert told_in(happened) == [Press("accept")]
    assert board.tick(0.1) == []


def test_a_bounce_that_ends_up_released_is_noticed_without_another_edge() -> None:
    board = presses(holding=("away",))
    board.edge("away", True, 0.0)
    board.edge("away", False, 0.01)
    assert board.tick(0.02) == []
    assert board.tick(0.04) == [Press("away")]


def test_a_second_press_right_after_the_first_is_left_out() -> None:
    board = presses()
    told = [board.edge("accept", down, t) for down, t in ((True, 0.0), (False, 0.1), (True, 0.2), (False, 0.3))]
    assert told_in(told) == [Press("accept")]
    assert board.edge("accept", True, 1.0) == [Press("accept")]


def test_a_quick_button_may_be_pressed_fast() -> None:
    board = presses(quick=("push",))
    told = [board.edge("push", down, t) for down, t in ((True, 0.0), (False, 0.05), (True, 0.1), (False, 0.15))]
    assert told_in(told) == [Press("push"), Press("push")]


def test_a_held_button_is_told_after_a_second_and_not_again_when_it_comes_up() -> None:
    board = presses(holding=("away",))
    assert board.edge("away", True, 0.0) == []
    assert board.tick(HOLD_S - 0.1) == []
    assert board.tick(HOLD_S) == [Press("away", held=True)]
    assert board.tick(HOLD_S + 1) == []
    assert board.edge("away", False, HOLD_S + 2) == []


def test_a_button_that_can_be_held_is_short_when_it_comes_up_in_time() -> None:
    board = presses(holding=("away",))
    board.edge("away", True, 0.0)
    assert board.edge("away", False, 0.3) == [Press("away")]


def test_a_stuck_button_is_named_once_and_told_when_it_is_free() -> None:
    board = presses()
    board.edge("accept", True, 0.0)
    assert board.tick(STUCK_S) == [Stuck("accept")]
    assert board.tick(STUCK_S + 5) == []
    assert "button accept is stuck" in Stuck("accept").sentence
    assert board.edge("accept", False, STUCK_S + 9) == [Freed("accept")]
    assert board.edge("accept", True, STUCK_S + 12) == [Press("accept")]


# --- the parts on their pins --------------------------------------------------------------------------------------


@pytest.fixture
def pins() -> Pins:
    return load_pins()


class Board:
    """A panel on mock pins, fingers at it, and everything that it put into the queue."""

    def __init__(self, pins: Pins) -> None:
        self.factory = mock_pins()
        self.queue: queue.SimpleQueue[Touch] = queue.SimpleQueue()
        self.panel = Panel(pins, self.queue.put, factory=self.factory)
        self.fingers = SimulatedConsole(pins, self.factory)

    def does(self, action: str, **fields: Any) -> list[Touch]:
        assert self.fingers.act(action, fields) is None
        touches = []
        while not self.queue.empty():
            touches.append(self.queue.get())
        return touches


@pytest.fixture
def board(pins: Pins) -> Iterator[Board]:
    board = Board(pins)
    yield board
    board.panel.close()


def test_every_button_of_the_pins_file_puts_its_edges_into_the_queue(board: Board) -> None:
    assert set(board.panel.buttons) == {"accept", "challenge", "better", "undercall", "away", "mute", "push"}
    for name in board.panel.buttons:
        (down,), (up,) = board.does("press", button=name), board.does("release", button=name)
        assert isinstance(down, Edge)
        assert isinstance(up, Edge)
        assert (down.button, down.down, up.button, up.down) == (name, True, name, False)
        assert down.t <= up.t


def test_the_knob_counts_clicks_both_ways(board: Board) -> None:
    assert board.does("turn", steps=3) == [Turned(1)] * 3
    assert board.does("turn", steps=-2) == [Turned(-1)] * 2


def test_lamps_show_on_their_pins(board: Board) -> None:
    board.panel.show((1.0, 0.5, 0.0), 0.25)
    seen = board.fingers.look()
    assert seen["status"] == [1.0, 0.5, 0.0]
    assert seen["ring"] == 0.25


def test_a_button_that_is_down_at_the_start_is_noticed(pins: Pins) -> None:
    factory = mock_pins()
    touches: list[Touch] = []
    factory.pin(pins.better).drive_low()
    first = Panel(pins, touches.append, factory=factory)
    first.close()
    assert touches == []  # opening sets the pull-up, which a mock pin obeys at once

    class Pressed(type(factory.pin(pins.better))):  # type: ignore[misc]
        def _set_pull(self, value: str) -> None:
            super()._set_pull(value)
            self._change_state(False)

    shorted = mock_pins()
    shorted.pin(pins.better, pin_class=Pressed)
    panel = Panel(pins, touches.append, factory=shorted)
    panel.close()
    assert isinstance(touches[0], Edge)
    assert (touches[0].button, touches[0].down) == ("better", True)


def test_a_button_that_is_not_there_is_refused_with_those_that_are(board: Board) -> None:
    answer = board.fingers.act("press", {"button": "fire"})
    assert answer is not None
    assert "accept" in answer
    assert board.fingers.act("turn", {"steps": "many"}) is not None


# --- what a press means now ---------------------------------------------------------------------------------------


def game(*can: str, table: tuple[str, ...] = ("undo",), **data: Any) -> dict[str, Any]:
    view = {"can": can, "table_can": table, "to_act": "Ann", "seats": [{"name": "Ann"}, {"name": "Bob"}]}
    return {"state": "game", "game_version": 7, "view": view, "tray": {"state": "read"}, **data}


@pytest.mark.parametrize(
    ("button", "data", "kind"),
    [
        ("accept", game("accept", "challenge"), "accept"),
        ("challenge", game("accept", "challenge"), "challenge"),
        ("accept", game("bark", "decline"), "bark"),
        ("challenge", game("bark", "decline"), "decline"),
        ("accept", game(table=("howl", "woof")), "howl"),
        ("challenge", game(table=("howl", "woof")), "woof"),
        ("undercall", game("roll", "point-out"), "point-out"),
        ("away", game("accept", table=("absent",)), "absent"),
        ("better", game("say"), "say"),
        ("accept", {"state": "over"}, "again"),
        ("accept", {"state": "lobby", "guests": [{"seat": "Ann"}]}, "begin"),
        ("challenge", game("roll"), None),
        ("better", game("accept"), None),
        ("undercall", game("roll"), None),
        ("accept", {"state": "lobby", "guests": []}, None),
    ],
)
def test_a_button_means_what_the_seat_can_do_now(button: str, data: dict[str, Any], kind: str | None) -> None:
    meant = wish(Press(button), data)
    assert (meant and meant.kind) == kind


def test_away_held_takes_back_only_where_there_is_something() -> None:
    assert wish(Press("away", held=True), game()) == Wish("undo")
    assert wish(Press("away", held=True), game(table=())) is None
    assert wish(Press("away", held=True), {"state": "lobby"}) is None


@pytest.mark.parametrize(
    ("data", "colour"),
    [
        ({"state": "lobby", "tray": {"state": "read"}}, BLUE),
        (game("accept"), GREEN),
        (game("roll", tray={"state": "unsure", "advice": "Nudge the cup."}), AMBER),
        (game("roll", tray={"state": "no-camera"}), RED),
        ({"state": "over", "tray": {"state": "read"}}, WHITE),
    ],
)
def test_the_status_lamp_tells_what_is_waited_for(data: dict[str, Any], colour: object) -> None:
    assert lamps(data).colour == colour
    assert lamps(data, stuck=True).colour == RED


class ScriptedTable:
    """A table that shows what a test says and remembers what the console wished."""

    def __init__(self, data: dict[str, Any], answer: Answer | None = None) -> None:
        self.data, self.answer = data, answer or Answer(True, 1)
        self.wishes: list[tuple[Wish, int, int | None]] = []
        self.version, self.looks = 1, 0

    def shows(self, data: dict[str, Any]) -> None:
        self.data, self.version = data, self.version + 1

    def at_turn(self, seat: int | None = None) -> Snapshot:
        self.looks += 1
        return Snapshot(99, self.data)

    def speak(self, wish: Wish, version: int, seat: int | None = None) -> Answer:
        self.wishes.append((wish, version, seat))
        return self.answer


class RecordingPanel:
    """A panel that remembers its lamps and its buzzer."""

    buttons = ("accept", "challenge", "better", "undercall", "away", "mute", "push", "accept 2", "challenge 2")

    def __init__(self) -> None:
        self.lit: list[tuple[object, float, frozenset[int]]] = []
        self.buzzed = self.closed = 0

    def show(self, colour: object, ring: float, pods: frozenset[int] = frozenset()) -> None:
        self.lit.append((colour, ring, pods))

    def buzz(self, times: int = 1) -> None:
        self.buzzed += times

    def close(self) -> None:
        self.closed += 1


class Desk:
    """A console before a scripted table, with hands that press by name."""

    def __init__(self, data: dict[str, Any], answer: Answer | None = None) -> None:
        self.now = 100.0
        self.table, self.panel = ScriptedTable(data, answer), RecordingPanel()
        self.shown: list[Display] = []
        self.muted: list[bool] = []
        self.console = Console(self.table, clock=lambda: self.now, show=self.shown.append, mute=self.muted.append)
        self.console.fit(self.panel)

    def press(self, button: str, seconds: float = 0.1) -> None:
        self.now += 1
        self.console.take(Edge(button, True, self.now))
        self.now += seconds
        self.console.tick(self.now)
        self.console.take(Edge(button, False, self.now))

    def turn(self, steps: int) -> None:
        for _ in range(abs(steps)):
            self.console.take(Turned(1 if steps > 0 else -1))

    @property
    def wished(self) -> list[Wish]:
        return [wish for wish, _, _ in self.table.wishes]


def test_a_press_names_the_version_of_the_game_that_it_answers() -> None:
    desk = Desk(game("accept"))
    desk.press("accept")
    assert desk.table.wishes == [(Wish("accept"), 7, None)]


def test_a_double_press_is_one_wish() -> None:
    desk = Desk(game("accept"))
    for t in (1.0, 1.2):
        desk.console.take(Edge("accept", True, t))
        desk.console.take(Edge("accept", False, t + 0.1))
    assert desk.wished == [Wish("accept")]


def test_a_press_while_the_tray_reads_is_refused_with_a_buzz_and_a_reason() -> None:
    waiting = Answer(False, 1, "waiting-for-tray", "The tray has not read your dice yet: wait until they lie still.")
    desk = Desk(game("say"), waiting)
    desk.press("better")
    assert desk.panel.buzzed == 2
    assert desk.console.display.message == waiting.message


def test_a_button_that_means_nothing_now_buzzes_and_asks_nothing() -> None:
    desk = Desk(game("roll"))
    desk.press("challenge")
    assert desk.wished == []
    assert desk.panel.buzzed == 2


def test_away_pressed_shortly_and_held_are_two_things() -> None:
    desk = Desk(game("accept", table=("absent", "undo")))
    desk.press("away")
    desk.press("away", seconds=1.5)
    assert desk.wished == [Wish("absent"), Wish("undo")]


def test_the_knob_composes_a_bid_and_shows_it_on_the_display() -> None:
    desk = Desk(game("say"))
    desk.turn(4)
    assert desk.console.display.lines() == ["a pair"]
    desk.press("push")
    desk.turn(3)
    desk.press("push")
    assert desk.console.display.lines() == ["a pair of J", "say it"]
    desk.press("push")
    assert desk.wished == [Wish("say", {"words": "a pair of J"})]
    assert desk.console.display == Display()


def test_the_knob_chooses_how_many_dice_are_rolled() -> None:
    desk = Desk(game("roll"))
    desk.turn(3)
    assert desk.console.display.shown == "3 dice"
    desk.press("accept")
    assert desk.wished == [Wish("roll", {"count": 3})]


def test_dice_that_the_tray_cannot_read_are_entered_with_the_knob() -> None:
    desk = Desk(game(table=("shows",), manual=True, tray={"state": "no-camera", "expect": 5}))
    for _ in range(7):
        desk.press("push")
    assert desk.wished == [Wish("enter", {"hand": "AAAAA"})]


def test_a_bid_of_the_other_game_is_a_number_and_a_face() -> None:
    data = game("bid")
    data["view"]["seats"] = [{"name": "Ann", "dice": 5}, {"name": "Bob", "dice": 3}]
    desk = Desk(data)
    desk.turn(4)
    assert desk.console.display.shown == "4"
    for _ in range(3):
        desk.press("push")
    assert desk.wished == [Wish("bid", {"quantity": 4, "face": "2"})]


def test_a_bid_with_poker_dice_is_of_their_faces_without_the_wild_one() -> None:
    data = game("bid", dice="poker")
    data["view"]["seats"] = [{"name": "Ann", "dice": 5}, {"name": "Bob", "dice": 3}]
    desk = Desk(data)
    desk.press("push")
    desk.press("push")
    shown = []
    for _ in range(5):
        shown.append(desk.console.display.shown)
        desk.turn(1)
    assert set(shown) == {"9", "10", "J", "Q", "K"}
    while desk.console.display.shown != "10":
        desk.turn(1)
    desk.press("push")
    desk.press("push")
    assert desk.wished == [Wish("bid", {"quantity": 1, "face": "T"})]


def test_what_was_half_composed_is_forgotten_when_the_turn_is_over() -> None:
    desk = Desk(game("say"))
    desk.turn(4)
    desk.table.shows(game("accept"))
    desk.console.tick(desk.now)
    assert desk.console.display == Display()


def test_a_stuck_button_is_named_on_the_display_and_the_lamp_is_red() -> None:
    desk = Desk(game("accept"))
    desk.console.take(Edge("challenge", True, desk.now))
    desk.now += STUCK_S
    desk.console.tick(desk.now)
    assert "button challenge is stuck" in desk.console.display.message
    assert list(desk.console.stuck) == [desk.console.display.message]
    assert desk.panel.lit[-1][0] == RED
    desk.console.take(Edge("challenge", False, desk.now))
    desk.console.tick(desk.now)
    assert not desk.console.stuck
    assert desk.panel.lit[-1][0] == GREEN


def test_a_pods_button_speaks_for_its_own_seat_and_its_lamp_shows_whose_turn_it_is() -> None:
    desk = Desk(game("accept"))
    desk.press("accept 2")
    assert desk.table.wishes == [(Wish("accept"), 7, 2)]
    assert desk.panel.lit[-1][2] == frozenset({1})


def test_a_table_at_which_nothing_happens_is_not_looked_at_again() -> None:
    desk = Desk(game("accept"))
    for n in range(50):
        desk.console.tick(desk.now + n / 20)
    assert desk.table.looks == 1


def test_mute_is_no_act_of_the_game() -> None:
    desk = Desk(game("accept"))
    desk.press("mute")
    desk.press("mute", seconds=1.5)
    assert desk.muted == [False, True]
    assert desk.wished == []


def test_touches_wait_in_a_queue_until_the_console_works() -> None:
    desk = Desk(game("accept"))
    desk.console.put(Edge("accept", True, 1.0))
    assert desk.wished == []
    desk.console.work()
    assert desk.wished == [Wish("accept")]


def test_the_thread_deals_with_touches_and_ends_in_order() -> None:
    desk = Desk(game("accept"))
    desk.console.start()
    desk.console.put(Edge("accept", True, 1.0))
    desk.console.stop()
    assert desk.wished == [Wish("accept")]
    assert desk.panel.closed == 1


# --- a whole game -------------------------------------------------------------------------------------------------


class Pub(Evening):
    """An evening without a phone in the house: fingers at a console on mock pins, and a tray that reads."""

    def open(self) -> None:
        super().open()
        self.now = 0.0
        pins, factory = load_pins(), mock_pins()
        self.console = Console(ConsoleSeats(self.table), clock=lambda: self.now, show=self._shown)
        self.console.fit(Panel(pins, self._touched, factory=factory))
        self.fingers = SimulatedConsole(pins, factory, lambda: self.console.display.lines())

    def close(self) -> None:
        self.console.stop()
        super().close()

    def _shown(self, display: Display) -> None:
        self.table.compose(display.lines())

    def _touched(self, touch: Touch) -> None:
        """Give a touch the test's own time: mock pins stamp the computer's."""
        self.console.put(Edge(touch.button, touch.down, self.now) if isinstance(touch, Edge) else touch)

    def press(self, button: str, seconds: float = 0.1) -> None:
        self.now += 1
        self.fingers.act("press", {"button": button})
        self.console.work()
        self.now += seconds
        self.console.work()
        self.fingers.act("release", {"button": button})
        self.console.work()

    def dials(self, wanted: str) -> None:
        """Turn the knob until `wanted` stands on the display, and push."""
        for _ in range(40):
            self.fingers.act("turn", {"steps": 1})
            self.console.work()
            if self.console.display.shown == wanted:
                self.press("push")
                return
        raise AssertionError(f"{wanted} cannot be dialled")

    def dials_and_says(self, *wanted: str) -> None:
        for one in wanted:
            self.dials(one)
        self.press("push")


@pytest.fixture
def pub(tmp_path: Path) -> Iterator[Pub]:
    pub = Pub(tmp_path)
    yield pub
    pub.close()


def test_a_whole_game_is_played_with_the_console_alone(pub: Pub) -> None:
    pub.host("house", option="lives", value="1")
    pub.host("house", option="dog", value="on")
    pub.dials("2 seats")
    pub.press("accept")
    assert [guest["seat"] for guest in pub.sees()["guests"]] == ["Seat_1", "Seat_2"]
    pub.rolls("K", 1)
    pub.rolls("9", 1)
    assert pub.sees()["view"]["to_act"] == "Seat_1"
    pub.dials("5 dice")
    pub.rolls("KKT9A")
    pub.dials_and_says("a pair", "of K")
    pub.press("accept")
    pub.dials("2 dice")
    pub.rolls("KKJQA", 2)
    pub.press("better")
    pub.press("challenge")
    assert pub.sees()["view"]["phase"] == "dog"
    pub.press("accept")  # Seat_1 barks
    pub.press("challenge")  # that was a woof
    pub.press("accept")  # he tries again
    pub.press("accept")  # a decent howl
    assert pub.lives == {"Seat_1": 1, "Seat_2": 1}
    pub.press("away", seconds=1.5)  # taken back
    assert pub.phase == "dog"
    pub.press("challenge")  # a woof, and he gives up
    pub.press("challenge")
    assert pub.sees()["state"] == "over"
    assert pub.sees()["view"]["winner"] == "Seat_2"


def test_a_cup_for_everyone_is_played_with_the_console_alone_and_without_a_camera(pub: Pub) -> None:
    pub.host("game", game="common-hand")
    pub.host("house", option="dice", value="1")
    pub.unplugs()
    pub.dials("2 seats")
    pub.press("accept")
    for die in ("6", "2"):  # the starting roll
        pub.dials_and_says(die)
    assert pub.sees()["view"]["to_act"] == "Seat_1"
    pub.dials_and_says("2", "4")
    pub.press("challenge")
    for die in ("4", "1"):  # the bidder shows first; a one is wild
        pub.dials_and_says(die)
    assert pub.sees()["state"] == "over"
    assert pub.sees()["view"]["winner"] == "Seat_1"


def test_a_press_while_the_dice_are_read_is_refused_in_words_and_does_nothing(pub: Pub) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.press("accept")
    pub.does("Bob", "roll", count=2)
    pub.tells(TrayStatus("moving"), Lifted(2))
    written = len(pub.record)
    pub.press("better")
    assert pub.console.display.message == "That button means nothing now."
    pub.rolls("KKJQA", 2)
    pub.tells(TrayStatus("moving"), Lifted(1))  # one die is taken up once more
    pub.press("better")
    assert pub.console.display.message == "The tray has not read your dice yet: wait until they lie still."
    assert pub.record[written:] == ["Bob rolls 2: KKJQA"]
    pub.rolls("KKJQ9", 1)
    pub.press("better")
    assert pub.record[-1] == "Bob says better"


def test_the_screen_shows_what_is_being_composed(pub: Pub) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.does("Ann", "roll", count=5)
    pub.rolls("KKT9A")
    pub.dials("a pair")
    pub.fingers.act("turn", {"steps": 3})
    pub.console.work()
    pub.table.settle()
    assert pub.sees()["console"] == ["a pair", "of J"]
    pub.press("push")
    pub.press("push")
    pub.table.settle()
    assert pub.sees()["console"] == []
    assert pub.record[-1] == "Ann says a pair of J"


def test_the_console_speaks_for_the_seat_of_a_phone_whose_turn_it_is(pub: Pub) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "a pair")
    pub.press("accept")
    assert pub.record[-1] == "Bob accepts"


def test_seats_of_the_console_are_added_and_taken_away_beside_those_of_phones(pub: Pub) -> None:
    pub.does("Ann", "join", name="Ann")
    pub.dials("4 seats")
    assert [guest["seat"] for guest in pub.sees()["guests"]] == ["Ann", "Seat_1", "Seat_2", "Seat_3"]
    pub.dials("2 seats")
    assert [guest["seat"] for guest in pub.sees()["guests"]] == ["Ann", "Seat_1"]


def test_after_a_game_accept_begins_another_one(pub: Pub) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.host("end")
    pub.press("accept")
    assert pub.sees()["state"] == "lobby"
