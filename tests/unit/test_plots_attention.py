"""Where a network looks that writes while it looks back."""

import numpy as np
import pytest

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("10")


def test_a_cell_is_as_dark_as_its_weight_and_the_greatest_are_told():
    weights = [[0.25, 0.75, 0.0], [1.0, 0.0, 0.0]]
    plot = plots.attention_weights(weights, "a b", ["x", "end"])
    axes = plot.figure.axes[0]
    np.testing.assert_allclose(axes.images[0].get_array()[..., 3], weights)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "␣", "b"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["x", "end"]
    assert "x at   0.75; end at a 1." in plot.alt


def test_shares_are_told_above_and_in_words():
    plot = plots.attention_weights([[1.0]], "a", ["x"], {"looks back": 0.75, "one vector": 0})
    assert plot.figure.get_suptitle() == "right: looks back 75%; one vector 0%"
    assert plot.alt.endswith("Right: looks back 75%; one vector 0%.")
