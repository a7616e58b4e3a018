"""The network of the figure tbptt: twelve units that read sixty characters."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.weights import rotation

CONSTANTS = constants("tbptt")


def poster(state):
    """Draw the figure in a complete state."""
    params, (x, y) = network(state["radius"]), tokens()
    return plots.truncated_blocks(params, x, y, state["block"], at=state["t"], carry=state["carry"])


def network(radius):
    """Weights, drawn in the figure's order.

    Parameters
    ----------
    radius : float
        What the rotation ``W`` is multiplied by.

    Returns
    -------
    dict of ndarray
        Parameters of a recurrent network.
    """
    n, symbols = CONSTANTS.UNITS, len(set(CONSTANTS.TEXT))
    draw = np.random.RandomState(CONSTANTS.SEED).standard_normal
    U = 0.3 * draw((n, symbols))
    W = radius * rotation(draw, n)
    V = draw((symbols, n)) / np.sqrt(n)
    return {"U": U, "W": W, "V": V, "b": np.zeros(n), "c": np.zeros(symbols)}


def tokens():
    """What is read and, one later, what is to be said.

    Returns
    -------
    x, y : ndarray of int, shape (T,)
    """
    symbols = sorted(set(CONSTANTS.TEXT))
    coded = np.array([symbols.index(letter) for letter in CONSTANTS.TEXT])
    return coded[:-1], coded[1:]
