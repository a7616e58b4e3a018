"""Stopping the gradient at block edges drops exactly the terms that cross an edge."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import PARAMS, P, X, Y
from refusals import (
    COUNT,
    MASK,
    NAME,
    REAL,
    TOKENS,
)

from rnn_helpers.reference import (
    init_rnn,
    rnn_backward,
    rnn_forward,
    rnn_loss,
    truncated_gradient,
)
from rnn_helpers.tasks import character_model

pytestmark = pytest.mark.chapter("05")
N = 4


def drawn(length, batch=3, seed=0, seeds=0):
    rng = np.random.default_rng(seed)
    params = init_rnn(N, 5, N, [rng, *rng.spawn(seeds - 1)] if seeds else rng)
    x, y = rng.integers(N, size=(2, length, batch))
    return params, x, y


def with_states_given(params, x, y, block, mask, states):
    """The loss of all blocks, each from a state that is a constant."""
    total = 0
    for first in range(0, len(x), block):
        steps = slice(first, first + block)
        run = rnn_forward(params, x[steps], h0=states[first])
        total += rnn_loss(run, y[steps], None if mask is None else mask[steps])
    return total


@given(st.integers(1, 7), st.integers(1, 9), st.booleans(), st.integers(0, 99))
def test_it_is_the_derivative_with_the_carried_states_held_constant(length, block, masked, seed):
    params, x, y = drawn(length, seed=seed)
    mask = np.random.default_rng(seed).random(x.shape) < 0.5 if masked else None
    states = rnn_forward(params, x).states
    grads = truncated_gradient(params, x, y, block, mask)
    for name, p in params.items():
        for place in [tuple(n - 1 for n in p.shape), (0,) * p.ndim]:
            step = np.zeros_like(p)
            step[place] = 1e-6
            up, down = (
                with_states_given(params | {name: p + way * step}, x, y, block, mask, states)
                for way in (1, -1)
            )
            assert grads[name][place] == pytest.approx((up - down) / 2e-6, rel=1e-4, abs=1e-7)


@pytest.mark.parametrize("seeds", [0, 2])
@pytest.mark.parametrize("nonlinearity", ["tanh", "sigmoid"])
def test_a_block_as_long_as_the_sequence_gives_the_exact_gradient(nonlinearity, seeds):
    params, x, y = drawn(9, seeds=seeds)
    h0 = np.full(5, 0.3)
    exact = rnn_backward(params, rnn_forward(params, x, h0, nonlinearity), y)
    for block in (9, 100):
        cut = truncated_gradient(params, x, y, block, h0=h0, nonlinearity=nonlinearity)
        assert cut.keys() == exact.keys()
        for name, g in exact.items():
            np.testing.assert_allclose(cut[name], g, rtol=1e-12, atol=1e-14)


def test_only_recurrent_gradients_are_truncated():
    params, x, y = drawn(20)
    exact, cut = (
        rnn_backward(params, rnn_forward(params, x), y),
        truncated_gradient(params, x, y, 3),
    )
    for name in "Vc":
        np.testing.assert_allclose(cut[name], exact[name], rtol=1e-12)
    for name in "UWb":
        assert np.linalg.norm(cut[name] - exact[name]) > 0.1 * np.linalg.norm(exact[name])


def test_without_recurrence_truncation_changes_no_gradient():
    params, x, y = drawn(8)
    params["W"] *= 0
    exact, cut = (
        rnn_backward(params, rnn_forward(params, x), y),
        truncated_gradient(params, x, y, 1),
    )
    for name in params:
        np.testing.assert_allclose(cut[name], exact[name], rtol=1e-12)


def test_it_equals_block_by_block_training_with_a_carried_state():
    params, x, y = drawn(12)
    model, state, total = character_model(carry_state=True), None, dict.fromkeys(params, 0)
    for first in range(0, 12, 4):
        steps = slice(first, first + 4)
        _, grads, state = model(params, (x[steps], y[steps]), state)
        total = {name: total[name] + 12 * grads[name] for name in params}  # of a mean over 4 x 3
    cut = truncated_gradient(params, x, y, 4)
    for name, g in total.items():
        np.testing.assert_allclose(cut[name], g, rtol=1e-12)


REFUSALS = {
    truncated_gradient: (
        {"params": P, "x": X, "y": Y, "block": 2},
        {
            "params": PARAMS,
            "x": TOKENS,
            "y": TOKENS,
            "block": COUNT,
            "mask": MASK,
            "h0": [*REAL[1:], np.zeros(3)],
            "nonlinearity": NAME,
        },
    )
}
