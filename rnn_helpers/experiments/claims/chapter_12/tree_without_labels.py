"""Does a network that draws its own trees find those of the grammar? (section 10.6)"""

from itertools import pairwise

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.evaluating import (
    Kind,
    all_of,
    deepest,
    evaluated,
    over_nesting,
    shares_right,
)
from rnn_helpers.experiments.words import Estimate, at_edges
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
    """Expressions that are evaluated right; parts that stand under one node of a tree."""
    cells = shares_right(rows)
    learned, _ = deepest(rows)
    own = [row for row in rows if row["kind"] == OWN and row["nesting"] == learned]

    def mean(name):
        return Estimate.mean((row[name] for row in own), (0, 1))

    return {
        "learned": learned,
        "own": cells[OWN, learned],
        "parse": cells[PARSE, learned],
        "best_other": max((cells[one, learned] for one in (CHAIN, BALANCED)), key=lambda e: e.high),
        "parts": mean("parts"),
        "chain_parts": mean("chain_parts"),
        "balanced_parts": mean("balanced_parts"),
        "random_parts": mean("random_parts"),
        "agree": mean("agree"),
        "random_agree": mean("random_agree"),
        "told": all_of(cells),
        "edges": at_edges(rows, "kind"),
    }


@experiment(
    claim="A recursive network that is told of no tree, and joins the neighbours that it likes "
    "best, finds the trees of the grammar, and answers better by them than along a chain or a "
    "balanced tree.",
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
    headline=("parts", "of the parts of an expression, share under one node of the network's tree"),
    verdict=[
        (lambda n: n.parts.low > 0.9 and n.own.low > n.best_other.high, "holds"),
        (
            lambda n: n.own.low > n.best_other.high,
            "holds if nothing is said of the grammar: its own trees help, and {parts:.2f} of an "
            "expression's parts stand under a node of theirs",
        ),
        (lambda n: True, "does not hold"),
    ],
    saw=[
        "Nested {learned} deep, as deep as was learned, {own:.2f} are right along trees of the "
        "network's own, {best_other:.2f} along the better of chain and balanced tree, {parse:.2f} "
        "along the brackets; a guess has .20. All: {told}.",
        "Of the parts of these expressions {parts:.2f} stand under one node of the network's "
        "trees, of a chain {chain_parts:.2f}, of a balanced tree {balanced_parts:.2f}, of a tree "
        "drawn at random {random_parts:.2f}. Two networks' trees over the same expression have "
        "{agree:.2f} of their brackets in common, two random ones {random_agree:.2f}.",
        (lambda n: n.edges, "Best at the edge of what was tried: {edges}."),
    ],
    caveats=[
        "One way to learn to choose: noise, and the gradient of a softmax straight through the "
        "choice. Others have been tried elsewhere, with larger networks and rewards. Plain nodes "
        "of 30 tanh units. Brackets are among the symbols, so the grammar can be read off them."
    ],
    plot=over_nesting,
)
def run(config, seeds):
    """Draw expressions of digits from 0 to 4 with negations, sums and differences, nested one or
    two deep; a network learns what each is worth modulo 5, told nothing but the answer at the
    root. It joins, of all symbols, brackets too, the two neighbours whose common vector scores
    highest, until one vector is left; or it goes along a tree that is given. Adam for 3000 steps,
    each on 64 expressions; the rate of each is that with which most expressions nested two deep are
    right on 2 other seeds. Measured are 300 new expressions of each nesting; a part is what stands
    inside an expression and has a value, of two symbols at least.
    """

    def look(name, net, params, nesting):
        return _shapes(net, params, nesting, config) if name == OWN else [{} for _ in seeds]

    return evaluated(KINDS, config, seeds, look)


def _shapes(net, params: dict, nesting: int, config: dict) -> list[dict]:
    """For each network, what its trees over the same expressions have in common with others."""
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
    """Share of the parts of expressions that stand under one node of the trees over them."""
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
    """Share of the brackets of trees that others over the same leaves have too."""
    pairs = zip(drawn, others, strict=True)
    return float(np.mean([trees.shared_spans(mine, other) for mine, other in pairs]))
