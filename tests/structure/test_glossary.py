"""The glossary is sorted, says each thing once and in one sentence, and leads to real sections."""

import re

import pytest
from books import BOOK, NOTEBOOKS, PAGES, prose

from rnn_helpers.site.glossary import names, read, sections

ENTRIES = read(BOOK)
WHERE = sections(BOOK)
every_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["term"])


@every_entry
def test_an_entry_has_known_fields_and_an_existing_section(entry):
    assert {"term", "meaning", "section"} <= set(entry)
    assert set(entry) <= {"term", "also", "elsewhere", "meaning", "section", "link"}
    assert entry["section"] in WHERE


@every_entry
def test_a_meaning_is_one_short_sentence_of_plain_text(entry):
    meaning = entry["meaning"]
    assert len(meaning.split()) <= 30
    assert meaning[0].isupper()
    assert re.fullmatch(r"[^.?!]*\.", meaning), "one sentence"
    assert not set("$`*_[]<>") & set(meaning), "plain text"


@every_entry
def test_a_meaning_does_not_begin_with_its_own_term(entry):
    assert not re.match(
        rf"(?:an?|the) {re.escape(entry['term'])}\b", entry["meaning"], re.IGNORECASE
    )


def test_no_name_is_listed_twice():
    found = [name.casefold() for entry in ENTRIES for name in names(entry)]
    assert sorted({name for name in found if found.count(name) > 1}) == []


def test_entries_are_in_alphabetical_order():
    terms = [entry["term"].casefold() for entry in ENTRIES]
    assert terms == sorted(terms)


def test_no_name_is_also_the_target_of_another_link():
    targets = {
        target.casefold()
        for path in [*NOTEBOOKS, *PAGES]
        for target in re.findall(r"\]\(#([\w-]+)\)", prose(path))
    }
    assert [name for entry in ENTRIES for name in names(entry) if name.casefold() in targets] == []
