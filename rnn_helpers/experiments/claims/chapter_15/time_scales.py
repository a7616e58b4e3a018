"""Do skips, leaky units or removed connections help to hold a bit? (section 10.9)"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.own_rates import successes
from rnn_helpers.experiments.success import SUCCESS
from rnn_helpers.experiments.words import Estimate, crossed, either, listed, where
from rnn_helpers.plots import claim_intervals
from rnn_helpers.tasks import Latch


@dataclass(frozen=True)
class At(Latch):
    """The latch whose bit always arrives at one step, counted from 1."""

    step: int = 1

    def _draw(self, n_steps, batch_size, rng):
        x, bits = super()._draw(n_steps, batch_size, rng)
        return np.roll(x, self.step - 1, axis=0), bits  # the rest is noise either way


SLOWEST = 32
RANDOM, FIRST = "at any of steps 1 to 5", "at step 1"
MULTIPLE, TICK = "a multiple of 5 steps before the answer", "when all clocks tick"
# when the bit arrives: the task, and by how many steps its sequences are longer
WHEN = {
    RANDOM: (Latch(onset=4, marker=True), 0),
    FIRST: (At(marker=True), 0),
    MULTIPLE: (At(marker=True), 1),
    TICK: (At(marker=True, step=SLOWEST), SLOWEST - 1),
}
PERIODS = sorted([1, 2, 4, 8, 16, SLOWEST] * 3 + [1, 2, 4])
SPECTRUM = np.exp(-1 / np.geomspace(1, 100, 17))
# number of units, chosen so that all have about 370 weights, and their parts
NETWORKS = {
    "simple": (17, {}),
    "simple, orthogonal": (17, {"start": "orthogonal"}),
    "skips of 5": (12, {"skip": 5}),
    "skips of 10": (12, {"skip": 10}),
    "leaky, 0.9": (17, {"alpha": 0.9}),
    "leaky, 0.99": (17, {"alpha": 0.99}),
    "leaky, many scales": (17, {"alpha": SPECTRUM}),
    "leaky, learned": (17, {"alpha": 0.9, "learned": True}),
    "skips of 5 alone": (17, {"skip": 5, "direct": False}),
    "clocks": (len(PERIODS), {"periods": PERIODS}),
}
# names in the plot and in the texts; the other networks are called by their keys
LABELS = {
    "simple": "simple RNN",
    "simple, orthogonal": "simple RNN, orthogonal start",
    "leaky, 0.9": "leaky, α = 0.9",
    "leaky, 0.99": "leaky, α = 0.99",
    "leaky, many scales": f"leaky, {len(SPECTRUM)} constants",
    "leaky, learned": "leaky, learned α",
    "skips of 5 alone": "skips of 5, no short edges",
    "clocks": f"clocks, periods 1 to {SLOWEST}",
}
SIMPLE = ("simple", "simple, orthogonal")
STRATEGIES = {
    "skips": ("skips of 5", "skips of 10"),
    "leaky units": ("leaky, 0.9", "leaky, 0.99", "leaky, many scales", "leaky, learned"),
    "removing connections": ("skips of 5 alone", "clocks"),
}
HEAD = ("skips of 5", 50)


def label(row):
    """Return the name of a row's network in plots and texts."""
    return LABELS.get(row["network"], row["network"])


def _by_network(rows, value):
    """Return a value of each row, by network and length."""
    found = {}
    for row in rows:
        found.setdefault(row["network"], {})[row["length"]] = value(row)
    return found


def numbers(rows):
    """Return which networks learned, and which strategies beat the simple networks and when."""
    count = {(row["when"], row["network"], row["length"]): row for row in rows}
    better = [row for row in where(rows, when=RANDOM) if _beats(row, count)]
    helping = {
        strategy: max(mine, key=lambda row: row["length"])
        for strategy, names in STRATEGIES.items()
        if (mine := [row for row in better if row["network"] in names])
    }
    length = HEAD[1]
    at_random = where(rows, when=RANDOM)
    suited = {"skips of 5 alone": MULTIPLE, "clocks": TICK}
    return {
        "of": rows[0]["of"],
        "gains": {
            strategy: max(
                _gain(count[RANDOM, name, length], count)
                for name in names
                if (RANDOM, name, length) in count
            )
            for strategy, names in STRATEGIES.items()
            if any((RANDOM, name, length) in count for name in names)
        },
        "learned": _by_network(at_random, lambda row: row["successes"]),
        "right": _by_network(at_random, lambda row: np.mean(row["accuracy"])),
        "timed": {
            name: row["successes"]
            for name, when in suited.items()
            for row in where(rows, when=when, network=name)
        },
        "head": Estimate.stored(count[RANDOM, *HEAD]),
        "helping": listed(
            "With {1}, {2[successes]} of {2[of]} networks learn over {2[length]} steps; of the "
            "simple RNNs, at most {3[successes]} do.",
            (
                (name, _said(row), row, _simple(count, row["length"]))
                for name, row in helping.items()
            ),
            " ",
        ),
        "strategies": either(helping),
        "helpers": " and ".join(helping).capitalize(),
        "others": " and ".join(strategy for strategy in STRATEGIES if strategy not in helping),
        "flattered": listed(
            "If the bit arrives {1[when]}, {1[successes]} of {1[of]} networks with {0} learn; "
            "if it arrives {2[when]}, {2[successes]} do.",
            ((_said(row), row, other) for row, other in _flattered(rows, count)),
            " ",
        ),
    }


