"""Chapter 04's network as a program: put together from the chapter, and it learns to spell."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rnn_helpers import tasks
from rnn_helpers.site.program import CHAPTER, PROGRAM, assemble, parts

pytestmark = pytest.mark.chapter("04")

ROOT = Path(__file__).parents[2]


def test_the_program_is_what_the_chapter_says():
    message = "run python -m rnn_helpers.site.program"
    assert (ROOT / PROGRAM).read_text("utf-8") == assemble(ROOT), message


def test_what_the_reader_sees_of_it_is_about_sixty_lines():
    lines = "\n".join(parts(ROOT / CHAPTER)).splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 75
    assert max(len(part.splitlines()) for part in parts(ROOT / CHAPTER)) <= 16


@pytest.mark.slow
def test_it_checks_its_gradient_learns_to_spell_and_writes(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text(tasks.characters("topics").text, "utf-8")
    done = subprocess.run(
        [sys.executable, ROOT / PROGRAM, text], capture_output=True, check=True, encoding="utf-8"
    )
    assert float(re.search(r"gradient check: (\S+)", done.stdout)[1]) < 1e-8
    assert float(re.search(r"([\d.]+) bits", done.stdout)[1]) <= 2.6
    assert len(done.stdout.split("last tenth\n")[1]) > 400
