"""The figure *cliff*: its descents, as the figure computes them."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.states import manifest
from rnn_helpers.reference import (
    cliff_gradient,
    cliff_loss,
    clip_by_element,
    clip_by_norm,
    random_step,
)
from rnn_helpers.reference.cliff import TARGET

NAMES = {
    "none": "not clipped",
    "norm": "clipped by norm",
    "element": "clipped by element",
    "random": "random steps",
}


def poster(state):
    """Draw the landscape from above, with the descents up to the state's update."""
    controls = manifest()["cliff"]["controls"]
    kinds = {state["kind"]} if state["view"] == "relief" else {"none", state["kind"]}
    return plots.clipping_cliff(
        lambda w, b: cliff_loss(w, b, state["T"]),
        {name: descend(state, kind, state["k"]) for kind, name in NAMES.items() if kind in kinds},
        state["v"],
        limits=[(controls[key]["min"], controls[key]["max"]) for key in "wb"],
        neutral=(1 - TARGET) ** 2,
        places=constants("cliff").PLACES,
    )


class _Drawn(np.random.Generator):
    """Generator with the normals of ``RandomState(seed)``, the figure's own."""

    def __new__(cls, seed):
        return super().__new__(cls, np.random.MT19937())

    def __init__(self, seed):
        super().__init__(np.random.MT19937())
        self._state = np.random.RandomState(seed)

    def standard_normal(self, size=None):
        return self._state.standard_normal(size)


def step(gradient, kind, v, drawn):
    """Return the vector that a step uses in place of a gradient of two entries."""
    grads = {"theta": gradient}
    if kind == "none":
        return gradient
    if kind == "random":
        return random_step(grads, v, drawn)[0]["theta"]
    return {"norm": clip_by_norm, "element": clip_by_element}[kind](grads, v)[0]["theta"]


def descend(state, kind, steps, seed=0):
    """Return the points (w, b) of a descent, shape (steps + 1, 2)."""
    theta, drawn, path = np.array([state["w"], state["b"]]), _Drawn(seed), []
    for _ in range(steps + 1):
        path.append(theta)
        theta = theta - state["lr"] * step(
            cliff_gradient(*theta, state["T"]), kind, state["v"], drawn
        )
    return np.array(path)
