"""The figure *rhyme*: a network that writes a rhyme and is made to choose a wrong letter."""

import numpy as np

from rnn_helpers.explore.weights import unpacked
from rnn_helpers.figures import constants, stored
from rnn_helpers.reference import rnn_forward

CONSTANTS = constants("rhyme")
ALPHABET = sorted(set(CONSTANTS.TEXT))


def truth():
    """Return the letters of the rhyme as tokens."""
    return np.array([ALPHABET.index(letter) for letter in CONSTANTS.TEXT])


def network(training="truth"):
    """Return the weights of a stored network.

    Parameters
    ----------
    training : {"truth", "practice"}
        Whether the network was always fed the true letters, or also letters of its own.
    """
    return unpacked(stored("rhyme")[training])


def write(params, slip=0, own=True):
    """Write the rhyme, always choosing the most likely letter except at the slip.

    Parameters
    ----------
    params : dict of ndarray
        ``U, W, b, V, c``.
    slip : int or ndarray of int, shape (B,)
        The letter at which the second most likely letter is chosen, counted from 1; 0 for none.
        With an array, the rhyme is written B times side by side.
    own : bool
        Whether the next input is the letter that was chosen; otherwise it is the true one.

    Returns
    -------
    tuple of ndarray
        The tokens that were chosen, and the probabilities of all letters at each step.
    """
    y, slip = truth(), np.asarray(slip)
    fed, h = np.full(slip.shape, y[-1]), None  # a line break comes first
    chosen, shares = [], []
    for t, true in enumerate(y, 1):
        made = rnn_forward(params, fed[None], h)
        h, yhat = made.h[-1], made.yhat[0]
        order = np.argsort(-yhat, axis=-1, kind="stable")
        chosen.append(np.where(slip == t, order[..., 1], order[..., 0]))
        shares.append(yhat)
        fed = chosen[-1] if own else np.full(slip.shape, true)
    return np.array(chosen), np.array(shares)


def mistakes(params):
    """Count the further mistakes of free running after a slip at each letter before the last."""
    y = truth()
    chosen, _ = write(params, np.arange(1, len(y)))
    return (chosen != y[:, None]).sum(axis=0) - 1
