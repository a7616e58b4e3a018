"""A reader selects text with formulas and copies it, on a page and on a slide."""

from contextlib import contextmanager

import pytest
from reader import reading

from press.slides import DECKS

pytestmark = pytest.mark.chapter("03")
# Select from a place to another, each a node and an offset, and copy.
COPIED = """([from, to]) => {
  const place = ([selector, index, offset]) => {
    const node = document.querySelectorAll(selector)[index];
    return offset === undefined ? [node, node.childNodes.length] : [node, offset];
  };
  getSelection().setBaseAndExtent(...place(from), ...place(to));
  let copied;
  const note = ({ clipboardData, defaultPrevented }) => {
    copied = ["text/plain", "text/html"].map((kind) => clipboardData.getData(kind));
    if (!defaultPrevented) copied = [getSelection().toString(), ""];
  };
  addEventListener("copy", note, { once: true });
  document.execCommand("copy");
  return copied;
}"""


@contextmanager
def place(browser, site, name):
    with reading(browser, (site / f"{name}.html").as_uri(), scroll=False) as page:
        yield lambda start, end: page.evaluate(COPIED, [start, end])
        assert page.complaints == []


@pytest.fixture(params=["book/03_rnn", f"{DECKS}/03_rnn"])
def copied(request, browser, site):
    """Copy a part of a page, or of a slide: give its text and its HTML."""
    with place(browser, site, request.param) as copy:
        yield copy


def test_a_displayed_formula_is_copied_once_as_tex(copied):
    text, html = copied([".katex-display", 0, 0], [".katex-display", 0])
    assert text.startswith("$$")
    assert text.endswith("$$")
    assert text.count("$$") == 2
    assert "\\" in text
    assert "\n" not in text.strip("$")
    assert "katex" not in html


def test_a_part_of_a_formula_is_copied_as_the_whole(copied):
    whole, _ = copied([".katex-display", 0, 0], [".katex-display", 0])
    inside = ".katex-display .katex-html .mord"
    part, _ = copied([inside, 0, 0], [inside, 2])
    assert part == whole


def test_text_with_formulas_is_copied_with_each_formula_once(browser, site):
    with place(browser, site, "book/03_rnn") as copied:
        text, _ = copied(["#main-content p:has(.katex)", 0, 0], ["#main-content p:has(.katex)", 2])
    assert "𝑈" not in text
    formulas = text.split("$")[1::2]
    assert formulas
    assert len(text.split("\n")) > 1, "paragraphs stay apart"
    assert not any("\n" in formula for formula in formulas)


def test_a_formula_that_is_tied_to_its_punctuation_is_copied_once(browser, site):
    tied = "#main-content span.math:has(> .kept)"
    with place(browser, site, "book/03_rnn") as copied:
        whole, _ = copied([tied, 0, 0], [tied, 0])
        ending, _ = copied([f"{tied} .kept .mord", 0, 0], [tied, 0])
    assert whole.count("$") == 2
    assert ending == whole
    assert whole[-1] in ".,;:!?)"


def test_plain_text_is_copied_as_the_browser_does(browser, site):
    with place(browser, site, "book/03_rnn") as copied:
        text, html = copied([".bd-article h1", 0, 0], [".bd-article h1", 0])
    assert text.startswith("3. Recurrent networks")
    assert html == ""
