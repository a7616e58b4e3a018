"""Words and queries, split for the search: by Python when the book is built, by a script later."""

import json

import nbformat
import pytest
from docutils import nodes
from docutils.utils import new_document
from hypothesis import given
from hypothesis import strategies as st
from py_mini_racer import MiniRacer

from press.internals import read_index
from press.search import Words, beginnings, completed, plain

split = Words({}).split


@pytest.fixture(scope="module")
def query():
    """Split a query as the page of results does."""
    engine = MiniRacer()
    engine.eval(Words.js_splitter_code)
    yield lambda text: json.loads(engine.eval(f"JSON.stringify(splitQuery({json.dumps(text)}))"))
    engine.close()


@pytest.mark.parametrize("text", ["see (10.8).", "G 10.8", "10.8, 5.4", "equation 10.8"])
def test_the_number_of_an_equation_is_one_word(text, query):
    assert "10.8" in split(text)
    assert "10.8" in query(text)


def test_other_decimals_are_no_words(query):
    for text in ("0.0133", "10.853", "1.2.3"):
        assert not any("." in word for word in split(text) + query(text))


@pytest.mark.parametrize(
    "text", [r"\lambda_i", r"\lambda_{max}", "λ", "Λᵗ", r"\boldsymbol{\Lambda}"]
)
def test_a_greek_letter_is_indexed_by_its_name(text):
    assert "lambda" in [word.lower() for word in split(text)]


def test_variants_of_a_greek_letter_have_one_name(query):
    assert split(r"\varepsilon")[0] == split("ϵ")[0] == query("ε")[0] == query(r"\epsilon")[0]


@pytest.mark.parametrize("hyphen", ["-", "\u2010", "–"])
def test_a_compound_is_indexed_by_its_parts_and_as_a_whole(hyphen):
    assert split(f"back{hyphen}propagation") == ["back", "propagation", "back-propagation"]


def test_words_that_form_no_compound_stay_apart():
    assert split("x-y 3-4 a-b") == ["x", "y", "3", "4", "a", "b"]


@pytest.mark.parametrize("word", ["eq.", "eqn", "Equations"])
def test_an_equation_may_be_asked_for_in_short(word, query):
    assert query(f"{word} 10.8") == ["equation", "10.8"]


@given(st.text("ab λΣ(10.8)-é_", max_size=20))
def test_python_and_the_script_agree_but_for_compounds(query, text):
    assert [word for word in split(text) if "-" not in word] == query(text)


@pytest.mark.parametrize("name", ["Huszár", "Lukoševičius", "Chrupała", "Jürgen Schmidhuber"])
def test_a_name_is_found_with_and_without_its_accents(name, query):
    bare = plain(name)
    assert bare.isascii()
    assert split(name) == split(bare) == query(name) == query(bare) == bare.split()


def test_the_index_gets_beginnings_and_terms_and_loses_blanks_and_words_without_a_page(tmp_path):
    index = (
        'Search.setIndex({"docnames": ["book/01_a", "book/b"], '
        '"terms": {"a": 0, "b": [], "c": [0, 1]}, "titleterms": {}})'
    )
    entry = "- {term: gate, also: [valve], meaning: A number., section: sec-gate}"
    (tmp_path / "glossary.yml").write_text(entry, "utf-8")
    cell = nbformat.v4.new_markdown_cell("(sec-gate)=\n## How does a gate open?", id="gate")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "01_a.ipynb")
    known = {"book/01_a": {"beginnings": [["sec-gate", "A gate opens."]]}}
    made = completed(index, known, tmp_path)
    assert read_index(made) == {
        "docnames": ["book/01_a", "book/b"],
        "terms": {"a": 0, "c": [0, 1]},
        "titleterms": {},
        "beginnings": [[["sec-gate", "A gate opens."]], []],
        "glossary": [[["gate", "valve"], 0, "sec-gate", "How does a gate open?", "A number."]],
    }
    assert ": " not in made
    assert completed(made, known, tmp_path) == made


def test_a_section_begins_with_its_first_plain_words_and_not_with_a_solution():
    document = new_document("page")
    section = nodes.section("", nodes.title("", "A section"), ids=["sec-a"])
    words = "These are plain words, and enough of them to fill a line of the results."
    source = nodes.raw("", "<small>", format="html")
    section += nodes.paragraph("", "", source, nodes.Text(f"The source. {words}"))
    section += nodes.paragraph("", words, nodes.math("", "x"))
    section += nodes.admonition("", nodes.paragraph("", f"The solution. {words}"))
    solution = nodes.paragraph("", f"The solution. {words}")
    section += nodes.admonition("", nodes.section("", solution, ids=["sol-content"]))
    number = nodes.raw("", "<span>", format="html")
    section += nodes.paragraph("", words[:9], number, nodes.Text(words[9:]))
    document += section
    assert beginnings(document) == [("sec-a", words)]
