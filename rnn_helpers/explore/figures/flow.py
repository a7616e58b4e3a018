"""The figure *flow*: its network for the reference, and its steps down Omega."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.states import manifest
from rnn_helpers.reference import exceeds, omega_gradient, rescale, rnn_forward

CONSTANTS = constants("flow")


def poster(state):
    """Draw the figure in a complete state."""
    params, x, grad_last = network(state)
    k, weights = state["k"], descend(params, x)[0]
    start, now = ((each, rnn_forward(each, x)) for each in (params, params | {"W": weights[k]}))
    return plots.gradient_flow(*now, grad_last, others={"start": start} if k else None)


def network(state):
    """Return the network at the start, its input, and the gradient with respect to the last state.

    Parameters
    ----------
    state : mapping
        The complete state of the figure.

    Returns
    -------
    params : dict of ndarray
        The rows of ``V`` are opposite, so the loss sends back a gradient of the same direction
        from every state. Omega doesn't depend on its length.
    x : ndarray, shape (T, 2)
    grad_last : ndarray, shape (2,)
        Of length 1.
    """
    units, angle = CONSTANTS.UNITS, np.deg2rad(state["angle"])
    grad_last = np.array([np.cos(angle), np.sin(angle)])
    grad_last[np.abs(grad_last) < 1e-15] = 0  # multiples of 90 degrees are exact
    params = {
        "U": np.eye(units),
        "W": np.array([[state["w11"], state["w12"]], [state["w21"], state["w22"]]], float),
        "V": np.array([grad_last, -grad_last]),
        "b": np.zeros(units),
        "c": np.zeros(2),
    }
    draw = np.random.RandomState(CONSTANTS.SEED)
    x = state["inputs"] * draw.standard_normal((CONSTANTS.STEPS, units))
    return params, x, grad_last


def slope_of_omega(params, x):
    """Return Omega of the network, with a loss at the end only, and its gradient on ``W``."""
    last = np.arange(len(x)) == len(x) - 1
    y = np.ones(len(x), int)  # the gradient points away from this class's row of V
    value, grads = omega_gradient(params, rnn_forward(params, x), y, last, constant="nothing")
    return value, grads["W"]


def step_down(W, gradient):
    """Return ``W`` after one step down Omega, with the gradient clipped by norm."""
    if exceeds(gradient.ravel(), CONSTANTS.THRESHOLD):
        gradient = rescale(gradient.ravel(), CONSTANTS.THRESHOLD).reshape(W.shape)
    return W - CONSTANTS.RATE * gradient


def descend(params, x):
    """Return ``W`` and Omega after each number of steps down Omega, as lists from 0 steps on."""
    weights, values = [params["W"]], []
    steps = manifest()["flow"]["controls"]["k"]["max"]
    for k in range(steps + 1):
        value, gradient = slope_of_omega(params | {"W": weights[k]}, x)
        values.append(value)
        if k < steps:
            weights.append(step_down(weights[k], gradient))
    return weights, values
