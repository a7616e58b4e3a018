"""Networks that learn to count since the last reset, each kind at its own learning rate."""

from collections.abc import Mapping, Sequence
from math import exp

import numpy as np

from rnn_helpers.experiments.contest import Contest, generators
from rnn_helpers.experiments.words import Estimate, grouped
from rnn_helpers.tasks import CountSinceReset

FULL = {
    "choosing": 4,
    "first": 3,
    "batch_size": 16,
    "length": 30,
    "steps": 600,
    "tested": 500,
    "etas": [0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28],
}
"""Settings of a full run; see `Counting`."""
QUICK = FULL | {"choosing": 1, "first": 1, "length": 20}
"""Settings of a quick run, without its steps and learning rate."""
AS_WELL = 1.5
"""A judgment: a network learns as well as another if its error is at most half more."""


class Counting(Contest):
    """Networks that count the ones since the last reset.

    The settings name the ``networks`` that compete, and the probability of a ``reset`` at a step,
    0.05 if it is left out.

    Parameters
    ----------
    networks : mapping from a name to (str, int, dict)
        The unit, the number of units and the parts of each network, as `rnn_helpers.nets.Gated`
        takes them.
    """

    columns = ("network",)

    def __init__(self, networks: Mapping[str, tuple]):
        self.networks = networks

    def cells(self, config):
        """Name the networks."""
        return [(name,) for name in config["networks"]]

    def net(self, config, cell, seeds):
        """Make the networks of a kind."""
        from rnn_helpers.nets import Gated

        unit, n_h, parts = self.networks[cell[0]]
        task = _task(config)
        return Gated(task.n_x, n_h, task.n_y, seeds, unit, **parts)

    def batches(self, config, cell, size, seeds):
        """Draw sequences of the length of training."""
        return _task(config).batches(config["length"], size, generators(seeds))

    def score(self, config, cell, made, seeds):
        """Return minus the logarithm of the error on new sequences."""
        return -np.log(_left(made, config, config["length"], seeds))

    def rows(self, config, cell, made, seeds, scores):
        """Return the error, and the error on sequences three times as long."""
        longer = _left(made, config, 3 * config["length"], seeds)
        return [
            {"seed": seed, "error": exp(-score), "longer": float(far)}
            for seed, score, far in zip(seeds, scores, longer, strict=True)
        ]


def _task(config: dict) -> CountSinceReset:
    return CountSinceReset(reset=config.get("reset", 0.05))


def _left(made, config: dict, length: int, seeds) -> np.ndarray:
    """Return the squared error as a share of what remains for a network that knows the mean."""
    (net, params), task = made, _task(config)
    x, y = next(task.batches(length, config["tested"], generators([seed, 3] for seed in seeds)))
    errors = (net.outputs(params, x)[..., 0] - y) ** 2
    return errors.mean(axis=(0, 2)) / task.baseline(length)


def ratios(rows: Sequence[dict], name: str, other: str, column: str = "error") -> list[float]:
    """Return one network's error as a multiple of another's, seed by seed."""
    errors = {(row["network"], row["seed"]): row[column] for row in rows}
    seeds = sorted({seed for network, seed in errors if network == name})
    return [errors[name, seed] / errors[other, seed] for seed in seeds]


def times(rows: Sequence[dict], name: str, other: str, column: str = "error") -> Estimate:
    """How many times one network's error is another's, of the same seed: a geometric mean."""
    return Estimate.geometric(ratios(rows, name, other, column))


def error_table(rows: Sequence[dict]) -> list[dict]:
    """Tabulate the errors of all networks, each at its own learning rate."""
    lengths = {"error": "at the length of training", "longer": "three times as long"}
    return [
        {"network": name}
        | {
            heading: f"{Estimate.geometric(row[column] for row in mine):.2g}"
            for column, heading in lengths.items()
        }
        | {"learning rate": f"{mine[0]['eta']:g}"}
        for name, mine in grouped(rows, "network").items()
    ]
