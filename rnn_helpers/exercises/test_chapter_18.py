"""The answers of chapter 18's exercises, held against the package."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.exercises import chapter_18 as answers
from rnn_helpers.reference import (
    attention_weights,
    content_scores,
    grad_drawn,
    matrix_step,
    read_all_forward,
    recall,
    shift_weights,
    write_cells,
)

DRAWN = st.integers(0, 10**6)


@given(DRAWN)
def test_recalling_and_writing_are_the_packages(seed):
    rng = np.random.default_rng(seed)
    M, k, e, a = rng.normal(size=(5, 4)), *rng.normal(size=(3, 4))
    np.testing.assert_allclose(answers.recall(M, k, 3.0), recall(M, k, 3.0), atol=1e-12)
    w = rng.random(5)
    np.testing.assert_allclose(answers.write(M, w, e, a), write_cells(M, w, e, a), atol=1e-12)


@given(DRAWN)
def test_attention_and_the_delta_rule_are_the_packages(seed):
    rng = np.random.default_rng(seed)
    q, k, v = rng.normal(size=(3, 6, 4))
    run = read_all_forward(q, k, v, beta=4**-0.5)
    np.testing.assert_allclose(answers.attend(q, k, v), run.y, atol=1e-12)
    M = rng.normal(size=(4, 4))
    expected = matrix_step(M, k[0], v[0], 0.3, "delta")
    np.testing.assert_allclose(answers.delta(M, k[0], v[0], 0.3), expected, atol=1e-12)


@pytest.mark.parametrize(("n", "beta"), list(zip((128, 10**6), answers.sharpness(), strict=True)))
def test_that_sharp_the_right_cell_has_nearly_all_the_weight(n, beta):
    scores = np.zeros(n)
    scores[3] = beta
    assert attention_weights(scores)[3] == pytest.approx(0.99, abs=1e-9)


def test_a_softmax_gives_orthogonal_cells_the_weights_of_the_exercise():
    np.testing.assert_allclose(content_scores(np.eye(4), np.eye(4)[1], 7.0), 7 * np.eye(4)[1])


def test_twenty_moves_that_are_not_sharp_blur_a_place():
    w = np.eye(101)[30]
    for _ in range(20):
        w = shift_weights(w, np.array([0, 0, 0.1, 0.8, 0.1]))
    places = np.arange(101)
    mean = (w * places).sum()
    assert mean == pytest.approx(50)
    assert np.sqrt((w * (places - mean) ** 2).sum()) == pytest.approx(answers.blur())


@given(DRAWN)
def test_over_the_draws_reinforce_is_the_gradient_of_the_mean_reward_whatever_the_baseline(seed):
    rng = np.random.default_rng(seed)
    scores, reward, baseline = rng.normal(size=5), rng.normal(size=5), rng.normal()
    w = attention_weights(scores)
    mean = sum(w[i] * grad_drawn(w, i, reward[i], baseline) for i in range(5))
    np.testing.assert_allclose(mean, w * (reward - w @ reward), atol=1e-12)
