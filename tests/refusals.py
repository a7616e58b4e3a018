"""Values that must be refused, by kind, and what error messages must say."""

import importlib
import inspect
import math
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rnn_helpers.reference.rnn import AnyRun

NAN, INF = math.nan, math.inf
# What somebody may pass by mistake, to any argument: taken or refused, and never anything else.
ABSURD = [
    *(0, 1, 2**63, 2**64, 10**400, -(10**400), 10**5000, 1e308, -0.0, INF, NAN, 1j, True),
    *("", "a", "\0", "a" * 300, b"a", None, object(), type, slice(1), range(3)),
    *([], [[]], (), (1,), [None], {}, {1: 2}, set()),
    *(np.array(1), np.array(0.5), np.array("a"), np.array(None), np.float32(1), np.bool_(True)),
    *(np.zeros(0), np.zeros((1, 1, 1, 1, 1)), np.matrix([[1, 2]]), np.matrix([[1.0]])),
    *(np.ma.array([1, 2]), np.datetime64("2026-11-26")),
]
ODD = object()
RAGGED = [[1.0], [2.0, 3.0]]
# What no argument of a kind can take.
HUGE = 10**30
COUNT = [0, -1, 2.5, "3", HUGE, None, NAN, [3]]
REAL = [
    *(None, "a", NAN, [NAN, 1.0], RAGGED, ODD, {}, 1j, 10**400, [10**5000]),
    *(np.full((7, 5), INF), np.zeros((2, 0))),
]
SQUARE = [*REAL, np.zeros((2, 3)), 3, [1, 2]]
TIME = [-1, 2.5, "3", HUGE, None, NAN, [3]]
TOKENS = [None, "a", NAN, -1, 99, 1.5, [0, -1, 2], [0, 99, 1], [0.5, 1, 2], [], [[0], [1, 2]], {}]
MASK = ["a", NAN, 2, [1, 2, 1], [NAN, 1, 1], -1]
NAME = [None, "", "no such", 3, ["tanh"], NAN]
SEED = [-1, 1.5, "a", [-1], NAN, {}, np.matrix([[1]]), np.ones((2, 2), int), b"a", 1j]
NO_SEED = [*SEED, [1.5]]
FUNCTION = [3, "f"]
POSITIVE = [0, -1, NAN, INF, "a", None, [1], 10**400]
WORDS = [3, ["a"], []]
KEPT = [-0.1, 1, NAN, INF, "a", None, [1]]
AT_LEAST_ZERO = [-1, NAN, INF, "a", None, [1]]
TREE = [None, "a", 1, -1, True, (0,), (0, 1, 2), (1, 0), (0, (2, 1)), (0, None), (), {}, NAN]
STRING = [None, 3, "x", ["a", 3], [["a"]]]


def finite(value):
    """Return whether all numbers in a function's result are finite."""
    if isinstance(value, dict):
        return all(map(finite, value.values()))
    if isinstance(value, tuple | list):
        return all(map(finite, value))
    if isinstance(value, AnyRun):
        return all(map(finite, vars(value).values()))
    array = np.asarray(value) if isinstance(value, float | np.ndarray | np.generic) else np.zeros(1)
    return array.dtype.kind != "f" or bool(np.isfinite(array).all())


def public(function):
    """Return the function of the package that a function of a test calls."""
    if isinstance(function, partial):
        return public(function.func)
    return inspect.unwrap(function)


class Entry(NamedTuple):
    """A function, a call that works, values to refuse by argument, and other names of arguments."""

    function: Callable
    good: dict | None
    bad: dict
    named: dict | None = None


def gathered(test):
    """Return the entries of the ``REFUSALS`` of all modules in the folder of a test."""
    paths = sorted(Path(test).parent.glob("test_*.py"))
    modules = [p.stem for p in paths if "\nREFUSALS = " in p.read_text(encoding="utf-8")]
    tables = [importlib.import_module(module).REFUSALS for module in modules]
    return [Entry(function, *rest) for table in tables for function, rest in table.items()]


def name_of(entry):
    """Return the function's name within the package, with its module."""
    function = public(entry.function)
    return f"{function.__module__.partition('.')[2]}.{function.__qualname__}"


def words_of(entry, argument, value):
    """Return the error message for the value of an argument; empty if it is accepted."""
    try:
        entry.function(**(entry.good or {}) | {argument: value})
    except (TypeError, ValueError) as error:
        return str(error)
    return ""


def assert_refused(entry):
    """Each bad value is refused in words that name the argument."""
    for argument, values in entry.bad.items():
        for value in values:
            words = words_of(entry, argument, value)
            names = argument, (entry.named or {}).get(argument, argument)
            assert any(name in words for name in names), (argument, value, words)


class Count:
    """An integer without arithmetic, which reveals any computation with it.

    NumPy's small integers can, but they wrap around: ``np.uint8(255) + 1`` is 0.
    """

    def __init__(self, value):
        self._value = value

    def __index__(self):
        return self._value

    def __repr__(self):
        return f"Count({self._value})"


def assert_converts_counts(entry):
    """Each count is refused by its name, or converted before anything is computed with it."""
    for name, values in entry.bad.items():
        counted = set(COUNT[:3]) <= {v for v in values if isinstance(v, int | float | str)}
        if counted and type(entry.good.get(name)) is int:
            words = words_of(entry, name, Count(entry.good[name]))
            assert not words or words.startswith(f"{name} is Count(")


def first(of):
    """Return a function that returns the first value of the generator function `of`."""

    @wraps(of)
    def drawn(**given):
        return next(iter(of(**given)))

    return drawn
