"""The figure *joint*: who hears whom in a sequence, with states and without, at what price."""

from rnn_helpers import plots
from rnn_helpers.circuits import Circuit, Edge
from rnn_helpers.reference import network_numbers, table_numbers

# Figure 10.8: at each step a state, told of the one before and of the symbol before.
FIGURE = Circuit(["y", "h"], [Edge("h", "y"), Edge("h", "h", delay=1), Edge("y", "h", delay=1)])


def poster(state):
    """Draw the figure in a complete state."""
    tau, k, units = state["tau"], state["k"], state["units"]
    lengths = range(1, tau + 1)
    return plots.joint_graph(
        arrows(tau, state["summed"]),
        {
            "table": [table_numbers(k, length) for length in lengths],
            "network": [network_numbers(k, units) for _ in lengths],
        },
    )


def arrows(tau, summed=0):
    """Arrows of figure 10.8 from which the first states have been summed out.

    A state is a function of its parents: who heard it hears them, once it is gone.

    Parameters
    ----------
    tau : int
        Steps.
    summed : int
        States to sum out, the first ones; all if there are fewer.

    Returns
    -------
    set of (node, node)
        From and to; a node is a letter and a step from 1 on.
    """
    graph = FIGURE.unfold(tau)
    left = {(edge.source, edge.target) for edge in graph.edges if edge.source[1] > 0}
    for step in range(1, min(summed, tau) + 1):
        gone = ("h", step)
        heard = {source for source, target in left if target == gone}
        told = {target for source, target in left if source == gone}
        left = {arrow for arrow in left if gone not in arrow}
        left |= {(source, target) for source in heard for target in told}
    return left
