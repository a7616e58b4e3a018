"""Gated recurrent units, forwards and backwards: equations (G 10.45)-(G 10.47).

One gate does two jobs: the update gate ``u`` is the share of the state that is kept, and ``1 - u``
the share of a target state that is added; the reset gate ``r`` is the share of the state that
enters the target. The target has the parameters ``U, W, b``, the gates have ``Uu, Wu, bu`` (update)
and ``Ur, Wr, br`` (reset), of the same shapes; ``V, c`` lead from ``h`` to the output as in
(G 10.10).

The source prints time indices that do not work: see `gru_as_printed`. Here ``h^(t)`` and both gates
depend on ``h^(t-1)`` and ``x^(t)``, as in Cho et al.

Shapes, seeds and tokens are those of `rnn`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rnn_helpers.reference.activations import _log_softmax, _sigmoid
from rnn_helpers.reference.equations import equation
from rnn_helpers.reference.lstm import init_gated
from rnn_helpers.reference.rnn import (
    NONLINEARITIES,
    AnyRun,
    input_term,
    output,
    start,
    times,
)
from rnn_helpers.validate import as_cell, as_choice, as_inputs

GATES = "ur"
RESETS = ["before", "after"]
"""Where the reset gate multiplies: the state before its product with ``W``, or the product."""


@dataclass(frozen=True, eq=False)
class GRURun(AnyRun):
    """Values that `gru_forward` computed and `gru_backward` needs, in addition to `AnyRun`'s.

    Attributes
    ----------
    target : ndarray, shape (T, ..., n_h)
        Target states, towards which the state moves.
    u, r : ndarray, shape (T, ..., n_h)
        Update and reset gates.
    reset : {"before", "after"}
        Where the reset gate multiplies.
    squash : str
        Function of the target state, a key of `NONLINEARITIES`.
    """

    target: np.ndarray
    u: np.ndarray
    r: np.ndarray
    reset: str
    squash: str


def init_gru(n_x, n_h, n_y, seed=0, scale=None, dtype=np.float64, *, reset="before"):
    """Random parameters: Gaussian weights, zero biases.

    Parameters
    ----------
    n_x, n_h, n_y, seed, scale, dtype
        As for `init_rnn`.
    reset : {"before", "after"}
        With ``"after"`` there is another bias, ``bh``.

    Returns
    -------
    dict of ndarray
        ``U, Uu, Ur`` (n_h, n_x); ``W, Wu, Wr`` (n_h, n_h); ``b, bu, br`` (n_h,); ``V`` (n_y, n_h)
        and ``c`` (n_y,); each with a leading axis S if `seed` is a sequence.
    """
    as_choice("reset", reset, RESETS)
    params = init_gated(GATES, n_x, n_h, n_y, seed, scale, dtype)
    return params if reset == "before" else {**params, "bh": np.zeros_like(params["b"])}


@equation("10.46")
def update_gate(b, Ux, Wh):
    """Update gate ``u^(t)``: 0 replaces the state, 1 keeps it.

    It sees ``h^(t-1)``, where the source prints ``h^(t)``.

    Parameters
    ----------
    b : ndarray, shape (n_h,)
        Bias ``b^u``.
    Ux, Wh : ndarray, shape (..., n_h)
        ``U^u x^(t)`` and ``W^u h^(t-1)``, from `times`.
    """
    return _sigmoid(b + Ux + Wh)  # (G 10.46)


@equation("10.47")
def reset_gate(b, Ux, Wh):
    """Reset gate ``r^(t)``: at 0 the target does not see the state.

    It sees ``h^(t-1)`` itself, where the source prints ``h^(t)``. Parameters are those of
    `update_gate`, with ``b^r``, ``U^r`` and ``W^r``.
    """
    return _sigmoid(b + Ux + Wh)  # (G 10.47)


@equation("10.45")
def target_state(b, Ux, Wrh, squash="tanh"):
    """Target state, towards which (G 10.45) moves the state.

    Parameters
    ----------
    b : ndarray, shape (n_h,)
        Bias ``b``.
    Ux, Wrh : ndarray, shape (..., n_h)
        ``U x^(t)``, from `times`, and ``W (r^(t) * h^(t-1))``; in place of the latter PyTorch has
        ``r^(t) * (W h^(t-1) + bh)``.
    squash : {"tanh", "sigmoid"}
        Function of the sum. The source prints a sigmoid, with which every state is positive.
    """
    return NONLINEARITIES[squash].function(b + Ux + Wrh)  # the inner part of (G 10.45)


@equation("10.45")
def gru_state(u, h_prev, target):
    """State ``h^(t)``, part of the old one and part of its target.

    Parameters
    ----------
    u, h_prev, target : ndarray, shape (..., n_h)
        Update gate ``u^(t)``, state ``h^(t-1)``, and the value of `target_state`.
    """
    return u * h_prev + (1 - u) * target  # (G 10.45), its time indices corrected


def gru_forward(params: Mapping, x, h0=None, reset="before", squash="tanh") -> GRURun:
    """Run a network of gated recurrent units over a sequence, or a minibatch of sequences.

    Parameters
    ----------
    params : mapping
        Arrays as `init_gru` gives them. The bias ``bh`` may be left out.
    x, h0 : array_like
        As for `rnn_forward`.
    reset : {"before", "after"}
        ``"before"`` resets the state and multiplies it by ``W``, as (G 10.45) does; ``"after"``
        multiplies first, as PyTorch does, and adds the bias ``bh``. They are different networks.
    squash : {"tanh", "sigmoid"}
        Function of the target state.

    Raises
    ------
    ValueError
        If there is a bias ``bh`` that ``reset="before"`` does not use.
    """
    params = _as_gru(params, reset)
    as_choice("squash", squash, NONLINEARITIES)
    x, batch = as_inputs(x, params["U"])
    W = params["W"]
    shape = (*batch, W.shape[-1])
    dtype = W.dtype

    # Each array first holds the input's contribution to all steps; each step overwrites its part.
    target, u, r = (input_term(params["U" + part], x) for part in ("", *GATES))
    h = np.empty((len(x) + 1, *shape), dtype)
    h[0] = start("h0", h0, shape, dtype)
    for t in range(len(x)):  # h[t] is the state before this step
        u[t] = update_gate(params["bu"], u[t], times(params["Wu"], h[t]))  # (G 10.46)
        r[t] = reset_gate(params["br"], r[t], times(params["Wr"], h[t]))  # (G 10.47)
        if reset == "before":
            Wrh = times(W, r[t] * h[t])
        else:
            Wrh = r[t] * (times(W, h[t]) + params.get("bh", 0))
        target[t] = target_state(params["b"], target[t], Wrh, squash)
        h[t + 1] = gru_state(u[t], h[t], target[t])  # (G 10.45)
    o = output(params["c"], params["V"], h[1:])  # (G 10.10), every time step in one product
    return GRURun(x, h, o, _log_softmax(o), target, u, r, reset, squash, params=params)


@equation("10.45", "10.46", "10.47")
def gru_as_printed(params: Mapping, x, h1=None, squash="sigmoid"):
    """States by (G 10.45)-(G 10.47) with the time indices as they are printed.

    The step to ``h^(t)`` there takes ``x^(t-1)`` and the gates of ``t-1``: the state is one step
    late and cannot depend on its own input, and ``h^(1)`` would need an ``x^(0)``, so it is an
    argument. Started at ``h1 = h0``, the states are those of `gru_forward` a step later.

    Parameters
    ----------
    params : mapping
        Arrays as `init_gru` gives them, without ``bh``.
    x, h1 : array_like
        As for `rnn_forward`, its ``h0`` taken as ``h^(1)``.
    squash : {"tanh", "sigmoid"}
        Function of the target state; printed is the sigmoid.

    Returns
    -------
    ndarray, shape (T, ..., n_h)
        States ``h^(1) .. h^(T)``. The last input is not used.
    """
    params = _as_gru(params, "before")
    as_choice("squash", squash, NONLINEARITIES)
    x, batch = as_inputs(x, params["U"])
    W = params["W"]
    shape = (*batch, W.shape[-1])
    dtype = W.dtype

    Ux, Uux, Urx = (input_term(params["U" + part], x) for part in ("", *GATES))
    h = np.empty((len(x), *shape), dtype)
    h[0] = start("h1", h1, shape, dtype)
    for t in range(1, len(x)):
        u = update_gate(params["bu"], Uux[t - 1], times(params["Wu"], h[t - 1]))  # (G 10.46) at t-1
        r = reset_gate(params["br"], Urx[t - 1], times(params["Wr"], h[t - 1]))  # (G 10.47) at t-1
        target = target_state(params["b"], Ux[t - 1], times(W, r * h[t - 1]), squash)
        h[t] = gru_state(u, h[t - 1], target)  # (G 10.45) as printed
    return h


def _as_gru(params, reset):
    as_choice("reset", reset, RESETS)
    params = as_cell(params, GATES, ["bh"])
    if "bh" in params and reset == "before":
        raise ValueError("params has a bias 'bh'; expected none with reset='before'")
    return params
