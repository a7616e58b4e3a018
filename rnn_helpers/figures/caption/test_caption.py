"""The figure caption describes pictures as Python does, and states its true accuracy."""

from functools import partial

import compare
import numpy as np
import pytest
from books import BOOK
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.figures import stored
from rnn_helpers.figures.caption import figure as caption
from rnn_helpers.figures.caption.trained import ink, make
from rnn_helpers.tasks import TwoDigits

pytestmark = pytest.mark.chapter("08")
close = partial(compare.close, atol=1e-9)
META = manifest()["caption"]
WORDS = caption.CONSTANTS.WORDS
EYE = caption.network("eye")
doors = st.sampled_from(caption.CONSTANTS.DOORS)
places = st.sampled_from(TwoDigits.PLACES)
texts = st.one_of(st.sampled_from("0123456789"), st.text("0123456789abcdef", max_size=64))


def sentence(said):
    return " ".join(WORDS[k] for k in said.words[:-1])


@pytest.mark.parametrize("part", ["eye", *caption.CONSTANTS.DOORS])
def test_the_weights_are_the_stored_ones(math, part):
    ours = math("network", part)
    for name, array in caption.network(part).items():
        np.testing.assert_array_equal(ours[name], array)


def test_words_and_picture_are_the_tasks():
    assert tuple(WORDS) == TwoDigits.WORDS
    assert caption.CONSTANTS.SIDE == TwoDigits.SIDE


@given(texts, texts, places)
def test_the_features_of_a_picture_match_python(math, first, second, place):
    ours = math("picture", first, second, place)
    seen = caption.picture(first, second, place)
    close(np.reshape(ours, seen.shape), seen, atol=1e-7)  # the task's pictures have 32 bits
    close(math("look", ours)["context"], caption.look(EYE, np.reshape(ours, seen.shape)))


@given(doors, texts, texts, places, st.integers(0, 999))
def test_the_words_of_a_caption_match_python(math, door, first, second, place, draw):
    context = caption.look(EYE, caption.picture(first, second, place))
    ours = math("says", door, context.tolist(), draw)
    said = caption.says(caption.network(door), door, context, draw)
    assert ours["words"] == said.words
    close(ours["p"], np.array(said.p))


ends = st.tuples(st.floats(0, 8), st.floats(0, 8))


@given(ends, ends)
def test_the_pen_draws_as_it_did_for_the_networks(math, a, b):
    drawn = caption.half(math("stroke", "", a, b))
    assert np.abs(drawn - ink([np.array([a, b])])).max() <= 0.5 / 15 + 1e-9


def test_the_pen_adds_to_the_drawing(math):
    drawn = caption.half(math("stroke", "3", [1.5, 1.5], [1.5, 6.5]))
    assert (drawn >= caption.half("3") - 1e-9).all()
    assert drawn[3, 1] == 1


def test_the_texts_state_the_numbers():
    blank = caption.picture("", "", "left")
    said = caption.says(caption.network("step"), "step", caption.look(EYE, blank))
    assert sentence(said) == "nine above seven"
    first, second, third, last = [float(p.max()) for p in said.p]
    why = META["prediction"]["why"]
    assert "writes “nine above seven”" in why
    assert f"{first:.2f} for nine, {second:.2f} for above" in why
    assert f"{third:.2f} for seven and {last:.2f} for END" in why
    measured = stored("caption")["measured"]["step"]
    story = META["story"]
    assert f"describes {100 * measured['digits']:.0f} of 100" in story
    assert f"it describes {100 * measured['new']:.0f} of 100." in story
    assert f"one here, {100 * measured['pen']:.0f} of 100" in story
    assert (3, 6, "left") in TwoDigits().kept()
    seen = caption.look(EYE, caption.picture("3", "7", "left"))
    assert sentence(caption.says(caption.network("step"), "step", seen)) == "three left of seven"


@pytest.mark.slow
def test_the_training_recipe_runs():
    pytest.importorskip("torch")
    made = make(steps=2, tested=5)
    for part, kept in made["networks"].items():
        assert kept["shapes"] == stored("caption")["networks"][part]["shapes"]


@pytest.mark.parametrize(("first", "second", "at"), [("3", "7", 1), ("", "", 3)])
def test_the_status_states_the_caption_so_far(first, second, at):
    seen = caption.look(EYE, caption.picture(first, second, "left"))
    said = caption.says(caption.network("step"), "step", seen)
    told = compare.status("caption", first=first, second=second, place="left", at=at)
    assert " ".join(WORDS[k] for k in said.words[:at]) in told
    assert f"probability {said.p[at - 1].max():.2f}" in told


X = ink([np.array([[1.0, 1], [7, 7]]), np.array([[7.0, 1], [1, 7]])])


def test_an_x_next_to_a_zero_is_read_as_a_one_with_near_certainty():
    drawn = "".join(f"{round(caption.SHADES * shade):x}" for shade in X.ravel())
    context = caption.look(EYE, caption.picture(drawn, "0", "left"))
    said = caption.says(caption.network("step"), "step", context)
    assert sentence(said) == "one left of zero"
    assert said.p[0].max() > 0.995  # the figure rounds it to 1.00
    assert said.p[0].sum() == pytest.approx(1)
    page = (BOOK / "08_context.ipynb").read_text("utf-8")
    assert f"caption?first={drawn}&" in page


@pytest.mark.slow
def test_the_network_is_less_sure_of_digits_that_it_misreads():
    pictures, true = next(TwoDigits().batches(200, 1, held_out=True))
    sure = {True: [], False: []}
    for picture, words in zip(pictures, true.T, strict=True):
        context = caption.look(EYE, np.asarray(picture, float))
        said = caption.says(caption.network("step"), "step", context)
        sure[said.words[0] == words[0]].append(said.p[0].max())
    assert len(sure[False]) >= 5
    assert np.median(sure[False]) < 0.9 < np.median(sure[True])
