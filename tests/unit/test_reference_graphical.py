"""A network as a distribution over sequences, equations (G 10.29)-(G 10.34)."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import (
    PARAMS,
    UNFIT_SEQUENCE,
    UNFIT_WRITER,
    WRITER,
    P,
    X,
    Y,
)
from refusals import (
    COUNT,
    NAME,
    NAN,
    REAL,
    TOKENS,
)

from rnn_helpers.reference import (
    ENDS,
    coin_of_symbol,
    ending_log_probability,
    exact_filling,
    forward_filling,
    gaussian_loss,
    init_output_rnn,
    init_rnn,
    joint_table,
    log_joint,
    log_softmax,
    network_numbers,
    output_forward,
    predictive_log_likelihood,
    rnn_forward,
    rnn_loss,
    sequence_losses,
    sigmoid,
    softmax,
    symbol_of_coin,
    symbols_before,
    table_numbers,
    total_correlation,
)
from rnn_helpers.tasks import NoisyParity

pytestmark = pytest.mark.chapter("07")
NET = init_rnn(2, 3, 2, seed=0, scale=1.0)
SEEDS = st.integers(0, 2**32 - 1)


def table(params, n_steps, n=2):
    return joint_table(lambda y: log_joint(params, y), n, n_steps)


@pytest.mark.equation("10.31")
def test_the_product_of_all_predictions_is_a_distribution():
    for n, n_steps in ((2, 5), (3, 3), (1, 4)):
        net = init_rnn(n, 3, n, seed=1, scale=1.0)
        assert table(net, n_steps, n).sum() == pytest.approx(1)


@pytest.mark.equation("10.31")
def test_the_table_holds_every_sequence_at_its_own_place():
    joint = table(NET, 3)
    for y in itertools.product(range(2), repeat=3):
        assert joint[y] == pytest.approx(np.exp(log_joint(NET, np.array(y))))


@pytest.mark.equation("10.32", "10.33")
def test_the_loss_is_the_sum_of_the_loops_losses():
    y = np.array([[0, 1], [1, 1], [1, 0]])
    run = rnn_forward(NET, symbols_before(y, 2))
    assert sequence_losses(NET, y).sum() == pytest.approx(rnn_loss(run, y))
    assert sequence_losses(NET, y).shape == (3, 2)
    np.testing.assert_allclose(sequence_losses(NET, y).sum(axis=0), -log_joint(NET, y))


@pytest.mark.equation("10.33")
def test_no_prediction_depends_on_later_symbols():
    y = np.zeros((6, 2), int)
    y[3:, 1] = 1
    losses = sequence_losses(NET, y)
    assert (losses[:3, 0] == losses[:3, 1]).all()
    assert (losses[3:, 0] != losses[3:, 1]).all()


def test_the_first_step_receives_zeros_and_later_steps_the_previous_symbol():
    assert symbols_before([1, 0, 2], 3).tolist() == [[0, 0, 0], [0, 1, 0], [1, 0, 0]]


@pytest.mark.equation("10.29")
def test_given_only_the_inputs_outputs_are_independent():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(4, 3)), np.array([0, 1, 1, 0])
    net = init_rnn(3, 4, 2, seed=0)
    expected = np.take_along_axis(rnn_forward(net, x).log_yhat, y[:, None], -1)[:, 0]
    np.testing.assert_allclose(predictive_log_likelihood(net, x, y), expected)
    other = predictive_log_likelihood(net, x, 1 - y)
    np.testing.assert_allclose(np.logaddexp(expected, other), 0, atol=1e-12)


@pytest.mark.equation("10.30")
def test_with_arrows_from_outputs_each_is_given_the_true_ones_before():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(4, 3)), np.array([0, 1, 1, 0])
    net = init_output_rnn(3, 4, 2, seed=0, keeps_state=True)
    log_yhat = output_forward(net, x, y).log_yhat
    np.testing.assert_allclose(
        predictive_log_likelihood(net, x, y), np.take_along_axis(log_yhat, y[:, None], -1)[:, 0]
    )
    flipped = np.array([1, 1, 1, 0])
    changed = predictive_log_likelihood(net, x, y) != predictive_log_likelihood(net, x, flipped)
    assert changed.all()


@given(st.floats(-5, 5), st.floats(-5, 5))
def test_squared_error_is_a_gaussian_bet_but_for_one_half_and_a_constant(prediction, y):
    density = np.exp(-((y - prediction) ** 2) / 2) / np.sqrt(2 * np.pi)
    assert gaussian_loss(prediction, y) == pytest.approx(-np.log(density))
    assert gaussian_loss(y, y) == pytest.approx(0.9189, abs=1e-4)


# ---- independence ----


def test_the_symbols_of_a_network_are_dependent():
    assert total_correlation(table(NET, 4)) > 1e-3


def test_independent_symbols_have_no_total_correlation():
    one, two = np.array([0.2, 0.8]), np.array([0.5, 0.3, 0.2])
    assert abs(total_correlation(one[:, None, None] * two[:, None] * one)) < 1e-12


@given(SEEDS)
def test_total_correlation_is_never_negative(seed):
    joint = np.random.default_rng(seed).dirichlet(np.ones(12)).reshape(2, 3, 2)
    assert total_correlation(joint) > -1e-12


def test_total_correlation_of_two_copies_is_the_entropy_of_one():
    assert total_correlation(np.eye(4) / 4) == pytest.approx(np.log(4))


def test_a_table_has_a_number_for_each_sequence_but_one_and_a_network_does_not_grow():
    assert table_numbers(10, 5) == 99_999
    assert table_numbers(2, 200) == 2**200 - 1
    assert network_numbers(10, 24) == sum(each.size for each in init_rnn(10, 24, 10).values())


# ---- filling ----

SOURCE = NoisyParity()
WHOLE = SOURCE.sample(12, 1, seed=0)[:, 0]


def by_hand(y, missing, n=2):
    ways = list(itertools.product(range(n), repeat=len(missing)))
    p = []
    for way in ways:
        whole = y.copy()
        whole[list(missing)] = way
        p.append(np.exp(SOURCE.log_probability(whole)))
    each = [[0.0] * n for _ in missing]
    for way, share in zip(ways, np.array(p) / sum(p), strict=True):
        for gap, symbol in enumerate(way):
            each[gap][symbol] += share
    return each


def test_exact_filling_weighs_every_way_to_fill_all_gaps():
    missing = [9, 2, 5]
    filled = exact_filling(SOURCE.log_probability, WHOLE, missing, 2)
    np.testing.assert_allclose(filled.probabilities, by_hand(WHOLE, missing))
    assert filled.evaluations == 2**3
    assert (filled.symbols == np.argmax(filled.probabilities, axis=1)).all()


def test_forward_filling_ignores_values_after_a_gap():
    filled = forward_filling(SOURCE.log_probability, WHOLE, [6, 4], 2)
    changed = WHOLE.copy()
    changed[7:] = 1 - changed[7:]
    again = forward_filling(SOURCE.log_probability, changed, [6, 4], 2)
    np.testing.assert_array_equal(filled.probabilities, again.probabilities)
    assert filled.probabilities[1, 1] == pytest.approx(SOURCE.following(WHOLE[:4])[4])
    assert filled.evaluations == 4


@pytest.mark.parametrize("fill", [exact_filling, forward_filling])
def test_values_in_gaps_are_ignored(fill):
    other = WHOLE.copy()
    other[5] = 1 - other[5]
    one, two = (fill(SOURCE.log_probability, y, [5], 2) for y in (WHOLE, other))
    np.testing.assert_array_equal(one.probabilities, two.probabilities)


@pytest.mark.parametrize("missing", [[], [12], [1, 1], [[1]], 3, [-1]])
def test_places_that_cannot_be_gaps_are_named(missing):
    with pytest.raises((ValueError, TypeError), match="missing"):
        exact_filling(SOURCE.log_probability, WHOLE, missing, 2)


def test_too_many_ways_are_refused_before_they_are_written_down():
    with pytest.raises(ValueError, match=r"2\^40"):
        exact_filling(SOURCE.log_probability, np.zeros(50, int), list(range(40)), 2)


# ---- ends ----


def ending_net(end, n=2, longest=6, seed=0):
    net = init_rnn(n + (end in ENDS[3:]), 3, n + (end in ENDS[:2]), seed=seed, scale=1.0)
    if end in ENDS[2:]:
        net["d"] = np.random.default_rng(seed).normal(size=longest)
    return net


@pytest.mark.equation("10.34")
@pytest.mark.parametrize("end", ENDS)
def test_all_sequences_of_all_lengths_together_have_probability_one(end):
    net = ending_net(end)
    if end in ENDS[:2]:
        net["c"][-1] += 1.0  # so that long ones are rare
    total = 0.0
    for n_steps in range(1, 7 if end in ENDS[2:] else 15):
        every = np.indices((2,) * n_steps).reshape(n_steps, -1)
        total += np.exp(ending_log_probability(net, every, end)).sum()
    if end == "symbol":  # it may be empty
        total += softmax(rnn_forward(net, np.zeros((1, 2))).o)[0, -1]
    assert total == pytest.approx(1, abs=1e-9 if end in ENDS[2:] else 2e-3)
    assert total <= 1 + 1e-9


@pytest.mark.equation("10.34")
def test_without_a_context_the_output_does_not_depend_on_the_length():
    net = ending_net("length")
    y = np.array([0, 1, 1])
    lengths = log_softmax(net["d"])
    assert ending_log_probability(net, y, "length") == pytest.approx(lengths[2] + log_joint(net, y))


@given(SEEDS)
def test_an_end_symbol_and_a_coin_give_the_same_distribution(seed):
    o = np.random.default_rng(seed).normal(size=(3, 5))
    coin = coin_of_symbol(o)
    np.testing.assert_allclose(sigmoid(coin), softmax(o)[:, -1], rtol=1e-12)
    np.testing.assert_allclose(softmax(symbol_of_coin(o[:, :-1], coin)), softmax(o), rtol=1e-10)


@pytest.mark.parametrize(
    ("params", "named"),
    [(init_rnn(3, 3, 2), "params"), ({**ending_net("left"), "d": np.array(["a"])}, "d")],
)
def test_networks_without_feedback_are_rejected_by_name(params, named):
    with pytest.raises((ValueError, TypeError), match=named):
        ending_log_probability(params, [0, 1], "left" if "d" in params else "length")
    with pytest.raises(ValueError, match="params"):
        log_joint(init_rnn(3, 3, 2), [0, 1])


def test_a_length_that_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="length"):
        ending_log_probability(ending_net("total", longest=2), [0, 1, 0], "total")


ENDING = {**WRITER, "d": np.zeros(4)}


def log_p(y):
    """Return the log-probability of sequences under a network that is fed its own outputs."""
    return log_joint(WRITER, y)


GAPS = {"log_probability": log_p, "y": Y, "missing": [1], "n": 3}
UNFIT_GAPS = {
    "log_probability": [3, "f", None, len],
    "y": [None, "a", NAN, [], [[0], [1]], [0.5, 1, 2], [9, 1, 2]],
    "missing": [None, "a", [], [3], [-1], [0, 0], [[0]], [0.5], 1],
    "n": [0, -1, 2.5, "3", None, NAN, [3]],
}

REFUSALS = {
    predictive_log_likelihood: ({"params": P, "x": X, "y": Y}, {"params": PARAMS, "y": TOKENS}),
    sequence_losses: ({"params": WRITER, "y": Y}, {"params": UNFIT_WRITER, "y": UNFIT_SEQUENCE}),
    log_joint: ({"params": WRITER, "y": Y}, {"params": UNFIT_WRITER, "y": UNFIT_SEQUENCE}),
    symbols_before: ({"y": Y, "n": 3}, {"y": UNFIT_SEQUENCE, "n": COUNT}),
    gaussian_loss: (
        {"prediction": [1.0, 2.0], "y": [0.5, 2.0]},
        {"prediction": [*REAL[:-2], [1e308, 2.0]], "y": [*REAL[:-2], [1, 2, 3]]},
    ),
    joint_table: (
        {"log_probability": log_p, "n": 3, "n_steps": 2},
        {"log_probability": [3, "f", None], "n": COUNT, "n_steps": COUNT},
    ),
    total_correlation: (
        {"joint": [[0.5, 0.25], [0.25, 0]]},
        {"joint": [*REAL, 3, [[0.5, 0.6]], [[1.5, -0.5]], [[]]]},
    ),
    table_numbers: ({"n": 2, "n_steps": 5}, {"n": COUNT, "n_steps": COUNT}),
    network_numbers: ({"n": 2, "n_h": 5}, {"n": COUNT, "n_h": COUNT}),
    exact_filling: (GAPS, UNFIT_GAPS),
    forward_filling: (GAPS, UNFIT_GAPS),
    coin_of_symbol: ({"o": [1.0, 2.0, 0.5]}, {"o": [*REAL, [], 3, [1.0]]}),
    symbol_of_coin: (
        {"o": [1.0, 2.0], "coin": 0.5},
        {"o": [*REAL, [], 3], "coin": [*REAL, [1.0, 2.0]]},
    ),
    ending_log_probability: (
        {"params": ENDING, "y": Y, "end": "length"},
        {"params": [*UNFIT_WRITER, WRITER], "y": UNFIT_SEQUENCE, "end": NAME},
    ),
}
