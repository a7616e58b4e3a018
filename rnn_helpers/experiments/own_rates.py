"""Ways to begin that are compared, each at the learning rate that suits it on other seeds."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from rnn_helpers.experiments.rates import AdamEach, SGDEach, separate
from rnn_helpers.experiments.success import SUCCESS, Attempts
from rnn_helpers.tasks import Latch
from rnn_helpers.training import fit

_TEST_SEQUENCES = 500


_RULES = {"Adam": AdamEach, "SGD": SGDEach}


def successes(
    ways: Sequence,
    begin: Callable[[Sequence, Sequence[int]], tuple],
    task: Latch,
    length: int,
    config: dict,
    seeds: Sequence[int],
) -> list[dict]:
    """Choose a learning rate for each way, and count the networks that learn the task with it.

    All networks of a stage are trained side by side; the rate of each falls linearly to 0. A rate
    is better if more networks learn with it, then if their mean accuracy is higher.

    Parameters
    ----------
    ways : sequence
        What differs between the networks.
    begin : callable
        ``begin(ways, seeds) -> (net, params)``: a `rnn_helpers.nets.Gated` and parameters to start
        from, a network for each pair of a way and a seed.
    task : Latch
        What they learn.
    length : int
        Steps of a sequence.
    config : dict
        ``batch_size``, ``steps``, the learning rates ``etas``, and on how many seeds of their own
        they are chosen, ``choosing``; with none the first rate is taken. The ``rule`` is
        ``"Adam"``, if left out, or ``"SGD"``.
    seeds : sequence of int
        Those of the result.

    Returns
    -------
    list of dict
        For each way its rate ``eta`` and the columns of `Attempts.row`.
    """
    etas = config["etas"]
    choosing_seeds = separate(config["choosing"])
    chosen = [etas[0]] * len(ways)
    if choosing_seeds:
        tries = list(product(ways, etas, choosing_seeds))
        tried = _accuracy(tries, begin, task, length, config).reshape(len(ways), len(etas), -1)
        good = (tried > SUCCESS).sum(axis=-1) + tried.mean(axis=-1)  # the mean decides if equal
        chosen = [etas[k] for k in good.argmax(axis=-1)]
    each = [(way, eta, s) for way, eta in zip(ways, chosen, strict=True) for s in seeds]
    accuracy = _accuracy(each, begin, task, length, config).reshape(len(ways), -1)
    return [
        {"eta": eta, **Attempts(np.array([config["steps"]]), right[None], {}).row()}
        for eta, right in zip(chosen, accuracy, strict=True)
    ]


def _accuracy(each: Sequence[tuple], begin, task, length: int, config: dict) -> np.ndarray:
    """Train a network for each way, learning rate and seed; share of its answers that is right."""
    ways, etas, seeds = zip(*each, strict=True)
    net, params = begin(ways, seeds)
    data = [np.random.default_rng(seed).spawn(1)[0] for seed in seeds]
    made = fit(
        net.loss_and_grads,
        params,
        task.batches(length, config["batch_size"], data),
        steps=config["steps"],
        optimizer=_RULES[config.get("rule", "Adam")](etas, config["steps"]),
    )
    test = next(task.batches(length, _TEST_SEQUENCES, seed=0))  # the same for all, new to all
    return net.accuracy(made.params, test)
