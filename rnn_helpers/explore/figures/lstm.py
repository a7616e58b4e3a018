"""The figure *lstm*: one cell with its circuit, forward and backward."""

import re

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.reference import lstm_forward, lstm_gradient_through_time

CONSTANTS = constants("lstm")


def poster(state):
    """Draw the figure in a complete state."""
    arguments = lstm_arguments(state)
    run = lstm_forward(**arguments)
    _, grad_s = lstm_gradient_through_time(arguments["params"], run, [1.0])
    return plots.lstm_gates(run, grad_s=grad_s[1:, 0], at=state["t"])


def check(state, given):
    """Raise ValueError if ``held`` doesn't name gates, steps and values."""
    held_gates(state["held"])


def held_gates(text):
    """Return the gates held by hand: ``{("f", 5): 0.25}`` from ``"f5:0.25"``."""
    held = {}
    for part in filter(None, text.split(",")):
        match = re.fullmatch(r"([fgq])([1-8]):(\d+|\d*\.\d+)", part)
        if not match or float(match[3]) > 1:
            raise ValueError(f"held has {part!r}; expected gate, step and value, as in f5:0.25")
        held[match[1], int(match[2])] = float(match[3])
    return held


def lstm_arguments(state):
    """Return the arguments with which `lstm_forward` runs the cell in a complete state."""
    T, keep = len(CONSTANTS.NOISE), CONSTANTS.KEEP
    params = {"V": np.eye(1), "c": np.zeros(1)}
    for name, value in CONSTANTS.PARAMS.items():
        if state["cell"] == "peepholes" or not name.startswith("p"):
            params[name] = np.array(value, float).reshape((1, -1) if name[0] in "UW" else 1)
    x = np.zeros((T, 2))
    x[:, 0] = CONSTANTS.NOISE
    x[keep - 1], x[-1, 1] = (state["value"], 1), -1
    held = {gate: np.full((T, 1), np.nan) for gate in "gfq"}
    for (gate, t), value in held_gates(state["held"]).items():
        held[gate][t - 1] = value
    return {"params": params, "x": x, "held": held}
