"""The figure *reservoir*: its weights, inputs and two starts."""

import numpy as np

from rnn_helpers.figures import constants
from rnn_helpers.reference import spectral_radius

CONSTANTS = constants("reservoir")


def network():
    """Draw weights, inputs and starts in the figure's order.

    Returns
    -------
    params : dict of ndarray
        ``U, W, b`` of the reservoir at radius 1 and input scale 1.
    x : ndarray, shape (T, 1)
    starts : ndarray, shape (2, n)
    """
    n, row, draw = CONSTANTS.UNITS, CONSTANTS.ROW, np.random.RandomState(CONSTANTS.SEED)
    u, W = 2 * draw.random_sample(n) - 1, np.zeros((n, n))
    for i in range(n):
        chosen = {}  # a set that keeps its order
        while len(chosen) < row:
            chosen[int(n * draw.random_sample())] = None
        W[i, list(chosen)] = draw.standard_normal(row)
    x = 2 * draw.random_sample((CONSTANTS.WASHOUT + sum(CONSTANTS.FULL), 1)) - 1
    starts = 2 * draw.random_sample((2, n)) - 1
    return {"U": u[:, None], "W": W / spectral_radius(W), "b": np.zeros(n)}, x, starts


def scaled(params, radius, scale):
    """Return the same reservoir at another radius and input scale."""
    return {"U": scale * params["U"], "W": radius * params["W"], "b": params["b"]}
