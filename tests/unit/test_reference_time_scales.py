"""Section 10.9: the frame against scalar loops, its limits, and how far its gradients reach."""

import functools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import NO_PERIODS, RESERVOIR, UNFIT_RESERVOIR
from refusals import (
    COUNT,
    INF,
    NAN,
    REAL,
    SQUARE,
    TIME,
)

from rnn_helpers.reference import (
    clock_connections,
    clock_moves,
    init_rnn,
    reservoir_states,
    rnn_forward,
    running_average,
    skip_companion,
    skip_gradient,
    spectral_radius,
    time_scale_forward,
    ways_back,
)

pytestmark = pytest.mark.chapter("15")
seeds = st.integers(0, 2**32 - 1)
lengths = st.integers(1, 6)
N_X, N_H, T, B = 2, 4, 9, 3
PERIODS = [1, 2, 2, 4]


def net(seed=0):
    """Parameters of a network, or of several, with skip connections."""
    params = init_rnn(N_X, N_H, 1, seed)
    rng = np.random.default_rng(5)
    return params | {"Wd": rng.normal(size=params["W"].shape), "b": rng.normal(size=N_H)}


def inputs(seed=0, shape=(T, N_X)):
    return np.random.default_rng(seed).normal(size=shape)


def by_loops(params, x, h0, *, alpha, skip, periods):
    """The states of one sequence, one number at a time."""
    past = {0: list(h0)}
    for t, now in enumerate(x, 1):
        past[t] = []
        for i in range(N_H):
            hears = [j for j in range(N_H) if periods is None or periods[j] >= periods[i]]
            a = params["b"][i] + sum(params["U"][i, k] * now[k] for k in range(len(now)))
            a += sum(params["W"][i, j] * past[t - 1][j] for j in hears)
            if skip is not None and t - skip in past:
                a += sum(params["Wd"][i, j] * past[t - skip][j] for j in hears)
            kept = alpha[i] if periods is None else float(t % periods[i] != 0)
            past[t].append(kept * past[t - 1][i] + (1 - kept) * math.tanh(a))
    return np.array([past[t] for t in range(1, len(x) + 1)])


@pytest.mark.parametrize("skip", [None, 1, 3, T, T + 1])
@pytest.mark.parametrize(
    ("alpha", "periods"), [(0.0, None), (0.7, None), ([0, 0.2, 0.9, 1], None), (0.0, PERIODS)]
)
def test_the_states_are_those_of_scalar_loops(alpha, skip, periods):
    params, x, h0 = net(), inputs(), np.arange(N_H) / N_H
    parts = {"skip": skip, "periods": periods}
    expected = by_loops(params, x, h0, alpha=np.broadcast_to(alpha, N_H), **parts)
    np.testing.assert_allclose(
        time_scale_forward(params, x, h0, alpha=alpha, **parts), expected, rtol=1e-9, atol=1e-12
    )


@pytest.mark.equation("10.8", "10.9")
@pytest.mark.parametrize("tokens", [False, True])
@pytest.mark.parametrize("seed", [0, range(3)])
def test_without_slowness_it_is_the_plain_network(tokens, seed):
    params, rng = init_rnn(N_X, N_H, 1, seed), np.random.default_rng(0)
    x = rng.integers(N_X, size=(T, B)) if tokens else inputs(shape=(T, B, N_X))
    h0 = rng.normal(size=(B, N_H))
    plain = rnn_forward(params, x, h0).h
    for parts in ({}, {"periods": [1] * N_H}):
        np.testing.assert_array_equal(time_scale_forward(params, x, h0, **parts), plain)


def test_alpha_is_one_minus_the_leak():
    params, x = net(), inputs()
    np.testing.assert_allclose(
        time_scale_forward(params, x, alpha=0.7), reservoir_states(params, x, leak=0.3), atol=1e-14
    )


def test_a_skip_of_one_step_adds_the_matrices():
    params, x = net(), inputs()
    added = params | {"W": params["W"] + params["Wd"]}
    np.testing.assert_allclose(
        time_scale_forward(params, x, skip=1), time_scale_forward(added, x), atol=1e-14
    )


