"""The figure *powers*: two numbers that are multiplied by the same factor at each step."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants

CONSTANTS = constants("powers")


def poster(state):
    """Draw the figure in a complete state."""
    t = np.arange(state["t"] + 1)
    return plots.lines(
        t,
        [factor**t for factor in CONSTANTS.FACTORS],
        [f"times {factor:g}" for factor in CONSTANTS.FACTORS],
        kinds=["state", "loss"],
        xlabel="steps",
        ylabel="the number",
        log="y",
        points=True,
    )
