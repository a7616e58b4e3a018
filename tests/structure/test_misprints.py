"""The list of misprints is complete, and points at cells that exist."""

import pytest
import yaml
from books import BOOK, NOTEBOOKS, cells

ENTRIES = yaml.safe_load((BOOK / "misprints.yml").read_text("utf-8"))
FIELDS = {
    "slug", "title", "source", "place", "printed", "correct", "why", "severity", "chapter", "cell",
    "seed",
}  # fmt: skip


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["slug"])
def test_an_entry_says_where_what_and_why(entry):
    assert set(entry) == FIELDS
    assert entry["severity"] in ("severe", "slip", "imprecise")
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
