"""Tests of chapter 13's solutions against the reference."""

import numpy as np
import pytest

from rnn_helpers.exercises import chapter_13 as answers
from rnn_helpers.reference import eigendecompose, init_recurrent, linear_state, power_norms


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
