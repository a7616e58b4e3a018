"""Chapter 08's exercises: tests of the solutions, and the tables of tests/declared.py."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from limits import Line, changed

from rnn_helpers.exercises import chapter_08 as answers
from rnn_helpers.reference import (
    best_distribution,
    context_backward,
    context_forward,
    expected_losses,
    init_context,
    output,
    rnn_forward,
    rnn_loss,
    softmax,
    symbols_before,
    total_correlation,
)
from rnn_helpers.reference.context import DOORS

SEEDS = st.integers(0, 999)


def case(seed, door="both", B=3):
    rng = np.random.default_rng(seed)
    params = init_context(3, 4, 5, door, rng, scale=1.0)
    return params, rng.normal(size=(B, 3)), rng.integers(5, size=(6, B))


@given(SEEDS)
def test_a_picture_at_every_step_is_a_bias(seed):
    params, x, y = case(seed, "step")
    run = context_forward(params, x, y)
    for i, b in enumerate(answers.biases(params["b"], params["R"], x)):
        alone = rnn_forward(
            {name: params[name] for name in "UWVc"} | {"b": b}, symbols_before(y[:, i], 5)
        )
        np.testing.assert_allclose(alone.o, run.o[:, i])


@given(SEEDS)
def test_the_best_table_of_bits_apart_is_the_packages(seed):
    table = np.random.default_rng(seed).dirichlet(np.full(8, 0.4)).reshape(2, 2, 2)
    assert total_correlation(answers.apart(table)) == pytest.approx(0, abs=1e-9)
    joint = np.broadcast_to(table / 8, (2,) * 6)  # for any x
    np.testing.assert_allclose(
        answers.apart(table) / 8, best_distribution(joint, "inputs")[0, 0, 0]
    )


@pytest.mark.parametrize("door", DOORS)
@given(seed=SEEDS)
def test_a_caption_is_the_most_likely_word_at_each_step(door, seed):
    params, x, _ = case(seed, door)
    words = ["<END>", *"abcd"]
    written = [words.index(word) for word in answers.caption(params, x[0], words)]
    assert 0 not in written
    written += [0] * (len(written) < 20)
    yhat = context_forward(params, x[0], written).yhat
    np.testing.assert_array_equal(yhat.argmax(axis=-1), written)


@given(SEEDS)
def test_losses_of_padded_sentences_equal_each_alone(seed):
    params, x, y = case(seed)
    loss = answers.caption_loss(context_forward(params, x, y).log_yhat, y, 0)
    expected = 0
    for i, column in enumerate(y.T):
        ends = np.flatnonzero(column == 0)
        whole = column[: ends[0] + 1] if len(ends) else column
        expected += rnn_loss(context_forward(params, x[i], whole), whole)
    assert loss == pytest.approx(expected)


@given(SEEDS)
def test_the_gradient_on_pictures_is_the_packages(seed):
    params, x, y = case(seed)
    run = context_forward(params, x, y)
    expected = context_backward(params, run, x, y)
    b = np.zeros((6, 3, 4))  # a bias for every step and sequence, whose gradient is that on a
    heard, loss = symbols_before(y, 5), []
    for move in (1e-6, -1e-6):
        losses = np.empty(b.shape)
        for place in np.ndindex(b.shape):
            b[place] = move
            h = x @ params["S"].T
            total = 0
            for t in range(6):
                a = params["b"] + b[t] + h @ params["W"].T + heard[t] @ params["U"].T
                h = np.tanh(a + x @ params["R"].T)
                o = params["c"] + h @ params["V"].T
                total += (np.logaddexp.reduce(o, axis=-1) - o[np.arange(3), y[t]]).sum()
            losses[place] = total
            b[place] = 0
        loss.append(losses)
    grad_a = (loss[0] - loss[1]) / 2e-6
    grad_h0 = grad_a[0] @ params["W"]  # through the input of the first step
    found = answers.gradient_on_x(params["R"], params["S"], grad_a, grad_h0)
    np.testing.assert_allclose(found, expected["x"], atol=1e-6)


def test_the_loss_of_reversed_output_matches_the_package():
    bits = np.indices((2,) * 12)
    joint = (bits[6:] == bits[5::-1]).all(axis=0) / 64
    losses = [expected_losses(joint, hears).sum() for hears in ("inputs", "outputs", "all inputs")]
    np.testing.assert_allclose(answers.reversed_losses(), losses, atol=1e-12)


@given(SEEDS)
def test_the_least_loss_is_the_packages(seed):
    joint = np.random.default_rng(seed).dirichlet(np.full(64, 0.4)).reshape((2,) * 6)
    assert answers.least_loss(joint) == pytest.approx(expected_losses(joint, "outputs").sum())


def captions(first=lambda h: h, start=0, fed=None, later=1):
    def caption(params, x, words):
        picture = params["R"] @ x if "R" in params else 0
        h = first(params["S"] @ x if "S" in params else np.zeros(len(params["b"])))
        symbols, written = np.eye(len(words)), []
        word = start * symbols[0]
        while len(written) < 20:
            h = np.tanh(params["b"] + params["W"] @ h + params["U"] @ word + picture)
            o = params["c"] + params["V"] @ h
            if o.argmax() == 0:
                break
            written.append(words[o.argmax()])
            word = fed(o) if fed else symbols[o.argmax()]
            picture = later * picture
        return written

    return caption


TYPICAL = {
    "08-caption": {
        "a tanh on the first state": captions(first=np.tanh),
        "the end as the first input": captions(start=1),
        "probabilities fed back": captions(fed=softmax),
        "the picture at the first step alone": captions(later=0),
    }
}


def of_captions():
    """Words in a list or a tuple, but neither one too few nor the end as well."""
    in_a_tuple = changed("08-caption", tuple)
    one_less = changed("08-caption", lambda said: said[:-1])
    with_end = changed("08-caption", lambda said: [*said, "<END>"])
    return Line([in_a_tuple], [one_less, with_end])


LIMITS = {
    "08-caption": of_captions,
    "08-even": (0.0045, 0.0055),
    "08-lookup": (5e-7, 2e-6),
    "08-reversed": (0.004, 0.006),
}
BORROWED = {"08-bias": output}
EQUIVALENT = {
    "08-loss": [
        # The last axis is the default of take_along_axis.
        "…at, y[..., None], axis=-1)[..., 0] -> …at, y[..., None])[..., 0]",
        # The last axis has a single entry, which is both the first and the last.
        "…, axis=-1)[..., 0] -> …, axis=-1)[..., -1]",
    ],
}
