"""Soft and sampled lookup of facts: values read and gradients."""

from functools import partial

import numpy as np
import pytest
from refusals import COUNT, NAME, NAN

torch = pytest.importorskip("torch")

from rnn_helpers.nets.lookup import Lookup  # noqa: E402
from rnn_helpers.reference import grad_drawn, softmax  # noqa: E402
from rnn_helpers.tasks import Facts  # noqa: E402
from rnn_helpers.training import Adam, fit  # noqa: E402

pytestmark = pytest.mark.chapter("18")
TASK, SEEDS, WIDTH = Facts(6, 3, 2), [0, 5], 5


def lookup(address, seeds=SEEDS, hops=2, task=TASK):
    net = Lookup(task.n_x, WIDTH, task.n_y, seeds, hops, address)
    return net, {name: p.astype(float) for name, p in net.params().items()}


@pytest.mark.parametrize("address", ["soft", "hard"])
def test_a_network_looks_up_hop_by_hop(address):
    net, params = lookup(address)
    about, says, asked, *rest = next(TASK.batches(4, 0))
    o, weights = net.looks(params, (about, says, asked, *rest))
    for s, b in np.ndindex(2, 4):
        own = {name: p[s] for name, p in params.items()}
        u = own["asked"][asked[b]]
        for hop in range(2):
            w = softmax(own["about"][about[b]] @ u)
            np.testing.assert_allclose(weights[s, b, hop], w)
            values = own["says"][says[b]]
            u = w @ values if address == "soft" else values[w.argmax()]
        np.testing.assert_allclose(o[s, b], own["V"] @ u + own["c"])


@pytest.mark.parametrize("told", [None, 0.5])
def test_the_soft_gradient_is_the_quotient_of_the_loss(told):
    net, params = lookup("soft")
    batch = next(TASK.batches(4, 0))
    _, grads = net.loss_and_grads(params, batch, told)
    rng = np.random.default_rng(1)
    for name, p in params.items():
        step = 1e-6 * rng.normal(size=p.shape)

        def total(sign, name=name, p=p, step=step):
            moved = params | {name: p + sign * step}
            loss, _ = net.loss_and_grads(moved, batch)
            if told is None:
                return loss
            _, weights = net.looks(moved, batch)
            found = np.take_along_axis(weights, batch[4][None, ..., None], -1)[..., 0]
            return loss - told * np.log(found).sum(-1).mean(-1)

        axes = tuple(range(1, p.ndim))
        expected = (grads[name] * step).sum(axis=axes)
        np.testing.assert_allclose((total(1) - total(-1)) / 2, expected, rtol=1e-4, atol=1e-11)


def test_reinforce_is_on_average_the_gradient_of_the_mean_reward():
    """Over many draws; exactly, by the reference, for one hop."""
    task = Facts(6, 3, 1)
    net, params = lookup("hard", [0], hops=1, task=task)
    about, says, asked, y, where = next(task.batches(1, 0))
    many = [np.repeat(part, 40_000, axis=0) for part in (about, says, asked, y, where)]
    _, grads = net.loss_and_grads(params, many)
    own = {name: p[0] for name, p in params.items()}
    keys, values = own["about"][about[0]], own["says"][says[0]]
    w = softmax(keys @ own["asked"][asked[0]])
    reward = np.log(softmax(values @ own["V"].T + own["c"])[:, y[0]])
    on_scores = sum(w[i] * grad_drawn(w, i, reward[i], 0.3) for i in range(3))
    np.testing.assert_allclose(-grads["asked"][0, asked[0]], on_scores @ keys, atol=0.01)


def test_draws_come_with_their_weights_and_are_each_networks_own():
    net, _ = lookup("hard", [0])
    log_weights = torch.log(torch.tensor([0.5, 0.3, 0.2])).expand(1, 20_000, 3)
    share = torch.bincount(net._one(log_weights, draw=True)[0]) / 20_000
    np.testing.assert_allclose(share, [0.5, 0.3, 0.2], atol=0.02)


@pytest.mark.parametrize("address", ["soft", "hard"])
def test_networks_side_by_side_are_as_if_alone(address):
    both, params = lookup(address)
    alone, own = lookup(address, SEEDS[1:])
    batch = next(TASK.batches(4, SEEDS))
    loss, grads = both.loss_and_grads(params, batch, 1.0)
    one, gradient = alone.loss_and_grads(own, [part[1:] for part in batch], 1.0)
    np.testing.assert_allclose(loss[1:], one)
    for name, each in gradient.items():
        np.testing.assert_allclose(grads[name][1:], each, atol=1e-12)


@pytest.mark.parametrize("address", ["soft", "hard"])
def test_it_learns_to_look_up_new_facts(address):
    task = Facts(8, 3, 1)
    net = Lookup(task.n_x, 16, task.n_y, SEEDS, 1, address)
    data = task.batches(32, [[seed, 2] for seed in SEEDS])
    made = fit(net.loss_and_grads, net.params(), data, steps=500, optimizer=Adam(0.02), clip=1.0)
    batch = next(task.batches(200, [[seed, 3] for seed in SEEDS]))
    assert net.right(made.params, batch).mean(axis=1).min() > 0.9
    _, weights = net.looks(made.params, batch)
    assert (weights.argmax(-1) == batch[4]).mean() > 0.9


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.uint64])
def test_tokens_may_be_of_any_integer_type(kind):
    small = [np.array(part, kind) for part in TOLD_FACTS]
    for found, expected in zip(
        LOOKS_UP.looks(LOOKS_UP.params(), small),
        LOOKS_UP.looks(LOOKS_UP.params(), TOLD_FACTS),
        strict=True,
    ):
        np.testing.assert_array_equal(found, expected)


LOOKS_UP = Lookup(4, 3, 2, [0])
TOLD_FACTS = ([[0, 1]], [[2, 3]], [0], [1], [[0]])

REFUSALS = {
    Lookup: (
        {"n_x": 4, "width": 3, "n_y": 2, "seeds": [0], "hops": 1, "address": "soft"},
        {
            **dict.fromkeys(("n_x", "width", "n_y", "hops"), COUNT),
            "seeds": [None, 3, [], [-1], [1.5]],
            "address": NAME,
        },
    ),
    **{
        getattr(LOOKS_UP, name): (
            {"params": LOOKS_UP.params(), "batch": TOLD_FACTS} | more,
            {
                "params": [None, {}, 3, {"V": 3}],
                "batch": [
                    None,
                    3,
                    (),
                    TOLD_FACTS[:2],
                    ([["a"]], *TOLD_FACTS[1:]),
                    ([[0, 9]], *TOLD_FACTS[1:]),
                    ([[0]], *TOLD_FACTS[1:]),
                    ([0, 1], [2, 3], 0, [1]),
                ],
            },
        )
        for name, more in {"looks": {}, "right": {}, "loss_and_grads": {"supervision": 1.0}}.items()
    },
    partial(LOOKS_UP.loss_and_grads, LOOKS_UP.params()): (
        {"batch": TOLD_FACTS, "supervision": 1.0},
        {
            "batch": [
                TOLD_FACTS[:3],
                TOLD_FACTS[:4],
                (*TOLD_FACTS[:3], [2], [[0]]),
                (*TOLD_FACTS[:3], [0, 1], [[0]]),
                (*TOLD_FACTS[:4], [0]),
                (*TOLD_FACTS[:4], [[2]]),
            ],
            "supervision": [0, -1, NAN, "a", [1]],
        },
    ),
}
