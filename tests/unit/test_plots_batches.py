import numpy as np
import pytest
from matplotlib.colors import to_hex

from rnn_helpers import plots
from rnn_helpers.palette import colour

pytestmark = pytest.mark.chapter("05")

BATCHES = [[3, 5, 2], [7], [4, 4]]


def hatched(plot):
    (axes,) = plot.figure.axes
    return [part for part in axes.patches if part.get_hatch()]


def test_a_block_is_as_long_as_its_longest_and_as_high_as_it_has_sequences():
    plot = plots.padded_minibatches(BATCHES)
    blocks = hatched(plot)
    assert [(part.get_width(), part.get_height()) for part in blocks] == [(5, 3), (7, 1), (4, 2)]
    bars = [part for part in plot.figure.axes[0].patches if part not in blocks]
    assert [part.get_width() for part in bars] == [3, 5, 2, 7, 4, 4]
    assert "6 sequences of 2 to 7 steps in 3 minibatches" in plot.alt
    assert "16.7% of 30 steps are padding" in plot.alt  # 25 of 30 count


def test_equal_lengths_have_no_padding():
    assert "0.0% of 8 steps" in plots.padded_minibatches([[2, 2], np.array([2, 2])]).alt


def test_padding_that_counts_has_the_colour_of_the_loss():
    for counted, ink in ((False, "edge"), (True, "loss")):
        block, *_ = hatched(plots.padded_minibatches(BATCHES, counted=counted))
        assert to_hex(block.get_edgecolor()) == colour(ink)


def test_a_row_is_marked_across_its_block():
    for row, width in ((1, 5), (3, 5), (4, 7), (6, 4)):
        (axes,) = plots.padded_minibatches(BATCHES, at=row).figure.axes
        assert axes.patches[-1].get_width() == width
        assert to_hex(axes.patches[-1].get_edgecolor()) == colour("accent")


@pytest.mark.slow
@pytest.mark.parametrize("batches", [[[1]], [[300] * 200], [[k + 1] for k in range(90)]])
def test_few_many_short_and_long_are_drawn_for_both_themes(batches):
    plot = plots.padded_minibatches(batches)
    assert plot.png("light") != plot.png("dark")
    assert plot.smallest >= 12


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"batches": []}, ValueError, "batches is empty"),
        ({"batches": 3}, TypeError, "batches"),
        ({"batches": [[]]}, TypeError, "expected integers"),
        ({"batches": [[1.5]]}, TypeError, "batches hold float64; expected integers"),
        ({"batches": [[3, 0]]}, ValueError, "at least one length, each at least 1"),
        ({"batches": [[[3]]]}, ValueError, r"shape \(1, 1\)"),
        ({"batches": BATCHES, "at": 7}, ValueError, "at is 7; expected a row from 1 to 6"),
    ],
)
def test_what_does_not_fit_is_named(arguments, error, message):
    with pytest.raises(error, match=message):
        plots.padded_minibatches(**arguments)
