"""Chapter 15's exercises: tests of the solutions, and the tables of tests/declared.py."""

import itertools

import numpy as np
import pytest

from rnn_helpers.exercises import chapter_15 as answers
from rnn_helpers.reference import (
    clock_connections,
    clock_moves,
    init_rnn,
    running_average,
    skip_companion,
    skip_gradient,
    spectral_radius,
    time_scale_forward,
    ways_back,
)


@pytest.mark.parametrize(("d", "t"), [(2, 9), (3, 10), (4, 3), (7, 0)])
def test_the_ways_are_those_that_can_be_listed(d, t):
    listed = [
        edges
        for n in range(t + 1)
        for edges in itertools.product([1, d], repeat=n)
        if sum(edges) == t
    ]
    assert answers.ways(d, t) == (len(listed), min(map(len, listed)))
    assert answers.ways(d, t)[0] == ways_back(d, t)


def test_the_growth_is_the_radius_of_the_companion_and_the_rate_of_the_gradient():
    for w, w_skip, d in ((0.5, 0.4, 5), (-0.5, 0.9, 4), (1.1, 0.3, 3), (0.5, 0.9, 5)):
        rate = answers.growth(w, w_skip, d)
        assert rate == pytest.approx(spectral_radius(skip_companion([[w]], [[w_skip]], d)))
        late = skip_gradient(w, w_skip, d, 600)
        assert np.abs(late[-d:]).max() ** (1 / 600) == pytest.approx(rate, rel=0.01)


def test_the_numbers_of_the_solution_on_skips():
    nets = [(0, 0.9), (0.5, 0.4), (0.5, 0.9)]
    rates = [answers.growth(*weights, 5) for weights in nets]
    assert rates == pytest.approx([0.9791, 0.9637, 1.1046], abs=5e-5)
    gradients = [skip_gradient(*weights, 5, 100)[-1] for weights in nets]
    assert gradients == pytest.approx([0.1216, 0.0085, 6547], rel=0.002)
    # with nonnegative weights, it grows if their sum exceeds 1
    for w, w_skip in np.random.default_rng(0).uniform(0, 1, (50, 2)):
        assert (answers.growth(w, w_skip, 4) > 1) == (w + w_skip > 1)


@pytest.mark.parametrize("alpha", [0.3, 0.9, 0.98])
def test_the_ages_are_those_of_the_weights(alpha):
    weights = running_average(np.eye(1500), alpha)[-1, ::-1]  # of the value of age 0, 1, ..
    mean, constant, half = answers.ages(alpha)
    assert weights @ np.arange(1500) == pytest.approx(mean)
    assert (alpha**constant, alpha**half) == (pytest.approx(np.exp(-1)), pytest.approx(0.5))
    late = running_average(np.eye(1500), alpha, delayed=True)[-1, ::-1]
    assert late @ np.arange(1500) == pytest.approx(mean + 1)


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 3, 40])
def test_no_other_share_gives_the_value_a_larger_weight(k):
    pulse = np.eye(k + 1)[0]

    def heard(alpha):
        return running_average(pulse, alpha)[-1]

    best = heard(answers.loudest(k))
    assert best >= max(heard(alpha) for alpha in np.linspace(0, 1, 2001))
    # about 1 / (e (k + 1)), and never less
    assert 1 / (np.e * (k + 1)) < best < 1.5 / (np.e * (k + 1))


def test_the_averages_match_the_reference():
    v = np.random.default_rng(1).normal(size=9)
    now, late = answers.averages(v, 0.7, 4.0)
    np.testing.assert_allclose(now, running_average(v, 0.7, 4.0))
    np.testing.assert_allclose(late, running_average(v, 0.7, 4.0, delayed=True))


@pytest.mark.parametrize(("periods", "T"), [([1, 2, 4, 8], 40), ([3, 1, 5, 5], 17)])
def test_the_cost_is_that_of_the_clocks(periods, T):
    moves, hears = clock_moves(periods, T), clock_connections(periods)
    assert answers.cost(periods, T) == (moves @ hears.sum(axis=1)).sum()


