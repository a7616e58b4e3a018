"""Deep networks in PyTorch compute what the reference does, forwards and backwards."""

import numpy as np
import pytest

from rnn_helpers import reference
from rnn_helpers.nets.deep import Deep
from rnn_helpers.reference import Depth

DEPTHS = [
    Depth(),
    Depth(3),
    Depth(2, 1, 2, 1),
    Depth(1, 0, 1, 2, skip=True),
    Depth(2, 2, 1, skip=True),
]


@pytest.mark.parametrize("depth", DEPTHS, ids=str)
def test_loss_and_gradients_match_the_reference(depth):
    rng = np.random.default_rng(0)
    net = Deep(depth, 3, 4, 5, seeds=[1, 2])
    params = {name: array.astype(float) for name, array in net.params().items()}
    x, y = rng.normal(size=(6, 2, 3, 3)), rng.integers(5, size=(6, 2, 3))
    net.double()
    loss, grads = net.loss_and_grads(params, (x, y))
    for s in range(2):
        one = {name: array[s] for name, array in params.items()}
        run = reference.deep_forward(one, depth, x[:, s])
        assert loss[s] == pytest.approx(reference.rnn_loss(run, y[:, s]) / y[:, s].size, abs=1e-12)
        mine = reference.deep_backward(one, run, y[:, s])
        for name, grad in grads.items():
            np.testing.assert_allclose(grad[s], mine[name] / y[:, s].size, atol=1e-12)


def test_parameters_shared_by_two_depths_have_equal_initial_values():
    shallow, deep = (Deep(depth, 3, 4, 5, [7]).params() for depth in (Depth(), Depth(2, 1)))
    np.testing.assert_array_equal(shallow["W1"], deep["W1"])
    np.testing.assert_array_equal(shallow["V"], deep["V"])
    assert not np.array_equal(deep["W1"], deep["W2"])
