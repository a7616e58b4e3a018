"""What if the learning rate is too small or too large? (Chiang's Question 1, section 5.4)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.data import ALL, claim_curves, ranged
from rnn_helpers.experiments.words import Estimate, crossed, grouped
from rnn_helpers.reference import init_rnn
from rnn_helpers.tasks import (
    bits_per_character,
    character_model,
    characters,
    minibatches,
    unigram_bits,
)
from rnn_helpers.training import SGD, fit

SCHEDULES = {
    "fixed": lambda eta, t: eta,
    "clipped": lambda eta, t: eta,
    "1/t": lambda eta, t: eta / t,
    "1/sqrt(t)": lambda eta, t: eta / t**0.5,
}
_NAMES = {"fixed": "no clipping", "clipped": "gradient clipped"}  # the curves in the plot
_TOP = 20  # the end of the axis, as a multiple of the cost of the character frequencies


def _bits(rows):
    """Group the bits per character by schedule and rate."""
    return {
        schedule: {eta: [row["bits"] for row in mine] for eta, mine in grouped(each, "eta").items()}
        for schedule, each in grouped(rows, "schedule").items()
    }


def _best(rates):
    """Return the rate with the fewest bits on average."""
    return min(rates, key=lambda eta: np.mean(rates[eta]))


def _around(rates):
    """Return the best rate, its mean bits, and the rates beside it with their ranges of bits."""
    eta = _best(rates)
    sides = {"below": [e for e in rates if e < eta], "past": [e for e in rates if e > eta]}
    near = {name: min(side, key=lambda e: abs(e - eta)) for name, side in sides.items() if side}
    ranges = {f"at_{name}": (min(rates[e]), max(rates[e])) for name, e in near.items()}
    return {"eta": eta, "best": Estimate.mean(rates[eta])} | near | ranges


def numbers(rows):
    """Return the bits at the smallest, best and largest fixed rate, and near each best rate."""
    bits = _bits(rows)
    fixed = bits["fixed"]
    eta, small, big = _best(fixed), min(fixed), max(fixed)
    falling = bits.get("1/t", fixed)
    return {
        "steps": rows[0]["steps"],
        "of": len(fixed[eta]),
        "unigram": rows[0]["unigram"],
        "eta": eta,
        "best": Estimate.mean(fixed[eta]),
        "worst_at_best": max(fixed[eta]),
        "small": small,
        "least_at_small": min(fixed[small]),
        # above the best rate, the seeds differ too much for a mean
        "big": big,
        "at_big": (min(fixed[big]), max(fixed[big])),
        "slow": Estimate.mean(np.subtract(fixed[small], fixed[eta])),
        "undone": Estimate.rate(each > rows[0]["unigram"] for each in fixed[big]),
        "gain_falling": Estimate.mean(np.subtract(fixed[eta], falling[_best(falling)])),
        "around": {schedule: _around(rates) for schedule, rates in bits.items()},
    }


def table_rates(rows):
    """Tabulate the median over the seeds for each rate."""

    def median(some):
        return f"{np.median([row['bits'] for row in some]):.2f}"

    rows = sorted(rows, key=lambda row: row["eta"])
    ordered = [
        {"eta": f"{row['eta']:g}", "schedule": name, "bits": row["bits"]}
        for eta in dict.fromkeys(row["eta"] for row in rows)
        for name in SCHEDULES
        for row in rows
        if (row["eta"], row["schedule"]) == (eta, name)
    ]
    return crossed(ordered, "eta", "schedule", median, heading="rate η")


def table_best(rows):
    """Tabulate the best rate of each schedule."""
    return [
        {
            "schedule": name,
            "best rate η": f"{_best(rates):g}",
            "bits per character": f"{Estimate.mean(rates[_best(rates)]):.2f}",
        }
        for name, rates in _bits(rows).items()
    ]


def data(rows):
    """Return the mean bits over the fixed rates, with and without clipping.

    The axis leaves out the largest losses, but has room for a guess at the rate above the best one.
    """
    unigram = rows[0]["unigram"]
    schedules = grouped(rows, "schedule")
    return claim_curves(
        {
            name: [
                {"eta": eta, **ranged(row["bits"] for row in mine)._asdict()}
                for eta, mine in grouped(schedules[schedule], "eta").items()
            ]
            for schedule, name in _NAMES.items()
            if schedule in schedules
        },
        "eta",
        "value",
        question="Which learning rate is best?",
        xlabel="learning rate η",
        ylabel="bits per held-out character",
        unit="bits per character",
        spread=ALL,
        log="xy",
        limits=(unigram / 2, _TOP * unigram),
        marks=[(unigram, "frequencies alone")],
    )


def _train(config: dict, seeds: list, schedule: str, eta: float) -> list[dict]:
    """Train a network for each seed at one rate, side by side."""
    corpus = characters("topics")
    n = len(corpus.alphabet)
    history = fit(
        character_model(),
        init_rnn(n, config["n_h"], n, seed=seeds),
        minibatches(corpus.train, config["n_steps"], config["batch_size"], seeds),
        steps=config["steps"],
        optimizer=SGD(lambda t: SCHEDULES[schedule](eta, t)),
        clip=config["clip"] if schedule == "clipped" else None,
    )
    bits = bits_per_character(history.params, corpus.held_out[: config["held_out"]])
    # means of ten steps each, in bits
    curve = history.loss.reshape(-1, 10, len(seeds)).mean(axis=1).T / np.log(2)
    return [
        {
            "schedule": schedule,
            "eta": eta,
            "seed": seed,
            "steps": config["steps"],
            "bits": bits[s],
            "largest_gradient": history.grad_norm[:, s].max(),
            "clipped": history.clipped[:, s].mean(),
            "unigram": unigram_bits(corpus),
            "curve": curve[s],
        }
        for s, seed in enumerate(seeds)
    ]


_NETWORK = {"n_h": 32, "n_steps": 25, "batch_size": 8, "steps": 300, "clip": 0.5, "held_out": 3000}


@experiment(
    claim="If the learning rate is too small, training is slow. If it is too large, a step undoes "
    "earlier progress. To guarantee convergence, the rate should decrease, for example as 1/t.",
    short="Training is slow at small learning rates and erratic at large ones",
    source="Chiang 5.4; the first half is our answer to its Question 1",
    quick={"seeds": 3, "rates": {"fixed": [0.1, 1.0, 3.0], "1/t": [3.0]}, **_NETWORK},
    full={
        "seeds": 20,
        "rates": {
            "fixed": [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0],
            "clipped": [0.1, 0.3, 1.0, 3.0, 10.0, 30.0],
            "1/t": [0.3, 1.0, 3.0, 10.0, 30.0],
            "1/sqrt(t)": [0.3, 1.0, 3.0, 10.0],
        },
        **_NETWORK,
    },
    numbers=numbers,
    headline=("best", "bits per held-out character at a fixed rate of {eta:g}"),
    finding=[
        (
            lambda n: n.around["fixed"].get("at_past", (0,))[0] > n.unigram,
            "After {steps} training steps, a fixed learning rate of {eta:g} is best. At {small:g}, "
            "training is too slow. At {around[fixed][past]:g}, all networks are worse than the "
            "character frequencies alone.",
        ),
        (
            lambda n: n.small < n.eta < n.big,
            "After {steps} training steps, a fixed learning rate of {eta:g} is best. At {small:g}, "
            "training is too slow, and {big:g} is too large.",
        ),
        (lambda n: True, "After {steps} training steps, a fixed learning rate of {eta:g} is best."),
    ],
    verdict=Verdict(
        holds=(
            lambda n: n.slow.low > 0 and n.undone.low > 0.5 and n.gain_falling.low > 0,
            "Holds. After {steps} steps, a rate of {small:g} costs {slow.value:.2f} bits more than "
            "{eta:g}, {big:g} undoes all progress, and rates that decrease as 1/t gain "
            "{gain_falling.value:.2f} bits.",
        ),
        in_part=(
            lambda n: n.slow.low > 0 and n.undone.low > 0.5,
            "Holds in part, if the rate is fixed. We didn't test the guarantee for decreasing "
            "rates.",
        ),
        fails=(
            lambda n: n.slow.high <= 0 or n.undone.high < 0.5,
            "Does not hold. After {steps} steps, the smallest or the largest rate that we tried is "
            "as good as {eta:g}.",
        ),
    ),
    taught=lambda n: (
        n.slow.low > 0
        and n.undone.low > 0.5
        and n.worst_at_best < n.unigram < n.around["fixed"]["at_past"][0]
    ),
    saw=[
        "For comparison, a model that knows only how frequent each character is needs "
        "{unigram:.2f} bits per held-out character. At the largest rate, the results differ too "
        "much between seeds for a mean: the worst network needs {at_big[1]:.0f} bits.",
        (
            lambda n: "at_past" in n.around.get("clipped", {}),
            "With gradient clipping, the best rate is {around[clipped][eta]:g}. At "
            "{around[clipped][past]:g}, the networks need between "
            "{around[clipped][at_past][0]:.0f} and {around[clipped][at_past][1]:.0f} bits.",
        ),
    ],
    table={
        "Median bits per held-out character": table_rates,
        "Each schedule at its best rate": table_best,
    },
    caveats=["A guarantee of convergence holds only in the limit of infinitely many steps."],
    data=data,
)
def run(config, seeds):
    """Train networks of 32 tanh units on English text by 300 steps of stochastic gradient descent,
    at fixed rates with and without clipping and at decreasing rates. Then measure the bits per
    held-out character.
    """
    return [
        row
        for schedule, rates in config["rates"].items()
        for eta in rates
        for row in _train(config, seeds, schedule, eta)
    ]
