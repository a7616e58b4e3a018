"""The figure *curvature*: five methods of descent in a flat valley."""

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.states import manifest
from rnn_helpers.reference import two_spans, two_spans_path


def poster(state):
    """Draw the figure in a complete state."""
    names = {
        "descent": "gradient descent",
        "momentum": "momentum",
        "nesterov": "Nesterov",
        "newton": "Newton",
        "gauss_newton": "Gauss–Newton",
    }
    rates = {key: state[key] for key in ("lr", "momentum", "longest")}
    steps = manifest()["curvature"]["controls"]["t"]["max"]
    drawn = constants("curvature")
    start = [state["w"], state["r"]]
    paths = {
        name: two_spans_path(method, start, state["tau"], steps, **rates)
        for method, name in names.items()
    }
    return plots.curvatures(
        paths,
        lambda theta: two_spans(theta, state["tau"]).loss,
        tau=state["tau"],
        limits=[drawn.W, drawn.R],
        divided=["Newton", "Gauss–Newton"],
        at=state["t"],
    )
