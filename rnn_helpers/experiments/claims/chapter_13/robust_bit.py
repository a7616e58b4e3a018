"""Must a unit that holds a bit against noise have a vanishing gradient? (section 10.7)"""

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval, rate_interval

ROBUST = 0.99  # share of signs kept, from which a unit counts as robust
LASTS, FADES = -1, -10  # log10 of a gradient that still teaches, and of one that does not


def summarise(rows):
    """Take the gradient of the weakest tanh unit that is robust, and compare the others."""
    seen = {}
    for row in rows:
        seen.setdefault((row["unit"], row["w"]), []).append(row)
    kept, gradient, size = {}, {}, {}
    for unit, each in seen.items():
        trials = sum(row["trials"] for row in each)
        kept[unit] = rate_interval(sum(row["kept"] for row in each), trials)
        gradient[unit] = mean_interval([row["log10_gradient"] for row in each])
        size[unit] = max(row["largest_state"] for row in each)
    robust = [unit for unit in seen if kept[unit][1] > ROBUST]
    bounded = [unit for unit in robust if unit[0] == "tanh"]
    if not bounded:
        raise ValueError(f"no tanh unit keeps {ROBUST:.0%} of the signs; expected larger weights")
    weakest = min(bounded)
    fades = all(gradient[unit][2] < FADES for unit in bounded)
    lasts = any(gradient[unit][1] > LASTS for unit in robust if unit not in bounded)

    def says(name):
        return "; ".join(
            "w = {:g} {:.1%} ({:.1%} to {:.1%}), ".format(unit[1], *kept[unit])
            + f"10^{gradient[unit][0]:.0f}"
            for unit in seen
            if unit[0] == name
        )

    value, low, high = gradient[weakest]
    return Summary(
        value,
        low,
        high,
        unit=f"log10 of the gradient of the weakest tanh unit that keeps {ROBUST:.0%} of signs",
        verdict=(
            "does not hold"
            if not fades
            else "holds if the network is a single unit whose state stays bounded"
            if lasts
            else "holds if the network is a single unit"
        ),
        text=(
            f"Signs kept and gradient after {rows[0]['T']} steps with noise {rows[0]['noise']:g}. "
            f"tanh units: {says('tanh')}. Linear units: {says('linear')}. A linear unit with "
            "w = 1 keeps its gradient and loses the bit; with w above 1 it keeps both, by growing "
            f"without bound (to {max(size.values()):.0e} here). These are single units; networks "
            "of several that learned to hold a bit are in gradient-reach."
        ),
    )


def _hold(linear: bool, w: float, bits, noise):
    """Last states, and log10 of their gradients on the first state."""
    h, log10_gradient = bits, np.zeros(bits.shape)
    for e in noise:
        h = w * h + e
        if not linear:
            h = np.tanh(h)
        log10_gradient += np.log10(w * (1 if linear else 1 - h**2))
    return h, log10_gradient


@experiment(
    "robust-bit",
    claim="To store a bit so that small perturbations do not destroy it, a network must be where "
    "its gradients vanish.",
    source="Goodfellow et al. 10.7 (P12, E-30)",
    chapter="13",
    quick={
        "seeds": 5, "trials": 400, "T": 200, "noise": 0.2,
        "tanh": [1.2, 1.5, 3.0], "linear": [1.0, 1.2],
    },
    full={
        "seeds": 20, "trials": 400, "T": 200, "noise": 0.2,
        "tanh": [1.0, 1.2, 1.3, 1.5, 2.0, 3.0], "linear": [1.0, 1.05, 1.2],
    },
    summarise=summarise,
)  # fmt: skip
def run(config, seeds):
    """Start single units at +1 or -1, add Gaussian noise to what enters them for 200 steps, and see
    how many keep the sign, and the derivative of the last state by the first.
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
