import numpy as np
import pytest
from networks import BATCH, X, Y
from refusals import (
    COUNT,
    INF,
    NAN,
    SEED,
)

from rnn_helpers.reference import rnn_backward, rnn_forward, rnn_loss
from rnn_helpers.tasks import Adding, Latch

torch = pytest.importorskip("torch")

from rnn_helpers.nets import GRU, LSTM, RNN, from_torch  # noqa: E402
from rnn_helpers.training import Adam, fit  # noqa: E402

NETS = [RNN, LSTM, GRU]
N_X, N_H, N_Y, T, B = 3, 5, 4, 7, 6


@pytest.fixture
def batch():
    rng = np.random.default_rng(0)
    mask = rng.random((T, B)) < 0.5
    return rng.normal(size=(T, B, N_X)), rng.integers(N_Y, size=(T, B)), mask


def doubled(net):
    return {name: p.astype(float) for name, p in net.params().items()}


@pytest.mark.parametrize("kind", NETS)
def test_a_network_is_torchs_layer_and_a_linear_one(kind, batch):
    net = kind(N_X, N_H, N_Y, seed=3)
    torch.manual_seed(3)
    layer = getattr(torch.nn, kind.__name__)(N_X, N_H)
    linear = torch.nn.Linear(N_H, N_Y)
    x = torch.tensor(batch[0], dtype=torch.float32)
    assert torch.equal(net(x)[0], linear(layer(x)[0]))


@pytest.mark.parametrize("kind", NETS)
def test_loss_and_gradients_are_those_of_the_steps_that_count(kind, batch):
    x, y, mask = batch
    net = kind(N_X, N_H, N_Y)
    loss, grads = net.loss_and_grads(net.params(), batch)
    o, _ = net(torch.tensor(x, dtype=torch.float32))
    expected = torch.nn.functional.cross_entropy(o[mask], torch.tensor(y)[mask])
    expected.backward()
    assert loss == pytest.approx(expected.item())
    for name, p in net.named_parameters():
        np.testing.assert_allclose(grads[name], p.grad, rtol=1e-4, atol=1e-7)


def test_the_simple_network_matches_the_reference(batch):
    x, y, mask = batch
    net = RNN(N_X, N_H, N_Y)
    loss, grads = net.loss_and_grads(doubled(net), batch)
    params = from_torch(net.recurrent.double(), net.output.double())
    run = rnn_forward(params, x)
    assert loss == pytest.approx(rnn_loss(run, y, mask) / mask.sum(), rel=1e-12)
    expected = rnn_backward(params, run, y, mask)
    for theirs, ours in {
        "recurrent.weight_ih_l0": "U",
        "recurrent.weight_hh_l0": "W",
        "recurrent.bias_ih_l0": "b",
        "recurrent.bias_hh_l0": "b",
        "output.weight": "V",
        "output.bias": "c",
    }.items():
        np.testing.assert_allclose(
            grads[theirs], expected[ours] / mask.sum(), rtol=1e-9, atol=1e-14
        )


@pytest.mark.parametrize("kind", NETS)
def test_a_carried_state_continues_the_sequence(kind, batch):
    x, y, _ = batch
    net = kind(N_X, N_H, N_Y)
    params = net.params()
    whole, _, _ = net.loss_and_grads(params, (x, y), None)
    first, _, state = net.loss_and_grads(params, (x[:3], y[:3]), None)
    second, _, _ = net.loss_and_grads(params, (x[3:], y[3:]), state)
    assert (3 * first + (T - 3) * second) / T == pytest.approx(whole, rel=1e-5)


def test_integers_are_tokens(batch):
    tokens = np.random.default_rng(1).integers(N_X, size=(T, B))
    net = GRU(N_X, N_H, N_Y)
    loss, _ = net.loss_and_grads(net.params(), (tokens, batch[1]))
    same, _ = net.loss_and_grads(net.params(), (np.eye(N_X)[tokens], batch[1]))
    assert loss == pytest.approx(same)


def test_numbers_are_learned_by_squared_error():
    x, y, mask = next(Adding().batches(8, 50, seed=0))
    net = RNN(2, N_H, 1)
    params = net.params()
    params |= {"output.weight": np.zeros((1, N_H)), "output.bias": np.ones(1)}
    params = {name: p.astype(np.float32) for name, p in params.items()}
    loss, _ = net.loss_and_grads(params, (x, y, mask))
    assert loss == pytest.approx(((y[-1] - 1) ** 2).mean(), rel=1e-5)


