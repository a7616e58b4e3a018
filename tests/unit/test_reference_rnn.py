from math import exp, log, tanh

import numpy as np
import pytest
from networks import (
    DRAW,
    PARAMS,
    RUN,
    UNFIT_DRAW,
    P,
    X,
    Y,
)
from refusals import (
    MASK,
    NAME,
    NAN,
    REAL,
    TOKENS,
)

from rnn_helpers.reference import (
    hidden_state,
    init_rnn,
    initial_state,
    input_term,
    log_softmax,
    one_hot,
    output,
    preactivation,
    probabilities,
    rnn_forward,
    rnn_loss,
    step_loss,
    times,
    to_chiang,
)

N_X, N_H, N_Y, T, B, S = 3, 4, 5, 6, 2, 3


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def params(rng):
    """Parameters without a zero among them."""
    shapes = {"U": (N_H, N_X), "W": (N_H, N_H), "V": (N_Y, N_H), "b": (N_H,), "c": (N_Y,)}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def by_hand(M, v):
    return [sum(m * u for m, u in zip(row, v, strict=True)) for row in M]


@pytest.mark.chapter("03")
@pytest.mark.equation("10.8")
def test_preactivation_is_the_sum_of_bias_past_and_input(params, rng):
    h, x = rng.normal(size=N_H), rng.normal(size=N_X)
    expected = [
        b + w + u
        for b, w, u in zip(
            params["b"], by_hand(params["W"], h), by_hand(params["U"], x), strict=True
        )
    ]
    a = preactivation(params["b"], params["W"], h, times(params["U"], x))
    np.testing.assert_allclose(a, expected, rtol=1e-14)


@pytest.mark.chapter("03")
@pytest.mark.equation("10.9")
def test_hidden_state_is_tanh(rng):
    a = rng.normal(size=N_H)
    np.testing.assert_allclose(hidden_state(a), [tanh(z) for z in a], rtol=1e-14)


@pytest.mark.chapter("03")
@pytest.mark.equation("10.10", "5.8")
def test_output_is_linear_in_the_state(params, rng):
    h = rng.normal(size=N_H)
    expected = np.add(params["c"], by_hand(params["V"], h))
    np.testing.assert_allclose(output(params["c"], params["V"], h), expected, rtol=1e-14)


@pytest.mark.chapter("03")
@pytest.mark.equation("10.11", "5.7")
def test_probabilities_are_the_softmax_of_the_output(params, rng):
    run = rnn_forward(params, rng.normal(size=(T, N_X)))
    e = np.exp(run.o)
    np.testing.assert_allclose(run.yhat, e / e.sum(-1, keepdims=True), rtol=1e-13)
    np.testing.assert_allclose(probabilities(run.o), run.yhat, rtol=1e-13)


@pytest.mark.chapter("03")
@pytest.mark.equation("10.14", "5.11")
def test_step_loss_is_minus_the_log_probability_of_the_target(rng):
    log_yhat = log_softmax(rng.normal(size=(T, B, N_Y)))
    y = rng.integers(N_Y, size=(T, B))
    L = step_loss(log_yhat, y)
    for step in np.ndindex(T, B):
        assert L[step] == pytest.approx(-log(exp(log_yhat[step][y[step]])))
    z = one_hot(y, N_Y)
    np.testing.assert_allclose(L, -(z * log_yhat).sum(-1), rtol=1e-14)


@pytest.mark.chapter("03")
@pytest.mark.equation("10.12", "10.13", "10.14")
def test_loss_is_the_sum_over_time_and_minibatch_of_minus_log_likelihood(params, rng):
    x, y = rng.integers(N_X, size=(T, B)), rng.integers(N_Y, size=(T, B))
    run = rnn_forward(params, x)
    each = [-log(run.yhat[t, i, y[t, i]]) for t in range(T) for i in range(B)]
    assert rnn_loss(run, y) == pytest.approx(sum(each), rel=1e-13)


@pytest.mark.chapter("03")
@pytest.mark.equation("10.8", "10.9", "10.10", "10.11")
def test_the_run_satisfies_every_equation_at_every_step(params, rng):
    x, h0 = rng.normal(size=(T, N_X)), rng.normal(size=N_H)
    run, h = rnn_forward(params, x, h0), h0
    U, W, V, b, c = (params[name] for name in "UWVbc")
    for t in range(T):
        a = b + W @ h + U @ x[t]
        np.testing.assert_allclose(run.a[t], a, rtol=1e-12)
        np.testing.assert_array_equal(run.h_prev[t], run.states[t])
        h = np.tanh(a)
        np.testing.assert_allclose(run.h[t], h, rtol=1e-12)
        np.testing.assert_allclose(run.o[t], c + V @ h, rtol=1e-12)
        np.testing.assert_allclose(run.log_yhat[t], log_softmax(c + V @ h), rtol=1e-12)
    np.testing.assert_array_equal(run.h0, h0)


