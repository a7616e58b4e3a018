"""The list of misprints is complete, and points at cells that exist."""

import json
import re

import pytest
import yaml
from books import BOOK, NOTEBOOKS, cells, directives, every_chapter

from rnn_helpers.explore import manifest

FIGURE_OF_A_SOURCE = re.compile(r"\bfigures? \d+\.\d+", re.I)
ENTRIES = yaml.safe_load((BOOK / "misprints.yml").read_text("utf-8"))
FIELDS = {
    "slug", "title", "source", "place", "printed", "correct", "why", "severity", "chapter", "cell",
}  # fmt: skip


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["slug"])
def test_an_entry_has_a_place_a_correction_and_a_reason(entry):
    assert set(entry) == FIELDS
    assert entry["severity"] in ("severe", "slip", "note")
    assert all(str(value).strip() for value in entry.values())


def test_slugs_are_names_and_no_two_are_the_same():
    slugs = [entry["slug"] for entry in ENTRIES]
    assert len(set(slugs)) == len(slugs)
    assert all(slug.replace("-", "").isalpha() for slug in slugs)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["slug"])
def test_the_chapter_has_the_cell_that_shows_it(entry):
    for path in NOTEBOOKS:
        if path.stem.startswith(entry["chapter"]):
            assert entry["cell"] in [cell["id"] for cell in cells(path)]


@every_chapter
def test_going_further_links_to_each_entry_of_its_chapter(path):
    text = "\n".join(cell.source for cell in cells(path) if cell.cell_type == "markdown")
    argument, _, further = text.partition("## Going further")
    slugs = [entry["slug"] for entry in ENTRIES if path.stem.startswith(entry["chapter"])]
    assert [slug for slug in slugs if f"](#{slug})" not in further] == []
    assert [slug for slug in slugs if f"](#{slug})" in argument] == []


@every_chapter
def test_no_box_or_mark_mentions_a_misprint(path):
    assert not [b for b in directives(path, "admonition") if b.options.get("class") == "misprint"]
    assert not any("<sup>[misprint]" in cell.source for cell in cells(path))


@every_chapter
def test_a_chapter_does_not_refer_to_a_figure_that_only_its_source_has(path):
    deck = BOOK / "slides" / f"{path.stem}.md"
    texts = [cell.source for cell in cells(path)] + [deck.read_text("utf-8")]
    assert [found for text in texts for found in FIGURE_OF_A_SOURCE.findall(text)] == []


@pytest.mark.parametrize("name", sorted(manifest()))
def test_a_figure_shows_the_correct_equation_without_mention_of_its_source(name):
    meta = json.dumps(manifest()[name])
    assert FIGURE_OF_A_SOURCE.findall(meta) == []
    assert "printed" not in meta
