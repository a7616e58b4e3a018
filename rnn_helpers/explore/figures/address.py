"""The figure *address*: rhymes in the cells of a memory, found by what one knows of them."""

from functools import cache
from typing import NamedTuple

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.reference import (
    attention_weights,
    content_scores,
    grad_scores,
    grad_shift_weights,
    shift_weights,
    weighted_average,
    write_cells,
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
        By which it is found: counts of its letters and pairs of letters.
    kept : ndarray, shape (n, width * 27)
        What is read: which letter stands at each place.
    """

    texts: list
    line: np.ndarray
    pieces: np.ndarray
    kept: np.ndarray


class Found(NamedTuple):
    """What a key finds.

    Attributes
    ----------
    scores, found, weights : ndarray, shape (n,)
        By content; their softmax; and this after the shift.
    read : ndarray, shape (width * 27,)
    """

    scores: np.ndarray
    found: np.ndarray
    weights: np.ndarray
    read: np.ndarray


def poster(state):
    """Draw the figure in a complete state."""
    key = keys(state)[-1]
    cells, run = find(key, state)
    kind, read, values = state["shows"], run.read, run.weights
    if kind == "gradient":
        values = on_scores(cells, run, state)
    if kind == "write":
        read = weighted_average(run.weights, written(cells, run, state["width"]))
    ends = np.flatnonzero(np.diff(cells.line, append=-1)) + 1
    starts = [0, *ends[:-1]]
    return plots.addressed_cells(
        [cells.texts[a:b] for a, b in zip(starts, ends, strict=True)],
        values,
        read.reshape(-1, len(LETTERS)),
        LETTERS.upper(),
        shows=kind,
        key=key,
        verse=CONSTANTS.VERSE,
    )


@cache
def memory(width):
    """Cut the lines into cells of so many letters; none holds letters of two lines."""
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
    """A text in small letters, without what has no place among the letters."""
    return "".join(c for c in text.lower() if c in LETTERS)


def pieces(text):
    """How often each letter stands in a text, and each pair of neighbours, blanks among them."""
    at = [LETTERS.index(c) for c in cleaned(text)]
    letters, pairs = np.zeros(len(LETTERS)), np.zeros((len(LETTERS), len(LETTERS)))
    np.add.at(letters, at, 1)
    letters[0] = 0
    np.add.at(pairs, (at[:-1], at[1:]), 1)
    return np.concatenate([letters, pairs.ravel()])


def kept(text, width):
    """A text as it is kept: a row for each place with a 1 for its letter; none past its end."""
    rows = np.zeros((width, len(LETTERS)))
    for place, letter in enumerate(cleaned(text)[:width]):
        rows[place, LETTERS.index(letter)] = 1
    return rows.ravel()


def proportions(shift):
    """How much of the weights goes one cell back, stays, goes one further."""
    return np.array([max(-shift, 0), 1 - abs(shift), max(shift, 0)])


def find(key, state):
    """Find by content, then by place, and read."""
    cells = memory(state["width"])
    scores = content_scores(cells.pieces, pieces(key), state["beta"])
    found = attention_weights(scores)
    weights = shift_weights(found, proportions(state["shift"]))
    return cells, Found(scores, found, weights, weighted_average(weights, cells.kept))


def keys(state):
    """What is typed, and what was read with it, as often as it became the key in turn."""
    said = [state["query"]]
    for _ in range(state["t"]):
        said.append(text_of(find(said[-1], state)[1].read))
    return said


def text_of(read):
    """A reading as a text: at each place the letter of the largest share.

    Where most cells have ended there is none.
    """
    shares = np.round(1e9 * read).reshape(-1, len(LETTERS))  # equal ones stay equal
    most = np.where(2 * shares.sum(axis=1) < 1e9, 0, shares.argmax(axis=1))
    return "".join(LETTERS[k] for k in most).strip()


def wanted(state):
    """Index of the cell that has the letter that is marked."""
    ends = np.cumsum([len(text) for text in memory(state["width"]).texts])
    return int(np.searchsorted(ends, state["at"]))


def on_scores(cells, run, state):
    """Gradient on the scores where another cell was wanted, of half the squared difference."""
    off = (run.read - cells.kept[wanted(state)]) / state["width"]
    on_weights = cells.kept @ off
    s = proportions(state["shift"])
    on_found = grad_shift_weights(run.found, s, on_weights)["w"]
    return grad_scores(run.found, on_found[:, None], np.ones(1))


def written(cells, run, width):
    """What the cells keep after the note has been written, all of a cell erased by its weight."""
    note = kept(CONSTANTS.NOTE, width)
    return write_cells(cells.kept, run.weights, np.ones(len(note)), note)
