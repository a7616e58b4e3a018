"""The laboratory of scheduled sampling trains a network on a schedule, and its twin."""

import numpy as np
import pytest

from rnn_helpers.explore.practising import FREE, READS, TRUTH, WAVE, YOURS, practise

pytestmark = [pytest.mark.chapter("06"), pytest.mark.slow]


def test_the_twin_is_fed_the_truth_for_any_schedule():
    (alike,), (other,) = (list(practise(1, last, steps=3, every=3)) for last in (1, 0))
    assert (alike.said[TRUTH] == other.said[TRUTH]).all()
    assert (alike.said[TRUTH] == alike.said[YOURS]).all()
    assert (other.said[TRUTH] != other.said[YOURS]).any()


def test_errors_are_distances_from_the_wave():
    first, last = practise(0.5, 0, steps=3, every=2)
    assert (first.steps, last.steps) == (2, 3)
    np.testing.assert_allclose(last.wave, WAVE.wave(READS + FREE, 0.0)[:, 0])
    for name in (TRUTH, YOURS):
        np.testing.assert_allclose(last.errors[name], np.abs(last.said[name] - last.wave))


@pytest.mark.parametrize(("first", "last"), [(-0.1, 1), (1, 1.1), ("a", 0), (0, None)])
def test_a_share_outside_0_to_1_is_refused(first, last):
    with pytest.raises((TypeError, ValueError), match="expected a number from 0 to 1"):
        practise(first, last)
