"""The texts of the figure *sampler*, written in Python."""

import base64
import re
from typing import NamedTuple

import numpy as np

from rnn_helpers.explore.characters import ORDER, array_shape, forward
from rnn_helpers.explore.weights import unpacked
from rnn_helpers.figures import constants, stored

SAME = constants("sampler").SAME
"""States that differ by less in every unit count as the same."""


ALPHABET = stored("manual")["alphabet"]


class Written(NamedTuple):
    """A text, and how each of its T characters was chosen.

    Attributes
    ----------
    text : str
        The characters.
    tokens : ndarray of int, shape (T,)
        Their places in `ALPHABET`.
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


def params():
    """Return the network's weights, as `lstm_forward` takes them."""
    kept = stored("manual")["network"]
    n = len(ALPHABET)
    shapes = {name: array_shape(name, kept["units"], n) for name in ORDER["lstm"]}
    codes = np.frombuffer(kept["weights"].encode(), np.uint8).astype(int)
    data = (codes - 80 - (codes > 92)).astype(np.int8).tobytes()
    return unpacked({**kept, "shapes": shapes, "weights": base64.b64encode(data)})


def encode(prompt):
    """Return the tokens of a prompt; white space is a space, and a strange character a bullet."""
    text = re.sub(r"\s+", " ", prompt) or " "
    places = (ALPHABET.find(character) for character in text)
    return np.array([ALPHABET.index("\u2022") if at < 0 else at for at in places])


def write(prompt, temperature=1.0, seed=1, length=400):
    """Let the network of the manual continue a prompt."""
    us = np.random.RandomState(seed).random_sample(length)
    weights, read, state = params(), encode(prompt), {}
    tokens, before = [], []
    for u in us:
        run = forward("lstm", weights, read, **state)
        state = {"h0": run.h[-1], "s0": run.s[-1]}
        tokens.append(draw(run.yhat[-1], temperature, u))
        before.append((run.yhat[-1], np.concatenate(list(state.values()))))
        read = np.array(tokens[-1:])
    text = "".join(ALPHABET[token] for token in tokens)
    return Written(text, np.array(tokens), us, *map(np.array, zip(*before, strict=True)))
