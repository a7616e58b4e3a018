"""The figure hold reads its sentences as the network of the figure step does."""

import re

import numpy as np
import pytest
from compare import close, status

from rnn_helpers.explore import manifest
from rnn_helpers.explore.weights import arrays
from rnn_helpers.figures import constants
from rnn_helpers.reference import rnn_forward

pytestmark = pytest.mark.chapter("03")
META = manifest()["hold"]
STEP = constants("step")


def run(w, n):
    params = arrays(STEP.PARAMS["tanh"])
    params["W"][1, 1] = w
    words = [".", "knock", *["giraffe"] * n, "knock"]
    return rnn_forward(params, np.array([STEP.ALPHABET.index(word) for word in words]))


@pytest.mark.equation("10.8", "10.9", "10.10", "10.11")
@pytest.mark.parametrize("w", [0, 0.5, 1, 1.5, 4])
@pytest.mark.parametrize("n", [0, 3, 12])
def test_each_state_and_prediction_is_that_of_the_reference(math, w, n):
    reference = run(w, n)
    for t, step in enumerate(math("read", w, n)):
        close(step["h"], reference.h[t])
        close(step["yhat"], reference.yhat[t])


def test_with_its_own_weight_the_network_expects_who_after_any_number_of_giraffes():
    w = META["controls"]["w"]["default"]
    assert w == STEP.PARAMS["tanh"]["W"][1][1]
    for n in range(13):
        assert STEP.ALPHABET[run(w, n).yhat[-1].argmax()] == "who?"


def test_the_echo_fades_slowly_with_weight_1_and_at_once_without_a_weight():
    fading = run(1, 10).h[2:, 1]
    assert (np.diff(fading) < 0).all()
    assert fading[-1] > 0.3
    assert not run(0, 10).h[3:, 1].any()


def test_the_numbers_of_the_text():
    """At weight 1.5 the state stops at 0.86, and at 0.5 the network can't decide."""
    assert run(1.5, 12).h[-1, 1] == pytest.approx(0.86, abs=0.005)
    knock, who = run(0.5, 10).yhat[-1][[1, 2]]
    assert knock == pytest.approx(who, abs=0.005)


def test_the_words_give_the_probabilities_of_the_default_state():
    yhat = run(4, 3).yhat[-1]
    assert f"who? has probability {yhat[2]:.2f}" in META["alt"]
    assert re.search(
        rf"who\? has probability {yhat[2]:.2f} and knock has {yhat[1]:.2f}", status("hold")
    )
