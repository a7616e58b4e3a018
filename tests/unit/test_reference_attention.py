"""Looking back: scores, softmax, average; and a reader and a writer that are trained as one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import RUN, UNFIT_SEQUENCE, UNFIT_WRITER, WRITER, P, Y, assert_gradients
from refusals import (
    COUNT,
    NAME,
    NO_SEED,
    REAL,
    TOKENS,
)

from rnn_helpers.reference import (
    additive_scores,
    attention_backward,
    attention_forward,
    attention_weights,
    dot_scores,
    grad_averaged,
    grad_scores,
    init_attention,
    init_context,
    init_rnn,
    rnn_loss,
    softmax,
    translate_backward,
    translate_forward,
    weighted_average,
)

SCORES = ["dot", "additive"]
DOORS = ["step", "start", "both"]


def looking(score, B=3, m=6, n_c=4):
    """Parameters, annotations (m, B, n_c) and sequences (5, B)."""
    rng = np.random.default_rng(1)
    params = init_attention(n_c, n_h=7, n_y=5, score=score, n_a=3, seed=2)
    params["b"], params["c"] = rng.normal(size=7), rng.normal(size=5)
    return params, rng.normal(size=(m, B, n_c)), rng.integers(5, size=(5, B))


def by_the_book(params, annotations, y):
    """Return one sequence's probabilities and weights, symbol by symbol."""
    h, said = np.zeros(7), np.zeros(5)
    for symbol in y:
        if "K" in params:
            asked = [np.tanh(params["Q"] @ h + params["K"] @ a) @ params["v"] for a in annotations]
        else:
            asked = [a @ params["Q"] @ h for a in annotations]
        weights = np.exp(asked) / np.exp(asked).sum()
        context = sum(weight * a for weight, a in zip(weights, annotations, strict=True))
        told = params["U"] @ said + params["R"] @ context
        h = np.tanh(params["b"] + params["W"] @ h + told)
        yield softmax(params["c"] + params["V"] @ h), weights
        said = np.eye(5)[symbol]


@pytest.mark.parametrize("score", SCORES)
def test_each_step_is_scores_softmax_average(score):
    params, annotations, y = looking(score)
    run = attention_forward(params, annotations, y)
    for one in range(3):
        yhat, weights = zip(*by_the_book(params, annotations[:, one], y[:, one]), strict=True)
        np.testing.assert_allclose(run.yhat[:, one], yhat, atol=1e-12)
        np.testing.assert_allclose(run.weights[..., one], weights, atol=1e-12)
        alone = attention_forward(params, annotations[:, one], y[:, one])
        np.testing.assert_allclose(alone.yhat, yhat, atol=1e-12)


def look(scores, annotations):
    """Weights, and the context that they make."""
    weights = attention_weights(scores)
    return weights, weighted_average(weights, annotations)


def torch_loss(params, annotations, y, mask):
    """The same network, its gradients left to PyTorch."""
    import torch

    h = torch.zeros(y.shape[1], len(params["b"]), dtype=torch.float64)
    said, loss = torch.zeros(y.shape[1], len(params["c"]), dtype=torch.float64), 0
    for t, symbols in enumerate(torch.tensor(y)):
        if "K" in params:
            units = torch.tanh(h @ params["Q"].T + annotations @ params["K"].T)
            scores = units @ params["v"]
        else:
            scores = (annotations * (h @ params["Q"].T)).sum(-1)
        context = (torch.softmax(scores, dim=0)[..., None] * annotations).sum(0)
        a = params["b"] + h @ params["W"].T + said @ params["U"].T + context @ params["R"].T
        h = torch.tanh(a)
        o = h @ params["V"].T + params["c"]
        each = torch.nn.functional.cross_entropy(o, symbols, reduction="none")
        loss = loss + each[torch.tensor(mask[t])].sum()
        said = torch.nn.functional.one_hot(symbols, len(params["c"])).double()
    return loss


@pytest.mark.parametrize("score", SCORES)
def test_gradients_by_hand_match_autograd(score):
    import torch

    params, annotations, y = looking(score)
    mask = np.arange(5)[:, None] < [5, 2, 4]
    grads = attention_backward(
        params, attention_forward(params, annotations, y), annotations, y, mask
    )
    leaves = {name: torch.tensor(value, requires_grad=True) for name, value in params.items()}
    read = torch.tensor(annotations, requires_grad=True)
    torch_loss(leaves, read, y, mask).backward()
    np.testing.assert_allclose(grads["annotations"], read.grad, atol=1e-12)
    for name, leaf in leaves.items():
        np.testing.assert_allclose(grads[name], leaf.grad, atol=1e-12)


