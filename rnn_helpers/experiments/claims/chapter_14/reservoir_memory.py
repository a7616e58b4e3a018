"""At which spectral radius does a reservoir remember most, and is 3 too large? (section 10.8)"""

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval
from rnn_helpers.reference import echo_state_gap, init_reservoir, memory_capacity

LARGE = 3.0  # the radius that the source names
HEADLINE = 1.0  # input scale that the number is about
NEAR = 0.85, 1.15  # near 1, for a radius or for a ratio of two
MET = 1e-6  # two states nearer than this have met


def summarise(rows):
    """Find the best radius for each input scale, and what is left of the memory at radius 3."""
    scales = sorted({row["scale"] for row in rows})
    best, top, left, edge = {}, {}, {}, {}
    for scale in scales:
        these = sorted((r for r in rows if r["scale"] == scale), key=lambda row: row["radius"])
        radii = np.array([row["radius"] for row in these])
        each = np.array([row["capacities"] for row in these])  # (radii, seeds)
        best[scale] = np.exp(mean_interval(np.log(radii[each.argmax(axis=0)])))
        top[scale] = max(these, key=lambda row: row["capacity"])
        (large,) = (row for row in these if row["radius"] == LARGE)
        left[scale] = mean_interval(np.divide(large["capacities"], top[scale]["capacities"]))
        met = [row["radius"] for row in these if 2 * row["met"] >= row["of"]]
        edge[scale] = max(met, default=0.0)
    near = all(NEAR[0] <= low and high <= NEAR[1] for _, low, high in best.values())
    at_edge = all(edge[s] and NEAR[0] <= best[s][0] / edge[s] <= NEAR[1] for s in scales)
    lost = [scale for scale in scales if left[scale][2] < 0.9]
    first, last = scales[0], scales[-1]
    conditions = []
    if not near:
        conditions.append(
            f"the edge is looked for with the input on, which moves it from a radius of "
            f"{edge[first]:g} at input scale {first:g} to {edge[last]:g} at {last:g}, and the best "
            f"radius with it, from {best[first][0]:.2f} to {best[last][0]:.2f}"
        )
    if lost:
        conditions.append(
            f"the radius is not as large as 3, which at input scale {_listed(lost)} forgets "
            f"{1 - max(left[s][0] for s in lost):.0%} or more of what the best one holds"
        )
    text = "Most is remembered " + "; ".join(
        "at input scale {:g} with a radius of {:.2f} ({:.2f} to {:.2f})".format(s, *best[s])
        + f", {top[s]['capacity']:.1f} past inputs, {left[s][0]:.1%} of which are left at radius 3"
        for s in scales
    )
    text += (
        f". Two starts meet within {MET:g} in most reservoirs up to a radius of "
        + ", ".join(f"{edge[s]:g} at input scale {s:g}" for s in scales)
        + "."
    )
    return Summary(
        *left[HEADLINE],
        unit="share of the best memory that is left at radius 3, input scale 1",
        verdict=(
            "does not hold"
            if not (near or at_edge)
            else f"holds if {', and if '.join(conditions)}"
            if conditions
            else "holds"
        ),
        text=text,
    )


def _listed(scales) -> str:
    return ", ".join(f"{scale:g}" for scale in scales)


_SETTINGS = {"n_h": 100, "delays": 100, "n_steps": 4000, "penalty": 1e-8, "apart": 500}


@experiment(
    "reservoir-memory",
    claim="A reservoir holds most of its past inputs at the edge of stability, with a spectral "
    "radius near 1; a radius much larger than 1, such as 3, carries information forward as well, "
    "because tanh saturates.",
    source="Goodfellow et al. 10.8 (P23, E-43)",
    chapter="14",
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
    summarise=summarise,
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
    weights, heard, other = np.random.default_rng(seed).spawn(3)
    params = init_reservoir(1, config["n_h"], weights, radius=radius, input_scale=scale)
    # as fine a look at weak states as at strong ones
    penalty = config["penalty"] * scale**2
    capacity = memory_capacity(
        params, config["delays"], heard, penalty=penalty, n_steps=config["n_steps"]
    )
    x = other.uniform(-1, 1, (config["apart"], 1))
    gap = echo_state_gap(params, x, *other.uniform(-1, 1, (2, config["n_h"])))
    return capacity[1:].sum(), gap[-1] < MET
