"""The order of a network's units is for the eye: what it computes is the same in any."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore.weights import reordered
from rnn_helpers.reference import (
    gru_forward,
    init_gru,
    init_lstm,
    init_rnn,
    lstm_forward,
    rnn_forward,
)

KINDS = {
    "rnn": (init_rnn, rnn_forward),
    "lstm": (init_lstm, lstm_forward),
    "gru": (init_gru, gru_forward),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_units_in_another_order_compute_the_same(kind, data):
    init, forward = KINDS[kind]
    n_x, n_h, n_y = (data.draw(st.integers(1, 5)) for _ in "xhy")
    seed = data.draw(st.integers(0, 99))
    order = np.array(data.draw(st.permutations(range(n_h))))
    rng = np.random.default_rng(seed)
    # biases too, which are zero at first
    params = {
        name: p + rng.standard_normal(p.shape) for name, p in init(n_x, n_h, n_y, seed).items()
    }
    x = rng.standard_normal((4, n_x))
    run, moved = forward(params, x), forward(reordered(params, order), x)
    np.testing.assert_allclose(moved.o, run.o, atol=1e-10)
    np.testing.assert_allclose(moved.h, run.h[..., order], atol=1e-10)
