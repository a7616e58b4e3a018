"""Does more text bring networks closer to tables that count? Texts of four sizes, equal time."""

from dataclasses import replace

import numpy as np

from rnn_helpers.experiments import experiment, mean_interval
from rnn_helpers.experiments.texts import Learned
from rnn_helpers.experiments.words import Estimate, grouped, listed
from rnn_helpers.plots import lines
from rnn_helpers.tasks import NGram, characters

NETWORK, RIVAL = "GRU", "5-gram"
_DRAWN = ["3-gram", "5-gram", "RNN", "GRU", "LSTM"]


def numbers(rows):
    """How far networks lag behind the table, and what more text changes of that."""
    bits = {(row["model"], row["characters"]): row["bits"] for row in rows}
    lags = {
        network: np.array(
            [np.subtract(row["each"], bits[RIVAL, row["characters"]]) for row in each]
        )
        for network, each in grouped((row for row in rows if row["each"]), "model").items()
    }
    sizes = list(grouped(rows, "characters"))
    # for each seed, the slope over all doublings, and what the last one changed
    change = {
        network: {
            "each": Estimate.mean(np.polyfit(np.log2(sizes), lag, deg=1)[0]),
            "last": Estimate.mean(lag[-1] - lag[-2]),
        }
        for network, lag in lags.items()
    }
    closer = [network for network, bits in change.items() if bits["each"].high < 0]
    return {
        "change": change[NETWORK]["each"],
        "networks": list(lags),
        "closer": closer,
        "which": " or ".join(closer),
        "still_closer": [network for network in closer if change[network]["last"].high < 0],
        "changes": listed(
            "{0} {1[each]:+.3f}, with the last one {1[last]:+.3f}", change.items(), "; "
        ),
        "bits": listed(
            "after {} characters {}",
            (
                (size, ", ".join(map(_bits, each)))
                for size, each in grouped(rows, "characters").items()
            ),
            "; ",
        ),
    }


def _bits(row: dict) -> str:
    """Write the bits of a model, of networks with their interval."""
    return f"{row['model']} " + (
        f"{Estimate(row['bits'], row['low'], row['high']):.3f}"
        if row["each"]
        else f"{row['bits']:.3f}"
    )


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
    claim="The more text there is to learn from, the closer recurrent networks come to a table "
    "that counts, in the same time.",
    source="ours, prompted by Chiang 5, which says that networks came to retire n-grams, and not "
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
        f"change of a {NETWORK}'s lag behind a {RIVAL}, in bits, with each doubling of the text",
    ),
    verdict=[
        (
            lambda n: 0 < len(n.closer) < len(n.networks) and not n.still_closer,
            "holds if the network is {which}, and the text is short: the last doubling brings none "
            "clearly closer",
        )
    ],
    saw=[
        f"Change of the lag behind a {RIVAL}, in bits, with a doubling of the text: {{changes}}. "
        "Bits per held-out character: {bits}."
    ],
    caveats=[
        "The rates were chosen for the whole text, on the same held-out text that is reported. On "
        "a part of the text other rates might be better, so a part's lag may be too large."
    ],
    plot=plot,
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