@pytest.mark.chapter("03")
@pytest.mark.equation("5.4", "5.5", "5.7", "5.8", "5.10", "5.11")
def test_the_sigmoid_network_is_the_same_code_with_another_nonlinearity(params, rng):
    w = rng.integers(N_X, size=T + 1)
    A, B_, c, D, e = (to_chiang(params)[name] for name in "ABcDe")
    run = rnn_forward(params, w[:-1], nonlinearity="sigmoid")
    h, log_likelihood = np.zeros(N_H), 0.0  # (C 5.4)
    np.testing.assert_array_equal(initial_state(N_H), h)
    for i in range(T):
        x, z = np.eye(N_X)[w[i]], np.eye(N_Y)[w[i + 1]]
        h = 1 / (1 + np.exp(-(A @ h + B_ @ x + c)))  # (C 5.5)
        s = D @ h + e  # (C 5.8)
        y = np.exp(s) / np.exp(s).sum()  # (C 5.7), (C 5.9)
        log_likelihood += z @ np.log(y)  # (C 5.11)
        np.testing.assert_allclose(run.h[i], h, rtol=1e-12)
        np.testing.assert_allclose(run.yhat[i], y, rtol=1e-12)
    assert -rnn_loss(run, w[1:]) == pytest.approx(log_likelihood, rel=1e-13)  # (C 5.10)


@pytest.mark.chapter("03")
def test_a_token_is_its_one_hot_vector(params, rng):
    x = rng.integers(N_X, size=(T, B))
    tokens, vectors = rnn_forward(params, x), rnn_forward(params, one_hot(x, N_X))
    np.testing.assert_allclose(tokens.log_yhat, vectors.log_yhat, rtol=1e-13)
    np.testing.assert_array_equal(input_term(params["U"], np.array(1)), params["U"][:, 1])


@pytest.mark.chapter("03")
def test_sequences_of_a_minibatch_do_not_touch_each_other(params, rng):
    x, y = rng.integers(N_X, size=(T, B)), rng.integers(N_Y, size=(T, B))
    h0 = rng.normal(size=(B, N_H))
    together = rnn_forward(params, x, h0)
    alone = [rnn_forward(params, x[:, i], h0[i]) for i in range(B)]
    for i, run in enumerate(alone):
        np.testing.assert_allclose(together.h[:, i], run.h, rtol=1e-12)
    losses = [rnn_loss(run, y[:, i]) for i, run in enumerate(alone)]
    assert rnn_loss(together, y) == pytest.approx(sum(losses), rel=1e-13)


@pytest.mark.chapter("03")
def test_a_state_carried_over_continues_the_sequence(params, rng):
    x = rng.integers(N_X, size=(T, B))
    whole, first = rnn_forward(params, x), rnn_forward(params, x[:2])
    rest = rnn_forward(params, x[2:], first.h[-1])
    np.testing.assert_allclose(rest.h, whole.h[2:], rtol=1e-13)


@pytest.mark.chapter("03")
@pytest.mark.equation("10.13")
def test_a_mask_counts_each_sequence_to_its_own_end(params, rng):
    x, y = rng.integers(N_X, size=(T, B)), rng.integers(N_Y, size=(T, B))
    lengths = np.array([T, 2])
    mask = np.arange(T)[:, None] < lengths
    y[~mask] = -1  # masked targets are ignored
    expected = sum(rnn_loss(rnn_forward(params, x[:n, i]), y[:n, i]) for i, n in enumerate(lengths))
    assert rnn_loss(rnn_forward(params, x), y, mask) == pytest.approx(expected, rel=1e-13)
    assert rnn_loss(rnn_forward(params, x), y, mask.astype(float)) == pytest.approx(expected)


