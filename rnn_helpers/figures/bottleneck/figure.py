"""The figure *bottleneck*: how many digits fit into the vector between two networks."""

import numpy as np

from rnn_helpers.explore.weights import unpacked, without_output
from rnn_helpers.figures import constants, stored
from rnn_helpers.reference import gru_forward

CONSTANTS = constants("bottleneck")
GRU, SIZES, LONGEST = CONSTANTS.GRU, CONSTANTS.SIZES, CONSTANTS.LONGEST


def measured(size):
    """Return the share of digits that a pair writes correctly, at each length."""
    return stored("bottleneck")["measured"][str(size)]


def line(seed):
    """Draw eight digits."""
    chance = np.random.RandomState(seed).random_sample(LONGEST)
    return [int(10 * one) for one in chance]


def network(size):
    """Return the rounded weights of a pair, which are its weights here and in the figure."""
    return unpacked(stored("bottleneck")["networks"][str(size)])


def read(params, x):
    """Return the context, the reader's state after the last digit."""
    return gru_forward(_part(params, "reader"), np.eye(10)[x], reset="after").h[-1]


def write(params, x):
    """Return the outputs of a writer whose input is its own last symbol, one for each digit.

    Parameters
    ----------
    params : dict of ndarray
    x : ndarray of int, shape (n,) or (n, B)

    Returns
    -------
    ndarray, shape (n, ..., 11)
    """
    h, writer = read(params, x), _part(params, "writer")
    before, outputs = np.zeros((*h.shape[:-1], 11)), []
    for _ in x:
        h = gru_forward(writer, before[None], h, reset="after").h[-1]
        outputs.append(h @ params["V"].T + params["c"])
        before = np.eye(11)[outputs[-1].argmax(-1)]
    return np.array(outputs)


def _part(params, part):
    """Return a network's arrays by the names of the reference, which needs outputs too."""
    return without_output({name: params[f"{part}_{name}"] for name in GRU})
