import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import RESERVOIR, UNFIT_RESERVOIR, P
from refusals import (
    AT_LEAST_ZERO,
    COUNT,
    INF,
    NAN,
    REAL,
    SEED,
    TIME,
)

from rnn_helpers.reference import (
    echo_state_gap,
    init_reservoir,
    init_rnn,
    memory_capacity,
    output,
    reservoir_states,
    ridge_readout,
    rnn_forward,
    spectral_radius,
)

pytestmark = pytest.mark.chapter("14")
seeds = st.integers(0, 2**32 - 1)
leaks = st.floats(0.05, 1)


def states_by_loops(params, x, h0, leak):
    """The states of one sequence of vectors, one number at a time."""
    U, W, b = (params[name].tolist() for name in "UWb")
    h, states = list(h0), []
    for now in x.tolist():
        a = [
            b[i]
            + sum(W[i][j] * h[j] for j in range(len(h)))
            + sum(U[i][j] * now[j] for j in range(len(now)))
            for i in range(len(h))
        ]
        h = [(1 - leak) * h[i] + leak * math.tanh(a[i]) for i in range(len(h))]
        states.append(h)
    return np.array(states)


def delay_line(n_h, scale):
    """A reservoir that passes its input from unit to unit, so softly that tanh is a line."""
    return {"U": scale * np.eye(n_h, 1), "W": np.eye(n_h, k=-1), "b": np.zeros(n_h)}


@given(st.integers(1, 40), seeds, st.floats(0, 3), st.floats(0.01, 1))
def test_the_spectral_radius_is_the_one_asked_for(n_h, seed, radius, density):
    params = init_reservoir(2, n_h, seed, radius=radius, density=density)
    assert spectral_radius(params["W"]) == pytest.approx(radius, rel=1e-9)
    assert {name: array.shape for name, array in params.items()} == {
        "U": (n_h, 2), "W": (n_h, n_h), "b": (n_h,)
    }  # fmt: skip


@pytest.mark.parametrize(("density", "weights"), [(0.001, 1), (0.1, 4), (0.5, 20), (1, 40)])
def test_each_row_has_the_share_of_weights_asked_for_and_at_least_one(density, weights):
    W = init_reservoir(1, 40, density=density)["W"]
    np.testing.assert_array_equal((W != 0).sum(axis=1), weights)


def test_radius_and_input_scale_scale_the_same_matrices():
    one = init_reservoir(3, 20, 7, radius=1, input_scale=1)
    other = init_reservoir(3, 20, 7, radius=0.3, input_scale=5)
    np.testing.assert_allclose(other["W"], 0.3 * one["W"], rtol=1e-12)
    np.testing.assert_allclose(other["U"], 5 * one["U"], rtol=1e-12)
    assert 0.9 < abs(one["U"]).max() <= 1


def test_a_reservoir_of_radius_zero_has_no_recurrence():
    assert (init_reservoir(1, 5, radius=0)["W"] == 0).all()


@pytest.mark.equation("10.8", "10.9")
@given(st.integers(1, 4), st.integers(1, 6), st.integers(1, 8), seeds, leaks)
def test_the_states_are_those_of_scalar_loops(n_x, n_h, n_steps, seed, leak):
    rng = np.random.default_rng(seed)
    params = init_reservoir(n_x, n_h, rng, density=0.5) | {"b": rng.normal(size=n_h)}
    x, h0 = rng.normal(size=(n_steps, n_x)), rng.normal(size=n_h)
    states = reservoir_states(params, x, h0, leak)
    np.testing.assert_allclose(states, states_by_loops(params, x, h0, leak), rtol=1e-9, atol=1e-12)


@pytest.mark.equation("10.8", "10.9")
@pytest.mark.parametrize("tokens", [False, True])
@pytest.mark.parametrize("seed", [0, range(3)])
def test_without_leak_it_is_the_plain_network(tokens, seed):
    rng = np.random.default_rng(0)
    params = init_rnn(4, 5, 2, seed)
    x = rng.integers(4, size=(7, 2)) if tokens else rng.normal(size=(7, 2, 4))
    h0 = rng.normal(size=(2, 5))
    np.testing.assert_array_equal(
        reservoir_states(params, x, h0, leak=1), rnn_forward(params, x, h0).h
    )


