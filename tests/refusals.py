"""Invalid values for each kind of argument, and the required error messages."""

import math

import numpy as np
import pytest

from rnn_helpers import reference

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
SYMMETRIC = [[1, 2], [2, 1]]
TIME = [-1, 2.5, "3", HUGE, None, NAN, [3]]
TOKENS = [None, "a", NAN, -1, 99, 1.5, [0, -1, 2], [0, 99, 1], [0.5, 1, 2], [], [[0], [1, 2]], {}]
SEQUENCES = [None, 3, [], [3], [[0]], [[0, -1]], [[0.5, 1.0]], [[[0, 1]]], "ab"]
MASK = ["a", NAN, 2, [1, 2, 1], [NAN, 1, 1], -1]
NAME = [None, "", "no such", 3, ["tanh"], NAN]
SEED = [-1, 1.5, "a", [-1], NAN, {}, np.matrix([[1]]), np.ones((2, 2), int), b"a", 1j]
NO_SEED = [*SEED, [1.5]]
GRADS = [None, 3, {"a": "b"}, {"a": None}]
FUNCTION = [3, "f"]
POSITIVE = [0, -1, NAN, INF, "a", None, [1], 10**400]
WORDS = [3, ["a"], []]

P = reference.init_rnn(3, 4, 3, seed=0)
SEEDED = reference.init_rnn(3, 4, 3, seed=[0, 1])
X, Y = np.array([0, 1, 2]), np.array([1, 2, 0])
PARAMS = [
    None,
    {},
    "a",
    3,
    {name: P[name] for name in "UWVc"},
    {**P, "W": NAN * P["W"]},
    {**P, "W": P["W"][:, :2]},
    {**P, "W": P["W"].astype(object)},
    {**P, "U": None},
    {**P, "b": np.zeros(9)},
]
PERIODS = [[], 3, [0], [1.5], "ab", [1]]  # the last is invalid for all networks below
LSTM = reference.init_lstm(3, 4, 3, peepholes=True)
GRU = reference.init_gru(3, 4, 3)
UNFIT = {
    kind: [
        *(value for value in PARAMS if not isinstance(value, dict) or not value),
        P,
        {name: array for name, array in params.items() if name != drop},
        {**params, drop: NAN * params[drop]},
        {**params, drop: params[drop][:2]},
        {**params, "W": params["W"][:, :2]},
    ]
    for kind, params, drop in (("lstm", LSTM, "bf"), ("gru", GRU, "Wr"))
}


def finite(value):
    """Return whether all numbers in a function's result are finite."""
    if isinstance(value, dict):
        return all(map(finite, value.values()))
    if isinstance(value, tuple | list):
        return all(map(finite, value))
    if isinstance(value, reference.rnn.AnyRun):
        return all(map(finite, vars(value).values()))
    array = np.asarray(value) if isinstance(value, float | np.ndarray | np.generic) else np.zeros(1)
    return array.dtype.kind != "f" or bool(np.isfinite(array).all())


def words_of(function, given):
    """Return the error message for an argument, or None if it is accepted."""
    try:
        function(given)
    except (TypeError, ValueError) as error:
        return str(error)
    return ""


def assert_refused(function, good, argument, values, named):
    """Each of these values of an argument is refused in words that name it."""
    for value in values:
        with pytest.raises((TypeError, ValueError)) as caught:
            print(argument, function(**good | {argument: value}))
        words = str(caught.value)
        assert argument in words or named in words, words


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


def assert_converts_counts(function, good, bad):
    """Each count is refused by its name, or converted before anything is computed with it."""
    for name in (name for name, values in bad.items() if set(COUNT[:3]) <= set(_hashed(values))):
        if type(good.get(name)) is int:
            words = words_of(lambda given: function(**good | given), {name: Count(good[name])})
            assert not words or words.startswith(f"{name} is Count(")


def _hashed(values):
    return (value for value in values if isinstance(value, int | float | str))
