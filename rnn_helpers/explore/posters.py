"""What each figure shows where no script runs: a picture by `plots`, or words that fold.

A new figure adds its line to `POSTERS`: a function of the state (a dict of the controls that
``show`` was given; the others are at the manifest's defaults) that returns a `Plot`.
"""

from rnn_helpers.circuits import FIGURES, Circuit
from rnn_helpers.explore import predict
from rnn_helpers.explore.states import manifest


def complete(name, state):
    """Return a figure's state with the defaults of the controls that it leaves out."""
    controls = manifest()[name]["controls"]
    return {key: spec["default"] for key, spec in controls.items()} | state


def _unfold(state):
    from rnn_helpers import plots

    circuit = state["circuit"]
    circuit = FIGURES[state["pattern"]] if circuit is None else Circuit.from_dict(circuit)
    return plots.unfolded_graph(circuit, state["T"])


# name -> function of the complete state, giving the Plot that stands for the figure.
POSTERS = {
    "unfold": _unfold,
}

# name -> function of the complete state, giving HTML where words serve better than a picture.
FALLBACKS = {
    "predict": predict.fallback,
}


def _check_unfold(state, given):
    if state["circuit"] is not None:
        Circuit.from_dict(state["circuit"])


# name -> function of the complete state and of what was given of it; it raises ValueError for what
# the manifest cannot know.
CHECKS = {
    "unfold": _check_unfold,
    "predict": predict.check,
}
