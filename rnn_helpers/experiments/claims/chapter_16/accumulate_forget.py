"""Do networks need gates to learn when to forget? (section 10.10)"""

from functools import partial

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.counting import (
    at_all_rates,
    at_best_rate,
    error_table,
    times,
    typical,
)
from rnn_helpers.experiments.words import Estimate, grouped
from rnn_helpers.plots import claim_intervals

# kind of unit, number of units (so that the numbers of parameters are similar), and arguments
NETWORKS = {
    "LSTM": ("lstm", 8, {}),
    "GRU": ("gru", 9, {}),
    "simple": ("leaky", 17, {}),
    "simple, orthogonal": ("leaky", 17, {"start": "orthogonal"}),
    "leaky, 0.9": ("leaky", 17, {"alpha": 0.9}),
    "leaky, 0 to 0.99": ("leaky", 17, {"alpha": np.linspace(0, 0.99, 17)}),
}
GATED = ("LSTM", "GRU")
_LENGTHS = {
    "error": "share of the variance left",
    "longer": "share of the variance left, three times as long",
}
_LITTLE = 5  # % of the variance: a network with less has learned to forget, though not exactly


def numbers(rows):
    """Compare the best network without gates with the LSTM and the GRU."""
    rows = at_best_rate(rows)
    networks = {row["network"] for row in rows}
    error = {name: typical(rows, name) for name in networks}
    ungated = [name for name in networks if name not in GATED]
    best = min(ungated, key=error.get)
    return {
        "best": best,
        "ratio": times(rows, best, "LSTM"),
        "least_ratio": min(times(rows, name, "LSTM").low for name in ungated),
        "of_gru": times(rows, best, "GRU") if "GRU" in networks else None,
        "left": 100 * error[best],
        "share": error,
        "of": len({row["seed"] for row in rows}),
    }


def _errors(rows, column):
    """Draw each network's error at its best learning rate."""
    best = grouped(at_best_rate(rows), "network")
    return claim_intervals(
        {name: Estimate.geometric(row[column] for row in mine) for name, mine in best.items()},
        xlabel=_LENGTHS[column],
        log=column == "error",
    )


@experiment(
    claim="Gated networks learn by themselves when to forget what they have accumulated. Leaky "
    "units, whose time constants are fixed, do not.",
    source="Goodfellow et al. 10.10 (P28)",
    quick={
        "seeds": 3,
        "choosing": 0,
        "batch_size": 16,
        "length": 20,
        "steps": 200,
        "etas": [0.06],
        "networks": ["LSTM", "leaky, 0 to 0.99"],
    },
    full={
        "seeds": 20,
        "choosing": 4,
        "batch_size": 16,
        "length": 30,
        "steps": 600,
        "etas": [0.01, 0.02, 0.06, 0.12, 0.24, 0.48],
        "networks": list(NETWORKS),
    },
    numbers=numbers,
    headline=("ratio", "error of the best network without gates, as a multiple of an LSTM's"),
    finding="Networks without gates also learn when to forget, but the error of the best one is "
    "{ratio.value:.0f} times an LSTM's.",
    verdict=[
        (
            lambda n: n.least_ratio > 1 and n.left < _LITTLE,
            "Holds if high precision is required: the best network without gates also leaves only "
            "{left:.2g} % of the variance.",
        )
    ],
    saw=[
        "Of the networks without gates, the best is “{best}”.",
        (lambda n: n.of_gru, "Its error is {of_gru.value:.2g} times the GRU's."),
    ],
    table={
        "Share of the variance that each network leaves": partial(
            error_table, error="at the length of training", longer="three times as long"
        )
    },
    plot={column: partial(_errors, column=column) for column in _LENGTHS},
)
def run(config, seeds):
    """Train six kinds of network with about 360 parameters each to count the ones since the last
    reset: an LSTM, a GRU, simple networks with two initializations, and leaky units with one time
    scale or with many. They are trained with Adam for 600 steps on sequences of 30 steps. Each kind
    has its own learning rate, chosen from six on 4 other seeds. Compare the errors on new
    sequences, seed by seed.
    """
    return [
        row
        for name in config["networks"]
        for row in at_all_rates(name, *NETWORKS[name], config, seeds)
    ]
