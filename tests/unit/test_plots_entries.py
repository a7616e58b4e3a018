"""The diagram of how a vector can enter a network."""

import numpy as np
import pytest

from rnn_helpers import plots

pytestmark = [pytest.mark.chapter("08"), pytest.mark.slow]


def test_the_alt_text_and_the_titles_name_the_three_ways():
    plot = plots.vector_entries()
    titles = [axes.get_title(loc="left") for axes in plot.figure.axes]
    assert titles == ["every step", "first state", "both"]
    assert all(title in plot.alt.lower() for title in titles)


def test_the_themes_differ():
    plot = plots.vector_entries()
    assert plot.png("light") != plot.png("dark")


PATCHES = np.zeros((2, 3, 3))
SHOWN = {"pictures": PATCHES, "prompt": ["Describe", "it"], "answer": ["a", "b", "c"]}


def test_each_word_of_an_answer_has_an_arrow_from_every_token_before_it():
    plot = plots.prompted_answer(**SHOWN)
    (axes,) = plot.figure.axes
    assert len(axes.patches) == (4 + 5 + 6) + 3  # to the states, and to the answer
    assert "2 image tokens, the prompt Describe it, and the words so far, a b." in plot.alt


def test_an_answer_of_one_word_has_no_words_before_it():
    plot = plots.prompted_answer(PATCHES, ["?"], ["a"])
    assert "the words so far, none." in plot.alt


def test_too_many_tokens_are_refused():
    with pytest.raises(ValueError, match="expected 13 at most"):
        plots.prompted_answer(PATCHES, list("abcdef"), list("abcdef"))


REFUSALS = {
    plots.vector_entries: ({}, {}),
    plots.prompted_answer: (
        SHOWN,
        {
            "pictures": [None, "a", np.zeros((3, 3)), np.zeros((0, 3, 3)), np.zeros((12, 3, 3))],
            "prompt": [None, 3, [], [1]],
            "answer": [None, 3, [], [1], list("abcdefghijk")],
        },
    ),
}
