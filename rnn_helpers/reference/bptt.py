"""Back-propagation through time: equations (G 10.17)-(G 10.28).

Gradients are column vectors, as in (G 10.20), and lie along the last axis like the states they
belong to. All time steps share the parameters, so the functions of (G 10.22)-(G 10.28) sum over the
time steps (and the minibatch) that they receive. Given a single step, they return the gradient of
the copy ``W^(t)`` at that step, which the source calls a dummy variable.
"""

from collections.abc import Callable, Mapping

import numpy as np

from rnn_helpers.reference.activations import _one_hot
from rnn_helpers.reference.equations import equation
from rnn_helpers.reference.rnn import NONLINEARITIES, Run, times
from rnn_helpers.validate import (
    Weights,
    as_function,
    as_initial_state,
    as_kind,
    as_mask,
    as_params_of,
    as_targets,
    brief,
)


def sum_outer(p, q):
    """Return the sum of ``p q^T`` over time and minibatch, for each seed if there are seeds.

    A single matrix product computes the sum, with the vectors as the rows of two matrices.

    Parameters
    ----------
    p : ndarray, shape (T, m), (T, B, m) or (T, S, B, m)
    q : ndarray, shape (T, n), (T, B, n) or (T, S, B, n)
        The axis of seeds may have length 1.

    Returns
    -------
    ndarray, shape (m, n) or (S, m, n)
    """
    return _side_by_side(p).mT @ _side_by_side(q)


def _side_by_side(vectors):
    n = vectors.shape[-1]
    if vectors.ndim < 4:
        return vectors.reshape(-1, n)
    return vectors.swapaxes(0, 1).reshape(vectors.shape[1], -1, n)


def _sum(vectors):
    return vectors.sum(axis=(0, 2) if vectors.ndim == 4 else tuple(range(vectors.ndim - 1)))


def _at_the_end(run, grad_last):
    """Return the gradients from the outputs if only the last state has an output."""
    from_output = np.zeros_like(run.h)
    from_output[-1] = as_initial_state("grad_last", grad_last, run.h[-1].shape, run.h.dtype)
    return from_output


def _finite(gradients):
    """Return the gradients, or raise ValueError if they overflowed."""
    if not np.isfinite(gradients).all():
        raise ValueError("grad_last overflows on its way back; expected a smaller one, or W")
    return gradients


@equation("10.17")
def grad_step_loss(mask=None):
    """Return the gradient on the loss ``L^(t)``: 1 for each step that counts, 0 for the others.

    Parameters
    ----------
    mask : ndarray of bool, shape (T, ...), optional
        Steps that count; by default all of them.

    Returns
    -------
    int or ndarray, shape (T, ..., 1)
    """
    return 1 if mask is None else mask[..., None].astype(np.int8)  # (G 10.17)


@equation("10.18")
def grad_output(yhat, y, grad_L=1):
    """Return the gradient on the logits ``o^(t)``: the prediction minus the target.

    Parameters
    ----------
    yhat : ndarray, shape (..., n_y)
        Probabilities.
    y : ndarray of int, shape (...)
        Targets, as tokens.
    grad_L : int or ndarray, shape (..., 1)
        Gradient on ``L^(t)``, from `grad_step_loss`.
    """
    return grad_L * (yhat - _one_hot(y, yhat.shape[-1], yhat.dtype))  # (G 10.18)


@equation("10.19")
def grad_last_state(V, grad_o):
    """Return the gradient on a state from its own output; the last state gets no other.

    Parameters
    ----------
    V : ndarray, shape (n_y, n_h)
        Hidden-to-output weights.
    grad_o : ndarray, shape (..., n_y)
        Gradient on ``o^(t)``.
    """
    return times(V.mT, grad_o)  # (G 10.19)