@pytest.mark.parametrize("tokens", [True, False])
@pytest.mark.parametrize("shared", [True, False])
def test_networks_on_the_axis_of_seeds_are_separate_networks(rng, tokens, shared):
    params = init_rnn(N_X, N_H, N_Y, seed=range(S))
    shape = (T, B) if shared else (T, S, B)
    x = rng.integers(N_X, size=shape) if tokens else rng.normal(size=(*shape, N_X))
    y = rng.integers(N_Y, size=shape)
    run = rnn_forward(params, x)
    assert run.h.shape == (T, S, B, N_H)
    assert rnn_loss(run, y).shape == (S,)
    for s in range(S):
        of_seed = (lambda array: array) if shared else (lambda array, s=s: array[:, s])
        alone = rnn_forward(init_rnn(N_X, N_H, N_Y, seed=s), of_seed(x))
        np.testing.assert_allclose(run.log_yhat[:, s], alone.log_yhat, rtol=1e-12)
        assert rnn_loss(run, y)[s] == pytest.approx(rnn_loss(alone, of_seed(y)), rel=1e-13)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_everything_is_computed_in_the_type_of_the_parameters(dtype):
    params = init_rnn(N_X, N_H, N_Y, dtype=dtype)
    for x in (np.zeros((T, B), int), np.zeros((T, B, N_X))):
        run = rnn_forward(params, x)
        assert {run.a.dtype, run.h.dtype, run.o.dtype, run.log_yhat.dtype} == {np.dtype(dtype)}


def test_the_same_seed_gives_the_same_network():
    first, again, other = (init_rnn(N_X, N_H, N_Y, seed) for seed in (1, 1, 2))
    assert all((first[name] == again[name]).all() for name in first)
    assert (first["W"] != other["W"]).any()
    from_generator = init_rnn(N_X, N_H, N_Y, np.random.default_rng(1))
    np.testing.assert_array_equal(from_generator["U"], first["U"])


def test_weights_have_mean_zero_and_the_scale_as_standard_deviation_and_biases_are_zero():
    for scale, expected in ((0.3, 0.3), (None, 0.1)):
        params = init_rnn(50, 100, 70, scale=scale)
        for name in "UWV":
            assert params[name].mean() == pytest.approx(0, abs=expected / 20)
            assert params[name].std() == pytest.approx(expected, rel=0.05)
        assert not params["b"].any()
        assert not params["c"].any()
    assert not init_rnn(50, 60, 70, scale=0)["U"].any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"W": np.zeros((N_H, 9))}, r"params\['U'\] has shape \(4, 3\); expected \(9, 3\)"),
        ({"W": np.zeros(N_H)}, r"params\['W'\] has shape \(4,\); expected \(n_h, n_h\)"),
        ({"b": np.zeros((N_H, 1))}, r"params\['b'\] has shape \(4, 1\); expected \(4,\)"),
        ({"c": np.zeros(9)}, r"params\['V'\] has shape \(5, 4\); expected \(9, 4\)"),
        ({"U": np.full((N_H, N_X), np.nan)}, r"params\['U'\] contains nan; expected finite"),
        ({"b": np.full(N_H, np.inf)}, r"params\['b'\] contains inf; expected finite"),
    ],
)
def test_parameters_that_do_not_fit_are_rejected_by_name(params, change, message):
    with pytest.raises(ValueError, match=message):
        rnn_forward({**params, **change}, np.zeros(T, int))


def test_missing_parameters_are_named(params):
    del params["W"], params["c"]
    with pytest.raises(ValueError, match="params lacks W, c"):
        rnn_forward(params, np.zeros(T, int))


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (np.zeros(0, int), "at least one time step"),
        (np.zeros((0, B, N_X)), "at least one time step"),
        (np.zeros((T, 0), int), "at least one time step and sequence"),
        (np.array([0, N_X]), r"x contains token 3; expected tokens in 0\.\.2"),
        (np.array([0, -1]), "x contains token -1"),
        (np.zeros((T, 9)), r"x has shape \(6, 9\) .*; expected .* vectors"),
        (np.zeros(T), r"x has shape \(6,\) and dtype float64; expected \(T,\) .* integer tokens"),
        (np.array(0), r"x has shape \(\)"),
        (np.zeros((T, B, S), int), r"x has shape \(6, 2, 3\)"),
        (np.full((T, N_X), np.nan), "x contains nan"),
    ],
)
def test_inputs_that_do_not_fit_are_rejected(params, x, message):
    with pytest.raises(ValueError, match=message):
        rnn_forward(params, x)


def test_seeds_need_a_minibatch_and_their_own_number_of_inputs():
    params = init_rnn(N_X, N_H, N_Y, seed=range(S))
    with pytest.raises(ValueError, match=r"x has shape \(6,\) .*; expected \(T, B\)"):
        rnn_forward(params, np.zeros(T, int))
    with pytest.raises(ValueError, match="expected 3 seeds on its second axis"):
        rnn_forward(params, np.zeros((T, 2, B), int))


