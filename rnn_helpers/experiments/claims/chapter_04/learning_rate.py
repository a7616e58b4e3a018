"""What happens if the learning rate is too small, or too big? (Chiang's Question 1, section 5.4)"""

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval
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


def summarise(rows):
    """Take the bits at the best fixed rate, and mention the rates around it and the schedules."""
    unigram = rows[0]["unigram"]
    seen, means = {}, {}
    for row in rows:
        seen.setdefault((row["schedule"], row["eta"]), []).append(row["bits"])
    for (schedule, eta), bits in seen.items():
        means.setdefault(schedule, {})[eta] = mean_interval(bits)
    best = {name: min(each, key=lambda eta: each[eta][0]) for name, each in means.items()}
    fixed, eta = means["fixed"], best["fixed"]
    small, big = min(fixed), max(fixed)
    # what a rate that is too big leaves differs too much between seeds for a mean to say anything
    ruined = seen["fixed", big]

    def says(bits):
        return f"{bits[0]:.2f} ({bits[1]:.2f} to {bits[2]:.2f})"

    text = (
        f"After {rows[0]['steps']} steps at a fixed rate: {says(fixed[small])} bits per held-out "
        f"character at eta = {small:g}, {says(fixed[eta])} at {eta:g}, and from {min(ruined):.1f} "
        f"to {max(ruined):.1f}, seed by seed, at {big:g}; knowing how frequent each character is "
        f"gives {unigram:.2f}."
    )
    for name, what in (
        ("clipped", "With gradients clipped"),
        ("1/t", "With eta/t"),
        ("1/sqrt(t)", "With eta/sqrt(t)"),
    ):
        if name in means:
            text += f" {what} the best is {says(means[name][best[name]])}, at eta = {best[name]:g}."
    text += " A guarantee of convergence speaks of the end of all steps, which no run comes to."
    worst = max(seen["fixed", eta])
    shaped = min(seen["fixed", small]) > worst and min(ruined) > worst
    verdict = (
        "holds if it is said of fixed rates; a guarantee for decreasing ones was not tested"
        if shaped
        else "does not hold"
    )
    value, low, high = fixed[eta]
    return Summary(value, low, high, f"bits per character at eta = {eta:g}", verdict, text)


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
    "learning-rate",
    claim="A learning rate that is too small learns too slowly, one that is too big undoes what "
    "was learned; to guarantee convergence it should decrease, for example as 1/t.",
    source="Chiang 5.4 (P42, E-56); the first half is our answer to its Question 1",
    chapter="04",
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
    summarise=summarise,
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
