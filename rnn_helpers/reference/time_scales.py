"""Several time scales in one network, section 10.9: skips, leaky units and clocks.

All are one recurrence. A unit keeps a share alpha of its state and takes in the share 1 - alpha of
a new value, for which it receives the states of one step ago and of `d` steps ago:

    a^(t) = b + W h^(t-1) + Wd h^(t-d) + U x^(t)
    h^(t) = alpha^(t) h^(t-1) + (1 - alpha^(t)) tanh(a^(t))

Without ``Wd`` and with an alpha of 0 it is the network of (G 10.8) and (G 10.9). The alpha of a
leaky unit is constant. The alpha of a unit with a clock is 0 if the clock ticks and 1 otherwise.
Shapes, seeds and tokens are those of `rnn`.
"""

import math
from collections.abc import Mapping

import numpy as np

from rnn_helpers.reference.rnn import hidden_state, input_term, preactivation, start, times
from rnn_helpers.validate import (
    as_cell,
    as_count,
    as_inputs,
    as_kind,
    as_list,
    as_number,
    as_real,
    as_square,
    as_switch,
    brief,
)


def time_scale_forward(params: Mapping, x, h0=None, *, alpha=0.0, skip=None, periods=None):
    """Return the states of a network with skip connections, leaky units or clocks.

    Parameters
    ----------
    params : mapping
        ``U``, ``W`` and ``b``; with `skip` also ``Wd``, shaped like ``W``. Then ``W`` may be
        missing, which removes the connections of length one. Other entries are ignored.
    x : array_like
        As for `rnn_forward`.
    h0 : array_like, optional
        State at time 0, as for `reservoir_states`; 0 by default. States before it are 0.
    alpha : array_like
        Share of the old state that is kept, from 0 to 1: a number, one for each unit (n_h,), or
        with seeds also (S, n_h).
    skip : int, optional
        Length d of the skip connections ``Wd``, at least 1.
    periods : sequence of int, optional
        Period of the clock of each unit, as for `clock_moves`. It receives the units that
        `clock_connections` gives.

    Returns
    -------
    ndarray, shape (T, ..., n_h)
        States ``h^(1) .. h^(T)``.

    Raises
    ------
    ValueError
        If units have both clocks and an alpha.
    """
    as_kind("params", params, Mapping, "a mapping with U, W and b")
    if skip is not None:
        skip = as_count("skip", skip)
        if "W" not in params and "Wd" in params:
            params = {**params, "W": 0 * as_real("params['Wd']", params["Wd"])}
    arrays = as_cell(params, own=["U", "W", "b"] if skip is None else ["U", "W", "Wd", "b"])
    U, W, b = (arrays[name] for name in "UWb")
    Wd = arrays.get("Wd")
    x, batch = as_inputs(x, U)
    alpha = _as_alpha(alpha, W)
    kept = np.broadcast_to(alpha, (len(x), *alpha.shape))
    if periods is not None:
        connected = clock_connections(periods)
        if len(connected) != W.shape[-1]:
            raise ValueError(f"periods has {len(connected)} entries; expected {W.shape[-1]}")
        if alpha.any():
            raise ValueError(f"alpha is {alpha} and periods are given; expected one of them")
        kept = 1 - clock_moves(periods, len(x)).astype(W.dtype)
        W = W * connected
        Wd = None if Wd is None else Wd * connected
    Ux = input_term(U, x)
    h = np.empty((len(x) + 1, *batch, W.shape[-1]), W.dtype)
    h[0] = start("h0", h0, h.shape[1:], W.dtype)
    for t in range(1, len(h)):
        a = preactivation(b, W, h[t - 1], Ux[t - 1])
        if Wd is not None and t >= skip:
            a = a + times(Wd, h[t - skip])
        h[t] = kept[t - 1] * h[t - 1] + (1 - kept[t - 1]) * hidden_state(a)
    return h[1:]


def running_average(v, alpha, mu0=0.0, *, delayed=False):
    """Return the running average ``mu^(t) = alpha mu^(t-1) + (1 - alpha) v^(t)`` of 10.9.2.

    Its time constant is about ``1 / (1 - alpha)`` steps.

    Parameters
    ----------
    v : array_like, shape (T, ...)
        Values ``v^(1) .. v^(T)``.
    alpha : array_like
        Share that is kept, from 0 to 1: a number, or several that broadcast with ``v[0]``.
    mu0 : array_like
        Average before the first step, a number or an array that broadcasts likewise.
    delayed : bool
        Whether the average takes in ``v^(t-1)`` instead of ``v^(t)``, as on slides that follow the
        source. It is the same filter, one step late. There is no ``v^(0)``, so the average stays at
        `mu0` for the first step.

    Returns
    -------
    ndarray, shape (T, ...)
        Averages ``mu^(1) .. mu^(T)``.
    """
    v = as_real("v", v)
    alpha = _as_share(as_real("alpha", alpha))
    mu = as_real("mu0", mu0)
    as_switch("delayed", delayed)
    if not v.ndim or not v.size:
        raise ValueError(f"v has shape {v.shape}; expected at least one value")
    try:
        shape = np.broadcast_shapes(v.shape[1:], alpha.shape, mu.shape)
    except ValueError:
        raise ValueError(
            f"v[0], alpha and mu0 have shapes {v.shape[1:]}, {alpha.shape} and {mu.shape}; "
            "expected shapes that broadcast"
        ) from None
    averages = np.empty((len(v), *shape), np.result_type(v, alpha, mu))
    averages[0] = mu
    for t in range(delayed, len(v)):
        averages[t] = mu = alpha * mu + (1 - alpha) * v[t - delayed]
    return averages


