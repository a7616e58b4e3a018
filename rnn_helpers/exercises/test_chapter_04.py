"""Compare the solutions of chapter 04's exercises with finite differences and enumerations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.exercises import chapter_04 as answers
from rnn_helpers.exercises import chapter_04_network as network_answers
from rnn_helpers.reference import init_rnn, rnn_forward, rnn_loss


def by_differences(loss, array, step=1e-6):
    """Return the gradient of a loss by two-sided difference quotients."""
    gradient = np.zeros_like(array)
    for place in np.ndindex(array.shape):
        moved = [array.copy(), array.copy()]
        moved[0][place] -= step
        moved[1][place] += step
        gradient[place] = (loss(moved[1]) - loss(moved[0])) / (2 * step)
    return gradient


def network(seed, T=5, n_h=4, n_y=3):
    """Return parameters, input tokens, target tokens and an initial state."""
    rng = np.random.default_rng(seed)
    params = init_rnn(n_y, n_h, n_y, seed=rng, scale=1.0)
    return params, rng.integers(0, n_y, T), rng.integers(0, n_y, T), rng.normal(size=n_h)


def loss_of(params, x, y, h0):
    return rnn_loss(rnn_forward(params, x, h0), y)


def state_gradients(params, run, y):
    """Return the gradients on all states, from the solutions of two exercises."""
    out = answers.grad_logits(run.o, y)
    g = [params["V"].T @ out[-1]]
    for t in range(len(y) - 2, -1, -1):
        g.insert(0, answers.step_back(params["W"], params["V"], run.h[t + 1], g[0], out[t]))
    return np.array(g)


@pytest.mark.equation("10.18")
@given(st.integers(0, 99))
def test_the_gradient_on_the_logits_equals_finite_differences(seed):
    rng = np.random.default_rng(seed)
    o, y = 3 * rng.normal(size=(4, 3)), rng.integers(0, 3, 4)

    def loss(o):
        return (np.log(np.exp(o).sum(axis=1)) - o[np.arange(4), y]).sum()

    np.testing.assert_allclose(answers.grad_logits(o, y), by_differences(loss, o), atol=1e-7)


def test_logits_of_a_thousand_do_not_change_other_rows():
    o = np.array([[1000.0, 0.0, -1000.0], [0.0, 1.0, 2.0], [-1000.0, -1000.0, -1000.0]])
    together = answers.grad_logits(o, np.array([1, 2, 0]))
    alone = [answers.grad_logits(o[[t]], np.array([y]))[0] for t, y in enumerate((1, 2, 0))]
    np.testing.assert_array_equal(together, alone)
    np.testing.assert_allclose(together[0], [1, -1, 0])
    np.testing.assert_allclose(together[2], [-2 / 3, 1 / 3, 1 / 3])


@pytest.mark.equation("10.21")
@given(st.integers(0, 99))
def test_one_step_back_equals_finite_differences(seed):
    params, x, y, h0 = network(seed, T=2)
    run = rnn_forward(params, x, h0)

    def rest(h):
        own = params["c"] + params["V"] @ h
        own_loss = np.log(np.exp(own).sum()) - own[y[0]]
        return own_loss + loss_of(params, x[1:], y[1:], h)

    expected = by_differences(rest, run.h[0])
    np.testing.assert_allclose(state_gradients(params, run, y)[0], expected, atol=1e-7)


@pytest.mark.equation("10.26")
@given(st.integers(0, 99))
def test_the_gradients_of_W_and_of_h0_equal_finite_differences(seed):
    params, x, y, h0 = network(seed)
    run = rnn_forward(params, x, h0)
    g = state_gradients(params, run, y)
    of_W = by_differences(lambda W: loss_of({**params, "W": W}, x, y, h0), params["W"])
    of_h0 = by_differences(lambda h: loss_of(params, x, y, h), h0)
    np.testing.assert_allclose(answers.grad_W(h0, run.h, g), of_W, atol=1e-6)
    np.testing.assert_allclose(answers.grad_h0(params["W"], run.h[0], g[0]), of_h0, atol=1e-7)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.integers(0, 3))
def test_the_loss_weights_give_the_mean_over_real_characters(lengths, padding):
    T = max(lengths) + padding
    losses = np.random.default_rng(0).normal(size=(T, len(lengths)))
    real = [losses[t, i] for i, n in enumerate(lengths) for t in range(n)]
    weights = answers.loss_weights(lengths, T)
    assert (weights * losses).sum() == pytest.approx(np.mean(real))
    assert np.count_nonzero(weights) == len(real)


@pytest.mark.parametrize("symbols", [2, 8, 27])
def test_an_even_spread_costs_the_logarithm_of_the_number_of_symbols(symbols):
    bits = answers.bits_per_character(np.log(np.full(9, 1 / symbols)))
    assert bits == pytest.approx(np.log2(symbols))


def test_bits_are_a_mean_over_characters():
    log_p = np.log([1 / 2, 1 / 8, 1.0])
    assert answers.bits_per_character(log_p) == pytest.approx((1 + 3 + 0) / 3)


def states_in_memory(T, k):
    """Return the largest number of states in memory: all checkpoints and one segment."""
    checkpoints = range(0, T, k)
    return len(checkpoints) + max(min(k, T) for _ in checkpoints)


@pytest.mark.parametrize("T", [*range(1, 40), 100, 1000])
def test_the_best_segment_is_the_shortest_with_the_fewest_states(T):
    best = answers.best_segment(T)
    assert all(states_in_memory(T, k) > states_in_memory(T, best) for k in range(1, best))
    assert all(states_in_memory(T, k) >= states_in_memory(T, best) for k in range(best, T + 1))


def test_the_states_in_memory_grow_with_the_square_root():
    assert states_in_memory(10**6, 1000) == 2000
    assert states_in_memory(2025, answers.best_segment(2025)) == 2 * 45


@pytest.mark.equation("10.18", "10.21", "10.26")
@given(st.integers(0, 99))
def test_the_gradients_of_the_program_equal_finite_differences(seed):
    rng = np.random.default_rng(seed)
    params = init_rnn(4, 3, 4, seed=rng, scale=1.0)
    x, y = rng.integers(4, size=(2, 5, 2))
    h0 = np.tanh(rng.normal(size=(2, 3)))
    h, yhat = network_answers.forward(params, x, h0)
    run = rnn_forward(params, x, h0)
    np.testing.assert_allclose(h, run.states, atol=1e-12)
    np.testing.assert_allclose(yhat, run.yhat, atol=1e-12)
    grads = network_answers.backward(params, x, y, h, yhat)
    for name, grad in grads.items():
        wanted = network_answers.quotients(
            lambda array, name=name: rnn_loss(rnn_forward(params | {name: array}, x, h0), y),
            params[name],
        )
        np.testing.assert_allclose(grad * y.size, wanted, atol=1e-6)


def test_each_token_is_sampled_with_its_probability():
    params, *_ = network(0)
    _, yhat = network_answers.forward(params, np.array([[1]]), np.zeros((1, 4)))
    dice = (np.arange(1000) + 0.5) / 1000
    written = [network_answers.sample(params, 1, [u])[0] for u in dice]
    np.testing.assert_allclose(np.bincount(written, minlength=3) / 1000, yhat[0, 0], atol=2e-3)
