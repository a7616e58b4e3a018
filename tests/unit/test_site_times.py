"""A chapter's minutes are counted from its cells."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from rnn_helpers.site.times import Times, count


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
    assert minutes(formulas, new_markdown_cell(folded), *gated) == Times(0, 0)
    assert minutes(*gated, new_markdown_cell(closed), new_markdown_cell("word")) == Times(5, 0)


def test_an_exercise_takes_its_own_minutes_or_those_of_its_kind(minutes):
    def exercise(line):
        return new_markdown_cell(f"```{{exercise}} One\n:label: ex-02-one\n{line} How?\n```")

    assert minutes(exercise("*code.*")) == Times(0, 10)
    assert minutes(exercise("*extended.*")) == Times(0, 20)
    assert minutes(exercise("*code, 5 minutes.*"), exercise("*code.*")) == Times(0, 15)
    assert str(Times(15, 30)) == "about 15 minutes to read, and 30 for the exercises"
