"""Bids tapped together on a phone: every combination is words that the referee understands as they were meant."""

import pytest
from playwright.sync_api import expect

from referee import HandClaim, Refused, claim_of
from tests.browser.conftest import PHONE, Open, Stage
from tests.web.canned import to_say

pytestmark = pytest.mark.browser

#: Every combination of category, faces and best other die; with one extra each.
EVERY_BID = """async () => {
  const { CATEGORIES, FACES, NOTHING, choose, cycle, wordsOf } = await import("/static/bid.js");
  const bids = [];
  const note = (bid, extra) =>
    bids.push([bid.category, bid.first, bid.second, bid.high, extra, bid.climb, wordsOf(bid)]);
  for (const { key } of CATEGORIES) {
    for (const first of [null, ...FACES]) {
      for (const second of [null, ...FACES]) {
        for (const high of [null, ...FACES]) {
          let bid = choose(choose(NOTHING, { category: key }), { first });
          bid = choose(choose(bid, { second }), { high });
          if (bid.second !== second || bid.high !== high) continue;
          note(bid, "");
          for (const face of FACES) {
            const having = cycle(bid, face), lacking = cycle(having, face);
            if (having.with.length) note(having, `with ${face}`);
            if (lacking.without.length) note(lacking, `no ${face}`);
          }
          note(choose(bid, { climb: 1 }), "");
          note(choose(bid, { climb: 2 }), "");
        }
      }
    }
  }
  return bids;
}"""

COUNTS = {"single": [1], "pair": [2], "two": [2, 2], "three": [3], "full": [3, 2], "four": [4], "five": [5]}
LETTER = {"10": "T"}


def shape(hand: str) -> list[int]:
    """Return how many of each face a hand has, most first, singles left out (a singleton is [1])."""
    counts = sorted((hand.count(face) for face in set(hand)), reverse=True)
    return [count for count in counts if count > 1] or [1]


def fits(hand: str, category: str, first: str | None, second: str | None, high: str | None, extra: str) -> bool:
    """Tell whether a hand is what was tapped."""
    ordered = sorted(set(hand), key=lambda face: (-hand.count(face), "AKQJT9".index(face)))
    faces = [LETTER.get(face, face) for face in (first or "", second or "", high or "")]
    word, _, face = extra.partition(" ")
    has = LETTER.get(face, face) in hand
    others = ordered[len(COUNTS[category]) :] if category != "single" else ordered
    return (
        shape(hand) == COUNTS[category]
        and faces[0] in ("", ordered[0])
        and (not second or faces[1] == ordered[1])
        and (not high or faces[2] == others[0])
        and (not extra or has == (word == "with"))
    )


def test_everything_that_can_be_tapped_together_is_understood_as_it_was_meant(stage: Stage, open_page: Open) -> None:
    page = open_page(PHONE)
    page.goto(stage.address)
    bids = page.evaluate(EVERY_BID)
    assert len(bids) > 1000
    wrong, plain = [], 0
    for category, first, second, high, extra, climb, words in bids:
        try:
            claim, _ = claim_of(words, HandClaim.parse("KQJT9") if climb else None)
        except Refused as refused:
            if refused.code != "no-such-hand":
                wrong.append(f"{words}: {refused.message}")
            continue
        plain += not climb
        if not climb and not fits(str(claim), category, first, second, high, extra):
            wrong.append(f"{words}: {claim}")
    assert wrong == []
    assert plain > 500


def test_the_words_are_shown_before_they_are_said_and_sent_as_shown(stage: Stage, open_page: Open) -> None:
    stage.table.show(to_say("Cleo"))
    page = open_page(PHONE)
    page.goto(stage.address)
    say = page.get_by_role("button", name="Say it")
    assert say.is_disabled()
    page.get_by_role("button", name="two pairs").click()
    page.get_by_role("group", name="higher pair").get_by_role("button", name="jack").click()
    assert page.locator(".words").inner_text() == "two pairs, jacks on top"
    say.click()
    page.locator(".words .hint").wait_for()
    assert [(tap.kind, dict(tap.fields)) for tap in stage.table.taps] == [("say", {"words": "two pairs, jacks on top"})]


def test_better_is_offered_only_where_there_is_something_to_better(stage: Stage, open_page: Open) -> None:
    stage.table.show(to_say("Cleo"))
    page = open_page(PHONE)
    page.goto(stage.address)
    expect(page.get_by_role("button", name="better", exact=True)).to_be_visible()
    first = to_say("Cleo")
    stage.table.show({**first, "version": first["version"] + 1, "opening": True})
    expect(page.get_by_role("group", name="How far up")).to_have_count(0)
    expect(page.get_by_role("button", name="two pairs")).to_be_visible()


def test_a_bid_can_be_typed_too(stage: Stage, open_page: Open) -> None:
    stage.table.show(to_say("Cleo"))
    page = open_page(PHONE)
    page.goto(stage.address)
    page.get_by_role("button", name="Type it instead").click()
    page.get_by_role("textbox").fill("a pair of jacks, no ten")
    page.get_by_role("button", name="Say it").click()
    expect(page.get_by_role("textbox")).to_have_value("")
    assert [dict(tap.fields) for tap in stage.table.taps] == [{"words": "a pair of jacks, no ten"}]
