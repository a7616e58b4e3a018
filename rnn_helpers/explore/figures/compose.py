"""The figure *compose*: what random layers make of a straight line."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.states import manifest
from rnn_helpers.reference import hidden_state, times


def poster(state):
    """Draw the figure in a complete state."""
    chance, n = np.random.RandomState(state["seed"]), constants("compose").UNITS
    reach = manifest()["compose"]["controls"]["centre"]["max"]
    W = state["gain"] / np.sqrt(n) * chance.standard_normal((n, n))
    h, direction, projection = (chance.standard_normal(n) for _ in range(3))
    direction, projection = (v / np.linalg.norm(v) for v in (direction, projection))
    half = reach / state["zoom"]
    centre = np.clip(state["centre"], half - reach, reach - half)
    x = np.linspace(centre - half, centre + half, 8193)
    h, slopes = h + x[:, None] * direction, np.broadcast_to(direction, (len(x), n))
    for _ in range(state["depth"]):
        h = hidden_state(times(W, h))
        slopes = (1 - h**2) * times(W, slopes)  # dh/dx, by the chain rule
    return plots.composition(
        x, h @ projection, slopes @ projection, xlabel="start, along a random direction"
    )
