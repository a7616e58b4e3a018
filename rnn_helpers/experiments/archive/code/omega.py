"""Networks that learn with the regularizer Omega or without, and that are clipped or not."""

from collections.abc import Iterable
from itertools import product

import numpy as np

from rnn_helpers.experiments.contest import Cell, generators
from rnn_helpers.experiments.data import INTERVAL, Data, claim_groups, counted
from rnn_helpers.experiments.grids import GridContest
from rnn_helpers.experiments.lengths import learned, n_learned
from rnn_helpers.experiments.rates import SGDEach
from rnn_helpers.experiments.success import start
from rnn_helpers.experiments.words import crossed, grouped, where
from rnn_helpers.tasks import Latch, TemporalOrder, accuracy, character_model, flow_model
from rnn_helpers.training import fit

TASKS = {"latch": Latch(), "order": TemporalOrder()}
EXPLODED = 100.0  # norm of a gradient, many times the longest that clipping lets pass
_TEST_SEQUENCES = 500


class Flows(GridContest):
    """Methods of gradient descent, each of them at the settings that suit it on each task.

    A setting is a clipping threshold or None, a learning rate, and a weight of Omega if there is
    one. ``tasks`` in the config gives the ``task``, ``length`` and training ``steps`` by a name.
    """

    columns = "method", "task"
    values = "threshold", "eta", "alpha"
    apart = "task"

    def cells(self, config):
        """Pair the methods with the tasks."""
        return list(product(config["grids"], config["tasks"]))

    def initialization(self, config: dict, cell: Cell) -> tuple[str, float | None]:
        """Return the kind of ``W`` at first, and its spectral radius if it is set."""
        raise NotImplementedError

    def train(self, config, cell, settings, seeds):
        """Train the networks of one setting after those of the other.

        Returns
        -------
        list of (ndarray, ndarray)
            For each setting, the networks' accuracies on new sequences and whether the norm of
            their gradient exploded.
        """
        return [self._one(config, cell, seeds, *setting) for setting in settings]

    def _one(self, config, cell, seeds, threshold, eta, alpha=0.0):
        of = config["tasks"][cell[1]]
        task, length = TASKS[of["task"]], of["length"]
        kind, radius = self.initialization(config, cell)
        params, data = start(task, kind, seeds, n_h=config["n_h"], radius=radius)
        made = fit(
            flow_model(alpha) if alpha else character_model(),
            params,
            task.batches(length, config["batch_size"], data),
            steps=of["steps"],
            optimizer=SGDEach([eta] * len(seeds), of["steps"]),
            clip=threshold,
        )
        test = task.batches(length, _TEST_SEQUENCES, generators([seed, 3] for seed in seeds))
        return accuracy(made.params, next(test)), (made.grad_norm > EXPLODED).any(axis=0)

    def score(self, config, cell, made, seeds):
        """Return the accuracy of each network."""
        return np.concatenate([right for right, _ in made])

    def rows(self, config, cell, made, seeds, scores):
        """Add whether gradients exploded."""
        ((_, exploded),) = made
        rows = super().rows(config, cell, made, seeds, scores)
        return [row | {"exploded": int(one)} for row, one in zip(rows, exploded, strict=True)]


def by_task(rows: Iterable[dict]) -> dict[str, dict[str, list[dict]]]:
    """Gather the rows of each task and method."""
    return {task: grouped(mine, "method") for task, mine in grouped(rows, "task").items()}


def table_learned(rows: Iterable[dict]) -> list[dict]:
    """Tabulate how many networks learn, and at which learning rate, by method and task."""

    def told(some):
        return f"{n_learned(some)} of {len(some)}, rate {some[0]['eta']:g}"

    return crossed(rows, "method", "task", told)


def table_exploded(rows: Iterable[dict]) -> list[dict]:
    """Tabulate how many networks learn with an explosion and without, over all tasks."""

    def told(some):
        return f"{n_learned(some)} of {len(some)}"

    return [
        {
            "method": method,
            "learn": told(mine),
            f"of those whose gradient exceeded {EXPLODED:g}": told(where(mine, exploded=1)),
            "of the others": told(where(mine, exploded=0)),
        }
        for method, mine in grouped(rows, "method").items()
    ]


TABLES = {
    "Networks that learn, and the chosen learning rate": table_learned,
    "Networks that learn, on all tasks together": table_exploded,
}


def data(rows: Iterable[dict]) -> Data:
    """Count the networks that learn, by task and method."""
    return claim_groups(
        {
            task: {method: counted(learned(some)) for method, some in ways.items()}
            for task, ways in by_task(rows).items()
        },
        question="How many networks learn each task, by method?",
        xlabel="networks that learn",
        unit="networks learn",
        spread=INTERVAL,
        share=True,
    )