def test_a_reservoir_and_its_readout_are_a_recurrent_network():
    rng = np.random.default_rng(0)
    params, x = init_reservoir(1, 10), rng.normal(size=(60, 1))
    states = reservoir_states(params, x)
    readout = ridge_readout(states, rng.normal(size=(60, 3)), washout=10)
    np.testing.assert_allclose(
        output(**readout, h=states), rnn_forward(params | readout, x).o, rtol=1e-12, atol=1e-14
    )


def test_reservoirs_and_sequences_side_by_side_equal_each_alone():
    rng = np.random.default_rng(0)
    params, x = init_reservoir(2, 6, [3, 4]), rng.normal(size=(5, 3, 2))
    states = reservoir_states(params, x, leak=0.4)
    assert states.shape == (5, 2, 3, 6)
    for s, seed in enumerate([3, 4]):
        alone = init_reservoir(2, 6, seed)
        for k in range(3):
            np.testing.assert_allclose(
                states[:, s, k], reservoir_states(alone, x[:, k], leak=0.4), rtol=1e-12, atol=1e-14
            )


@pytest.mark.slow
@given(seeds, st.integers(1, 8), st.integers(1, 3), st.floats(1e-6, 10), st.integers(0, 5))
def test_the_readout_is_the_ridge_regression_of_another_library(seed, n_h, n_y, penalty, washout):
    from sklearn.linear_model import Ridge

    rng = np.random.default_rng(seed)
    states, y = rng.normal(1, 2, (30, n_h)), rng.normal(-3, 1, (30, n_y))
    readout = ridge_readout(states, y, penalty, washout)
    other = Ridge(alpha=penalty, solver="cholesky").fit(states[washout:], y[washout:])
    np.testing.assert_allclose(readout["V"], np.reshape(other.coef_, (n_y, n_h)), rtol=1e-6)
    np.testing.assert_allclose(readout["c"], np.reshape(other.intercept_, n_y), rtol=1e-6)


def test_gradient_descent_finds_the_same_readout():
    rng = np.random.default_rng(0)
    states = reservoir_states(init_reservoir(1, 4, density=0.5), rng.normal(size=(80, 1)))
    y, penalty = rng.normal(size=(80, 1)), 0.5
    readout = ridge_readout(states, y, penalty)
    V, c = np.ones((1, 4)), np.ones(1)
    for _ in range(5000):
        error = states @ V.T + c - y
        V, c = V - 0.01 * (error.T @ states + penalty * V), c - 0.01 * error.sum(axis=0)
    np.testing.assert_allclose(V, readout["V"], rtol=1e-8)
    np.testing.assert_allclose(c, readout["c"], rtol=1e-8)


def test_linear_functions_of_the_state_are_read_exactly_without_penalty():
    rng = np.random.default_rng(0)
    states, V, c = rng.normal(size=(20, 3)), rng.normal(size=(2, 3)), rng.normal(size=2)
    readout = ridge_readout(states, states @ V.T + c, penalty=0)
    np.testing.assert_allclose(readout["V"], V, rtol=1e-9)
    np.testing.assert_allclose(readout["c"], c, rtol=1e-9)
    # a column twice: of all readouts that fit, the smallest shares the weight
    twice = ridge_readout(states[:, [0, 0]], states[:, :1], penalty=0)
    np.testing.assert_allclose(twice["V"], [[0.5, 0.5]], rtol=1e-9)


@pytest.mark.slow
def test_memory_capacity_is_the_squared_correlation_of_another_readout():
    from sklearn.linear_model import Ridge

    params, leak, penalty, washout, n_steps = init_reservoir(1, 6, density=0.5), 0.7, 1e-4, 10, 300
    capacity = memory_capacity(
        params, 8, 5, leak=leak, penalty=penalty, n_steps=n_steps, washout=washout
    )
    x = np.random.default_rng(5).uniform(-1, 1, washout + n_steps)
    states = states_by_loops(params, x[:, None], np.zeros(6), leak)
    train, test = range(washout, washout + 150), range(washout + 150, washout + 300)
    for k in range(9):
        readout = Ridge(alpha=penalty).fit(states[train], [x[t - k] for t in train])
        said = readout.predict(states[test])
        expected = np.corrcoef(said, [x[t - k] for t in test])[0, 1] ** 2
        assert capacity[k] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("n_h", [1, 4, 20])
