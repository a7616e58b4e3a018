"""What the figure reservoir shows: its network for the reference, and the experiment's means.

When the experiment reservoir-memory has new results, ``python -m rnn_helpers.explore.networks
reservoir`` writes them beside the figure's sources.
"""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.states import manifest
from rnn_helpers.reference import echo_state_gap, memory_capacity, spectral_radius


def poster(state):
    """Draw the figure in a complete state."""
    measured = manifest()["reservoir"]["example"]["measured"]
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
    example = manifest()["reservoir"]["example"]
    n, row, draw = example["units"], example["row"], np.random.RandomState(example["seed"])
    u, W = 2 * draw.random_sample(n) - 1, np.zeros((n, n))
    for i in range(n):
        chosen = {}  # a set that keeps its order
        while len(chosen) < row:
            chosen[int(n * draw.random_sample())] = None
        W[i, list(chosen)] = draw.standard_normal(row)
    x = 2 * draw.random_sample((example["washout"] + example["steps"], 1)) - 1
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
    meta = manifest()["reservoir"]
    example, K = meta["example"], meta["controls"]["k"]["max"]
    params, x, starts = network()
    params = scaled(params, radius, scale)
    capacity = memory_capacity(
        params,
        K,
        _Recorded(x),
        leak=leak,
        penalty=1e-8 * scale**2,
        n_steps=example["steps"],
        washout=example["washout"],
    )
    zero = example["washout"] + example["steps"] // 2
    return capacity, echo_state_gap(params, x[zero : zero + K], *starts, leak=leak)


class _Recorded(np.random.Generator):
    """The noise that the figure hears, where a function wants a generator to draw it from."""

    def __init__(self, x):
        super().__init__(np.random.PCG64(0))
        self._x = x

    def uniform(self, low, high, size):
        return self._x


def measurements():
    """Memory in the plane of radius and input scale, from the experiment's results.

    Returns
    -------
    dict
        ``radii`` and ``scales``; ``capacities``, the mean of the total for each scale and radius;
        ``met``, in how many reservoirs two starts met, of ``reservoirs``.
    """
    from rnn_helpers import experiments

    rows = experiments.load("reservoir-memory").rows
    radii, scales = (sorted({row[key] for row in rows}) for key in ("radius", "scale"))
    at = {(row["scale"], row["radius"]): row for row in rows}

    def table(make):
        return [[make(at[scale, radius]) for radius in radii] for scale in scales]

    return {
        "radii": radii,
        "scales": scales,
        "reservoirs": rows[0]["of"],
        "capacities": table(lambda row: round(row["capacity"], 1)),
        "met": table(lambda row: row["met"]),
    }
