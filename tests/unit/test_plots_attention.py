"""The plot of attention weights."""

import numpy as np
import pytest

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
    assert plot.alt.endswith("Correct: attention 75%; one vector 0%.")
