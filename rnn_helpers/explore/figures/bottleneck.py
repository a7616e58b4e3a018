"""The figure *bottleneck*: how many digits fit into the vector between two networks."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import unpacked
from rnn_helpers.reference import gru_forward, softmax

CONSTANTS = constants("bottleneck")
GRU, SIZES, LONGEST = CONSTANTS.GRU, CONSTANTS.SIZES, CONSTANTS.LONGEST


def poster(state):
    """Draw shares by length if they are asked for, else what the smallest network writes."""
    read = line(state["seed"])[: state["length"]]
    if state["curves"]:
        return plots.lines(
            range(1, LONGEST + 1),
            [measured(size) for size in SIZES],
            [f"C of {size} numbers" for size in SIZES],
            xlabel="digits to reverse",
            ylabel="share of digits right",
        )
    p = softmax(write(network(SIZES[0]), np.array(read)))[:, :10]
    return plots.probabilities(
        p / p.sum(1, keepdims=True), "0123456789", symbols=list(map(str, read)), target=read[::-1]
    )


def measured(size):
    """Share of digits that a network writes right, at each length."""
    return stored("bottleneck")["measured"][str(size)]


def line(seed):
    """Twelve digits."""
    chance = np.random.RandomState(seed).random_sample(LONGEST)
    return [int(10 * one) for one in chance]


def network(size):
    """Weights of a network, as they were rounded: these are the network, here and in the figure."""
    return unpacked(stored("bottleneck")["networks"][str(size)])


def read(params, x):
    """The context: what the reader holds after the last digit."""
    return gru_forward(_part(params, "reader"), np.eye(10)[x], reset="after").h[-1]


def step(params, before, h):
    """One step of the writer: its state and its outputs; `before` is one-hot, or zeros."""
    h = gru_forward(_part(params, "writer"), before[None], h, reset="after").h[-1]
    return h, h @ params["V"].T + params["c"]


def write(params, x):
    """Outputs of a writer that hears what it wrote, one for each digit that was read.

    Parameters
    ----------
    params : dict of ndarray
    x : ndarray of int, shape (n,) or (n, B)

    Returns
    -------
    ndarray, shape (n, ..., 11)
    """
    h = read(params, x)
    before, outputs = np.zeros((*h.shape[:-1], 11)), []
    for _ in x:
        h, o = step(params, before, h)
        outputs.append(o)
        before = np.eye(11)[o.argmax(-1)]
    return np.array(outputs)


def _part(params, part):
    """A network's arrays by the names of the reference, which asks for outputs too."""
    own = {name: params[f"{part}_{name}"] for name in GRU}
    n_h = len(own["b"])
    return own | {"V": np.zeros((1, n_h)), "c": np.zeros(1)}
