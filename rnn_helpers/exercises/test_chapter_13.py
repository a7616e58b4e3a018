"""Chapter 13's exercises: tests of the solutions, and the tables of tests/declared.py."""

import numpy as np
import pytest

from rnn_helpers.checks import exercises
from rnn_helpers.exercises import chapter_13 as answers
from rnn_helpers.reference import eigendecompose, init_recurrent, linear_state, power_norms
from rnn_helpers.reference.long_term import spectral_state


@pytest.mark.equation("10.37", "10.39")
def test_the_state_from_eigenvectors_equals_the_state_from_a_power():
    A = np.random.default_rng(0).normal(size=(5, 5))
    W, h0 = A + A.T, np.arange(5.0)
    assert answers.state_at(*eigendecompose(W), h0, 4) == pytest.approx(linear_state(W, h0, 4))


def test_the_peak_is_the_largest_norm_of_a_power():
    W = np.array([[0.9, 5.0], [0.0, 0.8]])
    k, growth = answers.peak(W, 40)
    assert (k, growth) == (6, pytest.approx(power_norms(W, 40).max()))


def test_the_typical_size_is_close_to_the_median_product():
    weights = np.random.default_rng(1).normal(size=(5000, 100))
    median = np.median(np.abs(weights.prod(axis=1)))
    typical = answers.typical_size(weights, 100)
    assert np.log(typical) == pytest.approx(np.log(median), rel=0.03)


def test_a_default_matrix_decays_at_the_predicted_rate():
    radius = np.abs(np.linalg.eigvals(init_recurrent("default", 400, seed=0))).max()
    # A finite matrix has a few eigenvalues slightly outside the limiting circle.
    assert radius ** answers.steps_left(1e-3) == pytest.approx(1e-3, rel=1)


def test_the_bias_keeps_the_share_over_all_steps():
    b = answers.bias_that_keeps(0.3, 50)
    assert (1 / (1 + np.exp(-b))) ** 50 == pytest.approx(0.3)


def test_jumps_over_one_step_reach_every_step():
    assert answers.share_that_arrives(1, 30, 30) == 1


def test_the_slope_is_taken_where_the_iteration_settles():
    h = 1.0
    for _ in range(2000):
        h = np.tanh(1.5 * h)
    assert answers.kept_by_holding(1.5) == pytest.approx(1.5 * (1 - h**2))


def settled_after(steps):
    def slope(w):
        h = 1.0
        for _ in range(steps):
            h = np.tanh(w * h)
        return w * (1 - h**2)

    return slope


TYPICAL = {
    "13-default-radius": {
        "not a whole number": lambda share: np.log(1 / share) / np.log(np.sqrt(3)),
        "the nearest whole number": lambda share: int(np.rint(-2 * np.log(share) / np.log(3))),
    },
    "13-attractor": {"too few iterations": settled_after(10)},
}


@pytest.mark.parametrize("steps", [20, 50])
def test_an_unsettled_state_is_recognized_after_any_number_of_steps(steps):
    message = exercises()["13-attractor"].grade(settled_after(steps)).message
    assert "Does your h still change" in message


HINTED = {
    "13-onset": [
        (
            lambda d, T, onsets: np.mean([(T - s + 1) % d == 0 for s in range(1, onsets + 1)]),
            "how many steps are there from s to T",
        ),
        (
            lambda d, T, onsets: np.mean([(T - s - 1) % d == 0 for s in range(1, onsets + 1)]),
            "How long is the jump",
        ),
    ]
}
LIMITS = {"13-left": (4e-4, 6e-4), "13-attractor": (5e-7, 2e-6)}
BORROWED = {"13-power": spectral_state}
EQUIVALENT = {
    "13-attractor": [
        # The bisection only has to start with the attractor between its two bounds, and its first
        # midpoint is positive either way.
        "_attractor: low, high = (1e-09, 1.0) -> low, high = (-0.999999999, 1.0)",
        # The bisection only has to start with the attractor between its two bounds.
        "_attractor: low, high = (1e-09, 1.0) -> low, high = (1e-09, 2.0)",
        # After about 60 halvings the two bounds are neighboring numbers, so one more changes
        # nothing.
        "_attractor: for _ in range(100): -> for _ in range(101):",
        # After about 60 halvings the two bounds are neighboring numbers, so one fewer changes
        # nothing.
        "_attractor: for _ in range(100): -> for _ in range(99):",
        # They differ only if a midpoint is the attractor exactly, and then its distance from the
        # answer is below the tolerance either way.
        "_attractor: low, high = (h, high) if np.tanh(w * h) > h else (low, h) -> "
        "low, high = (h, high) if np.tanh(w * h) >= h else (low, h)",
    ],
    "13-default-radius": [
        # The number is positive, so `int` rounds it down by itself.
        "return int(np.floor(np.log(share) / np.log(3 ** (-0.5)))) + 1 -> "
        "return int(np.log(share) / np.log(3 ** (-0.5))) + 1",
    ],
    "13-peak": [
        # Every power of a matrix has the same singular values as its transpose, so it stretches as
        # much.
        "(W is transposed)",
    ],
}
