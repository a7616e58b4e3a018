"""The book on paper: two chapters and the glossary, a handout and a deck, printed by Chromium."""

import re

import numpy as np
import pypdfium2
import pytest
from bs4 import BeautifulSoup
from pypdfium2 import raw

from press import pdf
from press.pdf import browser

pytestmark = [
    pytest.mark.nightly(files=["press/pdf.py", "press/browser.py", "press/templates/paper"]),
    pytest.mark.xdist_group("printed"),
]
NAMES = ["03_rnn", "04_bptt"]
FOOT = 0.93  # above it, a sheet has the text, and below it, its number


@pytest.fixture(scope="module")
def chromium(missing):
    """Skip the tests if Chromium isn't installed."""
    if not browser.find():
        missing("no Chromium")


@pytest.fixture(scope="module")
def page(site):
    """The page from which the book is printed, with the numbers of the last print."""
    chapters = [site / f"book/{name}.html" for name in NAMES]
    return pdf.whole({"Chapters": chapters, "Reference": [site / "book/glossary.html"]})


@pytest.fixture(scope="module")
def printed(chromium, page, tmp_path_factory):
    """The printed book."""
    path = pdf.print_page(page, tmp_path_factory.mktemp("paper") / "two-chapters.pdf")
    with pypdfium2.PdfDocument(path) as document:
        yield document


def texts(document):
    return [" ".join(sheet.get_textpage().get_text_range().split()) for sheet in document]


def test_a_chapter_has_some_twenty_sheets(printed):
    assert 50 <= len(printed) <= 100


def test_contents_give_the_pages_on_which_headings_stand(printed):
    sheets = texts(printed)
    (listing,) = [text for text in sheets if "Contents" in text[:30]]
    told = re.findall(r"(\d\. \D+|Glossary|Solutions) (\d+)(?= |$)", listing)
    titles = ["3. Recurrent networks", "4. Back-propagation through time", "Glossary", "Solutions"]
    firsts = {title: int(number) for title, number in told}
    for title in titles:
        assert title in sheets[firsts[title] - 1][:200]


def test_bookmarks_are_the_headings(printed):
    marks = [mark.get_title() for mark in printed.get_toc()]
    for title in ("Contents", "4. Back-propagation through time", "Glossary", "Solutions"):
        assert title in marks
    assert sum(mark.startswith("Exercise") for mark in marks) > 40  # with their solutions


def test_every_link_inside_the_book_has_a_place_in_the_pdf(printed, page):
    links = BeautifulSoup(page, "html.parser").select('a[href^="#"]')
    names = {link["href"][1:] for link in links}
    assert len(names) > 90
    lost = [name for name in names if not raw.FPDF_GetNamedDestByName(printed, name.encode())]
    assert lost == []


def test_few_sheets_are_half_empty(printed):
    lowest = []
    for sheet in printed:
        ink = np.asarray(sheet.render(scale=0.3, grayscale=True).to_pil()) < 200
        rows = np.flatnonzero(ink.any(axis=1)) / len(ink)
        lowest.append(rows[rows < FOOT].max())
    assert np.mean(np.array(lowest) > 0.5) >= 0.9
    assert min(lowest) > 0.1


def test_no_text_is_cut_at_the_right(printed):
    for number, sheet in enumerate(printed, start=1):
        text = sheet.get_textpage()
        edges = [text.get_rect(k)[2] for k in range(text.count_rects())]
        assert max(edges) < sheet.get_width(), number


def test_a_handout_has_the_exercises_and_no_answer(chromium, site, tmp_path):
    chapter = site / "book/04_bptt.html"
    path = pdf.print_page(pdf.handout(chapter), tmp_path / "handout.pdf")
    article = BeautifulSoup(chapter.read_text("utf-8"), "html.parser")
    answers = article.select(".solution p:not(.admonition-title), .unfolded-fallback details p")
    with pypdfium2.PdfDocument(path) as document:
        whole = " ".join(texts(document))
    assert whole.count("Exercise 4.") >= len(article.select(".exercise"))
    assert "Solution" not in whole
    plain = [" ".join(answer.get_text().split()) for answer in answers if not answer.select("span")]
    assert len(plain) > 5
    assert [text for text in plain if len(text) > 40 and text[:40] in whole] == []


def test_a_deck_has_a_sheet_for_each_slide(chromium, site, tmp_path):
    deck = site / "book/slides/04_bptt.html"
    slides = BeautifulSoup(deck.read_text("utf-8"), "html.parser").select(".slides > section")
    path = pdf.print_deck(deck, tmp_path / "deck.pdf")
    with pypdfium2.PdfDocument(path) as document:
        assert len(document) == len(slides)
        assert document[0].get_width() > document[0].get_height()
        sheets = texts(document)
    for slide, text in zip(slides, sheets, strict=True):
        # On a slide that a plot fills, PDFium takes each letter for a word.
        title = slide.select_one("h1, h2").get_text()
        assert "".join(title.split()) in "".join(text.split())
