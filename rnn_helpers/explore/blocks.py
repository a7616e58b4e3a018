"""The network of the figure tbptt: twelve units that read sixty characters."""

import numpy as np

from rnn_helpers.explore.states import manifest


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
    q, r = np.linalg.qr(draw((n, n)).T)
    V = draw((symbols, n)) / np.sqrt(n)
    rotation = (q * np.sign(np.diag(r))).T
    return {"U": U, "W": radius * rotation, "V": V, "b": np.zeros(n), "c": np.zeros(symbols)}


def tokens():
    """What is read and, one later, what is to be said.

    Returns
    -------
    x, y : ndarray of int, shape (T,)
    """
    example = manifest()["tbptt"]["example"]
    coded = np.array([example["symbols"].index(letter) for letter in example["text"]])
    return coded[:-1], coded[1:]