def test_the_forget_bias_takes_one_of_the_two_biases_and_clears_the_other():
    net, plain = LSTM(N_X, N_H, N_Y, seed=1, forget_bias=3.0), LSTM(N_X, N_H, N_Y, seed=1)
    forget = slice(N_H, 2 * N_H)
    for name, p in net.params().items():
        before = plain.params()[name]
        if name == "recurrent.bias_ih_l0":
            assert (p[forget] == 3).all()
        if name == "recurrent.bias_hh_l0":
            assert (p[forget] == 0).all()
        if "bias" in name and "recurrent" in name:
            p[forget] = before[forget]
        np.testing.assert_array_equal(p, before)


def test_the_forget_bias_is_added_to_the_forget_gates():
    net = LSTM(N_X, N_H, N_Y, forget_bias=2.0)
    with torch.no_grad():
        for name, p in net.recurrent.named_parameters():
            if "weight" in name:
                p.zero_()
        cell = torch.ones(1, 1, N_H)
        nothing = torch.zeros(1, 1, N_X)
        _, (_, after) = net.recurrent(nothing, (torch.zeros(1, 1, N_H), cell))
        _, (_, from_zero) = net.recurrent(nothing, (torch.zeros(1, 1, N_H), 0 * cell))
    # for any input, the cell keeps the gate's share of its value
    np.testing.assert_allclose(after - from_zero, 1 / (1 + np.exp(-2.0)), rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("kind", NETS)
def test_the_training_loop_trains_it(kind):
    task = Latch()
    net = kind(task.n_x, 8, task.n_y)
    history = fit(
        net.loss_and_grads, net.params(), task.batches(4, 32, 0), steps=60, optimizer=Adam(0.03)
    )
    assert history.loss[-1] < 0.1 < history.loss[0]


def test_the_same_seed_gives_the_same_network_and_leaves_torchs_generator_alone():
    state = torch.random.get_rng_state()
    first, again, other = (LSTM(N_X, N_H, N_Y, seed=seed).params() for seed in (1, 1, 2))
    assert (torch.random.get_rng_state() == state).all()
    for name in first:
        np.testing.assert_array_equal(first[name], again[name])
        assert (first[name] != other[name]).any()


def test_bad_input_is_rejected_by_name(batch):
    x, y, mask = batch
    net = RNN(N_X, N_H, N_Y)
    params = net.params()
    with pytest.raises(ValueError, match="n_h is 0"):
        RNN(N_X, 0, N_Y)
    with pytest.raises(ValueError, match="forget_bias is inf"):
        LSTM(N_X, N_H, N_Y, forget_bias=np.inf)
    for bad in ((x[..., :2], y), (x, y[1:]), (x[:0], y[:0]), (x[0], y[0])):
        with pytest.raises(ValueError, match=r"expected \(T, B\) twice, or \(T, B, 3\) and"):
            net.loss_and_grads(params, bad)
    with pytest.raises(ValueError, match="counts no step"):
        net.loss_and_grads(params, (x, y, 0 * mask))
    with pytest.raises(ValueError, match="y holds numbers, expected classes"):
        net.loss_and_grads(params, (x, y + 0.5))
    with pytest.raises(ValueError, match=r"y contains token .; expected tokens in 0\.\.3"):
        net.loss_and_grads(params, (x, y + N_Y))
    with pytest.raises(ValueError, match=r"x contains token 3; expected tokens in 0\.\.2"):
        net.loss_and_grads(params, (np.full((T, B), N_X), y))


@pytest.mark.parametrize("bias", [np.float32(1), np.float64(1), np.int8(1)])
def test_a_forget_bias_may_be_of_any_number_type(bias):
    assert LSTM(3, 4, 2, forget_bias=bias).recurrent.bias_ih_l0[4:8].tolist() == [1] * 4


TORCH = RNN(3, 4, 3)

REFUSALS = {
    TORCH.loss_and_grads: (
        {"params": TORCH.params(), "batch": BATCH},
        {
            "params": [
                None,
                {"a": 1},
                {name: NAN * p for name, p in TORCH.params().items()},
                {name: p[:1] for name, p in TORCH.params().items()},
            ],
            "batch": [None, 3, (), (X,), (X, Y), BATCH[:1]],
        },
    ),
    **{
        kind: (
            {"n_x": 3, "n_h": 4, "n_y": 2, "seed": 0},
            {"n_x": COUNT, "n_h": COUNT, "n_y": COUNT, "seed": SEED},
        )
        for kind in (RNN, GRU)
    },
    LSTM: (
        {"n_x": 3, "n_h": 4, "n_y": 2, "seed": 0, "forget_bias": 1.0},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seed": SEED,
            "forget_bias": [NAN, INF, "a", [1.0]],
        },
    ),
}
