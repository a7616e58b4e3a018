"""The figure *floors*: how long each floor of a stack keeps a letter."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import unpacked
from rnn_helpers.reference import Depth, deep_forward

NAMES = ("first floor", "second floor", "third floor")
OTHERS = "abcdefghijklmnopqrstuvwxyz "


def poster(state):
    """Draw the figure in a complete state."""
    text = state["text"]
    at = min(state["at"], len(text)) - 1
    shares = left(state["net"], text, at)
    return plots.lines(
        np.arange(len(shares[0])),
        shares,
        list(NAMES),
        xlabel=f"letters after “{text[at]}”",
        ylabel="how far a state moves\nif it is another letter",
        points=True,
    )


def network(kind):
    """Weights of a stack, as they were rounded: these are the stack, here and in the figure."""
    return unpacked(stored("floors")["networks"][kind])


def encode(text):
    """Tokens of a text; what the network has never read is a space to it."""
    alphabet = stored("floors")["alphabet"]
    return np.array([alphabet.find(c) if c in alphabet else alphabet.index(" ") for c in text], int)


def left(kind, text, at):
    """How far each floor's states move, from a letter on, if another stands in its place.

    The root of the mean square over all others, in units of what lies between the states at two
    places of a text.

    Returns
    -------
    list of ndarray, shape (T - at,)
    """
    tokens = encode(text)
    others = [token for token in encode(OTHERS) if token != tokens[at]]
    x = np.tile(tokens[:, None], (1, 1 + len(others)))
    x[at, 1:] = others
    run = deep_forward(network(kind), Depth(len(NAMES)), x)
    shares = []
    for states, spread in zip(run.each, stored("floors")["spread"][kind], strict=True):
        moved = states[1 + at :, 1:] - states[1 + at :, :1]
        shares.append(np.sqrt((moved**2).sum(-1).mean(1)) / spread)
    return shares
