"""Conditioned networks in PyTorch with three ways for the context to enter; captioners."""

import numpy as np
import pytest
from networks import BATCH
from refusals import (
    COUNT,
    NAME,
    NAN,
    SEED,
)

torch = pytest.importorskip("torch")

from rnn_helpers.nets import Captioner, Conditioned  # noqa: E402
from rnn_helpers.optimizers import Adam  # noqa: E402
from rnn_helpers.reference import gru_forward, log_softmax  # noqa: E402
from rnn_helpers.reference.context import DOORS  # noqa: E402
from rnn_helpers.tasks import TwoDigits  # noqa: E402
from rnn_helpers.training import fit  # noqa: E402

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(4, 3)), RNG.integers(5, size=(6, 4))


def told(door, seeds=(0, 1)):
    net = Conditioned(3, 7, 5, seeds, door)
    return net, net.params()


def by_the_reference(params, one, door):
    """The same network, as `gru_forward` runs it over symbols and contexts side by side."""
    names = {"layers.0.": "", "V": "V", "c": "c"}
    mine = {}
    for name, value in params.items():
        mine[name.removeprefix("layers.0.") if "." in name else names[name]] = value[one]
    heard = np.zeros((6, 4, 5))
    heard[1:] = np.eye(5)[Y[:-1]]
    at_steps = np.zeros((6, *X.shape)) if door == "start" else np.broadcast_to(X, (6, *X.shape))
    inputs = np.concatenate([heard, at_steps], axis=-1)
    if door != "step":
        alone = np.concatenate([np.zeros((1, 4, 5)), X[None]], axis=-1)
        inputs = np.concatenate([alone, inputs])
    mine = {name: value.astype(float) for name, value in mine.items()}
    return gru_forward(mine, inputs)


@pytest.mark.parametrize("door", DOORS)
def test_a_network_matches_the_reference_gru_for_each_context_mode(door):
    net, params = told(door)
    o = net.outputs(params, X, Y)
    for one in range(2):
        run = by_the_reference(params, one, door)
        np.testing.assert_allclose(o[:, one], run.o[-6:], atol=1e-5)


@pytest.mark.parametrize("door", DOORS)
def test_the_loss_is_the_mean_over_all_that_counts(door):
    net, params = told(door)
    mask = np.arange(6)[:, None] < [6, 2, 4, 5]
    loss, grads = net.loss_and_grads(params, (X, Y, mask))
    log_yhat = log_softmax(net.outputs(params, X, Y))
    each = -np.take_along_axis(log_yhat, Y[:, None, :, None].repeat(2, 1), axis=-1)[..., 0]
    expected = (each * mask[:, None]).sum(axis=(0, 2)) / mask.sum()
    np.testing.assert_allclose(loss, expected, atol=1e-5)
    assert {name: grad.shape for name, grad in grads.items()} == {
        name: value.shape for name, value in params.items()
    }


def test_all_context_modes_have_equally_many_parameters_and_equal_initial_values():
    first, *others = [told(door)[1] for door in DOORS]
    for params in others:
        assert params.keys() == first.keys()
        for name, value in params.items():
            np.testing.assert_array_equal(value, first[name])


@pytest.mark.parametrize("door", DOORS)
def test_greedy_outputs_are_most_likely_and_stay_at_the_end_symbol(door):
    net, params = told(door)
    y = net.write(params, X, end=0, most=8)
    likeliest = net.outputs(params, np.broadcast_to(X, (2, 4, 3)), y).argmax(axis=-1)
    ended = np.cumsum(y == 0, axis=0) > (y == 0)
    assert (y[ended] == 0).all()
    assert (y == likeliest)[~ended].all()


def test_samples_have_their_stated_frequencies():
    net, params = told("both", seeds=[0])
    x = np.repeat(X[:1], 4000, axis=0)
    drawn = net.write(params, x, end=0, most=1, seed=3)[0, 0]
    o = net.outputs(params, X[:1], np.zeros((1, 1), int))[0, 0, 0]
    p = np.exp(log_softmax(o))
    assert np.abs(np.bincount(drawn, minlength=5) / 4000 - p).max() < 4 * np.sqrt(0.25 / 4000)


def test_each_seed_of_writers_draws_its_own():
    net, params = told("both")
    both = net.write(params, X, end=0, most=5, seed=[3, 4])
    assert both.shape[1:] == (2, 4)
    np.testing.assert_array_equal(both, net.write(params, X, end=0, most=5, seed=[3, 4]))


