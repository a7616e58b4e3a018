"""The figure *unfold*: a circuit, and what becomes of it over T steps."""

from rnn_helpers import plots
from rnn_helpers.circuits import FIGURES, Circuit


def poster(state):
    """Draw the figure in a complete state."""
    circuit = state["circuit"]
    circuit = FIGURES[state["pattern"]] if circuit is None else Circuit.from_dict(circuit)
    return plots.unfolded_graph(circuit, state["T"])


def check(state, given):
    """Raise ValueError if the circuit is none."""
    if state["circuit"] is not None:
        try:
            Circuit.from_dict(state["circuit"])
        except (TypeError, ValueError) as error:
            raise ValueError(f"circuit is no circuit: {error}") from None
