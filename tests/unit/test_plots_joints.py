import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("07")

ARROWS = [(("h", 1), ("y", 1)), (("y", 1), ("h", 2)), (("h", 2), ("y", 2)), (("y", 1), ("y", 2))]
NUMBERS = {"table": [1, 3], "network": [7, 7]}


def test_the_alternative_text_counts_nodes_arrows_and_numbers():
    alt = plots.joint_graph(ARROWS, NUMBERS).alt
    assert alt.startswith("A graph of 2 symbols and 2 states: 4 arrows, 1 of them from symbol")
    assert alt.endswith("Numbers needed: table, 3 at length 2; network, 7 at length 2.")


def test_every_arrow_and_every_node_is_drawn_and_each_way_has_a_curve():
    graph, chart = plots.joint_graph(ARROWS, NUMBERS).figure.axes
    assert sum(isinstance(patch, FancyArrowPatch) for patch in graph.patches) == len(ARROWS)
    assert [word.get_text() for word in graph.texts] == ["$h_{1}$", "$h_{2}$", "$y_{1}$", "$y_{2}$"]
    for line, counts in zip(chart.get_lines(), NUMBERS.values(), strict=True):
        np.testing.assert_array_equal(line.get_xdata(), [1, 2])
        np.testing.assert_array_equal(line.get_ydata(), counts)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"arrows": []}, "arrows is empty"),
        ({"arrows": [(("x", 1), ("y", 1))]}, "expected two nodes"),
        ({"numbers": {}}, "expected a mapping of one to 3"),
        ({"numbers": {"table": [0, 3]}}, "expected counts above 0"),
        ({"numbers": {"table": 3}}, "expected counts above 0"),
    ],
)
def test_what_does_not_fit_is_named(changed, message):
    with pytest.raises(ValueError, match=message):
        plots.joint_graph(**{"arrows": ARROWS, "numbers": NUMBERS} | changed)


@pytest.mark.slow
def test_it_has_two_themes():
    plot = plots.joint_graph(ARROWS, NUMBERS)
    assert plot.png("light") != plot.png("dark")
