"""A sum of one bit before and one after: targets and lowest losses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, NAN, SEED, first

from rnn_helpers.tasks import BothSides

pytestmark = pytest.mark.chapter("09")


@given(st.integers(1, 5), st.integers(1, 6), st.integers(0, 99))
def test_targets_are_sums_of_a_bit_before_and_one_after(reach, more, seed):
    n_steps = 2 * reach + more
    x, y, mask = next(BothSides(reach).batches(n_steps, 3, [seed, seed + 1]))
    assert x.shape == y.shape == mask.shape == (n_steps, 2, 3)
    for t in range(n_steps):
        inside = reach <= t < n_steps - reach
        assert (mask[t] == inside).all()
        if inside:
            np.testing.assert_array_equal(y[t], x[t - reach] + x[t + reach])
    once = next(BothSides(reach).batches(n_steps, 3, seed + 1))
    for one, both in zip(once, (x, y, mask), strict=True):
        np.testing.assert_array_equal(one, both[:, 1])


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("after", [True, False])
def test_the_optima_are_those_of_a_count(before, after):
    joint = np.zeros((2, 2, 3))
    for a, b in np.ndindex(2, 2):
        joint[a * before, b * after, a + b] += 1 / 4
    heard = joint.sum(axis=-1, keepdims=True)
    p = joint[joint > 0]
    nats = -(p * np.log((joint / np.where(heard, heard, 1))[joint > 0])).sum()
    task = BothSides(3)
    ahead, behind = 3 if after else 2, None if before else 2
    assert task.nats(ahead, behind) == pytest.approx(nats)
    if before:
        assert task.optimum(ahead) == joint.max(axis=-1).sum()


def test_a_sequence_without_targets_is_refused():
    with pytest.raises(ValueError, match="n_steps"):
        BothSides(3).batches(6, 2, 0)


REFUSALS = {
    BothSides: ({"reach": 2}, {"reach": COUNT}),
    **{
        getattr(BothSides(), name): ({"ahead": 2}, {"ahead": [-1, 2.5, "a", NAN]})
        for name in ("optimum", "nats")
    },
    first(BothSides(2).batches): (
        {"n_steps": 6, "batch_size": 2, "seed": 0},
        {"n_steps": [*COUNT, 4], "batch_size": COUNT, "seed": [*SEED, []]},
    ),
}
