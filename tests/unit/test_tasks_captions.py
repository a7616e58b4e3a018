"""Pictures of two digits and their sentences: the training set and the test set."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, NAME, NO_SEED, first

from rnn_helpers.tasks import TwoDigits, handwritten_digits

TASK = TwoDigits()


def digits_of(words):
    """Digits and place that a sentence names."""
    read = TASK.sentence(words).split()
    place = "left" if "left" in read else "above"
    return TASK.WORDS.index(read[0]), TASK.WORDS.index(read[-1]), place


@given(first=st.integers(0, 9), second=st.integers(0, 9), place=st.sampled_from(TwoDigits.PLACES))
def test_a_sentence_names_both_digits_in_order_and_their_place(first, second, place):
    words = TASK.caption(first, second, place)
    assert digits_of(words) == (first, second, place)
    assert words[-1] == TASK.end
    assert len(words) == TASK.longest


def test_every_digit_in_every_place_is_also_part_of_sentences_that_are_seen():
    """Test pairs are new as combinations, but not in their parts."""
    kept = TASK.kept()
    assert len(set(kept)) == 20
    seen = {(a, b, place) for place in TASK.PLACES for a in range(10) for b in range(10)} - set(
        kept
    )
    for a, b, place in kept:
        assert sum(one[0] == a and one[2] == place for one in seen) == 9
        assert sum(one[1] == b and one[2] == place for one in seen) == 9
        assert any({one[0], one[1]} == {a, b} for one in seen)


@pytest.mark.parametrize("combinations", ["seen", "new"])
def test_no_sentence_is_on_both_sides(combinations):
    batches = TASK.batches(50, seed=0, combinations=combinations)
    drawn = {digits_of(words) for _ in range(8) for words in next(batches)[1].T}
    assert all((one in TASK.kept()) == (combinations == "new") for one in drawn)
    assert len(drawn) > (15 if combinations == "new" else 100)


@pytest.mark.parametrize("held_out", [False, True])
def test_a_picture_shows_the_digits_that_its_sentence_names(held_out):
    """Each half, put back in its place, is one of the pictures of that digit."""
    pictures, labels = handwritten_digits(held_out)
    still = TwoDigits(jitter=0)
    made, y = next(still.batches(6, seed=1, held_out=held_out, combinations="all"))
    for picture, words in zip(made, y.T, strict=True):
        first, second, place = digits_of(words)
        corners = [(6, 2), (6, 10)] if place == "left" else [(2, 6), (10, 6)]
        for digit, (row, column) in zip((first, second), corners, strict=True):
            shown = picture[row : row + 8, column : column + 8]
            same = (pictures[labels == digit] == shown).all(axis=(1, 2))
            assert same.any()


def test_moving_digits_keep_all_their_pixels():
    digits = np.ones((2, 8, 8))
    for by in (-2, 2):
        for place in TASK.PLACES:
            apart = TASK.picture(*digits, place, [(by, by), (by, by)])
            assert apart.sum() == 128


def test_seeds_side_by_side_give_the_same_examples_as_alone():
    pictures, y = next(TASK.batches(3, [4, 5]))
    assert pictures.shape == (2, 3, 20, 20)
    for k, seed in enumerate([4, 5]):
        alone, words = next(TASK.batches(3, seed))
        np.testing.assert_array_equal(pictures[k], alone)
        np.testing.assert_array_equal(y[:, k], words)


REFUSALS = {
    TwoDigits: ({"jitter": 1}, {"jitter": [-1, 3, 0.5, "a", None]}),
    TwoDigits().caption: (
        {"first": 3, "second": 7, "place": "left"},
        {
            "first": [10, -1, 0.5, "a", None, (1,)],
            "second": [10, -1, 0.5, "a", None],
            "place": NAME,
        },
    ),
    TwoDigits().sentence: ({"words": [3, 10, 12, 7, 13]}, {"words": [None, "a", [99], [0.5], 3]}),
    TwoDigits().picture: (
        {"first": np.ones((8, 8)), "second": np.ones((8, 8)), "place": "left"},
        {
            "first": [None, 3, np.ones((7, 8))],
            "second": [None, 3, [1.0]],
            "place": NAME,
            "moved": [((3, 0), (0, 0)), ((0.5, 0), (0, 0)), ((0, 0), (0,)), 0],
        },
    ),
    first(TwoDigits().batches): (
        {"batch_size": 2, "seed": 0, "held_out": False, "combinations": "seen"},
        {"batch_size": COUNT, "seed": NO_SEED, "held_out": [None, 3, "no"], "combinations": NAME},
    ),
}
