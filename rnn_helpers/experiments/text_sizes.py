"""Does more text bring networks closer to retiring n-grams? Texts of four sizes, equal time."""

from dataclasses import replace

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval
from rnn_helpers.experiments.texts import Learned
from rnn_helpers.tasks import NGram, characters

NETWORK, RIVAL = "GRU", "5-gram"


def summarise(rows):
    """Say by how much the network comes closer to the table with each doubling of the text."""
    at = {(row["model"], row["characters"]): row for row in rows}
    sizes = sorted({row["characters"] for row in rows})
    behind = np.array(
        [np.subtract(at[NETWORK, size]["each"], at[RIVAL, size]["bits"]) for size in sizes]
    )
    each = np.polyfit(np.log2(sizes), behind, deg=1)[0]  # a slope for each seed
    change, low, high = mean_interval(each)
    return Summary(
        change,
        low,
        high,
        f"change of a {NETWORK}'s lag behind a {RIVAL}, in bits, with each doubling of the text",
        "holds" if high < 0 else "does not hold",
        "Bits per held-out character: "
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


@experiment(
    "text-sizes",
    claim="More text brings recurrent networks closer to retiring n-grams.",
    source="Chiang 5 (P43)",
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
