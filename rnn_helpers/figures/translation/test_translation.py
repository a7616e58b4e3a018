"""The figure translation computes as the reference does, and its words state its numbers."""

from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import stored
from rnn_helpers.figures.translation import figure as translation
from rnn_helpers.figures.translation.trained import END, LARGEST, NAMES, corpus, make, vocabularies

pytestmark = pytest.mark.chapter("10")
close = partial(compare.close, atol=1e-9)
META = manifest()["translation"]
DEFAULT = complete("translation", {})
NETWORK = translation.network()
sentences = st.lists(st.sampled_from(stored("translation")["english"]), min_size=1, max_size=6)


def test_the_words_and_weights_are_those_of_the_recipe():
    kept = stored("translation")
    assert [kept["english"], kept["french"]] == list(vocabularies())
    assert END == translation.END == kept["french"][-1]
    assert set(kept["network"]["shapes"]) == set(NAMES)
    for array, scale in zip(NETWORK.values(), kept["network"]["scales"], strict=True):
        assert np.abs(array).max() <= (LARGEST + 1e-9) * scale


def test_no_sentence_is_in_both_halves_and_hear_and_rain_meet_in_one_alone():
    known, others = corpus()
    assert not set(known) & set(others)
    assert stored("translation")["measured"]["known"] == len(set(known))
    assert stored("translation")["measured"]["others"] == len(others)
    together = [source for source, _ in known if {"hear", "rain"} <= set(source)]
    assert together == []
    assert (("we", "hear", "rain"), ("nous", "entendons", "la", "pluie")) in others


@given(sentences)
def test_it_translates_as_the_reference_does(math, source):
    ours = math("translate", source)
    written, weights = translation.translate(NETWORK, source)
    assert ours["written"] == written
    close([step["weights"] for step in ours["steps"]], weights)


def test_unknown_words_are_left_out(math):
    text = "We HEAR  purple rain"
    assert math("known", text) == {"source": ["we", "hear", "rain"], "strange": ["purple"]}
    assert translation.known(text) == ["we", "hear", "rain"]
    assert math("translate", [])["written"] == []


def test_the_shown_network_is_as_accurate_as_stored_and_the_median_one():
    measured = stored("translation")["measured"]
    shares = [row["right"] for row in measured["networks"]]
    shown = shares[measured["seed"]]
    assert sum(share < shown for share in shares) <= len(shares) / 2
    assert sum(share > shown for share in shares) <= len(shares) / 2
    _, others = corpus()
    right = [translation.translate(NETWORK, source)[0] == list(target) for source, target in others]
    assert round(float(np.mean(right)), 3) == shown


def test_alternative_text_prediction_and_status_state_the_weights():
    source, t = translation.known(DEFAULT["source"]), DEFAULT["t"]
    written, weights = translation.translate(NETWORK, source)
    for row, word in zip(weights[:t], written, strict=False):
        assert f"{word}, {', '.join(f'{w:.2f}' for w in row)}" in META["alt"]
    article = weights[written.index("la")]
    assert source[article.argmax()] == META["prediction"]["answer"] == "rain"
    assert f"a weight of {article.max():.2f}" in META["prediction"]["why"]
    said = compare.status("translation")
    assert f"Step {t} of the decoder writes {written[t - 1]} with probability" in said
    assert f"has the largest weight, {weights[t - 1].max():.2f}" in said


@pytest.mark.slow
def test_the_training_recipe_runs():
    pytest.importorskip("torch")
    made = make(networks=1, steps=2)
    assert made["network"]["shapes"] == stored("translation")["network"]["shapes"]
