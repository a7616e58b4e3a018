"""The figure *reservoir*: what readouts remember, and whether two starts meet."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.states import manifest
from rnn_helpers.explore.trained import stored
from rnn_helpers.reference import echo_state_gap, memory_capacity, spectral_radius

CONSTANTS = constants("reservoir")


def poster(state):
    """Draw the figure in a complete state."""
    measured = stored("reservoir")
    radius, scale = state["radius"], state["scale"]
    return plots.reservoir_memory(
        *remembered(radius, scale, state["leak"]),
        plane=[measured[key] for key in ("radii", "scales", "capacities")],
        at=(radius, scale),
        delay=state["k"],
    )


def network():
    """Weights, inputs and starts, drawn in the figure's order.

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
    """The same reservoir at another radius and input scale."""
    return {"U": scale * params["U"], "W": radius * params["W"], "b": params["b"]}


def remembered(radius, scale, leak=1.0):
    """What the figure computes when its hand has come to rest, by the reference.

    Returns
    -------
    capacity : ndarray, shape (K + 1,)
    gap : ndarray, shape (K + 1,)
        Distance of the states from the two starts.
    """
    K = manifest()["reservoir"]["controls"]["k"]["max"]
    params, x, starts = network()
    params = scaled(params, radius, scale)
    capacity = memory_capacity(
        params,
        K,
        _Recorded(x),
        leak=leak,
        penalty=1e-8 * scale**2,
        n_steps=sum(CONSTANTS.FULL),
        washout=CONSTANTS.WASHOUT,
    )
    zero = CONSTANTS.WASHOUT + CONSTANTS.FULL[0]
    return capacity, echo_state_gap(params, x[zero : zero + K], *starts, leak=leak)


class _Recorded(np.random.Generator):
    """The noise that the figure hears, where a function wants a generator to draw it from."""

    def __init__(self, x):
        super().__init__(np.random.PCG64(0))
        self._x = x

    def uniform(self, low, high, size):
        return self._x
