"""The figure *latch*: many noisy runs of one unit that feeds back on itself."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.reference import drive

CONSTANTS = constants("latch")


def poster(state):
    """Draw the figure in a complete state."""
    runs, steps, w = CONSTANTS.RUNS, CONSTANTS.STEPS, state["w"]
    noise = np.random.RandomState(0).standard_normal((runs, steps)).T
    squash = np.tanh if state["unit"] == "tanh" else np.positive
    h = drive(
        lambda h, x: squash(w * h + x),
        np.full(runs, state["start"]),
        state["noise"] * noise,
    )
    return plots.latch(
        np.array([np.full(runs, state["start"]), *h]),
        w,
        nonlinearity=state["unit"],
        run=state["run"] - 1,
    )
