"""How much of the first leaf arrives at the root? (section 10.6)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import Contest, ahead, generators
from rnn_helpers.experiments.shares import shares_over
from rnn_helpers.experiments.words import Estimate, crossed, grouped, listed, where
from rnn_helpers.reference import init_recursive, recursive_forward, root_jacobians, trees

CHAIN, BALANCED = "along a chain", "along a balanced tree"
TREES = {CHAIN: trees.chain, BALANCED: trees.balanced}
SYMBOLS = 4


def _share(rows):
    """Estimate the share of answers that are right."""
    return Estimate.mean((row["right"] for row in rows), (0, 1))


def table_right(rows):
    """Tabulate the share of answers that are right, by length and tree."""
    return crossed(rows, "length", "tree", lambda some: f"{_share(some):.2f}", heading="leaves")


def table_felt(rows):
    """Tabulate how far the root moves if the first leaf does."""

    def felt(some):
        return f"{Estimate.geometric(row['felt'] for row in some):.1g}"

    return crossed(rows, "length", "tree", felt, heading="leaves")


def numbers(rows):
    """Answers that are right, and what a root feels of its first leaf, by tree and length."""
    by = grouped(rows, "tree", "length")
    right = {key: _share(mine) for key, mine in by.items()}
    lengths = sorted({row["length"] for row in rows})
    longest = lengths[-1]
    return {
        "longest": longest,
        "chain": right[CHAIN, longest],
        "balanced": right[BALANCED, longest],
        "ahead": ahead(where(rows, length=longest), "tree", BALANCED, CHAIN),
        "deep_chain": longest - 1,
        "deep_balanced": trees.depth(trees.balanced(longest)),
        "guess": 1 / SYMBOLS,
        "edges": listed(
            "{0[0]}, {0[1]} leaves ({1[0][eta]:g})",
            ((key, mine) for key, mine in by.items() if mine[0]["at_edge"]),
        ),
    }


def plot(rows):
    """Draw the share of answers that are right over the number of leaves."""
    return shares_over(
        rows, "tree", "length", xlabel="leaves", ylabel="share of answers right", log="x"
    )


@experiment(
    claim="Over a sequence of tau symbols, a tree can be as shallow as log tau, while a chain has"
    " a depth of tau, and this helps with long-term dependencies.",
    source="Goodfellow et al. 10.6 (P18)",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.01],
        "lengths": [8],
        "n_h": 8,
        "batch_size": 16,
        "steps": 100,
        "tested": 100,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.0003, 0.001, 0.003, 0.01, 0.03],
        "lengths": [4, 8, 16, 32, 64, 128],
        "n_h": 24,
        "batch_size": 32,
        "steps": 1500,
        "tested": 500,
    },
    numbers=numbers,
    headline=(
        "balanced",
        "share of answers that are right along a balanced tree, longest sequences",
    ),
    finding={
        "holds if": "With {longest} leaves, a network answers {balanced.value:.0%} of the "
        "questions right along a balanced tree, but only {chain.value:.0%} along a chain.",
        "does not hold": "With {longest} leaves, a balanced tree doesn't help: "
        "{balanced.value:.0%} of the answers are right.",
    },
    verdict=Verdict(
        holds_if=(
            lambda n: n.ahead.low > 0,
            "Holds if the matrices start small, as PyTorch's do.",
        ),
        fails=(
            lambda n: n.ahead.high < 0.05,
            "Does not hold. Along a balanced tree, {ahead.value:.2f} more of the answers are right "
            "than along a chain.",
        ),
    ),
    saw=[
        "The question is about the first leaf. With {longest} leaves, {deep_chain} nodes are above "
        "it in a chain, and {deep_balanced} in a balanced tree. A guess is right in {guess:.0%} of "
        "the cases.",
        (
            lambda n: n.edges,
            "The chosen learning rate is the lowest or highest that we tried for {edges}, so "
            "another rate might be better there.",
        ),
    ],
    table={
        "Share of answers that are right": table_right,
        "How far the root moves per move of the first leaf, before training": table_felt,
    },
    caveats=[
        "The first leaf is the worst case for a chain that begins there; for a chain that ends "
        "there it would be the best. In a balanced tree all leaves are equally far from the root. "
        "The nodes are tanh units without gates.",
        "U and W start with a spectral radius near 0.6, so a gradient shrinks at every node. A "
        "chain that starts with an orthogonal U, with a fifth of W and with b = 0 learns much more "
        "at the same sizes. In trials on five other seeds, all five of these learned the first of "
        "32 symbols at rates of 0.001 and 0.003, and two of five learned the first of 128.",
    ],
    plot=plot,
)
def run(config, seeds):
    """Draw sequences of random symbols, four kinds, and ask at the root which was the first. A
    recursive network of 24 units goes along a chain, which is then a recurrent network, or along a
    balanced tree; both have the same parameters. Adam for 1500 steps, each on 32 sequences; the
    rate of each, for each length, is that with which most answers are right on 2 other seeds.
    Measured on 500 new sequences. Before training: the norm of the derivative of the root's vector
    with respect to the first leaf's, of other networks of this size with Gaussian weights.
    """
    return Trees().run(config, seeds)


class Trees(Contest):
    """Recursive networks along chains and balanced trees of several lengths."""

    columns = "tree", "length"

    def cells(self, config):
        """Pair each tree with each length."""
        return [(tree, length) for length in config["lengths"] for tree in TREES]

    def net(self, config, cell, seeds):
        """Make recursive networks, which are the same for both trees."""
        from rnn_helpers.nets.recursive import Recursive

        return Recursive(SYMBOLS, config["n_h"], SYMBOLS, seeds)

    def batches(self, config, cell, size, seeds):
        """Draw sequences of symbols, the tree above each, and the first symbols."""
        tree, length = cell
        laid = trees.forest([TREES[tree](length)] * size)
        rngs = generators(seeds)
        while True:
            x = np.stack([rng.integers(SYMBOLS, size=(size, length)) for rng in rngs])
            yield x.reshape(len(rngs), -1), laid, x[:, :, 0]

    def rows(self, config, cell, made, seeds, scores):
        """Add how far the root moves before training if the first leaf does."""
        rows = super().rows(config, cell, made, seeds, scores)
        return [row | {"felt": _felt(*cell, row["seed"], config)} for row in rows]


def _felt(tree, length, seed, config):
    """How far the root of a random network moves if its first leaf does."""
    rng = np.random.default_rng([seed, 4])
    params = init_recursive(SYMBOLS, config["n_h"], SYMBOLS, rng)
    run = recursive_forward(params, rng.integers(SYMBOLS, size=length), TREES[tree](length))
    return float(np.linalg.norm(root_jacobians(params, run)[0]))
