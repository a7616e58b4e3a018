"""The figure *context*: three networks say what they were told, after the picture is gone."""

import numpy as np

from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import scaled
from rnn_helpers.reference import rnn_forward

CONSTANTS = constants("context")
DOORS, ARRAYS = CONSTANTS.DOORS, CONSTANTS.ARRAYS
LETTERS, LENGTH = CONSTANTS.LETTERS, CONSTANTS.LENGTH
PICTURES = np.array(CONSTANTS.PICTURES, float)
SENTENCES = np.array([[LETTERS.index(each) for each in said] for said in CONSTANTS.SENTENCES]).T


def network(door):
    """Weights of a network, as they were rounded; a door that it has not is shut by zeros."""
    return scaled(stored("context")["networks"][door], ARRAYS)


def says(params, picture, gone=LENGTH + 1):
    """What a network says of a picture that is taken away.

    Parameters
    ----------
    params : dict of ndarray
        As `network` gives them: ``U`` hears the letter before, and after it the picture.
    picture : ndarray, shape (9,)
    gone : int
        First step, from 1 on, that does not hear the picture.

    Returns
    -------
    letters : list of int
        The likeliest of each step, which the next one hears.
    p : ndarray, shape (LENGTH, 4)
        Their probabilities.
    """
    h, before, letters, every = params["S"] @ picture, np.zeros(len(LETTERS)), [], []
    for t in range(1, LENGTH + 1):
        h, yhat = step(params, h, before, picture * (t < gone))
        every.append(yhat)
        letters.append(int(yhat.argmax()))
        before = np.eye(len(LETTERS))[letters[-1]]
    return letters, np.array(every)


def step(params, h, before, picture):
    """State and probabilities of one step, by `rnn_forward`."""
    x = np.concatenate([before, picture])
    made = rnn_forward({name: params[name] for name in "UWVbc"}, x[None], h)
    return made.h[-1], made.yhat[-1]
