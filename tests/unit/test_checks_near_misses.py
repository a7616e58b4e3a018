"""Limits of each check: answers just inside pass, answers just outside are refused.

A chapter's ``LIMITS`` give them where an answer is more than numbers, or a check sets another
tolerance.
"""

import functools

import pytest
from declared import declared, each
from limits import moved

from rnn_helpers.checks import Exercise, exercises

CODE = {name: entry for name, entry in exercises().items() if isinstance(entry, Exercise)}
OWN = declared("LIMITS")


@functools.cache
def line(name):
    """Return the answers near an exercise's limits."""
    own = OWN.get(name, ())
    return own() if callable(own) else moved(name, *own)


@pytest.mark.nightly("02-", "05-")
@each(CODE)
def test_answers_just_inside_pass(name):
    outcomes = [CODE[name].grade(answer) for answer in line(name).passes]
    assert outcomes
    assert [outcome.message for outcome in outcomes if not outcome] == []


@pytest.mark.nightly("02-", "05-")
@each(CODE)
def test_answers_just_outside_are_refused(name):
    assert line(name).refused
    for answer in line(name).refused:
        assert not CODE[name].grade(answer), answer


def test_limits_belong_to_exercises():
    assert set(OWN) <= set(CODE)
