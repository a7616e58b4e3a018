"""Does it help to read the source backwards? (section 10.4)"""

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.choose import by_method, choose
from rnn_helpers.experiments.shares import shares_over
from rnn_helpers.experiments.translating import SYMBOLS, reversing
from rnn_helpers.experiments.words import Estimate, at_edges, grouped
from rnn_helpers.tasks import Reversal

FORWARDS, BACKWARDS = "read forwards", "read backwards"


def numbers(rows):
    """Digits and sequences that are right, by the way of reading."""
    whole = {
        way: Estimate.mean((row["whole"] for row in mine if row["place"] == 1), (0, 1))
        for way, mine in grouped(rows, "way").items()
    }
    cells = {
        key: Estimate.mean((row["right"] for row in mine), (0, 1))
        for key, mine in grouped(rows, "way", "place").items()
    }
    by_seed = {(row["way"], row["seed"]): row["whole"] for row in rows}
    seeds = sorted({row["seed"] for row in rows})
    last = max(row["place"] for row in rows)
    return {
        "n_digits": last,
        "forwards": whole[FORWARDS],
        "backwards": whole[BACKWARDS],
        "ahead": Estimate.mean(
            (by_seed[BACKWARDS, k] - by_seed[FORWARDS, k] for k in seeds), (-1, 1)
        ),
        "first_forwards": cells[FORWARDS, 1],
        "first_backwards": cells[BACKWARDS, 1],
        "last_forwards": cells[FORWARDS, last],
        "last_backwards": cells[BACKWARDS, last],
        "edges": at_edges(rows, "way"),
    }


def plot(rows):
    """Draw the share of digits that are right, by their place in what is written."""
    return shares_over(
        rows, "way", "place", xlabel="place of the digit", ylabel="share of digits right"
    )


@experiment(
    claim="A network that reads the source backwards, and writes it in order, learns it better: a "
    "few short ways at the beginning help more than long ones at the end harm.",
    source="ours, prompted by Goodfellow et al. 10.4 and Sutskever et al. 2014",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.03],
        "longest": 2,
        "n_h": 16,
        "n_c": 8,
        "batch_size": 16,
        "steps": 120,
        "written": 40,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.003, 0.01, 0.03, 0.06, 0.1],
        "longest": 8,
        "n_h": 32,
        "n_c": 32,
        "batch_size": 32,
        "steps": 1500,
        "written": 500,
    },
    numbers=numbers,
    headline=("ahead", "more sequences right if the source is read backwards"),
    verdict=[
        (
            lambda n: n.ahead.low > 0 and n.first_backwards.low > n.first_forwards.high,
            "holds",
        ),
        (
            lambda n: n.ahead.low > 0,
            "holds if it is said of how much is right, and not of why: of the first digits, whose "
            "way became short, {first_backwards:.3f} are right if the source is read backwards, "
            "and {first_forwards:.3f} if it is read forwards",
        ),
        (lambda n: n.ahead.high < 0.05, "does not hold"),
        (lambda n: True, "not tested here"),
    ],
    saw=[
        "Of sequences of {n_digits} digits, read backwards {backwards:.2f} are right, read "
        "forwards {forwards:.2f}; on the same digits, a difference of {ahead:.2f}. Of the first "
        "digits {first_backwards:.3f} and {first_forwards:.3f} are right, of the last "
        "{last_backwards:.3f} and {last_forwards:.3f}.",
        (lambda n: n.edges, "Best at the edge of what was tried: {edges}."),
    ],
    caveats=[
        "Random digits, copied in order: each becomes the one at its own place, as words roughly "
        "do between languages of like order. Where the order changes, nothing follows. "
        "That the reason has to show in the first digits was asked after a look at the numbers."
    ],
    plot=plot,
)
def run(config, seeds):
    """Let a gated network (GRU) of 32 units read two to eight random digits, forwards or backwards,
    and another as large write them in order, then an end; a vector of 32 numbers passes, and is
    heard at every step. Adam for 1500 steps, each on 32 sequences of one length; the rate of each
    way is that with which most sequences of eight are right on 2 other seeds. Then each network
    writes 500 new sequences of eight, the likeliest digit at each step.
    """

    def right(way, etas, others):
        net, params = _trained(way, etas, others, config)
        return _right(way, net, params, others * len(etas), config).all(axis=0).mean(axis=-1)

    ladders = dict.fromkeys((FORWARDS, BACKWARDS), config["etas"])
    chosen = choose(ladders, by_method(right), first=config["first"], seeds=config["choosing"])
    rows = []
    for way, choice in chosen.items():
        net, params = _trained(way, [choice.setting], seeds, config)
        right = _right(way, net, params, seeds, config)
        whole = right.all(axis=0).mean(axis=-1)
        for place, each in enumerate(right[: config["longest"]].mean(axis=-1), 1):
            rows += [
                {"way": way, "place": place, "seed": seed, "right": float(one), "whole": float(all)}
                | {"eta": choice.setting, "at_edge": choice.at_edge}
                for seed, one, all in zip(seeds, each, whole, strict=True)
            ]
    return rows


def _trained(way: str, etas, seeds, config: dict) -> tuple:
    """A pair of networks for each rate and seed, and their parameters."""
    # what is written is reversed, so to read backwards as well is to copy in order
    sizes = config["n_h"], config["n_c"]
    return reversing(*sizes, etas, seeds, config, backwards=way == FORWARDS)


def _right(way: str, net, params, seeds, config: dict) -> np.ndarray:
    """Whether each symbol of new sequences is right: (T, S, B)."""
    task = Reversal(config["longest"], config["longest"], SYMBOLS)
    rngs = [[seed, 3] for seed in seeds]
    x, y = next(task.batches(config["written"], rngs, backwards=way == FORWARDS))
    return net.write(params, x, len(y)) == y
