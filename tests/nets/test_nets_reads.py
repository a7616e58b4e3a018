"""A layer that reads a matrix, or all pairs by a softmax: as the reference does."""

import numpy as np
import pytest
from refusals import COUNT, NAME

torch = pytest.importorskip("torch")

from rnn_helpers.nets.reads import MEMORIES, Reads  # noqa: E402
from rnn_helpers.reference import matrix_forward, read_all_forward  # noqa: E402
from rnn_helpers.tasks.recall import Pairs  # noqa: E402
from rnn_helpers.training import Adam, fit  # noqa: E402

pytestmark = pytest.mark.chapter("18")
TASK, SEEDS, WIDTH = Pairs(3, 4), [0, 5], 5


def reads(memory, seeds=SEEDS, width=WIDTH):
    net = Reads(TASK.n_x, width, TASK.n_y, seeds, memory)
    return net, net.params()


@pytest.mark.parametrize("memory", MEMORIES)
def test_outputs_match_the_reference(memory):
    net, params = reads(memory)
    x = np.random.default_rng(0).normal(size=(4, 2, 3, TASK.n_x)).astype(np.float32)
    o = net.outputs(params, x)
    forward = {"matrix": matrix_forward, "softmax": read_all_forward}[memory]
    for s in range(2):
        q, k, v = (x[:, s] @ params[name][s].T for name in "QKU")
        expected = forward(q, k, v).y @ params["V"][s].T + params["c"][s]
        np.testing.assert_allclose(o[:, s], expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("memory", MEMORIES)
def test_networks_side_by_side_are_independent(memory):
    batch = next(TASK.batches([3], 4, 0))
    net, params = reads(memory)
    alone, own = reads(memory, [5])
    loss, grads = net.loss_and_grads(params, batch)
    own_loss, own_grads = alone.loss_and_grads(own, batch)
    np.testing.assert_allclose(loss[1], own_loss[0], rtol=1e-6)
    for name, grad in own_grads.items():
        np.testing.assert_allclose(grads[name][1], grad[0], rtol=1e-4, atol=1e-6)


def test_initial_values_do_not_depend_on_the_memory():
    for name, p in reads("matrix")[1].items():
        np.testing.assert_array_equal(p, reads("softmax")[1][name])


@pytest.mark.slow
@pytest.mark.parametrize("memory", MEMORIES)
def test_it_learns_to_recall_a_pair_or_two(memory):
    net, _ = reads(memory, [0])
    batches = TASK.batches([1, 2], 32, [[0, 1]])
    made = fit(net.loss_and_grads, net.params(), batches, steps=250, optimizer=Adam(0.03))
    assert net.accuracy(made.params, next(TASK.batches([1], 200, 1))) > 0.95


def test_a_memory_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="memory"):
        reads("tape")


REFUSALS = {
    Reads: (
        {"n_x": 4, "width": 3, "n_y": 2, "seeds": [0], "memory": "softmax"},
        {
            **dict.fromkeys(("n_x", "width", "n_y"), COUNT),
            "seeds": [None, 3, [], [-1], [1.5]],
            "memory": NAME,
        },
    )
}
