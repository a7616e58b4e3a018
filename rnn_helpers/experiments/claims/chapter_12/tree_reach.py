"""How much of the first leaf arrives at the root? (section 10.6)"""

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.choose import by_method, choose
from rnn_helpers.experiments.rates import trained
from rnn_helpers.experiments.shares import shares_over
from rnn_helpers.experiments.words import Estimate, grouped, listed
from rnn_helpers.reference import init_recursive, recursive_forward, root_jacobians, trees

CHAIN, BALANCED = "along a chain", "along a balanced tree"
TREES = {CHAIN: trees.chain, BALANCED: trees.balanced}
SYMBOLS = 4


def numbers(rows):
    """Answers that are right, and what a root feels of its first leaf, by tree and length."""
    by = grouped(rows, "tree", "length")
    right = {key: Estimate.mean((row["right"] for row in mine), (0, 1)) for key, mine in by.items()}
    felt = {key: Estimate.geometric(row["felt"] for row in mine) for key, mine in by.items()}
    lengths = sorted({row["length"] for row in rows})
    longest = lengths[-1]
    return {
        "longest": longest,
        "chain": right[CHAIN, longest],
        "balanced": right[BALANCED, longest],
        "deep_chain": longest - 1,
        "deep_balanced": trees.depth(trees.balanced(longest)),
        "felt_chain": felt[CHAIN, longest],
        "felt_balanced": felt[BALANCED, longest],
        "guess": 1 / SYMBOLS,
        "told": listed(
            "{} {} leaves {:.2f}", ((*key, one.value) for key, one in right.items()), "; "
        ),
        "felt": listed(
            "{} {} leaves {:.1g}", ((*key, one.value) for key, one in felt.items()), "; "
        ),
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
    claim="Over a sequence of tau symbols a tree can be as flat as log tau where a chain is tau "
    "deep, and this helps with dependencies that reach far.",
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
    headline=("balanced", "answers right along a balanced tree over the longest sequences"),
    verdict=[
        (
            lambda n: n.balanced.low > n.chain.high,
            "holds if the matrices start small, as PyTorch's do: with {longest} leaves, "
            "{balanced:.2f} of the answers are right along a balanced tree and {chain:.2f} along a "
            "chain",
        ),
        (lambda n: True, "does not hold"),
    ],
    saw=[
        "With {longest} leaves, {deep_chain} nodes stand above the first one along a chain and "
        "{deep_balanced} along a balanced tree: {chain:.2f} and {balanced:.2f} of the answers are "
        "right (a guess has {guess:.2f}). All: {told}.",
        "Before training, how far the root moves if the first leaf does: {felt}.",
        (lambda n: n.edges, "Best at the edge of what was tried: {edges}."),
    ],
    caveats=[
        "What counts is the first leaf, which is the worst case of a chain that begins there: of "
        "one that ends there it would be the best. In a balanced tree all leaves are equally far. "
        "Tanh nodes without gates.",
        "U and W start with a spectral radius near 0.6, so a gradient shrinks at every node. A "
        "chain that starts with an orthogonal U, with a fifth of W and with b = 0 learns much more "
        "at the same sizes: in trials on five other seeds, all five learned the first of 32 "
        "symbols at rates of 0.001 and 0.003, and two of five learned the first of 128.",
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

    def score(cell, etas, others):
        net, params = _trained(*cell, etas, others, config)
        return _right(net, params, *cell, others * len(etas), config)

    cells = [(tree, length) for length in config["lengths"] for tree in TREES]
    ladders = dict.fromkeys(cells, config["etas"])
    chosen = choose(ladders, by_method(score), first=config["first"], seeds=config["choosing"])
    rows = []
    for (tree, length), choice in chosen.items():
        net, params = _trained(tree, length, [choice.setting], seeds, config)
        right = _right(net, params, tree, length, seeds, config)
        rows += [
            {"tree": tree, "length": length, "seed": seed, "right": float(one)}
            | {"felt": _felt(tree, length, seed, config)}
            | {"eta": choice.setting, "at_edge": choice.at_edge}
            for seed, one in zip(seeds, right, strict=True)
        ]
    return rows


def _batches(tree, length, size, seeds):
    rngs = [np.random.default_rng(seed) for seed in seeds]
    laid = trees.forest([TREES[tree](length)] * size)
    while True:
        x = np.stack([rng.integers(SYMBOLS, size=(size, length)) for rng in rngs])
        yield x.reshape(len(rngs), -1), laid, x[:, :, 0]


def _trained(tree, length, etas, seeds, config):
    """Networks of each rate and seed, and their parameters."""
    from rnn_helpers.nets.recursive import Recursive

    return trained(
        lambda each: Recursive(SYMBOLS, config["n_h"], SYMBOLS, each),
        lambda each: _batches(tree, length, config["batch_size"], each),
        etas,
        seeds,
        config["steps"],
    )


def _right(net, params, tree, length, seeds, config):
    """Share of new sequences of which each network knows the first symbol."""
    batches = _batches(tree, length, config["tested"], [[seed, 3] for seed in seeds])
    return net.accuracy(params, next(batches))


def _felt(tree, length, seed, config):
    """How far the root of a random network moves if its first leaf does."""
    rng = np.random.default_rng([seed, 4])
    params = init_recursive(SYMBOLS, config["n_h"], SYMBOLS, rng)
    run = recursive_forward(params, rng.integers(SYMBOLS, size=length), TREES[tree](length))
    return float(np.linalg.norm(root_jacobians(params, run)[0]))
