"""Greedy, beam and exact search for the most likely sequence."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT

from rnn_helpers.reference import beam_search, exact_search, init_rnn, log_softmax, rnn_forward

END = 0


def tree(seed, n=3, sharpness=1.5):
    """A distribution that depends on the whole beginning."""

    def next_log_probability(prefix):
        key = [seed, *(prefix + 1)]
        return log_softmax(np.random.default_rng(key).normal(0, sharpness, n))

    return next_log_probability


def log_probability(next_log_probability, symbols):
    return sum(next_log_probability(symbols[:t])[symbol] for t, symbol in enumerate(symbols))


def every(n, at_most):
    """Return all sequences that have ended or reached the maximal length."""
    for length in range(1, at_most + 1):
        for symbols in itertools.product(range(n), repeat=length):
            if END not in symbols[:-1] and (symbols[-1] == END or length == at_most):
                yield np.array(symbols)


@given(seed=st.integers(0, 10**6), n=st.integers(2, 3), at_most=st.integers(1, 4))
def test_exact_search_agrees_with_enumeration(seed, n, at_most):
    ask = tree(seed, n)
    best = max(log_probability(ask, symbols) for symbols in every(n, at_most))
    found = exact_search(ask, END, at_most)
    assert found.log_probability == pytest.approx(best)
    assert log_probability(ask, found.symbols) == pytest.approx(best)


@given(seed=st.integers(0, 10**6))
def test_a_beam_that_keeps_everything_is_exact(seed):
    ask = tree(seed)
    found = beam_search(ask, END, width=3**4, at_most=4)
    assert found[0].log_probability == pytest.approx(exact_search(ask, END, 4).log_probability)
    assert len(found) == len(list(every(3, 4)))
    assert sum(math.exp(one.log_probability) for one in found) == pytest.approx(1)
    scores = [one.log_probability for one in found]
    assert scores == sorted(scores, reverse=True)


@given(seed=st.integers(0, 10**6), width=st.integers(1, 5))
def test_a_beams_result_has_its_stated_score_and_never_beats_exact_search(seed, width):
    ask = tree(seed)
    best = exact_search(ask, END, 6)
    for found in beam_search(ask, END, width, at_most=6):
        assert found.log_probability == pytest.approx(log_probability(ask, found.symbols))
        assert found.log_probability <= best.log_probability + 1e-12
        assert found.symbols[-1] == END or len(found.symbols) == 6


@given(seed=st.integers(0, 10**6))
def test_a_beam_of_one_is_greedy(seed):
    ask, symbols = tree(seed), np.zeros(0, int)
    while len(symbols) < 6 and END not in symbols:
        symbols = np.append(symbols, ask(symbols).argmax())
    (found,) = beam_search(ask, END, 1, at_most=6)
    assert found.symbols.tolist() == symbols.tolist()
    assert found.asked == len(symbols)


def test_greedy_search_misses_sequences_with_an_unlikely_first_symbol():
    """The more likely first symbol leads to a fork, the other to one certain symbol."""
    first, fork, sure = np.log([1e-9, 0.6, 0.4 - 1e-9]), np.log([0.5, 0.25, 0.25]), [0, -9e9, -9e9]

    def ask(prefix):
        return first if not len(prefix) else fork if prefix[0] == 1 else np.array(sure, float)

    assert beam_search(ask, END, 1)[0].symbols.tolist() == [1, 0]
    assert beam_search(ask, END, 2)[0].symbols.tolist() == [2, 0]
    assert exact_search(ask, END).symbols.tolist() == [2, 0]


def test_a_network_is_searched_by_its_last_output():
    params = init_rnn(n_x=3, n_h=5, n_y=3, seed=1, scale=2.0)

    def ask(prefix):
        return rnn_forward(params, np.array([0, *prefix])).log_yhat[-1]

    best = max(every(3, 5), key=lambda symbols: log_probability(ask, symbols))
    assert exact_search(ask, END, 5).symbols.tolist() == best.tolist()


def test_impossible_sequences_are_not_searched():
    ask = lambda prefix: np.array([-np.inf, 0.0]) if len(prefix) < 3 else np.array([0.0, -np.inf])  # noqa: E731
    assert exact_search(ask, END).symbols.tolist() == [1, 1, 1, 0]
    assert [one.symbols.tolist() for one in beam_search(ask, END, 5)] == [[1, 1, 1, 0]]


EVEN = {"next_log_probability": lambda prefix: np.log([0.5, 0.5]), "end": 0, "at_most": 4}
UNFIT_EVEN = {
    "next_log_probability": [3, "f", None, lambda prefix: 0.5, lambda prefix: np.ones(3)],
    "end": [-1, 0.5, "a", None, 7],
    "at_most": COUNT,
}

REFUSALS = {
    beam_search: ({**EVEN, "width": 2}, {**UNFIT_EVEN, "width": COUNT}),
    exact_search: (EVEN, UNFIT_EVEN),
}
