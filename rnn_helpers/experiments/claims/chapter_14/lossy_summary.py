"""How much of the past fits into a state, and how much of that is used? (sections 10.1, 10.8)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment, mean_interval
from rnn_helpers.experiments.rates import separate
from rnn_helpers.experiments.words import Estimate, crossed, grouped, where
from rnn_helpers.plots import lines
from rnn_helpers.reference import init_recurrent, memory_capacity

UNITS, LOUD, RANDOM = 50, 0.1, "gaussian"  # what the headline is about
ASKED = 3  # past inputs that are asked for, per unit
ALL = 0.99  # a judgment: share of these from which on a state keeps them all
_NAMES = {"orthogonal": "a rotation", RANDOM: "random weights"}


def numbers(rows):
    """Inputs kept, by weights and input scale; and how much more than units, if anything."""
    (headline,) = where(rows, n_h=UNITS, scale=LOUD, weights=RANDOM)
    return {
        "per_unit": Estimate(*(n / UNITS for n in Estimate.stored(headline, "capacity"))),
        "kept": headline["capacity"],
        "over": [row for row in rows if row["low"] > row["n_h"] + row["chance"]],
        "most_over": max(row["capacity"] - row["n_h"] for row in rows),
        "chance": max(row["chance"] for row in rows),
        "shares": [
            Estimate(*(n / (ASKED * row["n_h"]) for n in Estimate.stored(row, "capacity")))
            for row in rows
        ],
    }


def table(rows):
    """Tabulate the past inputs that are recovered, for two sizes of the state."""
    sizes = UNITS, max(row["n_h"] for row in rows)
    shown = [
        row | {"weights": f"{_NAMES[row['weights']]}, input scale {row['scale']:g}"}
        for row in sorted(rows, key=lambda row: row["scale"])
        if row["n_h"] in sizes
    ]

    def kept(some):
        return f"{Estimate.stored(some[0], 'capacity'):.1f}"

    return crossed(shown, "weights", "n_h", kept, each="{} units")


def plot(rows):
    """Draw the inputs kept over the number of units, beside as many as there are units."""
    curves = {
        "rotation, scale 0.00001": ("orthogonal", 1e-5),
        "random, scale 0.00001": (RANDOM, 1e-5),
        "random, scale 0.1": (RANDOM, 0.1),
        "random, scale 1": (RANDOM, 1.0),
    }
    kept = {(row["weights"], row["scale"], row["n_h"]): row["capacity"] for row in rows}
    sizes = list(grouped(rows, "n_h"))
    return lines(
        sizes,
        [sizes, *([kept[*curve, n_h] for n_h in sizes] for curve in curves.values())],
        ["one per unit", *curves],
        xlabel="units",
        ylabel="past inputs recovered",
        points=True,
    )


_SETTINGS = {"weights": list(_NAMES), "penalty": 1e-12}


@experiment(
    claim="In general, a state of fixed size is necessarily a lossy summary of the inputs so far, "
    "because it cannot keep them all.",
    source="Goodfellow et al. 10.1 and 10.8 (P3, P23)",
    quick={
        "seeds": 3, "choosing": 0, **_SETTINGS, "sizes": [5, 50], "scales": [1e-5, 0.1],
        "radii": [0.95],
    },
    full={
        "seeds": 12, "choosing": 2, **_SETTINGS, "sizes": [5, 10, 20, 50, 100, 200],
        "scales": [1e-5, 0.1, 1.0], "radii": [0.5, 0.7, 0.9, 0.95, 0.98],
    },
    numbers=numbers,
    headline=(
        "per_unit",
        f"past inputs that can be read per unit, {UNITS} units, random weights, input scale "
        f"{LOUD:g}",
    ),
    finding=f"From a state of {UNITS} units with random weights, linear readouts recover the "
    "equivalent of {kept:.0f} past inputs, and never more inputs than there are units.",
    verdict=Verdict(
        holds_if=(
            lambda n: all(share.high < ALL for share in n.shares),
            "Holds if the past is read from the state by linear readouts.",
        ),
        fails=(
            lambda n: any(share.low > ALL for share in n.shares),
            "Does not hold. Linear readouts recover all past inputs that we asked for from a "
            "single state.",
        ),
    ),
    saw=[
        "The largest mean is {most_over:.2g} above the number of units, but chance alone accounts "
        "for up to {chance:.2g}."
    ],
    table={"Past inputs that linear readouts recover": table},
    plot=plot,
)  # fmt: skip
def run(config, seeds):
    """Drive networks of 5 to 200 tanh units, whose W is a rotation or Gaussian, with random numbers
    and add up how well linear readouts repeat each of the last 3 n_h inputs on new steps, at the
    one of five spectral radii that is best on 2 other seeds. At input scale 1e-5 tanh is linear, to
    ten digits.
    """
    return [
        _row(weights, scale, n_h, config, seeds)
        for weights in config["weights"]
        for scale in config["scales"]
        for n_h in config["sizes"]
    ]


def _row(weights, scale, n_h, config, seeds):
    choosing_seeds = separate(config["choosing"])
    tried = [
        sum(_kept(weights, scale, n_h, radius, config, seed) for seed in choosing_seeds)
        for radius in config["radii"]
    ]
    radius = config["radii"][tried.index(max(tried))]
    each = [_kept(weights, scale, n_h, radius, config, seed) for seed in seeds]
    capacity, low, high = mean_interval(each)
    return {
        "weights": weights,
        "scale": scale,
        "n_h": n_h,
        "radius": radius,
        "capacity": capacity,
        "low": low,
        "high": high,
        "chance": 3 * n_h * 2 / _steps(n_h),  # what a state that keeps nothing is credited with
        "capacities": np.round(each, 3),
    }


def _kept(weights, scale, n_h, radius, config, seed):
    """Capacity of one network over all delays from 0 to 3 n_h - 1."""
    drawn, entering, heard = np.random.default_rng(seed).spawn(3)
    params = {
        "W": init_recurrent(weights, n_h, drawn, radius=radius),
        "U": scale * entering.uniform(-1, 1, (n_h, 1)),
        "b": np.zeros(n_h),
    }
    return memory_capacity(
        params,
        3 * n_h - 1,
        heard,
        penalty=config["penalty"] * scale**2,  # as fine a look at weak states as at strong ones
        n_steps=_steps(n_h),
        washout=max(200, 3 * n_h),
    ).sum()


def _steps(n_h):
    return max(4000, 40 * n_h)
