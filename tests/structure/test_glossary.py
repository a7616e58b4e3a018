"""The glossary is sorted, defines each term once in one sentence, and links to real sections."""

import re

import pytest
from books import BOOK, NOTEBOOKS, PAGES, prose

from press.glossary import names, read, sections
from press.sources import SECTION

ENTRIES = read(BOOK)
WHERE = sections(BOOK)
# Sections that list a chapter's terms, or that only use them.
AFTERWARD = re.compile(r".*-(exercises|pytorch|torch|remember|mistakes|terms|today)|sec-torch.*")
every_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["term"])


@every_entry
def test_an_entry_has_known_fields_and_an_existing_section(entry):
    assert {"term", "meaning", "section"} <= set(entry)
    assert set(entry) <= {"term", "also", "elsewhere", "meaning", "section", "link"}
    assert entry["section"] in WHERE


def bold():
    """Return the section that sets each term in bold first, by the term in lowercase."""
    found = {}
    for path in NOTEBOOKS:
        start, label = 0, None
        for section in [*SECTION.finditer(text := prose(path)), None]:
            part = text[start : section.start() if section else None]
            if not AFTERWARD.fullmatch(str(label)):
                for words in re.findall(r"\*\*([^*\n]+)\*\*", part):
                    found.setdefault(_plain(words), label)
            if section:
                start, label = section.end(), section["label"]
    return found


def _plain(words):
    return re.sub(r"[\s-]+", " ", words).strip(" .,:;").casefold().removesuffix("s")


FIRST = bold()


@every_entry
def test_an_entry_leads_to_the_section_that_sets_its_term_in_bold_first(entry):
    introduced = [FIRST[name] for name in map(_plain, names(entry)) if name in FIRST]
    # A chapter's opening has no section to which an entry could lead.
    if introduced and None not in introduced:
        assert entry["section"] == min(introduced, key=list(WHERE).index)


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
