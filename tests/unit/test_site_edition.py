"""An edition with some of the chapters: which they are, and what becomes of links to the others."""

import re
from pathlib import Path

import nbformat
import pytest
import yaml

from press import classroom, edition, first_page, gallery, glossary, left_out, slides
from press.build import main
from press.students import plain_words

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book"
TOC = {
    "root": "book/index",
    "parts": [
        {"caption": "One", "chapters": [{"file": "book/01_a"}, {"file": "book/02_b"}]},
        {"caption": "Two", "chapters": [{"file": "book/03_c"}]},
        {"caption": "Three", "chapters": [{"file": "book/glossary"}]},
    ],
}
TEXT = """(sec-{number}-why)=
## Why

$$
x = y \\tag{{G 10.{number}}}
$$

````{{exercise}} A title
:label: ex-{number}
````
"""


@pytest.fixture
def book(tmp_path, monkeypatch):
    monkeypatch.delenv("CHAPTERS", raising=False)
    folder = tmp_path / "book"
    (folder / "slides").mkdir(parents=True)
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump(TOC), "utf-8")
    for name in ("01_a", "02_b", "03_c"):
        cell = nbformat.v4.new_markdown_cell(TEXT.format(number=int(name[:2])))
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), folder / f"{name}.ipynb")
        (folder / "slides" / f"{name}.md").touch()
    return folder


@pytest.fixture
def chosen(monkeypatch):
    return lambda value: monkeypatch.setenv("CHAPTERS", value)


def stems(paths):
    return [path.stem for path in paths]


@pytest.mark.parametrize(
    ("value", "numbers"),
    [("3", {3}), ("1-3", {1, 2, 3}), ("1-2,4", {1, 2, 4}), (" 02, 04 ", {2, 4}), ("4 2-2", {2, 4})],
)
def test_chapters_are_numbers_and_ranges(value, numbers):
    assert edition.parse(value, range(1, 5)) == numbers


@pytest.mark.parametrize("value", ["99", "4-2", "x", "1-", "-3", "0", ",", "1..3", "1-5", "³"])
def test_a_bad_value_is_named_with_the_form_that_is_expected(value):
    with pytest.raises(ValueError) as error:
        edition.parse(value, range(1, 5))
    said = f"CHAPTERS is {value!r}; expected numbers and ranges of chapters, such as 1-4,10,16"
    assert str(error.value) == f"{said}; there are 1 to 4"


@pytest.mark.parametrize("run", [main, slides.main], ids=["build", "slides"])
def test_a_program_ends_with_that_error(run, chosen, capsys):
    chosen("4-2")
    assert run([]) == 2
    assert capsys.readouterr().err.startswith("error: CHAPTERS is '4-2'; expected")


@pytest.mark.parametrize(
    ("numbers", "words"),
    [([5], "5"), ([2, 1], "1 and 2"), ([1, 2, 3, 4, 10, 16], "1 to 4, 10 and 16")],
)
def test_numbers_are_enumerated_in_words(numbers, words):
    assert edition.enumerate_numbers(numbers) == words


def test_without_a_choice_all_chapters_of_the_table_of_contents_are_in(book):
    assert stems(edition.chapters(book)) == stems(edition.decks(book)) == ["01_a", "02_b", "03_c"]
    assert edition.left_out(book) == []
    assert edition.table_of_contents(book.parent) == TOC


def test_a_choice_leaves_out_chapters_their_decks_and_empty_parts(book, chosen):
    chosen("1-2")
    assert stems(edition.chapters(book)) == stems(edition.decks(book)) == ["01_a", "02_b"]
    assert stems(edition.left_out(book)) == ["03_c"]
    parts = edition.table_of_contents(book.parent)["parts"]
    assert [part["caption"] for part in parts] == ["One", "Three"]


def test_a_chapter_removed_from_the_table_of_contents_is_left_out(book):
    toc = TOC | {"parts": [TOC["parts"][0], TOC["parts"][2]]}
    (book.parent / "_toc.yml").write_text(yaml.safe_dump(toc), "utf-8")
    assert stems(edition.left_out(book)) == ["03_c"]


def test_a_folder_without_a_table_of_contents_has_all_its_chapters(book):
    (book.parent / "_toc.yml").unlink()
    assert len(edition.chapters(book)) == 3


