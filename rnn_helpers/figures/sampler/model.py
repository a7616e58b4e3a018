"""The texts of the figure *sampler*, written in Python."""

from typing import NamedTuple

import numpy as np

from rnn_helpers.explore.characters import alphabet, encode, forward, params
from rnn_helpers.figures import constants

SAME = constants("sampler").SAME
"""States that differ by less in every unit count as the same."""


class Written(NamedTuple):
    """A text, and how each of its T characters was chosen.

    Attributes
    ----------
    text : str
        The characters.
    tokens : ndarray of int, shape (T,)
        Their indices in `alphabet`.
    u : ndarray, shape (T,)
        The random number, from 0 to 1, that chose each.
    yhat : ndarray, shape (T, n)
        Probabilities of all characters at each step, at temperature 1.
    states : ndarray, shape (T, n)
        State of the network before each: h, and s of an LSTM.
    """

    text: str
    tokens: np.ndarray
    u: np.ndarray
    yhat: np.ndarray
    states: np.ndarray

    @property
    def unlikely(self):
        """Count the characters that were not the most likely."""
        chosen = self.yhat[np.arange(len(self.tokens)), self.tokens]
        return int((chosen < self.yhat.max(axis=1)).sum())

    def returns(self, length):
        """Find the first character with the same state as `length` characters before, if any."""
        same = (np.abs(self.states[length:] - self.states[:-length]) < SAME).all(axis=1)
        return int(same.argmax()) + length if same.any() else None


def tempered(yhat, temperature):
    """Divide the logits of a softmax by a temperature; at 0, the most likely token gets all."""
    if temperature == 0:
        return np.eye(len(yhat))[np.argmax(yhat)]
    heights = (yhat / yhat.max()) ** (1 / temperature)
    return heights / heights.sum()


def draw(yhat, temperature, u):
    """Find the token whose piece of the line from 0 to 1 contains u; the most likely come first.

    A piece is as long as the token's probability at the temperature.
    """
    order = np.argsort(-yhat, kind="stable")
    ends = np.cumsum(tempered(yhat, temperature)[order])
    place = np.searchsorted(ends, u, side="right")
    return int(order[place if place < len(order) else 0])


def write(net, prompt, temperature=1.0, seed=1, length=400):
    """Sample a text from a network of `rnn_helpers.explore.characters`, after a prompt."""
    us = np.random.RandomState(seed).random_sample(length)
    weights, read, state = params(net), encode(prompt or "\n"), {}
    tokens, before = [], []
    for u in us:
        run = forward(net, weights, read, **state)
        state = {f"{name}0": getattr(run, name)[-1] for name in ("h", "s") if hasattr(run, name)}
        tokens.append(draw(run.yhat[-1], temperature, u))
        before.append((run.yhat[-1], np.concatenate(list(state.values()))))
        read = np.array(tokens[-1:])
    text = "".join(alphabet()[token] for token in tokens)
    return Written(text, np.array(tokens), us, *map(np.array, zip(*before, strict=True)))
