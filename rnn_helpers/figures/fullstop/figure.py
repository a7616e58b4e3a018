"""The figure *fullstop*: an LSTM that learned to predict the next letter of English text."""

import re

import numpy as np

from rnn_helpers.explore.states import require_place
from rnn_helpers.explore.weights import unpacked
from rnn_helpers.figures import stored
from rnn_helpers.reference import lstm_forward

ALPHABET = " .,abcdefghijklmnopqrstuvwxyz"
ORDER = [M + part for M in "UWb" for part in ("", "f", "g", "o")]
"""The arrays of the network in the order in which their weights are stored."""


def check(state, given):
    """Raise ValueError if the text is empty or shorter than the chosen place."""
    text = state["text"]
    if not text:
        raise ValueError("text is empty; expected at least one character")
    require_place("t", state, given, len(text), "the text has the characters")


def prose(text):
    """Return the paragraphs of a text that are nearly all sentences, in the figure's alphabet."""
    kept = []
    for block in text.split("\n\n"):
        whole = re.sub(r"\s+", " ", block.strip()).lower()
        plain = re.sub(" +", " ", re.sub(f"[^{ALPHABET}]", "", whole))
        sentences = not block.startswith(" ") and plain.endswith(".")
        if sentences and len(plain) > max(80, 0.9 * len(whole)):
            kept.append(plain)
    return " ".join(kept)


def encode(text):
    """Turn characters of the alphabet into tokens."""
    return np.array([ALPHABET.index(character) for character in text], dtype=np.intp)


def forget_gates(params, tokens):
    """Return the forget gates, shape (T, n_h), while the network reads."""
    n_h = len(params["b"])
    return lstm_forward(params | {"V": np.zeros((1, n_h)), "c": np.zeros(1)}, tokens).f


def weights(stage):
    """Return the weights after a number of updates, as the figure stores them."""
    trained = stored("fullstop")
    return unpacked(trained["stages"][str(stage)] | {"shapes": trained["shapes"]})