def table(rows):
    """Tabulate how many networks learned, by when the bit arrives and the length."""
    named = [
        row | {"network": label(row), "span": f"bit {row['when']}, {row['length']} steps"}
        for row in rows
    ]
    return crossed(
        named,
        "network",
        "span",
        lambda some: (
            f"{some[0]['successes']} of {some[0]['of']} ({np.mean(some[0]['accuracy']):.0%} right)"
        ),
    )


def plot(rows):
    """Draw the share of networks that hold a bit over 50 steps, for each kind of network."""
    return claim_intervals(
        [
            {"label": label(row), **Estimate.stored(row)._asdict()}
            for row in where(rows, when=RANDOM, length=50)
        ],
        xlabel="share that learns over 50 steps",
    )


def _said(row):
    """Return what a row's networks have, for a sentence: «leaky units (α = 0.9)»."""
    kind, _, detail = label(row).partition(", ")
    kind = "leaky units" if kind == "leaky" else kind
    return f"{kind} ({detail})" if detail else kind


def _simple(count, length):
    """Return the row of the initialization with which more of the simple networks learned."""
    both = (count.get((RANDOM, name, length)) for name in SIMPLE)
    return max(filter(None, both), key=lambda row: row["rate"])


def _beats(row, count):
    """Return whether more networks learned than of the simple ones over as many steps."""
    return _gain(row, count).low > 0


def _gain(row, count):
    """Estimate by how much the share that learns exceeds that of the better simple network."""
    pair = row, _simple(count, row["length"])
    return Estimate.paired(*([right > SUCCESS for right in one["accuracy"]] for one in pair))


def _flattered(rows, count):
    """Yield networks with removed connections that learn more often if the step is fixed."""
    for row in rows:
        if row["when"] != RANDOM and row["network"] in STRATEGIES["removing connections"]:
            at_random = count[RANDOM, row["network"], row["length"]]
            if row["low"] > at_random["high"]:
                yield row, at_random


@experiment(
    claim="Skip connections, leaky units, or the removal of connections of length one help to "
    "learn long-term dependencies.",
    source="Goodfellow et al. 10.9 (P25)",
    quick={
        "seeds": 3,
        "choosing": 0,
        "etas": [0.01],
        "batch_size": 16,
        "steps": 150,
        "series": [[RANDOM, [50], ["simple", "skips of 5"]]],
    },
    full={
        "seeds": 12,
        "choosing": 4,
        "etas": [0.003, 0.01, 0.03, 0.1],
        "batch_size": 16,
        "steps": 400,
        "series": [
            [RANDOM, [20, 50, 100], list(NETWORKS)],
            [FIRST, [50], ["simple", "skips of 5", "skips of 5 alone", "clocks"]],
            [MULTIPLE, [50], ["skips of 5", "skips of 5 alone"]],
            [TICK, [50], ["simple", "clocks"]],
        ],
    },
    numbers=numbers,
    headline=("head", f"share of networks that learn over {HEAD[1]} steps, {HEAD[0]}"),
    finding="{helpers} help networks to hold a bit; {others} doesn't, unless the bit arrives at "
    "a suitable step.",
    verdict=Verdict(
        holds=(
            lambda n: all(gain.low > 0 for gain in n.gains.values()),
            "Holds. Each of the three strategies helps if the bit arrives at a random early step.",
        ),
        holds_if=(
            lambda n: (
                any(gain.low > 0 for gain in n.gains.values())
                and all(gain.low > 0 or gain.high < 0 for gain in n.gains.values())
            ),
            "Holds if the strategy is {strategies}.",
        ),
        fails=(
            lambda n: all(gain.high < 0 for gain in n.gains.values()),
            "Does not hold. With each of the three strategies, fewer networks learn than with a "
            "simple one.",
        ),
    ),
    saw=[
        "{helping} {flattered} With skips of 5 and no short edges, only one of the first five "
        "steps is connected to the output, so at most 60% of the answers can be right."
    ],
    table={"Networks that learn, with the share of right answers": table},
    plot=plot,
)
def run(config, seeds):
    """Train networks of about 370 weights with Adam for 400 steps to hold one marked bit through
    noise over 20, 50 and 100 steps. The bit arrives at any of the first five steps, or always at
    the same step, which may suit the skips or the clocks. Each kind of network uses the best of
    four learning rates, chosen on 4 other seeds. Count the networks that get more than 95 % of new
    sequences right.
    """
    return [
        {"when": when, "length": length, "network": name, **row}
        for when, lengths, names in config["series"]
        for length in lengths
        for name in names
        for row in _one(name, when, length, config, seeds)
    ]


def _one(name: str, when: str, length: int, config: dict, seeds: list) -> list[dict]:
    task, longer = WHEN[when]
    return successes([name], partial(_begin, task), task, length + longer, config, seeds)


def _begin(task: Latch, names, seeds):
    from rnn_helpers.nets import Gated

    n_h, parts = NETWORKS[names[0]]
    net = Gated(task.n_x, n_h, task.n_y, seeds, "leaky", **parts)
    return net, net.params()
