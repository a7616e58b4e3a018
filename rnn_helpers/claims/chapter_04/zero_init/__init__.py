"""Can training start with all parameters at zero? (Chiang's section 5.4)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import Contest
from rnn_helpers.experiments.data import INTERVAL, claim_groups
from rnn_helpers.experiments.rates import SGDEach
from rnn_helpers.experiments.words import AT_EDGES, Estimate, at_edges, grouped, where
from rnn_helpers.reference import init_rnn, rnn_forward
from rnn_helpers.tasks import bits_per_character, character_model, characters, minibatches
from rnn_helpers.training import fit

KINDS = "tanh", "sigmoid"
SCALES = {"zero": 0.0, "random": None}


def _lost(rows):
    """Estimate the bits that starting at zero costs, by kind of hidden unit."""
    bits = {
        key: [row["bits"] for row in mine] for key, mine in grouped(rows, "units", "start").items()
    }
    return {
        kind: Estimate.mean(np.subtract(bits[kind, "zero"], bits[kind, "random"])) for kind in KINDS
    }


def table(rows):
    """Tabulate the cost of starting at zero, for each kind of hidden unit."""
    return [
        {
            "hidden units": kind,
            "bits per character lost": f"{lost:.2f}",
            "parameters that change": where(rows, units=kind, start="zero")[0]["moved"] or "none",
        }
        for kind, lost in _lost(rows).items()
    ]


def numbers(rows):
    """Return the bits that starting at zero costs, and how much the hidden units differ."""
    lost = _lost(rows)
    return {
        **lost,
        "spread": max(row["spread"] for row in where(rows, start="zero")),
        "edges": at_edges(rows, "units", "start", each="{} units that start at {}"),
    }


def data(rows):
    """Return the bits of networks that started at zero, and of those that started at random."""
    units = grouped(rows, "units")
    return claim_groups(
        {
            kind: {
                f"started at {start}": Estimate.mean(row["bits"] for row in some)
                for start, some in grouped(mine, "start").items()
            }
            for kind, mine in units.items()
        },
        question="How well do networks predict that start at zero, or at random?",
        xlabel="bits per held-out character",
        unit="bits per character",
        spread=INTERVAL,
    )


_SETTINGS = {
    "n_h": 16,
    "n_steps": 25,
    "batch_size": 8,
    "steps": 300,
    "clip": 1.0,
    "held_out": 2000,
}


@experiment(
    claim="Training can start with all parameters at zero.",
    short="All parameters can start at zero",
    source="Chiang 5.4",
    quick={"seeds": 3, "choosing": 1, "first": 1, "etas": [3.0], **_SETTINGS},
    full={
        "seeds": 20,
        "choosing": 4,
        "first": 5,
        "etas": [0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0],
        **_SETTINGS,
    },
    numbers=numbers,
    headline=("tanh", "bits per character that a tanh network loses by starting at zero"),
    finding=[
        (
            lambda n: n.tanh.low > 0,
            "If all parameters start at zero, a tanh network needs {tanh.value:.2f} bits per "
            "character more, on average, than if they start at random.",
        ),
        (
            lambda n: True,
            "A tanh network doesn't clearly learn worse if all parameters start at zero.",
        ),
    ],
    verdict=Verdict(
        holds=(
            lambda n: n.tanh.high < 0.05 and n.sigmoid.high < 0.05,
            "Holds. Starting at zero costs {tanh.value:.2f} bits per character with tanh units and "
            "{sigmoid.value:.2f} with sigmoid units.",
        ),
        in_part=(
            lambda n: n.sigmoid.high < 0.05 and n.tanh.low > 0,
            "Holds in part, if the hidden units are sigmoid units. With tanh units, starting at "
            "zero costs {tanh.value:.2f} bits per character.",
        ),
        fails=(
            lambda n: n.tanh.low > 0 and n.sigmoid.low > 0,
            "Does not hold. Networks that start at zero learn worse, with tanh and with sigmoid "
            "units.",
        ),
    ),
    taught=lambda n: n.tanh.low > 0 and n.sigmoid.low > 0,
    saw=[
        "If the parameters start at zero, all hidden units of a network stay equal. After "
        "training, their states differ by at most {spread:.0g}.",
        AT_EDGES,
    ],
    caveats=[
        "In an earlier version, all networks had a learning rate of 1. The verdict was the same, "
        "but sigmoid networks lost only 0.21 bits: at this rate, those with a random start also "
        "learned little in 300 steps."
    ],
    table={"Networks that start at zero, compared with networks that start at random": table},
    data=data,
)
def run(config, seeds):
    """Train character networks from parameters of zero and from random parameters, on the same
    minibatches, with tanh and with sigmoid units. Each start has its own learning rate for each
    kind of unit, chosen on 4 other seeds and another part of the held-out text; it falls linearly
    to 0 in 300 steps of gradient descent. Then measure the bits per held-out character and how much
    the states of the hidden units differ.
    """
    return Starts().run(config, seeds)


class Starts(Contest):
    """Character networks whose parameters start at zero or at random."""

    columns = "units", "start"
    apart = "units"

    def cells(self, config):
        """Pair both kinds of unit with both starts."""
        return [(kind, start) for kind in KINDS for start in SCALES]

    def train(self, config, cell, settings, seeds):
        """Train by gradient descent; return the parameters before and after."""
        kind, start = cell
        each = [*seeds] * len(settings)
        corpus = characters("topics")
        n = len(corpus.alphabet)
        begun = init_rnn(n, config["n_h"], n, seed=each, scale=SCALES[start])
        made = fit(
            character_model(kind),
            begun,
            minibatches(corpus.train, config["n_steps"], config["batch_size"], each),
            steps=config["steps"],
            optimizer=SGDEach(np.repeat(settings, len(seeds)), config["steps"]),
            clip=config["clip"],
        )
        return begun, made.params

    def score(self, config, cell, made, seeds):
        """Measure the bits per character of a part of the held-out text that is not reported."""
        return -np.array(bits_per_character(made[1], _held_out(config, 1), cell[0]))

    def rows(self, config, cell, made, seeds, scores):
        """Measure the bits, the spread of the units' states, and which parameters changed."""
        begun, params = made
        held_out = _held_out(config, 0)
        bits = bits_per_character(params, held_out, cell[0])
        states = rnn_forward(params, held_out[:200, None], nonlinearity=cell[0]).h
        spread = np.ptp(states, axis=-1).max(axis=(0, 2))
        return [
            {
                "seed": seed,
                "bits": bits[s],
                "spread": spread[s],
                "moved": ", ".join(
                    name for name in "UWVbc" if (params[name][s] != begun[name][s]).any()
                ),
            }
            for s, seed in enumerate(seeds)
        ]


def _held_out(config: dict, part: int) -> np.ndarray:
    """Return a part of the held-out text: the first is for the result, the second for rates."""
    size = config["held_out"]
    return characters("topics").held_out[part * size : (part + 1) * size]
