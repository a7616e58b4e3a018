"""The made-up sources against their own optimum."""

from collections import Counter
from itertools import islice, pairwise

import numpy as np
import pytest

from rnn_helpers.reference import init_rnn
from rnn_helpers.tasks import Brackets, DelayedRecall, character_model
from rnn_helpers.training import Adam, fit


def test_the_target_is_what_was_heard():
    task = DelayedRecall(n_symbols=5, delay=3)
    x, y, mask = next(task.batches(10, 4, seed=0))
    assert x.shape == y.shape == mask.shape == (10, 4)
    np.testing.assert_array_equal(y[3:], x[:-3])
    np.testing.assert_array_equal(mask[:, 0], [0, 0, 0, 1, 1, 1, 1, 1, 1, 1])


@pytest.mark.parametrize("noise", [0.0, 0.2, 1.0])
def test_the_best_model_of_recall_reaches_the_optimum(noise):
    task = DelayedRecall(n_symbols=4, delay=2, noise=noise)
    x, y, _ = next(task.batches(500, 40, seed=0))
    right = y[2:] == x[:-2]
    p = 1 - noise + noise / 4
    losses = np.where(right, -np.log(p), -np.log(max(1 - p, 1e-300) / 3))
    assert losses.mean() == pytest.approx(task.optimum, abs=4 * losses.std() / right.size**0.5)


def test_recall_at_its_extremes():
    assert DelayedRecall(4, 3, noise=0).optimum == 0
    assert DelayedRecall(4, 3, noise=1).optimum == pytest.approx(np.log(4))
    assert DelayedRecall(4, 3).optimum_without_memory == pytest.approx(np.log(4))
    assert DelayedRecall(4, 0).optimum_without_memory == 0


@pytest.mark.slow
def test_a_trained_network_comes_close_to_the_optimum_and_not_below():
    task = DelayedRecall(n_symbols=3, delay=1, noise=0.1)
    history = fit(
        character_model(),
        init_rnn(3, 16, 3, seed=0),
        task.batches(12, 32, seed=0),
        steps=300,
        optimizer=Adam(0.02),
    )
    loss, _ = character_model()(history.params, next(task.batches(100, 200, seed=1)))
    assert task.optimum - 0.01 < loss < task.optimum + 0.05 < task.optimum_without_memory


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
    a, b = (list(islice(DelayedRecall().batches(6, 2, seed=7), 2)) for _ in range(2))
    np.testing.assert_array_equal(a[1][0], b[1][0])


@pytest.mark.parametrize(
    "make",
    [
        lambda: DelayedRecall(n_symbols=1),
        lambda: DelayedRecall(delay=-1),
        lambda: DelayedRecall(noise=1.1),
        lambda: DelayedRecall(delay=3).batches(3, 1, 0),
        lambda: DelayedRecall().batches(9, 0, 0),
        lambda: Brackets(0),
        lambda: Brackets(5),
        lambda: Brackets(1, n_letters=1),
        lambda: Brackets().sample(0),
    ],
)
def test_settings_out_of_range_are_refused(make):
    with pytest.raises(ValueError, match="expected"):
        make()
