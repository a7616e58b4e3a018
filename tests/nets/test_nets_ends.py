"""Networks that predict when to stop, against the reference; their samples against both."""

import numpy as np
import pytest
from networks import BATCH
from refusals import (
    COUNT,
    NAME,
    SEED,
)

torch = pytest.importorskip("torch")

from rnn_helpers.nets import Stopping  # noqa: E402
from rnn_helpers.nets.ends import ENDS  # noqa: E402
from rnn_helpers.reference import rnn_forward  # noqa: E402
from rnn_helpers.tasks import Ends  # noqa: E402

pytestmark = pytest.mark.chapter("07")

SEEDS, LONGEST = [0, 8], 4
RNG = np.random.default_rng(0)
LENGTHS = np.array([1, 2, 3, 4, 4, 2])
Y = RNG.integers(3, size=(4, len(LENGTHS)))


def network(ends, **others):
    return Stopping(3, 5, SEEDS, ends, LONGEST, **others).double()


def random_params(net):
    """Parameters so large that the choices differ, those of the lengths too."""
    return {name: 3 * RNG.normal(size=p.shape) for name, p in net.params().items()}


def log_softmax(o):
    return o - np.log(np.exp(o).sum())


def by_hand(ends, params, s, word):
    """Return one sequence's log-probability, step by step as in the chapter."""
    weights = {letter: params[f"layers.0.{letter}"][s] for letter in "UWb"}
    weights |= {letter: params[letter][s] for letter in "Vc"}
    tau, total = len(word), 0.0
    x = np.zeros((tau + 1, weights["U"].shape[1]))
    x[np.arange(1, tau + 1), word] = 1
    t = np.arange(1, tau + 2)
    if ends == "total":
        x[:, 3] = tau / LONGEST
    if ends == "left":
        x[:, 3] = (tau - t) / LONGEST
    o = rnn_forward(weights, x[:, None]).o[:, 0]
    if ends == "symbol":
        return sum(log_softmax(o[k])[symbol] for k, symbol in enumerate([*word, 3]))
    total = sum(log_softmax(o[k, :3])[symbol] for k, symbol in enumerate(word))
    if "coin" in ends:
        stop = 1 / (1 + np.exp(-o[:, 3]))
        coins = stop[1:] if ends == "coin" else stop[:-1]
        return total + np.log(1 - coins[:-1]).sum() + np.log(coins[-1])
    return total + log_softmax(params["d"][s])[tau - 1]


