"""The figure *bo*: which word it was, for who hears the past alone and for who hears both ways."""

import numpy as np

from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import unpacked, without_output
from rnn_helpers.reference import gru_forward, softmax
from rnn_helpers.tasks.lexicon import Lexicon

TASK = Lexicon()


def spoken(typed):
    """What is spoken of what is typed: capitals are small, blanks are left out."""
    return "".join(typed.lower().split())


def network(kind):
    """Weights of a network, as they were rounded: these are the network, here and in the figure."""
    return stored("bo")["networks"][kind]


def bets(kept, text):
    """Probability of each word at each letter, for a network as it is kept: shape (T, 10)."""
    params = unpacked(kept)
    x = np.eye(TASK.n_x)[TASK.read(text)]
    states = [_read(params, "ahead", x)]
    if "back U" in params:
        states.append(_read(params, "back", x[::-1])[::-1])
    return softmax(params["c"] + np.concatenate(states, axis=1) @ params["V"].T)


def _read(params, reader, x):
    """States of one reader, in the order in which it reads."""
    own = {name.split()[1]: array for name, array in params.items() if name.startswith(reader)}
    return gru_forward(without_output(own), x, reset="before").h


def check(state, given):
    """Refuse what is no words."""
    try:
        TASK.bets(TASK.read(spoken(state["text"])))
    except ValueError as error:
        raise ValueError(f"text is {state['text']!r}; {error}") from error
