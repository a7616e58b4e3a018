"""Does Omega, together with clipping, extend the span that a recurrent network learns? (10.11.2)"""

from collections.abc import Sequence
from itertools import groupby, product
from operator import itemgetter

import numpy as np

from rnn_helpers.experiments import Summary, experiment
from rnn_helpers.experiments.own_rates import SGDEach
from rnn_helpers.experiments.rates import separate
from rnn_helpers.experiments.success import SUCCESS, Attempts, start
from rnn_helpers.tasks import Latch, TemporalOrder, accuracy, character_model, flow_model
from rnn_helpers.training import fit

TASKS = {"latch": Latch(), "order": TemporalOrder()}
PLAIN, CLIPPED, OMEGA, BOTH = "SGD", "clipped", "Omega", "Omega, clipped"
RIVAL = "orthogonal start, clipped"
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
        each = [(setting, seed) for setting in alike for seed in seeds]
        etas, alphas = ([setting[name] for setting, _ in each] for name in ("eta", "alpha"))
        params, data = start(
            task, kind[0], [seed for _, seed in each], n_h=config["n_h"], radius=kind[1]
        )
        made = fit(
            flow_model(alphas) if any(alphas) else character_model(),
            params,
            task.batches(length, config["batch_size"], data),
            steps=config["steps"],
            optimizer=SGDEach(etas, config["steps"]),
            clip=threshold,
        )
        parts.append(
            {
                "accuracy": accuracy(made.params, test),
                "diverged": made.diverged_at >= 0,
                "exploded": (made.grad_norm > EXPLODED).any(axis=0),
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


def summarise(rows):
    """Compare Omega and clipping with clipping alone, from the same start and from a better one."""
    cells = {}
    for row in rows:
        cells.setdefault((row["task"], row["length"]), {})[row["method"]] = row
    wins, rivalled, said = [], False, []
    for (task, length), ways in cells.items():
        ours, alone, place = ways[BOTH], ways[CLIPPED], f"{task} at length {length}"
        if ours["low"] > alone["high"]:
            beside = f"{ours['successes']} and {alone['successes']}"
            if RIVAL in ways and ways[RIVAL]["high"] >= ours["low"]:
                rivalled = True
                beside += f"; from an orthogonal start {ways[RIVAL]['successes']} without Omega"
            wins.append(f"{place} ({beside})")
        counted = ", ".join(f"{name}: {row['successes']}" for name, row in ways.items())
        said.append(f"{place}: {counted}")
    exploded = dict.fromkeys(ways, 0)
    for row in rows:
        exploded[row["method"]] += row["exploded"]
    first = cells[_FIRST][BOTH]
    return Summary(
        first["rate"],
        first["low"],
        first["high"],
        f"success with Omega and clipping, {_FIRST[0]} at length {_FIRST[1]}",
        "does not hold"
        if not wins
        else f"holds if it is {' or '.join(wins)}"
        if rivalled or len(wins) < len(cells)
        else "holds",
        f"Of {first['of']} networks learn {'; '.join(said)}. At the chosen settings the norm of "
        f"the gradient exceeded {EXPLODED:g} in "
        f"{', '.join(f'{count} ({name})' for name, count in exploded.items())} of "
        f"{first['of'] * len(cells)}; "
        f"{sum(row['diverged'] for row in rows)} networks diverged.",
    )


_FIRST = ("latch", 50)
_RATES = [0.003, 0.01, 0.03, 0.06, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0]
_GRIDS = {  # twelve settings each
    PLAIN: {"eta": _RATES},
    CLIPPED: {"threshold": [0.3, 1.0, 3.0], "eta": [0.3, 1.0, 3.0, 10.0]},
    OMEGA: {"alpha": [0.1, 0.5, 2.0], "eta": [0.01, 0.03, 0.1, 0.3]},
    BOTH: {"threshold": [0.3, 1.0], "alpha": [0.5, 2.0], "eta": [0.1, 0.3, 1.0]},
    RIVAL: {"threshold": [0.3, 1.0, 3.0], "eta": [0.03, 0.1, 0.3, 1.0]},
}
_DEFAULT = ("default", None)
_STARTS = {RIVAL: ("orthogonal", None)}
_SETTINGS = {"n_h": 20, "batch_size": 16}


@experiment(
    "information-flow-span",
    claim="Together with clipping, the regulariser Omega considerably increases the span of the "
    "dependencies that a recurrent network can learn.",
    source="Goodfellow et al. 10.11.2, after Pascanu et al. 2013 (P36)",
    chapter="17",
    quick={
        "seeds": 6,
        "choosing": 0,
        **_SETTINGS,
        "cells": [["latch", 50, 80]],
        "grids": {
            CLIPPED: {"threshold": [1.0], "eta": [1.0]},
            BOTH: {"threshold": [1.0], "alpha": [0.5], "eta": [1.0]},
        },
    },
    full={
        "seeds": 20,
        "choosing": 5,
        **_SETTINGS,
        "cells": [
            ["latch", 20, 200],
            ["latch", 50, 200],
            ["latch", 100, 200],
            ["order", 20, 500],
            ["order", 50, 1000],
        ],
        "grids": _GRIDS,
    },
    summarise=summarise,
)
def run(config, seeds):
    """Train tanh networks of 20 units with gradient descent from PyTorch's start, whose radius is
    near 0.6, to hold one bit (latch) or two (temporal order): as it is, with clipping, with Omega,
    and with both; and with clipping from an orthogonal start. Each way has its own learning rate,
    threshold and weight of Omega, the best of twelve settings on 5 other seeds. Count those that
    get more than 95 % of new sequences right.
    """
    return [
        _point(task, length, method, {**config, "steps": steps}, seeds)
        for task, length, steps in config["cells"]
        for method in config["grids"]
    ]


def _point(name, length, method, config, seeds):
    """Choose a setting, train a network for each seed with it, and count."""
    task, kind = TASKS[name], _STARTS.get(method, _DEFAULT)
    settings, others = grid(config["grids"][method]), separate(config["choosing"])
    tried = trained(task, length, kind, settings, others, config)["accuracy"] if others else None
    chosen = settings[0] if tried is None else best(settings, tried)
    found = trained(task, length, kind, [chosen], seeds, config)
    return {
        "task": name,
        "length": length,
        "steps": config["steps"],
        "method": method,
        **chosen,
        **{event: int(found[event].sum()) for event in ("diverged", "exploded")},
        **Attempts(np.array([config["steps"]]), found["accuracy"], {}).row(),
        "tried": [] if tried is None else tried.mean(axis=-1),
    }
