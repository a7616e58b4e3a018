"""Chapter 16's network: tests of the solutions, and a table of tests/declared.py."""

import numpy as np
import pytest

from rnn_helpers.exercises import chapter_16_network as answers
from rnn_helpers.exercises.chapter_04_network import quotients
from rnn_helpers.reference import gru_forward


@pytest.mark.equation("10.40", "10.45")
def test_it_is_a_gru_that_never_resets():
    params, x, _, h0 = answers._gated(8)
    n_h, n = params["U"].shape
    gru = params | {f"{name}u": params[f"{name}f"] for name in "UWb"}
    gru |= {"Ur": np.zeros((n_h, n)), "Wr": np.zeros((n_h, n_h)), "br": np.full(n_h, 50.0)}
    h, yhat = answers.forward(params, x, h0)
    for k, start in enumerate(h0):
        run = gru_forward(gru, np.eye(n)[x[:, k]], start)
        np.testing.assert_allclose(h[1:, k], run.h, rtol=1e-9)
        np.testing.assert_allclose(yhat[:, k], run.yhat, rtol=1e-9)


@pytest.mark.equation("10.40")
def test_its_gradient_matches_finite_differences():
    params, x, y, h0 = answers._gated(9)

    def loss(params):
        _, yhat = answers.forward(params, x, h0)
        return -np.log(np.take_along_axis(yhat, y[..., None], axis=-1)).mean()

    grads = answers.backward(params, x, y, *answers.forward(params, x, h0))
    assert grads.keys() == params.keys()
    for name, array in params.items():
        asked = quotients(lambda other, name=name: loss(params | {name: other}), array)
        np.testing.assert_allclose(grads[name], asked, atol=1e-9)


EQUIVALENT = {
    "16-net-backward": [
        # Of c, only the number of entries is used.
        "(params['c'] is zero)",
    ],
    "16-net-forward": [
        # NumPy converts the list of states wherever the solution computes with it, and a check
        # accepts lists.
        "_forward: without h = np.array(h)",
    ],
}
