"""The pictures of what shared weights find show their numbers."""

import numpy as np
import pytest

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("01")


def test_what_is_found_stands_at_its_place():
    found = [[0, 2, 1], [2, 2, 2]]
    met = [[False, True, False], [True, True, True]]
    plot = plots.places_found(
        found, met, of=2, names=["own", "shared"], words=["In", "2009", "I"], said=["2", "9"]
    )
    (axes,) = plot.figure.axes
    assert [text.get_text() for text in axes.texts] == ["0/2", "2/2", "1/2", "2/2", "2/2", "2/2"]
    filled = [line.get_markerfacecolor() != "none" for line in axes.lines]
    assert filled == np.ravel(met).tolist()
    assert "own finds all 2 at 2 and says 2; shared finds all 2 at 1, 2, 3" in plot.alt
    alone = plots.places_found([[0]], [[False]], of=1, names=["a"], words=["b"])
    assert alone.alt == "The sentence: b. a finds all 1 at no place."


def test_what_a_reader_is_to_predict_is_left_out():
    plot = plots.places_found(
        [[2, 2, 0]], [[True] * 3], of=2, names=["a"], words="bcd", told=[False, True, False]
    )
    assert [text.get_text() for text in plot.figure.axes[0].texts] == ["2/2"]
    assert "a finds all 2 at 2." in plot.alt


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_are_large_enough(theme):
    long = plots.places_found(
        np.zeros((3, 12)), np.ones((3, 12), bool), of=3, names="abc", words=["friends"] * 12
    )
    assert long.smallest >= 11
    assert long.png(theme)
