"""The figure *matrix*: what pairs do to one another in a memory that is one matrix."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.reference import matrix_forward

PAIRS = 3


def poster(state):
    """Draw the figure in a complete state."""
    k, v = pairs(state)
    return plots.matrix_memory(k, v, written(state)[: state["t"] + 1])


def pairs(state):
    """Keys (3, 2), of length 1, and values (3,)."""
    angles = np.deg2rad([state[f"a{i + 1}"] for i in range(PAIRS)])
    values = np.array([state[f"v{i + 1}"] for i in range(PAIRS)], float)
    return np.column_stack([np.cos(angles), np.sin(angles)]), values


def written(state, passes=4):
    """The memory before the first pair, and after each: (1 + 3 passes, 2)."""
    k, v = (np.concatenate([part] * passes) for part in pairs(state))
    return matrix_forward(k, k, v[:, None], state["eta"], state["rule"]).M[:, 0]
