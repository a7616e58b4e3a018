"""The made-up sources against their own optimum."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from rnn_helpers.tasks import Brackets


@pytest.mark.slow
@pytest.mark.parametrize("n_pairs", [1, 2, 4])
def test_the_entropy_is_what_the_best_model_needs(n_pairs):
    source = Brackets(n_pairs)
    losses = source.loss(source.sample(20_000, seed=1))
    # losses of neighbors hardly depend on each other, so four standard errors are wide enough
    assert losses.mean() == pytest.approx(source.entropy, abs=4 * losses.std() / 20_000**0.5)


def test_counts_of_neighbours_stay_above_the_entropy():
    source = Brackets(1)
    tokens = source.sample(40_000, seed=2)
    n = len(source.alphabet)
    pairs = np.ones((n, n))
    np.add.at(pairs, (tokens[:-1], tokens[1:]), 1)
    p = pairs / pairs.sum(axis=1, keepdims=True)
    assert -np.log(p[tokens[:-1], tokens[1:]]).mean() > source.entropy + 0.05


def test_brackets_of_a_kind_open_and_close_in_turn():
    source = Brackets(3)
    text = [source.alphabet[token] for token in source.sample(5000, seed=3)]
    for opening, closing in ("()", "[]", "{}"):
        marks = [c for c in text if c in (opening, closing)]
        assert len(marks) > 50
        assert all(a != b for a, b in pairwise(marks))


def test_the_long_run_is_the_share_of_time_in_each_state():
    source = Brackets(1, n_letters=3)
    np.testing.assert_allclose(source.stationary.sum(), 1)
    np.testing.assert_allclose(source.probabilities.sum(axis=1), 1)
    counts = Counter(source.sample(30_000, seed=4).tolist())
    expected = source.stationary @ source.probabilities
    observed = [counts[token] / 30_000 for token in range(len(source.alphabet))]
    np.testing.assert_allclose(observed, expected, atol=0.02)


def test_a_sequence_the_source_cannot_give_is_refused():
    source = Brackets(1)
    opening = source.alphabet.index("(")
    with pytest.raises(ValueError, match="cannot give"):
        source.loss([opening, opening])


def test_sources_repeat_with_the_seed():
    np.testing.assert_array_equal(Brackets().sample(50, seed=5), Brackets().sample(50, seed=5))
    assert (Brackets().sample(50, seed=5) != Brackets().sample(50, seed=6)).any()


@pytest.mark.parametrize(
    "make",
    [
        lambda: Brackets(0),
        lambda: Brackets(5),
        lambda: Brackets(1, n_letters=1),
        lambda: Brackets().sample(0),
    ],
)
def test_settings_out_of_range_are_refused(make):
    with pytest.raises(ValueError, match="expected"):
        make()
