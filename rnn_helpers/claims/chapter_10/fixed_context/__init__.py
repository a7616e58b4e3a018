"""Does a whole sequence fit into one vector? (section 10.4)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import ahead, by_seed, norm_preserving
from rnn_helpers.experiments.shares import share_right, shares_over, tabulate_right
from rnn_helpers.experiments.translating import SYMBOLS, Reversing
from rnn_helpers.experiments.words import AT_EDGES, Estimate, at_edges, grouped, where

LOOKS = "looks back"
SMALLEST, LARGEST = "C of 4 numbers", "C of 32 numbers"
ORTHOGONAL = "C of 32 numbers, orthogonal start"
WAYS = {
    SMALLEST: (32, 4),
    "C of 8 numbers": (32, 8),
    "C of 16 numbers": (32, 16),
    LARGEST: (32, 32),
    ORTHOGONAL: (32, 32),
    LOOKS: (34, 16),
}
"""Units, and numbers in C or an annotation; the last has 3 % fewer weights than the one before."""


def _named(rows):
    """Return the rows with the name that readers see for the network with attention."""
    return [row | {"way": row["way"].replace(LOOKS, "attention")} for row in rows]


def table(rows):
    """Tabulate the share of correct sequences, by context and length."""
    return tabulate_right(
        _named(rows),
        "way",
        "length",
        heading="context",
        each="{} digits",
    )


def numbers(rows):
    """Return the shares of correct sequences, by context and by length, and what changes them."""
    cells = {key: share_right(mine) for key, mine in grouped(rows, "way", "length").items()}
    lengths = sorted({row["length"] for row in rows})
    trained = where(rows, beyond=False)
    longest = max(row["length"] for row in trained)
    fixed = [way for way in WAYS if way != LOOKS]
    best = max(fixed, key=lambda way: cells[way, longest].value)
    largest = (by_seed(where(rows, way=LARGEST, length=at)) for at in (lengths[0], longest))
    return {
        "right": {way: {length: cells[way, length] for length in lengths} for way in WAYS},
        "shortest": lengths[0],
        "longest": longest,
        "furthest": lengths[-1],
        "looks": cells[LOOKS, longest],
        "looks_beyond": cells[LOOKS, lengths[-1]],
        "largest": cells[LARGEST, longest],
        "largest_short": cells[LARGEST, lengths[0]],
        "best_fixed": cells[best, longest],
        "longer": Estimate.mean((a - b for a, b in zip(*largest, strict=True)), (-1, 1)),
        "smaller": ahead(trained, "way", LARGEST, SMALLEST),
        "gained": ahead(where(rows, length=longest), "way", LOOKS, best),
        "weights": {way: mine[0]["weights"] for way, mine in grouped(rows, "way").items()},
        "edges": at_edges(rows, "way"),
    }


def data(rows):
    """Return the share of correct sequences over their length."""
    longest = max(row["length"] for row in rows if not row["beyond"])
    return shares_over(
        _named(rows),
        "way",
        "length",
        question="How long are the sequences that each network can reverse?",
        unit="of the sequences are correct",
        xlabel=f"digits to reverse; in training up to {longest}",
        ylabel="correct sequences",
    )


@experiment(
    claim="A context of fixed size is too small for a long sequence: the longer the sequence and "
    "the smaller the context, the less of the sequence is correct. A network with attention and "
    "as many weights has no such limit.",
    short="A context of fixed size is too small for a long sequence",
    source="Goodfellow et al. 10.4",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.03],
        "longest": 2,
        "lengths": [1, 2, 3],
        "units": 0.5,
        "batch_size": 16,
        "steps": 120,
        "written": 40,
    },
    full={
        "seeds": 10,
        "choosing": 3,
        "first": 5,
        "etas": [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3],
        "longest": 10,
        "lengths": [2, 4, 6, 8, 10, 12, 14],
        "units": 1,
        "batch_size": 32,
        "steps": 2000,
        "written": 300,
    },
    numbers=numbers,
    headline=(
        "looks",
        "share of correct sequences of the longest trained length, with attention",
    ),
    finding={
        **dict.fromkeys(
            ("holds", "holds in part"),
            "With attention, {looks.value:.0%} of the sequences of {longest} digits are correct; "
            "with a context of fixed size, at most {best_fixed.value:.0%} are.",
        ),
        "does not hold": "In these runs, the length of the sequence, the size of the context "
        "and attention don't all matter.",
    },
    verdict=Verdict(
        holds=(
            lambda n: (
                n.longer.low > 0.05
                and n.smaller.low > 0.05
                and n.gained.low > 0.05
                and n.looks_beyond.low > 0.5
            ),
            "Holds. With attention, {looks_beyond.value:.0%} of the sequences of {furthest} digits "
            "are correct, although they are longer than in training.",
        ),
        in_part=(
            lambda n: (
                n.longer.low > 0.05
                and n.smaller.low > 0.05
                and n.gained.low > 0.05
                and n.looks_beyond.high < 0.5
            ),
            "Holds in part, if no sequence is longer than in training. With attention, "
            "{looks_beyond.value:.0%} of the sequences of {furthest} digits are correct.",
        ),
        fails=(
            lambda n: (
                n.largest_short.low > 0.5
                and (n.longer.high < 0.05 or n.smaller.high < 0.05 or n.gained.high < 0.05)
            ),
            "Does not hold. A context of fixed size isn't clearly worse than attention, or it "
            "doesn't get worse for longer sequences or a smaller context.",
        ),
    ),
    taught=lambda n: n.gained.low > 0.2 and n.looks_beyond.high < 0.1,
    saw=[
        "A sequence counts as correct if all its digits and its end symbol are correct.",
        (
            lambda n: n.looks_beyond.high < 0.5,
            "Attention removes the bottleneck, but sequences that are longer than in training "
            "fail as well.",
        ),
        AT_EDGES,
    ],
    table={"Share of correct sequences": table},
    caveats=[
        "The digits are random, so nothing about them can be guessed, and all of them have to "
        "pass through the context. A sentence is easier, because its words depend on each other. "
        "We measure how much a network learns to store in a given number of steps, not how much a "
        "vector could hold. The vector is a linear function of the encoder's last state, which "
        "has 32 units in all these networks.",
        "With a vector of 4 numbers, no sequence of ten digits is correct. So the choice of its "
        "learning rate says little, and shorter sequences might come out better at another rate.",
        "An earlier version had no orthogonal start. We added it because long paths of the "
        "gradient could explain wrong digits as well as a small context does.",
    ],
    data=data,
)
def run(config, seeds):
    """We trained pairs of gated networks (GRU) to read two to ten random digits and to write them
    from the last to the first, then an end symbol. Encoder and decoder have 32 units. In four kinds
    of pairs, the decoder receives one vector of 4, 8, 16 or 32 numbers at every step. The largest
    context is trained with orthogonal recurrent matrices as well. In the last kind, the decoder
    receives a weighted average of vectors of 16 numbers, one for each digit. This kind has 34 units
    and 3 % fewer weights than the largest of the others. Training took 2,000 steps of Adam, each on
    32 sequences of one length. For each kind we chose the learning rate, of up to seven, with which
    most sequences of ten digits are correct on three other seeds. Then each network wrote 300 new
    sequences of each length, with the most likely symbol at each step.
    """
    return Contexts().run(config, seeds)


class Contexts(Reversing):
    """Pairs of networks with contexts of several sizes, or with attention."""

    columns = ("way",)

    def cells(self, config):
        """Name each context."""
        return [(way,) for way in WAYS]

    def net(self, config, cell, seeds):
        """Make pairs of networks with a context of some size, or with attention."""
        from rnn_helpers.nets import Translator

        n_h, n_c = (int(np.ceil(n * config["units"])) for n in WAYS[cell[0]])
        return Translator(SYMBOLS, n_h, n_c, SYMBOLS + 1, seeds, looks=cell[0] == LOOKS)

    def params(self, config, cell, net, seeds):
        """Make the recurrent matrices of one kind orthogonal."""
        params = net.params()
        recurrent = [name for name in params if name.startswith(("layers.0.W", "writer.W"))]
        return norm_preserving(params, recurrent, seeds) if cell[0] == ORTHOGONAL else params

    def rows(self, config, cell, made, seeds, scores):
        """Return one row for each length and pair."""
        weights = sum(array[0].size for array in made[1].values())
        return [
            {"length": length, "seed": seed, "right": right}
            | {"beyond": length > config["longest"], "weights": weights}
            for length in config["lengths"]
            for seed, right in zip(seeds, self.right(config, made, length, seeds), strict=True)
        ]
