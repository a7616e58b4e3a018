"""Chapter 18's exercises: tests of the solutions, and the tables of tests/declared.py."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from limits import Line, changed

from rnn_helpers.checks import exercises
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


def softmax(a, axis=-1):
    e = np.exp(a - a.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def recalled(norm, read=lambda weights, M: weights @ M):
    def recall(M, k, beta):
        return read(softmax(beta * (M / norm(M)) @ (k / np.linalg.norm(k))), M)

    return recall


def attends(by=lambda q: np.sqrt(q.shape[1]), scores=lambda q, k: q @ k.T, hidden=-np.inf, axis=1):
    def attend(q, k, v):
        s = np.where(np.tri(len(q)) > 0, scores(q, k) / by(q), hidden)
        with np.errstate(invalid="ignore"):
            return softmax(s, axis=axis) @ v

    return attend


TYPICAL = {
    "18-recall": {
        "one norm for all cells": recalled(np.linalg.norm),
        "the lengths of the columns": recalled(lambda M: np.linalg.norm(M, axis=0)),
        "the weights": recalled(
            lambda M: np.linalg.norm(M, axis=1, keepdims=True), lambda weights, M: weights
        ),
    },
    "18-attend": {
        "divided by d": attends(by=lambda q: q.shape[1]),
        "divided by the root of T": attends(by=lambda q: np.sqrt(len(q))),
        "queries and keys exchanged": attends(scores=lambda q, k: k @ q.T),
        "softmax over the queries": attends(axis=0),
        "a score of 0 for later steps": attends(hidden=0),
    },
}


HINTED = {
    "18-attend": [
        (attends(hidden=-30), "Your mask is a finite score"),
        (attends(hidden=-999), "Your mask is a finite score"),
    ]
}


def test_a_mask_far_below_every_score_is_as_good_as_minus_infinity():
    assert exercises()["18-attend"].grade(attends(hidden=-1e9))


def of_programs():
    """Shifts that add up to a little more than 1, and to too much."""

    def that_reads(more):
        return changed("18-copier", lambda parts: (parts[0], more * parts[1], parts[2]))

    return Line([that_reads(1.00001)], [that_reads(1.01), that_reads(0.99)])


LIMITS = {
    "18-read": (0.004, 0.006),
    "18-blur": (0.004, 0.006),
    "18-copier": of_programs,
    "18-sharpness": (0.0004, 0.0006),
}
BORROWED = {"18-recall": recall, "18-write": write_cells}
EQUIVALENT = {
    "18-attend": [
        # The main diagonal is the default of np.tri.
        "_attends: …p.where(np.tri(T, k=0), scores, -np.i… -> …p.where(np.tri(T), scores, -np.i…",
    ],
    "18-copier": [
        # The memory is empty where the head first writes, so it doesn't matter how much is erased
        # there.
        "_programs: …AY, STAY, ON), (1.0, 0.0, 0.0)))) -> …AY, STAY, ON), (2.0, 0.0, 0.0))))",
        "_programs: …AY, STAY, ON), (1.0, 0.0, 0.0)))) -> …AY, STAY, ON), (0.0, 0.0, 0.0))))",
    ],
    "18-recall": [
        # The weights are a vector, which transposing doesn't change.
        "return _softmax(beta * _cosines(M, k)) @ M -> "
        "return _softmax(beta * _cosines(M, k)).T @ M",
        # A softmax doesn't change if a number is subtracted from all its scores, and scores of at
        # most 20 don't overflow.
        "_softmax: e = np.exp(scores - scores.max(axis=0, keepdims=True)) -> e = np.exp(scores)",
        # A softmax doesn't change if a number is added to all its scores, and scores of at most 20
        # don't overflow.
        "_softmax: e = np.exp(scores - scores.max(axis=0, keepdims=True)) -> "
        "e = np.exp(scores + scores.max(axis=0, keepdims=True))",
        # A vector has one axis, so its largest score is the largest along that axis.
        "_softmax: e = np.exp(scores - scores.max(axis=0, keepdims=True)) -> "
        "e = np.exp(scores - scores.max(keepdims=True))",
        # A vector's largest score broadcasts with or without an axis of length 1.
        "_softmax: e = np.exp(scores - scores.max(axis=0, keepdims=True)) -> "
        "e = np.exp(scores - scores.max(axis=0))",
        "_softmax: e = np.exp(scores - scores.max(axis=0, keepdims=True)) -> "
        "e = np.exp(scores - scores.max(axis=0, keepdims=False))",
        # A vector has one axis, which is both the first and the last.
        "_softmax: e = np.exp(scores - scores.max(axis=0, keepdims=True)) -> "
        "e = np.exp(scores - scores.max(axis=-1, keepdims=True))",
        "_softmax: return e / e.sum(axis=0, keepdims=True) -> "
        "return e / e.sum(axis=-1, keepdims=True)",
        # A vector has one axis, so its sum is the sum along that axis.
        "_softmax: return e / e.sum(axis=0, keepdims=True) -> return e / e.sum(keepdims=True)",
        # A vector's sum broadcasts with or without an axis of length 1.
        "_softmax: return e / e.sum(axis=0, keepdims=True) -> return e / e.sum(axis=0)",
        "_softmax: return e / e.sum(axis=0, keepdims=True) -> "
        "return e / e.sum(axis=0, keepdims=False)",
    ],
}
