"""The gallery: the figures' chapters and pages."""

import nbformat
import pytest

from press.gallery import figures
from press.places import Place, places
from press.still.defaults import drawable


@pytest.fixture
def documents(tmp_path):
    """Two chapters and a page, by their names."""
    md, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    first = [
        md("# First\n\nText.", id="title"),
        code('explore.show("one")', id="fig-one"),
        md("## 10.1 A section\n\n### Part", id="section"),
        code("explore.show('two', T=3)\nexplore.show('one')", id="fig-two"),
        md('`explore.show("three")` is not run.', id="words"),
    ]
    second = [md("# Second", id="title"), code('x = 1\nexplore.show(\n    "zero")', id="fig-zero")]
    found = {}
    for name, cells in {"01_first": first, "02_second": second}.items():
        found[name] = tmp_path / f"{name}.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=cells), found[name])
    found["about"] = tmp_path / "about.md"
    found["about"].write_text("# About\n\n## More\n\n```{explorable} two\nT: 2\n```\n", "utf-8")
    return found


def test_figures_are_found_in_the_order_of_the_chapters_with_their_sections(documents):
    assert list(places(documents).items()) == [
        (
            "one",
            [
                Place("01_first", "First", "", "fig-one"),
                Place("01_first", "First", "Part", "fig-two"),
            ],
        ),
        ("two", [Place("01_first", "First", "Part", "fig-two"), Place("about", "About", "", "")]),
        ("zero", [Place("02_second", "Second", "", "fig-zero")]),
    ]


def test_a_figure_with_a_question_of_its_own_has_a_page():
    assert "predict" not in figures()
    assert "unfold" in figures()


def test_every_figure_with_a_page_has_a_picture():
    assert list(figures()) == drawable()
