"""Chapter 10's solutions agree with the package, a graph and samples."""

import numpy as np
import pytest
from figures.seq2seq import arrows, way
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.exercises import chapter_10 as answers
from rnn_helpers.reference import (
    attention_forward,
    attention_weights,
    beam_search,
    dot_scores,
    grad_averaged,
    grad_scores,
    init_attention,
    weighted_average,
)

SEEDS = st.integers(0, 999)


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_distances_agree_with_the_graph(n, backwards):
    joined = arrows(n, n, "start", backwards)
    ways = [len(way(joined, ("x", k), ("y", k))) - 1 for k in range(1, n + 1)]
    np.testing.assert_array_equal(answers.distances(n, backwards), ways)


def parts(seed):
    rng = np.random.default_rng(seed)
    params = init_attention(3, 4, 5, "dot", seed=rng, scale=1.0)
    return params, rng.normal(size=(6, 2, 3)), rng.integers(5, size=(7, 2)), rng


@given(SEEDS)
def test_one_step_of_attention_agrees_with_the_package(seed):
    params, notes, _, rng = parts(seed)
    h = rng.normal(size=(2, 4))
    weights, context = answers.look(params["Q"], h, notes)
    expected = attention_weights(dot_scores(params["Q"], h, notes))
    np.testing.assert_allclose(weights, expected)
    np.testing.assert_allclose(context, weighted_average(expected, notes))


@given(SEEDS)
def test_the_gradients_agree_with_the_package(seed):
    _, notes, _, rng = parts(seed)
    weights, grad = attention_weights(rng.normal(size=(6, 2))), rng.normal(size=(2, 3))
    on_scores, on_notes = answers.back(weights, notes, grad)
    np.testing.assert_allclose(on_scores, grad_scores(weights, notes, grad))
    np.testing.assert_allclose(on_notes, grad_averaged(weights, grad))


@given(SEEDS)
def test_the_decoder_agrees_with_the_package(seed):
    params, notes, y, _ = parts(seed)
    run = attention_forward(params, notes, y)
    np.testing.assert_allclose(answers.decode(params, notes, y), np.exp(run.log_yhat))


@given(SEEDS, st.integers(1, 5))
def test_the_beam_agrees_with_the_package(seed, width):
    log_p = answers._Distribution(seed)
    best, *_ = beam_search(lambda prefix: log_p(prefix.tolist()), 3, width, 6)
    assert answers.beam(log_p, 3, width, 6) == best.symbols.tolist()


def test_the_most_likely_sequence_is_empty_and_a_sample_has_nine_symbols():
    def log_p(prefix):
        return np.log([0.225] * 4 + [0.1])

    best, *_ = beam_search(log_p, 4, 50, 6)
    drawn = np.random.default_rng(0).geometric(0.1, 100_000) - 1
    assert (len(best.symbols) - 1, drawn.mean()) == pytest.approx(answers.mode(), abs=0.1)


def test_random_draws_agree_with_the_truth_as_often_as_the_second_clerk_is_right():
    rng = np.random.default_rng(0)
    drawn, true = rng.random((2, 100_000)) < 0.6
    assert ((true == 1).mean(), (drawn == true).mean()) == pytest.approx(
        answers.readings(), abs=0.01
    )


def test_without_the_third_annotation_the_first_needs_the_solutions_weight():
    notes = np.array([[1, 0], [0, 1], [0.5, 0.5]])
    first = answers.other()
    np.testing.assert_allclose(
        weighted_average(np.array([0.2, 0.4, 0.4]), notes),
        weighted_average(np.array([first, 1 - first, 0]), notes),
    )


@given(SEEDS)
def test_other_weights_can_give_the_same_average(seed):
    _, notes, _, rng = parts(seed)
    weights = attention_weights(rng.normal(size=6))
    one = notes[:, 0]
    conditions = np.concatenate([one.T, np.ones((1, 6))])
    free = np.linalg.svd(conditions)[2][4:]  # m - (n_c + 1) of them
    moved = weights + 0.5 * weights.min() * free[0]
    assert (moved > 0).all()
    assert moved.sum() == pytest.approx(1)
    assert not np.allclose(moved, weights)
    np.testing.assert_allclose(moved @ one, weights @ one)
