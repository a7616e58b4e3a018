"""How much of the past fits into a state, and how much of that is used? (sections 10.1, 10.8)"""

from itertools import product

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import Contest
from rnn_helpers.experiments.data import lines
from rnn_helpers.experiments.words import Estimate, at_edges, crossed, grouped, where
from rnn_helpers.reference import init_recurrent, memory_capacity

UNITS, LOUD, RANDOM = 50, 0.1, "gaussian"  # what the headline is about
ASKED = 3  # past inputs that are asked for, per unit
ALL = 0.99  # a judgment: share of these from which on a state keeps them all
_NAMES = {"orthogonal": "a rotation", RANDOM: "random weights"}
_EDGE = "{} weights, input scale {:g}, {} units"


def numbers(rows):
    """Estimate the inputs kept, per unit and of those that are asked for."""
    cells = grouped(rows, *Summaries.columns)
    kept = {cell: _kept(mine) for cell, mine in cells.items()}
    return {
        "per_unit": _kept(where(rows, weights=RANDOM, scale=LOUD, n_h=UNITS), 1 / UNITS),
        "kept": kept[RANDOM, LOUD, UNITS].value,
        "largest": {
            f"{weights}, scale {scale:g}": each.value
            for (weights, scale, n_h), each in kept.items()
            if n_h == max(row["n_h"] for row in rows)
        },
        "most_over": max(each.value - n_h for (*_, n_h), each in kept.items()),
        "chance": max(map(_chance, grouped(rows, "n_h"))),
        "shares": [_kept(mine, 1 / (ASKED * n_h)) for (*_, n_h), mine in cells.items()],
        "edges": at_edges(rows, *Summaries.columns, each=_EDGE, setting="radius"),
    }


def _kept(rows, unit=1):
    """Estimate the inputs that networks keep, as multiples of a unit."""
    return Estimate.mean(row["capacity"] * unit for row in rows)


def _chance(n_h):
    """Return the inputs with which a state that keeps nothing is credited."""
    return ASKED * n_h * 2 / _steps(n_h)


def table(rows):
    """Tabulate the past inputs that are recovered, for two sizes of the state."""
    sizes = UNITS, max(row["n_h"] for row in rows)
    shown = [
        row | {"weights": f"{_NAMES[row['weights']]}, input scale {row['scale']:g}"}
        for row in sorted(rows, key=lambda row: row["scale"])
        if row["n_h"] in sizes
    ]
    return crossed(shown, "weights", "n_h", lambda some: f"{_kept(some):.1f}", each="{} units")


def data(rows):
    """Return the inputs kept over the number of units, beside as many as there are units."""
    curves = {
        "rotation, scale 0.00001": ("orthogonal", 1e-5),
        "random, scale 0.00001": (RANDOM, 1e-5),
        "random, scale 0.1": (RANDOM, 0.1),
        "random, scale 1": (RANDOM, 1.0),
    }
    kept = {cell: _kept(mine).value for cell, mine in grouped(rows, *Summaries.columns).items()}
    sizes = list(grouped(rows, "n_h"))
    return lines(
        sizes,
        [sizes, *([kept[*curve, n_h] for n_h in sizes] for curve in curves.values())],
        ["one per unit", *curves],
        question="How many past inputs does a state keep, by its number of units?",
        xlabel="units",
        ylabel="past inputs recovered",
        unit="past inputs",
    )


_SETTINGS = {"weights": list(_NAMES), "penalty": 1e-12}


@experiment(
    claim="In general, a state of fixed size is necessarily a lossy summary of the inputs so far, "
    "because it cannot keep them all.",
    source="Goodfellow et al. 10.1 and 10.8",
    quick={
        "seeds": 3, "choosing": 1, "first": 1, **_SETTINGS, "sizes": [5, 50],
        "scales": [1e-5, 0.1], "etas": [0.95],
    },
    full={
        "seeds": 12, "choosing": 2, "first": 5, **_SETTINGS, "sizes": [5, 10, 20, 50, 100, 200],
        "scales": [1e-5, 0.1, 1.0],
        "etas": [0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.98, 1.0, 1.1, 1.3, 1.6],
    },
    numbers=numbers,
    headline=(
        "per_unit",
        f"past inputs that can be read per unit, {UNITS} units, random weights, input scale "
        f"{LOUD:g}",
    ),
    finding={
        "holds in part": f"From a state of {UNITS} units with random weights, linear readouts "
        "recover the equivalent of {kept:.0f} past inputs, and never more inputs than there are "
        "units.",
        "does not hold": "From a single state, linear readouts recover all past inputs that we "
        "asked for.",
    },
    verdict=Verdict(
        in_part=(
            lambda n: all(share.high < ALL for share in n.shares),
            "Holds in part, if the past is read from the state by linear readouts.",
        ),
        fails=(
            lambda n: any(share.low > ALL for share in n.shares),
            "Does not hold. Linear readouts recover all past inputs that we asked for from a "
            "single state.",
        ),
    ),
    saw=[
        "The largest mean is {most_over:.2g} above the number of units, but chance alone accounts "
        "for up to {chance:.2g}.",
        (
            lambda n: n.edges,
            "The chosen radius is the lowest or highest that we tried for {edges}.",
        ),
    ],
    table={"Past inputs that linear readouts recover": table},
    caveats=[
        "In an earlier version, each network had the best of five spectral radii, all below 1."
    ],
    data=data,
)  # fmt: skip
def run(config, seeds):
    """Drive networks of 5 to 200 tanh units, whose W is a rotation or Gaussian, with random numbers
    and add up how well linear readouts repeat each of the last 3 n_h inputs on new steps, at the
    spectral radius that is best on 2 other seeds. At input scale 1e-5 tanh is linear, to ten
    digits, unless the radius is above 1.
    """
    return Summaries().run(config, seeds)


class Summaries(Contest):
    """States of several sizes, weights and input scales, each at its best spectral radius."""

    columns = "weights", "scale", "n_h"
    setting = "radius"

    def cells(self, config):
        """Combine all weights, input scales and sizes."""
        return list(product(config["weights"], config["scales"], config["sizes"]))

    def train(self, config, cell, settings, seeds):
        """Return the capacity of each network over all delays from 0 to 3 n_h - 1."""
        return [_capacity(*cell, radius, config, s) for radius in settings for s in seeds]

    def score(self, config, cell, made, seeds):
        """Return the capacities."""
        return np.array(made)

    def rows(self, config, cell, made, seeds, scores):
        """Return the capacity of each network."""
        return [{"seed": s, "capacity": kept} for s, kept in zip(seeds, made, strict=True)]


def _capacity(weights, scale, n_h, radius, config, seed):
    drawn, entering, heard = np.random.default_rng(seed).spawn(3)
    params = {
        "W": init_recurrent(weights, n_h, drawn, radius=radius),
        "U": scale * entering.uniform(-1, 1, (n_h, 1)),
        "b": np.zeros(n_h),
    }
    return memory_capacity(
        params,
        ASKED * n_h - 1,
        heard,
        penalty=config["penalty"] * scale**2,  # as fine a look at weak states as at strong ones
        n_steps=_steps(n_h),
        washout=max(200, ASKED * n_h),
    ).sum()


def _steps(n_h):
    return max(4000, 40 * n_h)
