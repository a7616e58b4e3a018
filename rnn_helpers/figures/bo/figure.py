"""Compute the answers of the forward and the bidirectional network of the figure *bo*."""

import numpy as np

from rnn_helpers.explore.weights import unpacked, without_output
from rnn_helpers.figures import stored
from rnn_helpers.reference import gru_forward, softmax
from rnn_helpers.tasks.lexicon import Lexicon

TASK = Lexicon()


def spoken(typed):
    """Return a typed text in lower case and without blanks."""
    return "".join(typed.lower().split())


def network(kind):
    """Return the rounded weights of a network, which the figure uses as well."""
    return stored("bo")["networks"][kind]


def bets(kept, text):
    """Return the probability of each word at each letter, from stored weights: shape (T, 10)."""
    params = unpacked(kept)
    x = np.eye(TASK.n_x)[TASK.read(text)]
    states = [_read(params, "ahead", x)]
    if "back U" in params:
        states.append(_read(params, "back", x[::-1])[::-1])
    return softmax(params["c"] + np.concatenate(states, axis=1) @ params["V"].T)


def _read(params, reader, x):
    """Return the states of one network, in the order in which it reads."""
    own = {name.split()[1]: array for name, array in params.items() if name.startswith(reader)}
    return gru_forward(without_output(own), x, reset="before").h


def check(state, given):
    """Refuse a text that isn't a sequence of the words."""
    try:
        TASK.bets(TASK.read(spoken(state["text"])))
    except ValueError as error:
        raise ValueError(f"text is {state['text']!r}; {error}") from error
