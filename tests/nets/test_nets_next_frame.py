"""The two next-frame networks: their outputs and their receptive fields."""

from functools import wraps
from itertools import repeat

import numpy as np
import pytest
from refusals import COUNT, NAN

torch = pytest.importorskip("torch")

from rnn_helpers.nets import Gated, NextFrame  # noqa: E402
from rnn_helpers.training import Adam, fit  # noqa: E402

pytestmark = pytest.mark.chapter("16")

SEEDS = [0, 5]
KERNELS = pytest.mark.parametrize("kernel", [None, 3])


def films(steps=4, batch=3, size=5):
    shape = steps, len(SEEDS), batch, size, size
    return np.random.default_rng(0).random(shape).astype(np.float32)


def test_fully_connected_it_is_an_lstm_on_the_row_of_pixels():
    x, plain = films(), Gated(25, 4, 25, SEEDS)
    net = NextFrame(5, 4, SEEDS)
    params = {name.replace("layers.0", "layer"): p for name, p in plain.params().items()}
    np.testing.assert_array_equal(params["V"], net.params()["V"])
    expected = plain.outputs(plain.params(), x.reshape(*x.shape[:3], 25)).reshape(x.shape)
    np.testing.assert_allclose(net.outputs(params, x), expected, rtol=1e-5, atol=1e-6)


def test_with_kernels_it_is_translation_equivariant():
    net, x = NextFrame(14, 3, SEEDS, kernel=3), np.zeros((2, 1, 14, 14), np.float32)
    x[0, 0, 5, 5] = 1
    here, there = (net.outputs(net.params(), np.roll(x, k, axis=(2, 3))) for k in (0, 3))
    inside = (..., slice(4, 10), slice(4, 10))
    np.testing.assert_allclose(np.roll(there, -3, axis=(3, 4))[inside], here[inside], atol=1e-6)
    size = sum(p[0].size for p in net.params().values())
    assert size == 4 * (9 * 3 + 9 * 9 + 3) + 3 + 1
    assert sum(p[0].size for p in NextFrame(40, 3, SEEDS, kernel=3).params().values()) == size


@KERNELS
def test_the_loss_is_the_squared_error_of_unmasked_outputs(kernel):
    net, x, y = NextFrame(5, 4, SEEDS, kernel), films(), films()[::-1]
    mask = np.ones((4, 3), bool)
    mask[0] = False
    wrong = (net.outputs(net.params(), x) - y) ** 2
    loss, grads = net.loss_and_grads(net.params(), (x, y, mask))
    np.testing.assert_allclose(loss, wrong[1:].mean(axis=(0, 2, 3, 4)), rtol=1e-5)
    assert {n: g.shape for n, g in grads.items()} == {n: p.shape for n, p in net.params().items()}


@KERNELS
def test_networks_do_not_affect_each_other(kernel):
    x, both, one = films(), NextFrame(5, 4, SEEDS, kernel), NextFrame(5, 4, SEEDS[1:], kernel)
    np.testing.assert_allclose(
        both.outputs(both.params(), x)[:, 1:], one.outputs(one.params(), x[:, 1:]), atol=1e-6
    )


@pytest.mark.slow
@KERNELS
def test_it_learns(kernel):
    net, line = NextFrame(9, 8, SEEDS, kernel), np.eye(9, dtype=np.float32)[:6]
    film = np.einsum("ti,tj->tij", line, line)[:, None]  # a pixel moves along the diagonal
    batches = repeat((film[:-1], film[1:]))
    made = fit(net.loss_and_grads, net.params(), batches, steps=60, optimizer=Adam(0.02))
    assert (made.loss[-5:].mean(axis=0) < 0.8 * made.loss[:2].mean(axis=0)).all()


FRAMES, FILM = NextFrame(9, 3, [0]), np.zeros((2, 2, 9, 9))

REFUSALS = {
    NextFrame: (
        {"size": 9, "n_h": 3, "seeds": [0]},
        {
            "size": COUNT,
            "n_h": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "kernel": [0, -1, 2.5, "3", NAN, [3], 2],
        },
    ),
    FRAMES.outputs: (
        {"params": FRAMES.params(), "x": FILM},
        {"params": [None, {}, 3], "x": [None, "a", 3, FILM[0], FILM[..., 1:], NAN * FILM]},
    ),
    wraps(FRAMES.loss_and_grads)(
        lambda **given: FRAMES.loss_and_grads(FRAMES.params(), (FILM, *given.values()))
    ): (
        {"y": FILM, "mask": np.ones((2, 2))},
        {
            "y": [None, "a", 3, FILM[0], FILM[:1], FILM[..., 1:], NAN * FILM],
            "mask": ["a", NAN, 2, np.zeros((2, 2)), np.ones((2, 3))],
        },
    ),
}
