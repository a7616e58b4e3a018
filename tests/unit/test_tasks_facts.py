"""Facts lead from each question to its answer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, SEED, first

from rnn_helpers.tasks import Facts

pytestmark = pytest.mark.chapter("18")


@given(
    n_facts=st.integers(1, 4), more=st.integers(0, 3), hops=st.integers(1, 3), seed=st.integers(0)
)
def test_following_the_facts_leads_to_the_answer(n_facts, more, hops, seed):
    task = Facts(n_facts + more, n_facts, hops)
    about, says, asked, y, where = next(task.batches(5, seed % 10**6))
    assert about.shape == says.shape == (5, hops * n_facts)
    for b in range(5):
        known = dict(zip(about[b], says[b], strict=True))
        assert len(known) == hops * n_facts  # no two facts are about the same name
        assert len({*says[b]}) == hops * n_facts
        name = asked[b]
        for hop in range(hops):
            assert about[b, where[b, hop]] == name
            name = known[name]
        assert name == y[b] + task.n_names * hops
        assert max(known) < task.n_names * hops
        assert name < task.n_x


def test_minibatches_side_by_side_equal_those_of_each_seed():
    task = Facts(5, 3)
    both, alone = next(task.batches(4, [0, 7])), next(task.batches(4, 7))
    for side_by_side, own in zip(both, alone, strict=True):
        np.testing.assert_array_equal(side_by_side[1], own)


def test_questions_answers_and_facts_occur_everywhere():
    task = Facts(5, 3)
    _, _, asked, y, where = next(task.batches(2000, 0))
    assert {*asked} == {*range(5)}
    assert {*y} == {*range(5)}
    assert {*where[:, 0]} == {*where[:, 1]} == {*range(6)}
    share = np.bincount(y) / len(y)
    np.testing.assert_allclose(share, task.n_facts / 5 * task.guess, atol=0.04)


REFUSALS = {
    Facts: (
        {"n_names": 4, "n_facts": 3, "hops": 2},
        {"n_names": [*COUNT, 2], "n_facts": [*COUNT, 5], "hops": COUNT},
        {"n_facts": "n_names"},
    ),
    first(Facts(4, 3).batches): (
        {"batch_size": 2, "seed": 0},
        {"batch_size": COUNT, "seed": [*SEED, []]},
    ),
}
