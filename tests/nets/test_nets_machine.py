"""The machine's heads match the reference; cells keep their content until overwritten."""

import numpy as np
import pytest
from refusals import COUNT

torch = pytest.importorskip("torch")

from rnn_helpers.nets.bits import Bits  # noqa: E402
from rnn_helpers.nets.machine import Machine  # noqa: E402
from rnn_helpers.reference import (  # noqa: E402
    address_forward,
    sigmoid,
    softmax,
    weighted_average,
    write_cells,
)
from rnn_helpers.tasks.copying import CopyBits  # noqa: E402
from rnn_helpers.training import Adam, fit  # noqa: E402

pytestmark = pytest.mark.chapter("18")

TASK = CopyBits(3)
SEEDS, N_H, CELLS, WIDTH = [0, 5], 6, 7, 4


def machine(seeds=SEEDS):
    return Machine(TASK.n_x, N_H, TASK.n_y, seeds, CELLS, WIDTH).double()


def softplus(a):
    return np.log1p(np.exp(a))


def said(params, h):
    """Return the two heads' parameters for a state (B, n_h), as the reference takes them."""
    numbers = h @ params["heads.W"].T + params["heads.b"]
    ends = np.cumsum([WIDTH, 1, 1, 3, 1, WIDTH, WIDTH, WIDTH, 1, 1, 3])
    k, beta, g, s, gamma, e, a, *to_read = np.split(numbers, ends, axis=-1)

    def head(k, beta, g, s, gamma):
        return {
            "k": np.tanh(k),
            "beta": softplus(beta[:, 0]),
            "g": sigmoid(g[:, 0]),
            "s": softmax(s).T,
            "gamma": 1 + softplus(gamma[:, 0]),
        }

    return head(k, beta, g, s, gamma), head(*to_read), sigmoid(e), np.tanh(a)


def controller(params, x, h, c):
    """An LSTM's step."""
    name = "controller."

    def gate(part):
        return (
            params[f"{name}b{part}"]
            + x @ params[f"{name}U{part}"].T
            + h @ params[f"{name}W{part}"].T
        )

    c = sigmoid(gate("f")) * c + sigmoid(gate("g")) * np.tanh(gate(""))
    return sigmoid(gate("o")) * np.tanh(c), c


def test_every_step_is_that_of_the_equations():
    net = machine()
    params = {name: 3 * value for name, value in net.params().items()}
    x, _, _ = next(TASK.batches([3], 2, 0))
    did = net.does(params, x)
    for s in range(len(SEEDS)):
        own = {name: value[s] for name, value in params.items()}
        h, c, r = np.zeros((2, N_H)), np.zeros((2, N_H)), np.zeros((2, WIDTH))
        M = np.zeros((CELLS, 2, WIDTH))
        written = read = np.eye(CELLS)[:, :1].repeat(2, axis=1)
        for t, x_t in enumerate(x):
            h, c = controller(own, np.concatenate([x_t, r], axis=1), h, c)
            to_write, to_read, e, a = said(own, h)
            written = address_forward(M, to_write, written).weights
            M = write_cells(M, written, e, a)
            read = address_forward(M, to_read, read).weights
            r = weighted_average(read, M)
            o = np.concatenate([h, r], axis=1) @ own["V"].T + own["c"]
            for ours, theirs in ((did.written, written), (did.read, read)):
                np.testing.assert_allclose(ours[t, s], theirs.T, atol=1e-6)
            np.testing.assert_allclose(did.M[t, s], M.swapaxes(0, 1), atol=1e-6)
            np.testing.assert_allclose(did.o[t, s], o, atol=1e-6)
    np.testing.assert_allclose(net.outputs(params, x), did.o)


