"""Do recurrent networks need fewer bits per held-out character than n-gram tables? (P43)"""

import time

import numpy as np

from rnn_helpers.experiments import experiment, mean_interval
from rnn_helpers.experiments.rates import separate
from rnn_helpers.experiments.texts import Learned
from rnn_helpers.experiments.words import Estimate, listed
from rnn_helpers.plots import claim_intervals
from rnn_helpers.tasks import NGram, characters, compressed_bits

RIVAL = "5-gram"


def numbers(rows):
    """Count the networks that need fewer bits than a 5-gram; list every model's bits."""
    trained = [row for row in rows if row["each"]]
    counted = {row["model"]: row["bits"] for row in rows if not row["each"]}
    tables = {model: bits for model, bits in counted.items() if model.endswith("-gram")}
    beaten = {
        row["model"]: [model for model, bits in tables.items() if row["high"] < bits]
        for row in trained
    }
    return {
        "better": Estimate.rate(bits < counted[RIVAL] for row in trained for bits in row["each"]),
        "bits": {row["model"]: row["bits"] for row in rows},
        "characters": rows[0]["characters"],
        "steps": trained[0]["steps"],
        "fewest": min(map(len, beaten.values())),
        "most": max(map(len, beaten.values())),
        "tables": len(tables),
        "beaten": listed(
            "the {} is ahead of a {}",
            ((model, min(mine, key=tables.get)) for model, mine in beaten.items() if mine),
        ),
    }


def table(rows):
    """Tabulate the bits of every model, with intervals for networks."""
    return [
        {"model": row["model"]}
        | (
            {"bits": f"{Estimate.stored(row, 'bits'):.3f}", "learning rate": f"{row['eta']:g}"}
            if row["each"]
            else {"bits": f"{row['bits']:.3f}"}
        )
        for row in rows
    ]


def plot(rows):
    """Draw the bits of every table and every network; networks have a color of their own."""
    kinds = {True: "state", False: None}
    return claim_intervals(
        [
            {**row, "label": row["model"], "value": row["bits"], "kind": kinds[bool(row["each"])]}
            for row in rows
            if row["each"] or row["model"].endswith("-gram")
        ],
        xlabel="bits for each held-out character",
    )


@experiment(
    claim="Recurrent networks are powerful enough to retire n-grams as models of language.",
    source="Chiang 5 (P43)",
    quick={
        "seeds": 2,
        "choosing": 0,
        "orders": [1, 2, 5],
        "n_h": 32,
        "T": 32,
        "batch_size": 16,
        "steps": 60,
        "rates": {"RNN": [0.01], "LSTM": [0.03]},
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "choosing_steps": 700,
        "orders": [1, 2, 3, 4, 5, 6, 8],
        "n_h": 128,
        "T": 32,
        "batch_size": 32,
        "steps": 1400,
        "rates": {
            "RNN": [0.005, 0.01, 0.02, 0.04],
            "GRU": [0.005, 0.01, 0.02, 0.04],
            "LSTM": [0.01, 0.02, 0.04, 0.08, 0.16],
        },
    },
    numbers=numbers,
    headline=("better", f"share of networks that need fewer bits than a {RIVAL}"),
    finding=[
        (
            lambda n: n.better.value == 0,
            f"After {{characters:,}} characters to learn from, no network predicts better than a "
            f"{RIVAL}.",
        ),
        (
            lambda n: True,
            "After {characters:,} characters to learn from, {better.value:.0%} of the networks "
            f"predict better than a {RIVAL}.",
        ),
    ],
    verdict=[
        (
            lambda n: n.fewest > 0 and n.most < n.tables,
            "Holds if n is small: {beaten}, and none is ahead of a better table.",
        )
    ],
    saw=["The networks are trained on {steps} minibatches."],
    table={"Bits per held-out character": table},
    caveats=["Rates were chosen on other seeds, but on the same held-out text."],
    plot=plot,
    timed={"seconds": {}},
)
def run(config, seeds):
    """Learn nine tenths of Python's language reference, and measure bits for each character of the
    last tenth: n-grams after Kneser and Ney, programs that compress, and a tanh network, a GRU and
    an LSTM of 128 units, trained on 1400 minibatches of 1024 characters, with Adam at a rate that
    falls to 0 from the best of four or five on 2 other seeds. Seconds are one core's.
    """
    corpus = characters("topics")
    rows = []
    for order in config["orders"]:
        start = time.thread_time()
        table = NGram(order, corpus.train, len(corpus.alphabet))
        spent = time.thread_time() - start
        rows.append(_row(f"{order}-gram", table.bits(corpus.held_out), table.size, spent))
    rows += [_row(name, bits) for name, bits in compressed_bits(corpus).items()]
    for network, etas in config["rates"].items():
        eta = etas[0]
        tried = []
        if others := separate(config["choosing"]):
            shorter = {**config, "steps": config["choosing_steps"]}
            tried = [np.mean(_bits(network, corpus, eta, others, shorter)[0]) for eta in etas]
            eta = etas[int(np.argmin(tried))]
        each, parameters, spent = _bits(network, corpus, eta, seeds, config)
        mean, low, high = mean_interval(each)
        trained = {"eta": eta, "tried": tried, "steps": config["steps"]}
        rows.append(_row(network, mean, parameters, spent, low, high, each) | trained)
    return [row | {"characters": len(corpus.train)} for row in rows]


def _row(model, bits, parameters=None, seconds=None, low=None, high=None, each=()):
    ends = {"low": bits if low is None else low, "high": bits if high is None else high}
    sizes = {"parameters": parameters, "seconds": seconds}
    return {"model": model, "bits": bits, **ends, **sizes, "each": list(each)}


def _bits(network, corpus, eta, seeds, config):
    """Return the bits for each seed, the number of parameters, and the seconds to train one."""
    start = time.thread_time()
    learned = [Learned(network, corpus, eta, seed, config) for seed in seeds]
    spent = (time.thread_time() - start) / len(learned)
    size = sum(array.size for array in learned[0].params.values())
    return [one.bits(corpus.held_out) for one in learned], size, spent
