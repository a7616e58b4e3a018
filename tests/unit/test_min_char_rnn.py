"""The benchmark of chapter 04 trains min-char-rnn with the right gradients."""

import numpy as np
import pytest

from bench import min_char_rnn
from rnn_helpers.reference import init_rnn, rnn_backward, rnn_forward

pytestmark = pytest.mark.chapter("04")


def test_min_char_rnn_computes_the_gradients_of_the_reference():
    rng = np.random.default_rng(0)
    params, one_hot = init_rnn(4, 3, 4, rng, scale=1.0), np.eye(4)
    (x, y), h0 = rng.integers(4, size=(2, 6)), rng.normal(size=3)
    grads, last = min_char_rnn._gradients(params, one_hot[x], one_hot[y], h0)
    run = rnn_forward(params, x, h0)
    np.testing.assert_allclose(last, run.h[-1])
    for name, grad in rnn_backward(params, run, y).items():
        if name in params:
            np.testing.assert_allclose(grads[name], grad, atol=1e-12)


def test_a_change_that_does_not_fit_the_program_is_refused():
    with pytest.raises(AssertionError, match="no such line"):
        min_char_rnn.program("no such line", "another")
