"""The figure *caption*: an encoder and three decoders, which describe a picture of two digits."""

from typing import NamedTuple

import numpy as np

from rnn_helpers.explore.weights import unpacked
from rnn_helpers.figures import constants, stored
from rnn_helpers.reference import gru_forward, softmax
from rnn_helpers.tasks import TwoDigits

CONSTANTS = constants("caption")
SHADES = 15  # of a pixel, which is one hexadecimal digit


class Said(NamedTuple):
    """A network's caption of a picture.

    Attributes
    ----------
    words : list of int
        Indices of the words, including the end if the network wrote it.
    p : list of ndarray, shape (14,)
        Probabilities of all words, at each step.
    """

    words: list
    p: list


def network(part):
    """Return the rounded weights of the encoder, ``"eye"``, or of a decoder."""
    return unpacked(stored("caption")["networks"][part])


def half(text):
    """Return the picture of one digit, 8 x 8, from its name or from 64 hexadecimal digits."""
    shades = CONSTANTS.DIGITS[int(text)] if len(text) == 1 and text.isdecimal() else text
    shades = [int(shade, 16) for shade in shades.ljust(64, "0")]
    return np.reshape(shades, (8, 8)) / SHADES


def picture(first, second, place):
    """Return the whole picture, 20 x 20, as `TwoDigits.picture` does."""
    return TwoDigits().picture(half(first), half(second), place).astype(float)


def look(eye, picture):
    """Return the context that the encoder computes from a picture.

    Parameters
    ----------
    eye : dict of ndarray
    picture : ndarray, shape (20, 20)

    Returns
    -------
    ndarray, shape (32,)
        The context.
    """
    maps = picture[None]
    for K, k in (("K1", "k1"), ("K2", "k2")):
        maps = np.maximum(_convolved(maps, eye[K], eye[k]), 0)
    return np.tanh(eye["C"] @ maps.ravel() + eye["d"])


def _convolved(maps, K, k):
    """Return the outputs of 3 x 3 convolutions with stride 2 and a border of zeros."""
    side = (maps.shape[1] + 1) // 2
    padded = np.pad(maps, ((0, 0), (1, 1), (1, 1)))
    made = np.empty((len(K), side, side))
    for i in range(side):
        for j in range(side):
            made[:, i, j] = K @ padded[:, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3].ravel() + k
    return made


def step(params, door, context, before, h, first=False):
    """Return the state and the probabilities after one step.

    Parameters
    ----------
    params : dict of ndarray
    door : {"step", "start", "both"}
    context : ndarray, shape (32,)
    before : int or None
        Index of the word before.
    h : ndarray, shape (32,)
    first : bool
        Whether this is the extra step before the first word, whose only input is the context.
    """
    heard = np.arange(len(CONSTANTS.WORDS)) == before
    told = context if first or door != "start" else np.zeros_like(context)
    own = {name: params[name] for name in (*CONSTANTS.GRU, "V", "c")}
    h = gru_forward(own, np.concatenate([heard, told])[None], h, reset="after").h[-1]
    return h, softmax(params["V"] @ h + params["c"])


def says(params, door, context, draw=0, told="own"):
    """Write a caption: take the most likely word at each step, or sample.

    Parameters
    ----------
    params : dict of ndarray
    door : {"step", "start", "both"}
    context : ndarray, shape (32,)
    draw : int
        0 for the most likely words, or the seed of a sample.
    told : str
        The first word that step 2 receives: the network's ``"own"``, or another one.
    """
    chance = np.random.RandomState(draw)
    h, words, p = np.zeros(len(params["b"])), [], []
    if door != "step":
        h, _ = step(params, door, context, None, h, first=True)
    while len(words) < CONSTANTS.MOST and words[-1:] != [len(CONSTANTS.WORDS) - 1]:
        before = words[-1] if words else None
        if len(words) == 1 and told != "own":
            before = CONSTANTS.WORDS.index(told)
        h, now = step(params, door, context, before, h)
        p.append(now)
        if draw:
            below = np.cumsum(now) <= chance.random_sample()
            words.append(min(int(below.sum()), len(now) - 1))
        else:
            words.append(int(now.argmax()))
    return Said(words, p)
