"""A memory of texts with the weight of each cell, and the reading."""

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
    cells = filled(plot, "memory")
    bars = [p for p in cells if p.get_alpha() is None]
    shades = [p.get_alpha() for p in cells if p.get_alpha() is not None]
    np.testing.assert_allclose(shades, np.sqrt([0.25, 0, 0.75]))
    assert bars[1].get_width() == pytest.approx(3 * bars[0].get_width())
    assert "A memory of 3 cells, looked up by “c”. The largest weight is 0.75, that of" in plot.alt
    assert plot.alt.endswith("The reading: AB.")


def test_the_height_of_a_letter_is_its_share():
    plot = plots.addressed_cells(CELLS, [0.25, 0, 0.75], READ, LETTERS)
    paths = plot.figure.axes[0].findobj(PathPatch)
    high = [p.get_path().get_extents().height for p in paths]
    np.testing.assert_allclose(high, high[2] * np.array([0.75, 0.25, 1]), rtol=1e-6)


def test_the_alt_text_counts_equal_weights():
    plot = plots.addressed_cells(CELLS, [0.5, 0, 0.5], READ, LETTERS, verse=1)
    assert "of the cell “ab”, the same as 1 other." in plot.alt


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"weights": [0.5, 0.5]}, r"weights has shape \(2,\)"),
        ({"weights": [2, 0, 0]}, "expected 0 to 1"),
        ({"cells": [["ab", ""], ["abc"]]}, "cells has a line or a text that is empty"),
        ({"cells": []}, "cells has a line or a text that is empty"),
        ({"read": [[0.5, 0.5]]}, r"read has shape \(1, 2\)"),
        ({"read": [[2, 0, 0, 0]]}, "expected shares"),
        ({"verse": 0}, "verse is 0"),
    ],
)
def test_bad_input_is_refused(change, said):
    given = {"cells": CELLS, "weights": [0.25, 0, 0.75], "read": READ, "letters": LETTERS} | change
    with pytest.raises(ValueError, match=said):
        plots.addressed_cells(**given)
