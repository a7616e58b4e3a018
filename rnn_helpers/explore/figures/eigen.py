"""The figure *eigen*: a matrix that acts on a state again and again."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.states import manifest


def poster(state):
    """Draw the figure in a complete state."""
    re, im, c = state["re"], state["im"], state["c"]
    W = np.array([[re, c], [0, state["re2"]]])
    if im:
        beta = c / 2 + np.hypot(c / 2, im)
        W = np.array([[re, beta], [-(im**2) / beta, re]])
    angle = np.deg2rad(state["angle"])
    steps = manifest()["eigen"]["controls"]["t"]["max"]
    return plots.eigenvalue_decay(W, [np.cos(angle), np.sin(angle)], steps, t=state["t"])
