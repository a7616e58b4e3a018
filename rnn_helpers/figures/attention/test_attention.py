"""The figure attention computes as the reference does, and its words state its numbers."""

from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import stored
from rnn_helpers.figures.attention import figure as attention
from rnn_helpers.figures.attention.trained import LARGEST, SOURCE, WRITE, make, names
from rnn_helpers.reference import softmax

pytestmark = pytest.mark.chapter("10")
close = partial(compare.close, atol=1e-9)
META = manifest()["attention"]
DEFAULT = complete("attention", {})
NETWORKS = {way: attention.network(way) for way in WRITE}
every_way = pytest.mark.parametrize("way", WRITE)
texts = st.text(stored("attention")["alphabet"], min_size=1, max_size=12)


@every_way
def test_the_weights_fit_eight_bits_and_the_alphabet_is_the_tasks(way):
    kept = stored("attention")["networks"][way]
    assert list(kept["shapes"]) == names(way)
    for array, scale in zip(NETWORKS[way].values(), kept["scales"], strict=True):
        assert np.abs(array).max() <= (LARGEST + 1e-9) * scale
    assert stored("attention")["alphabet"] == SOURCE.alphabet


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(list(WRITE)), texts, st.integers(-1, 10), st.integers(0, 99))
def test_every_step_agrees_with_the_reference(math, way, text, before, seed):
    notes = attention.read(NETWORKS[way], text)
    close(math("read", way, text), notes)
    h = np.tanh(np.random.default_rng(seed).normal(size=len(NETWORKS[way]["h0"])))
    ours = math("step", way, notes.tolist(), before, h.tolist(), 1.5)
    scores, weights, context, state, o = attention.step(NETWORKS[way], notes, before, h, 1.5)
    close(ours["scores"], scores)
    close(ours["weights"], weights)
    close(ours["context"], context)
    close(ours["h"], state)
    close(ours["yhat"], softmax(o))


@settings(max_examples=20, deadline=None)
@given(texts, st.data(), st.integers(0, 99))
def test_the_arithmetic_of_a_weight_agrees_with_the_reference(math, text, data, seed):
    params, k = NETWORKS["attention"], data.draw(st.integers(1, len(text)))
    sharpness = data.draw(st.sampled_from([0, 0.5, 1, 4]))
    notes = attention.read(params, text)
    h = np.tanh(np.random.default_rng(seed).normal(size=len(params["h0"])))
    scores, weights, context, _, _ = attention.step(params, notes, None, h, sharpness)
    now = {"step": math("step", "attention", notes.tolist(), -1, h.tolist(), sharpness)}
    now |= {"notes": notes.tolist(), "k": k, "sharpness": sharpness}
    ours = math("sums", now)
    close(sum(ours["products"]), scores[k - 1])
    close(ours["products"], notes[k - 1] * (params["Q"] @ h))
    close(ours["top"], scores.max())
    close(ours["power"] / ours["whole"], weights[k - 1])
    close(ours["terms"], weights * notes[:, 0])
    close(sum(ours["terms"]), context[0])
    size = np.abs(ours["products"])
    assert sorted(size)[-3:] == sorted(size[ours["largest"]])


@every_way
@pytest.mark.parametrize("text", ["3/4/05", "apr 3, 2005", "3 avr. 2005"])
def test_the_output_agrees_with_python(math, way, text):
    made = attention.translate(NETWORKS[way], text)
    ours = math("translate", way, text)
    assert ours["written"] == made.written
    close([step["yhat"] for step in ours["steps"]], made.yhat)
    theirs = attention.readings(NETWORKS[way], text)
    assert [date for date, _ in math("readings", way, text)] == [date for date, _ in theirs]
    close([p for _, p in math("readings", way, text)], [p for _, p in theirs])
    assert sum(p for _, p in theirs) <= 1 + 1e-9


def test_an_empty_text_has_no_output(math):
    assert math("translate", "attention", "")["written"] == ""
    assert math("readings", "attention", "") == []
    assert math("cleaned", "Apr 3!") == attention.cleaned("Apr 3!") == "apr 3"


def test_the_networks_are_of_one_size_and_as_accurate_as_stored():
    said = stored("attention")["measured"]
    sizes = [said[way]["parameters"] for way in WRITE]
    assert max(sizes) / min(sizes) < 1.02
    new, dates = SOURCE.pairs(100, 2)
    for way, params in NETWORKS.items():
        assert said[way]["parameters"] == sum(array.size for array in params.values())
        right = [
            attention.translate(params, text).written == date
            for text, date in zip(new, dates, strict=True)
        ]
        assert abs(np.mean(right) - said[way]["right"]) < 0.07


def test_the_prediction_states_the_probabilities_of_both_readings():
    why = META["prediction"]["why"]
    (first, p), (second, q) = attention.readings(NETWORKS["attention"], "3/4/05")[:2]
    assert f"{first} has probability {p:.2f} and {second} has {q:.2f}" in why
    assert {first, second} == set(SOURCE.readings("3/4/05"))
    assert set(SOURCE.readings("3/4/05").values()) == {0.5}
    fixed, p = attention.readings(NETWORKS["fixed"], "3/4/05")[0]
    assert f"it gives {fixed} the probability {p:.2f}" in why


def test_the_alternative_text_states_the_largest_weights():
    text, t = attention.cleaned(DEFAULT["date"]), DEFAULT["t"]
    made = attention.translate(NETWORKS["attention"], text)
    largest = [f"{text[w.argmax()]} ({w.max():.2f})" for w in made.weights[:t]]
    assert ", ".join(largest) in META["alt"]
    assert f"written so far, {made.written[:t]}." in META["alt"]
    assert (made.weights[t - 1].argmax(), text[DEFAULT["k"] - 1]) == (DEFAULT["k"] - 1, "p")


@pytest.mark.slow
def test_the_training_recipe_runs():
    pytest.importorskip("torch")
    made = make(steps=2, known=100, tested=20)
    for way, kept in made["networks"].items():
        assert kept["shapes"] == stored("attention")["networks"][way]["shapes"]


def test_the_status_states_the_step_as_python_computes_it():
    t, text = DEFAULT["t"], attention.cleaned(DEFAULT["date"])
    made = attention.translate(NETWORKS["attention"], text)
    said = compare.status("attention")
    assert f"Step {t} writes {made.written[t - 1]} with probability" in said
    assert f"has weight {made.weights[t - 1][DEFAULT['k'] - 1]:.2f}" in said
