"""Whatever a student hands in, the check answers in a sentence, and never with the answer."""

import itertools
import math
import re
import sys
from fractions import Fraction

import numpy as np
import pytest

from rnn_helpers.checks import exercises


class Hostile:
    """Nothing can be done with it."""

    def __eq__(self, other):
        raise RuntimeError

    def __repr__(self):
        raise RuntimeError

    def __array__(self, *args, **kwargs):
        raise RuntimeError


def forever(*case):
    return forever(*case)


def spoils(*case):
    for argument in case:
        if isinstance(argument, np.ndarray):
            argument[...] = 0
        elif isinstance(argument, list | dict):
            argument.clear()
    return 0


def leaves(*case):
    sys.exit(1)


def fails(*case):
    raise ZeroDivisionError("no")


VALUES = [
    None,
    ...,
    "",
    "a string" * 1000,
    b"x",
    -1,
    math.nan,
    math.inf,
    1j,
    10**400,
    Fraction(1, 3),
    [],
    [1, [2]],
    {},
    {"a": 1},
    set(),
    range(3),
    itertools.count(),
    np.zeros((0, 3)),
    np.array(["a"]),
    np.array([None]),
    np.full((3, 3), math.nan),
    np.float32(3),
    np.ma.array([1.0], mask=[1]),
    object(),
    Hostile(),
]
FUNCTIONS = [
    *[lambda *case, value=value: value for value in VALUES],
    lambda *case: (yield 1),
    lambda *case: case,
    lambda: 0,
    lambda *, key: 0,
    lambda *case: lambda: 0,
    int,
    Hostile,
    forever,
    spoils,
    leaves,
    fails,
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.chapter(name[:2])) for name in exercises()]
)
def test_an_absurd_answer_gets_a_kind_sentence(name, capsys):
    exercise = exercises()[name]
    right = repr(getattr(exercise, "answer", None))
    for answer in VALUES + FUNCTIONS:
        outcome = exercise.grade(answer)
        assert not outcome, f"{getattr(answer, '__name__', type(answer))} passes"
        assert 10 < len(outcome.message) < 900, outcome.message
        assert not re.search(r"Traceback|object at 0x|<function|<class", outcome.message)
        assert right not in outcome.message
