"""Chapter 14's exercises: tests of the solutions, and the tables of tests/declared.py."""

import numpy as np
import pytest
from limits import Line, changed, moved

from rnn_helpers.checks import exercises
from rnn_helpers.exercises import chapter_14 as answers
from rnn_helpers.reference import (
    echo_state_gap,
    init_reservoir,
    memory_capacity,
    reservoir_states,
    ridge_readout,
    rnn_forward,
    separation,
    spectral_radius,
    state_jacobians,
    widest_perturbation,
)


def test_the_radius_is_the_one_asked_for():
    W = np.random.default_rng(0).normal(size=(7, 7))
    assert spectral_radius(answers.rescale(W, 1.3)) == pytest.approx(1.3)


@pytest.mark.slow
def test_the_readout_is_that_of_the_reference_and_of_scikit_learn():
    from sklearn.linear_model import Ridge

    rng = np.random.default_rng(1)
    states, y = rng.normal(1, 1, (40, 5)), rng.normal(3, 1, (40, 2))
    V, c = answers.readout(states, y, 0.7, 6)
    ours, theirs = ridge_readout(states, y, 0.7, 6), Ridge(0.7).fit(states[6:], y[6:])
    for given, *same in ((V, ours["V"], theirs.coef_), (c, ours["c"], theirs.intercept_)):
        for one in same:
            np.testing.assert_allclose(given, one, rtol=1e-9)


def test_the_capacity_matches_the_reference():
    params = init_reservoir(1, 20, 3)
    x = np.random.default_rng(5).uniform(-1, 1, 8000)
    states = reservoir_states(params, x[:, None])
    given = [answers.capacity(states[200:], x[200:], k) for k in (1, 9, 30)]
    wanted = memory_capacity(params, 30, seed=6, n_steps=7800)[[1, 9, 30]]
    assert wanted[0] > 0.99 > wanted[1] > 0.1 > wanted[2]
    np.testing.assert_allclose(given, wanted, atol=0.05)


def test_a_reservoir_without_a_bias_reads_out_odd_functions():
    reservoir = init_reservoir(1, 50, seed=4, radius=0.9, input_scale=1.0)
    assert not reservoir["b"].any()
    x = np.random.default_rng(7).uniform(-1, 1, 12000)
    states, before = reservoir_states(reservoir, x[:, None])[9:], x[9:]
    ago = {k: x[9 - k : len(x) - k] for k in (1, 2, 3, 9)}
    targets = [
        ago[3],
        before * ago[9],
        before**2,
        before**3,
        before * ago[1] * ago[2],
    ]
    told = set()
    for name, y in zip(answers.TARGETS, targets, strict=True):
        readout = ridge_readout(states[:6000], y[:6000, None], 1e-6, 100)
        said = states[6000:] @ readout["V"][0]
        if np.corrcoef(said, y[6000:])[0, 1] > 0.5:
            told.add(name)
    assert told == answers.can_tell()


def test_a_readout_seems_to_remember_unseen_inputs_on_its_training_half():
    rng = np.random.default_rng(2)
    found = exercises()["14-capacity"].wrong["on the half it learned from"].answer
    shares = [found(rng.normal(size=(400, 50)), rng.normal(size=400), 0) for _ in range(40)]
    # n_h / (N - 1) for N steps, in the mean
    assert np.mean(shares) == pytest.approx(50 / 199, rel=0.05)
    fair = [answers.capacity(rng.normal(size=(400, 50)), rng.normal(size=400), 0) for _ in range(9)]
    assert np.mean(fair) < 0.02


def test_the_widest_is_that_of_the_reference_and_wider_than_the_eigenvector():
    J = np.array([[0.9, 5.0], [0.0, 0.5]])
    for n, widest, along in ((1, 5.10, 0.90), (3, 7.59, 0.73), (10, 4.36, 0.35)):
        v, growth = widest_perturbation(J, n)
        np.testing.assert_allclose(np.abs(answers.widest(J, n)), np.abs(v))
        assert growth == pytest.approx(widest, abs=0.005)
        eigenvector = answers._eigenvector(J).real  # since NumPy 2.5, it is complex for any J
        assert separation(J, eigenvector, n)[-1] == pytest.approx(along, abs=0.005)


