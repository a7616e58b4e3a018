"""The figure valley computes the same losses and gradients as the reference."""

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.weights import arrays
from rnn_helpers.figures import constants
from rnn_helpers.reference import rnn_backward, rnn_forward, rnn_loss

pytestmark = pytest.mark.chapter("04")

META = manifest()["valley"]
NETWORK = constants("boats")
X = np.array(NETWORK.SENTENCES["3"])
Y, MASK = np.full(3, NETWORK.VERB), [0, 0, 1]


def network(w):
    return arrays(NETWORK.PARAMS) | {"W": np.array([[w]])}


def loss(w):
    return rnn_loss(rnn_forward(network(w), X), Y, MASK)


def gradient(w):
    params = network(w)
    return rnn_backward(params, rnn_forward(params, X), Y, MASK)["W"][0, 0]


@given(st.floats(-3, 3))
@pytest.mark.equation("10.18", "10.21", "10.26")
def test_loss_and_gradient_equal_the_reference(math, w):
    close(math("loss", w), loss(w))
    close(math("gradient", w), gradient(w))


@pytest.mark.parametrize("eps", [0.001, 0.05, 0.5, 1])
def test_the_quotients_are_those_of_the_reference(math, eps):
    close(math("quotient", eps, "two"), (loss(0.5 + eps) - loss(0.5 - eps)) / (2 * eps))
    close(math("quotient", eps, "one"), (loss(0.5 + eps) - loss(0.5)) / eps)


@pytest.mark.parametrize("eta", [0.1, 1, 3])
def test_each_step_subtracts_the_rate_times_the_gradient(math, eta):
    path = math("path", eta, 3)
    assert path[0] == 0.5
    close(path[1:], [w - eta * gradient(w) for w in path[:-1]])


def test_the_steps_end_where_the_chapter_says(math):
    ends = [math("path", eta, 1)[1] for eta in (0.1, 1, 3)]
    close(ends, [0.423, -0.268, -1.804], atol=5e-4)
    assert loss(ends[1]) < loss(ends[0]) < loss(0.5) < loss(ends[2])


def test_the_prediction_is_true(math):
    wide, near = (abs(math("quotient", eps, "two") - gradient(0.5)) for eps in (0.5, 0.05))
    prediction = META["prediction"]
    assert f"wrong by {wide:.2f}" in prediction["question"]
    assert f"here {near:.4f}" in prediction["why"]
    assert prediction["answer"] == f"about {near:.3f}"
    one = [abs(math("quotient", eps, "one") - gradient(0.5)) for eps in (0.01, 0.001)]
    assert 8 < one[0] / one[1] < 12


def test_the_texts_state_the_numbers(math):
    assert f"slope {gradient(0.5):.3f}" in META["alt"]
    assert f"slope {math('quotient', 0.5, 'two'):.2f}" in META["alt"]
    assert f"the loss is {loss(0.5):.3f}" in META["alt"]
    lowest = min(np.linspace(-2.5, 2.5, 501), key=loss)
    assert f"near W = −{-lowest:.1f}" in META["alt"]
    assert "is 0.6227" in status("valley")
    assert "W is −1.804" in status("valley", view="step", eta=3, steps=1)
