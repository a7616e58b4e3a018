"""What happens if the learning rate is too small, or too big? (Chiang's Question 1, section 5.4)"""

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.words import Estimate, crossed, grouped
from rnn_helpers.plots.curves import band, legend, line_looks, logarithmic, name_rule, rule
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
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
_NAMES = {
    "fixed": "η",
    "clipped": "η, gradient clipped",
    "1/sqrt(t)": "η/√t",
    "1/t": "η/t",
}
_TOP = 1.4  # of what frequencies cost: where the axis ends, above which nothing was learned


def _bits(rows):
    """Group the bits per character by schedule and rate."""
    return {
        schedule: {eta: [row["bits"] for row in mine] for eta, mine in grouped(each, "eta").items()}
        for schedule, each in grouped(rows, "schedule").items()
    }


def _best(rates):
    """Return the rate with the fewest bits on average."""
    return min(rates, key=lambda eta: np.mean(rates[eta]))


def numbers(rows):
    """Bits at the smallest, best and biggest fixed rate."""
    fixed = _bits(rows)["fixed"]
    eta, small, big = _best(fixed), min(fixed), max(fixed)
    return {
        "steps": rows[0]["steps"],
        "unigram": rows[0]["unigram"],
        "eta": eta,
        "best": Estimate.mean(fixed[eta]),
        "worst_at_best": max(fixed[eta]),
        "small": small,
        "least_at_small": min(fixed[small]),
        # what too big a rate leaves differs too much between seeds for a mean to say anything
        "big": big,
        "at_big": (min(fixed[big]), max(fixed[big])),
    }


def table_rates(rows):
    """Tabulate the median over the seeds at each rate."""

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


def plot(rows):
    """Draw mean bits over the learning rate, a curve for each schedule; bands are all networks.

    A curve that leaves through the top has cost far more than frequencies alone.
    """
    schedules, unigram, told = grouped(rows, "schedule"), rows[0]["unigram"], []
    names = {schedule: name for schedule, name in _NAMES.items() if schedule in schedules}
    with style():
        figure, axes = subplots(height=3.4)
        for (schedule, name), look in zip(names.items(), line_looks(None, len(names)), strict=True):
            etas, each = zip(*sorted(grouped(schedules[schedule], "eta").items()), strict=True)
            bits = np.array([[row["bits"] for row in mine] for mine in each])
            mean = band(axes, etas, bits, {**look, "marker": "o"}, name)
            best = mean.argmin()
            told.append(
                f"{name}: {number(mean[0])} at {number(etas[0])}, least {number(mean[best])} at "
                f"{number(etas[best])}, {number(mean[-1])} at {number(etas[-1])}"
            )
        axes.set(xlabel="learning rate η", ylabel="bits per held-out character")
        axes.set_ylim((2 - _TOP) * unigram, _TOP * unigram)
        logarithmic(axes, "x")
        rule(axes, unigram)
        legend(figure, *axes.get_legend_handles_labels())
        name_rule(axes, unigram, "frequencies alone")
    return Plot(
        figure,
        f"Bits per held-out character over the learning rate: {'; '.join(told)}. Frequencies alone "
        f"give {number(unigram)}.",
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
    # of ten steps each, in bits like the rest
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
    claim="A learning rate that is too small learns too slowly, one that is too big undoes what "
    "was learned; to guarantee convergence it should decrease, for example as 1/t.",
    source="Chiang 5.4 (P42, E-56); the first half is our answer to its Question 1",
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
    finding="After {steps} steps, a fixed rate of {eta:g} is best: {small:g} is too small, and "
    "{big:g} is too large.",
    verdict=[
        (
            lambda n: min(n.least_at_small, *n.at_big) > n.worst_at_best,
            "Holds if the rate is fixed. We didn't test the guarantee for decreasing rates.",
        )
    ],
    saw=[
        "For comparison, a model that knows only the frequency of each character needs "
        "{unigram:.2f} bits per held-out character. At the largest rate, the results differ too "
        "much between seeds for a mean: the worst network needs {at_big[1]:.0f} bits."
    ],
    table={
        "Median bits per held-out character": table_rates,
        "Each schedule at its best rate": table_best,
    },
    caveats=["A guarantee of convergence is about the limit of infinitely many steps."],
    plot=plot,
)
def run(config, seeds):
    """Train 32-unit tanh networks on English text by stochastic gradient descent for 300 steps, at
    fixed and at decreasing rates, with and without clipping, and measure bits per held-out
    character.
    """
    return [
        row
        for schedule, rates in config["rates"].items()
        for eta in rates
        for row in _train(config, seeds, schedule, eta)
    ]