@pytest.mark.equation("10.20")
def test_the_way_back_is_that_of_the_reference_and_of_the_chain_rule():
    rng = np.random.default_rng(3)
    J, (g, v) = rng.normal(size=(4, 4)), rng.normal(size=(2, 4))
    given = answers.apart(J, g, v, 0.3, 5)
    assert given == pytest.approx(separation(J, 0.3 * v, 5, backward=True)[-1])
    there, here = (np.linalg.matrix_power(J.T, 5) @ a for a in (g + 0.3 * v, g))
    assert given == pytest.approx(np.linalg.norm(there - here))


def test_a_radius_of_zero_and_three_states_that_stay():
    W, zero, one = answers.never_meet()
    np.testing.assert_array_equal(W @ W, 0)
    params = {"U": np.zeros((2, 1)), "W": W, "b": np.zeros(2)}
    for start in (zero, one, -one):
        before, last = reservoir_states(params, np.zeros((200, 1)), start)[-2:]
        np.testing.assert_allclose(last, before, atol=1e-12)
    np.testing.assert_allclose(last, [-0.99841, -0.94506], atol=1e-5)
    assert echo_state_gap(params, np.zeros((200, 1)), zero, one)[-1] > 1


def test_the_recipe_of_the_solution_holds_a_state():
    k, m = np.array([4.0, 2.0]), np.array([2.0, -4.0])
    W = np.outer(k, m) / (m @ np.tanh(k))
    np.testing.assert_allclose(np.tanh(W @ np.tanh(k)), np.tanh(k))
    assert exercises()["14-never-meet"].grade((W, [0, 0], np.tanh(k)))


def test_the_matrix_of_the_reference_is_accepted_too():
    W = np.array([[1.25, 10], [-0.25, -1.7]])
    assert exercises()["14-never-meet"].grade((W, [1, -0.8], [-1, 0.8]))


def test_without_bias_a_reservoir_is_odd_and_knows_no_product():
    params = init_reservoir(1, 30, 4, input_scale=1.5)
    x = np.random.default_rng(8).uniform(-1, 1, (8000, 1))
    states = reservoir_states(params, x)
    np.testing.assert_array_equal(reservoir_states(params, -x), -states)
    product = (x[1:] * x[:-1])[:, 0]

    def explained(params):
        states = reservoir_states(params, x)[1:]
        return answers._shared(*answers._predicted(states, product, slice(3999), slice(3999, None)))

    assert explained(params) < 0.01
    assert explained(params | {"b": np.full(30, 0.5)}) > 0.8


@pytest.mark.equation("10.8", "10.9")
def test_the_bounds_match_the_reference():
    rng = np.random.default_rng(6)
    W, h0 = rng.normal(size=(4, 4)), rng.normal(size=4)
    params = {"U": np.zeros((4, 1)), "W": W, "V": np.zeros((1, 4)), "b": np.zeros(4), "c": [0.0]}
    run = rnn_forward(params, np.zeros((7, 1)), h0)
    length, growth = answers.bounds(W, h0, 7)
    assert length == pytest.approx(np.linalg.norm(run.states, axis=-1).max())
    assert growth == pytest.approx(
        np.linalg.norm(np.linalg.multi_dot(state_jacobians(params, run)[::-1]), 2)
    )


def test_bounded_forward_and_unbounded_back():
    Q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(50, 50)))
    h0 = np.random.default_rng(1).normal(size=50)
    h0 /= np.linalg.norm(h0)
    length, growth = answers.bounds(1.5 * Q, 1e-12 * h0, 50)
    assert (length, growth) == (pytest.approx(6.4e-4, rel=0.01), pytest.approx(6.4e8, rel=0.01))
    length, growth = answers.bounds(1.5 * Q, h0, 50)
    assert length < 50**0.5
    assert growth < 1e5


