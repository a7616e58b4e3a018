"""The button of each figure that copies a link to it in its present state."""

from pathlib import Path

import pytest
from reader import CHAPTER, OWN_PAGE, reading, resize, violations

from press.slides import DECKS

pytestmark = pytest.mark.chapter("04")
FIGURE = "bptt"
PAGE = f"book/{CHAPTER[FIGURE]}"
# Some browsers refuse the clipboard to pages over file://, and older ones have no clipboard.
NO_CLIPBOARD = """() => {
  Object.defineProperty(navigator, "clipboard", { value: undefined });
  document.execCommand = () => false;
}"""


def named(page):
    """Return the figure and its button, after bringing the figure to life."""
    figure = page.locator(f"figure[data-module={FIGURE}]").first
    figure.scroll_into_view_if_needed()
    return figure, figure.get_by_role("button", name="Copy link")


def copied(page):
    page.get_by_text("Link copied").first.wait_for()
    return page.evaluate("navigator.clipboard.readText()")


@pytest.mark.parametrize("by_key", [False, True])
def test_a_link_leads_to_the_figure_in_its_state(browser, address, by_key):
    with reading(browser, f"{address}/{PAGE}.html?fig.other=x:1#far") as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        figure, button = named(page)
        figure.get_by_label("every word").check(force=True)
        button.press("Enter") if by_key else button.click()  # before the address has the state
        link = copied(page)
        assert figure.get_by_role("status").get_by_text("Link copied").count() == 1
        assert page.complaints == []
    assert link == f"{address}/{PAGE}.html?fig.{FIGURE}=loss:every#fig-bptt"
    with reading(browser, link, scroll=False) as page:
        figure, _ = named(page)
        assert figure.get_by_label("every word").is_checked()


def test_the_link_of_a_figure_at_its_start_has_no_state(browser, address):
    with reading(browser, f"{address}/{OWN_PAGE[FIGURE]}.html#far") as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        _, button = named(page)
        button.click()
        assert copied(page) == f"{address}/{OWN_PAGE[FIGURE]}.html"


def test_without_a_clipboard_the_link_is_there_to_copy(browser, site):
    with reading(browser, (site / f"{PAGE}.html").as_uri()) as page:
        page.evaluate(NO_CLIPBOARD)
        figure, button = named(page)
        figure.get_by_label("every word").check(force=True)
        button.press("Enter")
        figure.get_by_text("The link is selected").wait_for(state="attached")
        link = page.get_by_label("Link to the figure")
        assert link.evaluate("field => document.activeElement === field")
        assert page.evaluate("getSelection().toString()") == link.input_value()
        assert link.input_value().endswith(f"{PAGE}.html?fig.{FIGURE}=loss:every#fig-bptt")
        page.keyboard.press("Tab")
        link.wait_for(state="detached")
        assert page.complaints == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_has_room_for_the_button(browser, site, theme):
    url = (site / f"{PAGE}.html").as_uri()
    with reading(browser, url, color_scheme=theme) as page:
        resize(page, 320, 700)
        figure, button = named(page)
        figure.get_by_label("every word").check(force=True)
        place = button.bounding_box()
        reset = figure.get_by_role("button", name="Reset")
        reset.wait_for()
        assert button.bounding_box()["x"] == place["x"], "it stays where it is"
        assert reset.bounding_box()["y"] == pytest.approx(place["y"], abs=4)
        assert min(place["width"], place["height"]) >= 24
        assert violations(page, f"figure[data-module={FIGURE}]") == "[]"
        page.emulate_media(media="print")
        assert not button.is_visible()


def test_questions_have_no_link_to_copy(browser, site):
    with reading(browser, (site / f"{PAGE}.html").as_uri()) as page:
        assert page.locator("figure[data-module=predict] button").count() > 0
        assert page.locator("figure[data-module=predict] .unf-copy").count() == 0


def test_decks_have_no_link_to_copy(site):
    """A slide keeps no state in the address, so its page doesn't load the button's script."""
    assert "/unfolded.js" in (site / f"{PAGE}.html").read_text("utf-8")
    assert "/unfolded.js" not in (site / f"{DECKS}/{Path(PAGE).name}.html").read_text("utf-8")
