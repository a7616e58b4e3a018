"""How fast do gradients fall along connections that skip d steps? (section 10.9.1)"""

from itertools import product
from math import log

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.data import INTERVAL, claim_intervals
from rnn_helpers.experiments.words import AtMost, Estimate, grouped, where
from rnn_helpers.reference import init_recurrent, skip_companion, skip_gradient, spectral_radius

AT = (0.5, 0.7, 5)  # radius of W, of W_d, and length of a skip: what the headline is about
NEAR = 0.9, 1.1  # a judgment: exponents near 1, in units of k/d
SPAN = 100  # steps over which the one unit's gradient is followed


def _cases(rows):
    """Estimate factor and exponent of the largest networks, by radii and length of a skip."""
    units = max(row["n_h"] for row in rows)
    return {
        case: {
            "radii": "{:g} and {:g}".format(*case),
            "vanish_alone": max(case[:2]) < 1,
            "factor": Estimate.mean(row["factor"] for row in mine),
            "exponent": Estimate.mean(row["exponent"] for row in mine),
            "predicted": mine[0]["predicted"],
            "growing": sum(row["factor"] > 1 for row in mine),
            "networks": len(mine),
        }
        for case, mine in grouped(where(rows, n_h=units), "radius", "radius_skip", "d").items()
    }


def table_radii(rows):
    """Tabulate the exponent by the radii of both matrices."""
    return [
        {
            "radii of W and W_d": case["radii"],
            "exponent, in units of k/d": f"{case['exponent']:.2f}",
            "factor per step": f"{case['factor']:.3f}",
            "factor with many units": f"{case['predicted']:.3f}",
        }
        for (radius, _, d), case in _cases(rows).items()
        if radius > 0 and d == AT[2]
    ]


def table_one_unit(rows):
    """Tabulate how much of a gradient through one unit is left."""
    radius, radius_skip, d = AT
    return [
        {
            "signs of the two weights": row["signs"],
            "both connections": f"{row['kept']:.2g}",
            "skips alone, k divided by d": f"{row['divided']:.2g}",
            "k less d": f"{row['subtracted']:.2g}",
        }
        for row in where(rows, n_h=1, radius=radius, radius_skip=radius_skip, d=d)
    ]


def numbers(rows):
    """Exponents and factors of many units, against those of the limit and of one unit."""
    cases = _cases(rows)
    growing = [case for case in cases.values() if case["factor"].low > 1]
    _, radius_skip, d = AT
    units = max(row["n_h"] for row in rows)
    return {
        "units": units,
        "cases": {"{:g} {:g} {}".format(*at): case for at, case in cases.items()},
        "factor": cases[AT]["factor"],
        "exponent": cases[AT]["exponent"],
        "skip_alone": radius_skip ** (1 / d),
        "limit": d * log(predicted(*AT)) / log(radius_skip),
        "off": AtMost(
            max(abs(case["predicted"] / case["factor"].value - 1) for case in cases.values())
        ),
        "single": AtMost(
            max(abs(row["factor"] / row["predicted"] - 1) for row in where(rows, n_h=units))
        ),
        "across": "; ".join(
            dict.fromkeys(case["radii"] for case in growing if case["predicted"] < 1)
        ),
        "explode": [case["radii"] for case in growing if case["vanish_alone"]],
        "alone": [case["exponent"] for at, case in cases.items() if at[0] == 0],
        "growth": [case["factor"] for case in cases.values() if case["vanish_alone"]],
    }


def _divided(exponent):
    """Whether a gradient's decay is exponential in k/d."""
    return exponent.low > NEAR[0] and exponent.high < NEAR[1]


def data(rows):
    """Return the exponents of many units where skips are as long as the headline's."""
    units = max(row["n_h"] for row in rows)
    cases = grouped(where(rows, n_h=units, d=AT[2]), "radius", "radius_skip")
    return claim_intervals(
        {
            f"radii {r:g} and {s:g}": Estimate.mean(row["exponent"] for row in mine)
            for (r, s), mine in cases.items()
        },
        question="How fast do gradients vanish along skips, by the radii of the two matrices?",
        unit=f"times k/{AT[2]}",
        spread=INTERVAL,
        xlabel=f"exponent, in units of k/{AT[2]}; below 0 gradients grow",
        reference=(1, "k/d"),
    )


@experiment(
    claim="With connections that skip d steps, gradients diminish over k steps exponentially in "
    "k/d rather than in k, and they may still explode exponentially in k.",
    source="Goodfellow et al. 10.9.1, after Lin et al. 1996; Favaro, skip connections",
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
    numbers=numbers,
    headline=("exponent", "exponent of the gradient's decay, in units of k/d"),
    finding="Skip connections next to ordinary ones let gradients reach further than skips alone: "
    f"with skips of length {AT[2]}, radius {AT[1]:g} and ordinary connections of radius {AT[0]:g}, "
    "the exponent of the decay is {exponent.value:.2f} times that of skips alone.",
    verdict=Verdict(
        holds=(
            lambda n: (
                all(map(_divided, n.alone))
                and _divided(n.exponent)
                and any(factor.low > 1 for factor in n.growth)
            ),
            "Holds. The exponent is that of k/d, with or without connections of length one, and "
            "gradients can explode although each kind of connection alone would let them vanish.",
        ),
        in_part=(
            lambda n: (
                all(map(_divided, n.alone))
                and n.exponent.high < NEAR[0]
                and any(factor.low > 1 for factor in n.growth)
            ),
            "Holds in part: gradients can explode although each kind of connection alone would let "
            "them vanish. But they diminish over k/d only if the connections of length one are "
            "removed. Otherwise the exponent is smaller.",
        ),
        fails=(
            lambda n: (
                any(e.high < NEAR[0] or e.low > NEAR[1] for e in n.alone)
                or all(factor.high < 1 for factor in n.growth)
            ),
            "Does not hold. Either the exponent with skips alone isn't that of k/d, or gradients "
            "never explode.",
        ),
    ),
    saw=[
        f"With W of radius {AT[0]:g} and W_d of radius {AT[1]:g} between {{units}} units, "
        f"gradients change by a factor of {{factor.value:.3f}} per step, where W_d alone gives "
        f"{AT[1]:g}^(1/{AT[2]}) = {{skip_alone:.3f}}. In the limit of many units, the factor ρ "
        "satisfies r²/ρ² + r_d²/ρ^(2d) = 1, where r and r_d are the radii; with {units} "
        "units, the mean factor of a setting differs from it by up to {off:.1%} per step, and "
        "single networks by up to {single:.1%}. With many units, the exponent would be "
        "{limit:.2f} instead of {exponent.value:.2f}.",
        (
            lambda n: n.across,
            "Gradients grow although this limit would let them vanish at radii {across}.",
        ),
    ],
    table={
        f"Gradients through matrices, skips of {AT[2]}": table_radii,
        f"What one unit makes of a gradient of 1 over {SPAN} steps": table_one_unit,
    },
    data=data,
)
def run(config, seeds):
    """Draw random matrices W and W_d for linear networks of 50 units, one pair per seed. Build the
    matrix that maps the last d states to the next d and compute its spectral radius, the factor by
    which a gradient changes per step in the long run. Do the same for one unit, with weights of
    equal and of opposite signs.
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
    low = 0.0
    high = radius + radius_skip + 1
    for _ in range(60):
        rho = (low + high) / 2
        if (radius / rho) ** 2 + (radius_skip / rho**d) ** 2 > 1:
            low = rho
        else:
            high = rho
    return high
