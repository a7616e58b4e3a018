"""Recursive networks that learn what expressions are worth, each along a tree of its own kind."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rnn_helpers.experiments.choose import by_method, choose
from rnn_helpers.experiments.rates import trained
from rnn_helpers.experiments.shares import shares_over
from rnn_helpers.experiments.words import Estimate, crossed, grouped
from rnn_helpers.tasks.expressions import MODULUS, SYMBOLS, expression_batches


class Kind(NamedTuple):
    """A kind of network: along which trees it goes, its units, and whether a node has a tensor.

    One that draws trees of its `own` is told of none: of those that are laid it sees the leaves.
    """

    laid: str
    n_h: int
    tensor: bool = False
    own: bool = False


def evaluated(
    kinds: Mapping[str, Kind],
    config: dict,
    seeds: Sequence[int],
    look: Callable[..., list[dict]] | None = None,
) -> list[dict]:
    """Train networks of all kinds, each at the rate that suits it, and measure them by nesting.

    Parameters
    ----------
    kinds : dict
        By name.
    config : dict
        ``learned``, the nestings to learn from; ``measured``, those to measure; ``units``, a
        factor; ``etas``, ``first``, ``choosing`` as `choose` takes them; ``steps``,
        ``batch_size``, and ``tested`` expressions of each nesting.
    seeds : sequence of int
    look : callable, optional
        ``look(name, net, params, nesting)`` gives for each seed what its row holds besides.

    Returns
    -------
    list of dict
        A row for each kind, nesting and seed: the share that is ``right``.
    """

    def score(name, etas, others):
        net, params = _trained(kinds[name], etas, others, config)
        deepest = max(config["learned"])
        return _right(net, params, kinds[name], deepest, others * len(etas), config)

    ladders = dict.fromkeys(kinds, config["etas"])
    chosen = choose(ladders, by_method(score), first=config["first"], seeds=config["choosing"])
    rows = []
    for name, choice in chosen.items():
        net, params = _trained(kinds[name], [choice.setting], seeds, config)
        weights = sum(array[0].size for array in params.values())
        for nesting in config["measured"]:
            right = _right(net, params, kinds[name], nesting, seeds, config)
            seen = look(name, net, params, nesting) if look else [{} for _ in seeds]
            rows += [
                {"kind": name, "nesting": nesting, "seed": seed, "right": float(one)}
                | {"beyond": nesting > max(config["learned"]), "weights": weights}
                | {"eta": choice.setting, "at_edge": choice.at_edge}
                | more
                for seed, one, more in zip(seeds, right, seen, strict=True)
            ]
    return rows


def shares_right(rows: Sequence[dict]) -> dict[tuple[str, int], Estimate]:
    """Share that is right, by kind and nesting."""
    return {
        key: Estimate.mean((row["right"] for row in mine), (0, 1))
        for key, mine in grouped(rows, "kind", "nesting").items()
    }


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


def _drawn(kind, nestings, size, seeds):
    rngs = [np.random.default_rng(seed) for seed in seeds]
    shapes = np.random.default_rng([*np.atleast_1d(seeds[0]), 7])
    return expression_batches(kind.laid, nestings, size, rngs, shapes)


def _trained(kind, etas, seeds, config):
    """Networks of each rate and seed, and their parameters."""
    from rnn_helpers.nets.joining import Joining
    from rnn_helpers.nets.recursive import Recursive

    sizes = len(SYMBOLS), int(np.ceil(kind.n_h * config["units"])), MODULUS

    def make(each):
        return Joining(*sizes, each) if kind.own else Recursive(*sizes, each, kind.tensor)

    return trained(
        make,
        lambda each: _drawn(kind, config["learned"], config["batch_size"], each),
        etas,
        seeds,
        config["steps"],
    )


def _right(net, params, kind, nesting, seeds, config):
    """Share of new expressions of a nesting that each network evaluates right."""
    batch = next(_drawn(kind, [nesting], config["tested"], [[seed, 3] for seed in seeds]))
    return net.accuracy(params, batch)
