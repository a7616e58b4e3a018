"""The page that is printed: the site's pages joined, with all solutions at the end."""

import re

import pytest
from bs4 import BeautifulSoup

from press import pdf

EXERCISE = """<section id="exercise-{n}"><span id="ex-{n}"></span><h3>Exercise {n}: Add</h3>
<div class="exercise admonition" id="ex-0-{n}"><p>How much is {n} + {n}?</p></div>
<figure class="unfolded-figure" data-module="answer"><p>It prints:</p></figure>
<div class="solution admonition" id="sol-{n}"><span id="solved"></span>
<p class="admonition-title">Solution</p><p>SECRET {n}</p></div></section>"""
PAGE = """<!doctype html><html><head><title>{title}</title>
<link rel="stylesheet" href="../_static/book.css"></head><body>
<article class="bd-article"><section id="first"><h1>{title}<a class="headerlink"
href="#first">#</a></h1>
<p class="unf-write"><a href="notebooks/{name}.ipynb">the notebook</a></p>
<p><img src="../_images/a.webp" loading="lazy"> {links}</p>
<section id="own-{name}"><span id="sec-own"></span><h2>Only in {name}</h2>
<label for="tick">t</label><input id="tick">{exercises}</section>
<section id="remember"><h2>What to remember</h2>
<div class="unfolded-fallback"><details>
<summary>Answer</summary><p>GUESSED</p></details></div>
</section></section></article><footer><a href="else.html">next</a></footer></body></html>"""
LINKS = """<a href="#sec-own">here</a> <a href="02_b.html#sec-own">there</a>
<a href="02_b.html">b</a>
<a href="claims/adds.html">a claim</a> <a href="gallery/unfold.html">a figure</a>
<a href="02_b.html#lost">lost</a> <a href="https://example.org/">the net</a>"""
LEDGER = """<html><body><article class="bd-article"><section id="claims"><h1>Claims</h1>
<ul><li id="adds"><a href="claims/adds.html">One and one are two</a></li></ul></section>
</article>"""


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "html/book"
    folder.mkdir(parents=True)
    for number, name in enumerate(["01_a", "02_b"], start=1):
        exercises = EXERCISE.format(n=f"{number}.1") + EXERCISE.format(n=f"{number}.2")
        told = {"name": name, "title": f"{number}. It's &amp; “so”", "exercises": exercises}
        (folder / f"{name}.html").write_text(PAGE.format(links=LINKS, **told), "utf-8")
    (folder / "claims.html").write_text(LEDGER, "utf-8")
    return folder


@pytest.fixture
def listed(site):
    chapters = [site / "01_a.html", site / "02_b.html"]
    return {"Chapters": chapters, "Reference": [site / "claims.html"]}


@pytest.fixture
def book(listed):
    return BeautifulSoup(pdf.whole(listed), "html.parser")


def test_every_id_is_there_once(book):
    ids = [tag["id"] for tag in book.select("[id]")]
    assert len(ids) == len(set(ids))
    assert all(label["for"] in ids for label in book.select("[for]"))


def test_every_link_leads_to_a_place_in_the_book_or_to_another_site(book):
    ids = {tag["id"] for tag in book.select("[id]")}
    links = [link["href"] for link in book.select("a[href]")]
    assert {link for link in links if not link.startswith("#")} == {"https://example.org/"}
    assert {link[1:] for link in links if link.startswith("#")} <= ids


def test_links_lead_where_they_led_on_the_site(book):
    found = {link.get_text(): link["href"] for link in book.select("#in-01_a a[href]")}
    assert found["here"] == "#01_a-own-01_a"
    assert found["there"] == "#02_b-own-02_b"
    assert found["b"] == "#02_b-first"
    assert found["a claim"] == "#claims-adds"
    assert not {"a figure", "lost", "the notebook"} & {*found}


def test_links_lead_to_the_site_if_it_has_an_address(listed):
    book = BeautifulSoup(pdf.whole(listed, "https://example.org/b/"), "html.parser")
    found = {link.get_text(): link["href"] for link in book.select("#in-01_a a[href]")}
    assert found["a figure"] == "https://example.org/b/book/gallery/unfold.html"
    assert found["there"] == "#02_b-own-02_b"


def test_the_targets_of_links_have_a_place_on_paper(book):
    for link in book.select('a[href^="#"]'):
        assert book.find(id=link["href"][1:]).get_text(strip=True)


