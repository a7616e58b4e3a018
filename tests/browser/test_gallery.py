"""The gallery: its pictures link to the figures, and other sites can embed a figure."""

import re

import pytest
from reader import ALONE, OWN_PAGE, reading, resize, rest, violations, wake

from press.serve import serving

GUEST = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>
<main><h1>Somebody else's page</h1>{frame}</main></html>"""
ANY = "scales"


@pytest.fixture
def gallery(browser, site):
    """The page of all pictures."""
    with reading(browser, (site / "book/gallery.html").as_uri()) as page:
        yield page
        assert page.complaints == []


def test_every_figure_has_a_card_whose_whole_box_leads_to_it(gallery):
    assert gallery.locator(".unf-card").count() == len(OWN_PAGE)
    gallery.locator(".unf-card img:visible").nth(3).click(force=True)  # the link lies over it
    gallery.wait_for_url("**/book/gallery/*.html")
    wake(gallery)


def test_keys_lead_from_card_to_card_and_to_a_figure(gallery):
    links = gallery.locator(".unf-card a")
    links.first.focus()
    gallery.keyboard.press("Tab")
    assert links.nth(1).evaluate("link => link === document.activeElement")
    gallery.keyboard.press("Enter")
    gallery.wait_for_url("**/book/gallery/*.html")
    wake(gallery)


def test_a_figures_page_links_to_its_place_in_the_book_and_to_the_next_figure(browser, site):
    with reading(browser, (site / f"{OWN_PAGE[ANY]}.html").as_uri()) as page:
        assert page.locator(".prev-next-area a").count() == 2
        page.locator("main p:has-text('In the book:') a").first.click()
        page.wait_for_url("**/book/*.html#*")
        assert page.locator(f":target figure[data-module={ANY}], figure:target").count() == 1
        assert page.complaints == []


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 320)])
def test_axe_finds_no_violations_on_a_figures_page_or_in_the_figure_alone(
    browser, site, theme, width
):
    for place in (OWN_PAGE[ANY], ALONE[ANY]):
        url = (site / f"{place}.html").as_uri()
        with reading(browser, url, color_scheme=theme) as page:
            resize(page, width, 800)
            assert violations(page) == "[]"
            assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_each_field_is_copied_by_its_button(browser, address):
    with reading(browser, f"{address}/{OWN_PAGE[ANY]}.html") as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        for kind in ("link", "frame", "call"):
            page.locator(f"[data-copy=share-{kind}]").press("Enter")
            page.wait_for_function(
                "async (kind) => await navigator.clipboard.readText() === "
                "document.getElementById(`share-${kind}`).value",
                arg=kind,
            )
        page.get_by_text("Copied.").wait_for()


@pytest.fixture
def snippet(browser, address):
    """Return the HTML that a figure's page offers to other pages."""

    def copied(name=ANY, state=""):
        with reading(browser, f"{address}/{OWN_PAGE[name]}.html?fig.{name}={state}") as page:
            page.wait_for_function("() => document.querySelector('#share-frame').value")
            return page.locator("#share-frame").input_value()

    return copied


@pytest.fixture
def host(browser, tmp_path):
    """Open a page of another origin that contains some HTML."""
    contexts = []

    def visit(frame, width=700, **options):
        (tmp_path / "index.html").write_text(GUEST.format(frame=frame), "utf-8")
        contexts.append(browser.new_context(viewport={"width": width, "height": 700}, **options))
        page = contexts[-1].new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.goto(f"{guest}/index.html")
        return page

    with serving(tmp_path) as guest:
        yield visit
    for context in contexts:
        context.close()


def alone(page):
    """Return the document in the frame, once its figure is alive."""
    inside = page.frames[1]
    inside.locator("figure[data-live=true]").wait_for()
    return inside


def fits(page):
    """Wait until the frame is as high as its page; return whether it fits without scrolling."""
    page.wait_for_function(
        "height => document.querySelector('iframe').offsetHeight === height",
        arg=alone(page).evaluate(HEIGHT),
    )
    return alone(page).evaluate("innerHeight === document.documentElement.scrollHeight")


HEIGHT = """() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(
  () => resolve(Math.ceil(document.documentElement.getBoundingClientRect().height)))))"""


