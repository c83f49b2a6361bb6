"""Pictures for the README, taken of a real evening: `python -m tests.browser.screenshots` (or `make screenshots`).

Plays one hand of four players on the simulated tray and writes `docs/screenshots/*.jpg`.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.people import PATIENCE, Hands, House, Player, open_house

REPOSITORY = Path(__file__).resolve().parent.parent.parent
FOLDER = REPOSITORY / "docs/screenshots"
NAMES = ("Ann", "Ben", "Cleo", "Old Tom")
PHONE, SCREEN, BENCH = (390, 844), (1920, 1080), (1280, 900)


def browser_path() -> str:
    """Return the browser to drive: UNDERCUP_BROWSER, or the one that `tools/find_browser` finds."""
    named = os.environ.get("UNDERCUP_BROWSER")
    found = named or subprocess.run([REPOSITORY / "tools/find_browser"], capture_output=True, text=True).stdout.strip()
    if not found:
        raise SystemExit("There is no Chrome or Chromium here. Run: tools/find_browser --install")
    return found


def sit(browser: Browser, house: House, path: str, size: tuple[int, int], scale: float = 1) -> Page:
    """Open a page in a browser of its own."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, device_scale_factor=scale, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{house.port}{path}")
    return page


def keep(page: Page, name: str) -> None:
    """Write what `page` shows now."""
    page.evaluate("() => document.fonts.ready.then(() => scrollTo(0, 0))")
    page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=88)


def sit_down(browser: Browser, house: House, screen: Page) -> list[Player]:
    """Let everybody join and agree; Ann is the host and says that she starts."""
    players = [Player(sit(browser, house, "/", PHONE, 2), name) for name in NAMES]
    for player in players:
        player.joins()
        player.button("I agree to these rules").wait_for()
    keep(players[3].page, "phone-rules")
    for player in players[:3]:
        player.agrees()
    screen.locator(".sitting .agreed").nth(2).wait_for()
    keep(screen, "screen-lobby")
    players[3].agrees()
    host = players[0].page.context.new_page()
    host.goto(f"http://127.0.0.1:{house.port}/host")
    host.locator("input").fill(house.pin)
    host.get_by_role("button", name="I am the host").click()
    host.get_by_text("Or say who starts").click()
    host.get_by_role("button", name="Ann starts").click()
    host.get_by_text("Put right").wait_for()
    host.close()
    return players


def play(players: list[Player], hands: Hands, screen: Page) -> None:
    """Play one hand up to its exposure, with a picture of every kind of page on the way."""
    ann, ben, cleo, _ = players
    hands.covers()
    hands.rest()
    ann.rolls(5)
    ann.says("pair", "nine")
    ben.accepts()
    hands.rolls(2, 4)
    hands.rest()
    ben.rolls(2)
    for chip in ("two pairs", "king"):
        ben.page.locator(".bidding").get_by_role("button", name=chip, exact=True).first.click()
    keep(ben.page, "phone-bid")
    ben.button("Say it").click()
    cleo.button("Challenge").wait_for(timeout=PATIENCE)
    keep(cleo.page, "phone-answer")
    keep(screen, "screen-table")
    keep(hands.page, "tray")
    cleo.challenges()
    picture = screen.locator(".photograph img")
    picture.wait_for(timeout=PATIENCE)
    picture.evaluate("image => image.decode()")
    keep(screen, "screen-exposure")
    cleo.page.locator(".verdict").wait_for()
    keep(cleo.page, "phone-verdict")


def main() -> None:
    """Open a table, play, take the pictures, and put the table away."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        house = open_house(Path(data))
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--disable-gpu", *sandbox])
        screen = sit(browser, house, "/screen", SCREEN)
        players = sit_down(browser, house, screen)
        play(players, Hands(sit(browser, house, "/tray", BENCH), house), screen)
        browser.close()
        house.close()


if __name__ == "__main__":
    main()
