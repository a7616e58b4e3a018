"""Forget biases: what differs between networks, and under which conditions a bias helps."""

from itertools import product

import numpy as np
import pytest
from estimates import by_line
from verdicts import about

from rnn_helpers.claims.chapter_16 import forget_bias
from rnn_helpers.experiments import find

CASES = {
    "holds": {"gain": about(0.8), "gain_orthogonal": about(0.4)},
    "holds in part": {
        "gain": about(0.8),
        "gain_orthogonal": about(0),
        "gain_less": about(0.8),
    },
    "does not hold": {"gain": about(0)},
    "undecided": {
        "gain": about(0.8),
        "gain_orthogonal": about(0),
        "gain_less": about(0),
    },
}


def networks_of(n, of, **cell):
    """Return a row for each of several networks, of which the first n learn."""
    columns = cell | {"eta": 0.01, "at_edge": False}
    return [columns | {"seed": seed, "right": float(seed < n)} for seed in range(of)]


def bias_rows(least, biases=range(5), lengths=(10, 20, 50), starts=("default", "orthogonal")):
    """Return rows where just those learn whose bias is at least that of `least`, by length."""
    return [
        row
        for start, length, bias in product(starts, lengths, biases)
        for row in networks_of(
            20 * (bias >= least[length]), 20, task="first", length=length, start=start, bias=bias
        )
    ]


def test_a_bias_of_one_has_to_help_with_orthogonal_matrices_too():
    def said(least, orthogonal=None):
        rows = bias_rows(least, starts=["default"])
        rows += bias_rows(orthogonal or least, starts=["orthogonal"])
        return find("forget-bias").sum_up(rows)

    helps, none = {10: 0, 20: 1, 50: 2}, {10: 0, 20: 0, 50: 2}
    assert said(helps).verdict.startswith("Holds. Over 20 steps, 20 of 20 networks learn with a")
    assert said(helps).finding.endswith("Over 50 steps, a bias of 1 is too small.")
    assert said(helps, none).verdict.startswith(
        "Holds in part, if the recurrent matrices start small"
    )
    assert said(none).kind == said({10: 0, 20: 9, 50: 9}).kind == "does not hold"


def test_the_text_gives_the_smallest_sufficient_bias_for_each_span():
    said = find("forget-bias").sum_up(bias_rows({10: 0, 20: 1, 50: 5})).text
    assert "learn is 0 over 10, 1 over 20, none over 50 steps." in said


def test_a_rate_at_the_edge_means_little_where_no_network_learns():
    rows = bias_rows({10: 0, 20: 1, 50: 2})
    edges = {(20, "orthogonal", 0), (50, "default", 3)}
    for row in rows:
        row["at_edge"] = (row["length"], row["start"], row["bias"]) in edges
    said = find("forget-bias").sum_up(rows).text
    assert "tried for first, 50 steps, default, bias 3 (0.01), so another rate might be" in said
    assert "means little. It is the lowest or highest that we tried for first, 20 steps, o" in said


def test_there_is_a_line_for_each_longer_span_over_its_own_biases():
    rows = bias_rows({10: 0, 20: 1, 50: 2}, range(4)) + bias_rows({100: 3}, range(1, 6), [100])
    drawn = by_line(find("forget-bias").data["data"](rows))
    assert drawn["50 steps"] == [(0, 0), (1, 0), (2, 1), (3, 1)]
    assert drawn["100 steps"] == [(1, 0), (2, 0), (3, 1), (4, 1), (5, 1)]
    assert "10 steps" not in drawn


@pytest.mark.slow
def test_biases_and_matrices_differ_and_nothing_else_does():
    pytest.importorskip("torch")
    contest, config = forget_bias.BiasContest(), find("forget-bias").full
    cells = [("marked", 10, "default", 1), ("marked", 10, "default", 5)]
    cells.append(("marked", 10, "orthogonal", 1))
    one, five, orthogonal = (
        contest.params(config, cell, contest.net(config, cell, [0, 1]), [0, 1]) for cell in cells
    )
    assert (one["layers.0.bf"] == 1).all()
    assert (five["layers.0.bf"] == 5).all()
    for name, p in one.items():
        if name != "layers.0.bf":
            np.testing.assert_array_equal(p, five[name])
        assert (p == orthogonal[name]).all() == (name not in forget_bias.MATRICES)
