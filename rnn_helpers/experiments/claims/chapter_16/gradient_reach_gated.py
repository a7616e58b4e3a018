"""How far back does a gradient reach through gates, before and after learning? (section 10.10)"""

from collections.abc import Callable

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval
from rnn_helpers.experiments.reach import Cell, reach, simple
from rnn_helpers.reference import (
    grad_last_state,
    grad_output,
    gru_forward,
    gru_gradient_through_time,
    lstm_forward,
    lstm_gradient_through_time,
)
from rnn_helpers.training import Adam

_ALPHA = 0.9
_KEPT = 0.9  # share of a gradient kept at a step; of such a one, a tenth is left after 22 steps


def gated(unit: str, states: Callable, gradients: Callable, **parts) -> Cell:
    """Units of `rnn_helpers.nets.Gated`; far back in float64, by the reference.

    Parameters
    ----------
    unit, **parts
        As for `Gated`.
    states : callable
        ``states(params, x) -> (T + 1, S, B, n_h)``, the parameters named as in the reference.
    gradients : callable
        ``gradients(params, x, classes) -> (T + 1, S, B, n_h)``, of the cross-entropy at the last
        step, where the answers are ``classes``, on these states.

    Returns
    -------
    Cell
    """

    def net(params):
        from rnn_helpers.nets import Gated

        n_seeds, n_h, n_x = params["layers.0.U"].shape
        return Gated(n_x, n_h, params["c"].shape[-1], range(n_seeds), unit, **parts)

    def start(task, seeds, n_h):
        from rnn_helpers.nets import Gated

        data = [np.random.default_rng(seed).spawn(1)[0] for seed in seeds]
        return Gated(task.n_x, n_h, task.n_y, seeds, unit, **parts).params(), data

    return Cell(
        start,
        lambda params, batch: net(params).loss_and_grads(params, batch),
        lambda params, batch: net(params).accuracy(params, batch),
        lambda params, x: states(_precise(params), x),
        lambda params, x, y: gradients(_precise(params), x, y[-1]),
    )


def _precise(params):
    """The one layer's parameters, named as in the reference, in float64."""
    return {name.removeprefix("layers.0."): p.astype(float) for name, p in params.items()}


def _on_output(params, h, classes):
    """Gradient on the last output ``h`` (S, B, n_h) of the loss at the last step."""
    o = params["c"][:, None] + h @ params["V"].mT
    yhat = np.exp(o - o.max(axis=-1, keepdims=True))
    yhat /= yhat.sum(axis=-1, keepdims=True)
    return grad_last_state(params["V"], grad_output(yhat, np.broadcast_to(classes, o.shape[:-1])))


def _lstm_gradients(params, x, classes):
    run = lstm_forward(params, x)
    grad_last = _on_output(params, run.states[-1], classes)
    return lstm_gradient_through_time(params, run, grad_last)[1]


def _gru_gradients(params, x, classes):
    run = gru_forward(params, x)
    return gru_gradient_through_time(params, run, _on_output(params, run.states[-1], classes))


def _leaky_states(params, x):
    """States ``h <- alpha h + (1 - alpha) tanh(b + W h + U x)``, from 0."""
    states = np.zeros((len(x) + 1, len(params["W"]), x.shape[-2], params["W"].shape[-1]))
    for h, now, after in zip(states, x, states[1:], strict=False):
        sums = params["b"][:, None] + h @ params["W"].mT + now @ params["U"].mT
        after[:] = _ALPHA * h + (1 - _ALPHA) * np.tanh(sums)
    return states


def _leaky_gradients(params, x, classes):
    states = _leaky_states(params, x)
    grads = np.empty_like(states)
    grads[-1] = _on_output(params, states[-1], classes)
    targets = (states[1:] - _ALPHA * states[:-1]) / (1 - _ALPHA)
    for grad, after, target in zip(grads[-2::-1], grads[:0:-1], targets[::-1], strict=True):
        grad[:] = _ALPHA * after + (1 - _ALPHA) * ((1 - target**2) * after) @ params["W"]
    return grads


def _lstm(bias: float) -> Cell:
    def cells(params, x):
        return lstm_forward(params, x).cells

    return gated("lstm", cells, _lstm_gradients, forget_bias=bias)


