"""Networks in PyTorch that read one sequence and write another."""

import numpy as np
import pytest
from refusals import COUNT, NAN

torch = pytest.importorskip("torch")

from rnn_helpers.nets import Translator  # noqa: E402
from rnn_helpers.optimizers import Adam  # noqa: E402
from rnn_helpers.reference import (  # noqa: E402
    attention_weights,
    dot_scores,
    gru_forward,
    log_softmax,
    weighted_average,
)
from rnn_helpers.tasks import Reversal  # noqa: E402
from rnn_helpers.training import fit  # noqa: E402

RNG = np.random.default_rng(0)
X, Y, LENGTHS = RNG.integers(4, size=(6, 3)), RNG.integers(5, size=(7, 3)), np.array([6, 2, 4])
KINDS = [(looks, both) for looks in (False, True) for both in (False, True)]


def made(looks=True, both=False, seeds=(0, 1)):
    net = Translator(4, 6, 3, 5, seeds, looks, both)
    return net, net.params()


def cell(params, one, name):
    """Arrays of one layer of one network, by the names of the reference."""
    own = {key.removeprefix(name): array for key, array in params.items() if key.startswith(name)}
    own = {key: array[one].astype(float) for key, array in own.items()}
    return own | {"V": np.zeros((1, 6)), "c": np.zeros(1)}


def by_the_reference(params, one, x, heard, looks, both):
    """Outputs and weights of one network for one text, step by step."""
    x, P = np.eye(4)[x], params["P"][one].astype(float)
    held = [gru_forward(cell(params, one, "layers.0."), x).h]
    ends = [held[0][-1]]
    if both:
        back = gru_forward(cell(params, one, "layers.1."), x[::-1]).h
        held.append(back[::-1])
        ends.append(back[-1])
    notes, C = np.concatenate(held, axis=1) @ P.T, np.concatenate(ends) @ P.T
    h, o, weights = np.zeros(6), [], []
    for before in heard:
        told = C
        if looks:
            look = attention_weights(dot_scores(params["Q"][one].astype(float), h, notes))
            weights.append(look)
            told = weighted_average(look, notes)
        step = np.concatenate([before, told])[None]
        h = gru_forward(cell(params, one, "writer."), step, h).h[-1]
        o.append(params["V"][one] @ h + params["c"][one])
    return np.array(o), np.array(weights)


@pytest.mark.parametrize(("looks", "both"), KINDS)
def test_a_network_is_made_of_the_parts_of_the_reference_whatever_a_text_is_padded_with(
    looks, both
):
    net, params = made(looks, both)
    o, weights = net.outputs(params, (X, Y, LENGTHS))
    heard = np.concatenate([np.zeros((1, 3, 5)), np.eye(5)[Y[:-1]]])
    for one in range(2):
        for i, n in enumerate(LENGTHS):
            expected, look = by_the_reference(params, one, X[:n, i], heard[:, i], looks, both)
            np.testing.assert_allclose(o[:, one, i], expected, atol=1e-5)
            if looks:
                np.testing.assert_allclose(weights[:, :n, one, i], look, atol=1e-5)
                assert not weights[:, n:, one, i].any()


@pytest.mark.parametrize(("looks", "both"), KINDS)
def test_the_loss_is_the_mean_over_all_that_is_written(looks, both):
    net, params = made(looks, both)
    loss, grads = net.loss_and_grads(params, (X, Y, LENGTHS))
    log_yhat = log_softmax(net.outputs(params, (X, Y, LENGTHS))[0])
    each = -np.take_along_axis(log_yhat, Y[:, None, :, None].repeat(2, 1), axis=-1)[..., 0]
    np.testing.assert_allclose(loss, each.mean(axis=(0, 2)), atol=1e-5)
    assert {name: g.shape for name, g in grads.items()} == {n: p.shape for n, p in params.items()}
    assert all(g.any() for g in grads.values())


@pytest.mark.parametrize(("looks", "both"), KINDS)
def test_greedy_outputs_are_the_most_likely_at_each_step(looks, both):
    net, params = made(looks, both)
    written = net.write(params, X, 5, LENGTHS)
    o, _ = net.outputs(params, (np.stack([X, X], 1), written, LENGTHS))
    np.testing.assert_array_equal(written, o.argmax(axis=-1))
    right = net.accuracy(params, (X, written[:, 0], LENGTHS))
    assert right[0] == 1


def test_weights_that_are_given_take_the_place_of_its_own():
    net, params = made()
    o, weights = net.outputs(params, (X, Y, LENGTHS))
    np.testing.assert_allclose(net.outputs(params, (X, Y, LENGTHS), weights)[0], o, atol=1e-6)
    other, kept = net.outputs(params, (X, Y, LENGTHS), np.full_like(weights, 1 / 6))
    assert np.abs(other - o).max() > 1e-3
    np.testing.assert_allclose(kept, 1 / 6)


def test_networks_share_initial_values():
    fixed, looking = made(looks=False)[1], made(looks=True)[1]
    assert looking.keys() - fixed.keys() == {"Q"}
    for name, array in fixed.items():
        np.testing.assert_array_equal(array, looking[name])


@pytest.mark.slow
def test_it_learns_to_reverse_two_digits():
    task = Reversal(2, 2, 4)
    net = Translator(4, 12, 8, 5, [0, 1])
    fitted = fit(
        net.loss_and_grads,
        net.params(),
        task.batches(16, [0, 1]),
        steps=250,
        optimizer=Adam(0.02),
        clip=1.0,
    )
    assert (net.accuracy(fitted.params, next(task.batches(100, 5))) > 0.95).all()


TURNS = Translator(3, 3, 2, 4, [0])
TRANSLATED = (np.zeros((2, 1), int), np.zeros((3, 1), int))

REFUSALS = {
    Translator: (
        {"n_x": 3, "n_h": 3, "n_c": 2, "n_y": 4, "seeds": [0], "looks": True, "both_ways": False},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_c": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "looks": [None, 3, "no"],
            "both_ways": [None, 3, "no"],
        },
    ),
    TURNS.loss_and_grads: (
        {"params": TURNS.params(), "batch": TRANSLATED},
        {"params": [None, {}, 3, {"V": 3}], "batch": [None, (), 3, TRANSLATED[:1]]},
    ),
    TURNS.accuracy: (
        {"params": TURNS.params(), "batch": TRANSLATED},
        {"params": [None, {}, 3, {"V": 3}], "batch": [None, (), 3, TRANSLATED[:1]]},
    ),
    TURNS.outputs: (
        {"params": TURNS.params(), "batch": TRANSLATED, "weights": np.full((3, 2, 1, 1), 0.5)},
        {
            "params": [None, {}, 3, {"V": 3}],
            "batch": [None, (), 3, TRANSLATED[:1]],
            "weights": [3, "a", np.full((3, 2, 1), 0.5), np.full((3, 2, 1, 1), NAN)],
        },
    ),
    TURNS.write: (
        {"params": TURNS.params(), "x": TRANSLATED[0], "most": 3, "lengths": [2]},
        {
            "params": [None, {}, 3, {"V": 3}],
            "x": [None, "a", 3, [[3]], [[0.5]]],
            "most": COUNT,
            "lengths": ["a", 3, [0], [3], [1, 1], [0.5]],
        },
    ),
}
