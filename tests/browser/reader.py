"""A reader of the built site: opens pages with the network off, and notes every complaint."""

import json
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
PAGES = [TOC["root"], *(e["file"] for part in TOC["parts"] for e in part["chapters"])]

every_page = pytest.mark.parametrize("name", PAGES, ids=lambda name: Path(name).name)

# What a figure shows, with what its controls hold.
SIGHT = """figure => JSON.stringify([
  figure.querySelector(".unfolded-stage").innerHTML,
  ...[...figure.querySelectorAll("input, select")].map((e) => [e.value, e.checked]),
])"""


@contextmanager
def reading(browser, url, scroll=True, **options):
    """Open a page in a context of its own; yield it with what it complained about.

    Everything outside the site is refused, and asking for it is a complaint.
    """
    home = url.split("/_build/")[0] if url.startswith("file:") else "/".join(url.split("/")[:3])
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
    complaints = []

    def gate(route):
        asked = route.request.url
        if asked.startswith((home, "data:", "blob:")):
            route.continue_()
        else:
            complaints.append(f"asked for {asked}")
            route.abort()

    context.route("**/*", gate)
    page = context.new_page()
    page.on("console", lambda m: m.type in ("error", "warning") and complaints.append(m.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("response", lambda r: r.status >= 400 and complaints.append(f"{r.status} {r.url}"))
    page.on("requestfailed", lambda r: complaints.append(f"failed {r.url}"))
    page.complaints = complaints
    page.goto(url)
    if scroll:
        wake(page)
    yield page
    context.close()


def wake(page):
    """Scroll past every figure, so that all are alive, and come back."""
    for figure in page.locator("figure.unfolded-figure").all():
        figure.scroll_into_view_if_needed()
        figure.evaluate(
            """figure => new Promise((resolve) => {
              const look = () => figure.dataset.live ? resolve() : requestAnimationFrame(look);
              look();
            })"""
        )
    page.evaluate("() => scrollTo(0, 0)")
    page.evaluate("() => document.fonts.ready.then(() => new Promise(requestAnimationFrame))")


def resize(page, width, height):
    """Give the page a window of this size, and wait until all of it is laid out anew.

    Until its handlers of the change have run, a deck is laid out for the window before, and what
    is measured then is elsewhere when a hand gets there. They run before the next frame is drawn,
    and observers of sizes after it.
    """
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(
        """async (size) => {
          const frame = () => new Promise(requestAnimationFrame);
          while (String([innerWidth, innerHeight]) !== String(size)) await frame();
          await frame();
          await frame();
        }""",
        [width, height],
    )


def sight(figure):
    return figure.evaluate(SIGHT)


def violations(page, **options):
    """What axe finds, in few words."""
    from axe_playwright_python.sync_playwright import Axe

    found = (
        Axe()
        .run(page, options={"resultTypes": ["violations"], "preload": False, **options})
        .response
    )
    return json.dumps(
        [
            {
                "rule": v["id"],
                "nodes": [node["target"] + [node["html"][:90]] for node in v["nodes"][:4]],
            }
            for v in found["violations"]
        ],
        indent=1,
    )
