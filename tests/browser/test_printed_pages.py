"""A chapter on paper: its sheets are numbered and full, nothing is cut, no answer is given away."""

import pypdfium2
import pytest
from reader import reading

pytestmark = pytest.mark.chapter("04")


@pytest.fixture(scope="module")
def printed(browser, site):
    """A chapter as the browser shows it when it is about to print."""
    with reading(browser, (site / "book/04_bptt.html").as_uri(), scroll=False) as page:
        page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        yield page


@pytest.fixture(scope="module")
def sheets(printed):
    """Return for each printed sheet its text and the vertical position of each piece of text."""
    printed.pdf(prefer_css_page_size=True)  # requests the pictures further down
    document = pypdfium2.PdfDocument(printed.pdf(prefer_css_page_size=True))
    sheets = []
    for sheet in document:
        text = sheet.get_textpage()
        boxes = [text.get_rect(k) for k in range(text.count_rects())]
        lowest = max(1 - bottom / sheet.get_height() for _, bottom, _, _ in boxes[:-1])
        sheets.append((text.get_text_range(), lowest))
    return sheets


def test_no_solution_is_printed(printed):
    heights = "nodes => nodes.map((node) => node.getBoundingClientRect().height)"
    assert any(printed.locator(".exercise").evaluate_all(heights))
    solutions = printed.locator(".solution").evaluate_all(heights)
    assert solutions
    assert not any(solutions)


def test_an_answer_to_a_prediction_is_printed_upside_down(printed):
    turned = printed.locator(".unfolded-fallback details > p").evaluate_all(
        "answers => answers.map((answer) => getComputedStyle(answer).rotate)"
    )
    assert turned
    assert set(turned) == {"180deg"}


def test_code_is_wrapped_and_not_cut(printed):
    cut = printed.evaluate(
        """() => [...document.querySelectorAll("#main-content pre")]
          .filter((code) => code.scrollWidth > code.clientWidth + 1)
          .map((code) => code.textContent)"""
    )
    assert cut == []


def test_a_figure_is_as_many_ems_wide_as_on_the_screen(printed):
    widths = printed.locator(".unfolded-figure").evaluate_all(
        "figures => figures.map((it) => it.clientWidth / parseFloat(getComputedStyle(it).fontSize))"
    )
    assert widths
    assert max(widths) <= 43


def test_a_sheet_has_room_for_a_figure_that_was_drawn_on_the_screen(printed):
    screen = printed.viewport_size
    printed.set_viewport_size({"width": 695, "height": 900})  # A4 without its margins
    widths = printed.locator(".unfolded-figure").evaluate_all(
        "all => all.map((it) => it.clientWidth)"
    )
    printed.set_viewport_size(screen)
    assert min(widths) >= 688


def test_each_sheet_has_its_number(sheets):
    for number, (text, _) in enumerate(sheets, start=1):
        assert f"{number} / {len(sheets)}" in text


def test_most_sheets_are_full(sheets):
    full = [lowest > 0.6 for _, lowest in sheets[:-1]]
    assert sum(full) >= 0.8 * len(full)
