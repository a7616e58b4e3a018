"""The figure *products*: products of random factors."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants

SAMPLES = constants("products").SAMPLES


def poster(state):
    """Draw the figure in a complete state."""
    same, n, v = state["kind"] == "same", state["n"], state["v"]
    width = 1 if same else int(state["kind"])
    shape = (1 if same else n, SAMPLES[state["kind"]], width)
    normals = np.random.RandomState(state["seed"]).standard_normal(shape)
    factors = np.sqrt(v * np.mean(normals**2, axis=-1))
    t = np.arange(1, n + 1)
    rms = v ** (t / 2)
    if same:
        factors = np.broadcast_to(factors, (n, factors.shape[1]))
        rms = rms * np.cumprod(np.sqrt(2 * t - 1))  # the moments of a Gaussian
    return plots.products(factors, rms)
