"""Confidence intervals against published values, and against what they promise."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rnn_helpers.experiments.stats import (
    SHARE,
    SIGNED,
    mean_interval,
    paired_interval,
    rate_interval,
    t_quantile,
)


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


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=20))
def test_an_interval_within_bounds_is_the_free_one_cut_off(values):
    mean, low, high = mean_interval(values)
    assert mean_interval(values, SIGNED) == (mean, max(-1, low), min(1, high))
    shares = [abs(value) for value in values]
    mean, low, high = mean_interval(shares)
    assert mean_interval(shares, SHARE) == (mean, max(0, low), min(1, high))


@pytest.mark.slow
def test_an_interval_within_bounds_covers_the_mean_as_often_as_the_free_one():
    rng = np.random.default_rng(0)
    shares = rng.beta(8, 1, (2000, 10))  # near 1, lopsided
    each = [(mean_interval(s), mean_interval(s, SHARE)) for s in shares]
    assert any(free[2] > 1 for free, _ in each)
    for free, cut in each:
        assert (free[1] <= 8 / 9 <= free[2]) == (cut[1] <= 8 / 9 <= cut[2])


@pytest.mark.parametrize("bounds", [(0, 1), (2, 3), (3, 2), (1,), (1, 2, 3), (1, float("nan"))])
def test_values_beyond_their_bounds_are_refused(bounds):
    with pytest.raises(ValueError, match="bounds"):
        mean_interval([1.5, 2.5], bounds)


@pytest.mark.parametrize("values", [[], [1.0], [1.0, float("nan")], [1.0, float("inf")]])
def test_too_few_or_unbounded_values_are_refused(values):
    with pytest.raises(ValueError, match="at least two finite"):
        mean_interval(values)


def pairs(both, first, second, neither):
    """Trials in which both succeed, the first alone, the second alone, or neither."""
    many = [(True, True)] * both + [(True, False)] * first + [(False, True)] * second
    return zip(*many, *[(False, False)] * neither, strict=True)


@pytest.mark.parametrize("both", [0, 37, 100])
def test_the_paired_interval_is_the_published_one(both):
    """The example of R's PropCIs, `diffpropci.mp(b = 40, c = 20, n = 160, conf.level = 0.95)`.

    It prints -0.1234568, its center, and -0.21601726 to -0.03089632.
    """
    difference, low, high = paired_interval(*pairs(both, 20, 40, 100 - both))
    assert difference == -20 / 160
    assert (low, high) == pytest.approx((-0.21601726, -0.03089632), abs=5e-9)
    assert (low + high) / 2 == pytest.approx(-0.1234568, abs=5e-8)


@given(*[st.integers(0, 12)] * 4)
def test_the_paired_interval_is_that_of_half_a_trial_more_in_each_cell(both, first, second, none):
    """Mean and variance of the differences 1, 0 and -1, by the table that has the halves."""
    assume(both + first + second + none)
    _, low, high = paired_interval(*pairs(both, first, second, none))
    half = Fraction(1, 2)
    table = {1: first + half, -1: second + half, 0: both + none + 1}
    n = sum(table.values())
    mean = sum(d * count for d, count in table.items()) / n
    variance = sum((d - mean) ** 2 * count for d, count in table.items()) / n
    reach = 1.959963984540054 * float(variance / n) ** 0.5
    assert low == pytest.approx(max(-1, float(mean) - reach), abs=1e-12)
    assert high == pytest.approx(min(1, float(mean) + reach), abs=1e-12)


@pytest.mark.parametrize(("first", "second"), [([], []), ([True], []), ([True], [True, False])])
def test_trials_without_their_pair_are_refused(first, second):
    with pytest.raises(ValueError, match="first and second"):
        paired_interval(first, second)


@pytest.mark.parametrize(("successes", "trials"), [(-1, 3), (4, 3), (0, 0)])
def test_impossible_counts_are_refused(successes, trials):
    with pytest.raises(ValueError, match=r"successes|trials"):
        rate_interval(successes, trials)


def test_no_degree_of_freedom_is_refused():
    with pytest.raises(ValueError, match="freedom"):
        t_quantile(0)