@pytest.mark.parametrize("groups", [1, 2, 5, 8])
def test_groups_that_double_their_periods_cost_the_share_that_the_solution_gives(groups):
    periods, T = [2**g for g in range(groups) for _ in range(3)], 2**groups
    share = (2 * groups - 2 + 2.0 ** (1 - groups)) / groups**2
    assert answers.cost(periods, T) / (len(periods) ** 2 * T) == pytest.approx(share)


def test_the_slowest_unit_to_receive_a_pulse_is_the_slowest_that_moves():
    periods, onsets = [1, 2, 4, 8], 16
    params = {**init_rnn(1, 4, 1, 0), "U": np.ones((4, 1)), "W": np.zeros((4, 4))}
    heard = []
    for s in range(onsets):
        moved = time_scale_forward(params, np.eye(onsets)[:, [s]], periods=periods)[s] != 0
        heard.append(max(p for p, move in zip(periods, moved, strict=True) if move))
    assert answers.slowest(periods, onsets) == np.mean(heard) == 2.5


@pytest.mark.parametrize("m", [1, 2, 4, 7])
def test_over_a_whole_round_the_slowest_is_far_from_slow(m):
    periods = [2**i for i in range(m)]
    assert answers.slowest(periods, 3 * 2**m) == (m + 1) / 2


def test_a_leak_keeps_a_share_of_every_gradient():
    rng = np.random.default_rng(2)
    alpha, T, n = 0.9, 12, 6
    W = rng.normal(size=(n, n))
    W /= np.linalg.norm(W, 2)  # sigma = 1
    params = {"U": 3 * rng.normal(size=(n, 1)), "W": W, "b": np.zeros(n)}
    x, h0 = rng.normal(size=(T, 1)), rng.normal(size=n)
    ends = [
        time_scale_forward(params, x, h0 + shift, alpha=alpha)[-1]
        for shift in 1e-6 * np.concatenate([np.eye(n), -np.eye(n)])
    ]
    derivative = (np.array(ends[:n]) - np.array(ends[n:])).T / 2e-6
    stretches = np.linalg.svdvals(derivative)
    assert (alpha - (1 - alpha)) ** T < stretches.min()
    assert stretches.max() <= 1 + 1e-6


@pytest.mark.parametrize("beta", [-1.0, 0.5, 3.0])
def test_the_slope_is_that_of_finite_differences(beta):
    rng = np.random.default_rng(3)
    v, y = rng.normal(size=(2, 20))

    def loss(beta):
        return 0.5 * ((running_average(v, 1 / (1 + np.exp(-beta))) - y) ** 2).sum()

    by_differences = (loss(beta + 1e-5) - loss(beta - 1e-5)) / 2e-5
    assert answers.slope(v, y, beta) == pytest.approx(by_differences, rel=1e-6)


def slowest_at(steps, at_0=False):
    def slowest(periods, onsets):
        ticks = [[p for p in periods if (s or at_0) and s % p == 0] for s in steps(onsets)]
        return np.mean([max(ticking, default=0) for ticking in ticks])

    return slowest


TYPICAL = {
    "15-slowest": {
        "the last onset left out": slowest_at(range),
        "one onset too few": slowest_at(lambda onsets: range(1, onsets)),
        "one onset too many": slowest_at(lambda onsets: range(onsets + 1), at_0=True),
    }
}
LIMITS = {"15-ages": (5e-7, 2e-6), "15-loudest": (5e-5, 2e-4), "15-share": (5e-5, 2e-4)}
EQUIVALENT = {
    "15-growth": [
        # One more coefficient of 0 adds the root 0, which is never the largest.
        "_roots: coefficients = np.zeros(d + 1) -> coefficients = np.zeros(d + 2)",
    ],
    "15-ways": [
        # Index -1 is the last entry of the list so far, which is the entry before this step.
        "_counts: n.append(n[step - 1] + (n[s… -> n.append(n[0 * step - 1] + (n[s…",
        # Index -d counts from the end of the list so far, which gives the entry d steps ago.
        "_counts: …[step - 1] + (n[step - d] if ste… -> …[step - 1] + (n[0 * step - d] if ste…",
    ],
}
