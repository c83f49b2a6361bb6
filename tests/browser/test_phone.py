"""A phone in a pub: thumbs that tap twice, networks that go, refusals that are read."""

import pytest
from playwright.sync_api import APIResponse, Route, expect

from tests.browser.conftest import PHONE, SCREEN, Open, Stage
from tests.web.canned import EVERY, common, common_verdict, declared, exposure, lobby, offered, to_roll
from web.table import Answer

pytestmark = pytest.mark.browser

#: What a browser tells a page that it had put to sleep.
WOKEN = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"


def test_a_player_joins_between_two_others(stage: Stage, open_page: Open) -> None:
    page = open_page(PHONE)
    page.goto(stage.address)
    page.get_by_label("Your name").fill("Cleo")
    page.get_by_label("between Ann and Ben").check()
    page.get_by_role("button", name="Sit down").click()
    stage.table.show(lobby("Old_Tom"))
    page.get_by_role("button", name="I agree to these rules").click()
    stage.table.show(lobby("Ann"))
    page.get_by_text("Waiting for Old Tom to agree").wait_for()
    assert [(tap.kind, dict(tap.fields)) for tap in stage.table.taps] == [
        ("join", {"name": "Cleo", "place": 1}),
        ("agree", {}),
    ]


def test_a_double_tap_accepts_once_and_rolls_nothing(stage: Stage, open_page: Open) -> None:
    version = stage.table.show(offered("Cleo"))
    stage.table.answer = Answer(True, version + 1)
    page = open_page(PHONE)
    page.goto(stage.address)
    accept = page.get_by_role("button", name="Accept the cup")
    expect(accept).to_be_enabled()
    place = accept.bounding_box()
    assert place is not None
    middle = (place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.mouse.click(*middle)
    page.mouse.click(*middle)
    stage.table.show(to_roll("Cleo"))
    page.get_by_role("heading", name="How many did you roll?").wait_for()
    page.mouse.click(*middle)
    expect(page.get_by_role("button", name="two")).to_be_enabled()
    assert [tap.kind for tap in stage.table.taps] == ["accept"]


def test_a_tap_names_the_version_of_the_game_that_was_seen(stage: Stage, open_page: Open) -> None:
    stage.table.show(offered("Cleo"))
    page = open_page(PHONE)
    page.goto(stage.address)
    with page.expect_response("**/tap"):
        page.get_by_role("button", name="Challenge").click()
    assert [tap.version for tap in stage.table.taps] == [38]


def test_a_refusal_is_shown_in_words_and_the_buttons_come_back(stage: Stage, open_page: Open) -> None:
    stage.table.answer = Answer(False, 41, "stale", "The table has moved on since.")
    stage.table.show(offered("Cleo"))
    page = open_page(PHONE)
    page.goto(stage.address)
    page.get_by_role("button", name="Accept the cup").click()
    expect(page.get_by_role("alert")).to_contain_text("The table has moved on since.")
    expect(page.get_by_role("button", name="Accept the cup")).to_be_enabled()
    page.get_by_role("button", name="All right").click()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_tap_whose_answer_is_lost_is_sent_again_under_the_same_name(stage: Stage, open_page: Open) -> None:
    stage.table.show(offered("Cleo"))
    page = open_page(PHONE)
    page.goto(stage.address)
    lost: list[object] = []

    def lose_the_first_answer(route: Route) -> None:
        if not lost:
            lost.append(route.fetch())
            route.abort()
        else:
            route.continue_()

    page.route("**/tap", lose_the_first_answer)
    page.get_by_role("button", name="Accept the cup").click()
    expect(page.get_by_role("button", name="Accept the cup")).to_be_enabled(timeout=15000)
    first, second = stage.table.taps
    assert first.id == second.id


def test_a_lost_table_is_told_and_found_again_by_itself(stage: Stage, open_page: Open) -> None:
    stage.table.show(offered("Cleo"))
    page = open_page(PHONE)
    page.goto(stage.address)
    page.get_by_role("button", name="Challenge").wait_for()
    page.context.set_offline(True)
    page.route("**/live*", lambda route: route.abort())
    page.evaluate(WOKEN)
    expect(page.locator(".lost")).to_contain_text("keep this page open", timeout=15000)
    page.context.set_offline(False)
    page.unroute("**/live*")
    stage.table.show(to_roll("Cleo"))
    expect(page.locator(".lost")).to_have_count(0, timeout=15000)
    page.get_by_role("heading", name="How many did you roll?").wait_for()


def test_a_phone_that_slept_asks_for_the_newest_when_it_wakes(stage: Stage, open_page: Open) -> None:
    page = open_page(PHONE)
    page.goto(stage.address)
    page.get_by_role("heading", name="Take a seat").wait_for()
    with page.expect_request("**/live?as=phone"), page.expect_request("**/snapshot?as=phone"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_an_answer_that_was_overtaken_does_not_bring_back_what_was(stage: Stage, open_page: Open) -> None:
    stage.table.show(offered("Cleo"))
    page = open_page(PHONE)
    page.goto(stage.address)
    page.get_by_role("button", name="Challenge").wait_for()
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/snapshot*", lambda route: held.append((route, route.fetch())))
    with page.expect_request("**/snapshot*"):
        page.evaluate(WOKEN)
    heading = page.get_by_role("heading", name="How many did you roll?")
    expect(page.locator("#app[data-version='2']")).to_have_count(1)
    while not held:  # the answer must have been given before the table goes on
        page.wait_for_timeout(20)
    version = stage.table.show(to_roll("Cleo"))
    page.locator(f"#app[data-version='{version}']").wait_for()
    route, answer = held[0]
    with page.expect_response("**/snapshot*"):
        route.fulfill(response=answer)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.locator("#app").get_attribute("data-version") == str(version)
    expect(heading).to_be_visible()


def test_a_declared_roll_hides_the_dice_buttons_until_the_tray_has_read_it(stage: Stage, open_page: Open) -> None:
    stage.table.show(declared("Cleo"))
    page = open_page(PHONE)
    page.goto(stage.address)
    page.get_by_text("Cleo rolls 2 dice now.").wait_for()
    assert page.locator(".counts").count() == 0


def test_without_a_camera_a_player_can_enter_the_open_dice(stage: Stage, open_page: Open) -> None:
    stage.table.show(exposure("Cleo"))
    page = open_page(PHONE)
    page.goto(stage.address)
    page.get_by_text("Enter the dice by hand").click()
    for face in ("K", "K", "10", "9", "9"):
        page.get_by_role("button", name=f"enter {face}", exact=True).click()
    page.get_by_role("button", name="die 5: 9, change it").click()
    page.get_by_role("button", name="enter A", exact=True).click()
    with page.expect_response("**/tap"):
        page.get_by_role("button", name="Enter this hand").click()
    assert [(tap.kind, dict(tap.fields)) for tap in stage.table.taps] == [("enter", {"hand": "KKT9A"})]


def test_a_name_that_looks_like_a_page_stays_a_name(stage: Stage, open_page: Open) -> None:
    data = lobby()
    data["guests"][0]["seat"] = "<img src=x onerror=alert(1)>"
    stage.table.show(data)
    for size, path in ((PHONE, ""), (SCREEN, "/screen")):
        page = open_page(size)
        page.goto(stage.address + path)
        page.get_by_text("<img src=x onerror=alert(1)>").first.wait_for()


def test_the_screen_says_when_it_waits_for_the_table(stage: Stage, open_page: Open) -> None:
    page = open_page(SCREEN)
    page.goto(f"{stage.address}/screen")
    page.get_by_text("Scan to take a seat").wait_for()
    page.route("**/*", lambda route: route.abort())
    page.evaluate(WOKEN)
    expect(page.get_by_text("Waiting for the table")).to_be_visible(timeout=15000)


def test_hands_at_the_tray_choose_dice_and_roll_them(stage: Stage, open_page: Open) -> None:
    page = open_page((1280, 800))
    page.goto(f"{stage.address}/tray")
    page.get_by_role("button", name="choose die 1").click()
    page.get_by_role("button", name="choose die 4").click()
    page.get_by_role("button", name="Roll these").click()
    expect(page.get_by_role("button", name="Roll these")).to_be_disabled()
    assert stage.tray.acts == [("roll", {"dice": [0, 3]})]


def test_eyes_at_the_tray_peek_only_while_the_button_is_held(stage: Stage, open_page: Open) -> None:
    page = open_page((1280, 800))
    page.goto(f"{stage.address}/tray")
    page.get_by_text("Hold to peek").hover()
    assert page.locator(".on-tray").count() == 0
    page.mouse.down()
    expect(page.locator(".on-tray")).to_have_count(5)
    page.mouse.up()
    expect(page.locator(".on-tray")).to_have_count(0)


def test_a_common_bid_offers_only_what_raises_the_last_one(stage: Stage, open_page: Open) -> None:
    stage.table.show(common("Ann", ["bid", "challenge", "leave"]))
    page = open_page(PHONE)
    page.goto(stage.address)
    face = page.locator(".faces .face")
    expect(face.nth(0)).to_be_disabled()
    expect(face.nth(1)).to_be_disabled()
    face.nth(2).click()
    assert page.locator(".words").inner_text() == "four fours"
    face.nth(3).click()
    page.get_by_role("button", name="fewer").click()
    assert page.locator(".words").inner_text() == "three fives"
    with page.expect_response("**/tap"):
        page.get_by_role("button", name="Bid it").click()
    assert [(tap.kind, dict(tap.fields)) for tap in stage.table.taps] == [("bid", {"quantity": 3, "face": "5"})]


def test_a_verdict_says_a_common_bid_in_words(stage: Stage, open_page: Open) -> None:
    stage.table.show(common_verdict())
    for path, size, lines in (("/", PHONE, ".verdict"), ("/screen", SCREEN, ".lines")):
        page = open_page(size)
        page.goto(stage.address + path)
        expect(page.locator(f"{lines} li").first).to_have_text("Ann bid three fives.")


@pytest.mark.parametrize(("path", "size"), [("/", PHONE), ("/host", PHONE), ("/screen", SCREEN)])
def test_everybody_reads_that_the_journal_was_set_aside(
    stage: Stage, open_page: Open, path: str, size: tuple[int, int]
) -> None:
    stage.table.show(EVERY["lobby-begun-anew"])
    page = open_page(size)
    page.goto(stage.address + path)
    if path == "/host":
        page.locator("input").fill("2468")
        page.get_by_role("button", name="I am the host").click()
    expect(page.get_by_text("everybody joins again")).to_be_visible()
