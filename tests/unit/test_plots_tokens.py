"""The drawing of a training step on tokens."""

import numpy as np
import pytest

from rnn_helpers import plots

pytestmark = [
    pytest.mark.chapter("05"),
    pytest.mark.chapter("06"),
    pytest.mark.chapter("08"),
    pytest.mark.chapter("10"),
    pytest.mark.slow,
]


def test_the_alt_text_names_inputs_targets_and_arrows():
    plot = plots.next_tokens(["s", "he", " se"])
    assert "inputs, s, he, and" in plot.alt
    assert "targets, he, \u2423se." in plot.alt
    titles = [axes.get_title(loc="left") for axes in plot.figure.axes]
    assert titles == ["recurrent network", "Transformer"]


def test_a_transformers_state_has_an_arrow_from_every_earlier_token():
    recurrent, transformer = plots.next_tokens(list("abcde")).figure.axes
    assert len(recurrent.patches) == 4 + 3 + 4  # inputs, states, targets
    assert len(transformer.patches) == (1 + 2 + 3 + 4) + 4


@pytest.mark.parametrize("tokens", [[], ["a", "b"], list("abcdefg")])
def test_too_few_and_too_many_tokens_are_refused(tokens):
    with pytest.raises(ValueError, match="expected 3 to 6"):
        plots.next_tokens(tokens)


def test_in_practice_each_output_is_the_next_input_and_all_get_one_reward():
    plot = plots.two_stages(["a", "b", "c"], ["a", "d", "e"], "reward +1")
    left, right = plot.figure.axes
    assert len(left.patches) == (1 + 2) + 2 + 2  # from inputs, to targets, from losses
    assert len(right.patches) == (1 + 2) + 2 + 2 + 1  # and from an output to the next input
    assert "the outputs are d, e, and all of them get one reward: reward +1." in plot.alt


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


def test_cross_attention_has_one_query_and_self_attention_one_for_each_word():
    plot = plots.two_attentions(["we", "hear", "rain"], ["nous", "entendons"])
    cross, within = plot.figure.axes
    assert (len(cross.patches), len(within.patches)) == (3, 3 * 3)
    assert "from each word of we, hear, rain to entendons, the last" in plot.alt


def test_too_many_tokens_are_refused():
    with pytest.raises(ValueError, match="expected 13 at most"):
        plots.prompted_answer(PATCHES, list("abcdef"), list("abcdef"))


def test_the_way_back_is_one_arrow_in_a_transformer_and_one_per_word_in_a_loop():
    plot = plots.ways_back(["the", "keys", "to", "it"], "are", "keys")
    loop, transformer = plot.figure.axes
    assert len(loop.patches) == 4 + 3 + 1  # to the words, between the states, from the answer
    assert len(transformer.patches) == 4 + 1
    assert "state, 2 arrows in a row, and down to keys" in plot.alt


REFUSALS = {
    plots.two_attentions: (
        {"source": ["a", "b"], "written": ["c"]},
        {
            "source": [None, 3, [], ["a"], [1, 2], list("abcdef")],
            "written": [None, 3, [], [1], list("abcdef")],
        },
    ),
    plots.ways_back: (
        {"words": ["a", "b", "c"], "answer": "d", "subject": "b"},
        {
            "words": [None, 3, [], ["s"], [1, 2, 3], list("abcdefghijklm")],
            "answer": [None, 1, ["d"]],
            "subject": [None, 1, "e"],
        },
    ),
    plots.prompted_answer: (
        SHOWN,
        {
            "pictures": [None, "a", np.zeros((3, 3)), np.zeros((0, 3, 3)), np.zeros((12, 3, 3))],
            "prompt": [None, 3, [], [1]],
            "answer": [None, 3, [], [1], list("abcdefghijk")],
        },
    ),
    plots.two_stages: (
        {"tokens": ["a", "b", "c"], "written": ["a", "d", "e"], "reward": "+1"},
        {
            "tokens": [None, 3, [], ["s"], [1, 2, 3], list("abcdefg")],
            "written": [None, 3, [], ["s"], [1, 2, 3], list("abcdefg")],
            "reward": [None, 1, ["+1"]],
        },
    ),
    plots.next_tokens: (
        {"tokens": ["s", "he", " se"]},
        {"tokens": [None, 3, [], ["s"], [1, 2, 3], list("abcdefg")]},
    ),
}
