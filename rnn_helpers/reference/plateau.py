"""A loss of two parameters with a plateau, a cliff and a saddle, and five methods to minimize it.

A state ``h^(t) = w h^(t-1)`` starts at 1 and is read out as ``v h^(t)``. The output should be 1
after one step, and 1 again after `tau`: the error is ``E = (v w - 1)^2 / 2 + (v w^tau - 1)^2 / 2``.
"""

from math import atan2, cos, hypot, sin, sqrt
from typing import NamedTuple

import numpy as np

from rnn_helpers.validate import as_choice, as_count, as_number, as_positive, as_real, as_result

METHODS = ("descent", "momentum", "nesterov", "newton", "gauss_newton")
_LEAST = 1e-40  # damping too small to matter
_FAR = 10  # a path that gets this far from 0 is not followed further


class TwoSpans(NamedTuple):
    """The loss of `two_spans` and its derivatives by (w, v).

    Attributes
    ----------
    loss : ndarray, shape (...)
    gradient : ndarray, shape (..., 2)
    hessian : ndarray, shape (..., 2, 2)
        All second derivatives. It may be indefinite.
    gauss_newton : ndarray, shape (..., 2, 2)
        ``J^T J``, the Hessian without the curvature of the two outputs. It is never indefinite.
    """

    loss: np.ndarray
    gradient: np.ndarray
    hessian: np.ndarray
    gauss_newton: np.ndarray


def two_spans(theta, tau):
    """Loss of a linear unit with target 1 after one step and after `tau`, and its derivatives.

    The minimum is at w = v = 1, a saddle at w = v = 0. Between them lies a valley, ``v w = 1``, in
    which the first error is gone; for w below 1 its floor is a plateau, for the second output and
    all its derivatives are as small as ``w^tau``.

    Parameters
    ----------
    theta : array_like, shape (..., 2)
        Recurrent weight w and readout weight v.
    tau : int
        The longer span, at least 2.
    """
    theta = as_real("theta", theta, float)
    tau = as_count("tau", tau, 2)
    if theta.shape[-1:] != (2,):
        raise ValueError(f"theta has shape {theta.shape}; expected (..., 2)")
    w, v = theta[..., 0], theta[..., 1]
    with np.errstate(over="ignore", invalid="ignore"):
        power = w**tau
        slope = tau * w ** (tau - 1)
        bend = tau * (tau - 1) * w ** (tau - 2)
        near, far = v * w - 1, v * power - 1  # the two errors
        gradient = np.stack([near * v + far * v * slope, near * w + far * power], axis=-1)
        a = v * v + (v * slope) ** 2
        b = v * w + v * slope * power
        c = w * w + power**2
        hessian = _symmetric(a + far * v * bend, b + near + far * slope, c)
        spans = TwoSpans((near**2 + far**2) / 2, gradient, hessian, _symmetric(a, b, c))
    return as_result("two_spans", spans, "theta")


def _symmetric(a, b, c):
    """Return the symmetric matrices with diagonal `a`, `c` and off-diagonal `b`."""
    return np.stack([np.stack([a, b], axis=-1), np.stack([b, c], axis=-1)], axis=-2)


def two_spans_step(method, theta, velocity, tau, *, lr=0.01, momentum=0.9, longest=0.25):
    """Take one step down the loss of `two_spans`.

    Parameters
    ----------
    method : {"descent", "momentum", "nesterov", "newton", "gauss_newton"}
        Gradient descent; with a velocity, which keeps the share `momentum` of itself; with the
        gradient taken where that velocity leads, ``theta + momentum * velocity`` (Nesterov, as
        Sutskever et al. write it); ``-H^-1 g``; and ``-(J^T J + lambda I)^-1 g``, with the least
        ``lambda >= 0`` with which it is not too long.
    theta, velocity : array_like, shape (2,)
        Parameters (w, v), and the last step of the methods with momentum; others ignore it.
    tau : int
        The longer span, at least 2.
    lr : float
        Learning rate of the first three, above 0.
    momentum : float
        In [0, 1).
    longest : float
        Length, above 0, to which a step of Newton's is cut and a step of Gauss-Newton damped.

    Returns
    -------
    theta, velocity : ndarray, shape (2,)
        After the step. `velocity` is the step itself.
    """
    as_choice("method", method, METHODS)
    theta, velocity = as_real("theta", theta, float), as_real("velocity", velocity, float)
    for name, pair in (("theta", theta), ("velocity", velocity)):
        if pair.shape != (2,):
            raise ValueError(f"{name} has shape {pair.shape}; expected (2,)")
    as_positive("lr", lr)
    as_positive("longest", longest)
    as_number("momentum", momentum, "a share in [0, 1)", lambda share: 0 <= share < 1)
    kept = 0 if method == "descent" else momentum
    here = two_spans(theta + kept * velocity if method == "nesterov" else theta, tau)
    if method == "newton":
        step = _newton(here, longest)
    elif method == "gauss_newton":
        step = _gauss_newton(here, longest)
    else:
        step = kept * velocity - lr * here.gradient
    return theta + step, step


def two_spans_path(method, start, tau, steps, *, lr=0.01, momentum=0.9, longest=0.25):
    """Take many steps of `two_spans_step`, the first from rest.

    Parameters
    ----------
    start : array_like, shape (2,)
        Parameters (w, v).
    steps : int
        How many.
    method, tau, lr, momentum, longest
        As for `two_spans_step`.

    Returns
    -------
    ndarray, shape (K + 1, 2)
        The start and the K points after it. K is `steps`, or less where a weight passes 10, which
        ends the path.
    """
    path = [as_real("start", start, float)]
    velocity = np.zeros(2)
    if path[0].shape != (2,):
        raise ValueError(f"start has shape {path[0].shape}; expected (2,)")
    rates = {"lr": lr, "momentum": momentum, "longest": longest}
    for _ in range(as_count("steps", steps)):
        theta, velocity = two_spans_step(method, path[-1], velocity, tau, **rates)
        path.append(theta)
        if np.abs(theta).max() > _FAR:
            break
    return np.array(path)


def _newton(here, longest):
    """``-H^-1 g``, no longer than `longest`; also where H has no inverse."""
    (a, b), (_, c) = here.hessian.tolist()
    g = here.gradient.tolist()
    towards = np.array([b * g[1] - c * g[0], b * g[0] - a * g[1]])  # times the determinant
    determinant = a * c - b * b
    length = hypot(*towards)
    if length <= longest * abs(determinant):
        return towards / determinant if determinant else towards
    return towards * (longest if determinant >= 0 else -longest) / length


def _gauss_newton(here, longest):
    """``-(J^T J + lambda I)^-1 g`` with the least damping lambda that makes it short enough."""
    (a, b), (_, c) = here.gauss_newton.tolist()
    g = here.gradient.tolist()
    angle = atan2(2 * b, a - c) / 2  # of the direction that is curved most
    along = cos(angle), sin(angle)
    parts = along[0] * g[0] + along[1] * g[1], along[0] * g[1] - along[1] * g[0]
    large = (a + c) / 2 + hypot((a - c) / 2, b)
    small = max((a * c - b * b) / large, 0) if large else 0

    def length(damping):
        return hypot(parts[0] / (large + damping), parts[1] / (small + damping))

    low = high = _LEAST
    if length(low) > longest:
        high = hypot(*parts) / longest
        for _ in range(100):
            middle = sqrt(low * high)
            low, high = (middle, high) if length(middle) > longest else (low, middle)
    p, q = parts[0] / (large + high), parts[1] / (small + high)
    return np.array([along[1] * q - along[0] * p, -along[1] * p - along[0] * q])
