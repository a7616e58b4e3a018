"""Plots of the features that units follow, from the reader's arrays, with alternative text."""

import numpy as np
import pytest
from refusals import REAL

from rnn_helpers.plots import following_units

pytestmark = pytest.mark.chapter("05")
H = np.array([[0.0, 1.0, 0.2], [0.5, -1.0, 0.2], [1.0, 0.0, 0.2], [0.4, 1.0, 0.2]])
FEATURE = [0, 1, 2, 1]


def test_the_best_unit_is_found_and_named():
    plot = following_units(H, FEATURE, "a(b)", name="the count")
    assert "3 units over 4 steps, reading “a(b)”" in plot.alt
    assert "Unit 1 has a correlation of 0.99" in plot.alt
    strip, _, heat, bars = plot.figure.axes
    assert heat.images[0].get_array().shape == (3, 4)
    np.testing.assert_array_equal(heat.images[0].get_array()[1], H[:, 1])
    assert bars.patches[0].get_width() == pytest.approx(np.corrcoef(H[:, 0], FEATURE)[0, 1])
    assert "unit 1 over the count" in strip.get_title(loc="left")


def test_a_unit_can_be_chosen():
    plot = following_units(H, FEATURE, unit=2)
    np.testing.assert_array_equal(plot.figure.axes[0].lines[0].get_ydata(), H[:, 1])
    assert "time step" in plot.figure.axes[2].get_xlabel()


def test_of_many_units_those_about_the_chosen_one_are_drawn():
    h = np.random.default_rng(0).uniform(-1, 1, (4, 40))
    for unit, first in ((1, 0), (20, 11), (40, 24)):
        *_, heat, bars = following_units(h, FEATURE, unit=unit).figure.axes
        np.testing.assert_array_equal(heat.images[0].get_array(), h[:, first : first + 16].T)
        labels = [int(label.get_text()) for label in heat.get_yticklabels()]
        assert labels == sorted({first + 1, unit, first + 16})
        assert bars.patches[16].get_y() == pytest.approx(unit - 1 - first - 0.4)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"h": 2 * H}, "h runs from"),
        ({"feature": [0, 1]}, "feature has shape"),
        ({"symbols": "abc"}, "symbols has 3"),
        ({"unit": 4}, "unit is 4"),
    ],
)
def test_invalid_arguments_are_refused(change, said):
    given = {"h": H, "feature": FEATURE, "symbols": None} | change
    with pytest.raises(ValueError, match=said):
        following_units(**given)


REFUSALS = {
    following_units: (
        {"h": [[0.5], [1.0]], "feature": [0, 1]},
        {
            "h": [*REAL, [[0.5], [2.0]], [0.5, 1.0], np.zeros((0, 1))],
            "feature": [*REAL, [1], [[0], [1]]],
            "symbols": [3, "a", [1, 2]],
            "unit": [0, 2, 0.5, "a"],
        },
    )
}
