"""Recursive networks in PyTorch compute what the reference does, forwards and backwards."""

import numpy as np
import pytest

from rnn_helpers import reference, tasks
from rnn_helpers.nets.recursive import Recursive

pytestmark = pytest.mark.chapter("12")


@pytest.mark.parametrize("tensor", [False, True], ids=["plain", "tensor"])
@pytest.mark.parametrize("laid", ["chain", "balanced", "parse"])
def test_loss_and_gradients_match_the_reference(laid, tensor):
    batch = next(tasks.expression_batches(laid, [0, 1, 3], 6, [1, 2], 3))
    net = Recursive(9, 4, 5, [7, 8], tensor).double()
    params = {name: array.astype(float) for name, array in net.params().items()}
    loss, grads = net.loss_and_grads(params, batch)
    source = np.random.default_rng(3)
    drawn = tasks.expression_batches(laid, [0, 1, 3], 6, [1, 2], source)
    ends = np.cumsum(batch.forest.stop[batch.forest.roots])
    trees = _trees(laid)
    for s in range(2):
        one = {name: array[s] for name, array in params.items()}
        run = reference.recursive_forward(one, np.split(batch.x[s], ends[:-1]), trees)
        y = batch.y[s]
        assert loss[s] == pytest.approx(reference.recursive_loss(run, y) / len(y), abs=1e-12)
        for name, grad in reference.recursive_backward(one, run, y).items():
            if name in grads:
                np.testing.assert_allclose(grads[name][s], grad / len(y), atol=1e-12)
        right = (run.yhat.argmax(1) == y).mean()
        assert net.accuracy(params, batch)[s] == pytest.approx(right)
    assert next(drawn).x.shape == batch.x.shape


def _trees(laid):
    """The trees of the minibatch, from the same source of shapes."""
    from rnn_helpers.tasks import expressions

    source = np.random.default_rng(3)
    shapes = [expressions._shape([0, 1, 3][source.integers(3)], source, 0.25) for _ in range(6)]
    return [tasks.lay_out(shape, laid)[0] for shape in shapes]


def test_plain_and_tensor_nodes_start_from_the_same_shared_parameters():
    plain, tensor = (Recursive(9, 4, 5, [7], tensor).params() for tensor in (False, True))
    for name, array in plain.items():
        np.testing.assert_array_equal(array, tensor[name])
