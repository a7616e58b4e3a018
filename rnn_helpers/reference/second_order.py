"""Second-order methods, section 10.11: the curvature of the loss, and steps that divide by it.

For ``L = w^tau`` first and second derivative vanish together, and their ratio far more slowly:
`power_derivatives`. With many parameters the ratio becomes the solution of a linear system. The
Hessian is not always fit for that: where it has negative eigenvalues, it sends a step uphill, and
towards saddle points. The Gauss-Newton matrix ``G = J^T H J`` has none (``J`` is the Jacobian of
the outputs with respect to the parameters, ``H`` the Hessian of the loss with respect to the
outputs). It is never stored: `gauss_newton_product` multiplies it by a vector for about the price
of a gradient, and `conjugate_gradient` needs only such products. `hessian_free_step` combines the
two into the method of Martens and Sutskever (2011).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rnn_helpers.reference.bptt import grad_step_loss, rnn_backward, through_time
from rnn_helpers.reference.rnn import (
    NONLINEARITIES,
    Run,
    input_term,
    rnn_forward,
    rnn_loss,
    times,
)
from rnn_helpers.validate import (
    as_array,
    as_count,
    as_function,
    as_kind,
    as_like,
    as_mask,
    as_number,
    as_params_of,
    as_positive,
    as_real,
)

_HALVINGS = 12  # of a step that raises the loss, before it is given up


class PowerDerivatives(NamedTuple):
    """First and second derivative of ``w^tau``, and the first divided by the second."""

    first: np.ndarray
    second: np.ndarray
    ratio: np.ndarray


def power_derivatives(w, tau):
    """Derivatives of ``L = w^tau``, the shortest model of a loss behind `tau` steps of weight `w`.

    ``tau w^(tau-1)`` and ``tau (tau-1) w^(tau-2)``. For ``|w| < 1`` both vanish exponentially;
    their ratio ``w / (tau - 1)`` vanishes too, but only like ``1 / tau``. It is exact even where
    the derivatives underflow to 0.

    Parameters
    ----------
    w : array_like of float
        Weight.
    tau : array_like of int
        Number of steps, each at least 2; its shape and that of `w` are broadcast.
    """
    w = as_real("w", w, np.float64)
    tau = as_array("tau", tau)
    if tau.dtype.kind not in "iu":
        raise TypeError(f"tau has dtype {tau.dtype}; expected integers of at least 2")
    if (tau < 2).any():
        raise ValueError(f"tau contains {tau[tau < 2][0]}; expected integers of at least 2")
    try:
        np.broadcast_shapes(w.shape, tau.shape)
    except ValueError:
        raise ValueError(f"w has shape {w.shape}; expected one that fits {tau.shape}") from None
    tau = tau.astype(float)
    with np.errstate(over="ignore"):
        first, second = tau * w ** (tau - 1), tau * (tau - 1) * w ** (tau - 2)
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError(f"w reaches {np.abs(w).max()}; expected one whose powers do not overflow")
    return PowerDerivatives(first, second, w / (tau - 1))


def output_tangent(params, run, direction):
    """Change of every output when the parameters move: ``J v``, forward through time.

    Parameters
    ----------
    params : mapping
        The parameters that made the run.
    run : Run
        Result of `rnn_forward`.
    direction : mapping
        Change of the parameters: arrays with the names and shapes of `params`.

    Returns
    -------
    ndarray, shape (T, ..., n_y)
        Derivative of ``o^(1) .. o^(T)`` along the direction.
    """
    as_kind("run", run, Run, "what rnn_forward returns")
    _, W, V, _, _ = as_params_of(run, params)
    dU, dW, dV, db, dc = as_params_of(run, as_like("direction", direction, params))
    W = np.ascontiguousarray(W.mT).mT  # as in rnn_forward
    slope = NONLINEARITIES[run.nonlinearity].slope(run.h)
    # The direct change of a^(t) at its own step, for all t in one product. The loop replaces it by
    # the change of h^(t), which also depends on h^(t-1).
    dh = db + times(dW, run.h_prev) + input_term(dU, run.x)
    dh[0] *= slope[0]
    for t in range(1, len(dh)):
        dh[t] = slope[t] * (dh[t] + times(W, dh[t - 1]))
    return dc + times(dV, run.h) + times(V, dh)


def gauss_newton_product(params, run, direction, mask=None):
    """Product ``G v = J^T H J v`` of the Gauss-Newton matrix of `rnn_loss` with a vector.

    ``J v`` goes forward through time; ``H``, the Hessian of the loss with respect to the outputs,
    is ``diag(yhat) - yhat yhat^T`` at each step, for any target; ``J^T`` goes back through time
    like any gradient. ``v^T G v`` is never negative.

    Parameters
    ----------
    params, run, direction
        As for `output_tangent`; `direction` is ``v``, a dict like `params`, and so is ``G v``.
    mask : array_like, optional
        As for `rnn_loss`.
    """
    do = output_tangent(params, run, direction)
    mask = as_mask(mask, run.o.shape[:-1])
    yhat = run.yhat
    curved = yhat * (do - (yhat * do).sum(axis=-1, keepdims=True))
    grads = through_time(as_params_of(run, params), run, grad_step_loss(mask) * curved)
    return {name: grads[name] for name in "UWVbc"}


class _Vector:
    """Arrays of one dictionary as one vector, or as S of them on a leading axis."""

    def __init__(self, like: Mapping, seed_axis: bool):
        self.shapes = {name: array.shape for name, array in like.items()}
        self.keep = 1 if seed_axis else 0

    def pack(self, arrays: Mapping) -> np.ndarray:
        lead = self.keep
        parts = [arrays[name].reshape(*shape[:lead], -1) for name, shape in self.shapes.items()]
        return np.concatenate(parts, axis=-1)

    def unpack(self, vector: np.ndarray) -> dict:
        ends = np.cumsum([np.prod(shape[self.keep :], dtype=int) for shape in self.shapes.values()])
        parts = np.split(vector, ends[:-1], axis=-1)
        return {
            name: part.reshape(shape)
            for (name, shape), part in zip(self.shapes.items(), parts, strict=True)
        }


def _dot(p, q):
    return (p * q).sum(axis=-1, keepdims=True)


def conjugate_gradient(
    product: Callable,
    g: Mapping,
    *,
    steps: int,
    damping=0.0,
    start: Mapping | None = None,
    tolerance: float = 1e-6,
    seed_axis: bool = False,
) -> dict:
    """Solve ``(G + damping I) x = g`` for ``x``, using only products with ``G``.

    Each step costs one product, and minimizes ``x^T (G + damping I) x / 2 - g^T x`` along one more
    direction. Apart from rounding, n steps solve a system of n numbers.

    Parameters
    ----------
    product : callable
        ``product(v) -> G v``, from a dict of arrays to another; ``G`` symmetric.
    g : dict of ndarray
        Right-hand side.
    steps : int
        Most steps to take, at least 1.
    damping : float or ndarray of shape (S,)
        Added to the diagonal of ``G``; at least 0.
    start : dict of ndarray, optional
        Initial ``x``; 0 by default.
    tolerance : float
        Stop when the residual, relative to the right-hand side, is this small.
    seed_axis : bool
        Whether all arrays have a leading axis of S systems, which are solved side by side.

    Returns
    -------
    dict of ndarray
        ``x``. The method stops at a direction of zero or negative curvature.
    """
    as_function("product", product)
    steps = as_count("steps", steps)
    as_number("tolerance", tolerance, "a number of at least 0", lambda v: 0 <= v < np.inf)
    as_kind("g", g, Mapping, "a mapping from names to arrays")
    if not g:
        raise ValueError("g is empty; expected at least one array")
    g = {name: as_real(f"g[{name!r}]", array) for name, array in g.items()}
    seeds = {array.shape[:1] for array in g.values()}
    if seed_axis and (len(seeds) > 1 or () in seeds):
        raise ValueError(f"g has arrays of first lengths {seeds}; expected one number of seeds")
    vector = _Vector(g, seed_axis)
    residual = vector.pack(g)
    damping = _as_damping(damping, residual)

    def damped_product(v):
        Gv = as_like("what product gives", product(vector.unpack(v)), g)
        return vector.pack(Gv) + damping * v

    goal = tolerance * tolerance * _dot(residual, residual)
    x = np.zeros_like(residual)
    if start is not None:
        x = vector.pack(as_like("start", start, g)).astype(residual.dtype)
        residual = residual - damped_product(x)
    v = residual
    size = _dot(residual, residual)
    active = size > goal  # systems that are not solved yet
    for _ in range(steps):
        Av = damped_product(v)
        curvature = _dot(v, Av)
        active &= (size > goal) & (curvature > 0)
        if not active.any():
            break
        length = np.divide(size, curvature, out=np.zeros_like(size), where=active)
        x = x + length * v
        residual = residual - length * Av
        previous_size = size
        size = _dot(residual, residual)
        v = residual + np.divide(size, previous_size, out=np.zeros_like(size), where=active) * v
    return vector.unpack(x)


def _as_damping(damping, like):
    """Damping for each system, or an error that names it."""
    damping = as_real("damping", damping, like.dtype)
    if damping.shape not in ((), like.shape[:-1]) or (damping < 0).any():
        raise ValueError(
            f"damping is {damping}; expected a number of at least 0, or one for each seed"
        )
    return damping[..., None]


@dataclass(frozen=True, eq=False)
class HessianFreeStep:
    """Result of `hessian_free_step`, with the values that the next step needs.

    Attributes
    ----------
    params : dict of ndarray
        The parameters after the step.
    loss : float or ndarray, shape (S,)
        Mean loss of the minibatch before the step.
    ratio : float or ndarray, shape (S,)
        Decrease of the loss, divided by the decrease that the quadratic model promised.
    length : float or ndarray, shape (S,)
        Step size along the direction: 1, 1/2, 1/4, .. or 0.
    damping : float or ndarray, shape (S,)
        Damping for the next step.
    direction : dict of ndarray
        Subtracted from the parameters after scaling by `length`.
    products : int
        Products with the Gauss-Newton matrix that were computed.
    losses : int
        Losses that were computed, not counting the one with its gradient.
    """

    params: dict = field(repr=False)
    loss: np.ndarray
    ratio: np.ndarray
    length: np.ndarray
    damping: np.ndarray
    direction: dict = field(repr=False)
    products: int
    losses: int


def hessian_free_step(
    params: Mapping,
    x,
    y,
    mask=None,
    *,
    previous: HessianFreeStep | None = None,
    damping: float = 1.0,
    cg_steps: int = 30,
    nonlinearity: str = "tanh",
) -> HessianFreeStep:
    """Take one Hessian-free step (Martens and Sutskever, 2011), without their structural damping.

    The direction solves ``(G + damping I) x = g`` approximately, by steps of `conjugate_gradient`
    from the last direction; it is halved as long as it raises the loss. If the quadratic model
    predicts the decrease well (`ratio` above 3/4), the damping is multiplied by 2/3; if it promises
    too much (below 1/4), by 3/2.

    Parameters
    ----------
    params : mapping
        Parameters, as `init_rnn` returns them; with a leading axis of S seeds, each network has its
        own direction, damping and length.
    x, y, mask
        A minibatch, as for `rnn_forward` and `rnn_loss`; a large one, since curvature is noisy.
    previous : HessianFreeStep, optional
        The step before, which provides the direction and the damping.
    damping : float
        Damping of the first step, above 0.
    cg_steps : int
        Most steps of `conjugate_gradient`.
    nonlinearity : {"tanh", "sigmoid"}
        Function of the hidden units.
    """
    if previous is not None:
        as_kind("previous", previous, HessianFreeStep, "what hessian_free_step returns, or None")
    as_positive("damping", damping)
    cg_steps = as_count("cg_steps", cg_steps)
    run = rnn_forward(params, x, nonlinearity=nonlinearity)
    seeds = run.o.shape[1:2] if run.o.ndim == 4 else ()
    count = _counted_steps(run, mask)
    params = {name: np.asarray(params[name], run.o.dtype) for name in "UWVbc"}
    vector = _Vector(params, bool(seeds))
    grads = rnn_backward(params, run, y, mask)
    theta = vector.pack(params)
    g = vector.pack(grads) / count[..., None]

    def mean_loss(run):
        return rnn_loss(run, y, mask) / count.astype(float)

    products = 0

    def product(v):
        nonlocal products
        products += 1
        Gv = vector.pack(gauss_newton_product(params, run, v, mask))
        return vector.unpack(Gv / count[..., None])

    damping = np.full(seeds, damping) if previous is None else previous.damping
    direction = conjugate_gradient(
        product,
        vector.unpack(g),
        steps=cg_steps,
        damping=damping,
        start=None if previous is None else previous.direction,
        seed_axis=bool(seeds),
    )
    d = vector.pack(direction)
    promised = (_dot(g, d) - _dot(d, vector.pack(product(direction))) / 2)[..., 0]

    loss = mean_loss(run)
    length = np.ones(seeds)
    for halvings in range(_HALVINGS + 1):
        updated = vector.unpack(theta - (length[..., None] * d).astype(theta.dtype))
        decrease = loss - mean_loss(rnn_forward(updated, x, nonlinearity=nonlinearity))
        if halvings == 0:
            ratio = decrease / np.where(promised > 0, promised, np.inf)
        if (decrease > 0).all():
            break
        shorter = length / 2 if halvings < _HALVINGS - 1 else 0
        length = np.where(decrease > 0, length, shorter)
    change = np.where(ratio > 0.75, 2 / 3, np.where(ratio < 0.25, 3 / 2, 1))
    return HessianFreeStep(
        updated, loss, ratio, length, damping * change, direction, products, halvings + 1
    )


def _counted_steps(run, mask):
    """Number of the steps that count, or one for each seed; at least one."""
    shape = run.o.shape[:-1]
    counted = np.ones(shape) if mask is None else as_mask(mask, shape)
    count = counted.sum(axis=(0, 2) if len(shape) == 3 else None).astype(run.o.dtype)
    if not count.all():
        raise ValueError("mask counts no step; expected at least one")
    return count
