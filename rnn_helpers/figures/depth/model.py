"""The figure *depth*: the gradients in random networks with extra layers."""

import numpy as np

from rnn_helpers.figures import constants
from rnn_helpers.reference import deep_backward, deep_forward, deep_shapes

CONSTANTS = constants("depth")
STEPS, BACK, UNITS, DRAWS = CONSTANTS.STEPS, CONSTANTS.BACK, CONSTANTS.UNITS, CONSTANTS.DRAWS


def drawn(depth, seed, T=STEPS, n=UNITS, orthogonal=False):
    """Draw parameters and inputs (T, n); without `orthogonal`, they have PyTorch's variance.

    With it, the matrices on the shortest path from state to state are orthogonal, and the input
    matrix of the first state is a fifth as large.
    """
    rng = np.random.RandomState(seed)
    params = {
        name: rng.standard_normal(shape) * (3 * n) ** -0.5 if len(shape) == 2 else np.zeros(shape)
        for name, shape in deep_shapes(depth, n, n, n).items()
    }
    x = rng.standard_normal((T, n))
    if orthogonal:
        path = "S" if depth.skip else "WT"
        params |= {M: _orthogonal(params[M]) for M in params if M[0] in path}
        params["U1"] /= 5
    return params, x


def _orthogonal(rows):
    """Make the rows orthonormal, one after another."""
    Q, R = np.linalg.qr(rows.T)
    return (Q * np.sign(np.diag(R))).T


def gradients(params, depth, x):
    """Return the gradient of the last step's loss with respect to each input."""
    run = deep_forward(params, depth, x)
    last = np.arange(len(x)) == len(x) - 1
    return deep_backward(params, run, np.zeros(len(x), int), last)["x"]


def reach(depth, orthogonal=False, back=BACK):
    """Return how long the gradient is at the input so many steps back, relative to the last input.

    It is the median over random networks, for 0 to `back` steps.
    """
    shares = []
    for seed in range(1, DRAWS + 1):
        params, x = drawn(depth, seed, back + 1, orthogonal=orthogonal)
        lengths = np.linalg.norm(gradients(params, depth, x), axis=-1)[::-1]
        shares.append(lengths / lengths[0])
    return np.median(shares, axis=0)
