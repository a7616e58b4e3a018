"""A leaky unit that keeps more also hears less: what does that cost? (section 10.9.2)"""

from itertools import product
from math import log

import numpy as np

from rnn_helpers.experiments import Summary, experiment
from rnn_helpers.experiments.own_rates import successes
from rnn_helpers.tasks import Latch

TASK = Latch(onset=4, marker=True)
# what is divided by 1 - alpha before the training begins
COMPENSATED = {"nothing": None, "input": "layers.0.U"}
_UNITS = 17  # about 380 parameters
ONE, OWN = "one rate for all", "own rates"
NEAR = 0.99  # the alpha that the headline is about


def summarise(rows):
    """Take the success with an alpha of 0.99 at one rate for all, then at its own."""
    of, said = rows[0]["of"], []
    plain, louder = {}, {}
    for setting in dict.fromkeys(map(_setting, rows)):
        for divided in COMPENSATED:
            these = [r for r in rows if _setting(r) == setting and r["divided"] == divided]
            (plain if divided == "nothing" else louder)[setting] = {r["alpha"]: r for r in these}
            counts = ", ".join(
                f"{row['successes']} with {row['alpha']:g} (at {row['eta']:g}, "
                f"{np.mean(row['accuracy']):.0%} right)"
                for row in these
            )
            how = " input weights divided by 1 - alpha:" if divided == "input" else ""
            said.append(f"{'{}, {}, {} steps'.format(*setting)}:{how} {counts}")
    (one, *_) = (plain[setting] for setting in plain if setting[1] == ONE)
    own = {setting: plain[setting] for setting in plain if setting[1] == OWN}
    near, best = one[NEAR], max(one.values(), key=lambda row: row["rate"])
    k = near["ago"]
    text = (
        "A value of k steps ago is heard as (1 - alpha) alpha^k, loudest with alpha = k/(k + 1): "
        f"for {k} steps {k / (k + 1):.3f}, which leaves {heard(k / (k + 1), k):.3f} of it, and "
        f"{NEAR:g} leaves {heard(NEAR, k):.4f}. The time constant -1/ln alpha is "
        + ", ".join(f"{row['constant']:.2f} for {row['alpha']:g}" for row in one.values())
        + f"; 1/(1 - alpha) is half a step more. Of {of} networks learned: {'; '.join(said)}."
    )
    verdict = "holds"
    if near["high"] < best["low"]:
        seen = (
            f"at a rate of {near['eta']:g} for all, {best['successes']} of {of} networks learned "
            f"with an alpha of {best['alpha']:g} and {near['successes']} with {NEAR:g}"
        )
        verdict = f"holds if alpha is not too near one: {seen}"
        made_up = [setting for setting in own if own[setting][NEAR]["low"] > near["high"]]
        if made_up:
            far, close = own[made_up[0]][best["alpha"]], own[made_up[0]][NEAR]
            verdict = (
                f"holds if what is heard less is made up for: {seen}; at rates of their own, "
                f"{far['eta']:g} and {close['eta']:g}, {far['successes']} and "
                f"{close['successes']}, or {louder[made_up[0]][NEAR]['successes']} if the input "
                "weights begin divided by 1 - alpha"
            )
    elif best["alpha"] == min(one):
        verdict = "does not hold"
    rule, _, length = _setting(near)
    unit = f"success over {length} steps, alpha {NEAR:g}, {rule} at {near['eta']:g}"
    return Summary(near["rate"], near["low"], near["high"], unit, verdict, text)


def _setting(row: dict) -> tuple:
    return row["rule"], row["rates"], row["length"]


def heard(alpha: float, k: int) -> float:
    """What a unit holds now of a value of 1 that it heard k steps ago."""
    return (1 - alpha) * alpha**k


@experiment(
    "hears-less",
    claim="The nearer alpha is to one, the longer a leaky unit remembers.",
    source="Goodfellow et al. 10.9.2 (E-46)",
    chapter="15",
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
    summarise=summarise,
)
def run(config, seeds):
    """Train networks of 17 leaky units for 400 steps to hold one marked bit, all with the same
    alpha: over 20 steps by gradient descent, at one learning rate for all and at the one of eight
    that suits each best on 3 other seeds, and over 50 steps by Adam at the best of four. They begin
    alike, with input weights as PyTorch's or divided by 1 - alpha. Count those that get more than
    95 % of new sequences right.
    """
    ways, rows = list(COMPENSATED), []
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
