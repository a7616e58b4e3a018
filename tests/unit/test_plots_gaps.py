import numpy as np
import pytest

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("07")

Y, MISSING = [1, 0, 1, 1], [1, 3]
ONES = {"one": [0.25, 1], "other": [0.5, 0]}


def test_the_alternative_text_says_what_is_missing_and_what_is_put_there():
    alt = plots.filled_gaps(Y, MISSING, ONES).alt
    assert alt.startswith("A line of 4 bits, 1 ? 1 ?. Missing: bits 2, 4. ")
    assert "Probability of a one: one, 0.25, 1; other, 0.5, 0." in alt
    assert "A line of 4 bits, 1 0 1 1. " in plots.filled_gaps(Y, MISSING, ONES, true=True).alt
    assert "Nothing is missing." in plots.filled_gaps(Y, [], {"one": []}).alt


def test_each_reader_has_a_bar_at_each_gap():
    top, *below = plots.filled_gaps(Y, MISSING, ONES).figure.axes
    assert [word.get_text() for word in top.texts] == ["1", "?", "1", "?"]
    for axes, (name, share) in zip(below, ONES.items(), strict=True):
        assert axes.get_title(loc="left") == name
        assert [bar.get_height() for bar in axes.patches] == share
        centres = [bar.get_x() + bar.get_width() / 2 for bar in axes.patches]
        np.testing.assert_allclose(centres, np.array(MISSING) + 1)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"y": [0, 2]}, "y contains token 2"),
        ({"missing": [1, 9]}, "missing contains token 9"),
        ({"ones": {}}, "expected a mapping of one to 4"),
        ({"ones": {"one": [0.5]}}, "expected 2 probabilities"),
        ({"ones": {"one": [0.5, 1.5]}}, "expected 2 probabilities"),
    ],
)
def test_what_does_not_fit_is_named(changed, message):
    given = {"y": Y, "missing": MISSING, "ones": ONES} | changed
    with pytest.raises(ValueError, match=message):
        plots.filled_gaps(**given)


@pytest.mark.slow
def test_it_has_two_themes():
    plot = plots.filled_gaps(Y, MISSING, ONES)
    assert plot.png("light") != plot.png("dark")
