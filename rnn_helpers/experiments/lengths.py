"""Up to what length networks learn, each way to begin at the learning rate that suits it."""

from collections.abc import Sequence

import numpy as np

from rnn_helpers.experiments.contest import Contest
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.experiments.success import SUCCESS, Attempts, start
from rnn_helpers.experiments.words import crossed, grouped, listed, where
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
        What they learn.
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

    def rows(self, config, cell, made, seeds, scores):
        """Count the networks that learn, with the columns of `Attempts.row`."""
        return [Attempts(np.array([config["steps"]]), np.array([scores]), {}).row()]

    def chosen(self, choice):
        """Add the mean score of each rate that was tried."""
        return super().chosen(choice) | {"tried": choice.tried}


def counts(rows: Sequence[dict], column: str = "successes") -> dict[str, dict[int, float]]:
    """Gather a column by initialization and length, so that a template can name one value."""
    return {
        name: {row["length"]: row[column] for row in mine}
        for name, mine in grouped(rows, "start").items()
    }


def learned_by_length(rows: Sequence[dict]) -> list[dict]:
    """Tabulate how many networks learn, by initialization and length."""
    return _table(rows, "{successes} of {of}")


def rates_by_length(rows: Sequence[dict]) -> list[dict]:
    """Tabulate the chosen learning rate by initialization and length."""
    return _table(rows, "{eta:g}")


def _table(rows, template):
    def cell(some):
        return template.format(**some[0])

    return crossed(rows, "start", "length", cell, heading="initialization", each="{} steps")


def at_edges(rows: Sequence[dict]) -> str:
    """Write which rates are the first or last of the ladder: ``identity at length 200 (0.1)``."""
    return listed("{start} at length {length} ({eta:g})", where(rows, at_edge=True))


def shares_by_length(curves: dict[str, Sequence[dict]]):
    """Draw the share that learns over the length, with its interval, for the rows of each curve.

    Returns
    -------
    rnn_helpers.plots.Plot
    """
    from rnn_helpers.plots.curves import claim_curves

    words = {"xlabel": "length of the sequence", "ylabel": "share that learn"}
    return claim_curves(curves, "length", "rate", log="x", **words)