def test_without_length_one_connections_d_networks_take_turns():
    params, x = net(), inputs(shape=(12, N_X))
    del params["W"]
    states = time_scale_forward(params, x, skip=3)
    for turn in range(3):
        alone = time_scale_forward(params | {"W": params["Wd"]}, x[turn::3])
        np.testing.assert_allclose(states[turn::3], alone, atol=1e-14)


def test_seeds_and_sequences_side_by_side_equal_each_alone():
    params = {name: np.stack([net(0)[name], net(1)[name]]) for name in net()}
    x, alpha = inputs(shape=(T, B, N_X)), np.random.default_rng(1).random((2, N_H))
    states = time_scale_forward(params, x, alpha=alpha, skip=2)
    assert states.shape == (T, 2, B, N_H)
    for s in range(2):
        for b in range(B):
            alone = time_scale_forward(net(s), x[:, b], alpha=alpha[s], skip=2)
            np.testing.assert_allclose(states[:, s, b], alone, rtol=1e-12, atol=1e-14)


def test_clocked_units_move_at_multiples_of_their_period_and_receive_slower_units():
    moves = clock_moves([1, 2, 3], 6)
    assert (moves.T * 1).tolist() == [[1] * 6, [0, 1, 0, 1, 0, 1], [0, 0, 1, 0, 0, 1]]
    assert (clock_connections([1, 2, 2, 4]) * 1).tolist() == [
        [1, 1, 1, 1], [0, 1, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1]
    ]  # fmt: skip
    states = time_scale_forward(net(), inputs(), periods=PERIODS)
    changed = np.diff(states, axis=0, prepend=0) != 0
    np.testing.assert_array_equal(changed, clock_moves(PERIODS, T))


def test_a_slow_unit_does_not_depend_on_a_fast_one():
    params, x = net(), inputs()
    other = time_scale_forward(params, x, [1, 0, 0, 0], periods=PERIODS)
    same = other == time_scale_forward(params, x, periods=PERIODS)
    assert same[:, 1:].all()
    assert not same[0, 0]


@given(seeds, st.floats(0, 1), st.integers(1, 8))
def test_a_running_average_is_a_weighted_sum_of_past_values(seed, alpha, n_steps):
    v, mu0 = inputs(seed, (n_steps,)), 0.5
    average = running_average(v, alpha, mu0)
    for t in range(1, n_steps + 1):
        weighted = sum((1 - alpha) * alpha ** (t - k) * v[k - 1] for k in range(1, t + 1))
        assert average[t - 1] == pytest.approx(alpha**t * mu0 + weighted, abs=1e-9)
    late = running_average(v, alpha, mu0, delayed=True)
    np.testing.assert_array_equal(late, [mu0, *average[:-1]])


def test_running_averages_of_several_alphas_equal_each_alone():
    v = inputs(shape=(T,))
    np.testing.assert_array_equal(running_average(v, [0.1, 0.9])[:, 1], running_average(v, 0.9))
    np.testing.assert_array_equal(running_average(v, 0), v)


@given(lengths, seeds)
def test_the_companion_matrix_makes_a_step_of_the_recursion(d, seed):
    W, W_skip = inputs(seed, (2, 3, 3))
    past = list(inputs(seed + 1, (d, 3)))  # oldest first
    step = skip_companion(W, W_skip, d)
    stack = np.concatenate(past[::-1])
    for _ in range(4):
        past.append(W @ past[-1] + W_skip @ past[-d])
        stack = step @ stack
        np.testing.assert_allclose(stack, np.concatenate(past[: -d - 1 : -1]), rtol=1e-9, atol=1e-9)


@given(lengths, st.integers(0, 20))
def test_the_ways_back_are_as_many_as_one_counts(d, n_steps):
    @functools.cache
    def count(t):
        return 1 if t == 0 else count(t - 1) + (count(t - d) if t >= d else 0)

    assert ways_back(d, n_steps) == count(n_steps)
    assert ways_back(1, n_steps) == 2**n_steps


@given(st.floats(-2, 2), st.floats(-2, 2), lengths, st.integers(0, 15))
def test_the_gradient_is_the_sum_over_all_ways_back(w, w_skip, d, n_steps):
    gradients = skip_gradient(w, w_skip, d, n_steps)
    step = skip_companion([[w]], [[w_skip]], d)
    powers = [np.linalg.matrix_power(step, t)[0, 0] for t in range(n_steps + 1)]
    np.testing.assert_allclose(gradients, powers, rtol=1e-6, atol=1e-6)
    assert skip_gradient(1, 1, d, n_steps)[-1] == ways_back(d, n_steps)


