"""The figure cache fills both memories as the reference does, and states what they return."""

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures.cache import model as cache

pytestmark = pytest.mark.chapter("18")
META = manifest()["cache"]
DEFAULT = complete("cache", {})
states = st.fixed_dictionaries(
    {
        "t": st.integers(0, 24),
        "keys": st.sampled_from(["new", "again"]),
        "rule": st.sampled_from(["sum", "delta"]),
        "seed": st.integers(1, 40),
    }
)


@given(states)
def test_both_memories_return_the_readings_of_the_reference(math, state):
    now, made = math("compute", state), cache.memories(state)
    assert [pair["i"] for pair in now["pairs"]] == made.current
    assert now["first"] == made.kept.start
    for name in ("cache", "matrix"):
        readings = [pair[name]["reading"] for pair in now["pairs"]]
        close(np.reshape(readings, (-1, cache.D)), getattr(made, name))
        right = cache.recognized(getattr(made, name)) == made.current
        assert [pair[name]["right"] for pair in now["pairs"]] == right.tolist()
    assert [now["cache"], now["matrix"]] == cache.counts(state)


def test_both_memories_keep_equally_many_numbers():
    assert 2 * cache.D * cache.ROOM == cache.D**2 == 576
    assert f"{cache.D} pixels" in META["story"]
    assert "576 numbers" in META["story"]


def test_no_letter_has_the_picture_of_another():
    assert len(np.unique(cache.PICTURES, axis=0)) == len(cache.NAMES) == 24
    assert cache.recognized(cache.PICTURES).tolist() == list(range(24))


def test_a_full_cache_returns_every_letter_without_an_error():
    np.testing.assert_allclose(cache.memories(DEFAULT).cache, cache.PICTURES[:12], atol=0.02)


def test_the_default_draws_what_its_alternative_text_says():
    assert DEFAULT["t"] == 12
    assert cache.counts(DEFAULT) == [12, 11]
    assert "11 of them can be recognized" in META["alt"]


def test_the_prediction_is_answered_by_the_typical_keys():
    full = DEFAULT | {"t": 24}
    assert cache.counts(full) == [12, 19]
    found = [cache.counts(full | {"seed": seed}) for seed in range(1, 41)]
    kept, matrix = np.array(found).T
    assert np.median(matrix) == 19
    assert np.median(kept) == 12
    assert kept.max() <= 13  # a key that was dropped can return the right letter by luck
    assert ((matrix >= 15) & (matrix <= 22)).mean() > 0.85
    assert META["prediction"]["answer"] == "about 19"


@pytest.mark.parametrize("state", [{}, {"t": 24}, {"t": 18, "keys": "again", "rule": "delta"}])
def test_the_status_counts_the_letters(state):
    kept, matrix = cache.counts(complete("cache", state))
    said = status("cache", **state)
    assert f"the cache returns {kept} recognizable letters" in said
    assert f"returns {matrix}." in said
