"""The figure *bottleneck*: how many digits fit into the vector between two networks."""

import numpy as np

from rnn_helpers.explore.weights import unpacked, without_output
from rnn_helpers.figures import constants, stored
from rnn_helpers.reference import attention_weights, gru_forward

CONSTANTS = constants("bottleneck")
GRU, SIZES, LOOKS, MOST = CONSTANTS.GRU, CONSTANTS.SIZES, CONSTANTS.LOOKS, CONSTANTS.MOST


def measured(size, looks=False):
    """Return the share of digits that a pair writes correctly, at each length."""
    return stored("bottleneck")["looked" if looks else "measured"][str(size)]


def line(seed):
    """Draw twelve digits."""
    chance = np.random.RandomState(seed).random_sample(MOST)
    return [int(10 * one) for one in chance]


def network(size, looks=False):
    """Return the rounded weights of a pair, which are its weights here and in the figure."""
    return unpacked(stored("bottleneck")["looking" if looks else "networks"][str(size)])


def read(params, x):
    """Return the reader's state after each digit; the last one is the context."""
    return gru_forward(_part(params, "reader"), np.eye(10)[x], reset="after").h


def write(params, x):
    """Return the outputs of a writer whose input is its own last symbol, one for each digit.

    Parameters
    ----------
    params : dict of ndarray
        With ``Q``, the writer has attention.
    x : ndarray of int, shape (n,) or (n, B)

    Returns
    -------
    ndarray, shape (n, ..., 11)
    ndarray, shape (n, n, ...)
        Attention weights of the digits at each step; zeros without attention.
    """
    notes, writer = read(params, x), _part(params, "writer")
    h, before = notes[-1], np.zeros((*x.shape[1:], 11))
    outputs, every = [], []
    for _ in x:
        weights = np.zeros(x.shape)
        if "Q" in params:
            weights = attention_weights((notes * (h @ params["Q"].T)).sum(-1))
            before = np.concatenate([before, (weights[..., None] * notes).sum(0)], axis=-1)
        h = gru_forward(writer, before[None], h, reset="after").h[-1]
        outputs.append(h @ params["V"].T + params["c"])
        every.append(weights)
        before = np.eye(11)[outputs[-1].argmax(-1)]
    return np.array(outputs), np.array(every)


def _part(params, part):
    """Return a network's arrays by the names of the reference, which needs outputs too."""
    return without_output({name: params[f"{part}_{name}"] for name in GRU})
