"""The two small networks that read Python, which the figure units runs."""

import numpy as np

from rnn_helpers.explore.weights import unpacked
from rnn_helpers.figures import stored
from rnn_helpers.reference import lstm_forward, rnn_forward
from rnn_helpers.tasks.corpora import UNKNOWN
from rnn_helpers.validate import as_choice, as_kind

UNITS = {"rnn": 30, "lstm": 40}
ORDER = {
    "rnn": ["U", "W", "b", "V", "c"],
    "lstm": [M + part for M in "UWb" for part in ("", "f", "g", "o")] + ["V", "c"],
}
"""The arrays of each network in the order in which their weights are stored."""


def alphabet():
    """Characters that the networks know; a character's token is its place.

    Returns
    -------
    str
    """
    return stored("characters")["alphabet"]


def measured(kind):
    """Return the stored measurements of a network on held-out text.

    Parameters
    ----------
    kind : {"rnn", "lstm"}
        Which network.

    Returns
    -------
    dict
        ``bits`` per character; and for each of
        `rnn_helpers.tasks.text_features` the correlations of all units with it, on 50 000 such
        characters.
    """
    return _network(kind)["measured"]


def encode(text):
    """Turn a text into tokens, characters that the networks do not know into a bullet's.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    ndarray of int, shape (n,)
    """
    known = alphabet()
    strange = known.index(UNKNOWN)
    places = {character: token for token, character in enumerate(known)}
    as_kind("text", text, str, "a string")
    return np.array([places.get(character, strange) for character in text], dtype=np.intp)


def params(kind):
    """Weights of a network, as they were rounded: these are the network, here and in the figures.

    Parameters
    ----------
    kind : {"rnn", "lstm"}
        30 tanh units, or 40 LSTM cells; the first unit changes least from step to step.

    Returns
    -------
    dict of ndarray
        As `rnn_forward` or `lstm_forward` takes them.
    """
    stored, n_y = _network(kind), len(alphabet())
    shapes = {name: array_shape(name, UNITS[kind], n_y) for name in ORDER[kind]}
    return unpacked({**stored, "shapes": shapes})


def run(kind, text):
    """Let a network read a text, from a state of zeros.

    Parameters
    ----------
    kind : {"rnn", "lstm"}
        Which network.
    text : str
        At least one character.

    Returns
    -------
    Run or LSTMRun
        With ``h``, of the LSTM ``s`` too, and ``yhat``, after each character.
    """
    return forward(kind, params(kind), encode(text))


def shown(run):
    """Return the values that the figure `units` shows: h, or tanh(s) for an LSTM, from -1 to 1.

    Parameters
    ----------
    run : Run or LSTMRun
        Result of `run`.

    Returns
    -------
    ndarray, shape (T, ..., n_h)
    """
    return np.tanh(run.s) if hasattr(run, "cells") else run.h


def _network(kind):
    return stored("characters")["networks"][as_choice("kind", kind, tuple(UNITS))]


def forward(kind, weights, tokens, **state):
    """Run a network of this kind, with these weights, over tokens.

    Parameters
    ----------
    kind : {"rnn", "lstm"}
    weights : dict of ndarray
        As `params` gives them.
    tokens : ndarray of int, shape (T, ...)
    **state
        ``h0``, of an LSTM ``s0`` too, to begin with; zeros by default.

    Returns
    -------
    Run or LSTMRun
    """
    return {"rnn": rnn_forward, "lstm": lstm_forward}[kind](weights, tokens, **state)


def array_shape(name, n_h, n_y):
    """Return the shape of an array of a network with `n_h` units and `n_y` characters."""
    return {"U": (n_h, n_y), "W": (n_h, n_h), "b": (n_h,), "V": (n_y, n_h), "c": (n_y,)}[name[0]]
