"""Mistakes of students are refused, and get the hint that was written for them."""

import pytest
from declared import declared, of_chapters

from rnn_helpers.checks import exercises

ALL = exercises()
TYPICAL = [(name, *row) for name, rows in declared("TYPICAL").items() for row in rows.items()]
HINTED = [(name, *row) for name, rows in declared("HINTED").items() for row in rows]


@pytest.mark.parametrize(("name", "mistake", "answer"), of_chapters(TYPICAL))
def test_a_typical_mistake_is_recognized(name, mistake, answer):
    assert ALL[name].grade(answer).recognised == mistake


@pytest.mark.parametrize(("name", "answer", "leads"), of_chapters(HINTED))
def test_a_wrong_answer_is_refused_with_a_hint_that_leads(name, answer, leads):
    outcome = ALL[name].grade(answer)
    assert not outcome
    assert leads in outcome.message.splitlines()[0]


@pytest.mark.parametrize("name", [name for name, entry in ALL.items() if hasattr(entry, "cases")])
def test_the_case_that_fails_is_described_in_a_few_words(name):
    entry = ALL[name]
    if entry.cases:
        message = entry.grade(lambda *case: object()).message
        hint, place = message.splitlines()
        assert hint.startswith("Hint: ")
        assert place.startswith("Case 1 of ")
        assert len(place) < 200
