"""Do recurrent networks that begin sparse, with radius 1.2, learn long dependencies? (10.8)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import Contest, generators
from rnn_helpers.experiments.data import INTERVAL, claim_intervals, counted
from rnn_helpers.experiments.success import SUCCESS, start
from rnn_helpers.experiments.words import (
    AT_EDGES,
    Estimate,
    at_edges,
    crossed,
    either,
    grouped,
    where,
)
from rnn_helpers.tasks import Latch, accuracy, character_model
from rnn_helpers.training import SGD, fit

CLAIMED, PLAIN = "sparse 1.2", "default"
MOST = 0.5  # a judgment: networks learn well if most of them learn
STARTS = {
    PLAIN: ("default", None),
    "Gaussian 0.9": ("gaussian", 0.9),
    "Gaussian 1.2": ("gaussian", 1.2),
    "sparse 0.9": ("sparse", 0.9),
    "sparse 1.1": ("sparse", 1.1),
    CLAIMED: ("sparse", 1.2),
    "sparse 3": ("sparse", 3.0),
    "orthogonal": ("orthogonal", None),
    "identity": ("identity", None),
}
# The value to hold may come at any of the first steps, and a second input marks it.
TASKS = {"first": Latch(), "marked": Latch(onset=4, marker=True)}
_NAMES = {"first": "{length} steps, value first", "marked": "{length} steps, value marked"}


def numbers(rows):
    """Return the success of the claimed start and of the others, in each series of networks."""
    series = grouped(rows, "task", "length")
    at_hundred = grouped(series["first", 100], "start")
    return {
        "at_hundred": _learned(at_hundred[CLAIMED]),
        "success": _shares(rows, CLAIMED),
        "default": _shares(rows, PLAIN),
        "learned": _count(at_hundred[CLAIMED]),
        "of": len(at_hundred[CLAIMED]),
        "rate": {name: mine[0]["eta"] for name, mine in at_hundred.items()},
        "first": {
            length: _counts(mine) for (task, length), mine in series.items() if task == "first"
        },
        "marked": _counts(where(rows, task="marked")),
        "alike": ", ".join(_alike(at_hundred)),
        "why": _why(rows),
        "edges": at_edges(_named(rows), "start", "series", each="{} over {}"),
    }


def _learned(rows):
    """Estimate the share of networks that learn."""
    return Estimate.rate(row["right"] > SUCCESS for row in rows)


def _count(rows):
    return sum(row["right"] > SUCCESS for row in rows)


def _counts(rows):
    """Count the networks that learn, by start."""
    return {name: _count(mine) for name, mine in grouped(rows, "start").items()}


def _named(rows):
    """Name the series of each row."""
    return [row | {"series": _NAMES[row["task"]].format(**row)} for row in rows]


def data(rows):
    """Count the networks that hold a bit that may come late, for each start."""
    shown = grouped(where(rows, task="marked"), "start")
    return claim_intervals(
        {
            name: counted(row["right"] > SUCCESS for row in shown[name])
            for name in STARTS
            if name in shown
        },
        question="How many networks hold a bit that comes at one of the first five steps?",
        xlabel="networks that hold the bit until step 50",
        unit="networks hold the bit",
        spread=INTERVAL,
        share=True,
    )


def _shares(rows, name):
    """Estimate the share of networks that learn from a start, by task and length."""
    series = grouped(where(rows, start=name), "task", "length")
    return {f"{task}, {length}": _learned(mine) for (task, length), mine in series.items()}


def _why(rows):
    """Say why the numbers don't decide."""
    ours, default = _shares(rows, CLAIMED), _shares(rows, PLAIN)
    close = [series.split()[1] for series in default if ours[series].low <= default[series].high]
    if close:
        steps = either(close)
        return (
            f"Most networks with these weights learn, but over {steps} steps, about as many do "
            "with the default initialization."
        )
    return "The numbers don't decide."


def _works(n, task=""):
    """Whether most networks learn from the claimed start, and more than from the plain one."""
    return all(
        share.low > MOST and (series not in n.default or share.low > n.default[series].high)
        for series, share in n.success.items()
        if series.startswith(task)
    )


def _alike(by_start):
    """Name the starts whose interval overlaps that of the claimed one."""
    shares = {name: _learned(mine) for name, mine in by_start.items()}
    ours = shares.pop(CLAIMED)
    return [name for name, one in shares.items() if one.low <= ours.high and ours.low <= one.high]


def table(rows):
    """Tabulate how many networks learn, by start and series."""
    return crossed(
        _named(rows),
        "start",
        "series",
        lambda some: f"{_count(some)} of {len(some)}",
        heading="initialization and radius",
    )


_ALL = list(STARTS)
_RATES = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0]
_LOW_RATES = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0]
_SETTINGS = {"n_h": 50, "batch_size": 16, "tested": 500}


