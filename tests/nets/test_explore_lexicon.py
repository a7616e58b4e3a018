"""The lab of words trains a network to name the word that each letter belongs to."""

import numpy as np
import pytest

from rnn_helpers.explore.lexicon import listen

pytestmark = [pytest.mark.chapter("09"), pytest.mark.slow]
WORDS = "boy", "bow", "bottle"


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ({"words": ["bo", "boy"]}, "words"),
        ({"text": "cat"}, "text"),
        ({"text": ""}, "text"),
        ({"wait": -1}, "delay"),
        ({"steps": 0}, "steps"),
        ({"every": 0}, "every"),
    ],
)
def test_a_bad_argument_is_refused_at_once(bad, named):
    with pytest.raises(ValueError, match=named):
        listen(**{"words": WORDS, "text": "boy", **bad})


@pytest.mark.parametrize("wait", [0, 1, None])
def test_it_outputs_each_words_probability_at_each_letter(wait):
    first, last = listen(WORDS, "boybo", wait, steps=3, every=2)
    assert (first.steps, last.steps) == (2, 3)
    assert last.yhat.shape == (5, 3)
    np.testing.assert_allclose(last.yhat.sum(axis=1), 1)


@pytest.mark.nightly(files=["rnn_helpers/explore/lexicon", "rnn_helpers/nets/"])
def test_with_its_defaults_it_reaches_the_optimum():
    *_, last = listen(WORDS, "boybottlebow", None)
    assert last.right > last.best - 0.05
    assert last.yhat[0].argmax() == 0
