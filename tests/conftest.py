"""The built site and the browser that reads it."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Milliseconds that a test waits for a state: only a state that never comes takes so long.
PATIENCE = 120_000
REQUIRED = os.environ.get("CI") == "true" or os.environ.get("UNFOLDED_REQUIRE_BROWSER") == "1"
# The features that playwright would switch off (this list replaces its own) and that use the
# network or change an address; and two of Chromium's pages, for its address bar, that it
# would open and keep up to date along with each of ours.
OFF = [
    "HttpsUpgrades",
    "MediaRouter",
    "OptimizationHints",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
]
FLAGS = [
    f"--disable-features={','.join(OFF)}",
    # Read ahead as on a fast network, as the browser does once it has measured file access.
    "--blink-settings=lazyLoadingImageMarginPxUnknown=1250",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def missing():
    """Skip a test whose requirement is missing, with the reason; fail if skipping isn't allowed."""
    return pytest.fail if REQUIRED else pytest.skip


@pytest.fixture(scope="session")
def site():
    """The folder of the built site."""
    folder = ROOT / "_build" / "html"
    assert (folder / "index.html").is_file(), "there is no site: run `make book`"
    return folder


@pytest.fixture(scope="session")
def address(site):
    """The address of the built site, served on this machine."""
    from press.serve import serving

    with serving(site) as address:
        yield address


def patient(new_context):
    """Return a function that opens a context whose pages wait long, and can be asked to rest."""
    from reader import TIMERS

    def opened(**options):
        context = new_context(**options)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(TIMERS)
        return context

    return opened


@pytest.fixture(scope="session")
def browser(missing):
    """Chromium, the one that is installed or playwright's own; best without a window to draw."""
    from playwright.sync_api import Error, sync_playwright

    from press.browser import find

    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=find(), args=FLAGS)
        except Error as error:
            missing(f"no browser: {str(error).splitlines()[0]}")
        chromium.new_context = patient(chromium.new_context)
        yield chromium
        chromium.close()
