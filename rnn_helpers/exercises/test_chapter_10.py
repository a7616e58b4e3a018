"""Chapter 10's exercises: tests of the solutions, and the tables of tests/declared.py."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.checks import exercises
from rnn_helpers.exercises import chapter_10 as answers
from rnn_helpers.figures.seq2seq.model import arrows, way
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


def softmax(a, axis=-1):
    e = np.exp(a - a.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def looks(divide=lambda notes, h: 1, average=lambda w, notes: (w[..., None] * notes).sum(axis=0)):
    def look(Q, h, notes):
        scores = np.einsum("bc,mbc->mb", h @ Q.T, notes) / divide(notes, h)
        weights = softmax(scores, axis=0)
        return weights, average(weights, notes)

    return look


def on_and_on(log_p, end, width, at_most):
    kept = [(0.0, [])]
    for _ in range(at_most):
        longer = [(total + p, [*s, k]) for total, s in kept for k, p in enumerate(log_p(s))]
        kept = sorted(longer, key=lambda one: -one[0])[:width]
    return max(kept)[1]


def on_and_on_then_cut(log_p, end, width, at_most):
    sequence = on_and_on(log_p, end, width, at_most)
    return sequence[: (*sequence, end).index(end) + 1]


TYPICAL = {
    "10-look": {
        "divided as in a Transformer": looks(lambda notes, h: notes.shape[-1] ** 0.5),
        "divided by the root of the state's size": looks(lambda notes, h: h.shape[-1] ** 0.5),
        "context divided by the number of annotations": looks(
            average=lambda w, notes: (w[..., None] * notes).mean(axis=0)
        ),
        "a plain mean": looks(average=lambda w, notes: notes.mean(axis=0)),
        "context not summed": looks(average=lambda w, notes: w[..., None] * notes),
    },
    "10-beam": {"finished sequences go on": on_and_on, "cut at the end": on_and_on_then_cut},
}


@pytest.mark.parametrize(
    "average",
    [lambda w, notes: notes[-1], lambda w, notes: notes.max(axis=0)],
)
def test_right_weights_with_a_wrong_context_get_a_hint(average):
    message = exercises()["10-look"].grade(looks(average=average)).message
    assert message.startswith("Hint: Your weights are right.")
    assert message.endswith("Right in all cases: item 0.")


def frees_places(log_p, end, width, at_most):
    kept, finished = [(0.0, [])], []
    for _ in range(at_most):
        longer = [(a + b, [*s, k]) for a, s in kept for k, b in enumerate(log_p(s))]
        longer = sorted(longer, reverse=True)[:width]
        finished += [one for one in longer if one[1][-1] == end]
        kept = [one for one in longer if one[1][-1] != end]
    return max(finished + kept)[1]


HINTED = {"10-beam": [(frees_places, "sets a sequence aside as soon as it has ended")]}
LIMITS = {
    "10-cost": (0.004, 0.006),
    "10-mode": (0.004, 0.006),
    "10-other": (0.004, 0.006),
    "10-readings": (0.004, 0.006),
}
EQUIVALENT = {
    "10-beam": [
        # The same number is added to every sequence's score, which leaves the ranking unchanged.
        "_beam: kept, over = ([(0.0, [])], []) -> kept, over = ([(1.0, [])], [])",
        # The same number is subtracted from every sequence's score, which leaves the ranking
        # unchanged.
        "_beam: kept, over = ([(0.0, [])], []) -> kept, over = ([(-1.0, [])], [])",
        # A continuation of an ended sequence is less likely than the sequence itself, so it only
        # displaces candidates that can't win.
        "_beam: without continue",
        # Pairs are compared by their scores first, and no two scores are equal.
        "_beam: … max(kept + over, key=lambda one: (lambda log_p, prefix: log_p)(*one))[1] -> "
        "… max(kept + over)[1]",
        # In the solution, the second list stays empty; only a named wrong answer fills it.
        "_beam: return max(kept + over, key=lambda one… -> return max(kept, key=lambda one…",
        "_beam: …turn max(kept + over, key=lambda… -> …turn max(kept + 0 * over, key=lambda…",
        # The sequences are sorted by their scores, so with equal keys `max` returns the first,
        # which is the best.
        "_beam: … log_p, prefix: log_p)(*one))[1] -> … log_p, prefix: 0 * log_p)(*one))[1]",
        "_beam: … log_p, prefix: log_p)(*one))[1] -> … log_p, prefix: 1)(*one))[1]",
    ],
    "10-decode": [
        # One row of zeros broadcasts to all sequences.
        "_decodes: symbols, B = (np.eye(len(c)), notes.shape[1]) -> "
        "symbols, B = (np.eye(len(c)), 1)",
        "_decodes: …at = (np.zeros((B, len(b))), np.z… -> …at = (np.zeros((1, len(b))), np.z…",
        "_decodes: …b))), np.zeros((B, len(c))), []) -> …b))), np.zeros((1, len(c))), [])",
        # A matrix has two axes, so axis 1 is the last.
        "_decodes: yhat.append(_softmax(c + h @ V.T, axis=-1)) -> "
        "yhat.append(_softmax(c + h @ V.T, axis=1))",
        "_softmax: e = np.exp(scores - scores.max(axis=axis, keepdims=True)) -> "
        "e = np.exp(scores - scores.max(axis=1, keepdims=True))",
        "_softmax: return e / e.sum(axis=axis, keepdims=True) -> "
        "return e / e.sum(axis=1, keepdims=True)",
        # A softmax doesn't change if a number is subtracted from all its scores, and the scores
        # here are too small to overflow.
        "_softmax: e = np.exp(scores - scores.max(axis=axis, keepdims=True)) -> e = np.exp(scores)",
        # A softmax doesn't change if a number is added to all its scores, and the scores here are
        # too small to overflow.
        "_softmax: e = np.exp(scores - scores.max(axis=axis, keepdims=True)) -> "
        "e = np.exp(scores + scores.max(axis=axis, keepdims=True))",
        # A softmax doesn't change with the number that is subtracted, and the scores here are too
        # small to underflow.
        "_softmax: e = np.exp(scores - scores.max(axis=axis, keepdims=True)) -> "
        "e = np.exp(scores - scores.max(keepdims=True))",
    ],
    "10-look": [
        # The maxima of the columns broadcast along the first axis with or without an axis of length
        # 1.
        "_softmax: e = np.exp(scores - scores.max(axis=0, keepdims=True)) -> "
        "e = np.exp(scores - scores.max(axis=0))",
        "_softmax: e = np.exp(scores - scores.max(axis=0, keepdims=True)) -> "
        "e = np.exp(scores - scores.max(axis=0, keepdims=False))",
        # The sums of the columns broadcast along the first axis with or without an axis of length
        # 1.
        "_softmax: return e / e.sum(axis=0, keepdims=True) -> return e / e.sum(axis=0)",
        "_softmax: return e / e.sum(axis=0, keepdims=True) -> "
        "return e / e.sum(axis=0, keepdims=False)",
    ],
}
