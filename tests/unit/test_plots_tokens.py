"""The drawing of a training step on tokens."""

import pytest

from rnn_helpers import plots

pytestmark = [pytest.mark.chapter("05"), pytest.mark.chapter("06"), pytest.mark.slow]


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


REFUSALS = {
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
