"""The figure *address*: rhymes in the cells of a memory, found by content and by location."""

from functools import cache
from typing import NamedTuple

import numpy as np

from rnn_helpers.figures import constants
from rnn_helpers.reference import (
    attention_weights,
    content_scores,
    interpolate_weights,
    sharpen_weights,
    shift_weights,
    weighted_average,
)

CONSTANTS = constants("address")
LETTERS = CONSTANTS.LETTERS


class Cells(NamedTuple):
    """The memory, cut into cells.

    Attributes
    ----------
    texts : list of str
    line : ndarray of int, shape (n,)
        Line of each cell, from 0.
    pieces : ndarray, shape (n, 756)
        Counts of the letters and pairs of letters of each cell, to compare with the key.
    kept : ndarray, shape (n, width * 27)
        Content of each cell: its letter at each place, one-hot.
    """

    texts: list
    line: np.ndarray
    pieces: np.ndarray
    kept: np.ndarray


class Found(NamedTuple):
    """The weights that a key leads to, and the reading.

    Attributes
    ----------
    scores, found, gated, moved, weights : ndarray, shape (n,)
        Scores by content; their softmax; and the weights after the gate, the shift and sharpening.
    read : ndarray, shape (width * 27,)
    """

    scores: np.ndarray
    found: np.ndarray
    gated: np.ndarray
    moved: np.ndarray
    weights: np.ndarray
    read: np.ndarray


@cache
def memory(width):
    """Cut each line into cells of `width` letters."""
    cut = [
        (line[a : a + width], i)
        for i, line in enumerate(CONSTANTS.LINES)
        for a in range(0, len(line), width)
    ]
    texts = [text for text, _ in cut]
    return Cells(
        texts,
        np.array([i for _, i in cut]),
        np.array([pieces(text) for text in texts]),
        np.array([kept(text, width) for text in texts]),
    )


def cleaned(text):
    """Return a text in small letters, without characters that are not in LETTERS."""
    return "".join(c for c in text.lower() if c in LETTERS)


def pieces(text):
    """Count each letter of a text, and each pair of neighbors, including blanks."""
    at = [LETTERS.index(c) for c in cleaned(text)]
    letters, pairs = np.zeros(len(LETTERS)), np.zeros((len(LETTERS), len(LETTERS)))
    np.add.at(letters, at, 1)
    letters[0] = 0
    np.add.at(pairs, (at[:-1], at[1:]), 1)
    return np.concatenate([letters, pairs.ravel()])


def kept(text, width):
    """Return the content of a cell: its letter at each place, one-hot; zeros after its end."""
    rows = np.zeros((width, len(LETTERS)))
    for place, letter in enumerate(cleaned(text)[:width]):
        rows[place, LETTERS.index(letter)] = 1
    return rows.ravel()


def proportions(shift):
    """Return the shares of the weights that move back, stay and move on."""
    return np.array([max(-shift, 0), 1 - abs(shift), max(shift, 0)])


def find(key, state, before=None):
    """Return the cells, and their weights by content and location with the reading.

    The gate mixes the weights found by content with those of the read `before`, if there is one.
    """
    cells = memory(state["width"])
    scores = content_scores(cells.pieces, pieces(key), state["beta"])
    found = attention_weights(scores)
    gated = found if before is None else interpolate_weights(state["gate"], found, before)
    moved = shift_weights(gated, proportions(state["shift"]))
    weights = sharpen_weights(moved, state["gamma"])
    return cells, Found(scores, found, gated, moved, weights, weighted_average(weights, cells.kept))


def look(state):
    """Return the keys, and what `find` returns for the last.

    The first key is the query; each of the `t` others is the reading before.
    """
    keys, now = [state["query"]], find(state["query"], state)
    for _ in range(state["t"]):
        keys.append(text_of(now[1].read))
        now = find(keys[-1], state, now[1].weights)
    return keys, now


def text_of(read):
    """Return a reading as a text: the letter of the largest share at each place.

    Where most cells have ended, there is no letter.
    """
    shares = np.round(1e9 * read).reshape(-1, len(LETTERS))  # equal ones stay equal
    most = np.where(2 * shares.sum(axis=1) < 1e9, 0, shares.argmax(axis=1))
    return "".join(LETTERS[k] for k in most).strip()
