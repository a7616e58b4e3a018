"""The list of misprints is complete, and points at cells that exist."""

import re

import pytest
import yaml
from books import BOOK, NOTEBOOKS, cells, directives, every_chapter

ENTRIES = yaml.safe_load((BOOK / "misprints.yml").read_text("utf-8"))
FIELDS = {
    "slug", "title", "source", "place", "printed", "correct", "why", "severity", "chapter", "cell",
    "seed",
}  # fmt: skip


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["slug"])
def test_an_entry_says_where_what_and_why(entry):
    assert set(entry) - {"mark"} == FIELDS
    assert entry["severity"] in ("severe", "slip", "note")
    assert all(str(value).strip() for value in entry.values())
    assert "?" not in entry["why"]


def test_slugs_are_names_and_no_two_are_the_same():
    slugs = [entry["slug"] for entry in ENTRIES]
    assert len(set(slugs)) == len(slugs)
    assert all(slug.replace("-", "").isalpha() for slug in slugs)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["slug"])
def test_the_chapter_has_the_cell_that_shows_it(entry):
    for path in NOTEBOOKS:
        if path.stem.startswith(entry["chapter"]):
            assert entry["cell"] in [cell["id"] for cell in cells(path)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_note_in_a_chapter_is_on_the_list(path):
    listed = {entry["cell"] for entry in ENTRIES if path.stem.startswith(entry["chapter"])}
    notes = {
        cell["id"]
        for cell in cells(path)
        if cell.cell_type == "markdown" and ":class: misprint" in cell.source
    }
    assert notes <= listed


@every_chapter
def test_a_page_has_at_most_two_boxes_and_marks_for_all_others(path):
    boxes = [
        box for box in directives(path, "admonition") if box.options.get("class") == "misprint"
    ]
    assert len(boxes) <= 2
    marks = [
        (slug, cell["id"])
        for cell in cells(path)
        for slug in re.findall(r"\[misprint\]\(#([\w-]+)\)", cell.source)
    ]
    listed = [
        (entry["slug"], entry["cell"])
        for entry in ENTRIES
        if "mark" in entry and path.stem.startswith(entry["chapter"])
    ]
    assert sorted(marks) == sorted(listed)


def test_a_mark_says_what_is_printed_and_what_is_meant():
    for entry in ENTRIES:
        printed, arrow, meant = entry.get("mark", "printed → meant").partition(" → ")
        assert "" not in (printed, arrow, meant), entry["slug"]
        assert "$" not in printed + meant, entry["slug"]
