"""The figure *loop*: two units that are on or off read a text with quotation marks."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.states import require_place

UNITS = "AB"
TERMS = "x", "A", "B", "own"
MARKS = '"“”„'


def poster(state):
    """Draw the figure in a complete state."""
    return plots.states(
        run(weights(state), marks(state["text"])),
        state["text"],
        units=UNITS,
        limits=(0, 1),
        by_change=False,
    )


def check(state, given):
    """Raise ValueError if the text is empty or shorter than the symbol's position."""
    if not state["text"]:
        raise ValueError("text is empty; expected at least one symbol")
    require_place("t", state, given, len(state["text"]), "the text has the symbols")


def weights(state):
    """Return each unit's weights for the mark, the previous A and B, and its bias: (2, 4)."""
    return np.array([[state[f"{unit}_{term}"] for term in TERMS] for unit in UNITS])


def marks(text):
    """Return whether each symbol is a quotation mark."""
    return np.array([symbol in MARKS for symbol in text])


def run(weights, marks):
    """Return the states of the two units after each symbol: 1 if the unit's sum is above 0.

    Parameters
    ----------
    weights : array_like, shape (2, 4)
    marks : array_like of bool, shape (T,)

    Returns
    -------
    ndarray, shape (T, 2)

    Examples
    --------
    >>> run([[1, 1, -1, -0.5], [1, 1, -1, -1.5]], [True, False, True, False]).astype(int).tolist()
    [[1, 0], [1, 0], [1, 1], [0, 0]]
    """
    states = np.zeros((1 + len(marks), 2))
    for t, mark in enumerate(marks):
        states[t + 1] = np.asarray(weights) @ [mark, *states[t], 1] > 0
    return states[1:]
