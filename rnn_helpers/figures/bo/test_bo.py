"""The figure bo runs its networks as Python does, and finds the same possible words."""

from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import unpacked
from rnn_helpers.figures import stored
from rnn_helpers.figures.bo import figure as bo
from rnn_helpers.figures.bo.trained import LARGEST, TASK, make

pytestmark = pytest.mark.chapter("09")
close = partial(compare.close, atol=1e-9)
DEFAULT = complete("bo", {})
META = manifest()["bo"]
MEASURED = stored("bo")["measured"]
KINDS = ("past", "both")
every_kind = pytest.mark.parametrize("kind", KINDS)


@st.composite
def utterances(draw):
    text = "".join(draw(st.lists(st.sampled_from(TASK.words), min_size=1, max_size=4)))
    return text[: draw(st.integers(1, min(len(text), 24)))]


def test_the_figure_has_the_words_of_the_task():
    assert tuple(stored("bo")["words"]) == TASK.words
    assert stored("bo")["letters"] == TASK.letters


@every_kind
def test_the_weights_are_integers_of_eight_bits(kind):
    kept = bo.network(kind)
    for array, scale in zip(unpacked(kept).values(), kept["scales"], strict=True):
        assert np.abs(array).max() <= (LARGEST + 1e-9) * scale


@every_kind
@given(text=utterances())
def test_every_probability_matches_python(math, kind, text):
    close(math("bets", kind, text), bo.bets(bo.network(kind), text))


@given(text=utterances(), both=st.booleans())
def test_the_possible_words_are_the_tasks(math, text, both):
    ours = TASK.bets(TASK.read(text), None if both else 0)
    close(math("possible", text, both), ours)


@given(st.text("bolety w", max_size=9))
def test_a_text_is_accepted_if_it_consists_of_words(math, typed):
    text = bo.spoken(typed)
    assert math("spoken", typed) == text
    try:
        TASK.bets(TASK.read(text))
    except ValueError:
        assert math("split", text) is None or not text
    else:
        assert (math("split", text) or []) != [] or not text


@every_kind
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(100, 999))
def test_the_networks_are_as_good_as_stated(kind, seed):
    x, y = next(TASK.batches(24, 60, seed))
    said = [bo.bets(bo.network(kind), TASK.spell(one)).argmax(1) for one in x.T]
    assert abs(np.mean(said == y.T) - MEASURED[kind][0]) < 0.08
    assert abs(MEASURED[kind][0] - MEASURED[kind][1]) < 0.01


@given(utterances())
def test_a_network_of_the_past_never_changes_an_output(text):
    whole = bo.bets(bo.network("past"), text)
    for n in range(1, len(text) + 1):
        close(bo.bets(bo.network("past"), text[:n]), whole[:n])


def test_the_texts_state_the_numbers_of_the_figure():
    assert (DEFAULT["text"], DEFAULT["heard"], DEFAULT["at"]) == ("bottle", 2, 1)
    assert META["prediction"]["answer"] == "the bidirectional network"
    at = TASK.words.index("bottle")
    past, both = (bo.bets(bo.network(kind), "bottle")[0, at] for kind in KINDS)
    assert abs(past - 0.1) < 0.02
    assert both > 0.95
    begun = [bo.bets(bo.network(kind), "bo")[0] for kind in KINDS]
    assert np.abs(np.array(begun) - 0.1).max() < 0.03


@pytest.mark.parametrize(
    ("text", "heard", "at", "word"), [("bottle", 2, 1, "bottle"), ("Boy boost", 7, 6, "boost")]
)
def test_the_status_states_the_probability_of_the_word_in_each_network(text, heard, at, word):
    told = compare.status("bo", text=text, heard=heard, at=at)
    for kind, name in zip(KINDS, ("forward", "bidirectional"), strict=True):
        said = bo.bets(bo.network(kind), bo.spoken(text)[:heard])[at - 1]
        given = f"the {name} network gives “{word}” probability {said[TASK.words.index(word)]:.2f}"
        assert given in told


@pytest.mark.parametrize("text", ["cat", "boyx"])
def test_a_text_with_other_words_is_refused(text):
    with pytest.raises(ValueError, match="text"):
        show("bo", text=text)


@pytest.mark.slow
def test_the_training_recipe_runs():
    pytest.importorskip("torch")
    made = make(steps=2, tested=5)
    for kind, kept in made["networks"].items():
        assert kept["shapes"] == bo.network(kind)["shapes"]
