"""The figure *seq2seq*: an encoder and a decoder, and the lengths of the paths through C."""

from rnn_helpers.circuits import Circuit, Edge

READER = Circuit(["x", "h"], [Edge("x", "h"), Edge("h", "h", delay=1)])
WRITER = Circuit(["g", "y"], [Edge("g", "y"), Edge("g", "g", delay=1), Edge("y", "g", delay=1)])


def arrows(n, T, door="start", backwards=False):
    """Return the arrows of the graph.

    Parameters
    ----------
    n, T : int
        Numbers of input symbols, and of output symbols before the end.
    door : {"start", "step", "both"}
        Which of the decoder's states receive C; with both, the first receives it in two ways.
    backwards : bool
        Whether the encoder reads the last symbol of the source first.

    Returns
    -------
    set of (node, node)
        From and to; a node is a letter and a step from 1 on, and ``("C", 1)`` is the context.
    """
    read = _inner(READER.unfold(n))
    if backwards:
        turned = {("x", step): ("x", n + 1 - step) for step in range(1, n + 1)}
        read = {(turned.get(start, start), end) for start, end in read}
    from_C = {(("C", 1), ("g", t)) for t in range(1, 2 if door == "start" else T + 2)}
    return read | {(("h", n), ("C", 1))} | from_C | _inner(WRITER.unfold(T + 1))


def _inner(graph):
    return {(edge.source, edge.target) for edge in graph.edges if edge.source[1] > 0}


def way(joined, start, end):
    """Return the nodes of the shortest path from one node to another, both included."""
    front = {start: [start]}
    seen = set(front)
    while front and end not in front:
        front = {
            target: [*nodes, target]
            for source, nodes in front.items()
            for origin, target in sorted(joined)
            if origin == source and target not in seen
        }
        seen |= set(front)
    return front.get(end, [])
