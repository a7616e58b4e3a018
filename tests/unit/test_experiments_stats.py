"""Confidence intervals against published values, and against what they promise."""

import numpy as np
import pytest

from rnn_helpers.experiments.stats import mean_interval, rate_interval, t_quantile


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (3, 3.182), (9, 2.262), (10, 2.228), (19, 2.093), (29, 2.045), (10**6, 1.960)],
)
def test_t_quantiles_are_those_of_the_tables(freedom, quantile):
    assert t_quantile(freedom) == pytest.approx(quantile, abs=6e-4)


def test_the_wilson_interval_is_the_published_one():
    # Newcombe (1998), table I: 81 of 263 gives 0.2553 to 0.3662
    assert rate_interval(81, 263) == pytest.approx((0.3080, 0.2553, 0.3662), abs=6e-5)


@pytest.mark.parametrize("successes", [0, 10])
def test_a_rate_of_zero_or_one_keeps_a_width_within_bounds(successes):
    rate, low, high = rate_interval(successes, 10)
    assert 0 <= low <= rate <= high <= 1
    assert high - low > 0.2


def test_the_mean_interval_covers_the_mean_as_often_as_it_says():
    rng = np.random.default_rng(0)
    intervals = [mean_interval(rng.standard_normal(5)) for _ in range(2000)]
    assert np.mean([low <= 0 <= high for _, low, high in intervals]) == pytest.approx(
        0.95, abs=0.015
    )


@pytest.mark.parametrize("values", [[], [1.0], [1.0, float("nan")], [1.0, float("inf")]])
def test_too_few_or_unbounded_values_are_refused(values):
    with pytest.raises(ValueError, match="at least two finite"):
        mean_interval(values)


@pytest.mark.parametrize(("successes", "trials"), [(-1, 3), (4, 3), (0, 0)])
def test_impossible_counts_are_refused(successes, trials):
    with pytest.raises(ValueError, match=r"successes|trials"):
        rate_interval(successes, trials)


def test_no_degree_of_freedom_is_refused():
    with pytest.raises(ValueError, match="freedom"):
        t_quantile(0)
