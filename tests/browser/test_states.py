"""Every page in every state: nothing sticks out, nothing is too small for a dark pub, no page complains."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import PHONE, SCREEN, SMALL_PHONE, SMALL_SCREEN, Open, Stage
from tests.web.canned import EVERY, to_say

pytestmark = pytest.mark.browser

#: CSS pixels; a thumb covers about 44, and 17 px is what can be read at arm's length in the dark.
LEAST_BUTTON, LEAST_TEXT = 44, 17

SMALL_TEXTS = """() => {
  const small = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const holder = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || holder.closest("svg, script, noscript, .sr")) continue;
    if (!holder.getClientRects().length) continue;
    const size = parseFloat(getComputedStyle(holder).fontSize);
    if (size < LEAST) small.push(`${size}px: ${walk.currentNode.textContent}`);
  }
  return small;
}"""

SMALL_BUTTONS = """() => Array.from(document.querySelectorAll("button, input, select, summary"))
  .filter(each => each.getClientRects().length && !each.closest("label.choice"))
  .map(each => [each.getBoundingClientRect(), each.textContent])
  .filter(([box]) => box.height < LEAST || box.width < 40)
  .map(([box, text]) => `${Math.round(box.width)}x${Math.round(box.height)}: ${text}`)"""

OUTSIDE = """() => Array.from(document.querySelectorAll("h1, h2, p, li, b, q, text, button, img, figcaption"))
  .filter(each => each.getClientRects().length)
  .map(each => [each.getBoundingClientRect(), each])
  .filter(([box]) => box.left < -1 || box.right > innerWidth + 1
    || (TALL && (box.top < -1 || box.bottom > innerHeight + 1)))
  .map(([box, each]) => `${each.tagName} ${each.textContent}`)"""


def through_every_state(stage: Stage, page: Page) -> Iterator[str]:
    """Put the table into each state in turn and yield its name once `page` shows it, with everything unfolded."""
    for name, data in EVERY.items():
        version = stage.table.show(data)
        page.locator(f"#app[data-version='{version}']").wait_for(state="attached")
        page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true; })")
        yield name


def outside(page: Page, tall: bool) -> list[str]:
    """Return what sticks out of the page, at the sides or (`tall`) anywhere."""
    found: list[str] = page.evaluate(OUTSIDE.replace("TALL", "true" if tall else "false"))
    return found


def small(page: Page) -> list[str]:
    """Return texts and buttons that are too small."""
    texts: list[str] = page.evaluate(SMALL_TEXTS.replace("LEAST", str(LEAST_TEXT)))
    buttons: list[str] = page.evaluate(SMALL_BUTTONS.replace("LEAST", str(LEAST_BUTTON)))
    return texts + buttons


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE], ids=["390", "320"])
def test_a_phone_shows_every_state_big_and_whole(stage: Stage, open_page: Open, size: tuple[int, int]) -> None:
    page = open_page(size)
    page.goto(stage.address)
    faults = {name: outside(page, tall=False) + small(page) for name in through_every_state(stage, page)}
    assert {name: found for name, found in faults.items() if found} == {}


@pytest.mark.parametrize("size", [SCREEN, SMALL_SCREEN], ids=["1080", "720"])
def test_the_screen_shows_every_state_whole_and_untouched(stage: Stage, open_page: Open, size: tuple[int, int]) -> None:
    page = open_page(size)
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{stage.address}/screen")
    faults = {name: outside(page, tall=True) for name in through_every_state(stage, page)}
    assert {name: found for name, found in faults.items() if found} == {}
    assert page.locator("button, a, input").count() == 0


def test_the_host_can_open_every_choice_in_every_state(stage: Stage, open_page: Open) -> None:
    page = open_page(PHONE)
    page.goto(f"{stage.address}/host")
    page.locator("input").fill("2468")
    page.get_by_role("button", name="I am the host").click()
    page.get_by_role("heading", name="The seats").wait_for()
    faults = {name: outside(page, tall=False) + small(page) for name in through_every_state(stage, page)}
    assert {name: found for name, found in faults.items() if found} == {}


def test_every_step_of_a_bid_fits_on_a_small_phone(stage: Stage, open_page: Open) -> None:
    stage.table.show(to_say("Cleo"))
    page = open_page(SMALL_PHONE)
    page.goto(stage.address)
    for chip in ("single", "pair", "two pairs", "three", "full house", "four", "five"):
        page.get_by_role("button", name=chip, exact=True).click()
        page.get_by_role("button", name="jack", exact=True).first.click()
        assert outside(page, tall=False) + small(page) == []
