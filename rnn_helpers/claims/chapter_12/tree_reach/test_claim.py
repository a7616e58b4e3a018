"""What is said of long paths through trees follows from the runs."""

import numpy as np
import pytest
from verdicts import about, verdict

from rnn_helpers.claims.chapter_12 import tree_reach
from rnn_helpers.experiments import find

CASES = {
    "holds": {"ahead": about(0.5), "ahead_orthogonal": about(0.3)},
    "holds in part": {
        "ahead": about(0.5),
        "ahead_orthogonal": about(0.05),
        "ahead_less": about(0.4),
    },
    "does not hold": {"ahead": about(-0.1)},
    "undecided": {"ahead": about(0)},
}
SEEDS = range(10)


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


def test_a_balanced_tree_reaches_further_under_each_start_or_under_one():
    assert verdict("tree-reach", reach_rows(0.99)).startswith("Holds. Even with an orthogonal U")
    said = find("tree-reach").sum_up(reach_rows(0.99, chain_orthogonal=0.99))
    assert said.verdict == (
        "Holds in part, if the matrices start small, as PyTorch's do: over 128 symbols, 10 of 10 "
        "networks learn the task along a balanced tree and 0 along a chain. If U starts "
        "orthogonal, 10 learn it along a chain."
    )
    assert "With the other start, U is orthogonal" in said.caveats
    assert verdict("tree-reach", reach_rows(0.25)).startswith("Does not hold.")


def test_chains_with_less_noise_are_counted_apart():
    quiet = [
        {"tree": tree_reach.CHAIN, "length": 128, "start": tree_reach.QUIET, "seed": seed}
        | {"felt": 0.1, "eta": 0.01, "at_edge": False, "right": 0.99}
        for seed in range(3)
    ]
    rows = reach_rows(0.99, chain_orthogonal=0.99)
    rows[-1]["right"] = 0.5
    with_quiet, without = (tree_reach.numbers(some) for some in (rows + quiet, rows))
    assert (with_quiet["quiet_learn"], with_quiet["quiet_of"], without["quiet_of"]) == (3, 3, 0)
    assert with_quiet["not_quiet_learn"] == 3
    assert with_quiet["ahead"] == without["ahead"]
    assert [line["networks that learn"] for line in tree_reach.table_quiet(rows + quiet)] == [
        "10 of 10",
        "3 of 3",
    ]
    said = find("tree-reach").sum_up(rows + quiet)
    assert "3 of 3 networks learn the longest task along a chain." in said.text


def test_the_figure_shows_each_network_that_fails():
    rows = reach_rows(0.99)
    rows[-1]["right"] = 0.94
    (panel,) = tree_reach.data(rows).panels
    counts = {line["label"]: line["points"][-1]["count"] for line in panel["lines"]}
    assert counts["balanced tree, small start"] == (10, 10)
    assert counts["balanced tree, orthogonal start"] == (9, 10)


def test_a_chain_with_an_orthogonal_start_lets_the_first_leaf_reach_the_root():
    pytest.importorskip("torch")
    contest, config = tree_reach.Trees(), find("tree-reach").quick
    cell = tree_reach.CHAIN, 8, tree_reach.ORTHOGONAL
    net = contest.net(config, cell, [0, 1])
    made = contest.params(config, cell, net, [0, 1])
    product = made["U"] @ made["U"].mT
    np.testing.assert_allclose(
        product, np.broadcast_to(np.eye(config["n_h"]), product.shape), atol=1e-5
    )
    np.testing.assert_allclose(5 * made["W"], net.params()["W"], rtol=1e-6)
    assert not made["b"].any()
