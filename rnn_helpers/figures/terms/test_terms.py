"""Tests that the figure terms matches the reference, and that its texts state its numbers."""

import re

import numpy as np
import pytest
from compare import close, status

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants, stored
from rnn_helpers.figures.terms.trained import make
from rnn_helpers.reference import gradient_through_time, rnn_forward

pytestmark = pytest.mark.chapter("13")
META = manifest()["terms"]
TERMS, DRAWN = constants("terms"), {name: np.array(x) for name, x in stored("terms").items()}
KEYS, STEPS = TERMS.WORDS.index("keys"), len(TERMS.WORDS)
DEFAULT = complete("terms", {})


def expected(w, size):
    """Return the states, and the norms of the gradient and of the terms of dL/dW."""
    n = TERMS.N_H
    params = {"W": w * DRAWN["Q"], "U": float(size) * np.eye(n), "V": np.zeros((2, n))}
    params |= {"b": np.zeros(n), "c": np.zeros(2)}
    run = rnn_forward(params, DRAWN["x"])
    grad = gradient_through_time(params, run, DRAWN["g"] / np.linalg.norm(DRAWN["g"]))[1:]
    before = np.vstack([np.zeros(n), run.h[:-1]])
    terms = [np.outer((1 - h**2) * g, h0) for h, g, h0 in zip(run.h, grad, before, strict=True)]
    norms = np.linalg.norm(terms, axis=(1, 2))
    return run.h, np.linalg.norm(grad, axis=1), norms / norms.max()


@pytest.mark.equation("10.8", "10.9", "10.21", "10.26")
@pytest.mark.parametrize("size", ["0.03", "1"])
@pytest.mark.parametrize("w", [0.4, 1, 2.3])
def test_states_gradients_and_terms_match_the_reference(math, w, size):
    now = math("compute", {"w": w, "input": size})
    states, sizes, terms = expected(w, size)
    close(now["states"], states)
    close(now["sizes"], sizes)
    close(now["terms"], terms)
    close(now["bound"], w ** np.arange(STEPS - 1, -1, -1.0))
    close(now["slope"], np.mean(1 - states**2))
    close(now["keys"]["left"], sizes[KEYS])
    close(now["keys"]["weights"] * now["keys"]["slopes"], sizes[KEYS])


def test_the_weights_are_orthogonal_and_can_be_drawn_again():
    close(DRAWN["Q"] @ DRAWN["Q"].T, np.eye(TERMS.N_H), atol=3e-3)
    for name, array in make().items():
        close(array, DRAWN[name])
    same = [i for i, word in enumerate(TERMS.WORDS) if word.lower() == "the"]
    assert np.ptp(DRAWN["x"][same], axis=0).max() == 0


def test_no_gradient_is_above_the_bound(math):
    for w in (0.4, 0.58, 1, 1.5, 2.3):
        now = math("compute", {"w": w, "input": "0.1"})
        assert np.all(np.array(now["sizes"]) <= 1.02 * np.array(now["bound"]))  # rounded weights


def test_the_prediction_and_the_alternative_text_have_the_right_numbers(math):
    assert DEFAULT["w"] == pytest.approx(3**-0.5, abs=0.005)  # what PyTorch's default keeps
    told = [float(text) for text in re.findall(r"0\.\d+", META["alt"])]
    now = math("compute", DEFAULT)
    assert told == [round(now["keys"]["left"], 2), round(now["terms"][KEYS], 2)]
    now = math("compute", {"w": 1, "input": "1"})
    assert META["prediction"]["answer"] == "about a tenth"
    assert now["keys"]["left"] == pytest.approx(0.1, abs=0.02)
    assert round(now["slope"], 1) == 0.6


def test_small_inputs_add_up_as_the_text_says(math):
    assert math("compute", {"w": 1, "input": "0.3"})["keys"]["left"] == pytest.approx(
        1 / 3, abs=0.01
    )


@pytest.mark.slow
def test_the_status_states_what_is_left_at_the_subject():
    _, sizes, terms = expected(2, "0.03")
    said = status("terms", w=2)
    assert f"{sizes[KEYS]:.0f}" in said
    assert f"{terms[KEYS]:.2f} times the largest" in said
