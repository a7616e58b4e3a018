"""The figure *perturb*: two runs that start a small change apart."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.states import manifest
from rnn_helpers.reference import rnn_forward

CONSTANTS = constants("perturb")


def poster(state):
    """Draw the figure in a complete state."""
    if state["map"] != "tanh":
        angle = np.deg2rad(state["angle"])
        return plots.separations(
            CONSTANTS.MATRICES[state["map"]],
            [np.cos(angle), np.sin(angle)],
            state["n"],
            manifest()["perturb"]["controls"]["n"]["max"],
            backward=state["way"] == "backward",
        )
    params = {"W": turning(), "b": np.zeros(2), "U": np.zeros((2, 1))}
    params |= {"V": np.zeros((1, 2)), "c": np.zeros(1)}
    steps = manifest()["perturb"]["controls"]["t"]["max"]
    run = rnn_forward(params, np.zeros((steps, 1)), [state["start"], 0.0])
    return plots.change_growth(params, run, at=state["t"])


def turning():
    """Weights that turn a state by half a radian and make it longer."""
    cos, sin = np.cos(CONSTANTS.TURN), np.sin(CONSTANTS.TURN)
    return CONSTANTS.GAIN * np.array([[cos, -sin], [sin, cos]])