@experiment(
    claim="A recurrent network that starts with sparse weights of spectral radius 1.2 learns "
    "long-term dependencies well.",
    short="Sparse initial weights let networks learn long-term dependencies",
    source="Goodfellow et al. 10.8, after Sutskever et al. 2013",
    quick={
        "seeds": 6,
        "choosing": 1,
        "first": 1,
        **_SETTINGS,
        "series": [
            ["first", 100, 60, [0.1], [PLAIN, CLAIMED]],
            ["marked", 50, 60, [0.1], [PLAIN, CLAIMED]],
        ],
    },
    full={
        "seeds": 20,
        "choosing": 4,
        "first": 3,
        **_SETTINGS,
        "series": [
            ["first", 50, 150, _RATES, _ALL],
            ["first", 100, 150, _RATES, _ALL],
            [
                "marked",
                50,
                500,
                _LOW_RATES,
                ["Gaussian 0.9", "sparse 1.1", CLAIMED, "orthogonal", "identity"],
            ],
            ["marked", 50, 500, _LOW_RATES, [PLAIN, "Gaussian 1.2", "sparse 0.9"]],
        ],
    },
    numbers=numbers,
    headline=(
        "at_hundred",
        "share of networks that learn over 100 steps, sparse weights of radius 1.2",
    ),
    finding=[
        (
            lambda n: n.alike,
            "With sparse weights of radius 1.2, {learned} of {of} networks learn over 100 steps, "
            "but some other initializations do about as well.",
        ),
        (
            lambda n: True,
            "With sparse weights of radius 1.2, {learned} of {of} networks learn over 100 steps, "
            "more than with any other initialization.",
        ),
    ],
    verdict=Verdict(
        holds=(
            _works,
            "Holds. On every task, most networks with these weights learn, more than with the "
            "default initialization where we tried it.",
        ),
        in_part=(
            lambda n: _works(n, "first") and any(share.high < MOST for share in n.success.values()),
            "Holds in part, if the value always comes first. If it may come late, most networks "
            "with these weights don't learn to hold it.",
        ),
        fails=(
            lambda n: all(share.high < MOST for share in n.success.values()),
            "Does not hold. On every task, most networks with these weights don't learn.",
        ),
        otherwise="Undecided. {why}",
    ),
    taught=lambda n: (
        "first, 100" in n.default and n.success["first, 100"].low > n.default["first, 100"].high
    ),
    saw=[
        "Numbers after an initialization are its spectral radius. If the value is marked, it may "
        "come at any of the first 5 steps, and a second input marks it.",
        (
            lambda n: n.alike,
            f"Over 100 steps, these initializations can't be told apart from {CLAIMED}: {{alike}}.",
        ),
        AT_EDGES,
    ],
    table={"Networks that learn": table},
    caveats=[
        "In an earlier version, each initialization had the best of four learning rates up to 1, "
        "and no network with the default initialization learned. With higher rates, many do. All "
        "networks were tested on the same sequences; now each network has its own."
    ],
    data=data,
)
def run(config, seeds):
    """Train tanh networks of 50 units with gradient descent, gradients clipped to norm 1, to hold
    one bit through noise of deviation 0.2, from several starts, each at the learning rate that
    suits it best on 4 other seeds; count those that get more than 95 % of new sequences right.
    """
    names = "task", "length", "steps", "etas", "starts"
    return [
        row
        for series in config["series"]
        for row in Starts().run(config | dict(zip(names, series, strict=True)), seeds)
    ]


class Starts(Contest):
    """Networks that start with different weights, in one series."""

    columns = ("start",)

    def cells(self, config):
        """Name the starts of the series."""
        return [(name,) for name in config["starts"]]

    def train(self, config, cell, settings, seeds):
        """Train the networks, those of each rate side by side; return their parameters."""
        (kind, radius), task = STARTS[cell[0]], TASKS[config["task"]]
        made = []
        for eta in settings:
            params, data = start(task, kind, seeds, n_h=config["n_h"], radius=radius)
            batches = task.batches(config["length"], config["batch_size"], data)
            descent = {"steps": config["steps"], "optimizer": SGD(eta), "clip": 1.0}
            made.append(fit(character_model(), params, batches, **descent).params)
        return {name: np.concatenate([one[name] for one in made]) for name in made[0]}

    def score(self, config, cell, made, seeds):
        """Return the accuracy on new sequences."""
        task, test = TASKS[config["task"]], generators([seed, 3] for seed in seeds)
        return accuracy(made, next(task.batches(config["length"], config["tested"], test)))

    def rows(self, config, cell, made, seeds, scores):
        """Add the series to the rows."""
        series = {name: config[name] for name in ("task", "length", "steps")}
        return [series | row for row in super().rows(config, cell, made, seeds, scores)]
