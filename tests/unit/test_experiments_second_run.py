"""What a second run on other seeds gave enters the verdicts that it unsettles."""

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


def reach_rows(balanced, chain=0.25):
    return [
        {"tree": tree, "length": length, "seed": seed, "felt": 0.1, "eta": 0.01, "at_edge": False}
        | {"right": right + 0.001 * (seed % 2)}
        for length in (4, 128)
        for tree, right in ((tree_reach.CHAIN, chain), (tree_reach.BALANCED, balanced))
        for seed in SEEDS
    ]


@pytest.mark.chapter("12")
def test_a_balanced_tree_reaches_further_if_the_matrices_start_small():
    said = find("tree-reach").sum_up(reach_rows(0.99))
    assert said.verdict.startswith("Holds if the matrices start small, as PyTorch's do.")
    assert "with an orthogonal U" in said.caveats
    assert verdict("tree-reach", reach_rows(0.25)).startswith("Does not hold.")
