"""Does more text bring networks closer to tables that count? Texts of four sizes, equal time."""

from dataclasses import replace

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval
from rnn_helpers.experiments.texts import Learned
from rnn_helpers.tasks import NGram, characters

NETWORK, RIVAL = "GRU", "5-gram"


def summarise(rows):
    """Say which networks come closer to the table with more text, and whether they still do."""
    at = {(row["model"], row["characters"]): row for row in rows}
    sizes = sorted({row["characters"] for row in rows})
    networks = dict.fromkeys(row["model"] for row in rows if row["each"])
    behind = {
        network: np.array(
            [np.subtract(at[network, size]["each"], at[RIVAL, size]["bits"]) for size in sizes]
        )
        for network in networks
    }
    # for each seed, the slope over all doublings, and what the last one changed
    slopes = {
        network: mean_interval(np.polyfit(np.log2(sizes), lags, deg=1)[0])
        for network, lags in behind.items()
    }
    last = {network: mean_interval(lags[-1] - lags[-2]) for network, lags in behind.items()}
    closer = [network for network in networks if slopes[network][2] < 0]
    still = [network for network in closer if last[network][2] < 0]
    conditions = []
    if len(closer) < len(networks):
        conditions.append(f"the network is {' or '.join(closer)}")
    if len(still) < len(closer):
        conditions.append(
            "the text is short: the last doubling brings "
            f"{'only ' + ' and '.join(still) if still else 'none'} clearly closer"
        )
    if not closer:
        verdict = "does not hold"
    elif conditions:
        verdict = f"holds if {', and '.join(conditions)}"
    else:
        verdict = "holds"
    said = [
        f"{network} {_between(slopes[network])}, with the last one {_between(last[network])}"
        for network in networks
    ]
    return Summary(
        *slopes[NETWORK],
        f"change of a {NETWORK}'s lag behind a {RIVAL}, in bits, with each doubling of the text",
        verdict,
        f"Change of the lag behind a {RIVAL}, in bits, with a doubling of the text: "
        + "; ".join(said)
        + ". Bits per held-out character: "
        + "; ".join(
            f"after {size} characters "
            + ", ".join(
                f"{row['model']} {row['bits']:.3f}"
                + (f" ({row['low']:.3f} to {row['high']:.3f})" if row["each"] else "")
                for row in rows
                if row["characters"] == size
            )
            for size in sizes
        )
        + ".",
    )


def _between(interval):
    return "{:+.3f} ({:+.3f} to {:+.3f})".format(*interval)


@experiment(
    "text-sizes",
    claim="The more text there is to learn from, the closer recurrent networks come to a table "
    "that counts, in the same time.",
    source="ours, prompted by Chiang 5, which says that networks came to retire n-grams, and not "
    "what it took (P43)",
    chapter="05",
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
    summarise=summarise,
)
def run(config, seeds):
    """Learn from the last eighth, quarter, half and all of nine tenths of Python's language
    reference, and measure bits for each character of the last tenth: n-grams, and a tanh network, a
    GRU and an LSTM of 128 units, all trained on 1400 minibatches of 1024 characters at the rates
    that experiment bits-per-character chose for the whole text. The alphabet is that of the whole.
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
