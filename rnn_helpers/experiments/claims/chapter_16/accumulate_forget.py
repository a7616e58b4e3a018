"""To accumulate and to forget: gated units against leaky and simple ones (section 10.10)."""

import numpy as np

from rnn_helpers.experiments import Summary, experiment
from rnn_helpers.experiments.counting import at_all_rates, at_best_rate, times, typical

# kind of unit, how many (so that all have about as many parameters), and their parts
NETWORKS = {
    "LSTM": ("lstm", 8, {}),
    "GRU": ("gru", 9, {}),
    "simple": ("leaky", 17, {}),
    "simple, orthogonal": ("leaky", 17, {"start": "orthogonal"}),
    "leaky, 0.9": ("leaky", 17, {"alpha": 0.9}),
    "leaky, 0 to 0.99": ("leaky", 17, {"alpha": np.linspace(0, 0.99, 17)}),
}
GATED = ("LSTM", "GRU")
_LITTLE = 0.05  # share of the variance below which a network has learned to forget, if not exactly


def summarise(rows):
    """Take the error of the best network without gates against the LSTM's, seed by seed."""
    names = list(dict.fromkeys(row["network"] for row in rows))
    rows = at_best_rate(rows)
    rates = {row["network"]: row["eta"] for row in rows}
    ungated = [name for name in names if name not in GATED]
    best = min(ungated, key=lambda name: typical(rows, name))
    ratio = times(rows, best, "LSTM")
    gru = f" and {times(rows, best, 'GRU')[0]:.2g} times the GRU's" if "GRU" in names else ""
    text = (
        "Share of the variance left, at the length of training and at three times that, and the "
        "learning rate: "
        + "; ".join(
            f"{name} {typical(rows, name):.2g} and {typical(rows, name, 'longer'):.2g}, "
            f"at {rates[name]:g}"
            for name in names
        )
        + f". The best without gates, {best}, has {ratio[0]:.2g} times the LSTM's error{gru}."
    )
    left = {name: typical(rows, name) for name in ungated}
    verdict = "does not hold"
    if all(times(rows, name, "LSTM")[1] > 1 for name in ungated):
        verdict = "holds"
        if min(left.values()) < _LITTLE:
            verdict = (
                "holds if it is a matter of how well: units without gates, in a network with "
                f"recurrent weights, learn it too, and the best leave {100 * left[best]:.2g} % of "
                f"the variance, the LSTM {100 * typical(rows, 'LSTM'):.2g} %"
            )
    return Summary(
        *ratio,
        "times the error of an LSTM, without gates",
        verdict,
        text,
    )


@experiment(
    "accumulate-forget",
    claim="Gated networks learn by themselves when to let go of what they have accumulated, which "
    "leaky units, whose time constants are fixed, do not.",
    source="Goodfellow et al. 10.10 (P28)",
    chapter="16",
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
    summarise=summarise,
)
def run(config, seeds):
    """Train networks of about 360 parameters with Adam for 600 steps to count the ones since the
    last reset, in sequences of 30 steps: an LSTM, a GRU, simple networks begun in two ways, and
    leaky ones, all of one time scale or of many; compare errors on new sequences, seed by seed,
    each network at the one of six learning rates that suits it best on 4 other
    seeds.
    """
    return [
        row
        for name in config["networks"]
        for row in at_all_rates(name, *NETWORKS[name], config, seeds)
    ]
