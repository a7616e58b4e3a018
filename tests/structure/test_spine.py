"""A chapter is one argument: short sections that end in a sentence, little evidence, practice."""

import re
from itertools import pairwise

from books import cells, every_chapter, prose, tags

from rnn_helpers.site.times import sections

AFTER = "Exercises", "What to remember", "Going further"  # the order of what follows the argument
EVIDENCE = re.compile(r"\bexperiments\.(?:show|load)\(\s*[\"']([\w-]+)")
HEADING = re.compile(r"^## +(.+?) *$", re.M)
BOLD = re.compile(r"(?:\A|\n\n)\*\*(?!Claim)[^*]+[.?!]\*\*(?=\n\n|\s*\Z)")


def argument(path):
    """The sections of the argument: title, and the cells from its heading to the next."""
    found = []
    for cell in cells(path):
        heading = cell.cell_type == "markdown" and HEADING.search(cell.source)
        if heading and heading[1] in AFTER:
            return found
        if heading:
            found.append((heading[1], []))
        if found:
            found[-1][1].append(cell)
    raise AssertionError(f"{path.stem} does not say {AFTER}")


def opening(path):
    """What stands before the first section."""
    first, _ = argument(path)[0]
    title = next(k for k, cell in enumerate(cells(path)) if f"## {first}" in cell.source)
    return cells(path)[:title]


@every_chapter
def test_the_argument_has_at_most_six_sections_and_then_what_follows_it(path):
    headings = HEADING.findall(prose(path))
    assert tuple(headings[-len(AFTER) :]) == AFTER
    assert 3 <= len(argument(path)) <= 6


@every_chapter
def test_a_section_is_short_and_so_is_the_argument(path):
    counted = sections(path)
    argued = counted[: [part.title for part in counted].index("Exercises")]
    assert sum(part.words for part in argued) <= 2500
    assert {part.title: part.words for part in argued if part.words > 400} == {}


@every_chapter
def test_each_section_ends_in_one_sentence_that_stands_out(path):
    sentences = {
        title: sum(len(BOLD.findall(cell.source)) for cell in held if cell.cell_type == "markdown")
        for title, held in argument(path)
    }
    assert {title: number for title, number in sentences.items() if number != 1} == {}


@every_chapter
def test_at_most_three_pieces_of_evidence_are_in_view(path):
    shown = {
        slug
        for cell in [*opening(path), *(cell for _, held in argument(path) for cell in held)]
        if cell.cell_type == "code" and "remove-cell" not in tags(cell)
        for slug in EVIDENCE.findall(cell.source)
    }
    assert len(shown) <= 3, shown


@every_chapter
def test_an_exercise_comes_after_every_second_section_at_the_latest(path):
    practised = [
        any("{exercise" in cell.source for cell in held if cell.cell_type == "markdown")
        for _, held in argument(path)
    ]
    practised.append(True)  # those at the end
    assert all(one or other for one, other in pairwise(practised))