@pytest.mark.parametrize("ends", ENDS)
def test_the_probability_of_a_sequence_is_that_of_its_steps_and_of_its_end(ends):
    net = network(ends)
    params = random_params(net)
    found = net.log_probability(params, Y, LENGTHS)
    for s in range(len(SEEDS)):
        for k, tau in enumerate(LENGTHS):
            assert found[s, k] == pytest.approx(by_hand(ends, params, s, Y[:tau, k]), rel=1e-9)
    loss, grads = net.loss_and_grads(params, (Y, LENGTHS))
    np.testing.assert_allclose(loss, -found.mean(axis=1))
    step = 1e-6
    for name in params:
        place = (1, *[0] * (params[name].ndim - 1))
        quotient = 0
        for change in (step, -step):
            moved = {key: array.copy() for key, array in params.items()}
            moved[name][place] += change
            quotient += net.loss_and_grads(moved, (Y, LENGTHS))[0][1] / (2 * change)
        assert grads[name][place] == pytest.approx(quotient, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("ends", ENDS)
def test_all_sequences_together_have_a_probability_of_one_at_most(ends):
    net = network(ends)
    params = random_params(net)
    total = np.zeros(len(SEEDS))
    for tau in range(1, LONGEST + 1):
        every = np.array(np.meshgrid(*[range(3)] * tau, indexing="ij")).reshape(tau, -1)
        total += np.exp(net.log_probability(params, every, np.full(3**tau, tau))).sum(axis=1)
    if ends in ("length", "total", "left"):
        np.testing.assert_allclose(total, 1)  # no sequence is longer
    else:
        assert (total < 1).all()


@pytest.mark.parametrize("ends", ENDS)
def test_sampled_sequences_have_their_stated_frequencies(ends):
    net = network(ends)
    params = {name: array / 3 for name, array in random_params(net).items()}
    y, lengths = net.write(params, 20_000, 1, most=8)
    assert y.shape == (8, 2, 20_000)
    for word in ([0], [2, 1], [1, 0, 2]):
        tau = len(word)
        column = np.array(word)[:, None]
        p = np.exp(net.log_probability(params, column, np.array([tau])))[:, 0]
        share = ((lengths == tau) & (y[:tau] == column[..., None]).all(axis=0)).mean(axis=1)
        assert (np.abs(share - p) < 4.5 * np.sqrt(p * (1 - p) / 20_000) + 1e-4).all()
    assert ((lengths >= (0 if ends == "symbol" else 1)) & (lengths <= 9)).all()


def test_a_coin_and_an_end_symbol_can_give_the_same_distribution():
    by_symbol, by_coin = network("symbol"), network("coin")
    params = random_params(by_symbol)
    shared = {name: params[name] for name in params if name.startswith("layers")}
    V, c = params["V"], params["c"]
    # if only one symbol can follow, the end's log-odds are a difference of two outputs
    V[:, 1:3], c[:, 1:3] = 0, -60.0
    c[:, 3] = 0.5
    coin = shared | {
        "V": np.concatenate([V[:, :3], V[:, 3:] - V[:, :1]], axis=1),
        "c": np.concatenate([c[:, :3], c[:, 3:] - c[:, :1]], axis=1),
    }
    y, lengths = np.zeros((4, 4), int), np.arange(1, 5)
    one = by_symbol.log_probability(params, y, lengths)
    first = one - by_coin.log_probability(coin, y, lengths)
    # they differ by the one decision at the first step, which is the same for all lengths
    np.testing.assert_allclose(first, first[:, :1].repeat(4, axis=1), atol=1e-9)


def test_networks_that_are_trained_learn_to_end_properly():
    from rnn_helpers.training import Adam, fit

    source = Ends(shortest=2, weights=(1, 1))
    net = Stopping(3, 8, [0, 1], "left", source.longest)
    made = fit(
        net.loss_and_grads,
        net.params(),
        source.batches(16, [0, 1]),
        steps=150,
        optimizer=Adam(0.03),
    )
    y, lengths, p = source.sequences()
    loss = -(net.log_probability(made.params, y, lengths) * p).sum(axis=1)
    assert (loss < source.entropy + 0.1).all()
    y, lengths = net.write(made.params, 200, [0, 1], most=5)
    assert (source.proper(y, lengths).mean(axis=1) > 0.9).all()


def test_several_seeds_write_as_each_does():
    net = network("symbol")
    params = net.params()
    y, lengths = net.write(params, 5, [3, 4])
    again, its = net.write(params, 5, [9, 4])
    np.testing.assert_array_equal(y[:, 1], again[:, 1])
    np.testing.assert_array_equal(lengths[1], its[1])
    assert (y[:, 0] != again[:, 0]).any()


STOPS = Stopping(3, 3, [0], "length", 4)

REFUSALS = {
    Stopping: (
        {"n_y": 3, "n_h": 3, "seeds": [0]},
        {
            "n_y": COUNT,
            "n_h": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "ends": NAME,
            "longest": COUNT,
            "unit": NAME,
        },
    ),
    STOPS.log_probability: (
        {"params": STOPS.params(), "y": [[0], [1]], "lengths": [2]},
        {
            "params": [None, {}, 3, {"V": 3}],
            "y": [None, "a", 3, [[3]], [[0.5]], [0], np.zeros((2, 2, 1), int)],
            "lengths": [None, "a", [0], [3], [1, 1], [0.5]],
        },
    ),
    STOPS.loss_and_grads: (
        {"params": STOPS.params(), "batch": ([[0], [1]], [2])},
        {"params": [None, {}, 3, {"V": 3}], "batch": [None, (), 3, BATCH[:1]]},
    ),
    STOPS.write: (
        {"params": STOPS.params(), "size": 2, "seed": 0, "most": 5},
        {
            "params": [None, {}, 3, {"V": 3}],
            "size": COUNT,
            "seed": [*SEED, [], [0, 1]],
            "most": [*COUNT, 3],
        },
    ),
}
