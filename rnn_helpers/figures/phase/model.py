"""The figure *phase*: a bit that two units hold as the phase of an oscillation."""

import numpy as np

from rnn_helpers.figures import constants
from rnn_helpers.reference import rnn_forward, state_jacobians

CONSTANTS = constants("phase")
STARTS = np.array([[1.0, 0.0], [-1.0, 0.0]])


def network():
    """Return two units whose recurrent weights rotate and stretch the state."""
    turn = np.radians(CONSTANTS.DEGREES)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    eye, zero = np.eye(2), np.zeros(2)
    return {"U": eye, "W": CONSTANTS.GAIN * rotation, "V": eye, "b": zero, "c": zero}


def gradient():
    """Return the norm of the derivative of each state with respect to the first, without noise."""
    params = network()
    run = rnn_forward(params, np.zeros((CONSTANTS.STEPS, 2)), h0=STARTS[0])
    product, norms = np.eye(2), [1.0]
    for jacobian in state_jacobians(params, run):
        product = jacobian @ product
        norms.append(np.linalg.norm(product, 2))
    return np.array(norms)


def gradient_at_rest():
    """Return the same for one unit that rests in an attractor."""
    h = 1.0
    for _ in range(100):
        h = np.tanh(CONSTANTS.ONE_UNIT * h)
    return (CONSTANTS.ONE_UNIT * (1 - h**2)) ** np.arange(CONSTANTS.STEPS + 1)
