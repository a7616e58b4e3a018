"""Can a network learn to compare the last input with the first? (Favaro's example)"""

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.lengths import (
    Lengths,
    counts,
    learned_by_length,
    learned_over_length,
    rates_by_length,
    shares,
)
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.experiments.words import AT_EDGES, at_edges, grouped
from rnn_helpers.tasks import SameOpposite


def numbers(rows):
    """Count the networks that learned, by initialization and length, each at its own rate."""
    learned, by_start = counts(rows), shares(rows)
    by_length = {
        length: [each[length] for each in by_start.values()] for length in grouped(rows, "length")
    }
    longest = max(by_length)
    return {
        "of": len(grouped(rows, "seed")),
        "default": by_start["default"][20],
        "longest": longest,
        "best": {length: max(each) for length, each in by_length.items()},
        "worst": {length: min(each) for length, each in by_length.items()},
        "at_20": _from_to(learned, 20),
        "at_longest": _from_to(learned, longest),
        "most": max(each[longest] for each in learned.values()),
        "edges": at_edges(rows, "start", "length", each="{}, {} steps"),
        "learned": learned,
    }


def _from_to(learned, length):
    """Write the smallest and the largest number of networks that learned: ``7 to 13``."""
    at_length = [each[length] for each in learned.values()]
    return f"{min(at_length)} to {max(at_length)}"


def data(rows):
    """Count the networks that learn over the length, for each initialization."""
    return learned_over_length(
        grouped(rows, "start"), "Over how many steps do networks learn, by initialization?"
    )


_SETTINGS = {"n_h": 20, "batch_size": 8, "clip": 1.0}


@experiment(
    claim="Whether the first and the last input have the same sign is a simple question, but it is "
    "very difficult to learn, because the one bit from the beginning is easily lost.",
    source="Favaro, long-term dependencies",
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
        "etas": [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3],
        "first": 5,
        "choosing": 4,
    },
    numbers=numbers,
    headline=(
        "default",
        "share of networks that learn over 20 steps, default initialization, best rate",
    ),
    finding={
        "holds": "Over 20 steps only {at_20} of {of} networks learn to compare the first sign with "
        "the last, depending on the initialization.",
        "holds in part": "Over 20 steps most networks learn to compare the first sign with the "
        "last, but over {longest} steps only {at_longest} of {of} do, depending on the "
        "initialization.",
        "does not hold": "Most networks learn to compare the first sign with the last, even over "
        "{longest} steps.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.best[20].high < 0.5,
            "Holds. Over 20 steps, only {at_20} of {of} networks learn the task, depending on the "
            "initialization.",
        ),
        in_part=(
            lambda n: n.worst[20].low > 0.5 and n.best[n.longest].high < 0.9,
            "Holds in part, if the sequence is long: over {longest} steps, only {most} of {of} "
            "networks learn the task even with the best initialization.",
        ),
        fails=(
            lambda n: n.worst[n.longest].low > 0.5,
            "Does not hold. Over {longest} steps, {at_longest} of {of} networks learn the task, "
            "depending on the initialization.",
        ),
    ),
    saw=[
        "Over 20 steps, {at_20} of {of} networks learn the task, depending on the initialization.",
        AT_EDGES,
    ],
    caveats=[
        "At first we tried only two learning rates, 0.003 and 0.01, without clipping. We concluded "
        "that the claim holds if the weights start small. Then the experiment length-success "
        "showed that the result depends on the rate. So we chose a rate for each initialization "
        "and length, and we added clipping and sequences of 100 steps. Later we added a rate and a "
        "second block of 20 networks. The verdict stayed the same.",
        "We chose the range of rates on other networks, which are not reported. Only four networks "
        "decide on each rate, and a larger number might favor another one.",
    ],
    table={"Networks that learn": learned_by_length, "Chosen learning rates": rates_by_length},
    data=data,
)
def run(config, seeds):
    """We trained tanh networks of 20 units to output whether the first and the last input have the
    same sign. The sequences have 10 to 100 steps, and the inputs in between are noise with a
    standard deviation of 0.2. Training took 800 updates of Adam, with gradients clipped to norm 1.
    A network has learned the task if it gets more than 95 % of new sequences right. For each
    initialization and length, we chose the learning rate between 0.0003 and 0.3 that worked best
    for four other networks on other sequences. The rate falls linearly to 0 during training.
    """
    return Lengths(SameOpposite(), AdamEach).run(config, seeds)
