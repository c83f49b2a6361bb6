"""A server over canned snapshots, and pages that note everything that goes wrong in them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.web.canned import lobby
from tests.web.fake_table import FakeTable, FakeTray
from tests.web.serving import serving
from web import create_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE, SMALL_PHONE, SCREEN, SMALL_SCREEN = (390, 844), (320, 568), (1920, 1080), (1280, 720)


@dataclass(frozen=True, slots=True)
class Stage:
    """A fake table, its tray and the address at which a real server shows their pages."""

    table: FakeTable
    tray: FakeTray
    address: str


@pytest.fixture
def stage() -> Iterator[Stage]:
    """Return a running server over a fake table."""
    table, tray = FakeTable(lobby()), FakeTray()
    app = create_app(table, secret_key="only for tests", tray=tray, join_url=lambda: "http://192.0.2.5:8000/")
    with serving(app) as port:
        yield Stage(table, tray, f"http://127.0.0.1:{port}")


Open = Callable[[tuple[int, int]], "Page"]


@pytest.fixture
def open_page(browser: "Browser") -> Iterator[Open]:
    """Return a function that opens an empty page of a size; afterwards no page may have complained of anything."""
    contexts, complaints = [], []

    def open_one(size: tuple[int, int]) -> "Page":
        touch = size in (PHONE, SMALL_PHONE)
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=touch)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        return page

    yield open_one
    for context in contexts:
        context.close()
    # Refusals and missing pictures are told by the browser as errors of loading; they are no faults of the page.
    assert [said for said in complaints if "Failed to load resource" not in said] == []
