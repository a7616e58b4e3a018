"""Networks that learn to count since the last reset, several of a kind side by side."""

from collections.abc import Sequence
from math import exp, log

import numpy as np

from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.experiments.stats import mean_interval
from rnn_helpers.tasks import CountSinceReset
from rnn_helpers.training import Adam, fit

_TEST_SEQUENCES = 500


def trained(
    name: str,
    unit: str,
    n_h: int,
    parts: dict,
    config: dict,
    seeds: Sequence[int],
    etas: Sequence[float] | None = None,
):
    """Train a network for each seed and test it on new sequences, also three times as long.

    The learning rate falls linearly to 0, so that the last minibatches do not decide.

    Parameters
    ----------
    name : str
        What the rows call it.
    unit, n_h, parts
        As for `rnn_helpers.nets.Gated`.
    config : dict
        ``length``, ``batch_size``, ``steps``, ``eta`` and the probability of a ``reset``.
    seeds : sequence of int
        One network each.
    etas : sequence of float, optional
        A learning rate for each network; without it, all have the one of `config`.

    Returns
    -------
    list of dict
        For each network the mean squared error, as a share of what is left to whoever knows the
        mean: ``error`` at the length of training and ``longer`` at three times that length.
    """
    from rnn_helpers.nets import Gated

    task = CountSinceReset(reset=config.get("reset", 0.05))
    net = Gated(task.n_x, n_h, task.n_y, seeds, unit, **parts)
    data = [np.random.default_rng(seed).spawn(1)[0] for seed in seeds]
    steps = config["steps"]
    if etas is None:
        optimizer = Adam(lambda step: config["eta"] * (1 - (step - 1) / steps))
    else:
        optimizer = AdamEach(etas, steps)
    made = fit(
        net.loss_and_grads,
        net.params(),
        task.batches(config["length"], config["batch_size"], data),
        steps=steps,
        optimizer=optimizer,
    )
    errors = []
    for length in (config["length"], 3 * config["length"]):
        x, y = next(task.batches(length, _TEST_SEQUENCES, seed=0))  # the same for all, new to all
        wrong = (net.outputs(made.params, x)[..., 0] - y[:, None]) ** 2
        errors.append(wrong.mean(axis=(0, 2)) / task.baseline(length))
    return [
        {"network": name, "seed": seed, "error": error, "longer": longer}
        for seed, error, longer in zip(seeds, *errors, strict=True)
    ]


def times(rows: Sequence[dict], name: str, other: str, column: str = "error") -> tuple:
    """How many times one network's error is another's, of the same seed.

    Returns
    -------
    mean, low, high : float
        Geometric mean over the seeds, with its 95 % interval.
    """
    errors = {(row["network"], row["seed"]): row[column] for row in rows}
    seeds = sorted({seed for network, seed in errors if network == name})
    ratios = [log(errors[name, seed] / errors[other, seed]) for seed in seeds]
    return tuple(exp(value) for value in mean_interval(ratios))


def typical(rows: Sequence[dict], name: str, column: str = "error") -> float:
    """Geometric mean of a network's error over its seeds."""
    return exp(np.mean([log(row[column]) for row in rows if row["network"] == name]))
