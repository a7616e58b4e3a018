"""Every numbered equation of the chapters has a function and a test."""

import re

import pytest
from books import NOTEBOOKS, ROOT, cells, every_chapter, prose

from press.equations import TAG, find_numbers, find_tests, order, tagged
from rnn_helpers.reference import EQUATIONS

HELD = find_tests(ROOT)
# The sources number no equation in 10.0, 10.3 to 10.6, 10.8 and 10.9, nor in 5.1, 5.2 and 5.5.
UNNUMBERED = {
    "01_state",
    "05_language_models",
    "09_bidirectional",
    "10_encoder_decoder",
    "11_deep",
    "12_recursive",
    "14_echo_state",
    "15_time_scales",
    "18_memory",
}


@every_chapter
def test_every_number_has_a_function_and_a_test(path):
    numbers = find_numbers(prose(path))
    assert bool(numbers) != (path.stem in UNNUMBERED), (
        "a chapter sets its source's equations; only one whose source has none stands in UNNUMBERED"
    )
    assert [number for number in numbers if not EQUATIONS.get(number)] == [], "without a function"
    assert [number for number in numbers if not HELD.get(number)] == [], "without a test"


@every_chapter
def test_every_number_has_the_letter_of_its_source(path):
    text = "\n".join(cell.source for cell in cells(path))
    for tag in TAG.findall(text):
        assert tag == tagged(tag.rpartition(" ")[2]), f"\\tag{{{tag}}}"
    without = re.findall(r"(?<![\w\])}])\((?:10|5)\.[1-9]\d?\)", text)
    assert without == [], "write (G 10.8) or (C 5.4)"


@every_chapter
def test_each_formula_has_one_number(path):
    for cell in cells(path):
        for formula in re.findall(r"\$\$(.*?)\$\$", cell.source, re.S):
            assert len(TAG.findall(formula)) <= 1, cell["id"]


def test_no_number_is_given_twice():
    numbers = [number for path in NOTEBOOKS for number in find_numbers(prose(path))]
    assert len(set(numbers)) == len(numbers)


@every_chapter
def test_references_lead_to_equations_that_are_set(path):
    everywhere = {number for chapter in NOTEBOOKS for number in find_numbers(prose(chapter))}
    for text, target in re.findall(r"\[\(([^)]*)\)\]\(#eq-([\d.]+)\)", prose(path)):
        assert text == tagged(target), f"({text}) links to ({tagged(target)})"
        assert target in everywhere, f"({target}) is set nowhere"


@pytest.mark.parametrize("number", sorted(EQUATIONS))
def test_every_function_of_an_equation_is_tested(number):
    assert HELD.get(number), f"mark a test with @pytest.mark.equation({number!r})"


def test_numbers_are_ordered_as_one_counts():
    assert sorted(["10.10", "10.8", "5.10", "5.4"], key=order) == ["5.4", "5.10", "10.8", "10.10"]
