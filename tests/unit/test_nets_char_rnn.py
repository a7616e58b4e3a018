import numpy as np
import pytest

from rnn_helpers.reference import rnn_backward, rnn_forward, rnn_loss

torch = pytest.importorskip("torch")

from rnn_helpers.nets import CharRNN, from_torch  # noqa: E402
from rnn_helpers.training import SGD, fit  # noqa: E402

N, N_H, T, B = 5, 6, 8, 3
CELLS = ["rnn", "lstm", "gru"]


@pytest.fixture
def batch():
    tokens = np.random.default_rng(0).integers(N, size=(T + 1, B))
    return tokens[:-1], tokens[1:]


@pytest.mark.chapter("04")
def test_its_loss_and_gradients_are_those_of_the_reference_per_character(batch):
    x, y = batch
    model = CharRNN(N, N_H)
    loss, grads = model.loss_and_grads(model.params(), batch)
    params = from_torch(model.recurrent, model.output)
    run = rnn_forward(params, x)
    assert loss == pytest.approx(rnn_loss(run, y) / y.size, rel=1e-5)
    expected = rnn_backward(params, run, y)
    for theirs, ours in {
        "recurrent.weight_hh_l0": "W",
        "recurrent.weight_ih_l0": "U",
        "recurrent.bias_ih_l0": "b",
        "recurrent.bias_hh_l0": "b",
        "output.weight": "V",
        "output.bias": "c",
    }.items():
        np.testing.assert_allclose(grads[theirs], expected[ours] / y.size, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("cell", CELLS)
def test_the_training_loop_trains_it(cell, batch):
    model = CharRNN(N, N_H, cell)
    history = fit(model.loss_and_grads, model.params(), [batch] * 5, steps=5, optimizer=SGD(1.0))
    assert history.loss[-1] < history.loss[0]
    assert set(history.params) == set(model.params())


@pytest.mark.parametrize("cell", CELLS)
def test_a_carried_state_continues_the_sequence(cell, batch):
    x, y = batch
    model = CharRNN(N, N_H, cell)
    params = model.params()
    whole, _, _ = model.loss_and_grads(params, batch, None)
    first, _, state = model.loss_and_grads(params, (x[:4], y[:4]), None)
    second, _, _ = model.loss_and_grads(params, (x[4:], y[4:]), state)
    assert (first + second) / 2 == pytest.approx(whole, rel=1e-5)


def test_the_same_seed_gives_the_same_network_and_leaves_torchs_generator_alone():
    state = torch.random.get_rng_state()
    first, again, other = (CharRNN(N, N_H, seed=seed).params() for seed in (1, 1, 2))
    assert (torch.random.get_rng_state() == state).all()
    for name in first:
        np.testing.assert_array_equal(first[name], again[name])
        assert (first[name] != other[name]).any()


def test_bad_input_is_rejected_by_name(batch):
    x, y = batch
    model = CharRNN(N, N_H)
    params = model.params()
    with pytest.raises(ValueError, match="cell is 'tree'; expected one of 'rnn'"):
        CharRNN(N, N_H, "tree")
    with pytest.raises(ValueError, match="n_symbols is 1"):
        CharRNN(1, N_H)
    for bad in ((x, y[1:]), (x[:0], y[:0]), (x[0], y[0])):
        with pytest.raises(ValueError, match="batch has shapes"):
            model.loss_and_grads(params, bad)
    with pytest.raises(ValueError, match=r"x contains token 9; expected tokens in 0\.\.4"):
        model.loss_and_grads(params, (x + N, y))
    with pytest.raises(ValueError, match="y contains token"):
        model.loss_and_grads(params, (x, y - N))
