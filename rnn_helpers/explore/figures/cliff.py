"""The figure *cliff*: its two descents, as it computes them."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.states import manifest
from rnn_helpers.reference import (
    cliff_gradient,
    cliff_loss,
    clip_by_element,
    clip_by_norm,
    random_step,
)
from rnn_helpers.reference.cliff import TARGET


def poster(state):
    """Draw the figure in a complete state."""
    controls = manifest()["cliff"]["controls"]
    names = {
        "none": "not clipped either",
        "norm": "norm clipped",
        "element": "each entry clipped",
        "random": "random step",
    }
    paths = {"without clipping": descend(state, "none")}
    paths[names[state["kind"]]] = descend(state, state["kind"])
    return plots.clipping_cliff(
        lambda w, b: cliff_loss(w, b, state["T"]),
        paths,
        state["v"],
        limits=[(controls[key]["min"], controls[key]["max"]) for key in "wb"],
        neutral=(1 - TARGET) ** 2,
    )


class _Drawn(np.random.Generator):
    """Generator that gives the normals of ``RandomState(seed)``, which the figure draws too."""

    def __new__(cls, seed):
        return super().__new__(cls, np.random.MT19937())

    def __init__(self, seed):
        super().__init__(np.random.MT19937())
        self._state = np.random.RandomState(seed)

    def standard_normal(self, size=None):
        return self._state.standard_normal(size)


def step(gradient, kind, v, drawn):
    """What is followed instead of a gradient of two entries."""
    grads = {"theta": gradient}
    if kind == "none":
        return gradient
    if kind == "random":
        return random_step(grads, v, drawn)[0]["theta"]
    return {"norm": clip_by_norm, "element": clip_by_element}[kind](grads, v)[0]["theta"]


def descend(state, kind, steps=None, seed=0):
    """Points (w, b) of a descent, shape (steps + 1, 2)."""
    steps = manifest()["cliff"]["controls"]["k"]["max"] if steps is None else steps
    theta, drawn, path = np.array([state["w"], state["b"]]), _Drawn(seed), []
    for _ in range(steps + 1):
        path.append(theta)
        theta = theta - state["lr"] * step(
            cliff_gradient(*theta, state["T"]), kind, state["v"], drawn
        )
    return np.array(path)
