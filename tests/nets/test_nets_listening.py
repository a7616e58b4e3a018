"""Networks with a limited lookahead, and its exact length."""

import numpy as np
import pytest
from refusals import COUNT, NAME, NAN

torch = pytest.importorskip("torch")

from rnn_helpers.nets import BothWays, Gated  # noqa: E402
from rnn_helpers.nets.listening import Convolution, Waiting  # noqa: E402
from rnn_helpers.nets.sizes import units_within  # noqa: E402

pytestmark = pytest.mark.chapter("09")
T = 9


def heard(net, t):
    """The steps whose input moves the output at step t."""
    x = np.random.default_rng(0).normal(size=(T, 2, 1, 3))
    o = net.outputs(net.params(), x)[t]
    moved = []
    for k in range(T):
        other = x.copy()
        other[k] += 1
        if (net.outputs(net.params(), other)[t] != o).any():
            moved.append(k)
    return moved


@pytest.mark.parametrize("delay", [0, 2])
def test_a_delayed_network_receives_that_many_more_steps(delay):
    net = Waiting(3, 4, 2, [0, 5], delay).double()
    assert heard(net, 4) == list(range(5 + delay))
    assert heard(net, T - 1) == list(range(T))


def test_a_delayed_output_equals_the_plain_networks_later_output():
    x = np.random.default_rng(1).normal(size=(T, 2, 5, 3))
    waiting, one_way = Waiting(3, 4, 2, [0, 5], 2).double(), Gated(3, 4, 2, [0, 5], "gru").double()
    later = one_way.outputs(one_way.params(), np.concatenate([x, np.zeros((2, *x.shape[1:]))]))
    np.testing.assert_array_equal(waiting.outputs(waiting.params(), x), later[2:])


@pytest.mark.parametrize("width", [1, 5])
def test_a_convolution_sums_over_its_window(width):
    net = Convolution(3, 4, 2, [0, 5], width).double()
    w = width // 2
    assert heard(net, 4) == list(range(4 - w, 5 + w))
    assert heard(net, 0) == list(range(w + 1))
    x = np.random.default_rng(1).normal(size=(T, 2, 5, 3))
    p = net.params()
    for t in (0, 4):
        a = p["layers.0.b"][:, None] + sum(
            np.einsum("sbx,snx->sbn", x[t + k], p["layers.0.U"][:, w + k])
            for k in range(-w, w + 1)
            if t + k >= 0
        )
        o = np.einsum("sbn,syn->sby", np.tanh(a), p["V"]) + p["c"][:, None]
        np.testing.assert_allclose(net.outputs(p, x)[t], o, rtol=1e-12)


def test_networks_are_made_as_large_as_another_but_no_larger():
    def size(net):
        return sum(p.numel() for p in net.parameters())

    most = size(Waiting(2, 24, 3, [0]))
    for make in (lambda n: BothWays(2, n, 3, [0]), lambda n: Convolution(2, n, 3, [0])):
        n_h = units_within(make, most)
        assert size(make(n_h)) <= most < size(make(n_h + 1))


REFUSALS = {
    Waiting: (
        {"n_x": 2, "n_h": 3, "n_y": 2, "seeds": [0], "delay": 1},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "delay": [-1, 2.5, "a", None, NAN],
            "unit": NAME,
        },
    ),
    Convolution: (
        {"n_x": 2, "n_h": 3, "n_y": 2, "seeds": [0], "width": 3},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "width": [*COUNT, 4],
        },
    ),
    units_within: (
        {"make": lambda n_h: torch.nn.RNN(2, n_h), "most": 100},
        {"make": [None, 3, "a"], "most": [*COUNT, 3]},
    ),
}
