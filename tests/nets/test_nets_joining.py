"""Networks that choose which neighbors to join compute along their trees as the reference does."""

from itertools import pairwise

import numpy as np
import pytest

from rnn_helpers import reference, tasks
from rnn_helpers.nets.joining import Joining
from rnn_helpers.nets.recursive import Recursive
from rnn_helpers.reference import trees
from rnn_helpers.reference.recursive import node

pytestmark = pytest.mark.chapter("12")
SEEDS = [7, 8]


def drawn(nestings=(0, 1, 2)):
    return next(tasks.expression_batches("chain", nestings, 6, [1, 2], 3))


def test_along_its_own_tree_it_equals_the_reference():
    net, batch = Joining(9, 4, 5, SEEDS).double(), drawn()
    params = {name: array.astype(float) for name, array in net.params().items()}
    ends = np.cumsum(batch.forest.stop[batch.forest.roots])
    for s, mine in enumerate(net.trees(params, batch)):
        one = {name: array[s] for name, array in params.items() if name != "q"}
        run = reference.recursive_forward(one, np.split(batch.x[s], ends[:-1]), mine)
        right = (run.yhat.argmax(1) == batch.y[s]).mean()
        assert net.accuracy(params, batch)[s] == pytest.approx(right)
        assert [trees.n_leaves(tree) for tree in mine] == np.diff([0, *ends]).tolist()


def test_the_pair_with_the_largest_score_is_combined_first():
    net = Joining(9, 4, 5, [7]).double()
    params = {name: array.astype(float) for name, array in net.params().items()}
    x, forest, y = drawn([2])
    batch = x[:1], forest, y[:1]
    one = {name: array[0] for name, array in params.items()}
    ends = np.cumsum(forest.stop[forest.roots])
    for read, tree in zip(np.split(x[0], ends[:-1]), net.trees(params, batch)[0], strict=True):
        scores = [one["q"] @ node(one, *pair) for pair in pairwise(one["V"][:, read].T)]
        first = int(np.argmax(scores))
        assert (first, first + 2) in trees.spans(tree) | {(0, len(read))}


def test_without_a_choice_its_gradients_are_a_recursive_networks():
    """One or two leaves have only one tree, which determines loss and gradients."""
    net, given = Joining(9, 4, 5, SEEDS).double(), Recursive(9, 4, 5, SEEDS).double()
    forest = trees.forest([0, (0, 1), 0])
    batch = np.array([[1, 5, 3, 2]] * 2), forest, np.array([[1, 2, 0]] * 2)
    params = {name: array.astype(float) for name, array in net.params().items()}
    loss, grads = net.loss_and_grads(params, batch)
    theirs = {name: array for name, array in params.items() if name != "q"}
    other, wanted = given.loss_and_grads(theirs, batch)
    np.testing.assert_allclose(loss, other, atol=1e-12)
    for name, grad in wanted.items():
        np.testing.assert_allclose(grads[name], grad, atol=1e-12)
    assert not grads["q"].any()


def test_the_choice_has_the_gradient_of_the_softmax():
    net = Joining(9, 4, 5, SEEDS)
    loss, grads = net.loss_and_grads(net.params(), drawn([2]))
    assert np.isfinite(loss).all()
    assert np.abs(grads["q"]).max() > 0


def test_the_noise_depends_on_the_seed():
    batch = drawn([2])
    both = Joining(9, 4, 5, SEEDS)
    alone = Joining(9, 4, 5, SEEDS[:1])
    loss, _ = both.loss_and_grads(both.params(), batch)
    mine, _ = alone.loss_and_grads(alone.params(), (batch.x[:1], batch.forest, batch.y[:1]))
    assert loss[0] == pytest.approx(mine[0], abs=1e-6)
