"""The network of the figure tbptt: twelve units that read sixty characters."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.states import manifest
from rnn_helpers.explore.weights import rotation


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
    example = manifest()["tbptt"]["example"]
    n, symbols = example["units"], len(example["symbols"])
    draw = np.random.RandomState(example["seed"]).standard_normal
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
    example = manifest()["tbptt"]["example"]
    coded = np.array([example["symbols"].index(letter) for letter in example["text"]])
    return coded[:-1], coded[1:]
