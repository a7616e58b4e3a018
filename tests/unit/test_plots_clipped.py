"""The drawing of a gradient that is clipped in all layers."""

import numpy as np
import pytest

from rnn_helpers import plots

pytestmark = [pytest.mark.chapter("17"), pytest.mark.slow]


def widths(axes):
    return [bar.get_width() for bar in axes.patches]


def test_all_layers_of_a_long_gradient_are_divided_by_the_same_number():
    usual, odd, clipped = plots.clipped_layers([0.2, 0.4, 0.5, 0.6], [2, 4, 5, 6], 1).figure.axes
    assert widths(usual) == [0.2, 0.4, 0.5, 0.6]
    np.testing.assert_allclose(np.divide(widths(odd), widths(clipped)), 9)


def test_a_gradient_below_the_threshold_stays():
    _, odd, clipped = plots.clipped_layers([1, 1], [3, 4], 6).figure.axes
    assert widths(odd) == widths(clipped)


def test_the_alt_text_tells_the_joint_norms():
    plot = plots.clipped_layers([3, 4], [30, 40], 10)
    assert "In an odd one they are 30, 40 (joint norm 50)" in plot.alt
    assert plot.alt.endswith("clipped at a joint norm of 10, they are 6, 8 (joint norm 10).")


NORMS = [None, "a", [], [1], [1, -1], [1, np.nan], [[1, 2]], list(range(7)), [1, 2, 3]]
REFUSALS = {
    plots.clipped_layers: (
        {"usual": [0.3, 0.4], "odd": [3, 4], "v": 1},
        {"usual": NORMS, "odd": NORMS, "v": [None, 0, -1, np.nan, "1"]},
    )
}
