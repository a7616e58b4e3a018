"""Networks that look at pictures: receptive fields, and values against sums by hand."""

import numpy as np
import pytest
from refusals import COUNT, NAN

torch = pytest.importorskip("torch")

from rnn_helpers.nets.four_ways import (  # noqa: E402
    Attention,
    Convolutions,
    FourWays,
    RepeatedConvolution,
)

pytestmark = pytest.mark.chapter("09")
SIZE = 6
KINDS = [FourWays, Convolutions, RepeatedConvolution, Attention]


def heard(net, row, column):
    """Return the receptive field of one cell's output as a boolean picture."""
    x = np.random.default_rng(0).normal(size=(2, 1, SIZE, SIZE, 3))
    x = torch.tensor(x, requires_grad=True)
    net.double().look(x)[:, :, row, column].square().sum().backward()
    return (x.grad.abs().sum(dim=(0, 1, 4)) > 0).numpy()


def test_after_four_sweeps_a_cell_depends_on_the_whole_picture():
    assert heard(FourWays(3, 2, 2, [0, 5]), 1, 4).all()
    assert heard(FourWays(3, 2, 2, [0, 5], n_layers=2), 0, 0).all()


@pytest.mark.parametrize("n_layers", [1, 2, 4])
def test_each_convolution_widens_the_receptive_field_by_one_cell(n_layers):
    found = heard(Convolutions(3, 8, 2, [0, 5], n_layers), 1, 4)
    rows, columns = np.indices((SIZE, SIZE))
    near = np.maximum(abs(rows - 1), abs(columns - 4)) <= n_layers
    np.testing.assert_array_equal(found, near)


@pytest.mark.parametrize(
    "net", [RepeatedConvolution(3, 4, 2, [0, 5]), Attention(3, 2, 2, [0, 5], 1)]
)
def test_repetitions_and_attention_reach_across_the_picture(net):
    assert heard(net, 0, 0).all()


def test_a_repeated_convolution_is_a_gated_recurrence_at_every_cell():
    net = RepeatedConvolution(3, 2, 2, [0, 5]).double()
    x = np.random.default_rng(1).normal(size=(2, 3, SIZE, SIZE, 3))
    p, h = net.params(), np.zeros((2, 3, SIZE, SIZE, 2))

    def around(values, kernels):
        padded = np.pad(values, ((0, 0), (0, 0), (1, 1), (1, 1), (0, 0)))
        return sum(
            np.einsum(
                "sbijx,snx->sbijn", padded[:, :, i : i + SIZE, j : j + SIZE], kernels[..., i, j]
            )
            for i, j in np.ndindex(3, 3)
        )

    for _ in range(SIZE):
        gate, target = (
            around(x, p[f"unit.U{part}"])
            + around(h, p[f"unit.W{part}"])
            + p[f"unit.b{part}"][:, None, None, None]
            for part in ("u", "")
        )
        u = 1 / (1 + np.exp(-gate))
        h = u * h + (1 - u) * np.tanh(target)
    np.testing.assert_allclose(net.look(torch.tensor(x)).detach(), h, rtol=1e-9, atol=1e-12)


def test_attention_is_that_of_pytorch_with_terms_for_relative_positions():
    net = Attention(3, 2, 2, [7], 1, furthest=2).double()
    layer = net.layers[0]
    layer.R.data = torch.tensor(np.random.default_rng(0).normal(size=layer.R.shape))
    h = torch.tensor(np.random.default_rng(1).normal(size=(1, 3, 12, 4)))
    normal = torch.nn.functional.layer_norm(h, (4,))[0]
    q, k, v = (
        part.view(3, 12, 2, 2).transpose(1, 2) for part in (normal @ layer.QKV[0].T).chunk(3, -1)
    )
    terms = torch.zeros(2, 12, 12, dtype=torch.float64)
    for one, other in np.ndindex(12, 12):  # three rows of four cells
        down, right = (
            int(np.clip(b - a, -2, 2))
            for a, b in zip(divmod(one, 4), divmod(other, 4), strict=True)
        )
        terms[:, one, other] = layer.R[0, :, down + 2, right + 2]
    attended = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=terms)
    h_ = h[0] + attended.transpose(1, 2).reshape(3, 12, 4) @ layer.O[0].T
    inner = torch.relu(torch.nn.functional.layer_norm(h_, (4,)) @ layer.U[0].T + layer.b[0])
    expected = h_ + inner @ layer.W[0].T
    np.testing.assert_allclose(layer(h, 3, 4)[0].detach(), expected.detach(), rtol=1e-9)


def test_the_sweeps_are_those_of_recurrent_networks_along_columns_and_rows():
    net = FourWays(3, 4, 2, [0, 5]).double()
    x = np.random.default_rng(1).normal(size=(2, 3, SIZE, SIZE, 3))
    x_ = torch.tensor(x)
    (down, up), (right, left) = net.sweeps
    columns = x_.permute(2, 0, 1, 3, 4).flatten(2, 3)  # (T, S, B W, n)
    h = torch.cat([down(columns), up(columns.flip(0)).flip(0)], -1)
    h = h.unflatten(2, (3, SIZE)).permute(1, 2, 0, 3, 4)
    rows = h.permute(3, 0, 1, 2, 4).flatten(2, 3)
    h = torch.cat([right(rows), left(rows.flip(0)).flip(0)], -1)
    expected = h.unflatten(2, (3, SIZE)).permute(1, 2, 3, 0, 4)
    np.testing.assert_allclose(net.look(x_).detach(), expected.detach(), rtol=1e-10, atol=1e-12)