def test_a_captioners_encoder_is_two_convolutions_and_a_linear_layer():
    net = Captioner(20, 6, 5, seeds=[0, 1], channels=(3, 4), n_c=7)
    params = net.params()
    pictures = RNG.random((2, 20, 20)).astype(np.float32)
    with torch.no_grad():
        seen = net.look(net._inputs(pictures)).numpy()
    for one in range(2):
        x = torch.tensor(pictures)[:, None]
        for K, k in (("K1", "k1"), ("K2", "k2")):
            K, k = torch.tensor(params[K][one]), torch.tensor(params[k][one])
            x = torch.relu(torch.nn.functional.conv2d(x, K, k, stride=2, padding=1))
        expected = np.tanh(x.flatten(1).numpy() @ params["C"][one].T + params["d"][one])
        np.testing.assert_allclose(seen[one], expected, atol=1e-5)


@pytest.mark.slow
def test_a_captioner_learns_which_words_there_are():
    """After 100 steps its loss is below that of the word frequencies."""
    task = TwoDigits()
    net = Captioner(task.SIDE, 16, len(task.WORDS), seeds=[0, 1])
    batches = task.batches(32, seed=[0, 1])
    made = fit(net.loss_and_grads, net.params(), batches, steps=100, optimizer=Adam(0.01), clip=1.0)
    pictures, y = next(task.batches(200, seed=9, held_out=True))
    loss, _ = net.loss_and_grads(made.params, (pictures, y))
    shares = np.bincount(y.ravel(), minlength=len(task.WORDS)) / y.size
    entropy = -(shares[shares > 0] * np.log(shares[shares > 0])).sum()
    assert (loss < 0.7 * entropy).all()


@pytest.mark.parametrize(
    ("x", "y"),
    [(None, Y), (X[:, :2], Y), (X[:3], Y), (X, Y[0]), (X, Y + 1), (X, "a"), (X * np.nan, Y)],
)
def test_bad_minibatches_are_named(x, y):
    net, params = told("both")
    with pytest.raises((TypeError, ValueError), match=r"x|y|batch"):
        net.loss_and_grads(params, (x, y))


@pytest.mark.parametrize(
    ("argument", "value"),
    [("n_c", 0), ("n_h", "a"), ("n_y", None), ("seeds", []), ("door", "all"), ("unit", "cell")],
)
def test_bad_sizes_are_named(argument, value):
    good = {"n_c": 3, "n_h": 7, "n_y": 5, "seeds": [0], "door": "both", "unit": "gru"}
    with pytest.raises((TypeError, ValueError), match=argument):
        Conditioned(**good | {argument: value})


CONDITIONED = Conditioned(2, 3, 3, [0])
SEES = Captioner(8, 3, 3, [0], channels=(2, 3), n_c=4)

REFUSALS = {
    Conditioned: (
        {"n_c": 2, "n_h": 3, "n_y": 3, "seeds": [0], "door": "both", "unit": "gru"},
        {
            "n_c": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "door": NAME,
            "unit": NAME,
        },
    ),
    CONDITIONED.loss_and_grads: (
        {"params": CONDITIONED.params(), "batch": ([[0.5, 1.0]], [[0], [1]])},
        {"params": [None, {}, 3, {"V": 3}], "batch": [None, (), 3, BATCH[:1]]},
    ),
    CONDITIONED.outputs: (
        {"params": CONDITIONED.params(), "x": [[0.5, 1.0]], "y": [[0], [1]]},
        {
            "params": [None, {}, 3, {"V": 3}],
            "x": [None, "a", 3, [[0.5]], [[NAN, 1.0]], np.zeros((0, 2))],
            "y": [None, "a", 3, [[3]], [0, 1], [[0, 1]]],
        },
    ),
    CONDITIONED.write: (
        {"params": CONDITIONED.params(), "x": [[0.5, 1.0]], "end": 0, "most": 4, "seed": 0},
        {
            "params": [None, {}, 3, {"V": 3}],
            "x": [None, "a", 3, [[0.5]], [[NAN, 1.0]]],
            "end": [3, -1, 0.5, "a", None, [0, 1]],
            "most": COUNT,
            "seed": [*(seed for seed in SEED if seed is not None), [], [0, 1]],
        },
    ),
    Captioner: (
        {"side": 8, "n_h": 3, "n_y": 3, "seeds": [0], "channels": (2, 3), "n_c": 4},
        {
            "side": [*COUNT, 3],
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "channels": [None, 3, (2,), (2, 3, 4), (0, 2), "ab"],
            "n_c": COUNT,
        },
    ),
    SEES.loss_and_grads: (
        {"params": SEES.params(), "batch": (np.ones((1, 8, 8)), [[0], [1]])},
        {"params": [None, {}, 3, {"V": 3}], "batch": [None, (), 3, BATCH[:1]]},
    ),
}
