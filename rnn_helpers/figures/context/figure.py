"""The figure *context*: three networks write about a picture, also after it is gone."""

import numpy as np

from rnn_helpers.explore.weights import scaled
from rnn_helpers.figures import constants, stored
from rnn_helpers.reference import rnn_forward

CONSTANTS = constants("context")
DOORS, ARRAYS = CONSTANTS.DOORS, CONSTANTS.ARRAYS
LETTERS, LENGTH = CONSTANTS.LETTERS, CONSTANTS.LENGTH
PICTURES = np.array(CONSTANTS.PICTURES, float)
SENTENCES = np.array([[LETTERS.index(each) for each in said] for said in CONSTANTS.SENTENCES]).T


def network(door):
    """Return the rounded weights of a network, with zeros for a way in that it doesn't have."""
    return scaled(stored("context")["networks"][door], ARRAYS)


def says(params, picture, gone=LENGTH + 1):
    """Return the letters that a network writes about a picture that is taken away.

    Parameters
    ----------
    params : dict of ndarray
        As `network` returns them: ``U`` multiplies the letter before, followed by the picture.
    picture : ndarray, shape (9,)
    gone : int
        First step, from 1 on, without the picture.

    Returns
    -------
    letters : list of int
        The most likely letter of each step, which is an input of the next step.
    p : ndarray, shape (LENGTH, 4)
        The probabilities of all letters.
    """
    h, before, letters, every = params["S"] @ picture, np.zeros(len(LETTERS)), [], []
    for t in range(1, LENGTH + 1):
        h, yhat = step(params, h, before, picture * (t < gone))
        every.append(yhat)
        letters.append(int(yhat.argmax()))
        before = np.eye(len(LETTERS))[letters[-1]]
    return letters, np.array(every)


def step(params, h, before, picture):
    """Return the state and the probabilities of one step, as `rnn_forward` does."""
    x = np.concatenate([before, picture])
    made = rnn_forward({name: params[name] for name in "UWVbc"}, x[None], h)
    return made.h[-1], made.yhat[-1]
