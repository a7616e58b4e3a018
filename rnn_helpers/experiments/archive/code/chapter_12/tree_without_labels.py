"""Does a network that chooses its own trees find the parse trees? (section 10.6)"""

from itertools import pairwise

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.evaluating import (
    Evaluated,
    Kind,
    ahead_of_best,
    deepest,
    over_nesting,
    table_by_nesting,
)
from rnn_helpers.experiments.shares import share_right
from rnn_helpers.experiments.words import AT_EDGES, Estimate, at_edges, grouped
from rnn_helpers.reference import trees
from rnn_helpers.tasks.expressions import (
    SYMBOLS,
    expression_symbols,
    part_values,
    random_expression,
)

CHAIN, BALANCED, PARSE = "along a chain", "along a balanced tree", "along the brackets"
OWN = "along trees of its own"
KINDS = {
    CHAIN: Kind("chain", 30),
    BALANCED: Kind("balanced", 30),
    PARSE: Kind("parse", 30),
    OWN: Kind("chain", 30, own=True),
}


def numbers(rows):
    """Estimate the shares of right answers, and how far trees agree with the parse trees."""
    cells = {key: share_right(some) for key, some in grouped(rows, "kind", "nesting").items()}
    learned, _ = deepest(rows)
    own = [row for row in rows if row["kind"] == OWN and row["nesting"] == learned]

    def mean(name):
        return Estimate.median(row[name] for row in own)

    return {
        "learned": learned,
        "own": cells[OWN, learned],
        "parse": cells[PARSE, learned],
        "best_other": max((cells[one, learned] for one in (CHAIN, BALANCED)), key=lambda e: e.high),
        "ahead": ahead_of_best(rows, learned, OWN, (CHAIN, BALANCED)),
        "parts": mean("parts"),
        "chain_parts": mean("chain_parts"),
        "balanced_parts": mean("balanced_parts"),
        "random_parts": mean("random_parts"),
        "agree": mean("agree"),
        "random_agree": mean("random_agree"),
        "edges": at_edges(rows, "kind"),
    }


def table_parts(rows):
    """Tabulate how far trees agree with the parse trees and with each other."""
    seen = numbers(rows)
    names = {
        "": "the network's own",
        "chain_": "chain",
        "balanced_": "balanced",
        "random_": "random",
    }
    return [
        {"tree": name, "parts with a node of their own": f"{seen[f'{key}parts']:.2f}"}
        | (
            {"brackets that two trees share": f"{seen[f'{key}agree']:.2f}"}
            if f"{key}agree" in seen
            else {}
        )
        for key, name in names.items()
    ]


