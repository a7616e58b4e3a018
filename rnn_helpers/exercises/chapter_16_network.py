"""The exercises of chapter 16 that give the network of chapter 04 a gate."""

import numpy as np

from rnn_helpers.checks.core import Wrong, exercise, lines
from rnn_helpers.exercises.chapter_04_network import NETWORK, network
from rnn_helpers.reference import sigmoid, softmax


def _gated(seed, **sizes):
    """Return a problem of chapter 04 with the parameters of a forget gate."""
    params, *rest = network(seed, **sizes)
    rng = np.random.default_rng(seed + 100)
    return params | {f"{name}f": rng.normal(size=params[name].shape) for name in "UWb"}, *rest


def _gate_and_new(params, h_before, tokens):
    """Return the forget gate and the tanh, of one step or of all steps."""
    a, a_f = (
        params[f"b{part}"] + h_before @ params[f"W{part}"].T + params[f"U{part}"].T[tokens]
        for part in ("", "f")
    )
    return sigmoid(a_f), np.tanh(a)


def _runs():
    problems = [_gated(1), _gated(2, T=1), _gated(3, B=1, n=6)]
    return [(params, x, h0) for params, x, _, h0 in problems]


def _forward(params, x, h0, *, average=lambda f, old, new: f * old + (1 - f) * new):
    """Return the solution, or one with another average of the old state and the tanh."""
    h = [h0]
    for tokens in x:
        f, new = _gate_and_new(params, h[-1], tokens)
        h.append(average(f, h[-1], new))
    h = np.array(h)
    return h, softmax(params["c"] + h[1:] @ params["V"].T)


GATE = """
params |= {"Uf": wave(6, 2, 3), "Wf": wave(7, 2, 2), "bf": wave(8, 2)}
"""


@exercise(
    "16-net-forward",
    cases=_runs,
    hint="Print the gate and the tanh of the first step. Is the gate between 0 and 1, and the "
    "tanh between -1 and 1?",
    success="With the gate, a unit can keep a different share at each step, depending on the "
    "input. A leaky unit always keeps the same share.",
    instance=lines(
        NETWORK,
        GATE,
        """
        print(forward(params, np.array([[0], [2]]), wave(9, 1, 2)))
        """,
    ),
    wrong={
        "a gate that lets in": Wrong(
            lambda *case: _forward(*case, average=lambda f, old, new: (1 - f) * old + f * new),
            "With a gate of 1, how much of the old state remains after the step?",
        ),
        "all of the new": Wrong(
            lambda *case: _forward(*case, average=lambda f, old, new: f * old + new),
            "You add the whole tanh. Which share of it does this unit take when it keeps f of the "
            "old state?",
        ),
        "the gate left out": Wrong(
            lambda *case: _forward(*case, average=lambda f, old, new: new),
            "That is the network of chapter 4. With a gate of 1, should your state still change?",
        ),
        "without the first state": Wrong(
            lambda *case: (forward(*case)[0][1:], forward(*case)[1]),
            "The backward pass needs the state before the first step. Where is it in your result?",
        ),
    },
)
def forward(params, x, h0):
    """Return the states h^(0) .. h^(T) and the predictions, with the gate of (G 10.40)."""
    return _forward(params, x, h0)


def _to_differentiate():
    problems = [_gated(5), _gated(6, T=1), _gated(7, B=1, n=6)]
    return [(params, x, y, *forward(params, x, h0)) for params, x, y, h0 in problems]


def _backward(
    params, x, y, h, yhat, *, road=1, gate=1, old_alone=False, of_the_state=False, share=None
):
    """Return the solution with one of its parts changed."""
    one_hot = np.eye(len(params["c"]), dtype=h.dtype)
    f, new = _gate_and_new(params, h[:-1], x)
    grad_o = (yhat - one_hot[y]) / (share or y.size)
    grad_a, grad_a_f = np.zeros_like(f), np.zeros_like(f)
    from_later = 0
    for t in reversed(range(len(x))):
        grad_h = grad_o[t] @ params["V"] + from_later
        grad_f = grad_h * (h[t] if old_alone else h[t] - new[t])
        grad_a_f[t] = grad_f * f[t] * (1 - f[t])
        slope = 1 - (h[t + 1] if of_the_state else new[t]) ** 2
        grad_a[t] = grad_h * (1 - f[t]) * slope
        detours = grad_a[t] @ params["W"] + gate * grad_a_f[t] @ params["Wf"]
        from_later = road * f[t] * grad_h + detours

    def outer(g, v):
        return np.tensordot(g, v, axes=([0, 1], [0, 1]))

    grads = {"V": outer(grad_o, h[1:]), "c": grad_o.sum((0, 1))}
    for part, grad in (("", grad_a), ("f", grad_a_f)):
        grads[f"U{part}"] = outer(grad, one_hot[x])
        grads[f"W{part}"] = outer(grad, h[:-1])
        grads[f"b{part}"] = grad.sum((0, 1))
    return grads


@exercise(
    "16-net-backward",
    cases=_to_differentiate,
    hint="V and c come from the outputs alone. Are they right? For the others, write one term for "
    "each place where the earlier state appears in the forward step, and test one path at a time.",
    success="The gradient comes back along three paths, and the direct one only multiplies it by "
    "the gate. With gates near 1, it survives long spans.",
    instance=lines(
        NETWORK,
        GATE,
        """
        x, y = np.array([[0, 2], [1, 0], [2, 2]]), np.array([[1, 0], [2, 2], [0, 1]])
        yhat = np.exp(wave(9, 3, 2, 3))
        yhat /= yhat.sum(axis=-1, keepdims=True)

        # backward may use your gates
        print(backward(params, x, y, wave(10, 4, 2, 2), yhat))
        """,
    ),
    wrong={
        "the direct path forgotten": Wrong(
            lambda *case: _backward(*case, road=0),
            "With all gates at 1, does your gradient still come back? Along which path should it?",
        ),
        "the path through the gate forgotten": Wrong(
            lambda *case: _backward(*case, gate=0),
            "The gate depends on the earlier state, too. Where is that path in your gradient?",
        ),
        "the gate's effect on the tanh's share forgotten": Wrong(
            lambda *case: _backward(*case, old_alone=True),
            "If a gate opens a little, more of the old state is kept. What is reduced?",
        ),
        "the slope of chapter 4": Wrong(
            lambda *case: _backward(*case, of_the_state=True),
            "In chapter 4 a state was a tanh. Is it one here?",
        ),
        "a mean over the steps alone": Wrong(
            lambda *case: _backward(*case, share=len(case[2])),
            "All of your gradients are too large by the same factor: the number of sequences. Over "
            "how many characters is the mean?",
        ),
        "a sum over the characters": Wrong(
            lambda *case: _backward(*case, share=1),
            "The loss is the mean over all characters. What is the weight of each one?",
        ),
    },
)
def backward(params, x, y, h, yhat):
    """Return the gradients of the mean loss, along the direct path and both others."""
    return _backward(params, x, y, h, yhat)
