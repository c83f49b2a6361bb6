"""People at a table in browsers: players with their phones, a host, hands at the simulated tray. They act and look."""

import json
import re
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import Locator, Page, expect

#: Milliseconds for the simulated camera to see, settle and read; not a limit on how fast it is, only on hanging.
PATIENCE = 90_000

#: Looks at the tray until nothing moves.
AT_REST = """async () => {
  while ((await (await fetch("/tray/look")).json()).moving) await new Promise(done => setTimeout(done, 150));
}"""


@dataclass(frozen=True, slots=True)
class House:
    """A table that is running: its process, where its pages are, and the host's PIN."""

    process: subprocess.Popen[str]
    port: int
    pin: str

    def snapshot(self) -> dict[str, Any]:
        """Return what the screen may see now, straight from the table."""
        with urlopen(f"http://127.0.0.1:{self.port}/snapshot", timeout=30) as answer:
            data: dict[str, Any] = json.load(answer)
        return data

    def hidden(self) -> list[str]:
        """Return the faces under the cup, as only the test may know them."""
        with urlopen(f"http://127.0.0.1:{self.port}/tray/look?peek=1", timeout=30) as answer:
            return [die["face"] for die in json.load(answer)["dice"]]

    def close(self) -> int:
        """Stop the table as Ctrl-C does and return its exit status."""
        self.process.send_signal(signal.SIGINT)
        return _end(self.process)


def _end(process: subprocess.Popen[str]) -> int:
    status = process.wait(60)
    assert process.stdout is not None
    process.stdout.close()
    return status


def open_house(data: Path) -> House:
    """Start `undercup run --simulate` on a free port and return it when it has said where it is."""
    command = [sys.executable, "-m", "device", "run", "--simulate", "--host", "127.0.0.1", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--data", str(data)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if "puts the table away" in line:
            break
    text = "".join(said)
    port, pin = re.search(r"http://127\.0\.0\.1:(\d+)/host", text), re.search(r"PIN (\S+)", text)
    if port is None or pin is None:
        process.terminate()
        raise RuntimeError(f"the table did not open (exit status {_end(process)}): {text}")
    # Somebody has to read on, or a full pipe would stop the table.
    threading.Thread(target=process.stdout.read, daemon=True).start()
    return House(process, int(port[1]), pin[1])


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody with a phone."""

    page: Page
    name: str

    def button(self, name: str) -> Locator:
        """Return a button by its name."""
        return self.page.get_by_role("button", name=name)

    def joins(self) -> None:
        """Take a seat."""
        self.page.get_by_label("Your name").fill(self.name)
        self.button("Sit down").click()

    def agrees(self) -> None:
        """Agree to the rules in force."""
        self.button("I agree to these rules").click()
        expect(self.button("I agree to these rules")).to_have_count(0)

    def rolls(self, count: int) -> None:
        """Declare how many dice were rolled and wait until the tray has read them and a bid is asked for."""
        name = ("none", "one", "two", "three", "four", "all five")[count]
        self.button(name).click(timeout=PATIENCE)
        self.page.locator(".bidding").wait_for(timeout=PATIENCE)

    def says(self, *chips: str) -> None:
        """Tap a bid together and say it."""
        for chip in chips:
            self.page.locator(".bidding").get_by_role("button", name=chip, exact=True).first.click()
        self.button("Say it").click()

    def bids(self, quantity: int, face: str) -> None:
        """Bid so many dice of a face, under all cups."""
        panel = self.page.locator("section.panel", has_text="under all cups")
        panel.get_by_role("button", name=face, exact=True).click(timeout=PATIENCE)
        while int(panel.locator("output").inner_text()) < quantity:
            panel.get_by_role("button", name="more").click()
        self.button("Bid it").click()

    def accepts(self) -> None:
        """Accept the cup."""
        self.button("Accept the cup").click(timeout=PATIENCE)

    def challenges(self) -> None:
        """Challenge the offer."""
        self.button("Challenge").click(timeout=PATIENCE)

    def may(self, name: str) -> bool:
        """Tell whether there is a button of that name now."""
        return self.button(name).count() > 0


@dataclass(frozen=True, slots=True)
class Hands:
    """Hands at the simulated tray, through its page."""

    page: Page
    house: House

    def do(self, action: str) -> None:
        """Press the button of an action and wait until the tray has answered."""
        with self.page.expect_response("**/tray/act") as answer:
            self.page.locator(f"[data-action={action}]").first.click()
        assert answer.value.ok, answer.value.text()

    def leaves(self, count: int) -> None:
        """Leave only `count` dice on the tray, freshly rolled."""
        with self.page.expect_response("**/tray/act"):
            self.page.locator("[data-action=only]", has_text=str(count)).click()

    def covers(self) -> None:
        """Put five dice on the tray with the cup over them, and shake it."""
        self.leaves(5)
        self.do("cup_down")
        self.do("shake")

    def rolls(self, *dice: int) -> None:
        """Take these dice (from 1) out of the cup and roll them."""
        for die in dice:
            self.page.get_by_role("button", name=f"choose die {die}").click()
        self.do("roll")

    def rest(self) -> None:
        """Wait until no die moves any more."""
        self.page.evaluate(AT_REST)


def begin(players: list[Player], host: Page, house: House, number: tuple[str, int], game: str = "One cup") -> None:
    """Let the host choose the game and a number, such as ("Lives", 1), everybody agree, and the starting roll begin."""
    title, value = number
    host.locator("input").fill(house.pin)
    host.get_by_role("button", name="I am the host").click()
    host.get_by_role("button", name=game).click()
    host.get_by_text(title, exact=True).click()
    host.get_by_role("button", name=str(value), exact=True).click()
    expect(host.get_by_role("button", name=str(value), exact=True)).to_have_class(re.compile("picked"))
    for player in players:
        player.joins()
        player.agrees()
    players[0].button("Begin").click()
    for player in players:
        player.page.locator(".play").wait_for()


def roll_for_the_start(players: list[Player], hands: Hands) -> Player:
    """Let everybody roll one die in turn until one is highest, and return who starts."""
    while (state := hands.house.snapshot())["view"]["phase"] == "starting-roll":
        asked = hands.page.locator("header p")
        expect(asked).to_have_text(state["asks"]["sentence"])
        hands.leaves(1)
        expect(asked).not_to_have_text(state["asks"]["sentence"], timeout=PATIENCE)
    return next(player for player in players if player.name == state["view"]["to_act"])
