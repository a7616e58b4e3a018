"""A memory outside the state: found by content and place, written softly, gradients by hand."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import NAME, NAN, REAL

from rnn_helpers import reference
from rnn_helpers.reference import (
    address_forward,
    attention_weights,
    content_scores,
    cosines,
    grad_content_scores,
    grad_drawn,
    grad_interpolate_weights,
    grad_sharpen_weights,
    grad_shift_weights,
    grad_write_cells,
    interpolate_weights,
    matrix_forward,
    matrix_step,
    read_all_forward,
    recall,
    sharpen_weights,
    shift_weights,
    write_cells,
)

pytestmark = pytest.mark.chapter("18")
OF_CELLS = {"M", "w", "s", "found", "before"}  # cells or distances first, then the minibatch


def weights_of(rng, *shape):
    return rng.dirichlet(np.ones(shape[0]), shape[1:]).T.reshape(shape)


def cases(batch, n=6, d=4):
    """For each equation its function, its gradient and its arguments."""
    rng = np.random.default_rng(0)
    M, k = rng.normal(size=(n, *batch, d)), rng.normal(size=(*batch, d))
    w, other = weights_of(rng, n, *batch), weights_of(rng, n, *batch)
    s = weights_of(rng, 3, *batch)
    number = rng.uniform(0.2, 0.9, size=batch)
    e, a = rng.uniform(size=(*batch, d)), rng.normal(size=(*batch, d))
    return {
        "content": (content_scores, grad_content_scores, {"M": M, "k": k, "beta": 3 * number}),
        "interpolate": (
            interpolate_weights,
            grad_interpolate_weights,
            {"g": number, "found": w, "before": other},
        ),
        "shift": (shift_weights, grad_shift_weights, {"w": w, "s": s}),
        "sharpen": (sharpen_weights, grad_sharpen_weights, {"w": w, "gamma": 1 + number}),
        "write": (write_cells, grad_write_cells, {"M": M, "w": w, "e": e, "a": a}),
    }


def assert_quotients(value, given, grads, grad):
    """Gradients are the quotients of differences, in a random direction of each argument."""
    rng = np.random.default_rng(1)
    for name, on in grads.items():
        assert on.shape == np.shape(given[name])
        step = 1e-6 * rng.normal(size=np.shape(given[name]))
        ahead, behind = (value(given | {name: given[name] + s * step}) for s in (1, -1))
        expected = ((ahead - behind) * grad).sum()
        np.testing.assert_allclose(2 * (on * step).sum(), expected, atol=1e-12, rtol=1e-6)


@pytest.mark.parametrize("batch", [(), (5,)])
@pytest.mark.parametrize("name", [*cases(())])
def test_gradients_by_hand_are_quotients(name, batch):
    function, gradient, given = cases(batch)[name]
    grad = np.random.default_rng(2).normal(size=function(**given).shape)
    grads = gradient(**given, grad=grad)
    assert grads.keys() == given.keys()
    assert_quotients(lambda all_of: function(**all_of), given, grads, grad)


@pytest.mark.parametrize("name", [*cases(())])
def test_a_minibatch_is_its_memories_one_by_one(name):
    function, _, given = cases((5,))[name]
    whole = function(**given)
    for one in range(5):
        alone = {
            key: value[:, one] if key in OF_CELLS else value[one] for key, value in given.items()
        }
        alone = function(**alone)
        np.testing.assert_allclose(whole[:, one], alone, atol=1e-12)


def head(rng, batch=(), d=4):
    return {
        "k": rng.normal(size=(*batch, d)),
        "beta": rng.uniform(1, 5, size=batch),
        "g": rng.uniform(0.2, 0.8, size=batch),
        "s": weights_of(rng, 3, *batch),
        "gamma": rng.uniform(1, 3, size=batch),
    }


@pytest.mark.parametrize("batch", [(), (5,)])
def test_a_head_is_its_four_steps(batch):
    rng = np.random.default_rng(3)
    said, before = head(rng, batch), weights_of(rng, 6, *batch)
    M = rng.normal(size=(6, *batch, 4))
    run = address_forward(M, said, before)
    np.testing.assert_allclose(run.weights.sum(axis=0), 1)
    found = attention_weights(content_scores(M, said["k"], said["beta"]))
    gated = said["g"] * found + (1 - said["g"]) * before
    np.testing.assert_allclose(run.gated, gated, atol=1e-12)
    expected = sharpen_weights(shift_weights(gated, said["s"]), said["gamma"])
    np.testing.assert_allclose(run.weights, expected, atol=1e-12)


def test_gradients_of_a_write_and_a_read_match_autograd():
    import torch

    rng = np.random.default_rng(4)
    _, _, given = cases((5,))["write"]
    leaves = {name: torch.tensor(value, requires_grad=True) for name, value in given.items()}
    w = leaves["w"][..., None]
    after = leaves["M"] * (1 - w * leaves["e"]) + w * leaves["a"]
    grad = rng.normal(size=after.shape)
    after.backward(torch.tensor(grad))
    for name, value in grad_write_cells(**given, grad=grad).items():
        np.testing.assert_allclose(value, leaves[name].grad, atol=1e-12)


@given(seed=st.integers(0, 10**6), by=st.integers(-1, 1))
def test_a_shift_by_one_distance_turns_the_ring_of_cells(seed, by):
    w = weights_of(np.random.default_rng(seed), 7)
    np.testing.assert_allclose(shift_weights(w, np.eye(3)[by + 1]), np.roll(w, by))


@given(seed=st.integers(0, 10**6))
def test_weights_stay_weights(seed):
    rng = np.random.default_rng(seed)
    w, s = weights_of(rng, 6), weights_of(rng, 5)
    for after in (
        shift_weights(w, s),
        sharpen_weights(w, rng.uniform(1, 9)),
        interpolate_weights(0.3, w, s[[0, *range(5)]]),
    ):
        assert (after >= 0).all()
    assert shift_weights(w, s).sum() == pytest.approx(1)
    assert sharpen_weights(w, 7.0).sum() == pytest.approx(1)
    assert sharpen_weights(w, 7.0).max() >= w.max()


def test_a_closed_gate_and_no_shift_keep_the_place():
    rng = np.random.default_rng(5)
    said, before = head(rng) | {"g": 0.0, "s": np.eye(3)[1], "gamma": 1.0}, weights_of(rng, 6)
    kept = address_forward(rng.normal(size=(6, 4)), said, before).weights
    np.testing.assert_allclose(kept, before)


def test_a_key_finds_its_cell_however_long_either_is():
    M = np.random.default_rng(6).normal(size=(8, 16))
    cos = cosines(M, 0.01 * M[3])
    assert cos.argmax() == 3
    assert cos[3] == pytest.approx(1)
    np.testing.assert_allclose(recall(M, M[3], 400.0), M[3], atol=1e-6)
    np.testing.assert_allclose(recall(M, M[3], 0.0), M.mean(axis=0))


def test_an_empty_memory_is_like_no_key_and_all_its_cells_are_equally_likely():
    M, k = np.zeros((4, 3)), np.ones(3)
    np.testing.assert_array_equal(cosines(M, k), 0)
    np.testing.assert_allclose(attention_weights(content_scores(M, k, 5.0)), 1 / 4)


def test_a_whole_write_replaces_one_cell_and_leaves_the_others_and_their_gradient():
    rng = np.random.default_rng(7)
    M, w, a = rng.normal(size=(5, 3)), np.eye(5)[2], rng.normal(size=3)
    after = write_cells(M, w, np.ones(3), a)
    np.testing.assert_allclose(after[2], a)
    np.testing.assert_array_equal(np.delete(after, 2, 0), np.delete(M, 2, 0))
    grad = rng.normal(size=M.shape)
    back = grad_write_cells(M, w, np.ones(3), a, grad)["M"]
    np.testing.assert_array_equal(np.delete(back, 2, 0), np.delete(grad, 2, 0))
    np.testing.assert_array_equal(back[2], 0)


@given(seed=st.integers(0, 10**6), baseline=st.floats(-3, 3))
def test_a_draw_estimates_the_gradient_of_the_mean_reward_whatever_the_baseline(seed, baseline):
    """Over all draws, each by its probability, it is exact: w_i (R_i - mean)."""
    rng = np.random.default_rng(seed)
    w, reward = weights_of(rng, 5), rng.normal(size=5)
    drawn = [grad_drawn(w, i, reward[i], baseline) for i in range(5)]
    mean = sum(w[i] * each for i, each in enumerate(drawn))
    np.testing.assert_allclose(mean, w * (reward - w @ reward), atol=1e-12)


def test_a_minibatch_of_draws_is_its_draws_one_by_one():
    rng = np.random.default_rng(14)
    w, drawn, reward = weights_of(rng, 4, 3), np.array([0, 3, 1]), rng.normal(size=3)
    whole = grad_drawn(w, drawn, reward, reward.mean())
    for b in range(3):
        alone = grad_drawn(w[:, b], drawn[b], reward[b], reward.mean())
        np.testing.assert_allclose(whole[:, b], alone)


# ---- all writes ----


def pairs(batch=(), T=7, d=4, n=3):
    rng = np.random.default_rng(8)
    q, k = rng.normal(size=(2, T, *batch, d))
    return {"q": q, "k": k, "v": rng.normal(size=(T, *batch, n))}


@pytest.mark.parametrize("batch", [(), (5,)])
def test_reading_all_is_scaled_dot_product_attention(batch):
    import torch

    given = pairs(batch)
    run = read_all_forward(**given, beta=0.5)
    by_sequence = [torch.tensor(value).movedim(0, -2) for value in given.values()]
    theirs = torch.nn.functional.scaled_dot_product_attention(*by_sequence, is_causal=True)
    np.testing.assert_allclose(run.y, theirs.movedim(-2, 0), atol=1e-12)


def test_the_sum_is_attention_without_its_softmax():
    given = pairs()
    scores = np.tril(given["q"] @ given["k"].T)
    np.testing.assert_allclose(matrix_forward(**given).y, scores @ given["v"], atol=1e-12)


@given(seed=st.integers(0, 10**6))
def test_the_delta_rule_recalls_the_last_pair_exactly(seed):
    rng = np.random.default_rng(seed)
    k = rng.normal(size=(6, 4))
    k /= np.linalg.norm(k, axis=-1, keepdims=True)
    v = rng.normal(size=(6, 3))
    run = matrix_forward(k, k, v, 1.0, "delta")
    np.testing.assert_allclose(run.y, v, atol=1e-9)


def test_the_delta_rule_is_a_step_down_the_gradient_of_the_error_of_reading():
    import torch

    rng = np.random.default_rng(12)
    M, k, v = rng.normal(size=(3, 4)), rng.normal(size=4), rng.normal(size=3)
    leaf = torch.tensor(M, requires_grad=True)
    (((leaf @ torch.tensor(k)) - torch.tensor(v)).square().sum() / 2).backward()
    expected = M - 0.3 * leaf.grad.numpy()
    np.testing.assert_allclose(matrix_step(M, k, v, 0.3, "delta"), expected, atol=1e-12)


def test_pairs_under_orthogonal_keys_are_kept_apart_by_either_rule():
    k, v = np.eye(4), np.random.default_rng(13).normal(size=(4, 3))
    for rule in ("sum", "delta"):
        M = matrix_forward(k, k, v, 1.0, rule).M[-1]
        np.testing.assert_allclose(M @ k.T, v.T, atol=1e-12)


MEMORY = {
    "M": np.eye(5, 4) + 0.5, "k": np.ones(4), "beta": 2.0, "g": 0.5, "gamma": 2.0,
    **dict.fromkeys(("w", "found", "before", "grad"), np.full(5, 0.2)),
    "s": np.full(3, 1 / 3), "e": np.ones(4), "a": np.ones(4),
}  # fmt: skip
HEAD = {name: MEMORY[name] for name in ("k", "beta", "g", "s", "gamma")}
PAIRS = {"q": np.eye(6, 4), "k": np.eye(6, 4), "v": np.ones((6, 3))}

REFUSALS = {
    **{
        getattr(reference, name): (
            {argument: MEMORY[argument] for argument in arguments.split()},
            dict.fromkeys(arguments.split(), REAL),
        )
        for name, arguments in {
            "cosines": "M k",
            "content_scores": "M k beta",
            "grad_content_scores": "M k beta grad",
            "recall": "M k beta",
            "interpolate_weights": "g found before",
            "grad_interpolate_weights": "g found before grad",
            "shift_weights": "w s",
            "grad_shift_weights": "w s grad",
            "sharpen_weights": "w gamma",
            "grad_sharpen_weights": "w gamma grad",
            "write_cells": "M w e a",
        }.items()
    },
    partial(grad_sharpen_weights, gamma=2.0, grad=[1.0, 1.0]): (
        {"w": [0.5, 0.5]},
        {"w": [[0.0, 0.0]]},
    ),
    grad_write_cells: (
        {**{name: MEMORY[name] for name in "Mwea"}, "grad": MEMORY["M"]},
        dict.fromkeys(("M", "w", "e", "grad"), REAL) | {"a": [*REAL, np.full(4, 1e308)]},
    ),
    grad_drawn: (
        {"weights": MEMORY["w"], "drawn": 1, "reward": 1.0, "baseline": 0.5},
        {"weights": REAL, "drawn": [None, "a", 5, -1, 0.5], "reward": REAL, "baseline": REAL},
    ),
    address_forward: (
        {"M": MEMORY["M"], "head": HEAD, "before": MEMORY["w"]},
        {
            "M": [*REAL, np.ones(4), np.ones((5, 0))],
            "head": [
                None,
                3,
                {},
                HEAD | {"k": np.ones(3)},
                HEAD | {"s": np.ones(2)},
                HEAD | {"s": 1.0},
                HEAD | {"g": [1.0, 2.0]},
                HEAD | {"beta": "a"},
            ],
            "before": [*REAL, np.ones(3)],
        },
    ),
    read_all_forward: (
        PAIRS | {"beta": 0.5},
        {
            "q": [*REAL, np.ones(4)],
            "k": [*REAL, np.ones((6, 3))],
            "v": [*REAL, np.ones((5, 3))],
            "beta": [None, "a", NAN, [1.0]],
        },
    ),
    matrix_step: (
        {"M": np.ones((3, 4)), "k": np.ones(4), "v": np.ones(3), "beta": 0.5, "rule": "delta"},
        {"M": REAL, "k": REAL, "v": REAL, "beta": REAL, "rule": NAME},
    ),
    matrix_forward: (
        PAIRS | {"beta": 0.5, "rule": "delta"},
        {
            "q": [*REAL, np.ones(4)],
            "k": [*REAL, np.ones((6, 3))],
            "v": [*REAL, np.ones((5, 3)), np.ones((6, 2, 3)), np.ones((6, 0)), np.ones(6)],
            "beta": [*REAL, np.ones(5)],
            "rule": NAME,
        },
    ),
}
