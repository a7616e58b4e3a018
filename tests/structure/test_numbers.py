"""A number in the prose equals the value of its named source."""

import pytest
from books import DECKS, ENTRIES, NOTEBOOKS, PAGES, every_chapter, numbers, prose
from computed import SLOW, SOURCES

from press.flatten import flatten
from rnn_helpers.experiments import load


def said(source, template):
    """Fill a template from the numbers of a claim or of a function in ``computed``."""
    if source in SOURCES:
        return template.format(**SOURCES[source]())
    return load(source).fill(template)


LONG = {"ten-seconds", "wrong-order"}  # each trains for more than a minute
BOUND = [
    pytest.param(
        path,
        source,
        id=f"{path.parent.name}-{path.stem}-{source}",
        marks=[pytest.mark.slow] * (source in SLOW) + [pytest.mark.nightly] * (source in LONG),
    )
    for path in (*NOTEBOOKS, *PAGES, *ENTRIES, *DECKS)
    for source in dict.fromkeys(number.source for number in numbers(prose(path)))
]


@pytest.mark.parametrize(("path", "source"), BOUND)
def test_a_number_in_the_prose_equals_the_value_of_its_source(path, source):
    stale = [
        f"{number.template} is {now}, not {number.text}"
        for number in numbers(prose(path))
        if number.source == source and number.text != (now := said(source, number.template))
    ]
    assert stale == []


@every_chapter
def test_a_students_copy_has_the_numbers_alone(path):
    assert "<span" not in flatten(prose(path))


def test_signs_are_compared_as_numbers_and_not_as_characters():
    (number,) = numbers('<span data-number="own-words: {drift:.0%}">−4 % (−9 % to 1 %)</span>')
    assert number.text == "-4% (-9% to 1%)"


@pytest.mark.parametrize(
    "text",
    [
        '<span data-number="own-words {drift}">4</span>',
        '<span data-number="own-words: drift">4</span>',
        "<span data-number='own-words: {drift}'>4</span>",
    ],
)
def test_a_number_that_names_no_source_or_template_is_refused(text):
    with pytest.raises(AssertionError, match="write <span"):
        numbers(text)
