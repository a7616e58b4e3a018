"""The figure *four*: what a pixel hears, by convolutions and by sweeps over the picture."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import unpacked, without_output
from rnn_helpers.reference import gru_forward
from rnn_helpers.tasks import joined

CONSTANTS = constants("four")
SIZE, SIDE = CONSTANTS.SIZE, CONSTANTS.SIDE
_KINDS = ".#O"  # wall, floor, mark
_PARTS = [letter + gate for letter in "UWb" for gate in ("", "u", "r")]
_SWEEPS = (
    lambda x: np.cumsum(x, axis=0),  # down
    lambda x: np.cumsum(x[::-1], axis=0)[::-1],  # up
    lambda x: np.cumsum(x, axis=1),  # right
    lambda x: np.cumsum(x[:, ::-1], axis=1)[:, ::-1],  # left
)


def poster(state):
    """Draw what the pixel hears by both, in a complete state."""
    row, column = state["row"] - 1, state["column"] - 1
    numbers = {"stack": state["layers"], "sweeps": state["sweeps"]}
    heards = [heard(kind, n, row, column) for kind, n in numbers.items()]
    pictures = 0.6 * np.array(heards, float)
    pictures[:, row, column] = 1
    names = ("layers of 3 × 3", "sweeps")
    said = [
        f"{n} {name}: hears {cells.sum()} of {SIZE**2} pixels"
        for n, name, cells in zip(numbers.values(), names, heards, strict=True)
    ]
    drawn = plots.captions(pictures, said)
    alt = f"The pixel in row {row + 1}, column {column + 1} of two pictures. {said[0]}; {said[1]}. "
    maze = read(state["maze"])
    they = "they are" if joined(maze) else "they are not"
    alt += f"A network gives {believes(maze):.0%} for two marks of a third being joined: {they}."
    return plots.Plot(drawn.figure, alt)


def check(state, given):
    """Refuse a picture that is none, or has not two marks."""
    maze = state["maze"]
    if len(maze) != SIDE**2 or set(maze) - set(_KINDS) or maze.count("O") != 2:
        raise ValueError(
            f"maze is {maze!r}; expected {SIDE**2} cells, '.' for a wall, '#' for floor, and 'O' "
            "for each of two marks"
        )


def read(text):
    """Kinds of the cells of a picture, (SIDE, SIDE)."""
    return np.array([_KINDS.index(kind) for kind in text]).reshape(SIDE, SIDE)


def believes(maze):
    """Probability, by the trained network, that the two marks are joined."""
    params = unpacked(stored("four")["networks"]["sweeps"])
    o = says(params, maze)[maze == 2] @ params["V"].T + params["c"]
    no, yes = o.mean(axis=0)
    return 1 / (1 + np.exp(no - yes))


def says(params, maze):
    """What the last sweeps say at every cell, (SIDE, SIDE, n): columns first, then rows, twice."""
    h = np.eye(3)[maze]
    for k in range(4):
        lines = h if k % 2 == 0 else h.swapaxes(0, 1)  # (T, others, n)
        ahead, back = (_swept(params, f"sweeps.{k}.{way}", lines[:: 1 - 2 * way]) for way in (0, 1))
        lines = np.concatenate([ahead, back[::-1]], axis=-1)
        h = lines if k % 2 == 0 else lines.swapaxes(0, 1)
    return h


def _swept(params, name, lines):
    """States of gated units along all lines at once, by `gru_forward`."""
    own = {part: params[f"{name}.{part}"] for part in _PARTS}
    return gru_forward(without_output(own), lines).h


def heard(kind, n, row, column):
    """Cells that one cell hears through so many layers or sweeps, (SIZE, SIZE) of bool.

    Every cell in turn is made to sound, and what all layers carry to the one cell is added up:
    each sums what it hears.
    """
    sounds = np.eye(SIZE**2, dtype=bool).reshape(SIZE**2, SIZE, SIZE)
    return np.array([carried(kind, n, x)[row, column] for x in sounds]).reshape(SIZE, SIZE)


def carried(kind, n, x):
    """Where a picture is heard, cell by cell, after so many layers or sweeps."""
    if kind == "stack":
        for _ in range(n):
            around = np.pad(x, 1)
            shifted = [around[i : i + SIZE, j : j + SIZE] for i in range(3) for j in range(3)]
            x = np.sum(shifted, axis=0) > 0
        return x
    for first in range(0, n, 4):  # four sweeps read the same, and the next ones what they say
        read = [sweep(x) for sweep in _SWEEPS[: n - first]]
        x = np.sum(read, axis=0) > 0
    return x
