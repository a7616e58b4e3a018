"""A chapter's minutes are counted from its cells."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from press.times import Section, Times, count, sections


@pytest.fixture
def minutes(tmp_path):
    def counted(*cells):
        nbformat.write(new_notebook(cells=list(cells)), tmp_path / "02_loop.ipynb")
        return count(tmp_path / "02_loop.ipynb")

    return counted


def test_words_and_figures_are_read(minutes):
    prose = new_markdown_cell("word " * 1000)  # 9.1 minutes
    figure = new_code_cell("explore.show('unfold')")
    assert minutes(prose) == Times(10, 0)
    assert minutes(prose, figure) == Times(15, 0)


def test_formulas_and_solutions_take_no_time(minutes):
    folded = "```{solution} ex-1\n:class: dropdown\n" + "word " * 1000 + "\n```"
    opened = "```{solution-start} ex-2\n```\n" + "word " * 1000
    closed = "word " * 1000 + "\n```{solution-end}\n```"
    formulas = new_markdown_cell("$$\n" + "x + " * 1000 + "x\n$$")
    gated = [new_markdown_cell(opened), new_code_cell("explore.show('unfold')")]
    box = new_markdown_cell("```{admonition} All\n:class: solution\n" + "word " * 1000 + "\n```")
    assert minutes(formulas, box, new_markdown_cell(folded), *gated) == Times(0, 0)
    assert minutes(*gated, new_markdown_cell(closed), new_markdown_cell("word")) == Times(5, 0)


def test_numbers_of_equations_and_exercises_are_not_counted(tmp_path):
    texts = ["By [(G 10.8)](#eq-10.8) and (C 5.4).", "### Exercise 2.1: Count\n\nHow?"]
    notebook = new_notebook(cells=[new_markdown_cell(text) for text in texts])
    nbformat.write(notebook, tmp_path / "02_loop.ipynb")
    (section,) = sections(tmp_path / "02_loop.ipynb")
    assert section.words == 6  # By 10.8 and 5.4. Count How?


def test_bars_and_empty_cells_of_a_table_are_not_counted(tmp_path):
    table = new_markdown_cell(
        "| gate | at 0 |\n|---|---|\n| forget | forgets |\n| cell input | – |"
    )
    nbformat.write(new_notebook(cells=[table]), tmp_path / "02_loop.ipynb")
    (section,) = sections(tmp_path / "02_loop.ipynb")
    assert section.words == 7


def test_an_exercise_takes_its_stated_minutes(minutes):
    def exercise(line):
        return new_markdown_cell(f"```{{exercise}} One\n:label: ex-02-one\n{line} How?\n```")

    assert minutes(exercise("*extended, 20 minutes.*")) == Times(0, 20)
    both = exercise("*code, 5 minutes.*"), exercise("*core, conceptual, 8 minutes.*")
    assert minutes(*both) == Times(0, 15)  # of which the page lists the next five
    assert str(Times(15, 30)) == "about 15 minutes to read, and 30 for the exercises"


def test_what_goes_further_is_counted_apart(minutes, tmp_path):
    spine = new_markdown_cell("word " * 500 + "\n\n(sec-02-one)=\n## One $x$\n\nword word")
    further = new_markdown_cell("## Going further\n\n" + "word " * 1000)
    assert minutes(spine, further) == Times(5, 0, 10)
    assert str(Times(5, 0, 10)).endswith("0 for the exercises; going further, 10 more")
    figure = new_code_cell("explore.show('unfold')")
    assert minutes(spine, figure, further, figure) == Times(10, 0, 15)
    counted = [Section("", 500), Section("One $x$", 3, 1), Section("Going further", 1002, 1)]
    assert sections(tmp_path / "02_loop.ipynb") == counted
