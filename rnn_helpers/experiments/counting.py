"""Networks that learn to count since the last reset, several of a kind side by side."""

from collections.abc import Sequence
from itertools import product
from math import exp, log

import numpy as np

from rnn_helpers.experiments.rates import AdamEach, separate
from rnn_helpers.experiments.words import Estimate, grouped
from rnn_helpers.tasks import CountSinceReset
from rnn_helpers.training import fit

_TEST_SEQUENCES = 500


def at_all_rates(
    name: str, unit: str, n_h: int, parts: dict, config: dict, seeds: Sequence[int]
) -> list[dict]:
    """Train networks at each learning rate, on the seeds of the result and on those for the rate.

    The learning rate falls linearly to 0, so that the last minibatches do not decide. Tests are on
    new sequences, also three times as long.

    Parameters
    ----------
    name : str
        What the rows call it.
    unit, n_h, parts
        As for `rnn_helpers.nets.Gated`.
    config : dict
        ``length``, ``batch_size``, ``steps``, the learning rates ``etas``, on how many seeds of
        their own they are chosen, ``choosing``, and the probability of a ``reset``, 0.05 if left
        out.
    seeds : sequence of int
        Those of the result, one network each at each rate.

    Returns
    -------
    list of dict
        For each network its rate ``eta``, what it is ``for`` (``"the rate"`` or ``"the result"``),
        and the mean squared error, as a share of what is left to whoever knows the mean: ``error``
        at the length of training and ``longer`` at three times that length.
    """
    from rnn_helpers.nets import Gated

    choosing_seeds = separate(config["choosing"])
    etas, all_seeds = zip(*product(config["etas"], [*choosing_seeds, *seeds]), strict=True)
    task = CountSinceReset(reset=config.get("reset", 0.05))
    net = Gated(task.n_x, n_h, task.n_y, all_seeds, unit, **parts)
    data = [np.random.default_rng(seed).spawn(1)[0] for seed in all_seeds]
    history = fit(
        net.loss_and_grads,
        net.params(),
        task.batches(config["length"], config["batch_size"], data),
        steps=config["steps"],
        optimizer=AdamEach(etas, config["steps"]),
    )
    errors = []
    for length in (config["length"], 3 * config["length"]):
        x, y = next(task.batches(length, _TEST_SEQUENCES, seed=0))  # the same for all, new to all
        squared_error = (net.outputs(history.params, x)[..., 0] - y[:, None]) ** 2
        errors.append(squared_error.mean(axis=(0, 2)) / task.baseline(length))
    return [
        {
            "eta": eta,
            "for": "the rate" if seed in choosing_seeds else "the result",
            "network": name,
            "seed": seed,
            "error": error,
            "longer": longer,
        }
        for eta, seed, error, longer in zip(etas, all_seeds, *errors, strict=True)
    ]


def at_best_rate(rows: Sequence[dict]) -> list[dict]:
    """Rows of the result, of each network at the rate at which it did best on the other seeds.

    Parameters
    ----------
    rows : sequence of dict
        As `at_all_rates` returns them, of any number of networks. Where none is for the rate, as
        in a quick run, those of the result choose it.

    Returns
    -------
    list of dict
        Network by network, in the order in which they first appear.
    """
    best = []
    for name in dict.fromkeys(row["network"] for row in rows):
        of_network = [row for row in rows if row["network"] == name]
        tries = [row for row in of_network if row["for"] == "the rate"] or of_network
        etas = {row["eta"]: typical([r for r in tries if r["eta"] == row["eta"]], name)
                for row in tries}  # fmt: skip
        eta = min(etas, key=etas.get)
        best += [row for row in of_network if (row["for"], row["eta"]) == ("the result", eta)]
    return best


def times(rows: Sequence[dict], name: str, other: str, column: str = "error") -> Estimate:
    """How many times one network's error is another's, of the same seed: a geometric mean."""
    errors = {(row["network"], row["seed"]): row[column] for row in rows}
    seeds = sorted({seed for network, seed in errors if network == name})
    return Estimate.geometric(errors[name, seed] / errors[other, seed] for seed in seeds)


def typical(rows: Sequence[dict], name: str, column: str = "error") -> float:
    """Geometric mean of a network's error over its seeds."""
    return exp(np.mean([log(row[column]) for row in rows if row["network"] == name]))


def error_table(rows: Sequence[dict], error: str = "share of the variance left", **others: str):
    """Tabulate the errors of all networks, each at its own learning rate.

    Parameters
    ----------
    rows : sequence of dict
        As `at_all_rates` returns them.
    error, **others : str
        The headings of the columns of `rows` that hold errors, by column.

    Returns
    -------
    list of dict
    """
    best = grouped(at_best_rate(rows), "network")
    return [
        {
            "network": name,
            **{
                heading: f"{Estimate.geometric(row[column] for row in mine):.2g}"
                for column, heading in {"error": error, **others}.items()
            },
            "learning rate": f"{mine[0]['eta']:g}",
        }
        for name, mine in best.items()
    ]
