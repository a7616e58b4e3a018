"""What a second run on other seeds gave enters the verdicts that it unsettles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from verdicts import verdict

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_10 import wider_beam
from rnn_helpers.experiments.claims.chapter_12 import tree_reach
from rnn_helpers.experiments.words import Estimate, pooled

SEEDS = range(10)
number = st.floats(-10, 10)
half = st.floats(0, 5)


@given(number, half, number, half)
def test_two_runs_together_are_no_less_certain_than_the_worse_of_them(one, narrow, other, wide):
    first, second = (
        Estimate(one, one - narrow, one + narrow),
        Estimate(other, other - wide, other + wide),
    )
    both = pooled(first, second)
    assert both.value == pytest.approx((one + other) / 2)
    assert both.high - both.low <= 2 * max(narrow, wide) + 1e-9
    assert both == pytest.approx(pooled(second, first))


def test_equal_runs_shrink_the_interval_by_the_root_of_two():
    run = Estimate(1.0, 0.0, 2.0)
    assert pooled(run, run) == pytest.approx((1, 1 - 0.5**0.5, 1 + 0.5**0.5))


def beam_rows(gained, beyond=0.0, unlucky=0):
    """Rows of ten networks; with exact search, `unlucky` of them lose what the others gain."""
    return [
        {"length": length, "search": search, "seed": seed, "nats": 2.0, "short": 0.5}
        | {"right": 0.3 + (search == wider_beam.EXACT) * (-gain if seed < unlucky else gain)}
        | {"eta": 0.03, "at_edge": False}
        for length, gain in ((8, gained), (10, beyond))
        for search in (wider_beam.GREEDY, wider_beam.EXACT)
        for seed in SEEDS
    ]


@pytest.mark.chapter("10")
def test_a_wider_beam_helps_on_average_and_not_every_network():
    assert verdict("wider-beam", beam_rows(0.1, 0.1)).startswith("Holds. On average,")
    mean = "Holds if we average over the networks"
    for rows in (beam_rows(0.1), beam_rows(0.1, 0.1, unlucky=1)):
        assert verdict("wider-beam", rows).startswith(mean)
    said = find("wider-beam").sum_up(beam_rows(0.013, unlucky=2))
    assert said.verdict.startswith(mean)
    assert "in a run on ten other seeds by 0.055 (0.024 to 0.086)" in said.text
    assert "2 of 10 networks get fewer sequences right" in said.text
    assert verdict("wider-beam", beam_rows(-0.1)).startswith("Does not hold.")


def reach_rows(balanced, chain=0.25, chain_orthogonal=None):
    """Make rows of `tree-reach`; by default, its initialization makes no difference."""
    chains = {tree_reach.SMALL: chain, tree_reach.ORTHOGONAL: chain_orthogonal or chain}
    return [
        {"tree": tree, "length": length, "start": start, "seed": seed, "felt": 0.1}
        | {"eta": 0.01, "at_edge": False, "right": right + 0.001 * (seed % 2)}
        for length in (8, 128)
        for start in chains
        for tree, right in ((tree_reach.CHAIN, chains[start]), (tree_reach.BALANCED, balanced))
        for seed in SEEDS
    ]


@pytest.mark.chapter("12")
def test_a_balanced_tree_reaches_further_under_each_start_or_under_one():
    assert verdict("tree-reach", reach_rows(0.99)).startswith("Holds. Even if U starts orthogonal")
    said = find("tree-reach").sum_up(reach_rows(0.99, chain_orthogonal=0.99))
    assert said.verdict == (
        "Holds if the matrices start small, as PyTorch's do. If U starts orthogonal, the share of "
        "right answers is 0.99 along a chain."
    )
    assert "With the other start, U is orthogonal" in said.caveats
    assert verdict("tree-reach", reach_rows(0.25)).startswith("Does not hold.")


@pytest.mark.chapter("12")
def test_a_chain_with_an_orthogonal_start_lets_the_first_leaf_reach_the_root():
    pytest.importorskip("torch")
    contest, config = tree_reach.Trees(), find("tree-reach").quick
    cell = tree_reach.CHAIN, 8, tree_reach.ORTHOGONAL
    net = contest.net(config, cell, [0, 1])
    made = contest.params(config, cell, net, [0, 1])
    product = made["U"] @ made["U"].mT
    np.testing.assert_allclose(product, np.broadcast_to(np.eye(8), product.shape), atol=1e-5)
    np.testing.assert_allclose(5 * made["W"], net.params()["W"], rtol=1e-6)
    assert not made["b"].any()
