"""The convolutional LSTM is the LSTM at every place, with kernels for matrices."""

import pytest
from refusals import COUNT

torch = pytest.importorskip("torch")

from rnn_helpers.nets import ConvLSTM, Gated  # noqa: E402

pytestmark = pytest.mark.chapter("16")

N_X, N_H, SEEDS, T, B = 2, 3, [0, 5], 4, 2


def layer(**parts):
    return ConvLSTM(N_X, N_H, SEEDS, **parts).double()


def pictures(height=5, width=6, steps=T):
    generator = torch.Generator().manual_seed(0)
    shape = steps, len(SEEDS), B, N_X, height, width
    return torch.randn(shape, generator=generator, dtype=torch.float64)


@pytest.mark.parametrize("peephole", [False, True])
def test_it_is_the_equations_with_convolutions_and_products_entry_by_entry(peephole):
    net, x = layer(peephole=peephole), pictures()
    outputs = net(x)
    for s in range(len(SEEDS)):
        P = {name: p[s] for name, p in net.named_parameters()}
        h = state = torch.zeros(B, N_H, 5, 6, dtype=torch.float64)

        def total(k, x_t, h, P=P):
            conv = torch.nn.functional.conv2d
            return conv(x_t, P[f"U{k}"], P[f"b{k}"], padding=1) + conv(h, P[f"W{k}"], padding=1)

        def gate(k, x_t, h, state, P=P, total=total):
            seen = P[f"p{k}"][:, None, None] * state if peephole else 0
            return torch.sigmoid(total(k, x_t, h) + seen)

        for t in range(T):
            f, g = gate("f", x[t, s], h, state), gate("g", x[t, s], h, state)
            state = f * state + g * torch.tanh(total("", x[t, s], h))
            h = torch.tanh(state) * gate("o", x[t, s], h, state)
            torch.testing.assert_close(outputs[t, s], h, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("parts", [{}, {"coupled": True}, {"shared": "product"}], ids=str)
def test_on_a_picture_of_one_place_it_is_the_lstm(parts):
    net, plain = layer(kernel=1, **parts), Gated(N_X, N_H, 1, SEEDS, **parts).double()
    x = pictures(1, 1)
    torch.testing.assert_close(net(x)[..., 0, 0], plain.layers[0](x[..., 0, 0]))


def test_a_picture_that_is_moved_moves_the_state():
    net, x = layer(), torch.zeros(2, len(SEEDS), 1, N_X, 12, 12, dtype=torch.float64)
    x[0, ..., 5, 5] = 1
    here, there = net(x), net(x.roll((1, 2), dims=(-2, -1)))
    inside = (..., slice(4, 9), slice(4, 10))
    torch.testing.assert_close(there[inside], here.roll((1, 2), dims=(-2, -1))[inside])


def test_its_parameters_do_not_depend_on_the_size_of_the_picture():
    net = layer()
    assert sum(p.numel() for p in net.parameters()) == 2 * 4 * (9 * N_X * N_H + 9 * N_H**2 + N_H)
    assert net(pictures(3, 8)).shape == (T, 2, B, N_H, 3, 8)


def test_networks_do_not_affect_each_other():
    x = pictures()
    alone = ConvLSTM(N_X, N_H, SEEDS[1:]).double()
    torch.testing.assert_close(layer()(x)[:, 1:], alone(x[:, 1:]))


REFUSALS = {
    ConvLSTM: (
        {"n_x": 2, "n_h": 3, "seeds": [0]},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "kernel": [*COUNT, 2],
            "squash": ["no such", 3],
        },
    ),
    ConvLSTM(2, 3, [0]).forward: (
        {"x": torch.zeros(1, 1, 1, 2, 3, 3)},
        {"x": [torch.zeros(1, 1, 2, 3, 3), torch.zeros(1, 2, 1, 2, 3, 3)]},
    ),
}
