"""The figure *translation*: a network with attention that translates a few English words."""

import numpy as np

from rnn_helpers.explore.weights import unpacked, without_output
from rnn_helpers.figures import constants, stored
from rnn_helpers.reference import attention_weights, dot_scores, gru_forward, weighted_average

CONSTANTS = constants("translation")
END = "(end)"


def network():
    """Return the rounded weights of the network, which are its weights here and in the figure."""
    return unpacked(stored("translation")["network"])


def known(text):
    """Return the words of a text that the network has read in training, at most `LONGEST`."""
    words = {word.lower(): word for word in stored("translation")["english"]}
    found = [words[word] for word in text.lower().split() if word in words]
    return found[: CONSTANTS.LONGEST]


def translate(params, source, english=None, french=None):
    """Return the words that greedy decoding writes, and the weights at each step.

    Parameters
    ----------
    params : dict
    source : sequence of str
        English words, at least one.
    english, french : list of str, optional
        All words in their order; by default those of the figure.

    Returns
    -------
    list of str
    list of ndarray, shape (m,)
        One for each word, and one for the end symbol unless too many words were written.
    """
    english = english or stored("translation")["english"]
    french = french or stored("translation")["french"]
    notes = _gated(params, "reader", np.eye(len(english))[[english.index(w) for w in source]])
    h, before = params["h0"], np.zeros(len(french))
    written, every = [], []
    while len(written) < CONSTANTS.MOST:
        every.append(attention_weights(dot_scores(params["Q"], h, notes)))
        context = weighted_average(every[-1], notes)
        h = _gated(params, "writer", np.concatenate([before, context])[None], h)[-1]
        symbol = int((params["V"] @ h + params["c"]).argmax())
        if french[symbol] == END:
            break
        written.append(french[symbol])
        before = np.eye(len(french))[symbol]
    return written, every


def _gated(params, part, x, h0=None):
    own = {name: params[f"{part}_{name}"] for name in CONSTANTS.GRU}
    return gru_forward(without_output(own), x, h0, reset="after").h
