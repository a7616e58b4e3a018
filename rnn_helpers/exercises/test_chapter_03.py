"""The answers of chapter 03's exercises, held against the reference."""

import numpy as np
import pytest

from rnn_helpers.exercises import chapter_03 as answers
from rnn_helpers.reference import (
    hidden_state,
    init_rnn,
    one_hot,
    output,
    rnn_forward,
    rnn_loss,
)


@pytest.fixture
def params():
    rng = np.random.default_rng(1)
    params = init_rnn(4, 4, 4, seed=rng, scale=1.0)
    return {**params, "b": rng.normal(size=4), "c": rng.normal(size=4)}


def test_the_forward_pass_is_the_reference(params):
    tokens = [2, 0, 1, 0]
    assert answers.forward(params, one_hot(tokens, 4)) == pytest.approx(
        rnn_forward(params, tokens).yhat, abs=1e-12
    )


def test_log_probability_is_minus_the_loss(params):
    word = [0, 1, 0, 3]
    run = rnn_forward(params, [2, *word[:-1]])
    assert answers.log_probability(params, word, 2) == pytest.approx(-rnn_loss(run, word))


def test_the_parameters_are_counted_right(params):
    assert answers.count_parameters(4, 4, 4) == sum(array.size for array in params.values())


@pytest.mark.equation("5.5", "10.9")
def test_a_sigmoid_network_converted_to_tanh_gives_the_same_probabilities(params):
    his = [params[name] for name in ("W", "U", "b", "V", "c")]
    ours, h0 = answers.to_tanh(*his)
    tokens = [2, 0, 1, 0, 3]
    assert rnn_forward(ours, tokens, h0=h0).yhat == pytest.approx(
        rnn_forward(params, tokens, nonlinearity="sigmoid").yhat, abs=1e-12
    )


def test_a_loop_through_an_invertible_output_reproduces_figure_10_3(params):
    U, W, V, b, c = (params[name] for name in "UWVbc")
    W_o, b_o = answers.through_output(W, V, b, c)
    x = one_hot([2, 0, 1, 0, 3], 4)
    o, outputs = c, []  # from h^(0) = 0
    for x_t in x:
        o = output(c, V, hidden_state(b_o + W_o @ o + U @ x_t))
        outputs.append(o)
    assert np.array(outputs) == pytest.approx(rnn_forward(params, x).o, abs=1e-9)