def clock_moves(periods, n_steps):
    """Return at which steps units with clocks update: at the multiples of their periods.

    Parameters
    ----------
    periods : sequence of int
        Period of each unit, at least 1.
    n_steps : int
        Number of steps T, at least 1.

    Returns
    -------
    ndarray of bool, shape (T, n_h)
    """
    return np.arange(1, as_count("n_steps", n_steps) + 1)[:, None] % _as_periods(periods) == 0


def clock_connections(periods):
    """Return which units each unit with a clock receives (Koutník et al., 2014).

    A unit receives the units whose period is at least its own.

    Parameters
    ----------
    periods : sequence of int
        Period of each unit, at least 1.

    Returns
    -------
    ndarray of bool, shape (n_h, n_h)
        Whether the unit of the row receives that of the column: the weights that ``W`` may have.
    """
    periods = _as_periods(periods)
    return periods >= periods[:, None]


def skip_companion(W, W_skip, d):
    """Return one step of ``h^(t) = W h^(t-1) + W_skip h^(t-d)`` as a single matrix.

    The matrix, (d n_h, d n_h), maps the last `d` states, stacked with the newest first, to the next
    such stack. So its spectral radius is the factor by which gradients grow or shrink per step in
    the long run. With ``d = 5``, 100 steps of this factor give 0.025 for the weights 0.5 and 0.4,
    2.1e4 for 0.5 and 0.9, and 1.0e9 for 1.1 and 0.3; `skip_gradient` is 0.3 to 0.7 times as large.

    Parameters
    ----------
    W, W_skip : array_like, shape (n_h, n_h)
        Length-one and skip connections.
    d : int
        Length of the skip connections, at least 1.
    """
    W = as_square("W", W)
    W_skip = as_square("W_skip", W_skip)
    d = as_count("d", d)
    if W.shape != W_skip.shape:
        raise ValueError(f"W_skip has shape {W_skip.shape}; expected {W.shape}, as W")
    n_h = len(W)
    step = np.eye(d * n_h, k=-n_h, dtype=np.result_type(W, W_skip))  # every state moves down by one
    step[:n_h, :n_h] += W
    step[:n_h, -n_h:] += W_skip
    return step


def ways_back(d, n_steps):
    """Return the number of paths back over `n_steps` steps, by edges of length 1 and `d`."""
    d, n_steps = as_count("d", d), as_count("n_steps", n_steps, 0)
    # k long edges leave n_steps - k d short ones, and the two kinds can come in any order
    return sum(math.comb(n_steps - k * (d - 1), k) for k in range(n_steps // d + 1))


def skip_gradient(w, w_skip, d, n_steps):
    """Return the gradient of ``h^(t)`` with respect to ``h^(0)`` for one linear unit.

    The unit computes ``h^(t) = w h^(t-1) + w_skip h^(t-d)``. The gradient is the sum over all paths
    back of the product of the weights along each. It is ``w_skip`` to the power ``t / d`` only if
    `w` is 0.

    Parameters
    ----------
    w, w_skip : float
        Weights of the length-one and of the skip connection.
    d : int
        Length of the skip connection, at least 1.
    n_steps : int
        Number of steps T, at least 0.

    Returns
    -------
    ndarray, shape (T + 1,)
        Gradient of ``h^(t)`` for ``t = 0 .. T``.
    """
    w, w_skip = float(as_number("w", w)), float(as_number("w_skip", w_skip))
    d = as_count("d", d)
    gradients = [1.0]
    for t in range(1, as_count("n_steps", n_steps, 0) + 1):
        gradients.append(w * gradients[t - 1] + (w_skip * gradients[t - d] if t >= d else 0))
    if not np.isfinite(gradients).all():
        raise ValueError(f"the gradient overflows in {n_steps} steps; expected smaller w or w_skip")
    return np.array(gradients)


def _as_share(alpha):
    if not alpha.size or not ((alpha >= 0) & (alpha <= 1)).all():
        raise ValueError(f"alpha is {brief(alpha)}; expected shares from 0 to 1")
    return alpha


def _as_alpha(alpha, W):
    """Return shares that broadcast to the states of a network with weights `W`."""
    alpha = as_real("alpha", alpha, W.dtype)
    *seeds, n_h = W.shape[:-1]
    if alpha.shape not in ((), (n_h,), (*seeds, n_h)):
        raise ValueError(f"alpha has shape {alpha.shape}; expected a number, or ({n_h},)")
    return _as_share(alpha[:, None] if alpha.ndim == 2 else alpha)


def _as_periods(periods):
    periods = [as_count("each of periods", period) for period in as_list("periods", periods)]
    if not periods:
        raise ValueError("periods is empty; expected one for each unit")
    return np.array(periods)
