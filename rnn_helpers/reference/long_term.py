"""Powers of a matrix, (G 10.36)-(G 10.39), and products of Jacobians.

In (G 10.36)-(G 10.39) the source multiplies by ``W^T``, but in (G 10.8) it multiplies by ``W``. The
functions for these four equations follow the source. All others apply ``W`` itself at each step,
``h^(t) = W h^(t-1)``. Gradients are column vectors, and time is the first axis.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rnn_helpers.reference.bptt import _at_the_end, _finite, grad_state, state_jacobian
from rnn_helpers.reference.equations import equation
from rnn_helpers.reference.rnn import NONLINEARITIES, Run, times
from rnn_helpers.validate import (
    as_count,
    as_initial_state,
    as_kind,
    as_params_of,
    as_real,
    as_square,
)

_MOST_ALIKE = 1e10  # condition of the eigenvectors that leaves 6 of 16 digits


@equation("10.36")
def linear_step(W, h):
    """Compute the next state of a linear network without input, ``h^(t) = W^T h^(t-1)``.

    Parameters
    ----------
    W : ndarray, shape (n_h, n_h)
        Weights. They are transposed before they are applied, unlike in (G 10.8).
    h : ndarray, shape (..., n_h)
        State ``h^(t-1)``.
    """
    return times(W.mT, h)  # (G 10.36)


@equation("10.37")
def linear_state(W, h0, t):
    """Compute the state of a linear network from a power of its weights, ``(W^t)^T h^(0)``.

    Parameters
    ----------
    W : ndarray, shape (n_h, n_h)
        Weights, as for `linear_step`.
    h0 : ndarray, shape (..., n_h)
        State ``h^(0)``.
    t : int
        Time, at least 0.
    """
    return times(np.linalg.matrix_power(W, t).mT, h0)  # (G 10.37)


@equation("10.38")
def eigendecompose(W):
    """Compute the eigenvectors and eigenvalues of a symmetric matrix, ``W = Q Lambda Q^T``.

    Parameters
    ----------
    W : array_like, shape (n, n)
        Symmetric matrix.

    Returns
    -------
    Q : ndarray, shape (n, n)
        Orthogonal matrix, one eigenvector in each column.
    eigenvalues : ndarray, shape (n,)
        Diagonal of ``Lambda``, sorted by decreasing absolute value.

    Raises
    ------
    ValueError
        If `W` is not symmetric. All other matrices have complex eigenvalues or eigenvectors that
        are not orthogonal, so they have no form (G 10.38). `modes` can decompose them.
    """
    W = as_square("W", W)
    asymmetry = np.abs(W - W.mT)
    if asymmetry.max() > 1e-6 * np.abs(W).max():
        i, j = np.unravel_index(asymmetry.argmax(), W.shape)
        raise ValueError(
            f"W is not symmetric (W[{i}, {j}] is {W[i, j]:.6g}, W[{j}, {i}] is {W[j, i]:.6g}); "
            "expected W equal to its transpose, because only then it is Q Lambda Q^T with Q "
            "orthogonal and everything real"
        )
    eigenvalues, Q = np.linalg.eigh(W)
    order = np.argsort(-np.abs(eigenvalues), kind="stable")
    return Q[:, order], eigenvalues[order]  # (G 10.38)


@equation("10.39")
def spectral_state(Q, eigenvalues, h0, t):
    """Compute the state from powers of the eigenvalues, ``Q Lambda^t Q^T h^(0)``.

    This is (G 10.39) in corrected form. `spectral_state_as_printed` has the printed one.

    Parameters
    ----------
    Q, eigenvalues : ndarray, shape (n_h, n_h), (n_h,)
        Orthogonal eigenvectors (as columns) and their eigenvalues, from `eigendecompose`.
    h0 : ndarray, shape (..., n_h)
        State ``h^(0)``.
    t : int
        Time, at least 0.
    """
    return times(Q, eigenvalues**t * times(Q.mT, h0))  # (G 10.39), corrected


def spectral_state_as_printed(Q, eigenvalues, h0, t):
    """Evaluate (G 10.39) as printed, ``Q^T Lambda^t Q h^(0)``, which isn't the state.

    It equals the state only at time 0 and in special cases, such as a symmetric `Q`. The parameters
    are those of `spectral_state`.
    """
    return times(Q.mT, eigenvalues**t * times(Q, h0))


@dataclass(frozen=True, eq=False)
class Modes:
    """A state as a sum of modes, ``h^(t) = sum_i alpha_i lambda_i^t q_i``.

    Attributes
    ----------
    eigenvalues : ndarray, shape (n,)
        ``lambda_i``, sorted by decreasing modulus. In a conjugate pair, the eigenvalue with the
        positive imaginary part comes first. The array is complex if any eigenvalue is.
    coefficients : ndarray, shape (n,)
        ``alpha_i``.
    vectors : ndarray, shape (n, n)
        ``q_i`` as columns of length 1.
    """

    eigenvalues: np.ndarray
    coefficients: np.ndarray
    vectors: np.ndarray

    def state(self, t):
        """Compute the state at time `t`, or at an array of times.

        Parameters
        ----------
        t : int or array_like of int
            Times, at least 0.

        Returns
        -------
        ndarray, shape (n,) or (*shape of t, n)
        """
        t = np.asarray(t)
        if t.dtype.kind not in "iu":
            raise TypeError(f"t has dtype {t.dtype}; expected integers")
        if t.size and t.min() < 0:
            raise ValueError(f"t contains {t.min()}; expected times of at least 0")
        with np.errstate(over="ignore", invalid="ignore"):
            weights = self.coefficients * self.eigenvalues ** t[..., None]
            h = (weights @ self.vectors.mT).real
        if not np.isfinite(h).all():
            raise ValueError(f"t reaches {t.max()}, where the state overflows; expected less")
        return h


def modes(W, h0):
    """Decompose ``h^(t) = W h^(t-1)``, starting from `h0`, into modes.

    This works for any diagonalizable matrix. For a symmetric one, it is (G 10.39). In general, the
    eigenvalues are complex and the eigenvectors aren't orthogonal. The coefficients solve
    ``Q alpha = h^(0)``. They can be large, so that the modes nearly cancel in ``h^(0)``.

    Parameters
    ----------
    W : array_like, shape (n, n)
        Matrix that is applied at each step.
    h0 : array_like, shape (n,)
        State ``h^(0)``.

    Returns
    -------
    Modes

    Raises
    ------
    ValueError
        If `W` has too few independent eigenvectors.
    """
    W = as_square("W", W)
    h0 = as_initial_state("h0", h0, W.shape[-1:], W.dtype)
    eigenvalues, vectors = np.linalg.eig(W)
    order = np.lexsort((-eigenvalues.imag, -np.abs(eigenvalues)))
    eigenvalues, vectors = eigenvalues[order], vectors[:, order]
    if np.linalg.cond(vectors) > _MOST_ALIKE:
        raise ValueError(
            "W has eigenvectors that are multiples of each other, to ten digits; expected a "
            "matrix with as many independent eigenvectors as rows"
        )
    return Modes(eigenvalues, np.linalg.solve(vectors, h0.astype(vectors.dtype)), vectors)


def spectral_radius(W):
    """Return the largest modulus of an eigenvalue of `W`, or of each matrix in a stack of them.

    Parameters
    ----------
    W : array_like, shape (n, n) or (..., n, n)

    Returns
    -------
    float or ndarray, shape (...)
    """
    radius = np.abs(np.linalg.eigvals(as_square("W", W, stacked=True))).max(axis=-1)
    return radius if radius.ndim else float(radius)


def power_norms(W, T):
    """Compute the norms of the powers of a matrix.

    The norm of ``W^k`` is the largest factor by which `k` steps of ``h^(t) = W h^(t-1)`` can
    stretch a state.

    Parameters
    ----------
    W : array_like, shape (n, n) or (..., n, n)
        Matrix, or matrices.
    T : int
        Number of steps, at least 0.

    Returns
    -------
    ndarray, shape (T + 1,) or (T + 1, ...)
        ``||W^k||_2``, the largest singular value of each power, for ``k = 0 .. T``. The first is 1.
    """
    W = as_square("W", W, stacked=True)
    T = as_count("T", T, 0)
    power = np.broadcast_to(np.eye(W.shape[-1]), W.shape)
    norms = np.ones((T + 1, *W.shape[:-2]))
    for k in range(1, T + 1):
        with np.errstate(over="ignore", invalid="ignore"):
            power = power @ W
        if not np.isfinite(power).all():
            raise ValueError(f"T is {T}, but W^{k} overflows; expected fewer steps or smaller W")
        norms[k] = np.linalg.svdvals(power)[..., 0]
    return norms


def state_jacobians(params: Mapping, run: Run):
    """Compute the Jacobian of each state with respect to the previous one, ``dh^(t)/dh^(t-1)``.

    Parameters
    ----------
    params : mapping
        Parameters of the network.
    run : Run
        Result of `rnn_forward` with these parameters.

    Returns
    -------
    ndarray, shape (T, ..., n_h, n_h)
        The matrix of (G 10.20) for ``t = 1 .. T``. Its entry ``[i, j]`` is the derivative of
        ``h_i^(t)`` with respect to ``h_j^(t-1)``.
    """
    W, slope = _weights_and_slope(params, run)
    return state_jacobian(W[:, None] if W.ndim == 3 else W, slope)  # (G 10.20)


def gradient_through_time(params: Mapping, run: Run, grad_last):
    """Compute the gradient of a loss at the last step with respect to each state, ``dL/dh^(t)``.

    Each step back multiplies the gradient by the transposed Jacobian, ``g^(t-1) = J^T g^(t)``. This
    is (G 10.21) without the term for the outputs. The Jacobians themselves are never computed.

    Parameters
    ----------
    params, run
        As for `state_jacobians`.
    grad_last : array_like
        Gradient with respect to ``h^(T)``, of a shape that broadcasts to that of ``run.h[-1]``.

    Returns
    -------
    ndarray, shape (T + 1, ..., n_h)
        Gradients with respect to ``h^(t)``, for ``t = 0 .. T``.
    """
    W, slope = _weights_and_slope(params, run)
    grad_h = np.zeros_like(run.states)
    grad_h[1:] = _at_the_end(run, grad_last)
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(len(slope), 0, -1):
            grad_h[t - 1] = grad_state(W, grad_h[t], slope[t - 1], 0)  # (G 10.21)
    return _finite(grad_h)


def _weights_and_slope(params, run):
    as_kind("run", run, Run, "what rnn_forward returns")
    slope = NONLINEARITIES[run.nonlinearity].slope
    return as_params_of(run, params).W, slope(run.h)


def direction_changes(values):
    """Count how often a curve turns from rising to falling or back.

    Level stretches don't count as turns.

    Parameters
    ----------
    values : array_like, shape (n,) or (..., n)
        Heights of one or several curves, at points in increasing order.

    Returns
    -------
    int or ndarray of int, shape (...)
    """
    values = as_real("values", values)
    if not values.ndim:
        raise ValueError(f"values is {values}; expected the heights of a curve")

    def turns(curve):
        rises = (curve[1:] > curve[:-1])[curve[1:] != curve[:-1]]
        return np.count_nonzero(rises[1:] != rises[:-1])

    counts = np.apply_along_axis(turns, -1, values)
    return counts if counts.ndim else int(counts)
