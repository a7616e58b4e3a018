"""The bars show how much is found at which position."""

import numpy as np
import pytest

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("01")


def heights(axes):
    return {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in axes.patches}


def test_a_bar_has_the_height_of_the_count_at_its_position():
    plot = plots.places_found(
        [[0, 2, 1], [2, 2, 2]],
        of=2,
        names=["own", "shared"],
        words=["In", "2009", "I"],
        place=2,
        said=["2", "9"],
    )
    own, shared = plot.figure.axes
    assert heights(own) == {1: 0, 2: 2, 3: 1}
    assert heights(shared) == {1: 2, 2: 2, 3: 2}
    assert plot.alt == (
        "The sentence In 2009 I, with 2009 in position 2. "
        "own finds 0 of 2 at position 1, 2 of 2 at position 2, 1 of 2 at position 3 and outputs 2; "
        "shared finds 2 of 2 at position 1, 2 of 2 at position 2, 2 of 2 at position 3 and outputs "
        "9. A dashed line marks guessing, 1 of 2."
    )


def test_positions_that_a_reader_is_asked_about_have_no_bar():
    plot = plots.places_found(
        [[2, 2, 0]], of=2, names=["a"], words="bcd", place=2, told=[False, True, False]
    )
    assert heights(plot.figure.axes[0]) == {2: 2}
    assert "a finds 2 of 2 at position 2. " in plot.alt


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_are_large_enough(theme):
    long = plots.places_found(np.zeros((3, 12)), of=3, names="abc", words=["friends"] * 12, place=1)
    assert long.smallest >= 11
    assert long.png(theme)
