"""How far back does a gradient reach, before and after a network has learned? (section 10.7)"""

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.reach import reach, simple
from rnn_helpers.experiments.success import SUCCESS
from rnn_helpers.experiments.words import Estimate, grouped, listed, where
from rnn_helpers.plots import lines

CELLS = {
    "default": simple("default"),
    "Gaussian, radius 0.5": simple("gaussian", 0.5),
    "Gaussian, radius 1": simple("gaussian", 1.0),
    "Gaussian, radius 1.5": simple("gaussian", 1.5),
    "orthogonal": simple("orthogonal"),
}


def numbers(rows):
    """Factors at the start; and of those that learned, by whether their state comes to rest."""
    learned = where(rows, when="trained", learned=True)
    still = [row["factor"] for row in learned if row["period"]]
    moving = [row for row in learned if not row["period"]]
    at_start = {
        cell: Estimate.mean(row["factor"] for row in mine)
        for cell, mine in grouped(where(rows, when="at the start"), "cell").items()
    }
    numbers = {
        "default": at_start["default"],
        "at_start": listed("{}: {:.2f}", at_start.items(), "; "),
        "learned": len(learned),
        "still": len(still),
        "factor_still": Estimate.mean(still),
        "moving": len(moving),
    }
    if len(moving) > 1:  # a quick run has none
        numbers |= {
            "share_moving": Estimate.rate(not row["period"] for row in learned),
            "factor_moving": Estimate.mean(row["factor"] for row in moving),
            "kept": np.mean([row["kept"] for row in moving]),
            "least_kept": min(row["kept"] for row in moving),
        }
    return numbers


def plot(rows):
    """Draw the size of gradients over steps back, as the median of each group of networks.

    Bands hold eight in ten of them.
    """
    trained = where(rows, when="trained", learned=True)
    groups = {
        "default, untrained": where(rows, cell="default", when="at the start"),
        "rests or repeats": [row for row in trained if row["period"]],
        "oscillates": [row for row in trained if not row["period"]],
    }
    percentiles = [
        np.percentile([row["log10_norms"] for row in group], (10, 50, 90), axis=0)
        for group in groups.values()
    ]
    low, middle, high = 10.0 ** np.stack(percentiles, axis=1)
    return lines(
        5 * np.arange(middle.shape[1]),
        middle,
        list(groups),
        low=low,
        high=high,
        xlabel="steps back",
        ylabel="size of the gradient",
        log="y",
    )


_TRAINING = {
    "n_h": 10,
    "learned": 10,
    "steps": 1000,
    "eta": 0.3,
    "batch_size": 16,
    "length": 100,
    "sequences": 200,
    "nearest": 10,
}


@experiment(
    claim="Gradients through many steps vanish, exponentially fast; and a network that stores "
    "something so that small perturbations do no harm must be where they vanish.",
    source="Goodfellow et al. 10.7 (P63, E-30)",
    quick={"seeds": 8, "cells": ["default"], **_TRAINING, "steps": 500},
    full={"seeds": 20, "cells": list(CELLS), **_TRAINING},
    numbers=numbers,
    headline=("default", "factor per step back, default"),
    verdict=[
        (
            lambda n: (
                max(n.default.high, n.factor_still.high) < 1
                and n.moving > 1
                and n.factor_moving.low > 0.9
                and n.kept > SUCCESS
            ),
            "holds if the bit is kept in a state that rests or repeats itself; kept as the phase "
            "of an oscillation, it keeps its gradient, and can still be read after "
            f"{_TRAINING['length']} noisy steps",
        )
    ],
    saw=[
        "For each step back, the gradient on the state shrinks by a constant factor. At the start: "
        f"{{at_start}}. Of {{learned}} networks that learned the latch over {_TRAINING['learned']} "
        "steps, {still} keep the bit in a state that rests or repeats itself: there the factor is "
        "{factor_still:.2f}. The other {moving} (share {share_moving:.2f}) keep it as the phase of "
        "an oscillation that does not repeat itself within 20 steps: {factor_moving:.2f}. After "
        f"{_TRAINING['length']} noisy steps a linear readout, fitted anew to the last state, still "
        "finds {kept:.1%} of their bits, {least_kept:.0%} in the worst of them."
    ],
    plot=plot,
)
def run(config, seeds):
    """Follow the gradient of the last step's loss back through 100 steps, in tanh networks of 10
    units that begin in five ways and again after they have learned the latch by gradient descent,
    and see whether the undisturbed state comes to rest.
    """
    return [row for name in config["cells"] for row in reach(name, CELLS[name], config, seeds)]