@pytest.mark.parametrize("width", [400, 700, 1200])
def test_an_embedded_figure_is_as_high_as_its_content(host, snippet, width):
    page = host(snippet("bptt"), width)
    assert fits(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    resize(page, 520, 700)
    assert fits(page)


@pytest.mark.parametrize("times", [1, 2])
def test_an_embedded_figure_grows_and_the_pressed_button_stays_in_place(host, snippet, times):
    page = host(snippet() * times)
    assert fits(page)
    inside = alone(page)
    inside.evaluate(
        """() => document.querySelector(".unfolded-stage").insertAdjacentHTML(
          "afterbegin", '<p hidden style="height: 150px">More</p><button>Show more</button>')"""
    )
    assert fits(page)
    button = inside.get_by_role("button", name="Show more")
    button.evaluate("b => { b.onclick = () => { b.previousSibling.hidden = false; }; }")
    button.scroll_into_view_if_needed()
    page.evaluate("scrollBy({ top: 40, behavior: 'instant' })")
    before = button.bounding_box()["y"]
    button.click()
    inside.get_by_text("More", exact=True).wait_for()
    assert fits(page)
    assert button.bounding_box()["y"] == pytest.approx(before, abs=1.5)


def test_the_frame_takes_its_height_from_its_own_figure_alone(host, snippet):
    page = host(snippet())
    assert fits(page)
    height = page.locator("iframe").get_attribute("height")
    page.evaluate(
        """() => new Promise((resolve) => {
          const other = document.createElement("iframe");
          other.srcdoc = "<script>parent.postMessage({ height: 5 }, '*')</" + "script>";
          document.body.append(other);
          postMessage({ height: 6 }, "*");
          postMessage(null, "*");
          let heard = 0;
          addEventListener("message", () => ++heard === 3 && resolve());
        })"""
    )
    assert page.locator("iframe").first.get_attribute("height") == height


def test_without_scripts_an_embedded_figure_has_a_fixed_height_and_a_title(host, snippet):
    page = host(snippet(), java_script_enabled=False)
    frame = page.locator("iframe")
    assert frame.evaluate("frame => frame.offsetHeight") > 500
    assert frame.get_attribute("title").startswith("How much is left")
    assert frame.get_attribute("loading") == "lazy"


def test_an_embedded_figure_links_to_its_page_with_its_state(host, snippet, address):
    page = host(snippet(state="p:7"))
    inside = alone(page)
    inside.get_by_role("slider").first.press("ArrowRight")
    with page.context.expect_page() as opened:
        inside.get_by_role("link", name="Unfolded").click()
    opened.value.wait_for_load_state()
    assert opened.value.url.startswith(f"{address}/{OWN_PAGE[ANY]}.html?fig.{ANY}=")


def test_a_figure_works_in_a_sandbox_without_storage_or_an_address_of_its_own(host, address):
    page = host(
        f'<iframe sandbox="allow-scripts" src="{address}/{ALONE[ANY]}.html" height="800"></iframe>'
    )
    inside = alone(page)
    inside.get_by_role("slider").first.press("ArrowRight")
    inside.get_by_role("button", name="Reset").click()
    inside.get_by_role("button", name="Reset").wait_for(state="hidden")
    rest(inside)  # the address would change a moment after the last key
    assert page.errors == []


def test_without_scripts_there_is_a_picture_without_a_copy_button(browser, site):
    url = (site / f"{OWN_PAGE[ANY]}.html").as_uri()
    with reading(browser, url, scroll=False, java_script_enabled=False) as page:
        assert page.locator("figure .unfolded-still img:visible").count() > 0
        assert not page.locator("figure .uf-controls").first.is_visible()
        assert not page.locator(".unf-share").is_visible()


def test_on_paper_a_figures_page_has_its_picture_without_a_copy_button(browser, site):
    with reading(browser, (site / f"{OWN_PAGE[ANY]}.html").as_uri()) as page:
        page.emulate_media(media="print")
        assert page.locator("figure .unfolded-stage").is_visible()
        assert not page.locator("figure .uf-controls").first.is_visible()
        assert not page.locator(".unf-share").is_visible()


def test_the_places_of_a_figure_are_sentences_that_name_a_chapter_once(site):
    for name in OWN_PAGE.values():
        text = re.sub(r"<[^>]+>", "", (site / f"{name}.html").read_text("utf-8"))
        assert not re.search(r"[?!]\.", text), name
        places = re.search(r"In the book: (.*) All \d+ figures\.", text)
        chapters = re.findall(r"\b\d+\. ", places[1]) if places else []
        assert len(chapters) == len(set(chapters)), name


def test_an_entry_of_the_glossary_ends_in_one_mark(site):
    text = re.sub(r"<[^>]+>", "", (site / "book/glossary.html").read_text("utf-8"))
    assert re.findall(r".{30}[?!]\.", text) == []
