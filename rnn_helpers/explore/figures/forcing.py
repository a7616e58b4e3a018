"""The figure *forcing*: a network that tells a lift's floor, and what it is fed at each step."""

import numpy as np

from rnn_helpers.explore.figures import constants

CONSTANTS = constants("forcing")
MOVES = CONSTANTS.MOVES


def floor_after(floor, move):
    """Floor on which the lift stands after a move."""
    if move == "ground":
        return 0
    return int(np.clip(floor + (1 if move == "up" else -1), 0, CONSTANTS.FLOORS - 1))


def inputs():
    """What the lift hears, as tokens."""
    return np.array([CONSTANTS.KINDS.index(move) for move in MOVES])


def truth():
    """Floors on which the lift is, from the ground floor."""
    floors = [0]
    for move in MOVES:
        floors.append(floor_after(floors[-1], move))
    return np.array(floors[1:])


def network():
    """Weights of a network of figure 10.4, set by hand.

    Returns
    -------
    dict of ndarray
        ``U, R, V, b, c``; ``R`` leads from the output that is fed to the hidden units, of which
        there is one for each floor and move.
    """
    n, kinds, sharp = CONSTANTS.FLOORS, CONSTANTS.KINDS, CONSTANTS.SHARP
    units = [(floor, move) for floor in range(n) for move in kinds]
    R = sharp * np.eye(n)[[floor for floor, _ in units]]
    U = sharp * np.eye(len(kinds))[[kinds.index(move) for _, move in units]]
    high = np.arange(n)[:, None] - [floor_after(*unit) for unit in units]
    V = -np.where(high < 0, *CONSTANTS.DOUBT) * np.abs(high) / 2
    return {"U": U, "R": R, "V": V, "b": np.full(len(units), -1.5 * sharp), "c": V.sum(axis=1)}
