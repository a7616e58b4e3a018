"""How far back does a gradient reach, before and after a network has learned? (section 10.7)"""

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval, rate_interval
from rnn_helpers.experiments.reach import reach, simple
from rnn_helpers.experiments.success import SUCCESS

CELLS = {
    "default": simple("default"),
    "Gaussian, radius 0.5": simple("gaussian", 0.5),
    "Gaussian, radius 1": simple("gaussian", 1.0),
    "Gaussian, radius 1.5": simple("gaussian", 1.5),
    "orthogonal": simple("orthogonal"),
}


def summarise(rows):
    """Take the factor at which PyTorch's way to begin loses gradient, and what learning makes."""

    def factors(**which):
        return [row["factor"] for row in rows if all(row[k] == v for k, v in which.items())]

    def says(mean):
        return "{:.2f} ({:.2f} to {:.2f})".format(*mean)

    kinds = list(dict.fromkeys(row["cell"] for row in rows))
    before = {kind: mean_interval(factors(cell=kind, when="at the start")) for kind in kinds}
    value, low, high = before["default"]
    learned = [row for row in rows if row["when"] == "trained" and row["learned"]]
    still = [row["factor"] for row in learned if row["period"]]
    moving = [row["factor"] for row in learned if not row["period"]]
    text = (
        "For each step back, the gradient on the state shrinks by a constant factor. At the start: "
        + "; ".join(f"{kind}: {says(mean)}" for kind, mean in before.items())
        + f". Of {len(learned)} networks that learned the latch over {_TRAINING['learned']} steps, "
        f"{len(still)} keep the bit in a state that rests or repeats itself: there the factor is "
        f"{says(mean_interval(still))}."
    )
    verdict = "holds"
    if len(moving) > 1:
        mean, share = mean_interval(moving), rate_interval(len(moving), len(learned))
        kept = [row["kept"] for row in learned if not row["period"]]
        text += (
            f" The other {len(moving)} (share {says(share)}) keep it as the phase of an "
            f"oscillation that does not repeat itself within 20 steps: {says(mean)}. After "
            f"{_TRAINING['length']} noisy steps a linear readout, fitted anew to the last state, "
            f"still finds {np.mean(kept):.1%} of their bits, {min(kept):.0%} in the worst of them."
        )
        if mean[1] > 0.9 and np.mean(kept) > SUCCESS:
            verdict = (
                "holds if the bit is kept in a state that rests or repeats itself; kept as the "
                "phase of an oscillation, it keeps its gradient, and can still be read after "
                f"{_TRAINING['length']} noisy steps"
            )
    if high >= 1 or mean_interval(still)[2] >= 1:
        verdict = "does not hold"
    return Summary(value, low, high, "factor per step back, default", verdict, text)


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
    "gradient-reach",
    claim="Gradients through many steps vanish, exponentially fast; and a network that stores "
    "something so that small perturbations do no harm must be where they vanish.",
    source="Goodfellow et al. 10.7 (P63, E-30)",
    chapter="13",
    quick={"seeds": 8, "cells": ["default"], **_TRAINING, "steps": 500},
    full={"seeds": 20, "cells": list(CELLS), **_TRAINING},
    summarise=summarise,
)
def run(config, seeds):
    """Follow the gradient of the last step's loss back through 100 steps, in tanh networks of 10
    units that begin in five ways and again after they have learned the latch by gradient descent,
    and see whether the undisturbed state comes to rest.
    """
    return [row for name in config["cells"] for row in reach(name, CELLS[name], config, seeds)]
