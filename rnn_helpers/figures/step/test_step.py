"""The figure step computes what the reference computes, at every step and for every node."""

import re

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.weights import arrays
from rnn_helpers.figures import constants
from rnn_helpers.reference import (
    hidden_state,
    init_rnn,
    output,
    preactivation,
    probabilities,
    rnn_forward,
)

pytestmark = pytest.mark.chapter("03")
META = manifest()["step"]
CONSTANTS = constants("step")
SYMBOLS, PARAMS = CONSTANTS.ALPHABET, arrays(CONSTANTS.PARAMS)


def tokens_of(string):
    return np.array([SYMBOLS.index(symbol) for symbol in ["<s>", *string]])


@st.composite
def cells(draw):
    sizes = [draw(st.integers(1, 5)) for _ in range(3)]
    scale = draw(st.sampled_from([0.1, 1.0, 30.0]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    params = init_rnn(*sizes, seed=rng, scale=scale)
    params["b"], params["c"] = rng.normal(size=sizes[1]), rng.normal(size=sizes[2])
    squash = draw(st.sampled_from(["tanh", "sigmoid"]))
    return params, rng, squash


@given(cells())
@pytest.mark.equation("10.8", "10.9", "10.10", "10.11", "5.5", "5.7", "5.8")
def test_a_step_from_any_state_matches_the_reference(math, cell):
    params, rng, squash = cell
    x, h_prev = rng.normal(size=params["U"].shape[1]), rng.normal(size=len(params["b"]))
    step = math("step", params, x, h_prev, squash)
    close(step["a"], preactivation(params["b"], params["W"], h_prev, params["U"] @ x))
    close(step["h"], hidden_state(np.array(step["a"]), squash))
    close(step["o"], output(params["c"], params["V"], np.array(step["h"])))
    close(step["yhat"], probabilities(np.array(step["o"])))


@pytest.mark.parametrize("squash", ["tanh", "sigmoid"])
@pytest.mark.parametrize("string", ["", "a", "aba", "bbbb", "abababababab"])
def test_every_step_of_a_string_matches_the_reference(math, string, squash):
    run = rnn_forward(PARAMS, tokens_of(string), nonlinearity=squash)
    read = math("read", string)
    steps = math("forward", PARAMS, read["inputs"], squash)
    assert len(steps) == len(string) + 1
    for t, step in enumerate(steps):
        for name, array in [("a", run.a), ("h", run.h), ("o", run.o), ("yhat", run.yhat)]:
            close(step[name], array[t])
        close(step["hPrev"], run.h_prev[t])


@given(cells())
def test_the_terms_shown_add_up_to_the_number_at_the_node(math, cell):
    params, rng, squash = cell
    x, h_prev = np.eye(params["U"].shape[1])[0], rng.normal(size=len(params["b"]))
    step = math("step", params, x, h_prev, squash)
    for kind in "ao":
        for i, value in enumerate(step[kind]):
            terms = math("terms", params, step, kind, i)
            assert all(t["product"] == t["weight"] * t["value"] for t in terms)
            close(sum(t["product"] for t in terms), value)


@pytest.mark.parametrize(
    ("text", "inputs", "targets", "strange", "cut"),
    [
        ("aba", [2, 0, 1, 0], [0, 1, 0, 3], [], False),
        (" aba</s> ", [2, 0, 1, 0], [0, 1, 0, 3], [], False),
        ("", [2], [3], [], False),
        ("</s>", [2], [3], [], False),
        ("a?b?é", [2, 0, 1], [0, 1, 3], ["?", "é"], False),
        ("a" * 13, [2] + [0] * 12, [0] * 12 + [3], [], True),
    ],
)
def test_a_string_is_read_with_its_marks_and_each_input_is_the_symbol_before(
    math, text, inputs, targets, strange, cut
):
    read = math("read", text)
    assert read == {"inputs": inputs, "targets": targets, "strange": strange, "cut": cut}
    assert read["inputs"][1:] == read["targets"][:-1]


def test_all_weights_give_finite_numbers(math):
    huge = {name: (1e6 * array).tolist() for name, array in PARAMS.items()}
    for squash in ("tanh", "sigmoid"):
        for step in math("forward", huge, [2, 0, 1, 0], squash):
            assert all(value is not None for values in step.values() for value in values)
            assert sum(step["yhat"]) == pytest.approx(1)


@pytest.mark.parametrize("squash", ["tanh", "sigmoid"])
def test_the_same_symbol_leads_to_the_predictions_that_the_answer_names(squash):
    """Steps 2 and 4 have the same input and different predictions."""
    run = rnn_forward(PARAMS, tokens_of("aba"), nonlinearity=squash)
    assert run.x[1] == run.x[3] == SYMBOLS.index("a")
    expected = [SYMBOLS[best] for best in run.yhat.argmax(axis=1)]
    assert expected == ["a", "b", "a", "</s>"]
    assert META["prediction"]["answer"] == expected[3]
    if squash == "tanh":  # the answer describes the change of unit 2's sum
        before, after = (f"{run.a[t, 1]:.2f}".replace("-", "−") for t in (1, 3))
        assert f"from {before} into {after}" in META["prediction"]["why"]


def test_the_alternative_text_gives_the_numbers_of_the_default_state():
    run = rnn_forward(PARAMS, tokens_of("aba"))
    t = META["controls"]["t"]["default"] - 1
    said = [float(text.replace("−", "-")) for text in re.findall(r"−?\d\.\d+", META["alt"])]
    assert said == [round(n, 3) for n in (run.a[t, 0], run.h[t, 0], run.yhat[t].max())]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"text": "abc"}, "expected a and b"),
        ({"text": "a" * 13}, "at most 12"),
        ({"t": 5}, "the steps 1 to 4"),
        ({"node": "h3"}, "node"),
        ({"squash": "relu"}, "squash"),
    ],
)
def test_a_state_that_cannot_be_shown_is_refused(state, words):
    with pytest.raises(ValueError, match=words):
        show("step", **state)


@pytest.mark.parametrize(("t", "node", "name", "i"), [(2, "a2", "a", 1), (3, "o3", "o", 2)])
def test_its_words_give_the_number_and_the_probability(t, node, name, i):
    run = rnn_forward(PARAMS, tokens_of("aba"))
    told = status("step", t=t, node=node).replace("−", "-")
    assert f"probability {run.yhat[t - 1].max():.3f}" in told
    assert f"which is {getattr(run, name)[t - 1, i]:.3f}." in told
