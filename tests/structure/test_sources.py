"""A section names its source beneath its heading and only there."""

import re

import pytest
import yaml
from books import BOOK, NOTEBOOKS, cells, every_chapter

from press.sources import mirrors, read_line

LISTED = {
    source["name"]: source["sections"]
    for source in yaml.safe_load((BOOK / "sources.yml").read_text("utf-8"))
}


@every_chapter
def test_no_heading_below_the_title_begins_with_a_number(path):
    text = "\n".join(cell.source for cell in cells(path) if cell.cell_type == "markdown")
    assert re.findall(r"^##+ \d.*$", text, re.M) == []


@every_chapter
def test_a_source_is_named_beneath_a_heading_that_can_be_linked_to(path):
    told = mirrors(path, LISTED)
    lines = re.findall(r"<small>", "\n".join(cell.source for cell in cells(path)[1:]))
    assert told
    assert len(told) == len(lines)
    assert all(mirror.label for mirror in told)


@every_chapter
def test_every_section_that_is_named_is_one_of_its_source(path):
    named = {pair for mirror in mirrors(path, LISTED) for pair in mirror.sources}
    assert [pair for pair in named if pair[1] not in LISTED[pair[0]]] == []


def test_each_section_of_a_source_is_in_the_book():
    named = {
        pair for path in NOTEBOOKS for mirror in mirrors(path, LISTED) for pair in mirror.sources
    }
    assert {(name, number) for name in LISTED for number in LISTED[name]} == named


def test_a_line_that_names_no_source_is_refused():
    with pytest.raises(ValueError, match="'Nobody 1' begins with no source"):
        read_line("Chiang 5.3 · Nobody 1", LISTED)


def test_a_line_names_sections_of_several_sources():
    line = "Deep Learning 10.1, 10.2 · Favaro's slides: Leaky Units"
    assert read_line(line, LISTED) == [
        ("Deep Learning", "10.1"),
        ("Deep Learning", "10.2"),
        ("Favaro's slides", "Leaky Units"),
    ]


@every_chapter
def test_a_citation_that_a_sentence_begins_with_names_its_authors(path):
    text = "\n\n".join(cell.source for cell in cells(path) if cell.cell_type == "markdown")
    in_brackets = re.findall(r"(?:^|[.!?:] |\n|\()(\{cite(?::p)?\}`[^`]*`) [a-z]", text)
    assert in_brackets == [], "write {cite:t}`KEY`"
