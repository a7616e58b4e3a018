"""The ledger: three screens long, filtered by two menus, and the archived claims are folded."""

import pytest
from reader import reading, resize, violations

from rnn_helpers.experiments import experiments, load
from rnn_helpers.experiments.archived import archived_slugs

SCREEN = 1280, 800
LEDGER = "book/claims.html"
ALL, ARCHIVED = experiments(), archived_slugs()
LINES = "ul.claim-lines > li"


@pytest.fixture
def ledger(browser, site):
    """The page of all claims on a laptop's screen."""
    with reading(browser, (site / LEDGER).as_uri()) as page:
        resize(page, *SCREEN)
        yield page
        assert page.complaints == []


def visible(page):
    """List the slugs of the claims that are not filtered out, the archived ones last."""
    return page.locator(f"{LINES}:not([hidden])").evaluate_all("lines => lines.map((l) => l.id)")


def test_the_claims_fit_on_three_screens(ledger):
    lists = ledger.locator("ul.claim-lines")
    assert lists.count() == 2
    box = lists.first.bounding_box()
    assert box["y"] + box["height"] <= 3 * SCREEN[1]
    assert not lists.nth(1).is_visible()


def test_the_menus_choose_by_chapter_and_verdict_and_announce_how_many_are_left(ledger):
    status = ledger.locator(".claim-filters [role=status]")
    assert visible(ledger) == [*ALL, *sorted(ARCHIVED, key=lambda slug: (load(slug).chapter, slug))]
    ledger.get_by_label("Chapter").select_option("05")
    fifth = [slug for slug, entry in ALL.items() if entry.chapter == "05"]
    archived = [slug for slug in ARCHIVED if load(slug).chapter == "05"]
    assert visible(ledger)[: len(fifth)] == fifth
    assert status.text_content() == (
        f"{len(fifth)} of {len(ALL)} claims, {len(archived)} of {len(ARCHIVED)} archived"
    )
    ledger.get_by_label("Verdict").select_option("undecided")
    left = [slug for slug in (*fifth, *archived) if load(slug).summary.kind == "undecided"]
    assert set(visible(ledger)) == set(left)
    assert ledger.url.endswith("?chapter=05&kind=undecided")


def test_a_key_chooses_in_a_menu(ledger):
    menu = ledger.get_by_label("Verdict")
    menu.focus()
    ledger.keyboard.press("ArrowDown")
    chosen = menu.input_value()
    assert chosen == "holds"
    kinds = {load(slug).summary.kind for slug in visible(ledger)}
    assert kinds == {"holds"}
    ledger.keyboard.press("Tab")
    assert ledger.evaluate("() => document.activeElement.closest('li:not([hidden])') !== null")


def test_the_address_keeps_the_choice(browser, site):
    url = (site / LEDGER).as_uri()
    with reading(browser, f"{url}?kind=does-not-hold&chapter=99") as page:
        assert page.get_by_label("Verdict").input_value() == "does-not-hold"
        assert page.get_by_label("Chapter").input_value() == ""
        assert {load(slug).summary.kind for slug in visible(page)} == {"does not hold"}
        assert page.complaints == []


@pytest.mark.parametrize("slug", ["recall", "greedy-loops"])
def test_a_link_to_a_claim_shows_its_line(browser, site, slug):
    with reading(browser, f"{(site / LEDGER).as_uri()}#{slug}", scroll=False) as page:
        line = page.locator(f"#{slug}")
        line.wait_for(state="visible")
        page.wait_for_function(
            "(id) => { const { top } = document.getElementById(id).getBoundingClientRect();"
            " return top >= 0 && top < innerHeight; }",
            arg=slug,
        )
        line.locator("a").click()
        page.wait_for_url(f"**/book/claims/{slug}.html")
        assert page.complaints == []


def test_without_a_script_all_claims_are_shown_and_no_menu(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / LEDGER).as_uri())
    assert page.locator(".claim-filters").is_hidden()
    assert page.locator(LINES).count() == len(ALL) + len(ARCHIVED)
    assert page.locator(f"{LINES}:visible").count() == len(ALL)
    page.locator("details:has(.claim-lines) > summary").click()
    assert page.locator(f"{LINES}:visible").count() == len(ALL) + len(ARCHIVED)
    context.close()


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 360)])
def test_axe_finds_no_violations_with_all_claims_unfolded(browser, site, theme, width):
    with reading(browser, (site / LEDGER).as_uri(), color_scheme=theme) as page:
        resize(page, width, SCREEN[1])
        page.evaluate(
            "() => { for (const one of document.querySelectorAll('details')) one.open = true; }"
        )
        assert violations(page) == "[]"
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
