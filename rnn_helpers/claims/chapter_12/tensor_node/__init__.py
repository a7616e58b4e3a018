"""Does a node that multiplies its children compose better than one that adds? (section 10.6)"""

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import typically_ahead
from rnn_helpers.experiments.evaluating import (
    Evaluated,
    Kind,
    deepest,
    over_nesting,
    shares_right,
    table_by_nesting,
)
from rnn_helpers.experiments.words import AT_EDGES, at_edges, grouped, listed, where

PLAIN, TENSOR = "plain node", "tensor node"
KINDS = {PLAIN: Kind("parse", 30), TENSOR: Kind("parse", 12, tensor=True)}


def numbers(rows):
    """Estimate the share of right answers of both networks, and the lead of the tensor."""
    cells = shares_right(rows)
    learned, furthest = deepest(rows)
    most = [row["right"] for row in where(rows, kind=TENSOR, nesting=furthest)]
    return {
        "learned": learned,
        "furthest": furthest,
        "plain": cells[PLAIN, learned],
        "tensor": cells[TENSOR, learned],
        "plain_furthest": cells[PLAIN, furthest],
        "tensor_furthest": cells[TENSOR, furthest],
        "tensor_range": (min(most), max(most)),
        "ahead": typically_ahead(where(rows, nesting=learned), "kind", TENSOR, PLAIN),
        "ahead_furthest": typically_ahead(where(rows, nesting=furthest), "kind", TENSOR, PLAIN),
        "weights": listed(
            "{} {}", ((name, mine[0]["weights"]) for name, mine in grouped(rows, "kind").items())
        ),
        "edges": at_edges(rows, "kind"),
    }


def data(rows):
    """Show the share of right answers over the nesting, with a line for each kind."""
    return over_nesting(rows, "Which nodes compute deeply nested expressions, plain or tensor?")


@experiment(
    claim="If one child changes the meaning of the other, as negation does or an operator for "
    "which the order counts, a node that multiplies its children composes better than one that "
    "adds a term from each.",
    short="A node that multiplies its children composes better",
    source="Goodfellow et al. 10.6, after Socher et al. 2013a",
    quick={
        "seeds": 6,
        "choosing": 1,
        "first": 1,
        "etas": [0.03],
        "learned": [1, 2],
        "measured": [1, 2, 3],
        "units": 0.5,
        "batch_size": 32,
        "steps": 400,
        "tested": 100,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.001, 0.003, 0.01, 0.03, 0.1],
        "learned": [1, 2],
        "measured": [1, 2, 3, 4, 6, 8],
        "units": 1,
        "batch_size": 64,
        "steps": 1500,
        "tested": 500,
    },
    numbers=numbers,
    headline=(
        "ahead_furthest",
        "difference in the share of the most nested expressions that are right, with and without a "
        "tensor",
    ),
    finding={
        "holds in part": "With expressions nested {furthest} deep, a typical network with a tensor "
        "is right in {tensor_furthest.value:.0%} of the cases, and one without in "
        "{plain_furthest.value:.0%}.",
        "does not hold": "A tensor at the nodes doesn't help to compose the parts of an "
        "expression.",
    },
    verdict=Verdict(
        in_part=(
            lambda n: n.ahead.low > 0 and n.ahead_furthest.low > 0,
            "Holds in part, if the matrices start small, as PyTorch's do. Then the network with a "
            "tensor is ahead both at the nesting of training and at the deepest nesting. We "
            "compared no other initialization.",
        ),
        fails=(
            lambda n: n.ahead_furthest.high < 0.05,
            "Does not hold. Of the most nested expressions, {ahead_furthest.value:.2f} more are "
            "right with a tensor.",
        ),
    ),
    taught=lambda n: n.ahead_furthest.low > 0 and n.plain_furthest.high < 0.25,
    saw=[
        "Of expressions nested {learned} deep, as in training, a typical network gets "
        "{tensor.value:.1%} right with a tensor, and {plain.value:.1%} without one.",
        AT_EDGES,
    ],
    table={"Share of the expressions that are right, median of the networks": table_by_nesting},
    caveats=[
        "To have nearly as many weights ({weights}), the network with a tensor has 12 units at a "
        "node, and the plain one 30. Of the weights with a tensor, 1728 are the tensor's. We chose "
        "these sizes and the number of steps in trials on other seeds, in which the tensor was "
        "already ahead. All matrices start small, as PyTorch's do, and the tensor starts smaller "
        "still. In another experiment, plain networks that start orthogonal and are trained "
        "longer and on deeper expressions get more of the most nested expressions right. "
        "We trained no network with a tensor in that way. The figure of the chapter contains one "
        "that started small and was trained twice as long, on expressions nested up to three deep, "
        "and it gets all of the most nested ones right.",
    ],
    data=data,
)
def run(config, seeds):
    """Train networks to output the value, modulo 5, of expressions of digits from 0 to 4 with
    negations, sums and differences, nested one or two deep. The networks run along the parse tree,
    and the value of the whole expression is the only target. Their nodes are plain or have a
    tensor. Adam trains for 1500 steps, each on 64 expressions. Each kind has the learning rate with
    which most expressions nested two deep are right on 2 other seeds. Test on 500 new expressions
    of each nesting.
    """
    return Evaluated(KINDS).run(config, seeds)
