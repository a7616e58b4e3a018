from itertools import pairwise

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch

from rnn_helpers import plots
from rnn_helpers.palette import colour

pytestmark = pytest.mark.chapter("01")

SENTIMENT = ([*"abc"], [None, None, "good"])
TAGS = ([*"abc"], [*"XYZ"])


def parts(plot, kind):
    return [patch for patch in plot.figure.axes[0].patches if isinstance(patch, kind)]


def test_a_way_has_a_node_and_an_arrow_for_each_that_there_is():
    nodes, edges = plots.mapping_graph(*SENTIMENT)
    assert [node for node in nodes if node[0] == "o"] == [("o", 3)]
    assert [edge.parameter for edge in edges].count("U") == 3
    assert [edge.parameter for edge in edges].count("W") == 2  # between three steps
    plot = plots.sequence_mappings({"many to one": SENTIMENT})
    assert len(parts(plot, FancyBboxPatch)) == len(nodes)
    assert len(parts(plot, FancyArrowPatch)) == len(edges)


def test_a_single_step_is_not_recurrent():
    _, edges = plots.mapping_graph(["x"], ["y"])
    assert [edge.parameter for edge in edges] == ["U", "V"]


def test_units_are_circles_that_are_full_or_empty_or_neither():
    states = np.array([[1.0, -1.0], [0.5, 0.0], [-2.0, 3.0]])
    circles = parts(plots.sequence_mappings({"tags": (*TAGS, states)}), Circle)
    filled = [circle.get_facecolor()[3] > 0 for circle in circles]
    assert filled == [True, False, True, True, False, True]
    assert [circle.radius < 0.03 for circle in circles] == [False, False, False, True, False, False]


@pytest.mark.slow
def test_words_are_said_and_the_chosen_stands_out():
    plot = plots.sequence_mappings({"one": SENTIMENT, "two": TAGS}, chosen="two", at=3)
    assert plot.alt == "One: reads a, b, c; says good. Two: reads a, b, c; says X, Y, Z."
    names = {text.get_text(): text.get_color() for text in plot.figure.axes[0].texts}
    assert (names["one"], names["two"]) == (colour("ink"), colour("accent"))
    assert plot.smallest >= 12
    assert plot.png("light") != plot.png("dark")


@pytest.mark.slow
def test_words_of_any_length_do_not_meet():
    long = (["internationalisation", "of", "characterisations"], [None, "$", "x_1"])
    plot = plots.sequence_mappings({"long": long, "short": TAGS})
    boxes = [
        p for p in parts(plot, FancyBboxPatch) if p.get_edgecolor() == to_rgba(colour("input"))
    ]
    ends = sorted((box.get_x(), box.get_x() + box.get_width()) for box in boxes[:3])
    assert all(right < left for (_, right), (left, _) in pairwise(ends))
    plot.png()


@pytest.mark.parametrize(
    ("shapes", "more", "message"),
    [
        ({}, {}, "shapes is empty"),
        ({"a": (["x"], [None])}, {}, "outputs of shapes.* has nothing in it"),
        ({"a": (["x"], ["y", "z"])}, {}, "inputs of shapes.* has 1 steps"),
        ({"a": (["x"],)}, {}, "has 1 parts"),
        ({"a": (*TAGS, np.zeros((2, 2)))}, {}, r"have shape \(2, 2\); expected \(3, n_h\)"),
        ({"a": TAGS}, {"chosen": "b"}, "chosen is 'b'"),
        ({"a": TAGS}, {"chosen": "a", "at": 4}, "a step from 1 to 3"),
        ({"a": TAGS}, {"at": 1}, "to be chosen"),
    ],
)
def test_what_does_not_fit_is_named(shapes, more, message):
    with pytest.raises(ValueError, match=message):
        plots.sequence_mappings(shapes, **more)


@pytest.mark.parametrize("shapes", [[TAGS], {"a": [*TAGS]}, {"a": (3, 4)}])
def test_what_is_no_shape_is_refused(shapes):
    with pytest.raises(TypeError):
        plots.sequence_mappings(shapes)
