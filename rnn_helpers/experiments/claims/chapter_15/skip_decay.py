"""How fast do gradients fall along connections that skip d steps? (section 10.9.1)"""

from itertools import product
from math import log

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval
from rnn_helpers.reference import init_recurrent, skip_companion, skip_gradient, spectral_radius

AT = (0.5, 0.7, 5)  # radius of W, of W_d, and length of a skip: what the headline is about
SPAN = 100  # steps over which the one unit's gradient is followed


def summarise(rows):
    """Take the exponent where both kinds of connection are there, in units of tau / d."""
    cases = list(dict.fromkeys(map(_case, rows)))
    many = {case: [row for row in rows if _case(row) == case] for case in cases}
    units = max(row["n_h"] for row in rows)
    exponent = {case: mean_interval([r["exponent"] for r in these]) for case, these in many.items()}
    alone = [row["exponent"] for row in rows if row["radius"] == 0]
    together = [row["exponent"] for row in rows if row["radius"] > 0]
    grows = {case: mean_interval([r["factor"] for r in many[case]]) for case in cases}
    vanish_alone = [case for case in cases if max(case[1:3]) < 1 < grows[case][1]]
    off = max(
        abs(many[case][0]["predicted"] / grows[case][0] - 1) for case in cases if case[0] == units
    )
    head = (units, *AT)
    limit = AT[2] * log(predicted(*AT)) / log(AT[1])
    across = dict.fromkeys(
        _radii(case)
        for case in cases
        if case[0] == units and many[case][0]["predicted"] < 1 < grows[case][1]
    )
    text = (
        f"With W of radius {AT[0]:g} and W_d of radius {AT[1]:g}, each between {units} units, "
        f"gradients change by {_says(grows[head])} a step, where W alone gives {AT[0]:g} and W_d "
        f"alone {AT[1]:g}^(1/{AT[2]}) = {AT[1] ** (1 / AT[2]):.3f}. In units of tau/d the exponent "
        f"is, for d = {AT[2]} and these two radii (below 0 gradients grow): "
        + "; ".join(
            f"{_radii(case)}: {exponent[case][0]:.2f}"
            for case in cases
            if case[0] == units and case[1] > 0 and case[3] == AT[2]
        )
        + ". In the limit of many units the factor rho is where r^2/rho^2 + s^2/rho^(2d) = 1: the "
        f"squares of the radii r and s add, and past 1 gradients grow. {units} units differ from "
        f"it by up to {off:.1%} a step, and by more in the exponent, which would be {limit:.2f} "
        f"instead of {exponent[head][0]:.2f} at the first radii"
        + (
            f"; they grow where it would let them fade at radii {'; '.join(across)}"
            if across
            else ""
        )
        + "."
    )
    text += "".join(_one_unit(row) for row in rows if row["n_h"] == 1 and _case(row)[1:] == AT)
    if max(abs(value - 1) for value in alone) > 1e-6 or max(together) > 1 + 1e-6:
        verdict = "does not hold"
    else:
        verdict = (
            "holds if the connections of length one are removed, exactly; with them the exponent "
            "is never larger than tau/d and mostly smaller, so gradients reach further"
        )
        if vanish_alone:
            verdict += (
                ", and connections that would each let gradients vanish can make them explode "
                f"together (radii {_radii(vanish_alone[0])})"
            )
    return Summary(*exponent[head], "exponent, in units of tau/d", verdict, text)


def _case(row: dict) -> tuple:
    return row["n_h"], row["radius"], row["radius_skip"], row["d"]


def _radii(case: tuple) -> str:
    return "{:g} and {:g}".format(*case[1:3])


def _says(mean: tuple) -> str:
    return "{:.3f} ({:.3f} to {:.3f})".format(*mean)


def _one_unit(row: dict) -> str:
    return (
        f" One unit whose weights have {row['signs']} signs makes of a gradient of 1, over {SPAN} "
        f"steps, {row['kept']:.2g}; skips alone {row['divided']:.2g}: tau is divided by d, and "
        f"tau less d would leave {row['subtracted']:.2g}."
    )


@experiment(
    "skip-decay",
    claim="With connections that skip d steps gradients diminish exponentially in tau/d rather "
    "than in tau, and may still explode exponentially in tau.",
    source="Goodfellow et al. 10.9.1, after Lin et al. 1996; Favaro, skip connections (P27, E-45)",
    chapter="15",
    quick={"seeds": 5, "units": 50, "radii": [[0.0, 0.7], [0.5, 0.7], [0.9, 0.9]], "skips": [5]},
    full={
        "seeds": 20,
        "units": 50,
        "radii": [
            [0.0, 0.7],
            [0.3, 0.7],
            [0.5, 0.4],
            [0.5, 0.7],
            [0.5, 0.9],
            [0.7, 0.7],
            [0.8, 0.5],
            [0.9, 0.9],
            [1.1, 0.3],
        ],
        "skips": [2, 5, 10],
    },
    summarise=summarise,
)
def run(config, seeds):
    """Write linear networks with random W and W_d as one matrix that takes d states to the next d,
    and take the spectral radius of it, by which a gradient changes at each step in the long run;
    for 50 units, from seed to seed, and for one, with weights of the same and of opposite signs.
    """
    rows = []
    for (radius, radius_skip), d in product(config["radii"], config["skips"]):
        for seed in seeds:
            drawn = [
                init_recurrent("gaussian", config["units"], rng, radius=r or None) * (r > 0)
                for rng, r in zip(
                    np.random.default_rng(seed).spawn(2), (radius, radius_skip), strict=True
                )
            ]
            rows.append(_row(*drawn, radius, radius_skip, d) | {"seed": seed})
        for sign in (1, -1):
            w_skip = sign * radius_skip
            one = _row(np.array([[radius]]), np.array([[w_skip]]), radius, radius_skip, d)
            rows.append(
                one
                | {"signs": "like" if sign > 0 else "opposite"}
                | {"kept": abs(skip_gradient(radius, w_skip, d, SPAN)[-1])}
                | {"divided": radius_skip ** (SPAN / d), "subtracted": radius_skip ** (SPAN - d)}
            )
    return rows


def _row(W, W_skip, radius: float, radius_skip: float, d: int) -> dict:
    factor = spectral_radius(skip_companion(W, W_skip, d))
    return {
        "n_h": len(W),
        "radius": radius,
        "radius_skip": radius_skip,
        "d": d,
        "factor": factor,
        "predicted": predicted(radius, radius_skip, d),
        "exponent": d * log(factor) / log(radius_skip),
    }


def predicted(radius: float, radius_skip: float, d: int) -> float:
    """Factor per step of many units: the rho at which W / rho + W_d / rho^d has a radius of 1.

    The entries of that sum are independent and Gaussian, so the squares of the two radii add.
    """
    low, high = 0.0, radius + radius_skip + 1
    for _ in range(60):
        rho = (low + high) / 2
        if (radius / rho) ** 2 + (radius_skip / rho**d) ** 2 > 1:
            low = rho
        else:
            high = rho
    return high