@pytest.mark.parametrize(
    ("w", "w_skip", "gradient", "growth"),
    [(0, 0.9, 0.1216, 0.1216), (0.5, 0.4, 8.49e-3, 0.0248), (0.5, 0.9, 6547, 2.09e4),
     (1.1, 0.3, 7.30e8, 1.04e9)],
)  # fmt: skip
def test_gradients_shrink_with_t_over_d_only_without_the_short_way(w, w_skip, gradient, growth):
    """The source's statement on 10.9.1, at d = 5 and 100 steps: without `w`, 0.9 ** (100 / 5)."""
    assert skip_gradient(w, w_skip, 5, 100)[-1] == pytest.approx(gradient, rel=2e-3)
    radius = spectral_radius(skip_companion([[w]], [[w_skip]], 5))
    assert radius**100 == pytest.approx(growth, rel=2e-3)


def test_the_spectral_radius_is_the_growth_of_a_step_in_the_long_run():
    gradients = skip_gradient(0.5, 0.9, 5, 400)
    radius = spectral_radius(skip_companion([[0.5]], [[0.9]], 5))
    assert gradients[-1] / gradients[-2] == pytest.approx(radius, rel=1e-6)


def test_bad_combinations_are_named():
    params, x = net(), inputs()
    for parts, words in [
        ({"alpha": 0.5, "periods": PERIODS}, "alpha is 0.5 and periods"),
        ({"periods": [1, 2]}, "periods has 2 entries; expected 4"),
        ({"alpha": [0.1, 0.2]}, "alpha has shape"),
    ]:
        with pytest.raises(ValueError, match=words):
            time_scale_forward(params, x, **parts)
    with pytest.raises(ValueError, match="lacks Wd"):
        time_scale_forward(init_rnn(N_X, N_H, 1), x, skip=2)
    with pytest.raises(ValueError, match="lacks W;"):
        time_scale_forward({name: p for name, p in params.items() if name != "W"}, x)


DELAYED = {**RESERVOIR, "Wd": RESERVOIR["W"]}

REFUSALS = {
    time_scale_forward: (
        {
            "params": DELAYED,
            "x": np.ones((5, 1)),
            "h0": None,
            "alpha": 0,
            "skip": 2,
            "periods": [1, 2, 2, 4],
        },
        {
            "params": [*UNFIT_RESERVOIR, RESERVOIR, {**DELAYED, "Wd": np.zeros((2, 2))}],
            "x": [*REAL, [], [1.0]],
            "h0": REAL[1:],
            "alpha": [*REAL, -0.1, 1.1, 0.5, [0, 0]],
            "skip": [value for value in COUNT if value is not None],
            "periods": NO_PERIODS,
        },
    ),
    running_average: (
        {"v": [1.0, 2.0], "alpha": 0.5, "mu0": 0, "delayed": True},
        {
            "v": [*REAL, [], 3],
            "alpha": [*REAL, -0.1, 1.1],
            "mu0": REAL[:-2],
            "delayed": [None, 1, "a"],
        },
    ),
    clock_moves: (
        {"periods": [1, 2], "n_steps": 3},
        {"periods": NO_PERIODS[:-1], "n_steps": COUNT},
    ),
    clock_connections: ({"periods": [1, 2]}, {"periods": NO_PERIODS[:-1]}),
    skip_companion: (
        {"W": np.eye(2), "W_skip": np.eye(2), "d": 3},
        {"W": SQUARE, "W_skip": [*SQUARE, np.eye(3)], "d": COUNT},
    ),
    ways_back: ({"d": 3, "n_steps": 9}, {"d": COUNT, "n_steps": TIME}),
    skip_gradient: (
        {"w": 0.5, "w_skip": 0.9, "d": 5, "n_steps": 9},
        {
            "w": [None, "a", NAN, INF, 1e200],
            "w_skip": [None, "a", NAN, INF, [1]],
            "d": COUNT,
            "n_steps": TIME,
        },
    ),
}
