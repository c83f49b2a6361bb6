"""Whole games, played to their winner by two phones, the screen and a simulated tray, all in browsers."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE, SCREEN
from tests.browser.people import PATIENCE, Hands, House, Player, begin, open_house, roll_for_the_start
from tests.browser.relay import Relay, tells, without_static

pytestmark = pytest.mark.browser


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Return a running table; it must stop in order when asked to."""
    opened = open_house(tmp_path / "data")
    yield opened
    assert opened.close() == 0


@dataclass(frozen=True, slots=True)
class Evening:
    """Everybody who is there, and the wires that remember what each was sent."""

    house: House
    players: list[Player]
    screen: Page
    hands: Hands
    host: Page
    wires: dict[str, Relay]
    shown: list[list[str]]

    def other(self, player: Player) -> Player:
        """Return the other player."""
        return next(each for each in self.players if each is not player)


def sit(browser: Browser, relay: Relay, path: str, size: tuple[int, int]) -> Page:
    """Open a page in a browser of its own, behind a wire of its own."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.goto(relay.address + path)
    return page


@pytest.fixture
def evening(browser: Browser, house: House) -> Iterator[Evening]:
    """Return two players, a screen, and hands at the tray; Ann is the host, in a second tab of her phone."""
    wires = {name: Relay(house.port) for name in ("Ann", "Ben", "screen", "tray")}
    ann, ben = (sit(browser, wires[name], "/", PHONE) for name in ("Ann", "Ben"))
    screen = sit(browser, wires["screen"], "/screen", SCREEN)
    tray = sit(browser, wires["tray"], "/tray", (1280, 900))
    host = ann.context.new_page()
    host.goto(wires["Ann"].address + "/host")
    pages = [ann, ben, screen, tray]
    yield Evening(house, [Player(ann, "Ann"), Player(ben, "Ben")], screen, Hands(tray, house), host, wires, [])
    for page in pages:
        page.context.close()
    for relay in wires.values():
        relay.close()


def play_a_hand(evening: Evening, starter: Player) -> None:
    """Play: roll, say, accept, roll two, better, challenge. What is shown is what lay there, and nobody was told."""
    other, hands = evening.other(starter), evening.hands
    hands.covers()
    hands.rest()
    marks = {name: wire.mark() for name, wire in evening.wires.items()}
    starter.rolls(5)
    nobody_knows(evening, marks)
    starter.says("pair", "nine")
    other.accepts()
    hands.rolls(1, 2)
    hands.rest()
    marks = {name: wire.mark() for name, wire in evening.wires.items()}
    other.rolls(2)
    other.says("better")
    expect(starter.button("Challenge")).to_be_enabled(timeout=PATIENCE)
    hidden = nobody_knows(evening, marks)
    starter.challenges()
    evening.screen.locator(".exposure .hand-big, .winner").first.wait_for(timeout=PATIENCE)
    shown = evening.house.snapshot()["exposure"]["hand"]
    assert sorted(shown) == sorted(hidden)
    evening.shown.append(shown)


def nobody_knows(evening: Evening, marks: dict[str, int]) -> list[str]:
    """Check that nothing that anybody was sent since `marks` tells the dice under the cup; return them."""
    hidden = evening.house.hidden()
    assert len(hidden) == 5
    static = Path(__file__).parent.parent.parent / "web/static"
    told = {
        name: tells(without_static(wire.received(marks[name]), static), hidden, evening.shown)
        for name, wire in evening.wires.items()
    }
    assert {name: places for name, places in told.items() if places} == {}
    assert all(b'"game_version"' in wire.received() for wire in evening.wires.values())
    return hidden


def test_a_whole_game_is_played_to_its_winner_and_no_hidden_die_is_told(evening: Evening) -> None:
    begin(evening.players, evening.host, evening.house, ("Lives", 1))
    starter = roll_for_the_start(evening.players, evening.hands)

    play_a_hand(evening, starter)
    picture = evening.screen.locator(".photograph img")
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth") > 100
    expect(evening.screen.locator(".lines li").first).to_contain_text("said 'better'")

    # A reload in between, and a phone that was shut, come back to the same seat.
    for player in evening.players:
        player.page.reload()
        expect(player.page.locator(".top b")).to_have_text(player.name)

    first, second = evening.players
    first.page.get_by_text("howl").first.wait_for()
    howler = first if first.may("I howl") else second
    howler.button("I howl").click()
    evening.other(howler).button("Yes, a howl").click()

    evening.hands.do("cup_up")
    starter = next(player for player in evening.players if player.name == evening.house.snapshot()["view"]["to_act"])
    play_a_hand(evening, starter)

    winner = evening.screen.locator(".winner h1")
    expect(winner).to_be_visible(timeout=PATIENCE)
    name = winner.inner_text()
    assert name in ("Ann", "Ben")
    for player in evening.players:
        player.page.get_by_role("heading", name=f"{name} wins").wait_for()
    record = evening.players[0].page.request.get(f"{evening.wires['Ann'].address}/record.liar").text()
    assert record.startswith("game: one-cup\nseats: Ann Ben\n")


def shows(evening: Evening, count: int) -> list[str]:
    """Let whoever is asked put `count` dice on the tray; return what lies there once the table has taken it."""
    asked = evening.hands.page.locator("header p")
    before = evening.house.snapshot()["asks"]["sentence"]
    expect(asked).to_have_text(before)
    evening.hands.leaves(count)
    evening.hands.rest()
    lying = [face for face in evening.house.hidden() if face]
    expect(asked).not_to_have_text(before, timeout=PATIENCE)
    return lying


def test_a_whole_game_with_a_cup_for_everyone_is_played_with_pip_dice(evening: Evening) -> None:
    """The tray is laid with pip dice, each cup is read on it in turn, and the verdict counts what lay there."""
    begin(evening.players, evening.host, evening.house, ("Dice", 1), "A cup for everyone")
    starter = roll_for_the_start(evening.players, evening.hands)
    other = evening.other(starter)
    assert set(evening.house.hidden()) <= {*"123456", None}

    starter.bids(1, "2")
    other.bids(2, "5")
    starter.challenges()
    evening.screen.get_by_label("Dice shown so far").wait_for()
    first = shows(evening, 1)
    expect(evening.screen.locator(".ticker")).to_contain_text(f"{other.name} shows {first[0]}.")
    second = shows(evening, 1)

    verdict = evening.house.snapshot()["view"]["verdict"]
    assert {each["seat"]: each["dice"] for each in verdict["shown"]} == {
        other.name: first[0],
        starter.name: second[0],
    }
    held = sum(face in ("1", "5") for face in first + second)
    winner = other if held >= 2 else starter
    expect(evening.screen.locator(".winner h1")).to_have_text(winner.name, timeout=PATIENCE)
    for player in evening.players:
        player.page.get_by_role("heading", name=f"{winner.name} wins").wait_for()
    record = starter.page.request.get(f"{evening.wires['Ann'].address}/record.liar").text()
    assert record.startswith("game: common-hand\nseats: Ann Ben\n")
    assert "dice: pips" in record
