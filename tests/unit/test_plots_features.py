"""The picture of the experiment on features shows its rows."""

import numpy as np
import pytest

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("01")

ROWS = [
    {"kinds": kinds, "model": model, "excess": excess * kinds, "parameters": learned**kinds}
    | {"low": 0.8 * excess * kinds, "high": 1.2 * excess * kinds}
    for kinds in (8, 1, 4)
    for model, excess, learned in (("network", 0.01, 2), ("counted automaton", 0.002, 3))
]


def test_every_model_has_a_line_in_each_panel():
    plot = plots.features_states(ROWS)
    left, right = plot.figure.axes
    assert [line.get_label() for line in left.lines] == ["network", "counted automaton"]
    np.testing.assert_allclose(left.lines[0].get_xydata(), [[1, 0.01], [4, 0.04], [8, 0.08]])
    np.testing.assert_allclose(right.lines[1].get_xydata(), [[1, 3], [4, 81], [8, 6561]])
    assert (left.get_yscale(), right.get_yscale()) == ("log", "log")
    assert "network: 0.01 and 2 at 1; 0.04 and 16 at 4" in plot.alt


def test_the_bands_are_the_intervals():
    left, _ = plots.features_states(ROWS).figure.axes
    corners = left.collections[0].get_paths()[0].vertices
    assert corners[:, 1].min() == pytest.approx(0.008)
    assert corners[:, 1].max() == pytest.approx(0.096)


def test_words_are_large_enough_and_both_themes_differ():
    plot = plots.features_states(ROWS)
    assert plot.smallest >= 11
    assert plot.png("light") != plot.png("dark")
