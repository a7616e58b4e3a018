"""Check that any answer, however absurd, gets a short reply that does not reveal the solution."""

import itertools
import math
import re
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from declared import each
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.checks import check, exercises


def refuse(*args, **kwargs):
    raise RuntimeError("no")


class Hostile:
    """An object whose operations all raise an error."""

    __eq__ = __repr__ = __str__ = __array__ = __len__ = __iter__ = __bool__ = __hash__ = refuse
    __float__ = __index__ = __complex__ = __getitem__ = __contains__ = __deepcopy__ = refuse


class Secretive:
    """An object whose attributes cannot be read."""

    __getattribute__ = refuse


class HostileList(list):
    __len__ = __iter__ = __getitem__ = __eq__ = __bool__ = refuse


class HostileDict(dict):
    __len__ = __iter__ = __getitem__ = __eq__ = __bool__ = items = keys = values = refuse


class HostileString(str):
    __eq__ = __str__ = __repr__ = __hash__ = __len__ = refuse


class HostileError(Exception):
    __str__ = __repr__ = refuse


class Odd(BaseException):
    """An error that is neither an ``Exception`` nor a request to stop."""


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


def raises(error):
    def answer(*case):
        raise error

    return answer


def recursive():
    inside = [1.0]
    inside.append(inside)
    mapping = {"a": 1}
    mapping["b"] = mapping
    return [inside, mapping]


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
    np.array(1.0),
    np.array("a"),
    np.array(True),
    {1: 2, "a": 3},
    {None: 1, (1, 2): 2, math.nan: 3},
    {"a": Hostile()},
    (value for value in [1, 2]),
    map(str, [1, 2]),
    [itertools.count()],
    *recursive(),
    "\ud800",
    ["\udfff"],
    ValueError("an exception that is returned"),
    ValueError,
    math,
    lambda: 0,
    slice(1),
    complex(math.nan, math.inf),
    Fraction(10**400),
    bytearray(b"x"),
    memoryview(b"x"),
    np.datetime64("2026-01-01"),
    np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
    object(),
    Hostile(),
    [Hostile()],
    Secretive(),
    HostileList([1.0]),
    HostileDict(a=1),
    HostileString("a"),
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
    spoils,
    leaves,
    *map(raises, [ZeroDivisionError("no"), ValueError("\ud800\n" * 500), HostileError(), Odd()]),
    raises(GeneratorExit()),
]


ABSURD = VALUES + FUNCTIONS


def is_refused_politely(name, answer):
    """Assert that the check refuses an answer in a few plain words, and return True."""
    outcome = check(name, answer)
    right = repr(getattr(exercises()[name], "answer", None))
    assert not outcome, f"{type(answer)} passes"
    assert 10 < len(outcome.message) < 900, outcome.message
    assert not re.search(r"Traceback|object at 0x|<function|<class", outcome.message)
    assert right not in outcome.message
    outcome.message.encode("utf-8")
    return True


@pytest.mark.slow
@pytest.mark.nightly("02-", "05-")
@each(exercises())
def test_an_absurd_answer_is_refused_politely(name):
    for answer in ABSURD:
        assert is_refused_politely(name, answer)


@pytest.mark.nightly(files=["rnn_helpers/checks/"])
@pytest.mark.slow
def test_endless_recursion_is_refused_politely():
    """Run the checks in a separate process.

    Garbage from other tests may be collected in the middle of the recursion, and finalizers of C
    libraries crash there.
    """
    program = """if True:
        import sys
        sys.path.append("..")
        from test_checks_absurd import exercises, forever, is_refused_politely
        for name in exercises():
            assert is_refused_politely(name, forever), name
    """
    here = Path(__file__).parent
    done = subprocess.run([sys.executable, "-c", program], cwd=here, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.nightly("02-", "05-")
@each(exercises())
def test_torch_values_are_refused_politely(name):
    torch = pytest.importorskip("torch")
    for value in (torch.tensor(1.0), torch.tensor([[math.nan]]), torch.zeros(0), torch.float32):
        assert is_refused_politely(name, value)
        assert is_refused_politely(name, lambda *case, value=value: value)


@dataclass(repr=False)
class Unprinted:
    """A value that hypothesis doesn't print."""

    value: object


NESTED = st.recursive(
    st.integers(0, len(VALUES) - 1).map(lambda place: VALUES[place]),  # an index can be printed
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.sampled_from([1, "a", "b", None, (0, 1)]), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.slow
@given(data=st.data(), name=st.sampled_from(list(exercises())), called=st.booleans())
def test_nested_absurd_values_are_refused_politely(data, name, called):
    value = data.draw(NESTED.map(Unprinted)).value
    assert is_refused_politely(name, (lambda *case: value) if called else value)
