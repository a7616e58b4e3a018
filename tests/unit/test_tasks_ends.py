"""Sequences that show where they end."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, NAN, RAGGED, SEED, first

from rnn_helpers.tasks import Ends

pytestmark = pytest.mark.chapter("07")

SOURCES = st.builds(
    Ends,
    st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=1, max_size=6).filter(any),
    st.integers(2, 4),
)


@given(SOURCES)
def test_all_sequences_make_up_a_distribution_of_this_entropy(source):
    y, lengths, p = source.sequences()
    assert len(y) == source.longest
    assert source.proper(y, lengths).all()
    log_p = source.log_probability(y, lengths)
    np.testing.assert_allclose(np.exp(log_p), p)
    np.testing.assert_allclose(p.sum(), 1)
    given = p > 0
    np.testing.assert_allclose(-(p[given] * log_p[given]).sum(), source.entropy)
    assert len(set(source.text(y, lengths))) == 2 * len(source.lengths)


@given(SOURCES, st.integers(0, 10**6))
def test_what_is_drawn_ends_properly(source, seed):
    y, lengths = source.sample(10, seed)
    assert source.proper(y, lengths).all()
    assert np.isfinite(source.log_probability(y, lengths)).all()
    assert all(text.endswith("z") and text.count("z") == 1 for text in source.text(y, lengths))
    assert not any("aa" in text or "bb" in text for text in source.text(y, lengths))


def test_the_default_matches_the_chapter():
    source = Ends()
    assert (source.shortest, source.longest) == (3, 10)
    assert source.entropy == pytest.approx(2.773, abs=5e-4)
    _, lengths = source.sample(8000, 0)
    np.testing.assert_allclose(np.bincount(lengths)[3:] / 8000, source.probabilities, atol=0.015)


@pytest.mark.parametrize(
    ("text", "proper", "known"),
    [
        ("abaz", True, True),
        ("baz", True, True),
        ("az", True, False),
        ("abababababaz", True, False),
        ("aba", False, False),
        ("abzz", False, False),
        ("abzaz", False, False),
        ("aabz", False, False),
        ("z", False, False),
        ("", False, False),
    ],
)
def test_early_and_late_stops_are_distinguished(text, proper, known):
    source = Ends()
    y = np.array([source.ALPHABET.index(letter) for letter in text.ljust(14, "a")])[:, None]
    lengths = np.array([len(text)])
    assert source.text(y, lengths) == [text]
    assert source.proper(y, lengths) == [proper]
    assert np.isfinite(source.log_probability(y, lengths)) == [known]


def test_several_seeds_are_drawn_side_by_side():
    source = Ends(weights=(1, 2), shortest=2)
    y, lengths = next(source.batches(4, [5, 6]))
    assert y.shape == (3, 2, 4)
    for s, seed in enumerate([5, 6]):
        alone, its = next(source.batches(4, seed))
        np.testing.assert_array_equal(y[:, s], alone)
        np.testing.assert_array_equal(lengths[s], its)


REFUSALS = {
    Ends: (
        {"weights": (1, 2), "shortest": 2},
        {"weights": [None, "a", [], [0.0], [-1.0, 2], NAN, 3, [[1]]], "shortest": [*COUNT, 1]},
    ),
    Ends().sample: ({"size": 2, "seed": 0}, {"size": COUNT, "seed": SEED}),
    first(Ends().batches): (
        {"batch_size": 2, "seed": 0},
        {"batch_size": COUNT, "seed": [*SEED, []]},
    ),
    **{
        getattr(Ends(), name): (
            {"y": [[0], [1], [2]], "lengths": [3]},
            {
                "y": [None, "a", 3, [[3]], [[0.5]], RAGGED],
                "lengths": [None, "a", 3, [4], [-1], [1.5]],
            },
        )
        for name in ("proper", "log_probability", "text")
    },
}