def test_the_places_left_out_are_chapters_sections_exercises_and_equations(book, chosen):
    chosen("1-2")
    found = left_out.places(book)
    assert {label: place.address for label, place in found.items()} == {
        "03_c.ipynb": "book/03_c.html",
        "sec-3-why": "book/03_c.html#sec-3-why",
        "ex-3": "book/03_c.html#ex-3",
        "eq-10.3": "book/03_c.html#equation-eq-10-3",
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("chapter 13", "chapter 13"),
        ("exercise 13.2", "exercise 13.2"),
        ("the last one", "the last one (chapter 13 of the complete book)"),
        ("exercise 2.13", "exercise 2.13 (chapter 13 of the complete book)"),
        ("1300 steps", "1300 steps (chapter 13 of the complete book)"),
        ("", "(chapter 13 of the complete book)"),
    ],
)
def test_words_name_the_chapter_once(words, said):
    assert left_out.Place("13_long_term").words(words) == said


def test_the_number_of_an_equation_names_no_chapter():
    place = left_out.Place("10_encoder_decoder", "equation-eq-10-12", is_equation=True)
    assert place.words("(G 10.12)") == "(G 10.12) (chapter 10 of the complete book)"


def test_a_notebook_names_the_chapter_or_links_to_the_complete_book(book, chosen):
    chosen("1-2")
    assert plain_words(book).link("gates", "#sec-3-why") == (
        "gates (chapter 3 of the complete book)"
    )
    assert plain_words(book).link("chapter 3", "03_c.ipynb") == "chapter 3"
    assert plain_words(book).link("chapter 2", "02_b.ipynb") == "[chapter 2](02_b.ipynb)"
    config = {"sphinx": {"config": {"complete_book": "https://example.org/book"}}}
    (book.parent / "_config.yml").write_text(yaml.safe_dump(config), "utf-8")
    there = "https://example.org/book/book/03_c.html"
    assert plain_words(book).link("gates", "#sec-3-why") == f"[gates]({there}#sec-3-why)"


def test_every_link_between_chapters_leads_to_a_place_that_is_known(chosen):
    """So whatever chapters are left out, no link breaks."""
    known = {entry["slug"] for entry in edition.settings(BOOK / "misprints.yml")}
    for value in "1", "2":
        chosen(value)
        known.update(left_out.places(BOOK))
    texts = [path.read_text("utf-8") for path in (*BOOK.glob("*.ipynb"), *BOOK.glob("*.md"))]
    linked = {label for text in texts for label in re.findall(r"\]\(#([^)\s]+)\)", text)}
    linked |= {name for text in texts for name in re.findall(r"\]\((\d\d_\w+\.ipynb)\)", text)}
    linked |= {entry["section"] for entry in edition.settings(BOOK / "glossary.yml")}
    assert linked - known == set()
    assert len(linked) > 200


def test_the_first_page_has_only_the_chapters_that_are_in(chosen):
    chosen("3,10-12")
    page = first_page.adapt((BOOK / "index.md").read_text("utf-8"), BOOK)
    assert "01_state" not in page
    assert "[Begin with chapter 3](03_rnn.ipynb)" in page
    assert "](#sec-03-exercises)" in page
    assert "### Remembering" not in page
    assert "planned" not in page
    assert page.count(".ipynb)\n: *") == 4
    assert "42 minutes (21 minutes in chapters 11 and 12)" in page
    assert "This edition has 4 of the book's 18 chapters: 3 and 10 to 12." in page


def test_the_first_page_of_the_whole_book_stays_as_it_is(monkeypatch):
    monkeypatch.delenv("CHAPTERS", raising=False)
    page = (BOOK / "index.md").read_text("utf-8")
    assert first_page.adapt(page, BOOK) is page


def test_collections_show_only_what_is_in(chosen):
    every = gallery.included(BOOK), glossary.read(BOOK)
    chosen("3,10")
    some = gallery.included(BOOK), glossary.read(BOOK)
    assert all(0 < len(few) < len(all_) for few, all_ in zip(some, every, strict=True))
    assert {"step", "attention"} <= some[0].keys()
    assert "cliff" not in some[0]
    start = classroom.start_here(BOOK, Path("a.whl"), solutions=True).decode()
    assert "10_encoder_decoder" in start
    assert "04_bptt" not in start
