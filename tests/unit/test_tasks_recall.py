"""Pairs, then a key by which a value is asked for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, SEED, first

from rnn_helpers import tasks
from rnn_helpers.tasks.recall import Pairs

pytestmark = pytest.mark.chapter("18")


@given(n=st.integers(1, 6), n_values=st.integers(2, 5), seed=st.integers(0, 10**6))
def test_the_value_that_came_with_the_key_is_asked_for_at_the_end(n, n_values, seed):
    task = Pairs(n_values, width=40)
    x, y, mask = next(task.batches([n], 3, seed))
    assert x.shape == (n + 1, 3, task.n_x)
    keys, values, mark = x[..., :40], x[..., 40:-1], x[..., -1]
    assert {*np.unique(keys)} == {-1, 1}
    np.testing.assert_array_equal(mark, np.arange(n + 1)[:, None].repeat(3, axis=1) == n)
    np.testing.assert_array_equal(mask, mark == 1)
    assert (values[:n].sum(axis=-1) == 1).all()
    assert not values[n].any()
    for b in range(3):
        (place,) = np.flatnonzero((keys[:n, b] == keys[n, b]).all(axis=-1))
        assert values[place, b, y[n, b]] == 1


def test_minibatches_side_by_side_equal_those_of_each_seed():
    both, alone = Pairs().batches([1, 2, 4], 3, [0, 5]), Pairs().batches([1, 2, 4], 3, 5)
    for _ in range(5):
        for side_by_side, own in zip(next(both), next(alone), strict=True):
            np.testing.assert_array_equal(side_by_side[:, 1], own)


def test_every_number_of_pairs_and_every_query_occurs():
    batches = Pairs(3).batches([1, 4], 20, 0)
    drawn = [next(batches) for _ in range(30)]
    assert {len(x) for x, _, _ in drawn} == {2, 5}
    assert {*np.concatenate([y[-1] for _, y, _ in drawn])} == {0, 1, 2}
    assert Pairs(3).guess == 1 / 3


def test_without_a_number_of_pairs_nothing_is_drawn():
    with pytest.raises(ValueError, match="lengths is empty"):
        Pairs().batches([], 2, 0)


REFUSALS = {
    tasks.Pairs: ({"n_values": 2, "width": 3}, {"n_values": [*COUNT, 1], "width": COUNT}),
    first(tasks.Pairs(2, 3).batches): (
        {"lengths": [1, 3], "batch_size": 2, "seed": 0},
        {"lengths": [None, 3, [], [0], [1.5], "a"], "batch_size": COUNT, "seed": [*SEED, []]},
    ),
}
