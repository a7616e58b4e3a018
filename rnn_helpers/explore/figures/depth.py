"""The figure *depth*: a recurrent network made deep in any of its boxes, and the way through it."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.reference import Depth, deep_backward, deep_circuit, deep_forward, deep_shapes

CONSTANTS = constants("depth")
STEPS, UNITS, DRAWS = CONSTANTS.STEPS, CONSTANTS.UNITS, CONSTANTS.DRAWS
BOXES = ("states", "input", "transition", "output")


def poster(state):
    """Draw the figure in a complete state."""
    depth = of(state)
    graph = deep_circuit(depth).unfold(STEPS)
    path = graph.shortest_path(("x", state["start"]), ("o", STEPS))
    return plots.depth_graph(depth, path, STEPS, share=shares(depth), plain=shares(Depth()))


def of(state):
    """Give the depth of a state; where nothing stands between states, there is nothing to skip."""
    skip = state["skip"] and state["transition"] > 0
    return Depth(**{box: state[box] for box in BOXES}, skip=skip)


def drawn(depth, seed, T=STEPS, n=UNITS):
    """Random parameters, as wide as PyTorch draws them, and inputs (T, n)."""
    rng = np.random.RandomState(seed)
    params = {
        name: rng.standard_normal(shape) * (3 * n) ** -0.5 if len(shape) == 2 else np.zeros(shape)
        for name, shape in deep_shapes(depth, n, n, n).items()
    }
    return params, rng.standard_normal((T, n))


def gradients(params, depth, x):
    """Gradient on each input of the loss of the last step, whose target is the first symbol."""
    run = deep_forward(params, depth, x)
    last = np.arange(len(x)) == len(x) - 1
    return deep_backward(params, run, np.zeros(len(x), int), last)["x"]


def shares(depth):
    """Length of the gradient on each input in units of that on the last, over random networks."""
    lengths = [
        np.linalg.norm(gradients(*_parts(depth, seed)), axis=-1) for seed in range(1, DRAWS + 1)
    ]
    mean = np.exp(np.mean(np.log(lengths), axis=0))
    return mean / mean[-1]


def _parts(depth, seed):
    params, x = drawn(depth, seed)
    return params, depth, x
