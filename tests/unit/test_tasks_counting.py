"""Counting since the last reset: the answers, and the accuracy of guessing."""

import numpy as np
import pytest
from refusals import COUNT, NAN, SEED, first

from rnn_helpers.tasks import CountSinceReset

pytestmark = pytest.mark.chapter("16")


def test_a_reset_sets_the_count_to_zero_and_ones_raise_it():
    ones, resets = [1, 1, 0, 1, 1, 0, 1], [0, 0, 0, 0, 1, 0, 0]
    x = np.stack([ones, resets], axis=-1)
    np.testing.assert_allclose(10 * CountSinceReset.counts(x), [1, 2, 2, 3, 0, 0, 1])


def test_inputs_come_as_often_as_they_should_and_answers_are_theirs():
    x, y = next(CountSinceReset(0.1, 0.3).batches(50, 400, seed=0))
    assert x.shape == (50, 400, 2)
    assert x.mean(axis=(0, 1)) == pytest.approx([0.3, 0.1], abs=0.015)
    np.testing.assert_array_equal(y, CountSinceReset.counts(x))


@pytest.mark.parametrize("task", [CountSinceReset(), CountSinceReset(0.2, 0.9), CountSinceReset(0)])
def test_the_baseline_is_the_variance_of_the_count_at_a_step(task):
    _, y = next(task.batches(30, 20000, seed=1))
    assert task.baseline(30) == pytest.approx(y.var(axis=1).mean(), rel=0.02)


def test_in_the_long_run_the_count_is_geometric():
    more = 0.95 * 0.5 / (0.05 + 0.95 * 0.5)  # a one comes before a reset
    variance = more / (1 - more) ** 2 / 100
    assert CountSinceReset().baseline(20000) == pytest.approx(variance, rel=0.01)


def test_several_seeds_have_an_axis_each_as_if_alone():
    task = CountSinceReset()
    x, y = next(task.batches(9, 5, [3, 4]))
    for s, seed in enumerate([3, 4]):
        alone = next(task.batches(9, 5, seed))
        np.testing.assert_array_equal(x[:, s], alone[0])
        np.testing.assert_array_equal(y[:, s], alone[1])


REFUSALS = {
    CountSinceReset: (
        {"reset": 0.1},
        {"reset": [-0.1, 1.1, NAN, "a", None], "one": [-0.1, 1.1, NAN, "a", None]},
    ),
    CountSinceReset().baseline: ({"n_steps": 3}, {"n_steps": COUNT}),
    first(CountSinceReset().batches): (
        {"n_steps": 3, "batch_size": 2, "seed": 0},
        {"n_steps": COUNT, "batch_size": COUNT, "seed": [*SEED, []]},
    ),
}
