"""Can training start with all parameters at zero? (Chiang's section 5.4)"""

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.words import Estimate
from rnn_helpers.plots import claim_intervals
from rnn_helpers.reference import init_rnn, rnn_forward
from rnn_helpers.tasks import bits_per_character, character_model, characters, minibatches
from rnn_helpers.training import SGD, fit

KINDS = "tanh", "sigmoid"


def _lost(rows):
    """Estimate the bits that starting at zero costs, by kind of hidden unit."""
    return {
        kind: Estimate.mean(row[f"{kind}_zero_bits"] - row[f"{kind}_random_bits"] for row in rows)
        for kind in KINDS
    }


def table(rows):
    """Tabulate the cost of starting at zero, for each kind of hidden unit."""
    return [
        {
            "hidden units": kind,
            "bits per character lost": f"{lost:.2f}",
            "parameters that change": rows[0][f"{kind}_zero_moved"] or "none",
        }
        for kind, lost in _lost(rows).items()
    ]


def numbers(rows):
    """Return the bits that starting at zero costs, and how much the hidden units differ."""
    lost = _lost(rows)
    return {
        "lost": lost,
        "tanh": lost["tanh"],
        "spread": max(row[f"{kind}_zero_spread"] for row in rows for kind in KINDS),
    }


def plot(rows):
    """Draw the bits of networks that started at zero, and of those that started at random."""
    return claim_intervals(
        {
            f"{kind}, started at {start}": Estimate.mean(
                row[f"{kind}_{start}_bits"] for row in rows
            )
            for kind in KINDS
            for start in ("zero", "random")
        },
        xlabel="bits per held-out character",
    )


def _train(config: dict, seeds: list, nonlinearity: str, scale: float | None) -> list[dict]:
    """Train one network for each seed, side by side."""
    corpus = characters("topics")
    n = len(corpus.alphabet)
    start = init_rnn(n, config["n_h"], n, seed=seeds, scale=scale)
    history = fit(
        character_model(nonlinearity),
        start,
        minibatches(corpus.train, config["n_steps"], config["batch_size"], seeds),
        steps=config["steps"],
        optimizer=SGD(config["eta"]),
        clip=config["clip"],
    )
    held_out = corpus.held_out[: config["held_out"]]
    bits = bits_per_character(history.params, held_out, nonlinearity)
    states = rnn_forward(history.params, held_out[:200, None], nonlinearity=nonlinearity).h
    spread = np.ptp(states, axis=-1).max(axis=(0, 2))
    return [
        {
            "bits": bits[s],
            "spread": spread[s],
            "moved": ", ".join(
                name for name in "UWVbc" if (history.params[name][s] != start[name][s]).any()
            ),
        }
        for s in range(len(seeds))
    ]


_SETTINGS = {
    "n_h": 16,
    "n_steps": 25,
    "batch_size": 8,
    "steps": 300,
    "eta": 1.0,
    "clip": 1.0,
    "held_out": 2000,
}


@experiment(
    claim="Training can start with all parameters at zero.",
    source="Chiang 5.4 (P61, E-55)",
    quick={"seeds": 3, **_SETTINGS},
    full={"seeds": 20, **_SETTINGS},
    numbers=numbers,
    headline=("tanh", "bits per character that a tanh network loses by starting at zero"),
    finding="If all parameters start at zero, a tanh network needs {tanh.value:.2f} bits per "
    "character more, on average, than if they start at random.",
    verdict=[
        (
            lambda n: all(lost.low > 0 for lost in n.lost.values()),
            "Does not hold. Networks that start at zero learn worse, with tanh and with sigmoid "
            "units.",
        )
    ],
    saw=[
        "If the parameters start at zero, all hidden units of a network stay equal. After "
        "training, their states differ by at most {spread:.0g}."
    ],
    table={"Networks that start at zero, compared with networks that start at random": table},
    plot=plot,
)
def run(config, seeds):
    """Train character networks from parameters of zero and from random parameters, on the same
    minibatches, with tanh and with sigmoid units. Then measure the bits per held-out character and
    how much the states of the hidden units differ.
    """
    rows = [{"seed": seed} for seed in seeds]
    for nonlinearity in ("tanh", "sigmoid"):
        for start, scale in (("zero", 0.0), ("random", None)):
            for row, seen in zip(rows, _train(config, seeds, nonlinearity, scale), strict=True):
                row |= {f"{nonlinearity}_{start}_{key}": value for key, value in seen.items()}
    return rows
