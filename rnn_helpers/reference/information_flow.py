"""Encouraging information flow: the regularizer of Pascanu et al., (G 10.50)-(G 10.52), by hand.

Gradients are column vectors everywhere else in this package, as in (G 10.20). (G 10.50) writes them
as rows, ``grad_h J``; as a column that is ``J^T grad_h``, the same numbers, and the step that
(G 10.21) takes. It is the transposed Jacobian that carries a gradient back, not the Jacobian.

The source gives the sum of (G 10.52) no bounds. Here it runs over ``t = 2 .. T``, the steps between
two computed states: ``h^(0)`` doesn't depend on the input, so no gradient needs to reach it.
Pascanu et al. write ``k + 1`` and ``k`` for ``t`` and ``t - 1``.
"""

from collections.abc import Mapping

import numpy as np

from rnn_helpers.reference.activations import _one_hot
from rnn_helpers.reference.bptt import (
    grad_b,
    grad_c,
    grad_last_state,
    grad_output,
    grad_state,
    grad_step_loss,
    grad_U,
    grad_V,
    grad_W,
    sum_outer,
)
from rnn_helpers.reference.equations import equation
from rnn_helpers.reference.rnn import NONLINEARITIES, Run, times
from rnn_helpers.validate import (
    as_choice,
    as_kind,
    as_mask,
    as_params_of,
    as_targets,
)

# How the slope of a nonlinearity changes with the state.
_BEND = {"tanh": lambda h: -2 * h, "sigmoid": lambda h: 1 - 2 * h}

CONSTANT = ("nothing", "gradients", "states")


@equation("10.50")
def flowed_back(grad_h, jacobian):
    """Gradient that reaches ``h^(t-1)`` from ``h^(t)``, a row vector times the Jacobian.

    Parameters
    ----------
    grad_h : ndarray, shape (..., n_h)
        Gradient on ``h^(t)``.
    jacobian : ndarray, shape (n_h, n_h) or (..., n_h, n_h)
        ``dh^(t)/dh^(t-1)``, from `state_jacobian` or `state_jacobians`.

    Returns
    -------
    ndarray, shape (..., n_h)
        ``grad_h J``; written as a column, ``J^T grad_h``.
    """
    return (grad_h[..., None, :] @ jacobian)[..., 0, :]  # (G 10.50)


@equation("10.51")
def gradient_size(grad_h):
    """Length of a gradient, shape (..., n_h), to which (G 10.50) compares the propagated one.

    Squares of small entries don't underflow.
    """
    largest = np.abs(grad_h).max(axis=-1, keepdims=True)
    unit = grad_h / np.where(largest > 0, largest, 1)
    return largest[..., 0] * np.linalg.norm(unit, axis=-1)  # (G 10.51)


@equation("10.52")
def omega(flowed, grad_h):
    """Regularizer Omega: by how much gradients change their length from step to step.

    Where the gradient is zero, the quotient is not defined: that term is left out.

    Parameters
    ----------
    flowed, grad_h : ndarray, shape (T - 1, ..., n_h)
        For ``t = 2 .. T``, each gradient passed back to the state before, from `flowed_back`, and
        the gradient on ``h^(t)`` itself.

    Returns
    -------
    float or ndarray, shape (S,)
        Sum over time; the mean over a minibatch; one number for each seed if there are seeds.
    """
    ratio = _ratio(flowed, grad_h)
    return _total(np.where(np.isnan(ratio), 0, (ratio - 1) ** 2))  # (G 10.52)


def omega_terms(params: Mapping, run: Run, y, mask=None):
    """Quotients of (G 10.52): how much longer each step back makes the gradient of `rnn_loss`.

    Parameters
    ----------
    params, run, y, mask
        As for `rnn_backward`; the run has at least two steps.

    Returns
    -------
    ndarray, shape (T - 1, ...)
        The quotient for ``t = 2 .. T``: 1 where the length is kept. NaN where the gradient on
        ``h^(t)`` is zero and the term is left out, so ``np.isnan(terms).sum()`` counts those.
    """
    W, _, _, slope, _, grad_h = _backward(params, run, y, mask)
    if not np.isfinite(grad_h).all():
        raise ValueError("params make gradients that overflow; expected smaller weights")
    with np.errstate(over="ignore", invalid="ignore"):
        return _ratio(grad_state(W, grad_h[1:], slope[1:], 0), grad_h[1:])


