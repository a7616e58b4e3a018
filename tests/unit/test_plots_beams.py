import pytest
from refusals import COUNT

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("10")

TREE = {
    "good": (0.6, {"morning": 0.4, "day": 0.35, "afternoon": 0.25}),
    "hello": (0.4, {"(end)": 0.9, "there": 0.05, "again": 0.05}),
}


def drawn(tree, width):
    """Return the words next to the tree and the number of filled nodes."""
    plot = plots.beam_tree(tree, width)
    (axes,) = plot.figure.axes
    words = [text.get_text() for text in axes.texts]
    nodes = [line for line in axes.lines if line.get_marker() == "o"]
    filled = [node.get_markerfacecolor() == node.get_markeredgecolor() for node in nodes]
    return words, sum(filled), plot.alt


def test_each_output_has_its_product_and_two_paths_are_named():
    words, filled, alt = drawn(TREE, 2)
    assert {"0.24  greedy", "0.21", "0.15", "0.36  most likely", "0.02"} <= set(words)
    assert filled == 4
    assert "After good, morning, day and afternoon lead to products of 0.24, 0.21 and 0.15." in alt
    assert "ends at good morning; the most likely output is hello (end). A beam of width 2" in alt
    assert alt.endswith("keeps good and hello, then hello (end) and good morning.")


def test_a_beam_of_width_one_keeps_the_greedy_path():
    _, filled, alt = drawn(TREE, 1)
    assert filled == 2
    assert alt.endswith("A beam of width 1 keeps good, then good morning.")


def test_a_greedy_path_that_is_the_most_likely_has_both_names():
    words, _, _ = drawn({"a": (0.9, {"b": 1.0}), "c": (0.1, {"d": 1.0})}, 3)
    assert "0.9  greedy  most likely" in words


REFUSALS = {
    plots.beam_tree: (
        {"tree": {"a": (0.6, {"b": 1.0}), "c": (0.4, {"d": 0.5, "e": 0.5})}, "width": 2},
        {
            "tree": [None, 3, [], {}, {"a": 0.6}, {"a": (0.6, {})}, {"a": (1.5, {"b": 1.0})}],
            "width": COUNT,
        },
    )
}
