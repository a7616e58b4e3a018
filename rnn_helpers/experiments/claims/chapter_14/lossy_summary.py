"""How much of the past fits into a state, and how much of that is used? (sections 10.1, 10.8)"""

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval
from rnn_helpers.experiments.rates import separate
from rnn_helpers.reference import init_recurrent, memory_capacity

UNITS, LOUD, RANDOM = 50, 0.1, "gaussian"  # what the headline is about
_NAMES = {"orthogonal": "a rotation", RANDOM: "random weights"}


def summarise(rows):
    """See whether any state keeps more inputs than it has units, and how full states are."""
    (headline,) = (
        row for row in rows if (row["n_h"], row["scale"], row["weights"]) == (UNITS, LOUD, RANDOM)
    )
    over = [row for row in rows if row["low"] > row["n_h"] + row["chance"]]
    shown = {UNITS, max(row["n_h"] for row in rows)}
    said = []
    for scale in sorted({row["scale"] for row in rows}):
        for weights, name in _NAMES.items():
            kept = [
                "{capacity:.1f} ({low:.1f} to {high:.1f}) of {n_h}".format(**row)
                for row in rows
                if (row["scale"], row["weights"]) == (scale, weights) and row["n_h"] in shown
            ]
            said.append(f"{name} at input scale {scale:g} {' and '.join(kept)}")
    fullest = max(rows, key=lambda row: row["capacity"] - row["n_h"])
    return Summary(
        *(headline[key] / UNITS for key in ("capacity", "low", "high")),
        unit=f"past inputs kept per unit, {UNITS} units, random weights, input scale {LOUD:g}",
        verdict=(
            "does not hold"
            if over
            else "holds if the past is read off the state by linear readouts: nowhere do they find "
            "more inputs than the state has units"
        ),
        text=(
            f"Past inputs that linear readouts recover in all: {'; '.join(said)}. Nowhere is the "
            f"mean more than {fullest['capacity'] - fullest['n_h']:.2g} above the number of units; "
            f"chance alone is credited with up to {max(row['chance'] for row in rows):.2g}."
        ),
    )


_SETTINGS = {"weights": list(_NAMES), "penalty": 1e-12}


@experiment(
    "lossy-summary",
    claim="A state of fixed size is a lossy summary of the inputs so far, in general of necessity: "
    "it cannot keep them all.",
    source="Goodfellow et al. 10.1 and 10.8 (P3, P23)",
    chapter="14",
    quick={
        "seeds": 3, "choosing": 0, **_SETTINGS, "sizes": [5, 50], "scales": [1e-5, 0.1],
        "radii": [0.95],
    },
    full={
        "seeds": 12, "choosing": 2, **_SETTINGS, "sizes": [5, 10, 20, 50, 100, 200],
        "scales": [1e-5, 0.1, 1.0], "radii": [0.5, 0.7, 0.9, 0.95, 0.98],
    },
    summarise=summarise,
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
    others = separate(config["choosing"])
    tried = [
        sum(_kept(weights, scale, n_h, radius, config, seed) for seed in others)
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
