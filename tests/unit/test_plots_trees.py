import pytest

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("12")

WORDS = ["not", "so", "bad"]
TREE = (0, (1, 2))


def test_each_node_has_two_branches_and_stands_over_its_gap():
    (axes,) = plots.tree_graph(TREE, WORDS).figure.axes
    lines = [line.get_xydata().tolist() for line in axes.lines if line.get_marker() == "None"]
    assert len(lines) == 4
    assert [[0.5, 2], [0, 2], [0, 0]] in lines
    assert [[0.5, 2], [1.5, 2], [1.5, 1]] in lines
    assert [tick.get_text() for tick in axes.get_xticklabels()] == WORDS


def test_values_stand_at_their_nodes_and_wrong_ones_are_told():
    alt = plots.tree_graph(TREE, WORDS, values={(1, 3): ("−", True), (0, 3): ("−", False)}).alt
    assert alt.endswith("Of 2 values 1 is wrong: not so bad.")
