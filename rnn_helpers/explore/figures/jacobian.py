"""The figure *jacobian*: a gradient on its way back through a small network."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.states import manifest
from rnn_helpers.explore.weights import arrays
from rnn_helpers.reference import rnn_forward


def poster(state):
    """Draw the figure in a complete state."""
    example = manifest()["jacobian"]["example"]
    params = arrays(example["networks"][state["net"]])
    params["W"] *= state["gain"]
    noise = np.random.RandomState(0).standard_normal(example["steps"] - 1)
    run = rnn_forward(params, np.append(1.0, state["noise"] * noise)[:, None])
    return plots.gradient_through_time(
        params, run, params["V"][0] - params["V"][1], at=example["steps"] + 1 - state["back"]
    )
