import numpy as np
import pytest

from rnn_helpers import plots
from rnn_helpers.reference import trees

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


def test_the_way_between_two_words_stands_out_and_is_counted():
    plot = plots.tree_graph(TREE, WORDS, ends=(0, 2))
    thick = [line for line in plot.figure.axes[0].lines if line.get_linewidth() > 3]
    assert len(thick) == 3
    assert plot.alt.startswith("A tree over 3 words, not so bad: 2 high. 3 arrows lead from not to")
    assert "0 arrows lead from so to so" in plots.tree_graph(TREE, WORDS, ends=(1, 1)).alt


def test_values_stand_at_their_nodes_and_wrong_ones_are_told():
    alt = plots.tree_graph(TREE, WORDS, values={(1, 3): ("−", True), (0, 3): ("−", False)}).alt
    assert alt.endswith("Of 2 values 1 is wrong: not so bad.")


@pytest.mark.slow
def test_bars_are_drawn_below():
    n = 16
    words = [f"word {i}" for i in range(n)]
    plot = plots.tree_graph(trees.chain(n), words, bars=np.geomspace(1e-3, 1, n))
    assert len(plot.figure.axes[1].patches) == n
    assert "from 0.001 to 1" in plot.alt
    assert plot.png()
