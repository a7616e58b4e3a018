"""The guides for contributors are short, and their links lead somewhere."""

import re
from collections import Counter

import pytest
from books import ROOT

FOLDERS = "bench", "book", "course", "explorables", "press", "rnn_helpers", "tests"
GUIDES = [
    *ROOT.glob("*.md"),
    *(path for name in FOLDERS for path in (ROOT / name).glob("[A-Z]*.md")),
]


def test_the_recipes_fit_on_a_few_pages():
    assert len((ROOT / "CONTRIBUTING.md").read_text("utf-8").split()) <= 2000


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_has_a_short_readme_that_ends_with_its_check(folder):
    lines = (ROOT / folder / "README.md").read_text("utf-8").split("\n")
    assert len([line for line in lines if line]) <= 10
    assert lines[-2].startswith("Check: `make ")


def anchors(path):
    """Return the anchors that a code host gives to the headings of a page."""
    titles = re.findall(r"^#+ (.*)", path.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_link_within_the_project_leads_to_a_file_and_a_heading(guide):
    text = re.sub(r"`[^`\n]*`", "", guide.read_text("utf-8"))  # code holds examples of links
    for link in re.findall(r"\]\((?!http|\.\./\.\./tree/)([^)]+)", text):
        place, _, anchor = link.partition("#")
        target = guide.parent / place if place else guide
        assert target.exists(), link
        assert not anchor or target.suffix != ".md" or anchor in anchors(target), link


def test_files_of_tests_have_different_names():
    """Without packages, pytest can't collect two modules of one name in one process."""
    folders = ROOT / "tests", ROOT / "rnn_helpers/figures"
    names = Counter(path.name for folder in folders for path in folder.rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []
