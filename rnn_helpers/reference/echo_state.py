"""Echo state networks, section 10.8: recurrent networks with fitted output weights alone.

The reservoir is the network of (G 10.8) and (G 10.9) with random weights ``U, W, b`` that stay
fixed. Its readout, ``V, c`` as in (G 10.10), is a linear regression from states to targets, solved
in closed form. So ``params | readout`` are the parameters of a whole recurrent network.

Units may leak: ``h^(t) = (1 - leak) h^(t-1) + leak tanh(a^(t))``. Section 10.9.2 writes alpha for
``1 - leak``. Shapes, seeds and tokens are those of `rnn`.
"""

from collections.abc import Mapping

import numpy as np

from rnn_helpers.reference.initialisation import _sparse
from rnn_helpers.reference.long_term import spectral_radius
from rnn_helpers.reference.rnn import (
    each_seed,
    hidden_state,
    input_term,
    output,
    preactivation,
    start,
)
from rnn_helpers.validate import (
    as_cell,
    as_count,
    as_drawn,
    as_generator,
    as_inputs,
    as_number,
    as_real,
    several,
)


def init_reservoir(n_x, n_h, seed=0, *, radius=0.9, input_scale=1.0, density=0.1):
    """Draw random weights: sparse Gaussian ``W``, uniform ``U``, and a bias of 0.

    With the same seed, `radius` and `input_scale` scale the same matrices.

    Parameters
    ----------
    n_x, n_h : int
        Numbers of input and hidden units.
    seed : int, Generator, or sequence of S of these
        Source of the weights.
    radius : float
        Spectral radius to which ``W`` is scaled, exactly; at least 0.
    input_scale : float
        The entries of ``U`` are uniform between minus and plus this number, which is at least 0.
    density : float
        Share of the weights in each row of ``W`` that are not 0, above 0 and at most 1; rounded
        to whole weights, and at least one.

    Returns
    -------
    dict of ndarray
        ``U`` (n_h, n_x), ``W`` (n_h, n_h) and ``b`` (n_h,), which is 0; each with a leading axis
        S if `seed` is a sequence.
    """
    n_x, n_h = as_count("n_x", n_x), as_count("n_h", n_h)
    _as_scale("radius", radius)
    _as_scale("input_scale", input_scale)
    _as_share("density", density)
    scales = {"radius": radius, "input_scale": input_scale, "density": density}
    if several(seed):
        return each_seed(lambda one: init_reservoir(n_x, n_h, one, **scales), seed)
    rng = as_generator(seed)
    # with a weight in every row there is a cycle among the units, so the radius is not 0
    W = _sparse(rng, n_h, max(1, round(density * n_h)))
    with np.errstate(over="ignore"):
        params = {
            "U": input_scale * rng.uniform(-1, 1, (n_h, n_x)),
            "W": radius / spectral_radius(W) * W,
            "b": np.zeros(n_h),
        }
    return as_drawn("radius", radius, params)


def reservoir_states(params: Mapping, x, h0=None, leak=1.0):
    """Return the states of a reservoir for a sequence, or for a minibatch of sequences.

    With a leak of 1 they are the states of `rnn_forward`.

    Parameters
    ----------
    params : mapping
        ``U``, ``W`` and ``b``, as `init_reservoir` returns them. Others are ignored.
    x : array_like
        As for `rnn_forward`. A series of numbers is a sequence of vectors of one, (T, 1).
    h0 : array_like, optional
        Initial state, as for `rnn_forward`.
    leak : float
        Share of the state that is replaced at each step, above 0 and at most 1.

    Returns
    -------
    ndarray, shape (T, ..., n_h)
        States ``h^(1) .. h^(T)``.
    """
    return _trajectory(params, x, "h0", h0, leak)[1:]


def ridge_readout(states, y, penalty=1e-6, washout=0):
    """Fit output weights by ridge regression.

    They minimize ``sum_t |y^(t) - V h^(t) - c|^2 + penalty |V|^2``, in closed form. `output`
    predicts with them: ``output(**readout, h=states)``.

    Parameters
    ----------
    states : array_like, shape (T, n_h)
        One state in each row: those of one sequence, or the last states of many.
    y : array_like, shape (T, n_y)
        Target of each.
    penalty : float
        Weight of the squares of ``V``, at least 0. The bias ``c`` isn't penalized. Without a
        penalty, the smallest of all equally good ``V`` is returned.
    washout : int
        Number of rows at the beginning that are left out, because the state still depends on its
        initial value; less than T.

    Returns
    -------
    dict of ndarray
        ``V`` (n_y, n_h) and ``c`` (n_y,).
    """
    states, y = as_real("states", states), as_real("y", y)
    if states.ndim != 2 or 0 in states.shape:
        raise ValueError(f"states has shape {states.shape}; expected (T, n_h)")
    n_steps, n_h = states.shape
    if y.ndim != 2 or len(y) != n_steps or not y.size:
        raise ValueError(f"y has shape {y.shape}; expected ({n_steps}, n_y), as long as states")
    _as_scale("penalty", penalty)
    if as_count("washout", washout, 0) >= n_steps:
        raise ValueError(f"washout is {washout}; expected less than the {n_steps} rows of states")
    h, y = states[washout:], y[washout:]
    h_mean, y_mean = h.mean(axis=0), y.mean(axis=0)
    # the penalty as n_h more rows with targets of 0: no product h^T h, which would square the
    # condition of a matrix whose columns are nearly dependent
    rows = np.concatenate([h - h_mean, penalty**0.5 * np.eye(n_h)])
    targets = np.concatenate([y - y_mean, np.zeros((n_h, y.shape[1]))])
    V = np.linalg.lstsq(rows, targets)[0].T
    return {"V": V, "c": y_mean - V @ h_mean}