@pytest.mark.parametrize("bad", [["a", "b"], [None]])
def test_inputs_of_another_type_are_rejected(params, bad):
    with pytest.raises(TypeError, match="x has dtype"):
        rnn_forward(params, bad)


def test_an_unknown_nonlinearity_is_named(params):
    for call in (lambda: rnn_forward(params, [0], None, "relu"), lambda: hidden_state(0, "relu")):
        with pytest.raises(ValueError, match="nonlinearity is 'relu'; expected one of 'tanh'"):
            call()


@pytest.mark.parametrize("h0", [np.zeros(3), np.zeros((5, N_H)), np.zeros((B, 1))])
def test_an_initial_state_that_does_not_fit_is_rejected(params, h0):
    with pytest.raises(ValueError, match=r"h0 has shape .*; expected it to broadcast to \(2, 4\)"):
        rnn_forward(params, np.zeros((T, B), int), h0)


def test_targets_and_masks_that_do_not_fit_are_rejected(params):
    run = rnn_forward(params, np.zeros((T, B), int))
    y = np.zeros((T, B), int)
    with pytest.raises(ValueError, match=r"y has shape \(6,\); expected \(6, 2\)"):
        rnn_loss(run, y[:, 0])
    with pytest.raises(ValueError, match="y contains token 5"):
        rnn_loss(run, y + N_Y)
    with pytest.raises(TypeError, match="y has dtype float64; expected integer tokens"):
        rnn_loss(run, y + 0.0)
    with pytest.raises(ValueError, match=r"mask has shape \(2,\); expected \(6, 2\)"):
        rnn_loss(run, y, np.ones(B))
    with pytest.raises(ValueError, match=r"mask contains 0\.5; expected 0 or 1"):
        rnn_loss(run, y, np.full((T, B), 0.5))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0, 4, 5), ValueError, "n_x is 0"),
        ((3, 4.5, 5), TypeError, r"n_h is 4\.5; expected an integer"),
        ((3, 4, 5, []), ValueError, "seed is empty"),
        ((3, 4, 5, 0, -1), ValueError, "scale is -1"),
        ((3, 4, 5, 0, np.nan), ValueError, "scale is nan"),
    ],
)
def test_bad_settings_of_the_initialisation_are_named(arguments, error, message):
    with pytest.raises(error, match=message):
        init_rnn(*arguments)


def test_times_refuses_integers():
    for M, v in ((3, [1.0]), ([[1.0]], 3), (3, 3)):
        with pytest.raises(ValueError, match=r"times got the shapes M .* v "):
            times(M, v)


REFUSALS = {
    hidden_state: ({"a": RUN.a, "nonlinearity": "tanh"}, {"a": REAL, "nonlinearity": NAME}),
    init_rnn: (DRAW, UNFIT_DRAW),
    initial_state: (
        {"shape": 3, "dtype": float},
        {"shape": [-1, 0, "a", None, 2.5, (2, -1), NAN], "dtype": ["no", object, int]},
    ),
    input_term: (
        {"U": P["U"], "x": X},
        {"U": REAL, "x": [value for value in TOKENS if value != [0.5, 1, 2]]},
    ),
    probabilities: ({"o": [1.0, 2.0]}, {"o": [*REAL, []]}),
    output: ({"c": P["c"], "V": P["V"], "h": RUN.h}, {"c": REAL, "V": REAL, "h": REAL}),
    preactivation: (
        {"b": P["b"], "W": P["W"], "h_prev": RUN.h[0], "Ux": RUN.h[1]},
        {"b": REAL, "W": REAL, "h_prev": REAL, "Ux": REAL},
    ),
    rnn_forward: (
        {"params": P, "x": X, "h0": None, "nonlinearity": "tanh"},
        {"params": PARAMS, "x": TOKENS, "h0": REAL[1:], "nonlinearity": NAME},
    ),
    rnn_loss: (
        {"run": RUN, "y": Y, "mask": None},
        {"run": [None, 3, {}, P], "y": TOKENS, "mask": MASK},
    ),
    step_loss: ({"log_yhat": RUN.log_yhat, "y": Y}, {"log_yhat": REAL, "y": TOKENS}),
    times: ({"M": P["W"], "v": RUN.h}, {"M": REAL, "v": REAL}),
}