@given(score=st.sampled_from(SCORES), seed=st.integers(0, 10**6))
def test_gradients_match_finite_differences(score, seed):
    params, annotations, y = looking(score, B=1)
    annotations, y = annotations[:, 0], y[:, 0]
    whole = params | {"annotations": annotations}
    grads = attention_backward(params, attention_forward(params, annotations, y), annotations, y)

    def loss(moved):
        return rnn_loss(attention_forward(moved, moved["annotations"], y), y)

    assert_gradients(loss, whole, grads, seed)


@given(seed=st.integers(0, 10**6), order=st.permutations(range(6)))
def test_what_is_read_is_a_set(seed, order):
    """Weights go with their annotations: in another order the average is the same."""
    rng = np.random.default_rng(seed)
    annotations, h = rng.normal(size=(6, 4)), rng.normal(size=7)
    Q = rng.normal(size=(4, 7))
    weights, context = look(dot_scores(Q, h, annotations), annotations)
    other, same = look(dot_scores(Q, h, annotations[order]), annotations[order])
    np.testing.assert_allclose(other, weights[order], atol=1e-12)
    np.testing.assert_allclose(same, context, atol=1e-12)
    assert weights.sum() == pytest.approx(1)


def test_equal_scores_average_and_one_large_score_picks():
    annotations = np.arange(12.0).reshape(4, 3)
    np.testing.assert_allclose(look(np.zeros(4), annotations)[1], annotations.mean(axis=0))
    np.testing.assert_allclose(look([0, 0, 800.0, 0], annotations)[1], annotations[2])


def test_scores_share_in_the_gradient_by_their_weights():
    """An annotation with weight 0 gets no gradient; a common shift of all scores has none."""
    annotations = np.random.default_rng(0).normal(size=(4, 3))
    weights, _ = look([0.0, 1.0, -800.0, 0.5], annotations)
    received = grad_scores(weights, annotations, np.ones(3))
    assert received[2] == 0
    assert received.sum() == pytest.approx(0)
    averaged = grad_averaged(weights, np.ones(3))
    np.testing.assert_allclose(averaged, np.outer(weights, np.ones(3)))


def test_dot_products_match_pytorch():
    """`scaled_dot_product_attention` divides by the root of n; Q can hold that root."""
    import torch

    rng = np.random.default_rng(3)
    annotations, h = rng.normal(size=(6, 4)), rng.normal(size=4)
    _, context = look(dot_scores(np.eye(4) / 2, h, annotations), annotations)
    keys = torch.tensor(annotations)[None]
    theirs = torch.nn.functional.scaled_dot_product_attention(
        torch.tensor(h)[None, None], keys, keys
    )
    np.testing.assert_allclose(context, theirs[0, 0], atol=1e-12)


def test_additive_scores_are_those_of_their_formula():
    rng = np.random.default_rng(4)
    Q, K, v = rng.normal(size=(3, 7)), rng.normal(size=(3, 4)), rng.normal(size=3)
    h, annotations = rng.normal(size=7), rng.normal(size=(6, 4))
    expected = [v @ np.tanh(Q @ h + K @ a) for a in annotations]
    np.testing.assert_allclose(additive_scores(Q, K, v, h, annotations), expected)


# ---- reader and writer ----


def pair(kind, B=3):
    rng = np.random.default_rng(5)
    reader = init_rnn(n_x=6, n_h=5, n_y=4, seed=0)
    if kind in DOORS:
        writer = init_context(n_x=4, n_h=7, n_y=5, door=kind, seed=1)
    else:
        writer = init_attention(n_c=4, n_h=7, n_y=5, score=kind, n_a=3, seed=1)
    return reader, writer, rng.integers(6, size=(8, B)), rng.integers(5, size=(5, B))


@pytest.mark.parametrize("kind", [*DOORS, *SCORES])
def test_reader_and_writer_learn_as_one_network(kind):
    """Quotients in random directions, over both networks at once, eight symbols to five."""
    reader, writer, x, y = pair(kind)
    mask = np.arange(5)[:, None] < [5, 2, 4]
    grads = translate_backward(reader, writer, translate_forward(reader, writer, x, y), y, mask)

    def joined(pair):
        return {(k, name): array for k in (0, 1) for name, array in pair[k].items()}

    def loss(moved):
        parts = ({name: moved[k, name] for name in part} for k, part in enumerate((reader, writer)))
        return rnn_loss(translate_forward(*parts, x, y).writer, y, mask)

    assert_gradients(loss, joined((reader, writer)), joined(grads))
    for one, params in zip(grads, (reader, writer), strict=True):
        assert {name: grad.shape for name, grad in one.items()} == {
            name: value.shape for name, value in params.items()
        }


