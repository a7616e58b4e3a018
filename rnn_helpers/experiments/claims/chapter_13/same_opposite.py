"""Does a network learn to compare the end of a sequence with its beginning? (Favaro's example)"""

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.lengths import (
    at_edges,
    by_length,
    counts,
    learned_by_length,
    rates_by_length,
    shares_by_length,
)
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.experiments.words import Estimate, grouped, where
from rnn_helpers.tasks import SameOpposite


def numbers(rows):
    """Networks that learned, by start and length, each at its own rate."""
    lengths = grouped(rows, "length")
    longest = max(lengths)
    return {
        "of": rows[0]["of"],
        "default": Estimate.stored(where(rows, start="default", length=20)[0]),
        "longest": longest,
        "easy": min(row["low"] for row in lengths[20]) > 0.5,
        "hard": max(row["low"] for row in lengths[longest]) <= 0.5,
        "at_20": _from_to(lengths[20]),
        "at_longest": _from_to(lengths[longest]),
        "most": max(row["successes"] for row in lengths[longest]),
        "edges": at_edges(rows),
        "learned": counts(rows),
    }


def _from_to(rows):
    """The least and the greatest number of networks that learned."""
    successes = [row["successes"] for row in rows]
    return f"{min(successes)} to {max(successes)}"


def plot(rows):
    """Draw the share that learns over the length, from each start."""
    return shares_by_length(grouped(rows, "start"))


_SETTINGS = {"n_h": 20, "batch_size": 8, "clip": 1.0}


@experiment(
    claim="Whether the first and the last input have the same sign is a simple question, but it is "
    "very difficult to learn, because the one bit from the beginning is easily lost.",
    source="Favaro, long-term dependencies (P22b)",
    quick={
        "seeds": 8,
        **_SETTINGS,
        "steps": 300,
        "starts": ["default", "orthogonal"],
        "lengths": [20],
        "etas": [0.01, 0.03],
        "first": 2,
        "choosing": 2,
    },
    full={
        "seeds": 20,
        **_SETTINGS,
        "steps": 800,
        "starts": ["default", "identity", "orthogonal"],
        "lengths": [10, 20, 50, 100],
        "etas": [0.001, 0.003, 0.01, 0.03, 0.1, 0.3],
        "first": 4,
        "choosing": 4,
    },
    numbers=numbers,
    headline=(
        "default",
        "share of networks that learn over 20 steps, default initialization, best rate",
    ),
    finding="Over 20 steps most networks learn to compare the first sign with the last, but over "
    "{longest} steps only {at_longest} of {of} do, depending on the initialization.",
    verdict=[
        (
            lambda n: n.easy and n.hard,
            "Holds if the sequence is long: over {longest} steps, only {most} of {of} networks "
            "learn the task even with the best initialization.",
        )
    ],
    saw=[
        "Over 20 steps, {at_20} of {of} networks learn the task, depending on the initialization.",
        (
            lambda n: n.edges,
            "The chosen learning rate is the lowest or highest that we tried for {edges}, so "
            "another rate might be better there.",
        ),
    ],
    caveats=[
        "At first we tried only two rates, 0.003 and 0.01, without clipping, and wrote that the "
        "claim holds if the weights start small. Then length-success showed that the rate decides, "
        "and we added rates for each initialization, clipping and 100 steps. The rates to try were "
        "chosen on networks that are not reported. Four networks choose each rate, and twenty "
        "might choose another."
    ],
    table={"Networks that learn": learned_by_length, "Chosen learning rates": rates_by_length},
    plot=plot,
)
def run(config, seeds):
    """Train tanh networks of 20 units for 800 steps of Adam, gradients clipped to the norm 1, to
    say whether the first and the last input have the same sign, with noise of deviation 0.2 between
    them, over 10 to 100 steps; count those that get more than 95 % of new sequences right. Each way
    to begin the recurrent weights has, at each length, the learning rate of 0.001 to 0.3 with which
    most of four other networks learned, on other sequences; it falls linearly to 0.
    """
    return by_length(SameOpposite(), AdamEach, config, seeds)
