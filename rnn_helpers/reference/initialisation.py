"""Ways to begin: recurrent weights whose gradients vanish, explode, or keep their size."""

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
    return Q * np.sign(np.diag(R))  # with these signs, every rotation is as likely as any other


def _identity(rng, n_h):
    return np.eye(n_h)


def _sparse(rng, n_h, connections=_CONNECTIONS):
    k = min(connections, n_h)
    columns = rng.permuted(np.tile(np.arange(n_h), (n_h, 1)), axis=1)[:, :k]
    W = np.zeros((n_h, n_h))
    np.put_along_axis(W, columns, rng.normal(size=(n_h, k)), axis=1)
    return W


# how to draw each, and its spectral radius unless the caller asks for another
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
    """Recurrent weights ``W`` to begin training with, shape (n_h, n_h) or (S, n_h, n_h).

    Two networks that differ in this matrix alone are ``params`` and
    ``params | {"W": init_recurrent("orthogonal", n_h)}``.

    Parameters
    ----------
    kind : {"default", "gaussian", "orthogonal", "identity", "sparse"}
        ``"default"``: uniform within ``1 / sqrt(n_h)`` of 0, as in PyTorch, which makes a spectral
        radius near 0.6. ``"gaussian"``: independent normal entries. ``"orthogonal"``: a random
        rotation, with or without reflection. ``"identity"``: each unit remembers its own state.
        ``"sparse"``: 15 normal entries in each row (all, if there are fewer units), the rest 0.
    n_h : int
        Number of hidden units.
    seed : int, Generator, or sequence of S of these
        Source of the weights.
    radius : float, optional
        Spectral radius the matrix is scaled to, exactly. If left out, ``"default"`` stays as
        drawn, ``"sparse"`` has 1.2 and the others have 1.
    dtype : dtype
        Floating type of the weights.
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
