"""The figure *latch*: many noisy runs of one unit that feeds back on itself."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.states import manifest
from rnn_helpers.reference import drive


def poster(state):
    """Draw the figure in a complete state."""
    example, w = manifest()["latch"]["example"], state["w"]
    noise = np.random.RandomState(0).standard_normal((example["runs"], example["steps"])).T
    squash = np.tanh if state["unit"] == "tanh" else np.positive
    h = drive(
        lambda h, x: squash(w * h + x),
        np.full(example["runs"], state["start"]),
        state["noise"] * noise,
    )
    return plots.latch(
        np.array([np.full(example["runs"], state["start"]), *h]),
        w,
        nonlinearity=state["unit"],
        run=state["run"] - 1,
    )
