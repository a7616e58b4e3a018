"""Are sweeps in four directions worth their steps where a picture is small? (section 10.3, P15)"""

import numpy as np

from rnn_helpers.experiments import SHARE, SIGNED, experiment
from rnn_helpers.experiments.choose import by_method, choose
from rnn_helpers.experiments.rates import trained
from rnn_helpers.experiments.words import Estimate, at_edges, grouped
from rnn_helpers.plots import claim_intervals
from rnn_helpers.tasks import handwritten_digits

SWEEPS = "sweeps"
METHODS = {SWEEPS: 0, "two convolutions": 2, "four convolutions": 4}
"""How many convolutions are stacked; 0 for the sweeps, two of which run at once, twice."""
_N_X, _N_Y = 1, 10  # values of a pixel, and digits


def numbers(rows):
    """Held-out digits that are told, by method, and what convolutions tell beyond the sweeps."""
    right = {
        method: [row["right"] for row in mine] for method, mine in grouped(rows, "method").items()
    }
    shares = {method: Estimate.mean(each, SHARE) for method, each in right.items()}
    best = max((m for m in METHODS if m != SWEEPS), key=lambda method: shares[method].value)
    return {
        "best": best,
        "share": shares[best],
        "sweeps": shares[SWEEPS],
        "more": Estimate.mean(np.subtract(right[best], right[SWEEPS]), SIGNED),
        "weights": max(row["parameters"] for row in rows if row["method"] == SWEEPS),
        "edges": at_edges(rows, "method"),
    }


def table(rows):
    """Tabulate the share of new digits that each network classifies correctly."""
    return [
        {
            "network": method,
            "correct": f"{Estimate.mean((row['right'] for row in mine), SHARE):.3f}",
            "weights": mine[0]["parameters"],
        }
        for method, mine in grouped(rows, "method").items()
    ]


def plot(rows):
    """Draw the share of held-out digits that each network tells."""
    return claim_intervals(
        [
            {"label": name, **Estimate.mean((r["right"] for r in mine), SHARE)._asdict()}
            for name, mine in grouped(rows, "method").items()
        ],
        xlabel="share of new digits that are told right",
    )


@experiment(
    claim="If a picture is small and the pixels that matter are close together, as in handwritten"
    " digits, networks that sweep over it in four directions are no better than a stack of "
    "convolutions with as many parameters.",
    source="Goodfellow et al. 10.3, after Visin et al. (2015) (P15)",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": {"sweeps": [0.02], "convolutions": [0.02]},
        "n_h": 4,
        "batch_size": 16,
        "steps": 20,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": {
            "sweeps": [0.005, 0.01, 0.02, 0.04, 0.08],
            "convolutions": [0.0015, 0.003, 0.006, 0.012, 0.024],
        },
        "n_h": 16,
        "batch_size": 32,
        "steps": 3000,
    },
    numbers=numbers,
    headline=(
        "more",
        "difference in the share of new digits that are right, best convolutions minus sweeps",
    ),
    finding={
        "holds": "On small handwritten digits, sweeps in four directions are right in "
        "{sweeps.value:.1%} of the cases and convolutions of the same size in {share.value:.1%}.",
        "does not hold": "On small handwritten digits, sweeps in four directions are better than "
        "convolutions of the same size.",
        "not tested here": "These runs don't tell whether sweeps or convolutions are better on "
        "digits.",
    },
    verdict=[
        (
            lambda n: min(n.share.low, n.sweeps.low) < 0.7,
            "Not tested here. The networks don't learn the digits well enough.",
        ),
        (lambda n: n.more.low > -0.01, "Holds. Sweeps are not clearly better than convolutions."),
        (
            lambda n: n.more.high < 0,
            "Does not hold. Sweeps are right on {sweeps.value:.1%} of the digits.",
        ),
        (lambda n: True, "Not tested here. The difference is too uncertain."),
    ],
    saw=[
        "The best stack has {best}. The difference between it and sweeps is {more:+.3f} of the "
        "digits. All networks use each weight once at every pixel and have at most {weights} "
        "weights, so they multiply about as often. But sweeps take sixteen steps, one after the "
        "other, and a stack only as many as it has layers.",
        (
            lambda n: n.edges,
            "The chosen learning rate is the lowest or highest that we tried for {edges}, so "
            "another rate might be better there.",
        ),
    ],
    table={"Share of new digits that are classified correctly": table},
    caveats=[
        (
            lambda n: abs(n.more.low) < 0.001,
            "The interval of the difference ends next to 0, so these runs don't show that "
            "convolutions are better.",
        ),
        "The pictures have 8 by 8 pixels, and four convolutions see all of one from its middle. No "
        "network has a step that joins places into larger ones, as photographs need.",
    ],
    plot=plot,
)
def run(config, seeds):
    """Say which digit a picture of 8 by 8 pixels shows: four sweeps of 16 gated units (GRU) each,
    down and up, then right and left over what those have said, as in Visin et al. (2015); or
    stacks of two or four 3 by 3 convolutions, none of more parameters. What is known at all pixels
    is averaged. Adam for 3000 steps of 32 pictures; the rate of each falls to 0, and is that with
    which networks of 2 other seeds, who learn from fewer, tell most of 360 digits that those of
    the result learn from. The digits are those of scikit-learn; a fifth, 360, is kept for the test.
    """

    shown, test = handwritten_digits(), handwritten_digits(held_out=True)
    n_kept = len(test[1])
    fewer, kept = ([part[:-n_kept] for part in shown], [part[-n_kept:] for part in shown])

    def score(method, etas, others):
        return _right(method, etas, others, config, fewer, kept)[0]

    chosen = choose(
        {
            method: config["etas"]["convolutions" if depth else "sweeps"]
            for method, depth in METHODS.items()
        },
        by_method(score),
        first=config["first"],
        seeds=config["choosing"],
    )
    rows = []
    for method, choice in chosen.items():
        shares, size = _right(method, [choice.setting], seeds, config, shown, test)
        rows += [
            {"method": method, "parameters": size, "seed": seed, "right": float(share)}
            | {"eta": choice.setting, "at_edge": choice.at_edge}
            for seed, share in zip(seeds, shares, strict=True)
        ]
    return rows


def _right(method: str, etas, seeds, config: dict, shown, test):
    """Share of the test that networks of each rate and seed tell, and how large each of them is."""
    pictures, labels = shown

    def batches(each):
        rngs = [np.random.default_rng(seed) for seed in each]
        while True:
            which = np.array([rng.integers(len(labels), size=config["batch_size"]) for rng in rngs])
            yield pictures[which][..., None], labels[which]

    net, params = trained(
        lambda each: _network(method, config, each), batches, etas, seeds, config["steps"]
    )
    right = net.right(params, (test[0][..., None], test[1])).mean(axis=1)
    return right, sum(array[0].size for array in params.values())


def _network(method: str, config: dict, seeds):
    from rnn_helpers.nets.four_ways import Convolutions, FourWays
    from rnn_helpers.nets.sizes import units_within

    if method == SWEEPS:
        return FourWays(_N_X, config["n_h"], _N_Y, seeds)
    most = sum(p.numel() for p in FourWays(_N_X, config["n_h"], _N_Y, [0]).parameters())

    def make(n_h, seeds=(0,)):
        return Convolutions(_N_X, n_h, _N_Y, seeds, METHODS[method])

    return make(units_within(make, most), seeds)
