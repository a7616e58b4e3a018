"""The figure caption describes pictures as Python does, and states its true accuracy."""

import re
from functools import partial

import compare
import numpy as np
import pytest
from books import BOOK
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.figures import FIGURES, stored
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


@given(doors, texts, texts, places, st.integers(0, 999), st.sampled_from(["own", *WORDS[:10]]))
def test_the_words_of_a_caption_match_python(math, door, first, second, place, draw, told):
    context = caption.look(EYE, caption.picture(first, second, place))
    ours = math("says", door, context.tolist(), draw, told)
    said = caption.says(caption.network(door), door, context, draw, told)
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
    measured = stored("caption")["measured"]["step"]
    assert measured["new"] < measured["digits"] < 1
    assert (3, 6, "left") in TwoDigits().kept()
    seen = caption.look(EYE, caption.picture("3", "7", "left"))
    assert sentence(caption.says(caption.network("step"), "step", seen)) == "three left of seven"
    seen = caption.look(EYE, caption.picture("3", "6", "left"))
    asked = META["words"][0]["prediction"]
    assert sentence(caption.says(caption.network("step"), "step", seen)) == asked["answer"]


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
    why = META["prediction"]["why"]
    assert "writes “one left of zero”, and the probability of one rounds to 1.00" in why
    assert drawn in (FIGURES / "caption" / "view.js").read_text("utf-8")
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


def test_after_a_false_first_word_the_captioner_reads_a_sloppy_six():
    page = (BOOK / "08_context.ipynb").read_text("utf-8")
    first, second = re.search(
        r"caption-2\?first=(\w+)&second=(\w+)&place=left&door=step&draw=0&told=own", page
    ).groups()
    context = caption.look(EYE, caption.picture(first, second, "left"))
    assert sentence(caption.says(caption.network("step"), "step", context)) == "three left of five"
    lied = caption.says(caption.network("step"), "step", context, told="seven")
    assert sentence(lied) == "three left of six"  # its own first word stays in the list
    assert (7, 6, "left") not in TwoDigits().kept()
    told = compare.status("caption", first=first, second=second, told="seven", at=5)
    assert "seven left of six" in told
    assert "received seven in place of three" in told


@pytest.mark.slow
@pytest.mark.nightly
def test_the_true_first_word_of_a_held_out_sentence_misleads():
    """On average over 1,000 pictures, a false first digit leaves more to the true last one."""

    def left_by(kind, seed):
        pictures, true = next(TwoDigits().batches(1000, seed, held_out=True, combinations=kind))
        params, shares = caption.network("step"), []
        for picture, (first, place, *rest) in zip(pictures, true.T.tolist(), strict=True):
            context = caption.look(EYE, np.asarray(picture, float))
            words = [place, *rest][: 2 + (place == WORDS.index("left"))]
            last = words[-1]
            given = []
            for word in range(10):
                h, _ = caption.step(params, "step", context, None, np.zeros(len(params["b"])))
                for before in [word, *words[:-1]]:
                    h, p = caption.step(params, "step", context, before, h)
                given.append(p[last])
            shares.append((given[first], np.mean(np.delete(given, first))))
        return np.mean(shares, axis=0)

    true, false = left_by("new", 2)
    assert false > true + 0.03
    true, false = left_by("seen", 1)
    assert abs(false - true) < 0.02
