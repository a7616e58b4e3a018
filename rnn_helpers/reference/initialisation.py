"""Initializations of the recurrent weights, in which gradients vanish, explode or survive."""

from functools import partial

import numpy as np

from rnn_helpers.reference.long_term import spectral_radius
from rnn_helpers.reference.rnn import each_seed
from rnn_helpers.validate import (
    as_choice,
    as_count,
    as_drawn,
    as_dtype,
    as_generator,
    as_positive,
    several,
)

_CONNECTIONS = 15  # of a unit in a sparse network, unless the caller asks for another number


def _default(rng, n_h):
    return rng.uniform(-(n_h**-0.5), n_h**-0.5, (n_h, n_h))


def _gaussian(rng, n_h):
    return rng.normal(0, n_h**-0.5, (n_h, n_h))


def _orthogonal(rng, n_h):
    Q, R = np.linalg.qr(rng.normal(size=(n_h, n_h)))
    return Q * np.sign(np.diag(R))  # with these signs, all rotations are equally likely


def _identity(rng, n_h):
    return np.eye(n_h)


def _sparse(rng, n_h, connections=_CONNECTIONS):
    k = min(connections, n_h)
    columns = rng.permuted(np.tile(np.arange(n_h), (n_h, 1)), axis=1)[:, :k]
    W = np.zeros((n_h, n_h))
    np.put_along_axis(W, columns, rng.normal(size=(n_h, k)), axis=1)
    return W


# function that draws the matrix, and its default spectral radius
_KINDS = {
    "default": (_default, None),
    "gaussian": (_gaussian, 1),
    "orthogonal": (_orthogonal, 1),
    "identity": (_identity, 1),
    "sparse": (_sparse, 1.2),
}

INITIALISATIONS = tuple(_KINDS)
"""The names that `init_recurrent` knows."""


def init_recurrent(kind, n_h, seed=0, *, radius=None, dtype=np.float64):
    """Draw initial recurrent weights ``W``.

    To change only this matrix in a network, write
    ``params | {"W": init_recurrent("orthogonal", n_h)}``.

    Parameters
    ----------
    kind : {"default", "gaussian", "orthogonal", "identity", "sparse"}
        ``"default"``: uniform between ``-1 / sqrt(n_h)`` and ``1 / sqrt(n_h)``, as in PyTorch. The
        spectral radius is near 0.6. ``"gaussian"``: independent normal entries. ``"orthogonal"``: a
        random rotation, with or without reflection. ``"identity"``: the identity matrix.
        ``"sparse"``: 15 normal entries in each row (all, if there are fewer), and 0 elsewhere.
    n_h : int
        Number of hidden units.
    seed : int, Generator, or sequence of S of these
        Source of the weights.
    radius : float, optional
        Spectral radius to which the matrix is scaled. By default, ``"default"`` isn't scaled,
        ``"sparse"`` has 1.2, and the others have 1.
    dtype : dtype
        Floating-point type of the weights.

    Returns
    -------
    ndarray, shape (n_h, n_h), or (S, n_h, n_h) with S seeds
    """
    draw, own_radius = _KINDS[as_choice("kind", kind, _KINDS)]
    n_h = as_count("n_h", n_h)
    dtype = as_dtype("dtype", dtype)
    radius = own_radius if radius is None else as_positive("radius", radius)
    if several(seed):
        draw_one = partial(init_recurrent, kind, n_h, radius=radius, dtype=dtype)
        return each_seed(lambda one: {"W": draw_one(one)}, seed)["W"]
    W = draw(as_generator(seed), n_h)
    with np.errstate(over="ignore"):
        if radius is not None:
            W *= radius / spectral_radius(W)
        W = W.astype(dtype)
    return as_drawn("radius", radius, {"W": W})["W"]
