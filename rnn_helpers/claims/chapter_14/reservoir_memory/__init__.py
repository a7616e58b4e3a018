"""At which spectral radius does a reservoir remember most, and is 3 too large? (section 10.8)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment, mean_interval
from rnn_helpers.experiments.data import INTERVAL, claim_curves
from rnn_helpers.experiments.words import AtLeast, Estimate, grouped, listed, where
from rnn_helpers.reference import echo_state_gap, init_reservoir, memory_capacity

LARGE = 3.0  # the radius that the source names
HEADLINE = 1.0  # input scale that the number is about
NEAR = 0.85, 1.15  # near 1, for a radius or for a ratio of two: a judgment
AS_WELL = 0.9  # a judgment: share of the best memory that radius 3 has to keep
MET = 1e-6  # two states nearer than this have met


def _by_scale(rows):
    return [_at_scale(mine) for _, mine in sorted(grouped(rows, "scale").items())]


def table(rows):
    """Tabulate the best radius, its memory and the edge, by input scale."""
    return [
        {
            "input scale": f"{seen['scale']:g}",
            "best radius": f"{seen['best']:.2f}",
            "past inputs remembered": f"{seen['most']:.1f}",
            f"share left at radius {LARGE:g}": f"{seen['left']:.1%}",
            "largest radius at which two starts meet": f"{seen['edge']:g}",
        }
        for seen in _by_scale(rows)
    ]


def numbers(rows):
    """Return the best radius, its memory, the share left at radius 3 and the edge, by scale."""
    scales = _by_scale(rows)
    best = [seen["best"] for seen in scales]
    lost = [seen for seen in scales if seen["left"].high < 0.9]
    (headline,) = where(scales, scale=HEADLINE)
    return {
        "left": headline["left"],
        "near": all(NEAR[0] <= low and high <= NEAR[1] for _, low, high in best),
        "at_edge": all(
            seen["edge"] and NEAR[0] <= seen["best"].value / seen["edge"] <= NEAR[1]
            for seen in scales
        ),
        "best": best,
        "against_edge": [
            Estimate(*(radius / seen["edge"] for radius in seen["best"]))
            for seen in scales
            if seen["edge"]
        ],
        "lefts": [seen["left"] for seen in scales],
        "first": scales[0],
        "middle": headline,
        "last": scales[-1],
        "lost": listed("{scale:g}", lost),
        "least_forgotten": AtLeast(1 - max((seen["left"].value for seen in lost), default=1)),
    }


def _near(ratio):
    """Whether an interval lies near 1."""
    return ratio.low > NEAR[0] and ratio.high < NEAR[1]


def _away(ratio):
    """Whether no part of an interval lies near 1."""
    return ratio.high < NEAR[0] or ratio.low > NEAR[1]


def _at_scale(rows):
    """Return the best radius, its memory, the share left at radius 3 and the edge for one scale."""
    rows = sorted(rows, key=lambda row: row["radius"])
    capacities = np.array([row["capacities"] for row in rows])  # (radii, seeds)
    most = max(rows, key=lambda row: row["capacity"])
    (large,) = where(rows, radius=LARGE)
    return {
        "scale": most["scale"],
        "best": Estimate.geometric(rows[k]["radius"] for k in capacities.argmax(axis=0)),
        "most": most["capacity"],
        "left": Estimate.mean(np.divide(large["capacities"], most["capacities"])),
        "edge": max((row["radius"] for row in rows if 2 * row["met"] >= row["of"]), default=0),
    }


def data(rows):
    """Return the memory over the spectral radius, a line for each input scale."""
    bounded = [row | {"low": max(0, row["low"])} for row in rows]
    return claim_curves(
        {f"input scale {s:g}": mine for s, mine in sorted(grouped(bounded, "scale").items())},
        "radius",
        "capacity",
        question="How many past inputs does a reservoir remember, by its spectral radius?",
        xlabel="spectral radius",
        ylabel="past inputs recovered, of 100",
        unit="past inputs",
        spread=INTERVAL,
    )


_SETTINGS = {"n_h": 100, "delays": 100, "n_steps": 4000, "penalty": 1e-8, "apart": 500}


@experiment(
    claim="A reservoir holds most of its past inputs at the edge of stability, with a spectral "
    "radius near 1; a radius much larger than 1, such as 3, carries information forward as well, "
    "because tanh saturates.",
    short="A reservoir remembers most at the edge of stability",
    source="Goodfellow et al. 10.8",
    quick={"seeds": 4, "radii": [0.95, 1.2, 1.35, 3.0], "scales": [0.1, 1.0], **_SETTINGS},
    full={
        "seeds": 20,
        "radii": [
            0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0, 1.05,
            1.1, 1.2, 1.35, 1.5, 1.75, 2.0, 2.5, 3.0,
        ],
        "scales": [0.01, 0.1, 0.3, 1.0, 3.0],
        **_SETTINGS,
    },
    numbers=numbers,
    headline=("left", "share of the best memory that is left at radius 3, input scale 1"),
    finding="Reservoirs remember most at the edge of stability, but the input moves it: the best "
    "radius is {first[best].value:.2f} for weak inputs and {last[best].value:.2f} for strong ones.",
    verdict=Verdict(
        holds=(
            lambda n: (
                all(map(_near, n.best))
                and all(map(_near, n.against_edge))
                and all(left.low > AS_WELL for left in n.lefts)
            ),
            "Holds. At every input scale, the best radius is near 1, and radius 3 keeps most of "
            "the memory.",
        ),
        in_part=(
            lambda n: (
                any(map(_away, n.best))
                and all(map(_near, n.against_edge))
                and all(left.high < AS_WELL for left in n.lefts)
            ),
            "Holds in part, if the edge is measured with the input on. But the best radius depends "
            "on the input, and radius 3 loses at least {least_forgotten:.0%} of the memory.",
        ),
        fails=(
            lambda n: any(map(_away, n.against_edge)),
            "Does not hold. At some input scales, reservoirs remember most away from the edge of "
            "stability.",
        ),
    ),
    taught=lambda n: n.best[-1].low > n.best[0].high,
    saw=[
        "At radius 3, memory is lost at these input scales: {lost}. Two starts count as having met "
        f"if their states differ by less than {MET:g}, and the edge is the largest radius at which "
        "they do in at least half of the reservoirs."
    ],
    table={"Memory by the scale of the input": table},
    data=data,
)  # fmt: skip
def run(config, seeds):
    """Drive sparse tanh reservoirs of 100 units with random numbers, measure how well linear
    readouts repeat each of the last 100 inputs on new steps, and see whether two random starts
    are within 1e-6 of each other after 500 steps.
    """
    rows = []
    for scale in config["scales"]:
        for radius in config["radii"]:
            seen = [_one(radius, scale, config, seed) for seed in seeds]
            capacities, met = map(list, zip(*seen, strict=True))
            capacity, low, high = mean_interval(capacities)
            rows.append(
                {
                    "radius": radius,
                    "scale": scale,
                    "capacity": capacity,
                    "low": low,
                    "high": high,
                    "met": int(sum(met)),
                    "of": len(seeds),
                    "capacities": np.round(capacities, 3),
                }
            )
    return rows


def _one(radius, scale, config, seed):
    """Capacity of one reservoir over all delays from 1 on, and whether two starts met."""
    weights, driving, other = np.random.default_rng(seed).spawn(3)
    params = init_reservoir(1, config["n_h"], weights, radius=radius, input_scale=scale)
    # as fine a look at weak states as at strong ones
    penalty = config["penalty"] * scale**2
    capacity = memory_capacity(
        params, config["delays"], driving, penalty=penalty, n_steps=config["n_steps"]
    )
    x = other.uniform(-1, 1, (config["apart"], 1))
    gap = echo_state_gap(params, x, *other.uniform(-1, 1, (2, config["n_h"])))
    return capacity[1:].sum(), gap[-1] < MET
