from functools import partial

import numpy as np
import pytest
from networks import GRU, LSTM, PARAMS, SEEDED, UNFIT, P

from rnn_helpers.reference import (
    gru_forward,
    init_gru,
    init_lstm,
    init_rnn,
    lstm_forward,
    one_hot,
    rnn_backward,
    rnn_forward,
    rnn_loss,
)
from rnn_helpers.reference.notation import BLOCKS

torch = pytest.importorskip("torch")

from rnn_helpers.nets import from_torch, to_torch  # noqa: E402

N_X, N_H, N_Y, T, B = 5, 4, 6, 7, 3


@pytest.fixture
def batch():
    rng = np.random.default_rng(0)
    return rng.integers(N_X, size=(T, B)), rng.integers(N_Y, size=(T, B))


def run_torch(rnn, linear, x, y, h0=None):
    h, _ = rnn(torch.tensor(one_hot(x, N_X), dtype=rnn.weight_hh_l0.dtype), h0)
    o = linear(h)
    loss = torch.nn.functional.cross_entropy(
        o.flatten(0, 1), torch.tensor(y).flatten(), reduction="sum"
    )
    loss.backward()
    return h, o, loss


@pytest.mark.chapter("03")
@pytest.mark.equation("10.8", "10.9", "10.10", "10.14")
def test_torchs_network_with_our_parameters_computes_the_same_and_has_the_same_gradients(batch):
    x, y = batch
    params = init_rnn(N_X, N_H, N_Y, seed=1)
    params["b"], params["c"] = np.linspace(-1, 1, N_H), np.linspace(1, 2, N_Y)
    rnn, linear = to_torch(params)
    h0 = np.random.default_rng(1).normal(size=(B, N_H))
    initial = torch.tensor(h0[None], requires_grad=True)
    h, o, loss = run_torch(rnn, linear, x, y, initial)
    run = rnn_forward(params, x, h0)
    np.testing.assert_allclose(run.h, h.detach(), rtol=1e-12)
    np.testing.assert_allclose(run.o, o.detach(), rtol=1e-12)
    assert rnn_loss(run, y) == pytest.approx(loss.item(), rel=1e-13)
    grads = rnn_backward(params, run, y)
    for name, tensor in {
        "U": rnn.weight_ih_l0,
        "W": rnn.weight_hh_l0,
        "b": rnn.bias_ih_l0,
        "V": linear.weight,
        "c": linear.bias,
    }.items():
        np.testing.assert_allclose(grads[name], tensor.grad, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(grads["h0"], initial.grad[0], rtol=1e-10, atol=1e-13)


@pytest.mark.chapter("03")
def test_our_network_with_torchs_parameters_computes_the_same(batch):
    x, y = batch
    torch.manual_seed(0)
    rnn, linear = torch.nn.RNN(N_X, N_H).double(), torch.nn.Linear(N_H, N_Y).double()
    h, _, loss = run_torch(rnn, linear, x, y)
    params = from_torch(rnn, linear)
    np.testing.assert_array_equal(params["b"], (rnn.bias_ih_l0 + rnn.bias_hh_l0).detach())
    run = rnn_forward(params, x)
    np.testing.assert_allclose(run.h, h.detach(), rtol=1e-12)
    assert rnn_loss(run, y) == pytest.approx(loss.item(), rel=1e-13)


def noisy(params):
    """Return parameters that are all nonzero."""
    rng = np.random.default_rng(2)
    return {name: array + rng.normal(size=array.shape) for name, array in params.items()}


def gated(kind, params, x, h0, s0):
    """Outputs and state of the reference, and the initial states as PyTorch wants them."""
    if kind is torch.nn.GRU:
        return gru_forward(params, x, h0, reset="after").h, None, torch.tensor(h0[None])
    run = lstm_forward(params, x, h0, s0)
    return run.h, run.s[-1], (torch.tensor(h0[None]), torch.tensor(s0[None]))


@pytest.mark.chapter("16")
@pytest.mark.equation("10.40", "10.41", "10.42", "10.43", "10.44", "10.45", "10.46", "10.47")
@pytest.mark.parametrize("kind", [torch.nn.LSTM, torch.nn.GRU])
@pytest.mark.parametrize("theirs", [False, True])
def test_the_gated_networks_of_the_book_and_of_torch_compute_the_same(kind, theirs, batch):
    x, _ = batch
    if theirs:
        torch.manual_seed(0)
        module, linear = kind(N_X, N_H).double(), torch.nn.Linear(N_H, N_Y).double()
        params = from_torch(module, linear)
    elif kind is torch.nn.LSTM:
        params = noisy(init_lstm(N_X, N_H, N_Y))
    else:
        params = noisy(init_gru(N_X, N_H, N_Y, reset="after"))
    if not theirs:
        module, linear = to_torch(params)
    h0, s0 = np.random.default_rng(1).normal(size=(2, B, N_H))
    h, s, initial = gated(kind, params, x, h0, s0)
    out, last = module(torch.tensor(one_hot(x, N_X)), initial)
    np.testing.assert_allclose(h, out.detach(), rtol=1e-12, atol=1e-14)
    if s is not None:
        np.testing.assert_allclose(s, last[1][0].detach(), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("init", [init_rnn, init_lstm, init_gru])
def test_parameters_survive_the_way_there_and_back(init, dtype):
    params = init(N_X, N_H, N_Y, dtype=dtype, **({"reset": "after"} if init is init_gru else {}))
    back = from_torch(*to_torch(params))
    for name, array in params.items():
        np.testing.assert_array_equal(back[name], array)
        assert back[name].dtype == dtype
    assert back.keys() == params.keys()


def test_the_copies_share_no_memory():
    params = init_rnn(N_X, N_H, N_Y)
    rnn, linear = to_torch(params)
    back = from_torch(rnn, linear)
    for array in params.values():
        array += 1
    assert (rnn.weight_hh_l0.detach().numpy() != params["W"]).all()
    assert all((back[name] != array).all() for name, array in params.items())
    back["V"] += 1
    assert (linear.weight.detach().numpy() != back["V"]).all()


def test_a_missing_bias_is_zero():
    params = from_torch(torch.nn.RNN(2, 3, bias=False), torch.nn.Linear(3, 4, bias=False))
    assert params["b"].shape == (3,)
    assert params["c"].shape == (4,)
    assert not params["b"].any()
    assert not params["c"].any()


def test_unsupported_modules_are_rejected():
    linear = torch.nn.Linear(3, 4)
    for rnn in (
        torch.nn.RNN(2, 3, num_layers=2),
        torch.nn.RNN(2, 3, bidirectional=True),
        torch.nn.RNN(2, 3, nonlinearity="relu"),
        torch.nn.LSTM(2, 5, proj_size=3),
    ):
        with pytest.raises(ValueError, match="expected one layer, one direction, tanh"):
            from_torch(rnn, linear)
    with pytest.raises(ValueError, match="linear takes 3 features; expected 5"):
        from_torch(torch.nn.RNN(2, 5), linear)
    with pytest.raises(TypeError, match=r"expected nn\.RNN, nn\.LSTM or nn\.GRU, and"):
        from_torch(linear, torch.nn.LSTM(2, 3))
    with pytest.raises(ValueError, match="no seeds"):
        to_torch(init_rnn(2, 3, 4, seed=[0, 1]))
    with pytest.raises(ValueError, match="params lacks U"):
        to_torch({})
    with pytest.raises(ValueError, match="has peepholes"):
        to_torch(init_lstm(2, 3, 4, peepholes=True))
    with pytest.raises(ValueError, match="lacks bh; expected it, as in init_gru"):
        to_torch(init_gru(2, 3, 4))


# The notation page's table of PyTorch's letters, in PyTorch's documented order.
@pytest.mark.chapter("16")
@pytest.mark.parametrize(
    ("init", "order"), [(init_lstm, "ifgo"), (partial(init_gru, reset="after"), "rzn")]
)
def test_the_blocks_of_torchs_arrays_are_the_parts_that_the_page_on_notation_names(init, order):
    params = init(N_X, N_H, N_Y, seed=3)
    module, _ = to_torch(params)
    blocks = BLOCKS[type(module).__name__]
    assert "".join(block.pytorch.strip("$") for block in blocks) == order
    for name, array in {"U": module.weight_ih_l0, "W": module.weight_hh_l0}.items():
        for block, rows in zip(blocks, array.detach().split(N_H), strict=True):
            np.testing.assert_array_equal(rows, params[name + block.part])


@pytest.mark.chapter("16")
@pytest.mark.parametrize(("bias", "kept"), [(50.0, True), (-50.0, False)])
def test_an_update_gate_near_one_keeps_the_old_state_here_and_in_torch(bias, kept):
    params = init_gru(N_X, N_H, N_Y, reset="after")
    params["bu"] += bias
    module, _ = to_torch(params)
    x, h0 = np.random.default_rng(0).normal(size=(1, N_X)), np.linspace(-0.9, 0.9, N_H)
    run = gru_forward(params, x, h0, reset="after")
    h, _ = module(torch.tensor(x), torch.tensor(h0[None]))
    np.testing.assert_allclose(run.h[0], h[0].detach(), rtol=1e-12)
    np.testing.assert_allclose(run.h[0], h0 if kept else run.target[0], rtol=1e-12)


REFUSALS = {
    to_torch: (
        {"params": P},
        {"params": [*PARAMS, SEEDED, GRU, LSTM, *(UNFIT["lstm"][-4:]), *(UNFIT["gru"][-4:])]},
    ),
    from_torch: (
        {"module": torch.nn.RNN(2, 3), "linear": torch.nn.Linear(3, 2)},
        {
            "module": [None, 3, torch.nn.LSTM(2, 3, num_layers=2), torch.nn.GRU(2, 4)],
            "linear": [None, "a", torch.nn.Linear(9, 2)],
        },
    ),
}
