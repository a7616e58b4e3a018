"""The figure *jacobian*: a gradient on its way back through a small network."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.states import manifest
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import arrays
from rnn_helpers.reference import rnn_forward


def poster(state):
    """Draw the figure in a complete state."""
    steps = manifest()["jacobian"]["controls"]["back"]["max"]
    params = arrays(stored("jacobian")[state["net"]])
    params["W"] *= state["gain"]
    noise = np.random.RandomState(0).standard_normal(steps - 1)
    run = rnn_forward(params, np.append(1.0, state["noise"] * noise)[:, None])
    return plots.gradient_through_time(
        params, run, params["V"][0] - params["V"][1], at=steps + 1 - state["back"]
    )