@pytest.mark.parametrize("kind", DOORS)
def test_a_decoder_without_attention_receives_only_the_last_annotation(kind):
    """Figure 10.12: the decoder only receives C."""
    reader, writer, x, y = pair(kind, B=1)
    run = translate_forward(reader, writer, x, y)
    other = np.random.default_rng(7).integers(6, size=(30, 1))
    far = translate_forward(reader, writer, other, y)
    assert not np.allclose(far.writer.o, run.writer.o)
    reader["W"] = np.zeros_like(reader["W"])  # an encoder that keeps only its last symbol
    other[-1] = x[-1]
    np.testing.assert_allclose(
        translate_forward(reader, writer, other, y).writer.o,
        translate_forward(reader, writer, x, y).writer.o,
    )


READ = np.linspace(-1, 1, 8).reshape(4, 2)
LOOKING = init_attention(2, 4, 3, seed=0)
LOOKING_RUN = attention_forward(LOOKING, READ, Y)
UNFIT_READ = [*REAL, 3, [1.0, 2.0], np.zeros((4, 5)), np.zeros((0, 2))]
READER = init_rnn(3, 4, 2, seed=0)
TRANSLATION = translate_forward(READER, LOOKING, [0, 2, 1, 1], Y)

REFUSALS = {
    init_attention: (
        {"n_c": 2, "n_h": 4, "n_y": 3, "score": "additive", "n_a": 3, "seed": 0, "scale": 0.5},
        {
            "n_c": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "score": NAME,
            "n_a": [value for value in COUNT if value is not None],
            "seed": NO_SEED,
            "scale": [-1.0],
        },
    ),
    dot_scores: (
        {"Q": LOOKING["Q"], "h": np.ones(4), "annotations": READ},
        {"Q": REAL, "h": REAL, "annotations": REAL},
    ),
    additive_scores: (
        {
            "Q": np.eye(4),
            "K": np.ones((4, 2)),
            "v": np.ones(4),
            "h": np.ones(4),
            "annotations": READ,
        },
        {"Q": REAL, "K": REAL, "v": REAL, "h": REAL, "annotations": REAL},
    ),
    attention_weights: ({"scores": [0.5, 1.0, 2.0]}, {"scores": REAL}),
    weighted_average: (
        {"weights": [0.1, 0.2, 0.3, 0.4], "annotations": READ},
        {"weights": REAL, "annotations": REAL},
    ),
    grad_scores: (
        {"weights": [0.1, 0.2, 0.3, 0.4], "annotations": READ, "grad_context": [1.0, 2.0]},
        {"weights": REAL, "annotations": REAL, "grad_context": REAL},
    ),
    grad_averaged: (
        {"weights": [0.1, 0.2, 0.3, 0.4], "grad_context": [1.0, 2.0]},
        {"weights": REAL, "grad_context": REAL},
    ),
    attention_forward: (
        {"params": LOOKING, "annotations": READ, "y": Y},
        {"params": [*UNFIT_WRITER, WRITER], "annotations": UNFIT_READ, "y": UNFIT_SEQUENCE},
    ),
    attention_backward: (
        {"params": LOOKING, "run": LOOKING_RUN, "annotations": READ, "y": Y, "mask": None},
        {
            "params": [*UNFIT_WRITER, WRITER],
            "run": [None, 3, {}, P, RUN],
            "annotations": UNFIT_READ,
            "y": TOKENS,
            "mask": [["a"], [1], 3],
        },
    ),
    translate_forward: (
        {"reader": READER, "writer": LOOKING, "x": [0, 2, 1, 1], "y": Y},
        {"writer": [None, 3], "x": [None, "a", [9]], "y": UNFIT_SEQUENCE},
    ),
    translate_backward: (
        {"reader": READER, "writer": LOOKING, "run": TRANSLATION, "y": Y, "mask": None},
        {"writer": [None, 3], "run": [None, 3, RUN], "y": TOKENS, "mask": [["a"], [1], 3]},
    ),
}
