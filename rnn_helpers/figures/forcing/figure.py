"""The figure *forcing*: a network that computes an elevator's floor, and the floor it is fed."""

import numpy as np

from rnn_helpers.figures import constants

CONSTANTS = constants("forcing")
MOVES = CONSTANTS.MOVES


def floor_after(floor, move):
    """Return the floor of the elevator after a move."""
    if move == "ground":
        return 0
    return int(np.clip(floor + (1 if move == "up" else -1), 0, CONSTANTS.FLOORS - 1))


def inputs():
    """Return the moves as tokens."""
    return np.array([CONSTANTS.KINDS.index(move) for move in MOVES])


def truth():
    """Return the true floor after each move; the elevator starts on floor 0."""
    floors = [0]
    for move in MOVES:
        floors.append(floor_after(floors[-1], move))
    return np.array(floors[1:])


def network():
    """Return the weights of the output-recurrent network, which are set by hand.

    Returns
    -------
    dict of ndarray
        ``U, R, V, b, c``; ``R`` contains the weights from the floor that is fed to the hidden
        units. There is one hidden unit for each floor and move.
    """
    n, kinds, sharp = CONSTANTS.FLOORS, CONSTANTS.KINDS, CONSTANTS.SHARP
    units = [(floor, move) for floor in range(n) for move in kinds]
    R = sharp * np.eye(n)[[floor for floor, _ in units]]
    U = sharp * np.eye(len(kinds))[[kinds.index(move) for _, move in units]]
    high = np.arange(n)[:, None] - [floor_after(*unit) for unit in units]
    V = -np.where(high < 0, *CONSTANTS.DOUBT) * np.abs(high) / 2
    return {"U": U, "R": R, "V": V, "b": np.full(len(units), -1.5 * sharp), "c": V.sum(axis=1)}
