"""The figure *bottleneck*: how many digits fit into the vector between two networks."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import unpacked, without_output
from rnn_helpers.reference import gru_forward, softmax

CONSTANTS = constants("bottleneck")
GRU, SIZES, LONGEST = CONSTANTS.GRU, CONSTANTS.SIZES, CONSTANTS.LONGEST
COUNTED = CONSTANTS.COUNTED


def poster(state):
    """Draw shares by length if they are asked for, else how sure networks are of what is right."""
    sizes = SIZES if state["size"] == "three" else [int(state["size"])]
    if state["curves"] or sizes[0] in COUNTED:
        sizes = [*SIZES, *COUNTED] if state["curves"] else sizes
        return plots.lines(
            range(1, LONGEST + 1),
            [measured(size) for size in sizes],
            [f"C of {size} numbers" for size in sizes],
            xlabel="digits to reverse",
            ylabel="share of digits right",
        )
    x = np.array(line(state["seed"])[: state["length"]])
    places, backwards = np.arange(len(x)), x[::-1]
    return plots.lines(
        places + 1,
        [softmax(write(network(size), x))[places, backwards] for size in sizes],
        [f"C of {size} numbers" for size in sizes],
        xlabel=f"place; to be written: {' '.join(map(str, backwards))}",
        ylabel="probability of the right digit",
        points=True,
        marks=[(0.1, "a guess")],
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
    return without_output({name: params[f"{part}_{name}"] for name in GRU})