CELLS = {
    "simple": simple("default"),
    "simple, orthogonal": simple("orthogonal"),
    "leaky, 0.9": gated("leaky", _leaky_states, _leaky_gradients, alpha=_ALPHA),
    "LSTM, bias 0": _lstm(0.0),
    "LSTM, bias 1": _lstm(1.0),
    "LSTM, bias 3": _lstm(3.0),
    "GRU": gated("gru", lambda params, x: gru_forward(params, x).states, _gru_gradients),
}
GATED = ("LSTM, bias 0", "LSTM, bias 1", "LSTM, bias 3", "GRU")


def summarise(rows):
    """Take the factor of a new LSTM whose forget gates have a bias of 1, and follow the others."""
    names = list(dict.fromkeys(row["cell"] for row in rows))
    new = {name: _mean(rows, name, "at the start") for name in names}
    learned = [row for row in rows if row["when"] == "trained" and row["learned"]]
    trained = {
        name: _mean(learned, name, "trained")
        for name in names
        if sum(row["cell"] == name for row in learned) > 1
    }
    text = (
        "For each step back, the gradient on the state changes by the factor, at the start: "
        + "; ".join(f"{name} {_says(mean)}" for name, mean in new.items())
        + "."
    )
    if trained:
        counts = {sum(row["cell"] == name for row in learned) for name in trained}
        text += f" In those that have learned the latch over 10 steps, {min(counts)}"
        text += f" to {max(counts)} of each: " if len(counts) > 1 else " of each: "
        text += "; ".join(f"{name} {_says(mean)}" for name, mean in trained.items())
        text += "."
    resting = [row["factor"] for row in learned if row["cell"] == "simple" and row["period"]]
    if len(resting) > 1:
        text += (
            f" Of the simple ones, {len(resting)} hold it in a state that rests or repeats itself: "
            f"{_says(mean_interval(resting))}; the others in one that oscillates."
        )
    return Summary(
        *new["LSTM, bias 1"], "factor per step back, new LSTM, bias 1", _verdict(new, trained), text
    )


def _verdict(new: dict, trained: dict) -> str:
    """Say which gates keep a gradient, from the factors of new and of trained networks."""
    gates = [name for name in new if name in GATED]
    short = [name for name in gates if new[name][1] <= new["simple"][2]]
    keep = [name for name in gates if new[name][1] > _KEPT]
    if short == gates:
        return "does not hold"
    verdict = "holds"
    if keep != gates:
        verdict += " if the forget gate begins open"
        if keep:
            kept = f"{new[keep[-1]][0]:.0%}"
            verdict += f": {_new(keep[-1])} keeps {kept} of its gradient at each step"
        if short:
            verdict += f"; {' and '.join(map(_new, short))} keep no more than a simple network"
    at_rest = [trained[name] for name in gates if name in trained]
    if at_rest and all(high < 1 for _, _, high in at_rest):
        verdict += "; once a bit is held, gradients fall in gated networks too"
    return verdict


def _new(name: str) -> str:
    return f"a new {name.replace(',', ' with')}"


def _mean(rows: list, name: str, when: str) -> tuple:
    return mean_interval([r["factor"] for r in rows if (r["cell"], r["when"]) == (name, when)])


def _says(mean: tuple) -> str:
    return "{:.2f} ({:.2f} to {:.2f})".format(*mean)


_SETTINGS = {
    "n_h": 10,
    "learned": 10,
    "steps": 400,
    "eta": 0.01,
    "batch_size": 16,
    "length": 100,
    "sequences": 200,
    "nearest": 10,
}


@experiment(
    "gradient-reach-gated",
    claim="Through the loop of a gated unit gradients flow for long, neither vanishing nor "
    "exploding as they do in a simple network.",
    source="Goodfellow et al. 10.10 (P63)",
    chapter="16",
    quick={
        "seeds": 4,
        "cells": ["simple", "LSTM, bias 1"],
        **_SETTINGS,
        "steps": 5,
        "sequences": 20,
    },
    full={"seeds": 20, "cells": list(CELLS), **_SETTINGS},
    summarise=summarise,
)
def run(config, seeds):
    """Follow the gradient of the last step's loss back through 100 steps, in new networks of 10
    units and again after Adam has trained them for 400 steps to hold one bit over 10 steps: tanh
    units begun in two ways, leaky ones, GRUs, and LSTMs with three biases of the forget gate; for
    an LSTM, the gradient on the state s.
    """
    return [
        row
        for name in config["cells"]
        for row in reach(name, CELLS[name], config, seeds, optimizer=Adam)
    ]
