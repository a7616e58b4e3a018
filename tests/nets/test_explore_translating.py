"""The lab on dates trains a network with attention and one without, side by side."""

import numpy as np
import pytest

from rnn_helpers import plots
from rnn_helpers.explore.translating import FIXED, LOCALES, LOOKS, translate_dates

pytestmark = [pytest.mark.chapter("10"), pytest.mark.slow]


@pytest.mark.parametrize("formats", LOCALES)
def test_both_networks_learn_and_are_drawn(formats):
    first, last = translate_dates(formats, ["short", "long"], steps=3, every=2)
    assert (first.steps, last.steps) == (2, 3)
    assert list(last.right) == [LOOKS, FIXED, "at best"]
    assert last.weights.shape == (len(last.written), len(last.text))
    np.testing.assert_allclose(last.weights.sum(axis=1), 1, atol=1e-5)
    plot = plots.attention_weights(last.weights, last.text, last.written, last.right)
    assert "one vector" in plot.alt


def test_unknown_formats_lengths_and_steps_are_refused():
    with pytest.raises(ValueError, match="formats"):
        translate_dates("Martian")
    with pytest.raises(ValueError, match="lengths"):
        translate_dates("American", ["huge"])
    with pytest.raises(ValueError, match="steps"):
        translate_dates(steps=0)


def test_only_american_dates_have_one_reading_each():
    (one,) = translate_dates("American", ["short"], steps=1)
    assert one.right["at best"] == 1
    (both,) = translate_dates("American and Spanish", ["short"], steps=1)
    assert both.right["at best"] < 0.95


@pytest.mark.nightly(files=["rnn_helpers/explore/translating", "rnn_helpers/nets/"])
def test_the_network_with_attention_learns_the_months_in_two_hundred_steps():
    *_, last = translate_dates()
    assert last.right[LOOKS] > 0.7
    assert last.right[LOOKS] > last.right[FIXED]
