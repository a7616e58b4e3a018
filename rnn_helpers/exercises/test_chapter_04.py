"""Chapter 04's exercises: tests of the solutions, and the tables of tests/declared.py."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.checks import exercises
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


def with_the_start_everywhere(h0, h, g):
    return sum(np.outer((1 - h[t] ** 2) * g[t], h0) for t in range(len(h)))


def overwritten(h0, h, g):
    for before, now, back in zip([h0, *h], h, g, strict=False):
        total = np.outer((1 - now**2) * back, before)
    return total


def one_for_each_step(h0, h, g):
    states = [h0, *h]
    return [np.outer((1 - h[t] ** 2) * g[t], states[t]) for t in range(len(h))]


def through_time(scale=lambda y: y.size, state=1, matrix=lambda W: W, value=lambda h: h):
    """Return back-propagation through time, one step after another, with one part changed."""

    def backward(params, x, y, h, yhat):
        symbols = np.eye(len(params["c"]))
        grads = {name: np.zeros_like(array) for name, array in params.items()}
        later = 0
        for t in reversed(range(len(x))):
            grad_o = (yhat[t] - symbols[y[t]]) / scale(y)
            grad_a = (1 - value(h[t + state]) ** 2) * (grad_o @ params["V"] + later)
            later = grad_a @ matrix(params["W"])
            grads["V"] += grad_o.T @ h[t + 1]
            grads["W"] += grad_a.T @ h[t]
            grads["U"] += grad_a.T @ symbols[x[t]]
            grads["b"] += grad_a.sum(axis=0)
            grads["c"] += grad_o.sum(axis=0)
        return grads

    return backward


TYPICAL = {
    "04-grad-state": {
        "slopes on both terms": lambda W, V, h, g_next, g_out: (
            (W.T @ g_next + V.T @ g_out) * (1 - h * h)
        ),
        "both terms through W": lambda W, V, h, g_next, g_out: (
            ((V.T @ g_out + g_next) * (1 - h * h)) @ W
        ),
        "tanh of h": lambda W, V, h, g_next, g_out: (g_next / np.cosh(h) ** 2) @ W + g_out @ V,
    },
    "04-grad-h0": {"tanh of h": lambda W, h, g: (g / np.cosh(h) ** 2) @ W},
    "04-grad-W": {
        "h(0) at every step": with_the_start_everywhere,
        "only the last step": overwritten,
        "only the first step": lambda *case: one_for_each_step(*case)[0],
        "a matrix for each step": one_for_each_step,
        "tanh of h": lambda h0, h, g: (g / np.cosh(h) ** 2).T @ [h0, *h[:-1]],
    },
    "04-net-backward": {
        "a mean over the steps alone": through_time(scale=len),
        "a mean over the sequences alone": through_time(scale=lambda y: y.shape[1]),
        "slopes of h(t-1)": through_time(state=0),
        "W transposed": through_time(matrix=np.transpose),
        "tanh of h": through_time(value=np.tanh),
    },
}


def test_the_gradients_that_are_right_are_named():
    def doubled(*case):
        grads = through_time()(*case)
        return grads | {"b": 2 * grads["b"]}

    assert exercises()["04-net-backward"].grade(through_time())
    message = exercises()["04-net-backward"].grade(doubled).message
    assert message.endswith("Right in all cases: 'U', 'W', 'V' and 'c'.")


def softmax_less(what):
    def grad_logits(o, y):
        with np.errstate(all="ignore"):
            e = np.exp(o - what(o))
            g = e / e.sum(axis=1, keepdims=True)
        for t, k in enumerate(y):
            g[t, k] -= 1
        return g

    return grad_logits


def weights_of(mask):
    return lambda lengths, T: mask(lengths, T) / mask(lengths, T).sum()


def gradient_of_W(slope_of, share=lambda T: 1):
    def grad_W(h0, h, g):
        total, before = 0, h0
        for now, back in zip(h, g, strict=True):
            total = total + np.outer((1 - slope_of(before, now) ** 2) * back, before)
            before = now
        return total / share(len(h))

    return grad_W


def trained_in_place(params, x, y, T, steps, eta, longest):
    trained = exercises()["04-net-train"].solution(params, x, y, T, steps, eta, longest)
    for name in params:
        params[name] -= params[name] - trained[name]
    return params


def trained_in_a_shallow_copy(params, *case):
    return trained_in_place(dict(params), *case)


HINTED = {
    "04-grad-output": [
        (softmax_less(lambda o: o.max()), "1000 below those of another"),
        (softmax_less(lambda o: 0), "What is exp(1000)?"),
        (lambda o, y: np.full(o.shape, np.nan), "not finite"),
    ],
    "04-grad-W": [
        (gradient_of_W(lambda before, now: before), "the slope of that tanh"),
        (gradient_of_W(lambda before, now: now, lambda T: T), "divide by the number of steps"),
        (lambda h0, h, g: np.zeros((len(h0),) * 2), "a single step first"),
    ],
    "04-loss-weights": [
        (
            weights_of(lambda lengths, T: np.arange(T)[:, None] <= np.array(lengths)),
            "Which step is the last one of a sentence of length 3",
        ),
        (
            weights_of(lambda lengths, T: np.arange(1, T + 1)[:, None] < np.array(lengths)),
            "length 1 has one real character",
        ),
    ],
    "04-checkpoints": [
        (lambda T: int(T**0.5), "is a smaller k as good"),
        (lambda T: math.ceil(T**0.5), "Which ones do if T is 7"),
        (lambda T: max(1, round(T**0.5) - 1), "when T is 10, by hand"),
    ],
    "04-net-train": [
        (trained_in_place, "your function changes `params`"),
        (trained_in_a_shallow_copy, "your function changes `params`"),
    ],
}
LIMITS = {"04-net-quotients": (5e-7, 2e-6)}
EQUIVALENT = {
    "04-checkpoints": [
        # A segment of T + 1 steps keeps one state more than a segment of T, so it's never chosen.
        "return min(range(1, T + 1), key=lambda k: -(-T // k) + k) -> "
        "return min(range(1, T + 2), key=lambda k: -(-T // k) + k)",
    ],
    "04-net-backward": [
        # The gradients don't depend on U once the states are given.
        "(params['U'] is zero)",
        "(params['U'] is transposed)",
        "(params['U'] is always the first case's)",
        # The gradients don't depend on b once the states are given.
        "(params['b'] is zero)",
        "(params['b'] is always the first case's)",
        # Of c, only the number of entries is used.
        "(params['c'] is zero)",
    ],
    "04-net-forward": [
        # NumPy converts the list of states wherever the solution computes with it, and a check
        # accepts lists.
        "_forward: without h = np.array(h)",
    ],
    "04-net-quotients": [
        # The loop makes a fresh copy before it uses this one.
        "_quotients: without moved = array.copy()",
    ],
    "04-net-sample": [
        # The parameters are float64, and so are zeros by default.
        "_sample: h = np.zeros((1, len(params['b'])), params['b'].dtype) -> "
        "h = np.zeros((1, len(params['b'])))",
        # Both rows of the state stay equal, and only the first is read.
        "_sample: h = np.zeros((1, len(params['b'])), params['b'].dtype) -> "
        "h = np.zeros((2, len(params['b'])), params['b'].dtype)",
        # The network runs for one step, so the state after it is both the second and the last.
        "_sample: h = states[-1] -> h = states[1]",
        # There is only one step.
        "_sample: p = yhat[0, 0] -> p = yhat[-1, 0]",
        # There is only one sequence.
        "_sample: p = yhat[0, 0] -> p = yhat[0, -1]",
        # They differ only if u equals a cumulative probability exactly, which has probability 0.
        "_sample: tokens.append(int((np.cumsum(p)[:-1] <= u).sum())) -> "
        "tokens.append(int((np.cumsum(p)[:-1] < u).sum()))",
        # The last cumulative probability is 1, and u is below it.
        "_sample: tokens.append(int((np.cumsum(p)[:-1] <= u).sum())) -> "
        "tokens.append(int((np.cumsum(p)[:] <= u).sum()))",
    ],
    "04-net-train": [
        # The parameters are float64, and so are zeros by default.
        "_train: …en(params['b'])), params['b'].dtype) -> …en(params['b'])))",
    ],
}