@equation("10.20")
def state_jacobian(W, slope):
    """Return the Jacobian ``dh^(t+1) / dh^(t) = diag(1 - (h^(t+1))^2) W``.

    Parameters
    ----------
    W : ndarray, shape (n_h, n_h)
        Hidden-to-hidden weights.
    slope : ndarray, shape (..., n_h)
        Slope of the nonlinearity at ``t+1``, ``1 - (h^(t+1))^2`` for tanh.

    Returns
    -------
    ndarray, shape (..., n_h, n_h)
        Entry ``[i, j]`` is the derivative of ``h_i^(t+1)`` with respect to ``h_j^(t)``.
    """
    return slope[..., :, None] * W


@equation("10.20", "10.21")
def grad_state(W, grad_h_next, slope_next, from_output):
    """Return the gradient on a state, from the next state and from its own output.

    The source prints the factors of (G 10.21) as ``W^T grad_h diag(1 - h^2)``, and the shapes of
    this product don't fit. The order here follows from (G 10.20).

    Parameters
    ----------
    W : ndarray, shape (n_h, n_h)
        Hidden-to-hidden weights.
    grad_h_next, slope_next : ndarray, shape (..., n_h)
        Gradient on ``h^(t+1)`` and slope of the nonlinearity, ``1 - (h^(t+1))^2`` for tanh.
    from_output : ndarray, shape (..., n_h)
        ``V^T grad_o^(t)``, from `grad_last_state`.
    """
    return times(W.mT, slope_next * grad_h_next) + from_output  # (G 10.21), corrected


def grad_state_as_printed(W, grad_h_next, slope_next, from_output):
    """Return the wrong gradient that (G 10.21) as printed gives if it is read entry by entry.

    As printed, a column (n_h, 1) is multiplied by a matrix (n_h, n_h), which is impossible. If the
    slopes are multiplied entry by entry after ``W^T``, the shapes fit but the result is wrong. So
    are all gradients that depend on it, those of ``U``, ``W``, ``b`` and ``h0``. The gradients of
    ``V`` and ``c`` stay right. The parameters are those of `grad_state`.
    """
    return times(W.mT, grad_h_next) * slope_next + from_output


@equation("10.22")
def grad_c(grad_o):
    """Return the gradient of the output bias ``c``, from that on ``o^(t)``, shape (T, ..., n_y)."""
    return _sum(grad_o)  # (G 10.22)


@equation("10.23")
def grad_b(slope, grad_h):
    """Return the gradient of the hidden bias ``b``.

    Parameters
    ----------
    slope, grad_h : ndarray, shape (T, ..., n_h)
        Slope of the nonlinearity, ``1 - (h^(t))^2`` for tanh, and gradient on ``h^(t)``.
    """
    return _sum(slope * grad_h)  # (G 10.23)


@equation("10.24")
def grad_V(grad_o, h):
    """Return the gradient of the hidden-to-output weights ``V``.

    Parameters
    ----------
    grad_o, h : ndarray, shape (T, ..., n_y), (T, ..., n_h)
        Gradient on ``o^(t)`` and state ``h^(t)``.
    """
    return sum_outer(grad_o, h)  # (G 10.24)


@equation("10.25", "10.26")
def grad_W(slope, grad_h, h_prev):
    """Return the gradient of the hidden-to-hidden weights ``W``.

    Parameters
    ----------
    slope, grad_h : ndarray, shape (T, ..., n_h)
        Slope of the nonlinearity, ``1 - (h^(t))^2`` for tanh, and gradient on ``h^(t)``.
    h_prev : ndarray, shape (T, ..., n_h)
        State ``h^(t-1)``.
    """
    return sum_outer(slope * grad_h, h_prev)  # (G 10.26)


@equation("10.27", "10.28")
def grad_U(slope, grad_h, x):
    """Return the gradient of the input-to-hidden weights ``U``.

    Parameters
    ----------
    slope, grad_h : ndarray, shape (T, ..., n_h)
        Slope of the nonlinearity, ``1 - (h^(t))^2`` for tanh, and gradient on ``h^(t)``.
    x : ndarray, shape (T, ..., n_x)
        Input vectors.
    """
    return sum_outer(slope * grad_h, x)  # (G 10.28)