def omega_gradient(params: Mapping, run: Run, y, mask=None, *, constant: str = "nothing"):
    """Omega of a run and its gradient on the parameters, exact or with parts held constant.

    Parameters
    ----------
    params : mapping
        The parameters that made the run.
    run : Run
        Result of `rnn_forward`, of at least two steps.
    y : array_like of int, shape (T,) or (T, B), with seeds also (T, S, B)
        Targets, as tokens.
    mask : array_like, same shape as `y`, optional
        1 (or True) for the steps that count, 0 for the others.
    constant : {"nothing", "gradients", "states"}
        Part held constant. ``"nothing"``: the exact gradient. ``"gradients"``: the
        back-propagated gradients on the states, so that Omega depends on the parameters through
        the Jacobians alone. ``"states"``: the states as well, so that ``W`` alone gets a
        gradient, the one Pascanu et al. call immediate.

    Returns
    -------
    value : float or ndarray, shape (S,)
        Omega, as `omega` gives it. NaN, like the gradients, where a gradient overflows on its way
        back.
    grads : dict of ndarray
        Gradients on ``U``, ``W``, ``V``, ``b`` and ``c``, of the parameters' shapes. A parameter
        that Omega doesn't depend on, with so much held constant, gets zeros. A quotient of zero has
        no gradient; 0 is used.
    """
    as_choice("constant", constant, CONSTANT)
    W, V, mask, slope, grad_o, grad_h = _backward(params, run, y, mask)
    # A quotient doesn't depend on its gradient's length. Everything is in units of that length, so
    # that nothing overflows where gradients vanish.
    with np.errstate(over="ignore", invalid="ignore"):
        size = gradient_size(grad_h)[..., None]
        safe = np.where(size > 0, size, 1)
        unit = grad_h / safe
        flowed = grad_state(W, unit, slope, 0)
        ratio = np.linalg.norm(flowed, axis=-1, keepdims=True)
        off = np.where(size > 0, ratio - 1, 0)
        off[0] = 0  # the sum starts at t = 2
        on_flowed = 2 * off / np.where(ratio > 0, ratio, 1) * flowed
        if constant == "nothing":  # back through (G 10.21), whose output is its next input
            on_grad_h = np.zeros_like(grad_h)
            for t in range(1, len(size)):
                on_flowed[t] += size[t] / safe[t - 1] * on_grad_h[t - 1]
                on_grad_h[t] = slope[t] * times(W, on_flowed[t]) - 2 * off[t] * ratio[t] * unit[t]
            on_grad_h = np.where(grad_step_loss(mask), on_grad_h / safe, 0)  # read by outputs alone
        grads = {name: np.zeros(np.shape(params[name]), W.dtype) for name in "UVbc"}
        grads["W"] = sum_outer(slope * unit, on_flowed)
        if constant != "states":  # through the slopes, which depend on the states
            on_h = _BEND[run.nonlinearity](run.h) * unit * times(W, on_flowed)
            if constant == "nothing":  # and of yhat
                on_yhat = times(V, on_grad_h)
                on_o = run.yhat * (on_yhat - (run.yhat * on_yhat).sum(axis=-1, keepdims=True))
                on_h += grad_last_state(V, on_o)
                grads["V"] = grad_V(on_o, run.h) + sum_outer(grad_o, on_grad_h)
                grads["c"] = grad_c(on_o)
            for t in range(len(on_h) - 2, -1, -1):
                on_h[t] = grad_state(W, on_h[t + 1], slope[t + 1], on_h[t])  # (G 10.21)
            x = run.x
            if x.dtype.kind in "iu":
                x = _one_hot(x, np.shape(params["U"])[-1], W.dtype)
            grads["U"] = grad_U(slope, on_h, x)
            grads["b"] = grad_b(slope, on_h)
            grads["W"] += grad_W(slope, on_h, run.h_prev)
        sequences = run.h.shape[-2] if run.h.ndim > 2 else 1
        return _total(off[..., 0] ** 2), {name: grads[name] / sequences for name in params}


def _backward(params, run, y, mask):
    """Weights, mask, slopes, and the gradients of the loss on outputs and on states."""
    as_kind("run", run, Run, "what rnn_forward returns")
    _, W, V, _, _ = as_params_of(run, params)
    if len(run.h) < 2:
        raise ValueError("run has one step; expected at least two, for a gradient to flow between")
    mask = as_mask(mask, run.o.shape[:-1])
    grad_o = grad_output(run.yhat, as_targets(y, run.o.shape, mask), grad_step_loss(mask))
    slope = NONLINEARITIES[run.nonlinearity].slope(run.h)
    grad_h = grad_last_state(V, grad_o)
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(len(grad_h) - 2, -1, -1):
            grad_h[t] = grad_state(W, grad_h[t + 1], slope[t + 1], grad_h[t])  # (G 10.21)
    return W, V, mask, slope, grad_o, grad_h


def _ratio(flowed, grad_h):
    size = gradient_size(grad_h)
    return np.where(size > 0, gradient_size(flowed) / np.where(size > 0, size, 1), np.nan)


def _total(terms):
    """Sum over time, mean over a minibatch."""
    total = terms.sum(axis=0, dtype=np.float64)
    return total.mean(axis=-1) if total.ndim == 2 else float(total.mean())
