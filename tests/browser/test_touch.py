"""On a phone, 360 pixels wide, with a finger for a hand: the figures that are shown to a friend."""

import re
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect
from reader import ALONE, CHAPTER, FRAMES, HANDLES, drag, reading, sight, together, wake

from rnn_helpers import explore

SHOWN = [
    together(name, name, pytest.mark.chapter(CHAPTER[name][:2]))
    for name in ("caption", "attention", "unfold", "address")
]
TAPPED = "button, input[type=radio], input[type=checkbox], input[type=range], select, summary"
# The target of a tap must receive the event.
HEAR = """() => {
  globalThis.heard = [];
  for (const type of ["click", "input", "pointercancel"])
    addEventListener(type, (event) => heard.push(...event.composedPath(), type), true);
}"""
# Two frames after a tap the page has scrolled so that the pressed control keeps its position.
MIDDLE = f"""async (node) => {{
  await ({FRAMES})();
  node.scrollIntoView({{ block: "center", behavior: "instant" }});
  const {{ x, y, width, height }} = node.getBoundingClientRect();
  return [x + width / 2, y + height / 2, width, height];
}}"""
WAS_HEARD = "(node) => heard.includes(node)"
# The middle of the drawing's cell in row t and column k, of six that were read.
CELL = """(figure, [t, k]) => {
  const columns = figure.querySelectorAll("text.read").length;
  const { x, y, width, height } = figure.querySelectorAll(".weight")[columns * t + k]
    .getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


@contextmanager
def phone(browser, file):
    """Open a file on a phone; the page records taps."""
    size = {"width": 360, "height": 740}
    with reading(browser, file.as_uri(), viewport=size, has_touch=True, is_mobile=True) as page:
        page.evaluate(HEAR)
        yield page
        assert page.complaints == []


@pytest.fixture(scope="module", params=SHOWN)
def page(request, browser, site):
    """A phone with a figure; one after another, the tests play with it."""
    with phone(browser, site / f"{ALONE[request.param]}.html") as page:
        yield page


@pytest.fixture
def figure(page):
    """The figure as it starts."""
    figure = page.locator("figure.unfolded-figure")
    figure.evaluate("(figure) => figure.querySelector('.unfolded-reset').click()")
    wake(page)
    return figure


def test_every_control_is_large_enough_and_receives_taps(page, figure):
    for control in figure.locator(TAPPED).all():
        if not control.is_visible() or not control.is_enabled():
            continue
        x, y, width, height = control.evaluate(MIDDLE)
        markup = control.evaluate("node => node.outerHTML")
        assert min(width, height) >= 24, (width, height, markup)
        for share in (-0.4, 0.4):  # a slider receives a tap away from its handle
            page.touchscreen.tap(x + share * width, y)
        assert control.evaluate(WAS_HEARD), markup


def test_every_handle_follows_a_finger_and_the_page_stays(page, figure):
    for handle in figure.locator(HANDLES).all():
        if not handle.is_visible():
            continue
        x, y, width, height = handle.evaluate(MIDDLE)
        before, top = sight(figure), page.evaluate("scrollY")
        for right, down in [(0.3, 0), (-0.3, 0), (0, 0.3), (0, -0.3)]:
            way = right * max(width, 60), down * max(height, 60)
            drag(page, *((x + way[0] * k / 5, y + way[1] * k / 5) for k in range(6)))
            if sight(figure) != before:
                break
        assert sight(figure) != before, handle.evaluate("node => node.outerHTML")
        assert page.evaluate("[scrollY, heard.includes('pointercancel')]") == [top, False]


def test_a_swipe_over_words_scrolls(page, figure):
    x, y, *_ = figure.locator(".uf-guess p").first.evaluate(MIDDLE)
    top = page.evaluate("scrollY")
    drag(page, *((x, y + 30 * k) for k in range(6)))
    page.wait_for_function("(top) => scrollY < top", arg=top)


@pytest.mark.chapter("18")
def test_a_finger_that_goes_up_over_a_handle_as_large_as_the_drawing_scrolls(browser, tmp_path):
    figure = explore.show("address", part="content")._repr_mimebundle_()["text/html"]
    file = tmp_path / "content.html"
    room = '<div style="height: 100vh"></div>'
    phone_size = '<meta name="viewport" content="width=device-width">'
    file.write_text(f"<!doctype html>{phone_size}{room}{figure}{room}", "utf-8")
    with phone(browser, file) as page:
        wake(page)
        x, y, *_ = page.locator(HANDLES).locator("visible=true").first.evaluate(MIDDLE)
        top = page.evaluate("scrollY")
        drag(page, *((x, y - 20 * k) for k in range(6)))
        page.wait_for_function("(top) => scrollY > top", arg=top)


@pytest.mark.chapter("10")
def test_the_weight_under_a_finger_is_the_chosen_one_and_its_numbers_answer(browser, site):
    with phone(browser, site / f"{ALONE['attention']}.html") as page:
        figure = page.locator("figure.unfolded-figure")
        grip = figure.locator(HANDLES)
        grip.evaluate(MIDDLE)
        # the rows below the chosen one follow the finger both ways
        way = [(3, 5), (2, 4), (1, 3), (0, 1), (2, 0)]
        points = [figure.evaluate(CELL, cell) for cell in way]
        for many in range(1, len(way) + 1):
            drag(page, *points[:many])
            t, k = way[many - 1]
            sight(figure)
            assert re.match(
                f"Step {t + 1} .* character {k + 1},", grip.get_attribute("aria-valuetext")
            )
        answers = set()
        for number in figure.locator(".number").locator("visible=true").all():
            x, y, width, height = number.evaluate(MIDDLE)
            assert min(width, height) >= 24
            page.touchscreen.tap(x, y)
            expect(number).to_have_attribute("aria-expanded", "true")
            assert figure.locator(".part").count()
            answers.add(figure.locator(".answer").text_content())
        assert len(answers) >= 12  # of 15, 2 are reported twice


@pytest.mark.chapter("02")
def test_a_tapped_weight_stays_lit_until_the_next_tap(browser, site):
    with phone(browser, site / f"{ALONE['unfold']}.html") as page:
        wake(page)
        weight, beside = page.locator(".chip[data-term=W]"), page.locator(".fact small").first
        copies = page.locator(".unfolded [data-term=W].uf-lit")
        for place, lit in ((weight, True), (beside, False)):
            x, y, *_ = place.evaluate(MIDDLE)
            page.touchscreen.tap(x, y)
            if lit:
                expect(copies).not_to_have_count(0)
            else:
                expect(copies).to_have_count(0)
