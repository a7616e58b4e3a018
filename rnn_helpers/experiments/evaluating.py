"""Recursive networks that learn what expressions are worth, each along a tree of its own kind."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rnn_helpers.experiments.contest import Contest, ahead, generators
from rnn_helpers.experiments.shares import shares_over
from rnn_helpers.experiments.words import Estimate, crossed, grouped, where
from rnn_helpers.tasks.expressions import MODULUS, SYMBOLS, expression_batches


class Kind(NamedTuple):
    """A kind of network: along which trees it goes, its units, and whether a node has a tensor.

    One that draws trees of its `own` is told of none: of those that are laid it sees the leaves.
    """

    laid: str
    n_h: int
    tensor: bool = False
    own: bool = False


class Evaluated(Contest):
    """Kinds of networks that learn what expressions are worth.

    The settings are ``learned``, the nestings to learn from; ``measured``, those to measure;
    ``units``, a factor; ``steps``, ``batch_size``, and ``tested`` expressions of each nesting.

    Parameters
    ----------
    kinds : dict of Kind
        By name.
    """

    columns = ("kind",)

    def __init__(self, kinds: Mapping[str, Kind]):
        self.kinds = kinds

    def cells(self, config):
        """Name each kind."""
        return [(name,) for name in self.kinds]

    def net(self, config, cell, seeds):
        """Make networks of a kind."""
        from rnn_helpers.nets.joining import Joining
        from rnn_helpers.nets.recursive import Recursive

        kind = self.kinds[cell[0]]
        sizes = len(SYMBOLS), int(np.ceil(kind.n_h * config["units"])), MODULUS
        return Joining(*sizes, seeds) if kind.own else Recursive(*sizes, seeds, kind.tensor)

    def batches(self, config, cell, size, seeds):
        """Draw expressions of all nestings that are learned from; networks share their shapes."""
        return self._drawn(cell, config["learned"], size, seeds)

    def score(self, config, cell, made, seeds):
        """Measure the share that is right at the deepest nesting that is learned from."""
        return self._right(config, cell, made, seeds, max(config["learned"]))

    def rows(self, config, cell, made, seeds, scores):
        """Measure the share that is right at each nesting."""
        weights = sum(array[0].size for array in made[1].values())
        return [
            {"nesting": nesting, "seed": seed, "right": float(right), "weights": weights}
            | {"beyond": nesting > max(config["learned"])}
            | more
            for nesting in config["measured"]
            for seed, right, more in zip(
                seeds,
                self._right(config, cell, made, seeds, nesting),
                self.more(config, cell, made, seeds, nesting),
                strict=True,
            )
        ]

    def more(self, config, cell, made, seeds, nesting) -> list[dict]:
        """Return further columns, for each network those of its row at a nesting."""
        return [{} for _ in seeds]

    def _right(self, config, cell, made, seeds, nesting) -> np.ndarray:
        net, params = made
        streams = [[seed, 3] for seed in seeds]
        return net.accuracy(params, next(self._drawn(cell, [nesting], config["tested"], streams)))

    def _drawn(self, cell, nestings, size, seeds):
        shapes = np.random.default_rng([*seeds[0], 7])
        return expression_batches(
            self.kinds[cell[0]].laid, nestings, size, generators(seeds), shapes
        )


def shares_right(rows: Sequence[dict]) -> dict[tuple[str, int], Estimate]:
    """Share that is right, by kind and nesting."""
    return {
        key: Estimate.mean((row["right"] for row in mine), (0, 1))
        for key, mine in grouped(rows, "kind", "nesting").items()
    }


def ahead_of_best(rows: Sequence[dict], nesting: int, one: str, others: Sequence[str]) -> Estimate:
    """Estimate by how much more one kind gets right at a nesting than the best of the others."""
    rows = where(rows, nesting=nesting)
    best = max(others, key=lambda kind: np.mean([row["right"] for row in where(rows, kind=kind)]))
    return ahead(rows, "kind", one, best)


def deepest(rows: Sequence[dict]) -> tuple[int, int]:
    """The deepest nesting that was learned from, and the deepest that was measured."""
    nestings = sorted({(row["nesting"], row["beyond"]) for row in rows})
    return max(n for n, beyond in nestings if not beyond), nestings[-1][0]


def table_by_nesting(rows: Sequence[dict]) -> list[dict]:
    """Tabulate the share of expressions that are right, by kind and nesting."""

    def share(some):
        return f"{Estimate.mean((row['right'] for row in some), (0, 1)):.2f}"

    return crossed(rows, "kind", "nesting", share, heading="network", each="nested {} deep")


def over_nesting(rows: Sequence[dict]):
    """Draw the share of expressions that are right over their nesting, a curve for each kind."""
    learned, _ = deepest(rows)
    return shares_over(
        rows,
        "kind",
        "nesting",
        xlabel=f"nesting; learned from up to {learned}",
        ylabel="share of expressions right",
    )
