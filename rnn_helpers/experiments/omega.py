"""Networks that learn with Omega, clipped or not, side by side: each with a setting of its own."""

from collections.abc import Sequence
from itertools import groupby, product
from operator import itemgetter

import numpy as np

from rnn_helpers.experiments.rates import SGDEach
from rnn_helpers.experiments.success import SUCCESS, start
from rnn_helpers.tasks import Latch, TemporalOrder, accuracy, character_model, flow_model
from rnn_helpers.training import fit

TASKS = {"latch": Latch(), "order": TemporalOrder()}
EXPLODED = 100.0  # norm of a gradient, many times the longest that clipping lets pass
_TEST_SEQUENCES = 500


def trained(task, length, kind, settings, seeds, config) -> dict:
    """Train a network for each setting and seed; those with one threshold side by side.

    Parameters
    ----------
    task : Latch or TemporalOrder
        What they learn.
    length : int
        Steps of a sequence.
    kind : tuple
        How ``W`` begins, and its radius or None, as for `init_recurrent`.
    settings : sequence of dict
        ``threshold`` (or None), ``eta`` and ``alpha`` of each way to train, as `grid` orders them.
    seeds : sequence of int
        A network for each setting and seed.
    config : dict
        ``n_h``, ``batch_size`` and ``steps``.

    Returns
    -------
    dict of ndarray, shape (settings, seeds)
        ``accuracy`` on new sequences; whether it ``diverged``; whether the norm of its gradient
        ``exploded``.
    """
    test = next(task.batches(length, _TEST_SEQUENCES, seed=0))  # the same for all, new to all
    parts = []
    for threshold, alike in groupby(settings, key=itemgetter("threshold")):
        networks = [(setting, seed) for setting in alike for seed in seeds]
        etas, alphas = ([setting[name] for setting, _ in networks] for name in ("eta", "alpha"))
        params, data = start(
            task, kind[0], [seed for _, seed in networks], n_h=config["n_h"], radius=kind[1]
        )
        history = fit(
            flow_model(alphas) if any(alphas) else character_model(),
            params,
            task.batches(length, config["batch_size"], data),
            steps=config["steps"],
            optimizer=SGDEach(etas, config["steps"]),
            clip=threshold,
        )
        parts.append(
            {
                "accuracy": accuracy(history.params, test),
                "diverged": history.diverged_at >= 0,
                "exploded": (history.grad_norm > EXPLODED).any(axis=0),
            }
        )
    return {
        name: np.concatenate([part[name] for part in parts]).reshape(len(settings), -1)
        for name in parts[0]
    }


def grid(of: dict) -> list[dict]:
    """Every combination of thresholds, learning rates and weights of Omega.

    Parameters
    ----------
    of : dict
        Lists ``eta`` and, where they come in, ``threshold`` and ``alpha``.

    Returns
    -------
    list of dict
        One after the other for each threshold; None where nothing is clipped.
    """
    whole = {"threshold": [None], "alpha": [0.0]} | of
    return [dict(zip(whole, values, strict=True)) for values in product(*whole.values())]


def best(settings: Sequence[dict], right: np.ndarray) -> dict:
    """Setting with which most networks learn; of equals, the one of highest mean accuracy.

    Parameters
    ----------
    settings : sequence of dict
        What was tried.
    right : ndarray, shape (settings, seeds)
        Share of right answers.

    Returns
    -------
    dict
    """
    good = (right > SUCCESS).sum(axis=-1) + right.mean(axis=-1)
    return settings[int(good.argmax())]
