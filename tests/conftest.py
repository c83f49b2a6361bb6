"""What every test may ask for: the repository's folder and one browser for the whole run."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REPOSITORY = Path(__file__).resolve().parent.parent

# A browser that is driven by a test fetches nothing for itself.
QUIET = ("--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync")


@pytest.fixture(scope="session")
def repository() -> Path:
    """Return the folder of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def browser_path() -> str:
    """Return the path of the Chrome or Chromium that the tests drive, from UNDERCUP_BROWSER or found here."""
    named = os.environ.get("UNDERCUP_BROWSER")
    if named:
        return named
    found = subprocess.run([REPOSITORY / "tools/find_browser"], capture_output=True, text=True, check=False)
    if found.returncode != 0:
        pytest.fail("There is no Chrome or Chromium here. Run: tools/find_browser --install")
    return found.stdout.strip()


@pytest.fixture(scope="session")
def browser(browser_path: str) -> Iterator[Browser]:
    """Return a running browser; each test opens contexts of its own in it and closes them."""
    # Imported here: the tests of the reader also run where there is no Playwright.
    from playwright.sync_api import sync_playwright

    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser_path, args=[*QUIET, "--no-first-run", *sandbox])
        yield running
        running.close()
