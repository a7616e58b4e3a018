"""How far back do gradients reach in gated networks, before and after training? (section 10.10)"""

from collections.abc import Callable

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.data import INTERVAL, claim_groups
from rnn_helpers.experiments.reach import Cell, reach, simple
from rnn_helpers.experiments.words import Estimate, grouped, where
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
_KEPT = 0.9  # a judgment: share kept at each step, which leaves a tenth after 22 steps
OPEN, SHUT = "LSTM, bias 3", "LSTM, bias 0"


def gated(unit: str, states: Callable, gradients: Callable, **parts) -> Cell:
    """Return cells of `rnn_helpers.nets.Gated`, with gradients by the reference in float64.

    Parameters
    ----------
    unit, **parts
        As for `Gated`.
    states : callable
        ``states(params, x) -> (T + 1, S, B, n_h)``, with parameters named as in the reference.
    gradients : callable
        ``gradients(params, x, classes) -> (T + 1, S, B, n_h)``: the gradient on these states of
        the cross-entropy at the last step, where the targets are ``classes``.

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
    """Return the layer's parameters in float64, named as in the reference."""
    return {name.removeprefix("layers.0."): p.astype(float) for name, p in params.items()}


def _on_output(params, h, classes):
    """Return the gradient of the last loss on the last output ``h`` (S, B, n_h)."""
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
    """Return the states ``h <- alpha h + (1 - alpha) tanh(b + W h + U x)``, which start at 0."""
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


def _new(rows):
    """Estimate the factor per step back of untrained networks."""
    return _factors(where(rows, when="at the start"))


def _trained(rows):
    """Estimate the factor per step back of networks that have learned."""
    return _factors(where(rows, when="trained", learned=True))


def _factors(rows):
    return {name: _factor(mine) for name, mine in grouped(rows, "cell").items() if len(mine) > 1}


def table(rows):
    """Tabulate the factor per step back, before and after learning."""
    trained = _trained(rows)
    return [
        {"network": name, "before training": f"{factor:.2f}"}
        | ({"after learning": f"{trained[name]:.2f}"} if name in trained else {})
        for name, factor in _new(rows).items()
    ]


def numbers(rows):
    """Return factors per step back of new networks and of networks that have learned."""
    new, trained = _new(rows), _trained(rows)
    learned = where(rows, when="trained", learned=True)
    resting = [row for row in where(learned, cell="simple") if row["period"]]
    gates = [name for name in new if name in GATED]
    return {
        "factor": new["LSTM, bias 1"],
        "new": new,
        "trained": trained,
        "gates": {name: new[name] for name in gates},
        "fall": all(trained[name].high < 1 for name in gates if name in trained),
        "of_each": sorted({len(mine) for mine in grouped(learned, "cell").values()}),
        "resting": len(resting),
        "at_rest": _factor(resting) if len(resting) > 1 else None,
    }


def _factor(rows: list) -> Estimate:
    return Estimate.mean(row["factor"] for row in rows)


def data(rows):
    """Return the factors of some networks, new and trained."""
    return claim_groups(
        {
            name: {
                said: _factor(where(rows, cell=name, when=when))
                for when, said in {"at the start": "new", "trained": "trained"}.items()
            }
            for name in ("simple", "GRU", "LSTM, bias 0", "LSTM, bias 1", "LSTM, bias 3")
        },
        question="Which share of a gradient does one step leave?",
        xlabel="share of the gradient that one step leaves",
        unit="of the gradient",
        spread=INTERVAL,
    )


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
    claim="Through the self-loop of a gated unit, gradients flow for a long time. They neither "
    "vanish nor explode, unlike the gradients in a simple network.",
    source="Goodfellow et al. 10.10",
    quick={
        "seeds": 4,
        "cells": ["simple", "LSTM, bias 1"],
        **_SETTINGS,
        "steps": 5,
        "sequences": 20,
    },
    full={"seeds": 20, "cells": list(CELLS), **_SETTINGS},
    numbers=numbers,
    headline=("factor", "factor on the gradient per step back, untrained LSTM with bias 1"),
    finding={
        "holds": "An untrained LSTM with a forget bias of 1 keeps {factor.value:.0%} of its "
        "gradient at each step, and the other gated networks keep most of it too.",
        "holds in part": "Gates keep a gradient only if they start open: an untrained LSTM with a "
        "forget bias of 3 keeps {new[LSTM, bias 3].value:.0%} of it at each step.",
        "does not hold": "Gates don't keep a gradient: an untrained LSTM with a forget bias of 1 "
        "keeps {factor.value:.0%} of it at each step.",
    },
    verdict=Verdict(
        holds=(
            lambda n: all(kept.low > _KEPT and kept.high < 1 / _KEPT for kept in n.gates.values()),
            "Holds. Every gated network keeps most of its gradient at each step.",
        ),
        in_part=(
            lambda n: (
                {OPEN, SHUT} <= n.gates.keys()
                and n.gates[OPEN].low > _KEPT
                and n.gates[OPEN].high < 1 / _KEPT
                and n.gates[SHUT].high < _KEPT
            ),
            "Holds in part, if the forget gate starts open. Untrained LSTMs with a forget bias of "
            "0 keep "
            f"only {{new[{SHUT}].value:.0%}} of their gradient at each step.",
        ),
        fails=(
            lambda n: all(kept.high < _KEPT or kept.low > 1 / _KEPT for kept in n.gates.values()),
            "Does not hold. In every gated network, the gradient shrinks or grows by more than a "
            "tenth at each step.",
        ),
    ),
    saw=[
        (
            lambda n: n.fall,
            "Once they have learned to hold a bit, gradients shrink in gated networks too.",
        ),
        (
            lambda n: n.at_rest,
            "Of the simple networks, {resting} hold the bit in a state that rests or repeats "
            "itself, and their factor per step back is {at_rest.value:.2f}.",
        ),
    ],
    table={"Factor on the gradient per step back": table},
    data=data,
)
def run(config, seeds):
    """Follow the gradient of the last step's loss back through 100 steps, in new networks of 10
    units and again after Adam has trained them for 400 steps to hold one bit over 10 steps. The
    kinds are tanh units with two initializations, leaky units, GRUs, and LSTMs with three forget
    biases. For an LSTM, it is the gradient on the state s.
    """
    return [
        row
        for name in config["cells"]
        for row in reach(name, CELLS[name], config, seeds, optimizer=Adam)
    ]
