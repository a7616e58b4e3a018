"""The drawing of a training step on tokens."""

import pytest

from rnn_helpers import plots

pytestmark = [pytest.mark.chapter("05"), pytest.mark.slow]


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


REFUSALS = {
    plots.next_tokens: (
        {"tokens": ["s", "he", " se"]},
        {"tokens": [None, 3, [], ["s"], [1, 2, 3], list("abcdefg")]},
    ),
}
