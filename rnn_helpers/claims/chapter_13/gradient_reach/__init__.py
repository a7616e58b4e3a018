"""How far back does a gradient reach, before and after a network has learned? (section 10.7)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.data import lines
from rnn_helpers.experiments.reach import reach, simple
from rnn_helpers.experiments.success import SUCCESS
from rnn_helpers.experiments.words import Estimate, grouped, where

CELLS = {
    "default": simple("default"),
    "Gaussian, radius 0.5": simple("gaussian", 0.5),
    "Gaussian, radius 1": simple("gaussian", 1.0),
    "Gaussian, radius 1.5": simple("gaussian", 1.5),
    "orthogonal": simple("orthogonal"),
}

FADES = 0.9  # a gradient that is multiplied by less than this per step back vanishes


def _at_start(rows):
    """Estimate the factor per step back of untrained networks, by initialization."""
    return {
        cell: Estimate.mean(row["factor"] for row in mine)
        for cell, mine in grouped(where(rows, when="at the start"), "cell").items()
    }


def table_untrained(rows):
    """Tabulate the factor per step back before training."""
    return [
        {"initialization": cell, "factor per step back": f"{factor:.2f}"}
        for cell, factor in _at_start(rows).items()
    ]


def table_trained(rows):
    """Tabulate the factor per step back of trained networks, by how they store the sign."""
    learned = grouped(where(rows, when="trained", learned=True), "period")
    groups = {
        "rests or repeats itself": [r for period in learned if period for r in learned[period]],
        "oscillates without repeating itself": learned.get(0, []),
    }
    return [
        {
            "state without noise": state,
            "networks": len(mine),
            "factor per step back": f"{Estimate.mean(row['factor'] for row in mine):.2f}",
        }
        for state, mine in groups.items()
        if len(mine) > 1
    ]


def numbers(rows):
    """Estimate the factor per step back before training and for both kinds of trained networks."""
    learned = where(rows, when="trained", learned=True)
    still = [row["factor"] for row in learned if row["period"]]
    moving = [row for row in learned if not row["period"]]
    numbers = {
        "default": _at_start(rows)["default"],
        "at_start": _at_start(rows),
        "fading": {
            cell: sum(row["factor"] < FADES for row in mine)
            for cell, mine in grouped(where(rows, when="at the start"), "cell").items()
        },
        "learned": len(learned),
        "still": len(still),
        "factor_still": Estimate.mean(still),
        "moving": len(moving),
    }
    if len(moving) > 1:  # a quick run has none
        numbers |= {
            "factor_moving": Estimate.mean(row["factor"] for row in moving),
            "kept": Estimate.mean((row["kept"] for row in moving), (0, 1)),
            "least_kept": min(row["kept"] for row in moving),
            "all_kept": sum(row["kept"] == 1 for row in moving),
        }
    return numbers


def data(rows):
    """Return the median size of the gradient by steps back, for each group of networks."""
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
        question="How much of the gradient is left, by the number of steps back?",
        xlabel="steps back",
        ylabel="size of the gradient, median",
        unit="",
        spread="80 % of the networks",
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
    claim="Gradients through many steps vanish exponentially fast. A network that stores "
    "something so that small perturbations do no harm must be in a region of its parameters where "
    "gradients vanish.",
    short="If a network stores something robustly, its gradients vanish",
    source="Goodfellow et al. 10.7",
    quick={"seeds": 8, "cells": ["default"], **_TRAINING, "steps": 500},
    full={"seeds": 20, "cells": list(CELLS), **_TRAINING},
    numbers=numbers,
    headline=(
        "default",
        "factor of the gradient per step back, untrained networks, default initialization",
    ),
    finding={
        "holds": "Networks that store a bit lose the gradient, however they store it.",
        "restricted": "Networks that store a bit in a state that rests or repeats itself lose "
        "the gradient, but networks that store the bit in the phase of an oscillation keep it.",
        "does not hold": "Networks that store a bit in a state that rests or repeats itself keep "
        "the gradient.",
    },
    verdict=Verdict(
        holds=(
            lambda n: (
                n.default.high < 1
                and n.factor_still.high < FADES
                and (n.moving < 2 or n.factor_moving.high < FADES)
            ),
            "Holds. In the {learned} networks that learned the task, the gradient vanishes.",
        ),
        restricted=(
            lambda n: (
                n.default.high < 1
                and n.factor_still.high < FADES
                and n.factor_moving.low > FADES
                and n.kept.low > SUCCESS
            ),
            "Does not hold. {moving} of the {learned} networks that learned the task store the bit "
            "in an oscillation and keep the gradient. Only where the state rests or repeats itself "
            "does the gradient vanish.",
        ),
        fails=(
            lambda n: n.factor_still.low > FADES,
            "Does not hold. Even if the state rests or repeats itself, one step back multiplies "
            "the gradient by {factor_still:.2f}.",
        ),
    ),
    taught=lambda n: (
        n.factor_still.high < FADES < n.factor_moving.low
        and n.kept.low > SUCCESS
        and n.still + n.moving == n.learned
    ),
    saw=[
        "Of the {learned} networks that learned to hold the bit over "
        f"{_TRAINING['learned']} steps, {{still}} store it in a state that rests or repeats "
        "itself. The other {moving} store it in the phase of an oscillation that doesn't repeat "
        f"itself within 20 steps. After {_TRAINING['length']} noisy steps, a linear readout that "
        "is fitted to their last state finds {kept.value:.1%} of their bits, and "
        "{least_kept:.0%} in the worst of these networks."
    ],
    table={"Before training": table_untrained, "After learning": table_trained},
    data=data,
)
def run(config, seeds):
    """We trained tanh networks of 10 units, from five initializations, to hold a sign over 10 noisy
    steps. Before and after training, we measured how the gradient of the loss at the last step
    changes on its way back through 100 steps. We also ran each network without noise to see
    whether its state comes to rest or repeats itself.
    """
    return [row for name in config["cells"] for row in reach(name, CELLS[name], config, seeds)]
