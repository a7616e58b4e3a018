"""The sentences about trees that a network chooses follow from the rows."""

import numpy as np
import pytest
from verdicts import verdict

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_12 import tree_without_labels as claim
from rnn_helpers.reference import trees
from rnn_helpers.tasks.expressions import expression_symbols, parse_expression

pytestmark = pytest.mark.chapter("12")


def labels_rows(own=0.5, parts=0.5, other=0.3):
    right = {claim.OWN: own, claim.PARSE: 0.9, claim.CHAIN: other, claim.BALANCED: 0.25}
    drawn = {"parts": parts, "chain_parts": 0.1, "balanced_parts": 0.2, "random_parts": 0.15}
    drawn |= {"agree": 0.3, "random_agree": 0.2}
    return [
        {"kind": kind, "nesting": nesting, "seed": seed, "beyond": nesting > 2, "weights": 2000}
        | {"right": one + 0.001 * (seed % 3), "eta": 0.01, "at_edge": kind == claim.CHAIN}
        | (drawn if kind == claim.OWN else {})
        for kind, one in right.items()
        for nesting in (1, 2, 3)
        for seed in range(10)
    ]


def test_the_verdict_depends_on_the_chosen_trees_and_on_the_answers():
    assert verdict("tree-without-labels", labels_rows(0.95, 0.95)).startswith("Holds. In the")
    helps = find("tree-without-labels").sum_up(labels_rows(0.5, 0.4))
    assert helps.verdict.startswith("Holds in part, if the trees need not be those")
    assert "40%" in helps.verdict
    assert "that we tried for along a chain (0.01)" in helps.text
    assert verdict("tree-without-labels", labels_rows(0.2)).startswith("Does not hold.")


def test_a_part_counts_if_a_node_stands_exactly_over_it():
    expression = parse_expression("1-(2+3)")
    n = len(expression_symbols(expression))
    assert n == 7  # the part is ( 2 + 3 )
    right = (0, (1, ((2, (3, (4, 5))), 6)))
    assert claim._held([expression], [right]) == 1
    assert claim._held([expression], [trees.chain(n)]) == 0
    assert claim._held([parse_expression("3")], [0]) == 0
    assert claim._common([right], [right]) == 1
    assert np.isclose(claim._common([trees.chain(4)], [trees.chain(4, "right")]), 0)