def test_a_delay_line_remembers_one_input_in_each_unit_and_no_more(n_h):
    capacity = memory_capacity(delay_line(n_h, scale=1e-3), 30)
    np.testing.assert_allclose(capacity[:n_h], 1, atol=1e-6)
    assert capacity[n_h:].max() < 0.01
    assert capacity[:n_h].sum() == pytest.approx(n_h, abs=1e-5)


def test_a_loud_delay_line_remembers_less():
    assert memory_capacity(delay_line(20, scale=1), 30)[:20].sum() < 19.9


@given(st.integers(1, 20), seeds, st.floats(0, 2), st.sampled_from([0.01, 1.0]), leaks)
def test_memory_capacity_is_at_most_the_number_of_units(n_h, seed, radius, scale, leak):
    params = init_reservoir(1, n_h, seed, radius=radius, input_scale=scale, density=0.5)
    capacity = memory_capacity(params, 40, seed, leak=leak, n_steps=600, washout=40)
    assert ((capacity >= 0) & (capacity <= 1 + 1e-12)).all()
    # The readouts of n_h units span at most n_h dimensions, so the sum is at most that of the n_h
    # largest eigenvalues of the correlations of 41 inputs: n_h, were those inputs uncorrelated.
    x = np.random.default_rng(seed).uniform(-1, 1, 640)
    correlations = np.corrcoef([x[340 - k : 640 - k] for k in range(41)])
    assert capacity.sum() <= np.linalg.eigvalsh(correlations)[-n_h:].sum() + 1e-9


def test_a_reservoir_without_input_has_no_memory():
    assert memory_capacity(init_reservoir(1, 20, input_scale=0), 10).max() < 0.01


def test_a_radius_of_three_hardly_remembers_a_weak_input():
    capacity = {
        radius: memory_capacity(init_reservoir(1, 60, radius=radius, input_scale=0.1), 60).sum()
        for radius in (0.9, 3)
    }
    assert capacity[0.9] > 10
    assert capacity[3] < 1


@given(st.integers(1, 8), seeds, st.floats(0, 0.95), leaks)
def test_two_starts_meet_as_fast_as_a_contraction_promises(n_h, seed, norm, leak):
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(n_h, n_h))
    params = init_reservoir(2, n_h, rng) | {"W": norm / np.linalg.svdvals(W)[0] * W}
    h0, other_h0 = rng.normal(size=(2, n_h))
    gap = echo_state_gap(params, rng.normal(size=(30, 2)), h0, other_h0, leak)
    assert gap[0] == pytest.approx(np.linalg.norm(h0 - other_h0))
    assert (gap <= gap[0] * (1 - leak + leak * norm) ** np.arange(31) * (1 + 1e-9) + 1e-12).all()


def test_a_radius_below_one_is_not_enough_to_meet():
    params = {"U": np.zeros((2, 1)), "W": np.array([[1.25, 10], [-0.25, -1.7]]), "b": np.zeros(2)}
    assert spectral_radius(params["W"]) < 0.7
    gap = echo_state_gap(params, np.zeros((500, 1)), [1, -0.8], [-1, 0.8])
    assert gap[-1] > 2


@pytest.mark.parametrize(("input_scale", "meet"), [(0.1, False), (20, True)])
def test_with_a_radius_above_one_a_loud_input_makes_two_starts_meet(input_scale, meet):
    params = init_reservoir(1, 50, radius=1.5, input_scale=input_scale)
    rng = np.random.default_rng(0)
    h0, other_h0 = rng.uniform(-1, 1, (2, 50))
    gap = echo_state_gap(params, rng.uniform(-1, 1, (500, 1)), h0, other_h0)
    assert (gap[-1] < 1e-9) == meet


