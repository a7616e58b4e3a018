"""Does a whole sequence fit into one vector? (section 10.4)"""

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.choose import by_method, choose
from rnn_helpers.experiments.shares import shares_over
from rnn_helpers.experiments.translating import SYMBOLS, reversing
from rnn_helpers.experiments.words import Estimate, at_edges, crossed, grouped
from rnn_helpers.tasks import Reversal

LOOKS = "looks back"
WAYS = {
    "C of 4 numbers": (32, 4),
    "C of 8 numbers": (32, 8),
    "C of 16 numbers": (32, 16),
    "C of 32 numbers": (32, 32),
    LOOKS: (34, 16),
}
"""Units, and numbers in C or an annotation; the last has 3 % fewer weights than the one before."""
LARGEST = "C of 32 numbers"


def _share(rows):
    """Estimate the share of correct sequences, with all digits and the end symbol."""
    return Estimate.mean((row["right"] for row in rows), (0, 1))


def _named(rows):
    """Return the rows with the name that readers see for the network with attention."""
    return [row | {"way": row["way"].replace(LOOKS, "attention")} for row in rows]


def table(rows):
    """Tabulate the share of correct sequences, by context and length."""
    return crossed(
        _named(rows),
        "way",
        "length",
        lambda some: f"{_share(some):.2f}",
        heading="context",
        each="{} digits",
    )


def numbers(rows):
    """Return the shares of correct sequences, by context and by length."""
    cells = {key: _share(mine) for key, mine in grouped(rows, "way", "length").items()}
    lengths = sorted({row["length"] for row in rows})
    longest = max(row["length"] for row in rows if not row["beyond"])
    fixed = [way for way in WAYS if way != LOOKS]
    return {
        "right": {way: {length: cells[way, length] for length in lengths} for way in WAYS},
        "shortest": lengths[0],
        "longest": longest,
        "furthest": lengths[-1],
        "looks": cells[LOOKS, longest],
        "looks_beyond": cells[LOOKS, lengths[-1]],
        "largest": cells[LARGEST, longest],
        "largest_short": cells[LARGEST, lengths[0]],
        "smallest": cells[fixed[0], longest],
        "smallest_short": cells[fixed[0], lengths[0]],
        "best_fixed": max((cells[way, longest] for way in fixed), key=lambda one: one.high),
        "weights": {way: mine[0]["weights"] for way, mine in grouped(rows, "way").items()},
        "edges": at_edges(rows, "way"),
    }


def plot(rows):
    """Draw the share of correct sequences over their length."""
    longest = max(row["length"] for row in rows if not row["beyond"])
    return shares_over(
        _named(rows),
        "way",
        "length",
        xlabel=f"digits to reverse; in training up to {longest}",
        ylabel="share of correct sequences",
    )


@experiment(
    claim="A context of fixed size is too small for a long sequence: the longer the sequence and "
    "the smaller the context, the less of the sequence is correct. A network with attention and "
    "as many weights has no such limit.",
    source="Goodfellow et al. 10.4 (P16)",
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
        "choosing": 2,
        "first": 3,
        "etas": [0.003, 0.01, 0.03, 0.06, 0.1],
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
            ("holds", "holds if"),
            "With attention, {looks.value:.0%} of the sequences of {longest} digits are correct; "
            "with a context of fixed size, at most {best_fixed.value:.0%} are.",
        ),
        "does not hold": "In these runs, the length of the sequence, the size of the context "
        "and attention don't all matter.",
    },
    verdict=[
        (
            lambda n: (
                n.looks.low > n.best_fixed.high
                and n.largest_short.low > n.largest.high
                and n.largest.low > n.smallest.high
                and n.looks_beyond.low > 0.5
            ),
            "Holds. With attention, {looks_beyond.value:.0%} of the sequences of {furthest} digits "
            "are correct, although they are longer than in training.",
        ),
        (
            lambda n: (
                n.looks.low > n.best_fixed.high
                and n.largest_short.low > n.largest.high
                and (n.largest.low > n.smallest.high or n.largest_short.low > n.smallest_short.high)
            ),
            "Holds if no sequence is longer than in training. With attention, "
            "{looks_beyond.value:.0%} of the sequences of {furthest} digits are correct.",
        ),
        (
            lambda n: True,
            "Does not hold. A context of fixed size isn't clearly worse than attention, or it "
            "doesn't get worse for longer sequences or a smaller context.",
        ),
    ],
    saw=[
        "A sequence counts as correct if all its digits and its end symbol are correct.",
        (
            lambda n: n.looks_beyond.high < 0.5,
            "Attention removes the bottleneck, but sequences that are longer than in training "
            "fail as well.",
        ),
        (
            lambda n: n.edges,
            "The chosen learning rate is the lowest or highest that we tried for {edges}, so "
            "another rate might be better there.",
        ),
    ],
    table={"Share of correct sequences": table},
    caveats=[
        "The digits are random, so nothing about them can be guessed, and all of them have to "
        "pass through the context. A sentence is easier, because its words depend on each other. "
        "We measure how much a network learns to store in a given number of steps, not how much a "
        "vector could hold. The vector is a linear function of the encoder's last state, which "
        "has 32 units in all these networks."
    ],
    plot=plot,
)
def run(config, seeds):
    """We trained pairs of gated networks (GRU) to read two to ten random digits and to write them
    from the last to the first, then an end symbol. Encoder and decoder have 32 units. In four kinds
    of pairs, the decoder receives one vector of 4, 8, 16 or 32 numbers at every step. In the fifth,
    it receives a weighted average of vectors of 16 numbers, one for each digit. This kind has 34
    units and 3 % fewer weights than the largest of the others. Training took 2,000 steps of Adam,
    each on 32 sequences of one length. For each kind we chose the learning rate, of five, with
    which most sequences of ten digits are correct on two other seeds. Then each network wrote 300
    new sequences of each length, with the most likely symbol at each step.
    """

    def right(way, etas, others):
        net, params = _trained(way, etas, others, config)
        return _right(net, params, config["longest"], others * len(etas), config)

    ladders = dict.fromkeys(WAYS, config["etas"])
    chosen = choose(ladders, by_method(right), first=config["first"], seeds=config["choosing"])
    rows = []
    for way, choice in chosen.items():
        net, params = _trained(way, [choice.setting], seeds, config)
        weights = sum(array[0].size for array in params.values())
        for length in config["lengths"]:
            rows += [
                {"way": way, "length": length, "seed": seed, "right": float(one)}
                | {"beyond": length > config["longest"], "weights": weights}
                | {"eta": choice.setting, "at_edge": choice.at_edge}
                for seed, one in zip(seeds, _right(net, params, length, seeds, config), strict=True)
            ]
    return rows


def _trained(way: str, etas, seeds, config: dict) -> tuple:
    """Train a pair of networks for each rate and seed, and return them with their parameters."""
    n_h, n_c = (int(np.ceil(n * config["units"])) for n in WAYS[way])
    return reversing(n_h, n_c, etas, seeds, config, looks=way == LOOKS)


def _right(net, params, length: int, seeds, config: dict) -> np.ndarray:
    """Return the share of new sequences of some length that each network writes correctly."""
    task = Reversal(length, length, SYMBOLS)
    batch = next(task.batches(config["written"], [[seed, 3] for seed in seeds]))
    return net.accuracy(params, batch)