def test_solutions_are_at_the_end_and_nowhere_else(book):
    *before, last = book.select("article")
    assert not any("SECRET" in article.get_text() for article in before)
    solved = [section.get_text(" ", strip=True) for section in last.select("section > section")]
    solved = [text for text in solved if text.startswith("Exercise")]
    assert [re.findall(r"Exercise ([\d.]+)|SECRET ([\d.]+)", text) for text in solved] == [
        [(number, ""), ("", number)] for number in ("1.1", "1.2", "2.1", "2.2")
    ]


def test_an_exercise_and_its_solution_link_to_each_other(book):
    for section in book.select("#in-01_a section, #in-02_b section"):
        if section["id"].split("-")[1] == "exercise":
            solution = book.find(id=section.select_one(".unf-see a")["href"][1:])
            assert solution.find_parent(id="in-solutions")
            assert solution.select_one(".unf-see a")["href"] == f"#{section['id']}"


def test_contents_list_chapters_and_the_sections_of_their_own(book):
    listed = [link.span.get_text() for link in book.select(".unf-contents a")]
    assert listed == [
        *("1. It's & “so”", "Only in 01_a", "2. It's & “so”", "Only in 02_b"),
        *("Claims", "Solutions"),
    ]


def test_a_book_without_solutions_has_no_answers(listed):
    page = pdf.whole(listed, solutions=False)
    assert not re.search("SECRET|GUESSED|Solution", page)


def test_a_handout_has_no_answers_and_room_to_write_them(site):
    page = pdf.handout(site / "01_a.html")
    assert not re.search("SECRET|GUESSED|Solution", page)
    assert page.count("It prints:") == 2
    assert 'href="02_b' not in page


def test_pictures_and_sheets_are_found_from_another_folder(site):
    page = pdf.read(site / "01_a.html", site.parents[1] / "print")
    assert page.article.img["src"] == "../html/_images/a.webp"
    assert not page.article.img.has_attr("loading")
    assert page.styles == ["../html/_static/book.css"]


def test_numbers_of_pages_are_filled_in(book):
    page = pdf.numbered(str(book), {"01_a-first": 7})
    assert '<span data-page="01_a-first">7</span>' in page
    assert '<span data-page="02_b-first">000</span>' in page
    again = pdf.numbered(page, {"01_a-first": 12})
    assert '<span data-page="01_a-first">12</span>' in again


def printer(monkeypatch, *prints):
    """Replace Chromium: the nth print has its places on the pages of the nth dict."""
    left = iter(prints)
    monkeypatch.setattr(pdf.browser, "print_pdf", lambda page, part: part.write_bytes(b"%PDF"))
    monkeypatch.setattr(pdf, "places", lambda path, asked: next(left))


ASKS = '<span data-page="a"></span>'


def test_a_page_is_printed_until_its_numbers_are_right(monkeypatch, tmp_path):
    printer(monkeypatch, {"a": 3}, {"a": 4}, {"a": 4})
    pdf.print_page(ASKS, tmp_path / "out.pdf", tmp_path)
    assert (tmp_path / "out.html").read_text("utf-8") == '<span data-page="a">4</span>'
    assert (tmp_path / "out.pdf").exists()


def test_numbers_that_never_agree_are_reported(monkeypatch, tmp_path):
    printer(monkeypatch, *({"a": number} for number in range(pdf.PRINTS)))
    with pytest.raises(ValueError, match=r"numbers of the pages of out\.pdf"):
        pdf.print_page(ASKS, tmp_path / "out.pdf", tmp_path)
    assert not (tmp_path / "out.pdf").exists()


def test_pages_about_the_site_are_not_printed():
    printed = [path.stem for part in pdf.parts().values() for path in part]
    assert printed[0].startswith("01_")
    assert "glossary" in printed
    assert not pdf.ON_SCREEN & {*printed}


@pytest.mark.parametrize(
    ("chromium", "told"), [("chromium", "--chapter is '99'"), (None, "no Chromium to print with")]
)
def test_what_cannot_be_printed_is_reported(monkeypatch, chromium, told):
    monkeypatch.setattr(pdf.browser, "find", lambda: chromium)
    monkeypatch.setattr(pdf, "site_files", lambda site, book: {})
    with pytest.raises(SystemExit, match=told):
        pdf.main(["--chapter", "99"])
