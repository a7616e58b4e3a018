"""The drawings of probabilities that split, and of gaps that are filled in two orders."""

import numpy as np
import pytest

from rnn_helpers import plots

pytestmark = [pytest.mark.chapter("07"), pytest.mark.slow]


def pop(before):
    return 0.7 if 1 in before else 0.2


def area(patch):
    """Return the area of a polygon, by the shoelace formula."""
    x, y = patch.get_xy()[:-1].T
    return abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2


def test_the_streams_are_as_wide_as_their_probabilities():
    streams = plots.probability_streams(pop, 2).figure.axes[0].patches
    assert [area(one) for one in streams] == pytest.approx([0.8, 0.2, 0.64, 0.16, 0.06, 0.14])


def test_the_words_name_every_sequence_and_those_that_stand_out():
    plot = plots.probability_streams(pop, 3, marked=[(0, 1, 1)], names=["silence", "a pop"])
    words = [text.get_text() for text in plot.figure.axes[0].texts]
    assert {"silence: 0.8", "a pop: 0.2", "0.7", "0 1 0  0.048"} <= set(words)
    assert "0 1 0 with 0.048" in plot.alt
    assert plot.alt.endswith("These stand out: 0 1 1 with 0.112.")


def test_both_orders_multiply_to_the_probability_given_the_known_bits():
    plot = plots.gap_orders(pop, (0, None, None, 1), (0, 0, 1, 1))
    words = [text.get_text() for text in plot.figure.axes[0].texts]
    assert f"{0.0896 / (0.1024 + 0.0896 + 0.0336 + 0.0784):.3f}" == "0.295"
    assert "draws 1: 0.632 · 0.467 = 0.295" in words
    assert "draws 0: 0.553 · 0.533 = 0.295" in words
    assert "a 1 has probability 0.37, then 0.47" in plot.alt


@pytest.mark.parametrize("known", [(0, 1), (None, 0), (0, None), (0, None, 1, None, 1), (0, 2, 1)])
def test_gaps_that_are_not_in_the_middle_are_refused(known):
    with pytest.raises(ValueError, match="expected"):
        plots.gap_orders(pop, known, [bit or 0 for bit in known])


def test_a_filling_that_never_occurs_is_refused():
    with pytest.raises(ValueError, match="above 0"):
        plots.gap_orders(lambda before: 0, (0, None, 0), (0, 1, 0))


REFUSALS = {
    plots.probability_streams: (
        {"following": pop},
        {
            "following": [None, 0.2, lambda before: 2, lambda before: "a"],
            "n_steps": [0, 5, 1.5, "a"],
            "marked": [3, [(0, 1)], [(0, 1, 2)], [3]],
            "names": [3, ["silence"], []],
        },
    ),
    plots.gap_orders: (
        {"following": pop, "known": (0, None, 1), "filled": (0, 1, 1)},
        {
            "following": [None, 0.2, lambda before: -1],
            "known": [3, (0, 1, 1), (None, None, 1), (0, None), (0, None, 0)],
            "filled": [3, (0, 1), (1, 1, 1), (0, 2, 1), (0, None, 1)],
        },
    ),
}
