"""Networks with output recurrence match the reference and don't affect one another."""

import numpy as np
import pytest
from networks import BATCH
from refusals import (
    COUNT,
    NAME,
)

torch = pytest.importorskip("torch")

from rnn_helpers.nets import OutputRecurrent  # noqa: E402
from rnn_helpers.reference import rnn_backward, rnn_forward, rnn_loss  # noqa: E402
from rnn_helpers.reference.output_recurrence import output_backward, output_forward  # noqa: E402

pytestmark = pytest.mark.chapter("06")

N_X, N_H, N_Y, T, B, SEEDS = 3, 5, 4, 6, 7, [0, 8]
RNG = np.random.default_rng(1)
X = RNG.integers(N_X, size=(T, len(SEEDS), B))
Y = RNG.integers(N_Y, size=(T, len(SEEDS), B))
OWN = RNG.random((T, len(SEEDS), B)) < 0.5
WAVES = RNG.normal(size=(T, len(SEEDS), B, 2))


def network(recurrence, feedback="output", n_x=N_X, n_y=N_Y, **others):
    return OutputRecurrent(n_x, N_H, n_y, SEEDS, recurrence, feedback, **others).double()


def of_seed(arrays, s):
    return {name: array[s] for name, array in arrays.items()}


@pytest.mark.parametrize("own", [False, True, OWN], ids=["truth", "own", "both by turns"])
@pytest.mark.parametrize("feedback", ["output", "probabilities", "likeliest"])
@pytest.mark.parametrize("recurrence", ["output", "both"])
def test_outputs_and_gradients_match_the_reference(recurrence, feedback, own):
    net = network(recurrence, feedback)
    params = net.params()
    o = net.outputs(params, (X, Y, own))
    loss, grads = net.loss_and_grads(params, (X, Y, own))
    for s in range(len(SEEDS)):
        mine = own if isinstance(own, bool) else own[:, s]
        run = output_forward(of_seed(params, s), X[:, s], Y[:, s], own=mine, feedback=feedback)
        np.testing.assert_allclose(o[:, s], run.o, rtol=1e-12, atol=1e-14)
        expected = output_backward(of_seed(params, s), run, Y[:, s])
        for name, grad in expected.items():
            np.testing.assert_allclose(grads[name][s], grad / (T * B), rtol=1e-9, atol=1e-12)
        assert loss[s] == pytest.approx(rnn_loss(run, Y[:, s]) / (T * B))


def test_with_state_feedback_alone_it_is_the_network_of_figure_10_3():
    net = network("state")
    params = net.params()
    loss, grads = net.loss_and_grads(params, (X, Y, OWN))
    for s in range(len(SEEDS)):
        run = rnn_forward(of_seed(params, s), X[:, s])
        assert loss[s] == pytest.approx(rnn_loss(run, Y[:, s]) / (T * B))
        for name, grad in rnn_backward(of_seed(params, s), run, Y[:, s]).items():
            if name in grads:
                np.testing.assert_allclose(grads[name][s], grad / (T * B), rtol=1e-9, atol=1e-12)


def test_all_steps_at_once_are_one_after_the_other():
    net, params = network("output"), network("output").params()
    at_once = net.outputs(params, (X, Y, False))
    some = np.zeros((T, len(SEEDS), B), bool)
    some[-1, 0, 0] = True  # one own step, and all go through the loop
    in_turn = net.outputs(params, (X, Y, some))
    np.testing.assert_allclose(at_once[:-1], in_turn[:-1], rtol=1e-12, atol=1e-14)
    assert not np.allclose(at_once[-1, 0, 0], in_turn[-1, 0, 0])


@pytest.mark.parametrize("through", [True, False])
@pytest.mark.parametrize("recurrence", ["output", "both"])
def test_gradients_through_fed_back_numbers_match_finite_differences(recurrence, through):
    net = network(recurrence, n_x=0, n_y=2, through=through)
    params, batch = net.params(), (None, WAVES, OWN)
    loss, grads = net.loss_and_grads(params, batch)
    o = net.outputs(params, batch)
    np.testing.assert_allclose(loss, ((o - WAVES) ** 2).mean(axis=(0, 2, 3)))
    step = 1e-6
    quotients = []
    for change in (step, -step):
        moved = params["R"].copy()
        moved[:, 1, 0] += change
        quotients.append(net.loss_and_grads(params | {"R": moved}, batch)[0])
    quotient = (quotients[0] - quotients[1]) / (2 * step)
    assert np.allclose(grads["R"][:, 1, 0], quotient, rtol=1e-6) == through


def test_own_outputs_hide_the_targets_and_a_mask_excludes_steps():
    net = network("both")
    params = net.params()
    other = Y.copy()
    other[2:4] = (Y[2:4] + 1) % N_Y
    own, mask = np.ones((T, B), bool), np.ones((T, B), bool)
    own[:3] = mask[2:4] = False
    first, second = (net.loss_and_grads(params, (X, y, own, mask))[0] for y in (Y, other))
    np.testing.assert_array_equal(first, second)
    right = (net.outputs(params, (X, Y, own)).argmax(axis=-1) == Y)[mask[:, 0]]
    np.testing.assert_allclose(net.accuracy(params, (X, Y, own, mask)), right.mean(axis=(0, 2)))


def test_networks_may_share_a_minibatch_and_initial_values():
    net = network("both")
    params = net.params()
    one = net.outputs(params, (X[:, 0], Y[:, 0], OWN[:, 0]))
    each = net.outputs(params, tuple(np.repeat(a[:, :1], 2, axis=1) for a in (X, Y, OWN)))
    np.testing.assert_array_equal(one, each)
    for recurrence in ("output", "state"):
        for name, p in network(recurrence).params().items():
            np.testing.assert_array_equal(p, params[name])
    assert set(network("both", n_x=0).params()) == set("RWVbc")


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        ((X, Y), r"expected \(x, y, own\)"),
        ((None, Y, True), "x is None; expected 3 inputs"),
        ((X, Y[:, 0, 0], True), "y has shape"),
        ((X[1:], Y, True), "x has shape"),
        ((X, Y, OWN[1:]), "own has shape"),
        ((X, Y, 2), r"own is array\(2\); expected True or False"),
        ((X, Y, OWN, False), "counts no step"),
    ],
)
def test_mismatched_arguments_are_named(batch, message):
    net = network("both")
    with pytest.raises(ValueError, match=message):
        net.loss_and_grads(net.params(), batch)


def test_numeric_outputs_have_no_accuracy_and_a_network_needs_feedback():
    net = network("both", n_x=0, n_y=2)
    with pytest.raises(TypeError, match="expected classes"):
        net.accuracy(net.params(), (None, WAVES, True))
    with pytest.raises(ValueError, match="recurrence is 'nothing'"):
        network("nothing")


SAYS = OutputRecurrent(2, 3, 2, [0])

REFUSALS = {
    OutputRecurrent: (
        {"n_x": 0, "n_h": 3, "n_y": 2, "seeds": [0]},
        {
            "n_x": [value for value in COUNT if value != 0],
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "recurrence": NAME,
            "feedback": NAME,
            "through": [None, 1, "a"],
        },
    ),
    **{
        getattr(SAYS, method): (
            {"params": SAYS.params(), "batch": (*BATCH, True)},
            {
                "params": [None, {}, 3, {"V": 3}, SAYS.params() | {"V": np.zeros(3)}],
                "batch": [None, (), 3, BATCH],
            },
        )
        for method in ("outputs", "loss_and_grads", "accuracy")
    },
}
