"""Must a unit that holds a bit against noise have a vanishing gradient? (section 10.7)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment, rate_interval
from rnn_helpers.experiments.data import claim_dots
from rnn_helpers.experiments.words import Estimate, grouped, power_of_ten

ROBUST = 0.99  # a unit that keeps a larger share of the signs is robust
LASTS, FADES = -1, -10  # log10 of a gradient that survives, and of one that has vanished


def _units(rows):
    """Estimate the share of signs that each unit keeps, and its gradient."""
    return {
        unit: {
            "kept": Estimate(
                *rate_interval(sum(r["kept"] for r in mine), sum(r["trials"] for r in mine))
            ),
            "gradient": Estimate.mean(row["log10_gradient"] for row in mine),
        }
        for unit, mine in grouped(rows, "unit", "w").items()
    }


def table(rows):
    """Tabulate the share of signs that each unit keeps, and its gradient."""
    return [
        {
            "unit": unit,
            "weight w": f"{w:g}",
            "signs kept": f"{seen['kept']:.1%}",
            "gradient": power_of_ten(seen["gradient"].value),
        }
        for (unit, w), seen in _units(rows).items()
    ]


def numbers(rows):
    """Estimate the signs kept and the gradient of each unit, and find the weakest robust one."""
    units = _units(rows)
    robust = {unit: seen for unit, seen in units.items() if seen["kept"].low > ROBUST}
    bounded = {unit: seen["gradient"] for unit, seen in robust.items() if unit[0] == "tanh"}
    return {
        "weakest": bounded[min(bounded)],
        "weakest_size": power_of_ten(bounded[min(bounded)].value),
        "largest_bounded": max(bounded.values()),
        "largest_unbounded": max(
            seen["gradient"] for unit, seen in robust.items() if unit not in bounded
        ),
        "units": {f"{unit} {w:g}": seen for (unit, w), seen in units.items()},
        "T": rows[0]["T"],
        "noise": rows[0]["noise"],
        "largest_state": power_of_ten(np.log10(max(row["largest_state"] for row in rows))),
    }


def data(rows):
    """Return the share of signs kept against the gradient, with a dot for each seed and weight."""
    shares = [row | {"share": row["kept"] / row["trials"]} for row in rows]
    return claim_dots(
        {f"{unit} unit": mine for unit, mine in grouped(shares, "unit").items()},
        "log10_gradient",
        "share",
        question="Can a unit keep a sign through noise and a gradient over many steps?",
        unit="of the signs are kept",
        share=True,
        dots="unit",
        mark="w",
        xlabel=f"log10 of the gradient over {rows[0]['T']} steps",
        ylabel="signs kept",
    )


def _hold(linear: bool, w: float, bits, noise):
    """Return the last states, and log10 of their derivatives with respect to the first."""
    h = bits
    log10_gradient = np.zeros(bits.shape)
    for e in noise:
        h = w * h + e
        if not linear:
            h = np.tanh(h)
        log10_gradient += np.log10(w * (1 if linear else 1 - h**2))
    return h, log10_gradient


@experiment(
    claim="To store a bit so that small perturbations do not destroy it, a network must be in a "
    "region of its parameters where gradients vanish.",
    short="If a unit stores a bit robustly, its gradients vanish",
    source="Goodfellow et al. 10.7",
    quick={
        "seeds": 5, "trials": 400, "T": 200, "noise": 0.2,
        "tanh": [1.2, 1.5, 3.0], "linear": [1.0, 1.2],
    },
    full={
        "seeds": 20, "trials": 400, "T": 200, "noise": 0.2,
        "tanh": [1.0, 1.2, 1.3, 1.5, 2.0, 3.0], "linear": [1.0, 1.05, 1.2],
    },
    numbers=numbers,
    headline=(
        "weakest",
        f"log10 of the gradient of the tanh unit with the smallest weight that keeps {ROBUST:.0%} "
        "of the signs",
    ),
    finding=f"A tanh unit whose weight is just large enough to keep {ROBUST:.0%} of the signs "
    "through {T} noisy steps has a gradient of {weakest_size}.",
    verdict=Verdict(
        holds=(
            lambda n: n.largest_bounded.high < FADES and n.largest_unbounded.high < FADES,
            f"Holds. The gradient of every unit that keeps {ROBUST:.0%} of the signs vanishes.",
        ),
        in_part=(
            lambda n: n.largest_bounded.high < FADES and n.largest_unbounded.low > LASTS,
            "Holds in part, if the network is a single unit whose state stays bounded.",
        ),
        fails=(
            lambda n: n.largest_bounded.low > LASTS,
            f"Does not hold. A tanh unit keeps {ROBUST:.0%} of the signs and its gradient.",
        ),
    ),
    taught=lambda n: max(n.weakest.high, n.largest_bounded.high) < FADES,
    saw=[
        "At each step we add noise of standard deviation {noise:g} to the input. A linear unit "
        "with w = 1 keeps its gradient but loses the bit. With a larger w it keeps both, because "
        "it grows without bound: its state reaches {largest_state} here."
    ],
    table={"Signs kept and gradient after all steps": table},
    caveats=[
        "This experiment tests single units only. The experiment gradient-reach tests networks of "
        "ten units that learned to hold a bit."
    ],
    data=data,
)  # fmt: skip
def run(config, seeds):
    """We started single units at +1 or −1 and added Gaussian noise to their inputs for 200 steps.
    Then we counted the units that still had their sign, and we computed the derivative of the last
    state with respect to the first.
    """
    T, trials = config["T"], config["trials"]
    noise = np.stack([np.random.default_rng(s).normal(size=(T, trials)) for s in seeds], axis=1)
    bits = np.resize([1.0, -1.0], (len(seeds), trials))
    rows = []
    for unit in ("tanh", "linear"):
        for w in config[unit]:
            h, log10_gradient = _hold(unit == "linear", w, bits, config["noise"] * noise)
            rows += [
                {
                    "unit": unit,
                    "w": w,
                    "seed": seed,
                    "T": T,
                    "noise": config["noise"],
                    "trials": trials,
                    "kept": int(np.sum(h[s] * bits[s] > 0)),
                    "log10_gradient": log10_gradient[s].mean(),
                    "largest_state": np.abs(h[s]).max(),
                }
                for s, seed in enumerate(seeds)
            ]
    return rows
