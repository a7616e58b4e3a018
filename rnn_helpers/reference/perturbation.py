"""Growth of a small difference between two runs of one linear map, section 10.8.

From ``g`` and from ``g + delta v``, the runs are ``delta ||J^n v||`` apart after `n` steps. States
go forward through ``J``; column gradients go back through ``J^T`` (section 10.8 prints ``J`` for
them), which has the same eigenvalues and, unless `J` is normal, other eigenvectors.
"""

import numpy as np

from rnn_helpers.validate import as_count, as_initial_state, as_real, as_square, as_switch


def separation(J, v, n, *, backward=False):
    """Return the distance of two runs of a linear map that start apart by `v`, after each step.

    If `v` is a unit eigenvector of the matrix that is applied, with eigenvalue lambda, the distance
    is ``|lambda|^k``. (Section 10.8 of the text we worked from once omits the exponent.)

    Parameters
    ----------
    J : array_like, shape (n_h, n_h)
        Jacobian of every step.
    v : array_like, shape (n_h,) or (..., n_h)
        Difference of the two starts, or of several pairs.
    n : int
        Number of steps, at least 0.
    backward : bool
        Whether a gradient goes back, through ``J^T``, instead of a state forward, through ``J``.

    Returns
    -------
    ndarray, shape (n + 1,) or (n + 1, ...)
        ``||J^k v||`` for ``k = 0 .. n``, or with ``J^T``.
    """
    step = _step(J, backward)
    v = as_real("v", v, step.dtype)
    v = as_initial_state("v", v, (*v.shape[:-1], len(step)), step.dtype)
    n = as_count("n", n, 0)
    apart = np.empty((n + 1, *v.shape[:-1]), step.dtype)
    for k in range(n + 1):
        with np.errstate(over="ignore", invalid="ignore"):
            apart[k] = np.linalg.norm(v, axis=-1)
            v = v @ step.mT
        if not np.isfinite(apart[k]).all():
            raise ValueError(
                f"n is {n}, but J^{k} v overflows; expected fewer steps or a smaller J"
            )
    return apart


def widest_perturbation(J, n, *, backward=False):
    """Find the direction in which a difference is largest after `n` steps of a linear map.

    It is the first right singular vector of the matrix of all `n` steps. Section 10.8 names the
    eigenvector of the largest ``|lambda|`` instead, which is right only if `J` is normal. For
    ``J = [[0.9, 5], [0, 0.5]]`` and 1, 3 and 10 steps, the largest factors are 5.10, 7.59 and 4.36;
    along the eigenvector they are 0.90, 0.73 and 0.35.

    Parameters
    ----------
    J, n, backward
        As for `separation`.

    Returns
    -------
    v : ndarray, shape (n_h,)
        Unit vector; its entry of the largest magnitude is positive. It isn't unique if the two
        largest singular values are equal, as for no steps at all.
    growth : float
        Factor by which the distance has grown.
    """
    step = _step(J, backward)
    n = as_count("n", n, 0)
    with np.errstate(over="ignore", invalid="ignore"):
        all_steps = np.linalg.matrix_power(step, n)
    if not np.isfinite(all_steps).all():
        raise ValueError(f"n is {n}, but J^{n} overflows; expected fewer steps or a smaller J")
    _, sizes, directions = np.linalg.svd(all_steps)
    v = directions[0]
    return v * np.sign(v[np.abs(v).argmax()]), float(sizes[0])


def _step(J, backward):
    J = as_square("J", J)
    as_switch("backward", backward)
    return J.mT if backward else J
