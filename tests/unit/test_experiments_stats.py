"""Confidence intervals against published values, and against what they promise."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from refusals import INF, NAN, RAGGED
from scipy.stats import binomtest, quantile_test

from rnn_helpers import experiments
from rnn_helpers.experiments.stats import (
    SHARE,
    SIGNED,
    mean_interval,
    median_interval,
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


@st.composite
def counts(draw, most=200):
    """Draw a number of trials and how many of them succeed."""
    trials = draw(st.integers(1, most))
    return draw(st.integers(0, trials)), trials


@given(counts())
def test_the_interval_of_a_rate_is_the_exact_one(of):
    exact = binomtest(*of).proportion_ci(method="exact")
    assert rate_interval(*of)[1:] == pytest.approx((exact.low, exact.high), abs=1e-9)


@given(counts(), st.floats(0, 1))
def test_beyond_the_interval_of_a_rate_the_count_is_improbable(of, rate):
    _, low, high = rate_interval(*of)
    assume(abs(rate - low) > 1e-9 and abs(rate - high) > 1e-9)
    more, fewer = (binomtest(*of, rate, side).pvalue for side in ("greater", "less"))
    assert (rate < low) == (more < 0.025)
    assert (rate > high) == (fewer < 0.025)


def test_the_interval_of_a_large_count_is_the_exact_one():
    exact = binomtest(9_990, 10_000).proportion_ci(method="exact")
    assert rate_interval(9_990, 10_000)[1:] == pytest.approx((exact.low, exact.high), abs=1e-9)


@pytest.mark.parametrize("n", [8, 10, 20, 40])
def test_the_interval_of_a_rate_covers_every_rate(n):
    intervals = [rate_interval(k, n) for k in range(n + 1)]
    for rate in np.linspace(0.005, 0.995, 199):
        covered = [k for k, (_, low, high) in enumerate(intervals) if low <= rate <= high]
        assert sum(comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in covered) >= 0.95


@given(st.lists(st.floats(-1e6, 1e6), min_size=6, max_size=60))
def test_the_interval_of_a_median_is_that_of_order_statistics(values):
    exact = quantile_test(values, p=0.5).confidence_interval(0.95)
    middle, low, high = median_interval(values)
    assert (middle, low, high) == (np.median(values), exact.low, exact.high)


@given(st.lists(st.floats(-1e6, 1e6), min_size=12, max_size=60), st.integers(1, 12))
def test_the_best_of_several_medians_has_an_interval_for_all_of_them(values, tests):
    exact = quantile_test(values, p=0.5).confidence_interval(1 - 0.05 / tests)
    assert median_interval(values, tests)[1:] == (exact.low, exact.high)


@pytest.mark.parametrize("values", [[1.0], [1.0, 2.0], [1.0, 2.0, 3.0, 4.0, 5.0]])
def test_few_values_have_a_median_between_their_ends(values):
    assert median_interval(values) == (np.median(values), values[0], values[-1])


@pytest.mark.parametrize("values", [[], [1.0, float("nan")]])
def test_a_median_of_nothing_is_refused(values):
    with pytest.raises(ValueError, match="values"):
        median_interval(values)


def fail_sometimes(rng, n, failed, gain, loss, reps=4000):
    """Draw gains of networks of which a share fails."""
    fails = rng.random((reps, n)) < failed
    return np.where(fails, loss, gain) + 0.01 * rng.standard_normal((reps, n))


@pytest.mark.parametrize("n", [8, 10, 20, 40])
@pytest.mark.parametrize(("failed", "gain", "loss"), [(0.05, 0.07, -1.2), (0.1, 1.0, 0.3)])
def test_networks_that_sometimes_fail_need_medians(n, failed, gain, loss):
    rng = np.random.default_rng(0)
    draws = fail_sometimes(rng, n, failed, gain, loss)
    truth = np.median(fail_sometimes(rng, 1000, failed, gain, loss))
    mean = gain + failed * (loss - gain)
    by_t, by_order = (
        np.mean([low <= true <= high for _, low, high in map(interval, draws[:1000])])
        for interval, true in ((mean_interval, mean), (median_interval, truth))
    )
    assert by_order > 0.93
    assert by_t < 0.92


@pytest.mark.parametrize("successes", [0, 10])
def test_a_rate_of_zero_or_one_keeps_a_width_within_bounds(successes):
    rate, low, high = rate_interval(successes, 10)
    assert 0 <= low <= rate <= high <= 1
    assert high - low > 0.2


def test_the_mean_interval_has_its_nominal_coverage():
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


@given(*[st.integers(0, 12)] * 4)
def test_the_paired_interval_is_that_of_one_more_win_for_each(both, first, second, none):
    """Mean and variance of the differences 1, 0 and -1, by the table that has these wins."""
    assume(both + first + second + none)
    _, low, high = paired_interval(*pairs(both, first, second, none))
    table = {1: first + 1, -1: second + 1, 0: both + none}
    n = sum(table.values())
    mean = Fraction(first - second, n)
    variance = sum((d - mean) ** 2 * count for d, count in table.items()) / n
    reach = 1.959963984540054 * float(variance / n) ** 0.5
    ends = max(-1, float(mean) - reach), min(1, float(mean) + reach)
    if ends[0] > 0 or ends[1] < 0:
        assume(binomtest(first, first + second).pvalue <= 0.05)
    assert (low, high) == pytest.approx(ends, abs=1e-12)


@given(*[st.integers(0, 12)] * 4, st.integers(1, 12))
def test_a_paired_interval_without_0_is_significant_by_the_exact_test(
    both, first, second, none, tests
):
    assume(first + second)
    _, low, high = paired_interval(*pairs(both, first, second, none), tests)
    if not low <= 0 <= high:
        assert binomtest(first, first + second).pvalue <= 0.05 / tests


@pytest.mark.parametrize("tests", [0, -1])
def test_no_comparison_has_no_interval(tests):
    for interval in (
        lambda: median_interval([1.0] * 9, tests),
        lambda: paired_interval([1], [1], tests),
    ):
        with pytest.raises(ValueError, match="tests"):
            interval()


@pytest.mark.parametrize("n", [8, 10, 20, 40])
@pytest.mark.parametrize(
    ("first", "second"), [(0.5, 0.1), (0.3, 0.3), (0.2, 0.02), (0.05, 0.05), (0.9, 0.02)]
)
def test_the_paired_interval_covers_the_difference(n, first, second):
    """Sum the exact probabilities of all tables whose interval contains the difference."""
    covered = 0.0
    for b, c in product(range(n + 1), repeat=2):
        if b + c <= n:
            _, low, high = paired_interval(*pairs(0, b, c, n - b - c))
            if low <= first - second <= high:
                both = comb(n, b) * comb(n - b, c) * first**b * second**c
                covered += both * (1 - first - second) ** (n - b - c)
    assert covered >= 0.92


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


def test_a_paired_difference_counts_the_pairs_that_disagree():
    first, second = [1, 1, 0, 0, 1], [1, 0, 1, 0, 0]
    difference, low, high = paired_interval(first, second)
    assert difference == pytest.approx(0.2)
    assert low < 0.2 < high
    again, *_ = paired_interval(second, first)
    assert again == -difference


def test_correlated_pairs_distinguish_methods_better_than_independent_ones():
    a, b = [1] * 50 + [0] * 50, [1] * 45 + [0] * 55
    _, low, high = paired_interval(a, b)
    shuffled = list(np.random.default_rng(0).permutation(b))
    _, wider_low, wider_high = paired_interval(a, shuffled)
    assert high - low < 0.5 * (wider_high - wider_low)


@pytest.mark.parametrize("n", [1, 2, 10, 100])
def test_a_paired_interval_holds_its_difference_and_stays_within_one(n):
    for better in range(n + 1):
        for worse in range(0, n + 1 - better):
            first = [1] * better + [0] * (n - better)
            second = [0] * better + [1] * worse + [0] * (n - better - worse)
            difference, low, high = paired_interval(first, second)
            assert -1 <= low <= difference <= high <= 1
            assert low < high


def test_a_paired_interval_is_near_students_t_where_there_is_much_to_count():
    rng = np.random.default_rng(0)
    first, second = rng.random((2, 4000)) < [[0.6], [0.5]]
    np.testing.assert_allclose(
        paired_interval(first, second),
        mean_interval(list(first.astype(float) - second)),
        atol=1e-3,
    )


def test_a_paired_interval_holds_the_truth_nineteen_times_in_twenty():
    rng, held, runs = np.random.default_rng(1), 0, 1000
    for _ in range(runs):
        hard = rng.random(100)  # a trial that is hard for one method is for the other
        first, second = (hard + 0.3 * rng.random((2, 100)) < [[0.95], [0.85]]).tolist()
        _, low, high = paired_interval(first, second)
        held += low <= 0.1 <= high
    assert 0.93 < held / runs < 0.99


@pytest.mark.parametrize("unfit", [3, [], [1, 0]])
def test_trials_that_are_no_pairs_are_refused(unfit):
    with pytest.raises((TypeError, ValueError), match="first"):
        paired_interval(unfit, [1, 0, 1])


REFUSALS = {
    experiments.mean_interval: (
        {"values": [1.0, 2.0]},
        {
            "values": [None, 3, [], [1], [NAN, 1], ["a", "b"], "ab", RAGGED, [INF, 1], [1e308, 0]],
            "bounds": [None, 3, (), (0,), (0, 1), (0, 1, 2), (2, 1), (0, NAN), "ab", ("a", "b")],
        },
    ),
    experiments.rate_interval: (
        {"successes": 1, "trials": 2},
        {"successes": [-1, 3, NAN, "a", None, 0.5], "trials": [0, -1, NAN, "a", None, 1.5]},
    ),
}
