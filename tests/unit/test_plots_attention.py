"""The plot of attention weights."""

import numpy as np
import pytest
from refusals import NAN

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("10")


def test_cells_show_the_weights_and_the_words_name_the_largest():
    weights = [[0.25, 0.75, 0.0], [1.0, 0.0, 0.0]]
    plot = plots.attention_weights(weights, "a b", ["x", "end"])
    axes = plot.figure.axes[0]
    np.testing.assert_allclose(axes.images[0].get_array()[..., 3], weights)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "␣", "b"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["x", "end"]
    assert "x at   0.75; end at a 1." in plot.alt


def test_the_title_and_the_words_state_the_shares():
    plot = plots.attention_weights([[1.0]], "a", ["x"], {"attention": 0.75, "one vector": 0})
    assert plot.figure.get_suptitle() == "correct: attention 75%; one vector 0%"
    assert " Correct: attention 75%; one vector 0%. A sample: " in plot.alt


REFUSALS = {
    plots.attention_weights: (
        {"weights": [[0.5, 0.5]], "read": "ab", "written": "c", "right": {"a": 0.5}},
        {
            "right": [3, "a", {"a": NAN}, {"a": 2}, {"a": None}, {"a": [0.5]}],
            "weights": [None, "a", NAN, [0.5], [[0.5, 1.5]], [[-0.5, 0.5]], [[]]],
            "read": [None, 3, "a", []],
            "written": [None, 3, "ab", []],
            "names": [None, 3, [], ["a"], ["a", 3]],
        },
    )
}
