"""The network of two parameters whose loss has a cliff, as in figure 10.17 (Pascanu et al., 2013).

One unit without input is trained to end at a value::

    x^(t) = w sigmoid(x^(t-1)) + b,   x^(0) = 0.5,   E = (sigmoid(x^(T)) - 0.7)^2

Where ``b = 0.5 - w sigmoid(0.5)`` the start is a fixed point. From ``w = 1 / sigmoid'(0.5) = 4.26``
on it repels: a state on either side of it ends elsewhere. The cliff is there, and each step
makes it ``w sigmoid'(0.5)`` times as steep. At ``w = 5`` that is 1.175; the largest gradient is
1.5, 5.5, 43, 6.8e3 and 2.2e7 for 5, 10, 20, 50 and 100 steps.
"""

import numpy as np

from rnn_helpers.reference.activations import _sigmoid
from rnn_helpers.validate import as_count, as_real

START, TARGET = 0.5, 0.7


def cliff_state(w, b, n_steps=50):
    """State ``x^(T)`` of the network of figure 10.17, of the shape that `w` and `b` broadcast to.

    Parameters
    ----------
    w, b : array_like
        Weight and bias.
    n_steps : int
        Number of steps ``T``, at least 1.
    """
    return _run(w, b, n_steps)[0]


def cliff_loss(w, b, n_steps=50):
    """Loss ``(sigmoid(x^(T)) - 0.7)^2`` of the network of figure 10.17, from 0 to 0.49.

    Parameters are those of `cliff_state`.
    """
    return (_sigmoid(cliff_state(w, b, n_steps)) - TARGET) ** 2


def cliff_gradient(w, b, n_steps=50):
    """Gradient of `cliff_loss` by its two parameters, exact.

    The derivatives of the state go forward with it, ``dx^(t) = w sigmoid'(x^(t-1)) dx^(t-1) +
    (sigmoid(x^(t-1)), 1)``: with two parameters that is as cheap as going back, and keeps nothing.
    Parameters are those of `cliff_state`.

    Returns
    -------
    ndarray, shape (..., 2)
        ``dE/dw`` and ``dE/db`` on the last axis. Where an entry is beyond the floating type it is
        infinite; it is never NaN.
    """
    x, dx = _run(w, b, n_steps)
    y = _sigmoid(x)
    slope = _slope(x)
    return _times(2 * (y - TARGET) * slope, dx)


def _run(w, b, n_steps):
    """State after `n_steps` and, on its last axis, its derivatives by w and b."""
    w = as_real("w", w)
    b = as_real("b", b)
    n_steps = as_count("n_steps", n_steps)
    try:
        w, b = np.broadcast_arrays(w, b)
    except ValueError:
        raise ValueError(
            f"b has shape {b.shape}; expected one that broadcasts with that of w, {w.shape}"
        ) from None
    x = np.full(w.shape, START, np.result_type(w, b))
    dx = np.zeros((*w.shape, 2), x.dtype)
    with np.errstate(over="ignore"):  # a state of any size, an infinite one too, has its sigmoid
        for _ in range(n_steps):
            y = _sigmoid(x)
            dx = _times(w * _slope(x), dx)
            dx[..., 0] += y
            dx[..., 1] += 1
            x = w * y + b
    return x, dx


def _slope(x):
    return _sigmoid(x) * _sigmoid(-x)


def _times(slope, dx):
    """Chain rule; where the slope is 0, the result is 0, however large the gradient is."""
    slope = slope[..., None]
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(slope == 0, 0, slope * dx)