def memory_capacity(
    params: Mapping, max_delay, seed=0, *, leak=1.0, penalty=1e-8, n_steps=4000, washout=200
):
    """Return the memory capacity at each delay (Jaeger, 2001).

    The reservoir receives independent numbers, uniform between -1 and 1. For each delay `k`, a
    readout is fitted to the input of `k` steps ago on the first half of the steps. Its capacity is
    the squared correlation of its output and this input on the other half. Apart from noise, all
    capacities together are at most ``n_h``. Noise gives about ``2 / n_steps`` to a delay at which
    nothing is remembered.

    Parameters
    ----------
    params : mapping
        ``U``, ``W`` and ``b`` of one reservoir with one input.
    max_delay : int
        Longest delay, at least 0.
    seed : int or numpy.random.Generator
        Source of the input.
    leak : float
        As for `reservoir_states`.
    penalty : float
        As for `ridge_readout`.
    n_steps : int
        Number of steps measured, at least ``2 * (n_h + 2)``, so that each half has more steps
        than the readout has weights.
    washout : int
        Number of steps before those, at least `max_delay`.

    Returns
    -------
    ndarray, shape (max_delay + 1,)
        Capacity for ``k = 0 .. max_delay``, each from 0 to 1. Jaeger's sum begins with ``k = 1``.
    """
    U, W = (_as_reservoir(params)[name] for name in "UW")
    if U.ndim != 2 or U.shape[1] != 1:
        raise ValueError(f"params['U'] has shape {U.shape}; expected (n_h, 1), for one input")
    max_delay = as_count("max_delay", max_delay, 0)
    n_steps = as_count("n_steps", n_steps, 2 * (len(W) + 2))
    washout = as_count("washout", washout, max_delay)
    x = as_generator(seed).uniform(-1, 1, (washout + n_steps, 1))
    states = reservoir_states(params, x, leak=leak)[washout:]
    past = np.lib.stride_tricks.sliding_window_view(x[washout - max_delay :, 0], max_delay + 1)
    past = past[:, ::-1]  # (n_steps, max_delay + 1), delay 0 first
    half = n_steps // 2
    readout = ridge_readout(states[:half], past[:half], penalty)
    prediction = output(**readout, h=states[half:])
    target = past[half:]
    prediction = prediction - prediction.mean(axis=0)
    target = target - target.mean(axis=0)
    variances = (prediction**2).sum(axis=0) * (target**2).sum(axis=0)
    covariance = (prediction * target).sum(axis=0)
    # a constant readout has no correlation: its capacity is 0
    return np.divide(covariance**2, variances, out=np.zeros_like(variances), where=variances > 0)


def echo_state_gap(params: Mapping, x, h0, other_h0, leak=1.0):
    """Return the distance of two runs with the same inputs and different initial states.

    If the reservoir has the echo state property, the distance goes to 0, because the state then
    depends only on the inputs. A largest singular value of ``W`` below 1 is sufficient for that. A
    spectral radius below 1 isn't sufficient and, with strong inputs, isn't necessary.

    Parameters
    ----------
    params, x, leak
        As for `reservoir_states`.
    h0, other_h0 : array_like
        The two initial states.

    Returns
    -------
    ndarray, shape (T + 1, ...)
        Length of the difference of the two states, for ``t = 0 .. T``.
    """
    first, second = (
        _trajectory(params, x, name, begin, leak)
        for name, begin in (("h0", h0), ("other_h0", other_h0))
    )
    return np.linalg.norm(first - second, axis=-1)


def _trajectory(params, x, name, h0, leak):
    """Return all states from the initial one on, which an error calls `name`."""
    U, W, b = _as_reservoir(params).values()
    x, batch = as_inputs(x, U)
    _as_share("leak", leak)
    Ux = input_term(U, x)
    h = np.empty((len(x) + 1, *batch, W.shape[-1]), W.dtype)
    h[0] = start(name, h0, h.shape[1:], W.dtype)
    for t in range(1, len(h)):
        a = preactivation(b, W, h[t - 1], Ux[t - 1])  # (G 10.8)
        h[t] = (1 - leak) * h[t - 1] + leak * hidden_state(a)  # (G 10.9), leaky as in 10.9.2
    return h


def _as_reservoir(params):
    return as_cell(params, own="UWb")


def _as_scale(name, value):
    return as_number(name, value, "a finite number of at least 0", lambda v: 0 <= v < np.inf)


def _as_share(name, value):
    return as_number(name, value, "a number above 0 and at most 1", lambda v: 0 < v <= 1)
