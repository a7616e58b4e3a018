"""What the figure flow shows: its network for the reference, and its steps down Omega."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.states import manifest
from rnn_helpers.reference import exceeds, omega_gradient, rescale, rnn_forward

CONSTANTS = constants("flow")


def poster(state):
    """Draw the figure in a complete state."""
    params, x, grad_last = network(state)
    held = {"nothing": "exact", "gradients": "gradients constant", "states": "states too"}
    paths = {constant: descend(params, x, constant) for constant in held}
    k, weights = state["k"], paths[state["constant"]][0]
    runs = [params | {"W": W} for W in (weights[0], weights[k])]
    start, (now, run) = [(params, rnn_forward(params, x)) for params in runs]
    if not k:
        return plots.gradient_flow(now, run, grad_last)
    descents = {held[constant]: omegas[: k + 1] for constant, (_, omegas) in paths.items()}
    return plots.gradient_flow(now, run, grad_last, others={"start": start}, descents=descents)


def network(state):
    """The network at the start, its input, and the gradient of its loss on the last state.

    Parameters
    ----------
    state : mapping
        The complete state of the figure.

    Returns
    -------
    params : dict of ndarray
        Two classes whose rows of ``V`` pull apart along one direction, so that wherever the state
        is, the loss sends a gradient of that direction to ``h^(T)``; Omega does not see its length.
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


def slope_of_omega(params, x, constant):
    """Omega of the network, its loss at the end alone, and the gradient of Omega on ``W``."""
    last = np.arange(len(x)) == len(x) - 1
    y = np.ones(len(x), int)  # the class whose row of V the gradient points away from
    value, grads = omega_gradient(params, rnn_forward(params, x), y, last, constant=constant)
    return value, grads["W"]


def step_down(W, gradient):
    """One step down Omega, its gradient clipped by norm."""
    if exceeds(gradient.ravel(), CONSTANTS.THRESHOLD):
        gradient = rescale(gradient.ravel(), CONSTANTS.THRESHOLD).reshape(W.shape)
    return W - CONSTANTS.RATE * gradient


def descend(params, x, constant):
    """Return ``W`` and Omega after each number of steps down Omega, lists from 0 steps on."""
    weights, values = [params["W"]], []
    steps = manifest()["flow"]["controls"]["k"]["max"]
    for k in range(steps + 1):
        value, gradient = slope_of_omega(params | {"W": weights[k]}, x, constant)
        values.append(value)
        if k < steps:
            weights.append(step_down(weights[k], gradient))
    return weights, values
