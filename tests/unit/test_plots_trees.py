import pytest

from rnn_helpers import plots
from rnn_helpers.tasks.expressions import lay_out, parse_expression

pytestmark = pytest.mark.chapter("12")

WORDS = ["not", "so", "bad"]
TREE = (0, (1, 2))


def test_each_node_is_above_its_gap_and_has_two_branches():
    (axes,) = plots.tree_graph(TREE, WORDS).figure.axes
    lines = [line.get_xydata().tolist() for line in axes.lines if line.get_marker() == "None"]
    assert len(lines) == 4
    assert [[0.5, 2], [0, 2], [0, 0]] in lines
    assert [[0.5, 2], [1.5, 2], [1.5, 1]] in lines
    assert [tick.get_text() for tick in axes.get_xticklabels()] == WORDS


def test_the_description_lists_wrong_values():
    alt = plots.tree_graph(TREE, WORDS, values={(1, 3): ("−", True), (0, 3): ("−", False)}).alt
    assert alt.endswith("Of 2 values 1 is wrong: not so bad.")


def test_a_row_of_trees_names_the_depth_and_the_parts_of_each():
    expression = parse_expression("2-(1-3)")
    laid = {kind: lay_out(expression, kind) for kind in ("chain", "balanced", "parse")}
    plot = plots.tree_row(laid)
    titles = [axes.get_title(loc="left") for axes in plot.figure.axes]
    assert titles == ["chain\ndepth 6", "balanced\ndepth 3", "parse\ndepth 3"]
    assert plot.alt.endswith("parse, depth 3, nodes over 2 −; 1 −; 1 − 3; 2 − 1 − 3.")
    assert "balanced, depth 3, nodes over 2 −; ( 1; 2 − ( 1; − 3; − 3 ); " in plot.alt


def test_a_recursive_network_has_an_arrow_from_each_child_and_a_value_at_each_node():
    plot = plots.recursive_graph(TREE, WORDS, ["−1", "0.5", "1", "0.85", "0.33"])
    (axes,) = plot.figure.axes
    written = {text.get_text(): text.get_position() for text in axes.texts if text.get_text()}
    assert written["0.33"] == (0.5, 2)
    assert written["0.85"] == (1.5, 1)
    assert written["1"] == (2, 0)
    letters = [text.get_text() for text in axes.texts]
    assert [letters.count(letter) for letter in ("$V$", "$U$", "$W$")] == [3, 2, 2]
    assert plot.alt.endswith(
        "The leaves' values are −1, 0.5, 1. Arrows U from so and W from bad lead to a node: 0.85. "
        "Arrows U from not and W from so bad lead to the root: 0.33."
    )


REFUSALS = {
    plots.tree_graph: (
        {"tree": (0, 1), "words": ["a", "b"], "values": {(0, 2): ("3", True)}},
        {
            "tree": [None, "a", (0, 1, 2), (1, 0), [0, 1]],
            "words": [None, 3, [], ["a"]],
            "values": [3, "a", {(0, 3): ("3", True)}, {(0, 2): "3"}],
        },
    ),
    plots.tree_row: (
        {"trees": {"a": ((0, 1), ["a", "b"])}},
        {"trees": [None, 3, {}, {"a": 3}, {"a": ((0, 1),)}]},
    ),
    plots.recursive_graph: (
        {"tree": (0, 1), "words": ["a", "b"], "values": ["1", "2", "3"]},
        {
            "tree": [None, "a", (0, 1, 2), (1, 0), [0, 1]],
            "words": [None, 3, [], ["a"]],
            "values": [None, 3, [], ["1", "2"]],
        },
    ),
}
