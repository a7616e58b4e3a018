"""The figure *depth*: the gradients in random networks with extra layers."""

import numpy as np

from rnn_helpers.figures import constants
from rnn_helpers.reference import deep_backward, deep_forward, deep_shapes

CONSTANTS = constants("depth")
STEPS, UNITS, DRAWS = CONSTANTS.STEPS, CONSTANTS.UNITS, CONSTANTS.DRAWS


def drawn(depth, seed, T=STEPS, n=UNITS):
    """Draw parameters with PyTorch's variance, and inputs (T, n)."""
    rng = np.random.RandomState(seed)
    params = {
        name: rng.standard_normal(shape) * (3 * n) ** -0.5 if len(shape) == 2 else np.zeros(shape)
        for name, shape in deep_shapes(depth, n, n, n).items()
    }
    return params, rng.standard_normal((T, n))


def gradients(params, depth, x):
    """Return the gradient of the last step's loss with respect to each input."""
    run = deep_forward(params, depth, x)
    last = np.arange(len(x)) == len(x) - 1
    return deep_backward(params, run, np.zeros(len(x), int), last)["x"]


def shares(depth):
    """Return the norm of each input's gradient relative to the last input's."""
    lengths = []
    for seed in range(1, DRAWS + 1):
        params, x = drawn(depth, seed)
        lengths.append(np.linalg.norm(gradients(params, depth, x), axis=-1))
    mean = np.exp(np.mean(np.log(lengths), axis=0))
    return mean / mean[-1]
