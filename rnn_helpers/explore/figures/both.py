"""The figure *both*: what an output hears, and when it can be given."""

from rnn_helpers import plots
from rnn_helpers.circuits import Circuit, Edge

NETWORK = Circuit(["x", "h", "o"], [Edge("x", "h"), Edge("h", "h", delay=1), Edge("h", "o")])
NAMES = ("one", "window", "both")


def poster(state):
    """Draw the tick of each output; of who reads both ways, which is asked for, once chosen."""
    outputs = list(range(1, state["steps"] + 1))
    kinds = [kind for kind in NAMES if kind in ("one", "window", state["listener"])]
    given = [[ready(state | {"listener": kind}, t) for t in outputs] for kind in kinds]
    names = {
        "one": f"one way, waits {state['wait']}",
        "window": f"window of {state['width']}",
        "both": "both ways",
    }
    return plots.lines(
        outputs,
        given,
        [names[kind] for kind in kinds],
        points=True,
        xlabel="output",
        ylabel="tick at which it is given",
    )


def arrows(state):
    """Arrows of the network of a state, from and to; a node is a letter and a step from 1 on."""
    T, inner = state["steps"], []
    if state["listener"] == "window":
        reach = state["width"] // 2
        return {
            (("x", s), ("o", t))
            for t in range(1, T + 1)
            for s in range(max(1, t - reach), min(T, t + reach) + 1)
        }
    late = state["wait"] if state["listener"] == "one" else 0
    graph = NETWORK.unfold(T + late)
    inner = {(edge.source, edge.target) for edge in graph.edges if edge.source[1] > 0}
    # after the last input there is silence, and an answer belongs to the step before the wait
    inner = {(a, b) for a, b in inner if not (a[0] == "x" and a[1] > T)}
    ahead = {(a, ("o", b[1] - late) if b[0] == "o" else b) for a, b in inner}
    ahead = {(a, b) for a, b in ahead if b[1] > 0}
    if state["listener"] == "one":
        return ahead
    return ahead | {(_turned(a, T), _turned(b, T)) for a, b in inner}


def _turned(node, T):
    """The same node of the network that reads from the end."""
    letter, step = node
    return {"h": "g"}.get(letter, letter), T + 1 - step


def heard(state, t):
    """Inputs from which arrows lead to an output, in order."""
    joined, found = arrows(state), {("o", t)}
    while True:
        more = {a for a, b in joined if b in found} - found
        if not more:
            return sorted(step for letter, step in found if letter == "x")
        found |= more


def ready(state, t):
    """The tick at which an output can be given, where input t comes at tick t, then silence."""
    if state["listener"] == "both":
        return state["steps"]
    if state["listener"] == "one":
        return t + state["wait"]
    return min(t + state["width"] // 2, state["steps"])
