"""Networks of several kinds: how far back their gradients reach, before and after they learn."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rnn_helpers.experiments.success import SUCCESS, start
from rnn_helpers.reference import grad_last_state, grad_output, gradient_through_time, rnn_forward
from rnn_helpers.tasks import Latch, accuracy, character_model
from rnn_helpers.training import SGD, Adam, fit


@dataclass(frozen=True)
class Cell:
    """A kind of network: its initialization, training, outputs, states and gradients.

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
        ``states(params, x) -> (T + 1, S, B, n)``: the full state of the network at the times 0 to
        T.
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
    """The network of (G 10.8)-(G 10.10), with ``W`` from `init_recurrent`."""
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
    """Share of new sequences whose bit a newly fitted linear readout finds in the last state."""
    h = cell.states(params, x)[-1]
    bit = 2 * y[-1] - 1
    half = y.shape[1] // 2
    h = np.concatenate([h, np.ones_like(h[..., :1])], axis=-1)
    weights = np.linalg.pinv(h[:, :half]) @ bit[:half]
    output = np.einsum("sbn,sn->sb", h[:, half:], weights)
    return (output * bit[half:] > 0).mean(axis=-1)


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
        kept = _kept(cell, networks, x, y)
        period = _period(cell, networks)
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
