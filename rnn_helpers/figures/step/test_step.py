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
    rnn_loss,
)

pytestmark = pytest.mark.chapter("03")
META = manifest()["step"]
SYMBOLS = constants("step").ALPHABET
PARAMS = {squash: arrays(params) for squash, params in constants("step").PARAMS.items()}
DEFAULT = META["controls"]["text"]["default"]


def tokens_of(sentence):
    return np.array([SYMBOLS.index(symbol) for symbol in [".", *sentence.split()]])


def run_of(sentence, squash="tanh"):
    return rnn_forward(PARAMS[squash], tokens_of(sentence), nonlinearity=squash)


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
@pytest.mark.parametrize("sentence", ["", "knock", DEFAULT, "giraffe who? giraffe", "knock " * 7])
@pytest.mark.equation("10.12", "10.13", "10.14")
def test_every_step_and_loss_of_a_sentence_matches_the_reference(math, sentence, squash):
    run = run_of(sentence, squash)
    targets = np.array([*tokens_of(sentence)[1:], 0])
    steps = math("read", sentence, squash)
    assert [step["target"] for step in steps] == targets.tolist()
    for t, step in enumerate(steps):
        for name, array in [("a", run.a), ("h", run.h), ("o", run.o), ("yhat", run.yhat)]:
            close(step[name], array[t])
        close(step["hPrev"], run.h_prev[t])
        close(step["loss"], -run.log_yhat[t, targets[t]])
    close(steps[-1]["total"], rnn_loss(run, targets))


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
    ("text", "words"),
    [
        (DEFAULT, ["knock", "knock", "who?"]),
        (" knock who?. ", ["knock", "who?"]),
        ("", []),
        ("knock elephant who?", ["knock", "who?"]),
        ("knock " * 9, ["knock"] * 7),
    ],
)
def test_a_sentence_is_read_with_its_periods_and_each_input_is_the_symbol_before(math, text, words):
    steps = math("read", text)
    assert [SYMBOLS[step["input"]] for step in steps] == [".", *words]
    assert [SYMBOLS[step["target"]] for step in steps] == [*words, "."]


def test_with_sigmoids_it_is_nearly_the_same_network():
    """The initial state of zeros means -1 for the tanh, but the period comes first."""
    for sentence in (DEFAULT, "giraffe knock giraffe knock"):
        tanh, sigmoid = run_of(sentence), run_of(sentence, "sigmoid")
        assert sigmoid.yhat == pytest.approx(tanh.yhat, abs=2e-3)


def test_the_same_word_leads_to_two_predictions():
    """Steps 2 and 3 have the same input and different predictions."""
    run = run_of(DEFAULT)
    assert run.x[1] == run.x[2] == SYMBOLS.index("knock")
    expected = [SYMBOLS[best] for best in run.yhat.argmax(axis=1)]
    assert expected == ["knock", "knock", "who?", "."]


def test_the_period_costs_the_same_after_a_giraffe():
    who, giraffe = (run_of(f"knock knock {word}") for word in ("who?", "giraffe"))
    assert (who.yhat[3] == giraffe.yhat[3]).all()
    assert -giraffe.log_yhat[2, SYMBOLS.index("giraffe")] == pytest.approx(7, abs=0.1)


def test_the_alternative_text_gives_the_numbers_of_the_default_state(math):
    step = math("read", DEFAULT)[0]
    said = [float(text.replace("−", "-")) for text in re.findall(r"−?\d\.\d+", META["alt"])]
    assert said == [round(n, 3) for n in (step["h"][1], max(step["yhat"]), step["loss"])]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"text": "knock elephant"}, "elephant; expected knock"),
        ({"text": "knock " * 8}, "at most 7"),
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
    run = run_of(DEFAULT)
    told = status("step", t=t, node=node).replace("−", "-")
    assert f"probability {run.yhat[t - 1].max():.3f}" in told
    assert f"which is {getattr(run, name)[t - 1, i]:.3f}." in told