def rnn_backward(
    params: Mapping,
    run: Run,
    y,
    mask=None,
    *,
    recursion: Callable = grad_state,
    per_step: bool = False,
) -> dict:
    """Return the gradients of `rnn_loss` by back-propagation through time.

    Parameters
    ----------
    params : mapping
        The parameters of the run.
    run : Run
        Result of `rnn_forward`.
    y, mask : array_like
        Targets and the steps that count, as for `rnn_loss`.
    recursion : callable
        The step back in time, by default `grad_state`. For the last state, its gradient from the
        next state is zero. `grad_state_as_printed` shows the effect of the misprint in (G 10.21),
        and `clip_hidden(v)` clips.
    per_step : bool
        Whether to return the gradient of the copy ``W^(t)`` at each step, along a leading axis of
        length T. The sum over this axis is the gradient of ``W``.

    Returns
    -------
    dict of ndarray
        Gradients of ``U``, ``W``, ``V``, ``b`` and ``c``, each with the shape of the parameter
        (after the axis T if `per_step`), and of ``h0``, with the shape of ``run.h0``.
    """
    as_kind("run", run, Run, "what rnn_forward returns")
    weights = as_params_of(run, params)
    as_function("recursion", recursion)
    mask = as_mask(mask, run.o.shape[:-1])
    y = as_targets(y, run.o.shape, mask)
    grad_L = grad_step_loss(mask)  # (G 10.17)
    grad_o = grad_output(run.yhat, y, grad_L)  # (G 10.18)
    return through_time(weights, run, grad_o, recursion=recursion, per_step=per_step)


def through_time(
    weights: Weights,
    run: Run,
    grad_o: np.ndarray,
    *,
    recursion: Callable = grad_state,
    per_step: bool = False,
) -> dict:
    """Return the gradients of any function of the outputs, given its gradient on the outputs.

    Parameters
    ----------
    weights : Weights
        The parameters of the run, as `as_params_of` returns them.
    grad_o : ndarray, shape (T, ..., n_y)
        Gradient on ``o^(1) .. o^(T)``.
    run, recursion, per_step
        As for `rnn_backward`, which starts from the loss and checks its arguments.

    Returns
    -------
    dict of ndarray
        As from `rnn_backward`.
    """
    U, W, V, _, _ = weights
    x = run.x
    if x.dtype.kind in "iu":
        x = _one_hot(x, U.shape[-1], U.dtype)

    slope = NONLINEARITIES[run.nonlinearity].slope(run.h)
    # One product gives the gradients from the outputs, for all steps. The last state gets no other
    # (G 10.19). At the earlier states, the whole gradient replaces this term.
    grad_h = from_output = grad_last_state(V, grad_o)
    grad_h[-1] = recursion(W, np.zeros_like(grad_h[-1]), slope[-1], from_output[-1])
    for t in range(len(grad_h) - 2, -1, -1):
        grad_h[t] = recursion(W, grad_h[t + 1], slope[t + 1], from_output[t])  # (G 10.21)
    grad_h0 = recursion(W, grad_h[0], slope[0], 0)  # (G 10.21): h^(0) has no output
    if np.shape(grad_h0) != run.h0.shape:
        raise ValueError(f"recursion gave {brief(grad_h0)}; expected an array of {run.h0.shape}")

    grad_a = slope * grad_h  # the gradient inside the tanh: (G 10.23), (G 10.26), (G 10.28)

    def on_parameters(steps):
        return {
            "U": sum_outer(grad_a[steps], x[steps]),  # (G 10.28)
            "W": sum_outer(grad_a[steps], run.h_prev[steps]),  # (G 10.26)
            "V": grad_V(grad_o[steps], run.h[steps]),  # (G 10.24)
            "b": _sum(grad_a[steps]),  # (G 10.23)
            "c": grad_c(grad_o[steps]),  # (G 10.22)
        }

    if per_step:
        copies = [on_parameters(slice(t, t + 1)) for t in range(len(grad_h))]
        grads = {name: np.stack([copy[name] for copy in copies]) for name in copies[0]}
    else:
        grads = on_parameters(slice(None))
    return {**grads, "h0": grad_h0}
