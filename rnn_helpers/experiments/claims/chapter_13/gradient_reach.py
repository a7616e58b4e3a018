"""How far back does a gradient reach, before and after a network has learned? (section 10.7)"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval, rate_interval
from rnn_helpers.experiments.success import SUCCESS, start
from rnn_helpers.reference import (
    grad_last_state,
    grad_output,
    gradient_through_time,
    rnn_forward,
)
from rnn_helpers.tasks import Latch, accuracy, character_model
from rnn_helpers.training import SGD, Adam, fit


@dataclass(frozen=True)
class Cell:
    """A kind of network: how it begins, learns, answers, moves, and passes gradients back.

    Attributes
    ----------
    start : callable
        ``start(task, seeds, n_h) -> (params, generators)``: networks side by side on a leading
        axis of seeds, and for each seed a generator of its minibatches.
    loss_and_grads : callable
        For `rnn_helpers.training.fit`.
    accuracy : callable
        ``accuracy(params, batch) -> (S,)``.
    states : callable
        ``states(params, x) -> (T + 1, S, B, n)``: what the network carries from step to step, at
        the times 0 to T.
    gradients : callable
        ``gradients(params, x, y) -> (T + 1, S, B, n)``: of the loss at the last step, on these
        states.
    """

    start: Callable
    loss_and_grads: Callable
    accuracy: Callable
    states: Callable
    gradients: Callable


def simple(kind: str, radius: float | None = None) -> Cell:
    """The network of (10.8)-(10.10), its ``W`` begun as `init_recurrent` says."""
    return Cell(
        lambda task, seeds, n_h: start(task, kind, seeds, n_h=n_h, radius=radius),
        character_model(),
        accuracy,
        lambda params, x: rnn_forward(_precise(params), x).states,
        _gradients,
    )


def _precise(params):
    """The same network in float64: far back, gradients are small."""
    return {name: p.astype(float) for name, p in params.items()}


def _gradients(params, x, y):
    params = _precise(params)
    run = rnn_forward(params, x)
    classes = np.broadcast_to(y[-1], run.o.shape[1:-1])
    grad_o = grad_output(run.yhat[-1], classes)
    return gradient_through_time(params, run, grad_last_state(params["V"], grad_o))


def _factor(norms, nearest):
    """Change of the norms (T + 1, S, B) per step back, and their mean logarithms (S, T + 1)."""
    logs = np.log(norms / norms[0]).mean(axis=-1).T
    distance = np.arange(nearest, logs.shape[1])
    return np.exp(np.polyfit(distance, logs[:, nearest:].T, 1)[0]), logs / np.log(10)


def _period(cell, params):
    """Steps until the undisturbed state is back to within 0.001; 0 if not within 20."""
    x = np.zeros((500, 2, 1))
    x[0, :, 0] = -1, 1
    last = cell.states(params, x)[:-22:-1]
    returns = np.abs(last[1:] - last[0]).max(axis=(2, 3)) < 1e-3
    return np.where(returns.any(axis=0), returns.argmax(axis=0) + 1, 0)


def _kept(cell, params, x, y):
    """Share of new sequences whose bit a linear readout, fitted anew, finds in the last state."""
    h, bit, half = cell.states(params, x)[-1], 2 * y[-1] - 1, y.shape[1] // 2
    h = np.concatenate([h, np.ones_like(h[..., :1])], axis=-1)
    weights = np.linalg.pinv(h[:, :half]) @ bit[:half]
    said = np.einsum("sbn,sn->sb", h[:, half:], weights)
    return (said * bit[half:] > 0).mean(axis=-1)


def reach(
    name: str, cell: Cell, config: dict, seeds: list, optimizer: type[SGD | Adam] = SGD
) -> list[dict]:
    """Measure networks of one kind as they begin, and again when they have learned the latch.

    Parameters
    ----------
    name : str
        Of the kind, for the rows.
    cell : Cell
        The kind.
    config : dict
        ``n_h``; of the training, ``learned``, the length of its sequences, ``steps``, ``eta`` and
        ``batch_size``; of the measurement, ``length`` and ``sequences``, and ``nearest``, the
        smallest distance that counts for the factor.
    seeds : list of int
        A network each.
    optimizer : type
        `SGD` or `Adam`, of which ``eta`` is the learning rate.

    Returns
    -------
    list of dict
        For each seed, before and after training: ``factor``, by which the gradient's norm changes
        per step back (the slope of its logarithm, averaged over sequences); ``log10_norms``, that
        average at the distances 0, 5, .. from the last step, where it is 0; ``learned``; ``kept``,
        the share of bits that can still be read after ``length`` steps of noise; and ``period``,
        after how many steps the undisturbed state is back, 0 if not within 20.
    """
    task = Latch()
    params, data = cell.start(task, seeds, config["n_h"])
    history = fit(
        cell.loss_and_grads,
        params,
        task.batches(config["learned"], config["batch_size"], data),
        steps=config["steps"],
        optimizer=optimizer(config["eta"]),
    )
    x, y, _ = next(task.batches(config["length"], config["sequences"], seed=0))
    test = next(task.batches(config["learned"], 500, seed=0))
    rows = []
    for when, networks in (("at the start", params), ("trained", history.params)):
        norms = np.linalg.norm(cell.gradients(networks, x, y), axis=-1)[::-1]
        factor, logs = _factor(norms, config["nearest"])
        learned = cell.accuracy(networks, test) > SUCCESS
        kept, period = _kept(cell, networks, x, y), _period(cell, networks)
        rows += [
            {
                "cell": name,
                "when": when,
                "seed": seed,
                "factor": factor[s],
                "learned": bool(learned[s]),
                "kept": kept[s],
                "period": int(period[s]),
                "log10_norms": logs[s, ::5],
            }
            for s, seed in enumerate(seeds)
        ]
    return rows


CELLS = {
    "default": simple("default"),
    "Gaussian, radius 0.5": simple("gaussian", 0.5),
    "Gaussian, radius 1": simple("gaussian", 1.0),
    "Gaussian, radius 1.5": simple("gaussian", 1.5),
    "orthogonal": simple("orthogonal"),
}


def summarise(rows):
    """Take the factor at which PyTorch's way to begin loses gradient, and what learning makes."""

    def factors(**which):
        return [row["factor"] for row in rows if all(row[k] == v for k, v in which.items())]

    def says(mean):
        return "{:.2f} ({:.2f} to {:.2f})".format(*mean)

    kinds = list(dict.fromkeys(row["cell"] for row in rows))
    before = {kind: mean_interval(factors(cell=kind, when="at the start")) for kind in kinds}
    value, low, high = before["default"]
    learned = [row for row in rows if row["when"] == "trained" and row["learned"]]
    still = [row["factor"] for row in learned if row["period"]]
    moving = [row["factor"] for row in learned if not row["period"]]
    text = (
        "For each step back, the gradient on the state shrinks by a constant factor. At the start: "
        + "; ".join(f"{kind}: {says(mean)}" for kind, mean in before.items())
        + f". Of {len(learned)} networks that learned the latch over {_TRAINING['learned']} steps, "
        f"{len(still)} keep the bit in a state that rests or repeats itself: there the factor is "
        f"{says(mean_interval(still))}."
    )
    verdict = "holds"
    if len(moving) > 1:
        mean, share = mean_interval(moving), rate_interval(len(moving), len(learned))
        kept = [row["kept"] for row in learned if not row["period"]]
        text += (
            f" The other {len(moving)} (share {says(share)}) keep it as the phase of an "
            f"oscillation that does not repeat itself within 20 steps: {says(mean)}. After "
            f"{_TRAINING['length']} noisy steps a linear readout, fitted anew to the last state, "
            f"still finds {np.mean(kept):.1%} of their bits, {min(kept):.0%} in the worst of them."
        )
        if mean[1] > 0.9 and np.mean(kept) > SUCCESS:
            verdict = (
                "holds if the bit is kept in a state that rests or repeats itself; kept as the "
                "phase of an oscillation, it keeps its gradient, and can still be read after "
                f"{_TRAINING['length']} noisy steps"
            )
    if high >= 1 or mean_interval(still)[2] >= 1:
        verdict = "does not hold"
    return Summary(value, low, high, "factor per step back, default", verdict, text)


_TRAINING = {
    "n_h": 10,
    "learned": 10,
    "steps": 1000,
    "eta": 0.3,
    "batch_size": 16,
    "length": 100,
    "sequences": 200,
    "nearest": 10,
}


@experiment(
    "gradient-reach",
    claim="Gradients through many steps vanish, exponentially fast; and a network that stores "
    "something so that small perturbations do no harm must be where they vanish.",
    source="Goodfellow et al. 10.7 (P63, E-30)",
    chapter="13",
    quick={"seeds": 8, "cells": ["default"], **_TRAINING, "steps": 500},
    full={"seeds": 20, "cells": list(CELLS), **_TRAINING},
    summarise=summarise,
)
def run(config, seeds):
    """Follow the gradient of the last step's loss back through 100 steps, in tanh networks of 10
    units that begin in five ways and again after they have learned the latch by gradient descent,
    and see whether the undisturbed state comes to rest.
    """
    return [row for name in config["cells"] for row in reach(name, CELLS[name], config, seeds)]
