"""Recursive networks that learn the values of expressions, each along its own kind of tree."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rnn_helpers.experiments.contest import Contest, generators, typically_ahead
from rnn_helpers.experiments.shares import shares_over, tabulate_right, typically_right
from rnn_helpers.experiments.words import Estimate, grouped, where
from rnn_helpers.tasks.expressions import MODULUS, SYMBOLS, expression_batches

SHOWN = {"along the brackets": "along the parse tree"}
"""The name of a kind on pages, if it differs from the name in the rows."""


class Kind(NamedTuple):
    """A kind of network: the trees that it follows, its units, and whether its nodes have a tensor.

    A network that chooses its `own` trees receives only the leaves of the trees `laid`.
    """

    laid: str
    n_h: int
    tensor: bool = False
    own: bool = False


class Evaluated(Contest):
    """Kinds of networks that learn the values of expressions.

    The settings are ``learned``, the nestings in training; ``measured``, the nestings in the tests;
    ``units``, a factor for the number of units; ``steps``, ``batch_size``, and ``tested``, the
    number of test expressions of each nesting.

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
        """Draw expressions of the nestings in training; all networks get the same shapes."""
        return self._drawn(cell, config["learned"], size, seeds)

    def score(self, config, cell, made, seeds):
        """Return the share of right answers at the deepest nesting in training."""
        return self._right(config, cell, made, seeds, max(config["learned"]))

    def rows(self, config, cell, made, seeds, scores):
        """Return a row for each nesting and network."""
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
        """Return further columns for the rows of one nesting, a dict for each network."""
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
    """Estimate the share of right answers of a typical network, by kind and nesting."""
    return {key: typically_right(mine) for key, mine in grouped(rows, "kind", "nesting").items()}


def ahead_of_best(rows: Sequence[dict], nesting: int, one: str, others: Sequence[str]) -> Estimate:
    """Estimate by how much more one kind gets right at a nesting than the best of the others."""
    rows = where(rows, nesting=nesting)
    best = max(others, key=lambda kind: np.mean([row["right"] for row in where(rows, kind=kind)]))
    return typically_ahead(rows, "kind", one, best)


def deepest(rows: Sequence[dict]) -> tuple[int, int]:
    """Return the deepest nesting in training, and the deepest in the tests."""
    nestings = sorted({(row["nesting"], row["beyond"]) for row in rows})
    return max(n for n, beyond in nestings if not beyond), nestings[-1][0]


def as_shown(rows: Sequence[dict]) -> list[dict]:
    """Rename the kinds in rows as pages call them."""
    return [row | {"kind": SHOWN.get(row["kind"], row["kind"])} for row in rows]


def table_by_nesting(rows: Sequence[dict]) -> list[dict]:
    """Tabulate the median share of right answers, by kind and nesting."""

    return tabulate_right(
        as_shown(rows), "kind", "nesting", typical=True, heading="network", each="nested {} deep"
    )


def over_nesting(
    rows: Sequence[dict],
    question: str = "How deeply nested are the expressions that each network computes?",
):
    """Return the share of right answers over the nesting, with a line for each kind."""
    learned, _ = deepest(rows)
    return shares_over(
        as_shown(rows),
        "kind",
        "nesting",
        typical=True,
        question=question,
        unit="of the expressions are right",
        xlabel=f"nesting; learned from up to {learned}",
        ylabel="expressions computed correctly",
    )
