"""The plot of the lengths of sequences that networks wrote."""

import numpy as np
import pytest
from refusals import COUNT, NAN

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("07")

WRITTEN = {"one": [(2, True), (3, True), (3, False), (9, False)], "other": []}


def draw(**changed):
    return plots.written_lengths(
        **{"written": WRITTEN, "probabilities": [0.5, 0.5], "shortest": 2} | changed
    )


def test_bars_are_shares_of_all_and_of_those_that_end_as_they_should():
    plot = draw()
    bars = plot.figure.axes[0].patches
    right, wrong = ([bar.get_height() for bar in part] for part in (bars[:7], bars[7:9]))
    np.testing.assert_allclose(right, [0, 0, 0.25, 0.25, 0, 0, 0])
    np.testing.assert_allclose(wrong, [0.25, 0.25])
    assert [bar.get_center()[0] for bar in bars[7:9]] == [3, 6]  # 6 or more share a bar
    assert "one 2 of 4; other none yet." in plot.alt
    assert plot.figure.axes[0].get_title("right") == "2/4"
    assert [axes.get_title("left") for axes in plot.figure.axes[:2]] == ["one", "other"]


@pytest.mark.slow
def test_five_networks_of_any_number_of_sequences_are_drawn_for_both_themes():
    plot = draw(written=dict.fromkeys("vwxyz", WRITTEN["one"]))
    assert plot.png("light") != plot.png("dark")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"written": {}}, "written has 0 entries"),
        ({"written": {"one": [(-1, True)]}}, "each length is -1"),
        ({"probabilities": [[1]]}, r"probabilities has shape \(1, 1\)"),
        ({"shortest": 0}, "shortest is 0"),
    ],
)
def test_mismatched_arguments_are_named(changed, message):
    with pytest.raises(ValueError, match=message):
        draw(**changed)


REFUSALS = {
    plots.written_lengths: (
        {"written": {"a": [(2, True), (3, False)]}, "probabilities": [0.5, 0.5], "shortest": 2},
        {
            "written": [None, 3, {}, "a", {"a": 3}],
            "probabilities": [None, "a", NAN, [[0.5, 0.5]]],
            "shortest": COUNT,
        },
    )
}
