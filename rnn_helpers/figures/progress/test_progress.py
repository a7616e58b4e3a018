"""The figure `progress` shows what the stored network pays and writes, and its words say so."""

import re

import numpy as np
import pytest
from compare import close, status

from rnn_helpers.explore import manifest
from rnn_helpers.figures import stored
from rnn_helpers.figures.manual import trained as manual

pytestmark = pytest.mark.chapter("05")
META = manifest()["progress"]
KEPT = stored("manual")
STAGES = KEPT["stages"]


def test_each_stage_pays_the_sum_of_its_characters(math):
    for at, stage in enumerate(STAGES, start=1):
        close(math("stage", at)["whole"], sum(stage["costs"]))


def test_the_dot_goes_to_the_nearest_stage(math):
    assert [math("nearest", stage["minibatches"]) for stage in STAGES] == [*range(1, 14)]
    assert math("nearest", 0.5) == 1
    assert math("nearest", 10**6) == len(STAGES)
    assert STAGES[math("nearest", 40) - 1]["minibatches"] == 50


def test_known_words_are_cut_out_of_the_text(math):
    words = set(re.findall(r"[A-Za-z]{3,}", manual.flowing(manual.characters("topics").text)))
    for stage in STAGES:
        parts = math("parts", stage)
        assert "".join(part["text"] for part in parts) == stage["wrote"]
        known = [part["text"] for part in parts if part["known"]]
        assert len(known) == len(stage["known"])
        assert set(known) <= words


def test_the_sentence_was_not_in_the_training_text():
    corpus = manual.corpus()
    assert KEPT["alphabet"] == corpus.alphabet
    assert KEPT["sentence"] not in corpus.decode(corpus.train)
    assert KEPT["sentence"] in corpus.decode(corpus.held_out)


def test_the_texts_state_the_numbers():
    first, at = STAGES[0], STAGES[META["controls"]["at"]["default"] - 1]
    bits = [f"{KEPT['tables'][order]:.1f}" for order in "1235"]
    alt = META["alt"]
    assert f"from {first['bits']:.1f} after 1 minibatch" in alt
    assert f"down to {at['bits']:.1f} after {at['minibatches']}" in alt
    assert re.findall(r"\d-gram (\d\.\d)", alt) == bits
    assert f"{sum(at['costs']):.0f} bits" in alt
    assert f"{sum(at['costs']):.0f} bits" in status("progress")


def test_the_prediction_is_true():
    prediction = META["prediction"]
    (shown,) = (stage for stage in STAGES if stage["minibatches"] == 100)
    assert prediction["answer"] == "like words, but hardly any of them exists"
    assert len(shown["known"]) <= 1
    for made_up in ("sutof", "cuppaca", "copand"):
        assert made_up in prediction["why"]
        assert made_up in shown["wrote"]


def test_bits_fall_from_stage_to_stage():
    assert np.diff([stage["bits"] for stage in STAGES]).max() < 0
