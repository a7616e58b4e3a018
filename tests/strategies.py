"""Random objects of the package, for the tests that promise something of all of them."""

from hypothesis import strategies as st

from rnn_helpers.circuits import Circuit, Edge


@st.composite
def circuits(draw, last=False):
    """Random circuits, with nodes of the last step alone if `last`.

    Edges without delay run forward in a list of nodes, others anywhere.
    """
    nodes = [f"n{i}" for i in range(draw(st.integers(1, 6)))]
    index = st.integers(0, len(nodes) - 1)
    triples = draw(st.sets(st.tuples(index, index, st.integers(0, 3)), max_size=10))
    labels = st.sampled_from(["U", "V", "W", None])
    edges = [
        Edge(nodes[i], nodes[j], draw(labels), delay)
        for i, j, delay in draw(st.permutations(sorted(triples)))
        if delay or i < j
    ]
    # Only nodes without successors may be left out of the earlier steps.
    ends = [name for name in nodes if all(edge.source != name for edge in edges)]
    alone = draw(st.lists(st.sampled_from(ends), unique=True)) if last and ends else []
    return Circuit(draw(st.permutations(nodes)), edges, alone)