def readout(first=0, times=1, shape=lambda V: V):
    def solve(states, y, penalty, washout):
        h, y = states[washout + first :], y[washout + first :]
        H, Y = h - h.mean(axis=0), y - y.mean(axis=0)
        V = np.linalg.solve(H.T @ H + times * penalty * np.eye(H.shape[1]), H.T @ Y).T
        return shape(V), y.mean(axis=0) - V @ h.mean(axis=0)

    return solve


TYPICAL = {
    "14-readout": {
        "no penalty": readout(times=0),
        "twice the penalty": readout(times=2),
        "one step too many left out": readout(first=1),
        "V transposed": readout(shape=np.transpose),
    },
    "14-backward": {
        "the radius alone": lambda J, g, v, delta, n: delta * max(abs(np.linalg.eigvals(J))) ** n
    },
    "14-chance": {"exchanged": (10, 0.1)},
    "14-slopes": {"exchanged": (0.577, 0.667)},
    "14-start": {"without a sign": (11.09, 0.955)},
}


def rounded_up(states, x, k):
    wanted, states = x[: len(x) - k], states[k:]
    half = (len(wanted) + 1) // 2
    H = np.column_stack([states, np.ones(len(states))])
    weights = np.linalg.lstsq(H[:half], wanted[:half], rcond=None)[0]
    return np.corrcoef(H[half:] @ weights, wanted[half:])[0, 1] ** 2


def positive_bias(*case):
    V, c = exercises()["14-readout"].solution(*case)
    return V, abs(c)


HINTED = {
    "14-capacity": [(rounded_up, "the number of pairs is odd")],
    "14-readout": [(positive_bias, "Your bias is never negative")],
}


def of_directions():
    line = moved("14-widest", 1e-7, 5e-6)
    turned_round = changed("14-widest", np.negative)
    return Line([*line.passes, turned_round], line.refused)


def of_radii():
    """Give the solution's matrix a spectral radius of r by adding r to both zero eigenvalues."""
    W, *starts = exercises()["14-never-meet"].answer

    def of_radius(r):
        return (W + r * np.eye(2), *starts)

    together = (W, starts[1], starts[1])
    return Line([of_radius(0.89)], [of_radius(0.91), of_radius(1.05), together])


def of_targets():
    right = exercises()["14-signs"].answer
    every = exercises()["14-signs"].wrong["all of them"].answer
    return Line([{*reversed([*right])}], [right ^ {target} for target in every])


LIMITS = {
    "14-chance": (0.004, 0.006),
    "14-slopes": (0.009, 0.011),
    "14-start": (0.009, 0.011),
    "14-readout": (5e-8, 2e-7),
    "14-capacity": (5e-7, 2e-6),
    "14-widest": of_directions,
    "14-never-meet": of_radii,
    "14-signs": of_targets,
    "14-bounded": (5e-7, 2e-6),
}
EQUIVALENT = {
    "14-backward": [
        # A linear network sends the difference of two gradients back by itself, whatever the
        # gradients are.
        "(g is zero)",
        "(g is always the first case's)",
    ],
    "14-bounded": [
        # In the solution, the state before the step isn't used; only a named wrong answer uses it.
        "_bounds: before, h = (h, np.tanh(W @ h)) -> before, h = (0 * h, np.tanh(W @ h))",
        "_bounds: before, h = (h, np.tanh(W @ h)) -> before, h = (1, np.tanh(W @ h))",
    ],
    "14-capacity": [
        # The readout has one output, which is both the first and the last.
        "_predicted: …ates[asked])[:, 0], wanted[asked]… -> …ates[asked])[:, -1], wanted[asked]…",
    ],
    "14-readout": [
        # The centered states sum to 0 over the steps, so a constant that is added to the targets
        # cancels.
        "_centred: …ge(h - h_mean, y - y_mean, np.full(h.shap… -> "
        "…ge(h - h_mean, y, np.full(h.shap…",
        "_centred: …e(h - h_mean, y - y_mean, np.full… -> …e(h - h_mean, y + y_mean, np.full…",
        "_centred: …h - h_mean, y - y_mean, np.full(… -> …h - h_mean, y - 0 * y_mean, np.full(…",
        "_centred: …h - h_mean, y - y_mean, np.full(h.shap… -> …h - h_mean, y - 1, np.full(h.shap…",
    ],
}
