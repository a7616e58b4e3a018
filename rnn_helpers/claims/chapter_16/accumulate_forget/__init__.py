"""Do networks need gates to learn when to forget? (section 10.10)"""

from functools import partial

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.counting import FULL, QUICK, Counting, error_table, times
from rnn_helpers.experiments.data import INTERVAL, claim_intervals
from rnn_helpers.experiments.words import AT_EDGES, Estimate, at_edges, grouped

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
_LITTLE = 0.05
"""Share of the variance: a network with less has learned to forget, though not exactly."""


def numbers(rows):
    """Compare the networks without gates with the LSTM and the GRU."""
    errors = {
        name: Estimate.geometric(row["error"] for row in mine)
        for name, mine in grouped(rows, "network").items()
    }
    ungated = [name for name in errors if name not in GATED]
    best = min(ungated, key=lambda name: errors[name].value)
    return {
        "best": best,
        "ratio": times(rows, best, "LSTM"),
        "least_ratio": min(
            (times(rows, name, "LSTM") for name in ungated), key=lambda one: one.low
        ),
        "of_gru": times(rows, best, "GRU") if "GRU" in errors else None,
        "gru_of_lstm": times(rows, "GRU", "LSTM") if "GRU" in errors else None,
        "gated": max((errors[name] for name in GATED if name in errors), key=lambda one: one.high),
        "ungated": errors[best],
        "left": 100 * errors[best].value,
        "share": {name: error.value for name, error in errors.items()},
        "of": len(grouped(rows, "seed")),
        "edges": at_edges(rows, "network"),
    }


def _error(rows, column):
    return Estimate.geometric(row[column] for row in rows)


def _errors(rows, column):
    """Return each network's error at its learning rate."""
    return claim_intervals(
        {name: _error(mine, column) for name, mine in grouped(rows, "network").items()},
        question="How large is the error of each network?",
        xlabel=_LENGTHS[column],
        unit="",
        spread=INTERVAL,
        log=column == "error",
    )


@experiment(
    claim="Gated networks learn by themselves when to forget what they have accumulated. Leaky "
    "units, whose time constants are fixed, do not.",
    short="Gated networks learn when to forget; leaky units don't",
    source="Goodfellow et al. 10.10",
    quick={
        "seeds": 3,
        **QUICK,
        "steps": 200,
        "etas": [0.06],
        "networks": ["LSTM", "leaky, 0 to 0.99"],
    },
    full={"seeds": 20, **FULL, "first": 5, "networks": list(NETWORKS)},
    numbers=numbers,
    headline=("ratio", "error of the best network without gates, as a multiple of an LSTM's"),
    finding={
        "holds": "Networks with gates learn when to forget, and networks without gates don't: the "
        "best one still has {left:.2g} % of the variance left.",
        "holds in part": "Networks without gates also learn when to forget, but the error of the "
        "best one is {ratio.value:.0f} times an LSTM's.",
        "does not hold": "The error of the best network without gates is {ratio.value:.2g} times "
        "an LSTM's.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.gated.high < _LITTLE < n.ungated.low,
            "Holds. The best network without gates leaves {left:.2g} % of the variance, and an "
            "LSTM leaves a share {ratio.value:.0f} times smaller.",
        ),
        in_part=(
            lambda n: n.gated.high < _LITTLE and n.least_ratio.low > 2,
            "Holds in part: gated networks learn when to forget. But the best network without "
            "gates also learns it to a degree and leaves only {left:.2g} % of the variance, "
            "{ratio.value:.2g} times as much as an LSTM.",
        ),
        fails=(
            lambda n: n.gated.low > _LITTLE or n.least_ratio.high < 2,
            "Does not hold. The best network without gates leaves {left:.2g} % of the variance, "
            "{ratio.value:.2g} times as much as an LSTM.",
        ),
    ),
    taught=lambda n: n.least_ratio.low > 2 and n.ungated.high < 0.05,
    saw=[
        "Of the networks without gates, the best is “{best}”.",
        (lambda n: n.of_gru, "Its error is {of_gru.value:.2g} times the GRU's."),
        AT_EDGES,
    ],
    caveats=[
        "In an earlier version, gradients weren't clipped, and neighboring learning rates differed "
        "by a factor of 2 to 3. The best network without gates then had 15 times the error of an "
        "LSTM. The verdict was the same."
    ],
    table={"Share of the variance that each network leaves": error_table},
    data={column: partial(_errors, column=column) for column in _LENGTHS},
)
def run(config, seeds):
    """Train six kinds of network with about 360 parameters each to count the ones since the last
    reset: an LSTM, a GRU, simple networks with two initializations, and leaky units with one time
    scale or with many. They are trained with Adam for 600 steps on sequences of 30 steps, with
    gradients clipped to a norm of 1. Each kind has its own learning rate, chosen from up to nine on
    4 other seeds, which falls linearly to 0. Compare the errors on new sequences, seed by seed.
    """
    return Counting(NETWORKS).run(config, seeds)
