"""A leaky unit that keeps more also hears less: what does that cost? (section 10.9.2)"""

from itertools import product
from math import log

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.own_rates import successes
from rnn_helpers.experiments.words import Estimate, grouped, listed, where
from rnn_helpers.plots import claim_intervals
from rnn_helpers.tasks import Latch

TASK = Latch(onset=4, marker=True)
# what is divided by 1 - alpha before the training begins
COMPENSATED = {"nothing": None, "input": "layers.0.U"}
_UNITS = 17  # about 380 parameters
ONE, OWN = "one rate for all", "own rates"
NEAR = 0.99  # the alpha that the headline is about


_HOW = {"nothing": "", "input": " input weights divided by 1 - alpha:"}


def numbers(rows):
    """Networks that learned: with an alpha of 0.99 and the best, at one rate and at their own."""
    plain, louder = (
        {
            setting: {row["alpha"]: row for row in mine}
            for setting, mine in grouped(
                where(rows, divided=divided), "rule", "rates", "length"
            ).items()
        }
        for divided in COMPENSATED
    )
    one = next(by_alpha for (_, rates, _), by_alpha in plain.items() if rates == ONE)
    near = one[NEAR]
    best = max(one.values(), key=lambda row: row["rate"])
    made_up = [
        {"best": own[best["alpha"]], "near": own[NEAR], "louder": louder[setting][NEAR]}
        for setting, own in plain.items()
        if setting[1] == OWN and own[NEAR]["low"] > near["high"]
    ]
    loudest = near["ago"] / (near["ago"] + 1)
    return {
        "success": Estimate.stored(near),
        "near": near,
        "best": best,
        "made_up": made_up[0] if made_up else None,
        "loudest": loudest,
        "heard_loudest": heard(loudest, near["ago"]),
        "constants": listed("{constant:.2f} for {alpha:g}", one.values()),
        "by_setting": listed(
            "{}, {}, {} steps:{} {}",
            (
                (*setting, _HOW[divided], _learned(mine))
                for (*setting, divided), mine in grouped(
                    rows, "rule", "rates", "length", "divided"
                ).items()
            ),
            "; ",
        ),
    }


def _learned(rows):
    """Networks that learned, by alpha, their rate and the share of answers that was right."""
    return listed(
        "{successes} with {alpha:g} (at {eta:g}, {right:.0%} right)",
        (row | {"right": np.mean(row["accuracy"])} for row in rows),
    )


def plot(rows):
    """Draw the share that learns for three alphas: at one rate, at their own, and heard louder."""
    series = {
        "one rate for all": where(rows, rates=ONE, divided="nothing"),
        "own rates": where(rows, rule="SGD", rates=OWN, divided="nothing"),
        "own rates, louder input": where(rows, rule="SGD", rates=OWN, divided="input"),
    }
    return claim_intervals(
        [
            {"label": f"{row['alpha']:g}, {name}", **Estimate.stored(row)._asdict()}
            for name, mine in series.items()
            for row in mine
            if row["alpha"] in (0.9, 0.97, 0.99)
        ],
        xlabel="share that learns, by α and rate",
    )


def heard(alpha: float, k: int) -> float:
    """What a unit holds now of a value of 1 that it heard k steps ago."""
    return (1 - alpha) * alpha**k


@experiment(
    claim="The nearer alpha is to one, the longer a leaky unit remembers.",
    source="Goodfellow et al. 10.9.2 (E-46)",
    quick={
        "seeds": 4,
        "choosing": 0,
        "batch_size": 16,
        "steps": 100,
        "alphas": [0.9, 0.99],
        "series": [["SGD", ONE, 20, [0.3]]],
    },
    full={
        "seeds": 12,
        "choosing": 3,
        "batch_size": 16,
        "steps": 400,
        "alphas": [0.5, 0.9, 0.97, 0.99, 0.997],
        "series": [
            ["SGD", ONE, 20, [0.3]],
            ["SGD", OWN, 20, [0.1, 0.3, 1, 3, 10, 30, 100, 300]],
            ["Adam", OWN, 50, [0.003, 0.01, 0.03, 0.1]],
        ],
    },
    numbers=numbers,
    headline=(
        "success",
        f"success over {{near[length]}} steps, alpha {NEAR:g}, {{near[rule]}} at {{near[eta]:g}}",
    ),
    verdict=[
        (
            lambda n: n.near["high"] < n.best["low"] and n.made_up,
            "holds if what is heard less is made up for: at a rate of {near[eta]:g} for all, "
            "{best[successes]} of {best[of]} networks learned with an alpha of {best[alpha]:g} and "
            f"{{near[successes]}} with {NEAR:g}; at rates of their own, {{made_up[best][eta]:g}} "
            "and {made_up[near][eta]:g}, {made_up[best][successes]} and "
            "{made_up[near][successes]}, or {made_up[louder][successes]} if the input weights "
            "begin divided by 1 - alpha",
        )
    ],
    saw=[
        "A value of k steps ago is heard as (1 - alpha) alpha^k, loudest with alpha = k/(k + 1): "
        "for {near[ago]} steps {loudest:.3f}, which leaves {heard_loudest:.3f} of it, and "
        f"{NEAR:g} leaves {{near[heard]:.4f}}. The time constant -1/ln alpha is {{constants}}; "
        "1/(1 - alpha) is half a step more. Of {near[of]} networks learned: {by_setting}."
    ],
    plot=plot,
)
def run(config, seeds):
    """Train networks of 17 leaky units for 400 steps to hold one marked bit, all with the same
    alpha: over 20 steps by gradient descent, at one learning rate for all and at the one of eight
    that suits each best on 3 other seeds, and over 50 steps by Adam at the best of four. They begin
    alike, with input weights as PyTorch's or divided by 1 - alpha. Count those that get more than
    95 % of new sequences right.
    """
    ways = list(COMPENSATED)
    rows = []
    for (rule, rates, length, etas), alpha in product(config["series"], config["alphas"]):
        choosing = config["choosing"] if rates == OWN else 0
        settings = {**config, "rule": rule, "etas": etas, "choosing": choosing}
        k = length - 1 - TASK.onset // 2  # steps from the mean onset to the answer
        rows += [
            {"rule": rule, "rates": rates, "length": length, "alpha": alpha, "divided": divided}
            | {"ago": k, "heard": heard(alpha, k), "constant": -1 / log(alpha), **row}
            for divided, row in zip(
                ways, successes(ways, _begin(alpha), TASK, length, settings, seeds), strict=True
            )
        ]
    return rows


def _begin(alpha: float):
    def begin(ways, seeds):
        from rnn_helpers.nets import Gated

        net = Gated(TASK.n_x, _UNITS, TASK.n_y, seeds, "leaky", alpha=alpha)
        params = net.params()
        for way, part in COMPENSATED.items():
            if part:
                params[part][[w == way for w in ways]] /= 1 - alpha
        return net, params

    return begin