@pytest.mark.parametrize(
    "make", [machine, lambda seeds: Bits(TASK.n_x, N_H, TASK.n_y, seeds, "lstm").double()]
)
def test_networks_side_by_side_are_as_if_alone_and_the_loss_is_that_of_bits(make):
    both, alone = make(SEEDS), make(SEEDS[1:])
    x, y, mask = next(TASK.batches([2, 3], 4, SEEDS))
    loss, grads = both.loss_and_grads(both.params(), (x, y, mask))
    one, gradient = alone.loss_and_grads(alone.params(), (x[:, 1:], y[:, 1:], mask[:, 1:]))
    np.testing.assert_allclose(loss[1:], one, rtol=1e-6)
    for name, each in gradient.items():
        np.testing.assert_allclose(grads[name][1:], each, rtol=1e-4, atol=1e-7)
    p = sigmoid(both.outputs(both.params(), x))
    each = -np.where(y, np.log(p), np.log(1 - p)).mean(axis=-1)
    np.testing.assert_allclose(loss, (each * mask).sum(axis=(0, 2)) / mask.sum(axis=(0, 2)))
    right = ((p > 0.5) == y).mean(axis=-1)
    expected = (right * mask).sum(axis=(0, 2)) / mask.sum(axis=(0, 2))
    np.testing.assert_allclose(both.right(both.params(), (x, y, mask)), expected)


def test_a_closed_gate_and_a_shift_move_the_head_a_cell_further_at_each_step():
    net = machine([0])
    with torch.no_grad():
        net.heads.W.zero_()
        net.heads.b.zero_()
        net.heads.b[0, WIDTH + 1] = -50.0  # the gate: never by content
        net.heads.b[0, WIDTH + 2 : WIDTH + 5] = torch.tensor([-50.0, -50.0, 50.0])
    x = torch.zeros(CELLS, 1, 1, TASK.n_x, dtype=torch.float64)
    written = net(x, whole=True).written[:, 0, 0].detach()
    np.testing.assert_allclose(written, np.roll(np.eye(CELLS), 1, axis=1), atol=1e-6)


@pytest.mark.nightly(files=["rnn_helpers/nets/machine.py", "rnn_helpers/nets/units.py"])
def test_it_learns_to_copy_two_vectors():
    seeds = [0, 1]
    net = Machine(TASK.n_x, 16, TASK.n_y, seeds, 8, 6)
    data = TASK.batches([1, 2], 16, [[seed, 2] for seed in seeds])
    made = fit(net.loss_and_grads, net.params(), data, steps=400, optimizer=Adam(0.01), clip=1.0)
    tested = next(TASK.batches([2], 64, [[seed, 3] for seed in seeds]))
    assert net.right(made.params, tested).min() > 0.9


MACHINE = Machine(3, 2, 2, [0], 3, 2)
SAYS_BITS = Bits(3, 2, 2, [0])
COPIED = (np.zeros((5, 1, 3)), np.zeros((5, 1, 2), int))

REFUSALS = {
    Machine: (
        {"n_x": 3, "n_h": 2, "n_y": 2, "seeds": [0], "n_cells": 3, "width": 2},
        {
            **dict.fromkeys(("n_x", "n_h", "n_y", "n_cells", "width"), COUNT),
            "seeds": [None, 3, [], [-1], [1.5]],
        },
    ),
    MACHINE.does: (
        {"params": MACHINE.params(), "x": COPIED[0]},
        {"params": [None, {}, 3, {"V": 3}], "x": [None, "a", np.ones((2, 3)), np.ones((2, 1, 4))]},
    ),
    **{
        getattr(SAYS_BITS, name): (
            {"params": SAYS_BITS.params(), "batch": COPIED},
            {
                "params": [None, {}, 3, {"V": 3}],
                "batch": [None, 3, (), COPIED[:1], (COPIED[0], np.full((5, 1, 2), 2))]
                + [(COPIED[0], np.ones(shape, int)) for shape in ((5, 1, 1), (4, 1, 2), (5, 2))],
            },
        )
        for name in ("loss_and_grads", "right")
    },
}
