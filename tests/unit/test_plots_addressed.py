"""A memory of texts with a value for each cell, and what is read of it."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import PathPatch, Rectangle

from rnn_helpers import plots
from rnn_helpers.palette import colour

pytestmark = pytest.mark.chapter("18")
CELLS = [["ab", "c"], ["abc"]]
READ = [[0, 0.75, 0.25, 0], [0, 0, 1, 0], [1, 0, 0, 0]]
LETTERS = " ABC"


def filled(plot, name):
    patches = plot.figure.axes[0].findobj(Rectangle)
    return [p for p in patches if p.get_fill() and to_hex(p.get_facecolor()) == colour(name)]


def test_cells_are_as_dark_as_their_weights_and_lines_have_their_sums():
    plot = plots.addressed_cells(CELLS, [0.25, 0, 0.75], READ, LETTERS, key="c")
    cells, bars = filled(plot, "memory"), []
    bars = [p for p in cells if p.get_alpha() is None]
    shades = [p.get_alpha() for p in cells if p.get_alpha() is not None]
    np.testing.assert_allclose(shades, np.sqrt([0.25, 0, 0.75]))
    assert bars[1].get_width() == pytest.approx(3 * bars[0].get_width())
    assert "A memory of 3 cells, looked up by “c”. The largest weight is 0.75" in plot.alt
    assert plot.alt.endswith("What is read: AB.")


def test_a_letter_that_is_read_is_as_high_as_its_share():
    plot = plots.addressed_cells(CELLS, [0.25, 0, 0.75], READ, LETTERS)
    paths = plot.figure.axes[0].findobj(PathPatch)
    high = [p.get_path().get_extents().height for p in paths]
    np.testing.assert_allclose(high, high[2] * np.array([0.75, 0.25, 1]), rtol=1e-6)


def test_a_score_that_is_to_fall_is_filled_one_that_is_to_rise_framed():
    plot = plots.addressed_cells(CELLS, [0.1, 0, -0.1], READ, LETTERS, shows="gradient")
    patches = plot.figure.axes[0].findobj(Rectangle)
    shade = pytest.approx(np.sqrt(0.1 / 0.15))
    framed = [p for p in patches if not p.get_facecolor()[3] and p.get_alpha() == shade]
    assert len(framed) == 1
    assert framed[0].get_xy()[1] > 1  # the second line
    assert "The largest gradient on a score is 0.1," in plot.alt


def test_equal_weights_are_told_and_what_is_written_over_fades():
    plot = plots.addressed_cells(CELLS, [0.5, 0, 0.5], READ, LETTERS, shows="write", verse=1)
    assert ", as has 1 other" in plot.alt
    texts = [t for t in plot.figure.axes[0].texts if t.get_text() == "c"]
    assert [t.get_alpha() for t in texts] == [1, 0.5]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"values": [0.5, 0.5]}, r"values has shape \(2,\)"),
        ({"values": [2, 0, 0]}, "expected weights from 0 to 1"),
        ({"cells": [["ab", ""], ["abc"]]}, "cells has a line or a text that is empty"),
        ({"cells": []}, "cells has a line or a text that is empty"),
        ({"read": [[0.5, 0.5]]}, r"read has shape \(1, 2\)"),
        ({"read": [[2, 0, 0, 0]]}, "expected shares"),
        ({"shows": "colours"}, "shows is 'colours'"),
        ({"verse": 0}, "verse is 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused(change, said):
    given = {"cells": CELLS, "values": [0.25, 0, 0.75], "read": READ, "letters": LETTERS} | change
    with pytest.raises(ValueError, match=said):
        plots.addressed_cells(**given)
