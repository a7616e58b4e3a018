"""The figure *cache*: pictures of letters in two memories that keep equally many numbers."""

from typing import NamedTuple

import numpy as np

from rnn_helpers.figures import constants
from rnn_helpers.reference import attention_weights, matrix_step, weighted_average

CONSTANTS = constants("cache")
NAMES = list(CONSTANTS.LETTERS)
ROOM = CONSTANTS.ROOM  # pairs that the cache keeps
PICTURES = np.array(
    [
        [2 * (int(row, 16) >> k & 1) - 1 for row in rows for k in reversed(range(CONSTANTS.WIDE))]
        for rows in CONSTANTS.LETTERS.values()
    ],
    dtype=float,
)
D = PICTURES.shape[1]


class Memories(NamedTuple):
    """What both memories return.

    Attributes
    ----------
    current : list of int
        The pairs, from 0, whose key has no newer value.
    kept : range
        The pairs in the cache.
    cache, matrix : ndarray, shape (n, 24)
        The readings for the keys of the current pairs.
    """

    current: list
    kept: range
    cache: np.ndarray
    matrix: np.ndarray


def keys(seed):
    """Return a key of length 1 for each letter: random signs, divided by their root."""
    signs = np.where(np.random.RandomState(seed).random_sample((len(NAMES), D)) < 0.5, -1, 1)
    return signs / np.sqrt(D)


def memories(state):
    """Write the first `t` pairs into both memories, and read every current key."""
    t, every = state["t"], keys(state["seed"])
    if state["keys"] == "again":
        every[ROOM:] = every[:ROOM]
    M = np.zeros((D, D))
    for k, v in zip(every[:t], PICTURES[:t], strict=True):
        M = matrix_step(M, k, v, 1.0, state["rule"])
    replaced = max(t - ROOM, 0) if state["keys"] == "again" else 0
    current, kept = list(range(replaced, t)), range(max(t - ROOM, 0), t)
    queries = every[current]
    if not t:
        return Memories(current, kept, *np.zeros((2, 0, D)))
    weights = attention_weights(CONSTANTS.SHARPNESS * every[kept] @ queries.T)
    cache = [weighted_average(one, PICTURES[kept]) for one in weights.T]
    return Memories(current, kept, np.array(cache), queries @ M.T)


def recognized(readings):
    """Return the letter, from 0, whose picture has the largest dot product with each reading."""
    return (readings @ PICTURES.T).argmax(axis=1)


def counts(state):
    """Count the current pairs whose letter the cache and the matrix return recognizably."""
    made = memories(state)
    return [int((recognized(r) == made.current).sum()) for r in (made.cache, made.matrix)]
