"""Chapter 04's program: assembled from the chapter and shown there, and it learns to spell."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from press.flatten import blocks
from press.program import CHAPTER, LISTING, PROGRAM, assemble, listing, parts, show
from rnn_helpers import tasks

pytestmark = pytest.mark.chapter("04")

ROOT = Path(__file__).parents[2]


RUN = "run python -m press.program"


def test_the_program_has_the_functions_of_the_chapter():
    assert (ROOT / PROGRAM).read_text("utf-8") == assemble(ROOT), RUN


def test_the_chapter_shows_the_whole_program_and_offers_it_to_teachers_alone():
    cell = listing(nbformat.read(ROOT / CHAPTER, as_version=4).cells)
    assert LISTING.findall(cell.source) == [(ROOT / PROGRAM).read_text("utf-8")], RUN
    (block,) = blocks(cell.source)
    assert block.is_solution
    assert "<files/rnn.py>" in cell.source


def test_a_program_is_written_into_the_listing_and_nothing_else_changes(tmp_path):
    box = "````{admonition} All\n:class: dropdown solution\nWords.\n\n```python\n%s```\n````"
    cells = [
        new_markdown_cell("```python\nx = 1\n```", id="other"),
        new_markdown_cell(box % "", id="program"),
    ]
    nbformat.write(new_notebook(cells=cells), tmp_path / "04.ipynb")
    for program in ("x = 2\n", r'print("\n\1")' + "\n"):  # the second one replaces the first
        show(tmp_path / "04.ipynb", program)
        sources = [cell.source for cell in nbformat.read(tmp_path / "04.ipynb", 4).cells]
        assert sources == [cells[0].source, box % program]


@pytest.mark.slow
@pytest.mark.parametrize("texts", [[], ["one.txt", "two.txt"]])
def test_the_program_without_its_text_explains_how_to_run_it(texts):
    done = subprocess.run(
        [sys.executable, ROOT / PROGRAM, *texts], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "usage: python rnn.py text.txt\n"


def test_the_functions_have_about_sixty_lines():
    lines = "\n".join(parts(ROOT / CHAPTER)).splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 75
    assert max(len(part.splitlines()) for part in parts(ROOT / CHAPTER)) <= 16


@pytest.mark.nightly(files=["book/files/rnn.py", "book/04_bptt.ipynb"])
@pytest.mark.slow
def test_the_program_checks_its_gradient_learns_to_spell_and_writes(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text(tasks.characters("topics").text, "utf-8")
    done = subprocess.run(
        [sys.executable, ROOT / PROGRAM, text], capture_output=True, check=True, encoding="utf-8"
    )
    assert float(re.search(r"gradient check: (\S+)", done.stdout)[1]) < 1e-8
    assert float(re.search(r"([\d.]+) bits", done.stdout)[1]) <= 2.6
    assert len(done.stdout.split("last tenth\n")[1]) > 400