def test_the_gap_of_many_sequences_is_that_of_each():
    rng = np.random.default_rng(0)
    params, x, h0 = init_reservoir(1, 5), rng.normal(size=(9, 3, 1)), rng.normal(size=(3, 5))
    gap = echo_state_gap(params, x, h0, 0 * h0)
    assert gap.shape == (10, 3)
    np.testing.assert_allclose(gap[:, 1], echo_state_gap(params, x[:, 1], h0[1], 0 * h0[1]))


def test_errors_state_the_expected_input():
    params, states = init_reservoir(1, 5), np.zeros((50, 5))
    with pytest.raises(ValueError, match="radius is -1; expected a finite number of at least 0"):
        init_reservoir(1, 5, radius=-1)
    with pytest.raises(ValueError, match="density is 0; expected a number above 0 and at most 1"):
        init_reservoir(1, 5, density=0)
    with pytest.raises(ValueError, match="washout is 50; expected less than the 50 rows of states"):
        ridge_readout(states, states, washout=50)
    with pytest.raises(ValueError, match=r"y has shape \(49, 5\); expected \(50, n_y\)"):
        ridge_readout(states, states[1:])
    with pytest.raises(ValueError, match="y contains nan; expected finite numbers"):
        ridge_readout(states, states * np.nan)
    with pytest.raises(ValueError, match="washout is 9; expected an integer of at least 10"):
        memory_capacity(params, 10, washout=9)
    with pytest.raises(ValueError, match="n_steps is 13; expected an integer of at least 14"):
        memory_capacity(params, 10, n_steps=13)
    with pytest.raises(ValueError, match=r"params\['U'\] has shape \(5, 2\); expected \(n_h, 1\)"):
        memory_capacity(init_reservoir(2, 5), 10)
    with pytest.raises(ValueError, match="params lacks b; expected U, W and b"):
        reservoir_states({name: params[name] for name in "UW"}, [[1.0]])


SHARE = [0, -0.1, 1.1, NAN, INF, "a", None, [1], 10**5000]

REFUSALS = {
    init_reservoir: (
        {"n_x": 2, "n_h": 3, "seed": 0, "radius": 0.9, "input_scale": 1, "density": 0.5},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "seed": [*SEED, []],
            "radius": AT_LEAST_ZERO,
            "input_scale": AT_LEAST_ZERO,
            "density": SHARE,
        },
    ),
    reservoir_states: (
        {"params": RESERVOIR, "x": np.ones((5, 1)), "h0": None, "leak": 0.5},
        {"params": UNFIT_RESERVOIR, "x": [*REAL, [], [1.0]], "h0": REAL[1:], "leak": SHARE},
    ),
    echo_state_gap: (
        {"params": RESERVOIR, "x": np.ones((5, 1)), "h0": 4 * [0], "other_h0": 4 * [1], "leak": 1},
        {
            "params": UNFIT_RESERVOIR,
            "x": [*REAL, [], [1.0]],
            "h0": REAL[1:],
            "other_h0": REAL[1:],
            "leak": SHARE,
        },
    ),
    ridge_readout: (
        {"states": np.eye(5), "y": np.ones((5, 1)), "penalty": 0.1, "washout": 2},
        {
            "states": [*REAL, [], 3, np.ones(5), np.ones((5, 2, 2))],
            "y": [*REAL, [], 3, np.ones(5), np.ones((4, 1)), np.ones((5, 0))],
            "penalty": AT_LEAST_ZERO,
            "washout": [5, 6, *TIME],
        },
    ),
    memory_capacity: (
        {"params": RESERVOIR, "max_delay": 3, "seed": 0, "n_steps": 20, "washout": 5},
        {
            "params": [*UNFIT_RESERVOIR, P, init_reservoir(1, 4, [0, 1])],
            "max_delay": TIME,
            "seed": SEED,
            "leak": SHARE,
            "penalty": AT_LEAST_ZERO,
            "n_steps": [11, *COUNT],
            "washout": [2, *TIME],
        },
    ),
}
