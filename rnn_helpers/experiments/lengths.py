"""The lengths up to which networks learn, for several initializations, each at its best rate."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from rnn_helpers.experiments.contest import Contest
from rnn_helpers.experiments.data import INTERVAL, Data, claim_curves, counted
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.experiments.success import SUCCESS, start
from rnn_helpers.experiments.words import Estimate, crossed, grouped
from rnn_helpers.tasks import Latch, SameOpposite, accuracy, character_model
from rnn_helpers.training import fit

STARTS = {
    "default": ("default", None),
    "Gaussian, radius 0.5": ("gaussian", 0.5),
    "identity": ("identity", None),
    "orthogonal": ("orthogonal", None),
}
_TEST_SEQUENCES = 500


class Lengths(Contest):
    """Initializations at several lengths: how many networks learn a task.

    Parameters
    ----------
    task : Latch or SameOpposite
        The task they learn.
    optimizer : type
        `AdamEach` or `SGDEach`.
    """

    columns = "start", "length"
    apart = "length"
    limit = SUCCESS  # a network that has learned the task needs no better rate

    def __init__(self, task: Latch | SameOpposite, optimizer: type[AdamEach]):
        self.task = task
        self.optimizer = optimizer

    def cells(self, config):
        """Pair each of the ``starts``, which are some of `STARTS`, with each of the ``lengths``."""
        return [(name, length) for length in config["lengths"] for name in config["starts"]]

    def train(self, config, cell, settings, seeds):
        """Train tanh networks of ``n_h`` units; ``clip`` is the largest norm of a gradient."""
        name, length = cell
        kind, radius = STARTS[name]
        each = [*seeds] * len(settings)
        params, data = start(self.task, kind, each, n_h=config["n_h"], radius=radius)
        return fit(
            character_model(),
            params,
            self.task.batches(length, config["batch_size"], data),
            steps=config["steps"],
            optimizer=self.optimizer(np.repeat(settings, len(seeds)), config["steps"]),
            clip=config["clip"],
        ).params

    def score(self, config, cell, made, seeds):
        """Measure the accuracy on new sequences, the same for all networks."""
        return accuracy(made, next(self.task.batches(cell[1], _TEST_SEQUENCES, seed=seeds[0])))


def learned(rows: Iterable[dict]) -> list[bool]:
    """Return for each network whether it has learned the task."""
    return [row["right"] > SUCCESS for row in rows]


def n_learned(rows: Iterable[dict]) -> int:
    """Count the networks that have learned the task."""
    return sum(learned(rows))


def shares(rows: Iterable[dict]) -> dict[str, dict[int, Estimate]]:
    """Estimate the share of networks that learn, by initialization and length."""
    return _by_start(rows, lambda some: Estimate.rate(learned(some)))


def counts(rows: Iterable[dict]) -> dict[str, dict[int, int]]:
    """Count the networks that learn, by initialization and length."""
    return _by_start(rows, n_learned)


def rates(rows: Iterable[dict]) -> dict[str, dict[int, float]]:
    """Gather the chosen learning rates, by initialization and length."""
    return _by_start(rows, lambda some: some[0]["eta"])


def _by_start(rows, value):
    return {
        name: {length: value(some) for length, some in grouped(mine, "length").items()}
        for name, mine in grouped(rows, "start").items()
    }


def learned_by_length(rows: Iterable[dict]) -> list[dict]:
    """Tabulate how many networks learn, by initialization and length."""
    return _table(rows, lambda some: f"{n_learned(some)} of {len(some)}")


def rates_by_length(rows: Iterable[dict]) -> list[dict]:
    """Tabulate the chosen learning rate by initialization and length."""
    return _table(rows, lambda some: f"{some[0]['eta']:g}")


def _table(rows, cell):
    return crossed(rows, "start", "length", cell, heading="initialization", each="{} steps")


def learned_over_length(curves: Mapping[str, Sequence[dict]], question: str) -> Data:
    """Count the networks that learn over the length, for the rows of each curve."""
    series = {
        name: [
            {"length": length, **counted(learned(some))._asdict()}
            for length, some in grouped(rows, "length").items()
        ]
        for name, rows in curves.items()
    }
    return claim_curves(
        series,
        "length",
        "value",
        question=question,
        xlabel="length of the sequence",
        ylabel="networks that learn",
        unit="networks learn",
        spread=INTERVAL,
        share=True,
        log="x",
    )