def test_a_convolution_is_its_sum():
    net = Convolutions(3, 4, 2, [0, 5], 1).double()
    x = np.random.default_rng(1).normal(size=(2, 3, SIZE, SIZE, 3))
    p = net.params()
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1), (0, 0)))
    a = p["layers.0.b"][:, None, None, None] + sum(
        np.einsum(
            "sbijx,snx->sbijn", padded[:, :, i : i + SIZE, j : j + SIZE], p["layers.0.U"][..., i, j]
        )
        for i, j in np.ndindex(3, 3)
    )
    np.testing.assert_allclose(
        net.look(torch.tensor(x)).detach(), np.maximum(a, 0), rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("kind", KINDS)
def test_networks_side_by_side_are_as_if_alone_and_the_loss_is_that_at_the_marks(kind):
    rng = np.random.default_rng(2)
    x, y = rng.integers(2, size=(2, 4, SIZE, SIZE)), rng.integers(2, size=(2, 4))
    x[..., 1, 1] = x[..., 4, 2] = 2
    both, alone = kind(3, 3, 2, [0, 5]), kind(3, 3, 2, [5])
    loss, grads = both.loss_and_grads(both.params(), (x, y))
    one, gradient = alone.loss_and_grads(alone.params(), (x[1:], y[1:]))
    np.testing.assert_allclose(loss[1:], one, rtol=1e-5)
    for name, each in gradient.items():
        np.testing.assert_allclose(grads[name][1:], each, rtol=1e-3, atol=1e-6)
    o = both(torch.eye(3)[torch.tensor(x)])
    o = ((o[:, :, 1, 1] + o[:, :, 4, 2]) / 2).detach().numpy()
    np.testing.assert_allclose(both.outputs(both.params(), x), o, rtol=1e-4, atol=1e-6)
    expected = -(np.take_along_axis(o, y[..., None], -1)[..., 0] - np.log(np.exp(o).sum(-1))).mean(
        1
    )
    np.testing.assert_allclose(loss, expected, rtol=1e-4)
    np.testing.assert_array_equal(both.right(both.params(), (x, y)), o.argmax(-1) == y)


@pytest.mark.parametrize("kind", KINDS)
def test_all_cells_of_a_picture_are_read_in_the_same_way(kind):
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 4, SIZE, SIZE, 3)), rng.integers(2, size=(2, 4))
    net = kind(3, 3, 2, [0, 5])
    o = net(torch.tensor(x, dtype=torch.float32)).mean(dim=(2, 3)).detach().numpy()
    np.testing.assert_allclose(net.outputs(net.params(), x), o, rtol=1e-4, atol=1e-6)
    loss, _ = net.loss_and_grads(net.params(), (x, y))
    right = np.take_along_axis(o, y[..., None], -1)[..., 0]
    np.testing.assert_allclose(loss, (np.log(np.exp(o).sum(-1)) - right).mean(axis=1), rtol=1e-4)
    shown = net.right(net.params(), (x, y))
    np.testing.assert_array_equal(shown, o.argmax(-1) == y)


LOOKS = Convolutions(3, 2, 2, [0], 1)
SEEN = (np.array([[[2, 1]]]), np.array([0]))

REFUSALS = {
    **{
        kind: (
            {"n_x": 3, "n_h": 2, "n_y": 2, "seeds": [0], "n_layers": 1},
            {
                "n_x": COUNT,
                "n_h": COUNT,
                "n_y": COUNT,
                "seeds": [None, 3, [], [-1], [1.5]],
                "n_layers": COUNT,
            },
        )
        for kind in (FourWays, Convolutions)
    },
    RepeatedConvolution: (
        {"n_x": 3, "n_h": 2, "n_y": 2, "seeds": [0]},
        {"n_x": COUNT, "n_h": COUNT, "n_y": COUNT, "seeds": [None, 3, [], [-1], [1.5]]},
    ),
    Attention: (
        {"n_x": 3, "n_h": 2, "n_y": 2, "seeds": [0], "n_layers": 1, "furthest": 2},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "n_layers": COUNT,
            "furthest": COUNT,
        },
    ),
    **{
        getattr(LOOKS, name): (
            {"params": LOOKS.params(), "batch": SEEN},
            {"batch": [None, 3, (), SEEN[:1], (SEEN[0], [0, 1]), ([[[0, 1]]], [0]), ([[2]], [0])]},
        )
        for name in ("loss_and_grads", "right")
    },
    LOOKS.outputs: (
        {"params": LOOKS.params(), "x": SEEN[0]},
        {
            "x": [
                None,
                "a",
                [[2]],
                [[[3]]],
                [[[0, 1]]],
                [[[0.5]]],
                [[[[0.5, 0.5]]]],
                [[[[NAN] * 3]]],
            ]
        },
    ),
}
