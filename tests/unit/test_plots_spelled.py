"""The picture of a network that spells a word shows its numbers."""

from collections import Counter

import numpy as np
import pytest
from networks import PARAMS, SEEDED, P

from rnn_helpers import plots
from rnn_helpers.reference import init_rnn, rnn_forward

pytestmark = pytest.mark.chapter("05")


def network(letters, n_h=3):
    return init_rnn(len(letters), n_h, len(letters), seed=0)


def test_a_spelled_word_is_drawn_with_its_inputs_state_and_targets():
    params = network("helo")
    plot = plots.spelling(params, "hello", "helo")
    (axes,) = plot.figure.axes
    words = [text.get_text() for text in axes.texts]
    run = rnn_forward(params, np.array([0, 1, 2, 2]))
    assert words.count("1") == 4  # one-hot
    assert words.count("$W$") == 3
    held = [f"{value:.1f}".replace("-", "−") for value in run.h.ravel()]
    assert not Counter(held) - Counter(words)
    marks = np.array([line.get_xydata()[0] for line in axes.lines])
    assert len(marks) == 4
    assert marks[1][1] == marks[2][1] > marks[3][1]  # l, l, and o below
    assert f"after e comes l with probability {run.yhat[1, 2]:.3g}" in plot.alt


@pytest.mark.parametrize(
    ("word", "letters", "told"),
    [("h", "helo", "word is 'h'"), ("help", "helo", "word is 'help'"), ("hello", "hel", "word is"),
     ("ab", "abc", "letters is 'abc'"), (5, "helo", "word is 5")],
)  # fmt: skip
def test_a_word_that_cannot_be_spelled_is_named(word, letters, told):
    with pytest.raises((ValueError, TypeError), match=told):
        plots.spelling(network("helo"), word, letters)


REFUSALS = {
    plots.spelling: (
        {"params": P, "word": "abca", "letters": "abc"},
        {
            "params": [*PARAMS, SEEDED],
            "word": [None, 3, "", "a", "abd", "a" * 30],
            "letters": [None, 3, "", "ab"],
        },
    )
}
