"""The copy task: vectors of bits, a mark, and silence during the output."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, SEED, first

from rnn_helpers.tasks import CopyBits

pytestmark = pytest.mark.chapter("18")


@given(n=st.integers(1, 6), n_bits=st.integers(1, 5), seed=st.integers(0, 10**6))
def test_targets_after_the_mark_repeat_the_inputs_in_order(n, n_bits, seed):
    x, y, mask = next(CopyBits(n_bits).batches([n], 3, seed))
    assert x.shape == (2 * n + 1, 3, n_bits + 1)
    np.testing.assert_array_equal(y[n + 1 :], x[:n, :, :-1])
    np.testing.assert_array_equal(mask, np.arange(2 * n + 1)[:, None].repeat(3, axis=1) > n)
    assert not x[n:, :, :-1].any()
    np.testing.assert_array_equal(x[..., -1], np.arange(2 * n + 1)[:, None].repeat(3, 1) == n)
    assert not y[: n + 1].any()


def test_minibatches_side_by_side_equal_those_of_each_seed():
    both, alone = CopyBits(2).batches([1, 2, 4], 3, [0, 5]), CopyBits(2).batches([1, 2, 4], 3, 5)
    for _ in range(5):
        for side_by_side, own in zip(next(both), next(alone), strict=True):
            np.testing.assert_array_equal(side_by_side[:, 1], own)


def test_every_length_occurs():
    batches = CopyBits(1).batches([1, 3], 1, 0)
    assert {len(next(batches)[0]) for _ in range(30)} == {3, 7}


REFUSALS = {
    CopyBits: ({"n_bits": 2}, {"n_bits": COUNT}),
    first(CopyBits(2).batches): (
        {"lengths": [1, 3], "batch_size": 2, "seed": 0},
        {"lengths": [None, 3, [], [0], [1.5], "a"], "batch_size": COUNT, "seed": [*SEED, []]},
    ),
}
