"""A leaky unit that keeps more also takes in less: what does that cost? (section 10.9.2)"""

from itertools import product
from math import log

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.own_rates import successes
from rnn_helpers.experiments.words import Estimate, crossed, grouped, where
from rnn_helpers.plots import claim_intervals
from rnn_helpers.tasks import Latch

TASK = Latch(onset=4, marker=True)
# what is divided by 1 - alpha before the training begins
COMPENSATED = {"nothing": None, "input": "layers.0.U"}
_UNITS = 17  # about 380 parameters
ONE, OWN = "one rate for all", "own rates"
NEAR = 0.99  # the alpha that the headline is about
MOST = 0.5  # a judgment: an alpha remembers if most networks with it learn


_HOW = {"nothing": "", "input": ", input weights divided by 1 − alpha"}


def numbers(rows):
    """Return how many networks learned, with one rate for all and with rates of their own."""
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
    (rule, _, length) = next(setting for setting in plain if setting[1] == ONE)
    own = plain.get((rule, OWN, length))
    loudest = near["ago"] / (near["ago"] + 1)
    return {
        "success": Estimate.stored(near),
        "near": near,
        "best": best,
        "best_success": Estimate.stored(best),
        "own_success": Estimate.stored(own[NEAR]) if own else None,
        "made_up": made_up[0] if made_up else None,
        "own": {
            rule: {f"{row['alpha']:g} {row['divided']}": row["successes"] for row in mine}
            for rule, mine in grouped(where(rows, rates=OWN), "rule").items()
        },
        "loudest": loudest,
        "heard_loudest": heard(loudest, near["ago"]),
    }


def _by_setting(rows, cell):
    """Tabulate a value of the rows by alpha and setting."""
    named = [
        row
        | {"setting": f"{row['rule']}, {row['rates']}, {row['length']} steps{_HOW[row['divided']]}"}
        for row in rows
    ]
    return [
        line | {"alpha": f"{line['alpha']:g}"} for line in crossed(named, "alpha", "setting", cell)
    ]


def table_learned(rows):
    """Tabulate how many networks learned."""
    return _by_setting(rows, lambda some: "{successes} of {of}".format(**some[0]))


def table_rates(rows):
    """Tabulate the learning rates, and the share of answers that are right with them."""
    return _by_setting(
        rows, lambda some: f"{some[0]['eta']:g} ({np.mean(some[0]['accuracy']):.0%} right)"
    )


def table_constants(rows):
    """Tabulate the time constants."""
    constants = {row["alpha"]: row["constant"] for row in rows}
    return [
        {"alpha": f"{alpha:g}", "time constant −1/ln alpha": f"{constant:.2f}"}
        for alpha, constant in constants.items()
    ]


def plot(rows):
    """Draw the share that learns for three alphas: with one rate, own rates and larger weights."""
    series = {
        "one rate for all": where(rows, rates=ONE, divided="nothing"),
        "own rates": where(rows, rule="SGD", rates=OWN, divided="nothing"),
        "own rates, U / (1 − α)": where(rows, rule="SGD", rates=OWN, divided="input"),
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
    """Return how much a unit holds now of a value of 1 from k steps ago."""
    return (1 - alpha) * alpha**k


@experiment(
    claim="The closer alpha is to 1, the longer a leaky unit remembers.",
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
        f"share of networks that learn over {{near[length]}} steps, alpha {NEAR:g}, {{near[rule]}} "
        "at {near[eta]:g}",
    ),
    finding="With one learning rate for all, {best[successes]} of {best[of]} networks of leaky "
    "units with an alpha of {best[alpha]:g} learn to hold a bit over {near[length]} steps, and "
    f"{{near[successes]}} with an alpha of {NEAR:g}.",
    verdict=Verdict(
        holds=(
            lambda n: n.success.low > MOST,
            "Holds. With one learning rate for all, {near[successes]} of {near[of]} networks with "
            f"an alpha of {NEAR:g} learn.",
        ),
        holds_if=(
            lambda n: (
                n.success.high < n.best_success.low
                and n.own_success
                and n.own_success.low > n.success.high
            ),
            "Holds if a larger learning rate makes up for the weaker input. Then "
            "{made_up[near][successes]} of {best[of]} networks with an alpha of "
            f"{NEAR:g} learn.",
        ),
        fails=(
            lambda n: (
                n.success.high < n.best_success.low and n.own_success and n.own_success.high < MOST
            ),
            f"Does not hold. Most networks with an alpha of {NEAR:g} don't learn, even at a "
            "learning rate of their own.",
        ),
    ),
    saw=[
        "A value from k steps ago enters with the weight (1 − alpha) alpha^k, which is largest if "
        "alpha = k/(k + 1). For {near[ago]} steps that is {loudest:.3f}, with a weight of "
        f"{{heard_loudest:.3f}}; with {NEAR:g} the weight is {{near[heard]:.4f}}.",
        (
            lambda n: n.made_up,
            "If the input weights are also divided by 1 − alpha before training, "
            f"{{made_up[louder][successes]}} of {{best[of]}} networks with {NEAR:g} learn at their "
            "own rate.",
        ),
    ],
    table={
        "Networks that learn": table_learned,
        "Learning rates, with the share of right answers": table_rates,
        "Time constants": table_constants,
    },
    plot=plot,
)
def run(config, seeds):
    """Train networks of 17 leaky units, all with the same alpha, for 400 steps to hold one marked
    bit. With gradient descent, they hold it over 20 steps; all networks use one learning rate, or
    each alpha uses the best of eight, chosen on 3 other seeds. With Adam, they hold it over 50
    steps, at the best of four rates. Networks of the same seed start from the same weights, except
    that the input weights are PyTorch's default or that default divided by 1 - alpha. Count the
    networks that get more than 95 % of new sequences right.
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
