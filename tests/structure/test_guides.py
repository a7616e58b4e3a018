"""The guides for contributors are short, and their links lead somewhere."""

import re
from collections import Counter

import pytest
from books import ROOT

FOLDERS = "bench", "book", "explorables", "press", "rnn_helpers", "tests"
GUIDES = [
    *ROOT.glob("*.md"),
    *(path for name in FOLDERS for path in (ROOT / name).glob("[A-Z]*.md")),
]


def test_the_recipes_fit_on_a_few_pages():
    assert len((ROOT / "CONTRIBUTING.md").read_text("utf-8").split()) <= 2000


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_says_in_a_few_lines_what_it_contains_and_how_to_check_it(folder):
    lines = (ROOT / folder / "README.md").read_text("utf-8").split("\n")
    assert len([line for line in lines if line]) <= 10
    assert lines[-2].startswith("Check: `make ")


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_link_to_a_file_of_the_project_leads_to_it(guide):
    links = re.findall(r"\]\((?!http|#)([^)#]+)", guide.read_text("utf-8"))
    beyond = [link for link in links if not link.startswith("../../tree/")]  # a code host's branch
    assert [link for link in beyond if not (guide.parent / link).exists()] == []


def test_files_of_tests_have_different_names():
    """Without packages, pytest can't collect two modules of one name in one process."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []
