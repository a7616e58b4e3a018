"""The laboratory of scheduled sampling: a network on a schedule, and its twin."""

import numpy as np
import pytest

from rnn_helpers.explore.practising import ALONE, READS, TOLD, WAVE, YOURS, practise

pytestmark = [pytest.mark.chapter("06"), pytest.mark.slow]


def test_the_twin_is_told_the_truth_whatever_the_schedule():
    (alike,), (other,) = (list(practise(1, last, steps=3, every=3)) for last in (1, 0))
    assert (alike.said[TOLD] == other.said[TOLD]).all()
    assert (alike.said[TOLD] == alike.said[YOURS]).all()
    assert (other.said[TOLD] != other.said[YOURS]).any()


def test_what_is_drawn_is_the_wave_and_how_far_each_is_from_it():
    first, last = practise(0.5, 0, steps=3, every=2)
    assert (first.steps, last.steps) == (2, 3)
    np.testing.assert_allclose(last.wave, WAVE.wave(READS + ALONE, 0.0)[:, 0])
    for name in (TOLD, YOURS):
        np.testing.assert_allclose(last.errors[name], np.abs(last.said[name] - last.wave))


@pytest.mark.parametrize(("first", "last"), [(-0.1, 1), (1, 1.1), ("a", 0), (0, None)])
def test_a_share_that_is_none_is_refused(first, last):
    with pytest.raises((TypeError, ValueError), match="expected a number from 0 to 1"):
        practise(first, last)