@experiment(
    claim="A recursive network that is given no tree, and joins the neighbors with the highest "
    "score, finds the trees of the grammar, and answers better along them than along a chain or a"
    " balanced tree.",
    source="the open question of Goodfellow et al. 10.6, after Bottou (2011)",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.01],
        "learned": [2],
        "measured": [2],
        "units": 0.5,
        "batch_size": 32,
        "steps": 150,
        "tested": 60,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.001, 0.003, 0.01, 0.03],
        "learned": [1, 2],
        "measured": [1, 2, 3],
        "units": 1,
        "batch_size": 64,
        "steps": 3000,
        "tested": 300,
    },
    numbers=numbers,
    headline=(
        "parts",
        "share of the parts of an expression that have a node of their own in the network's tree",
    ),
    finding={
        "holds": "A network that chooses its own trees finds those of the grammar and answers "
        "better with them.",
        "holds in part": "A network's own trees help it to answer, but they aren't the trees of "
        "the grammar.",
        "does not hold": "Trees that a network chooses itself don't help it to answer: only "
        "{own.value:.0%} of the expressions are right.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.parts.low > 0.9 and n.ahead.low > 0,
            "Holds. In the network's trees, {parts.value:.0%} of the parts have a node of their "
            "own.",
        ),
        in_part=(
            lambda n: n.ahead.low > 0,
            "Holds in part, if the trees need not be those of the grammar: {parts.value:.0%} of "
            "the parts have a node of their own.",
        ),
        fails=(
            lambda n: n.ahead.high < 0.05,
            "Does not hold. Along a chain or a balanced tree, up to {best_other.value:.0%} of the "
            "expressions are right.",
        ),
    ),
    saw=[
        "These numbers are for expressions nested {learned} deep, as deep as in training. A guess "
        "is right in 20% of the cases. A part has a node of its own if exactly its symbols are "
        "below that node.",
        AT_EDGES,
    ],
    table={
        "Share of the expressions that are right": table_by_nesting,
        "Trees over the same expressions": table_parts,
    },
    caveats=[
        "We tried one way to learn the choice: in training, we added noise to the scores, and in "
        "place of the choice we differentiated a softmax of the scores. Others have used larger "
        "networks, or rewards. The nodes have 30 tanh units, and all matrices start small, as "
        "PyTorch's do. The brackets are among the symbols, so a network can find the grammar in "
        "them."
    ],
    data=over_nesting,
)
def run(config, seeds):
    """Train networks to output the value, modulo 5, of expressions of digits from 0 to 4 with
    negations, sums and differences, nested one or two deep. Only the answer at the root is trained.
    One kind of network starts from all symbols, including brackets, and combines the two neighbors
    whose common vector has the highest score, until one vector remains. The other kinds run along
    given trees. Adam trains for 3000 steps, each on 64 expressions. Each kind has the learning rate
    with which most expressions nested two deep are right on 2 other seeds. Test on 300 new
    expressions of each nesting. A part of an expression consists of at least two symbols, but not
    of all, and has a value.
    """
    return Drawn(KINDS).run(config, seeds)


class Drawn(Evaluated):
    """Kinds of networks, one of which chooses its own trees."""

    def more(self, config, cell, made, seeds, nesting):
        """Compare the trees that a network chooses with others."""
        if cell[0] == OWN:
            return _shapes(*made, nesting, config)
        return super().more(config, cell, made, seeds, nesting)


def _shapes(net, params: dict, nesting: int, config: dict) -> list[dict]:
    """Measure, for each network, how far its trees over the same expressions agree with others."""
    rng = np.random.default_rng(5)
    read = [random_expression(nesting, rng) for _ in range(config["tested"] // 3)]
    symbols = [expression_symbols(one) for one in read]
    x = [SYMBOLS.index(symbol) for each in symbols for symbol in each]
    forest = trees.forest([trees.chain(len(each)) for each in symbols])
    own = net.trees(params, (np.array([x] * len(params["q"])), forest, None))
    random = [trees.random_tree(len(each), rng) for each in symbols]
    other = [trees.random_tree(len(each), rng) for each in symbols]
    laid = {name: [make(len(each)) for each in symbols] for name, make in _MADE.items()}
    held = {f"{name}_parts": _held(read, drawn) for name, drawn in laid.items()}
    held |= {"random_parts": _held(read, random), "random_agree": _common(random, other)}
    return [
        {"parts": _held(read, mine), "agree": _common(mine, next_)} | held
        for mine, next_ in pairwise([*own, own[0]])
    ]


_MADE = {"chain": trees.chain, "balanced": trees.balanced}


def _held(read, drawn) -> float:
    """Return the share of the expressions' parts that have a node of their own in the trees."""
    found = total = 0
    for expression, tree in zip(read, drawn, strict=True):
        whole = trees.n_leaves(tree)
        parts = {
            (start, stop)
            for start, stop in part_values(expression, brackets=True)
            if 1 < stop - start < whole
        }
        found, total = found + len(parts & trees.spans(tree)), total + len(parts)
    return found / max(total, 1)


def _common(drawn, others) -> float:
    """Return the share of the brackets of trees that other trees over the same leaves share."""
    pairs = zip(drawn, others, strict=True)
    return float(np.mean([trees.shared_spans(mine, other) for mine, other in pairs]))
