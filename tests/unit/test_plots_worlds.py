"""The least losses of networks that hear more or less, drawn."""

import pytest

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("08")
LOSSES = {"one": [0.5, 0.25], "other": [0.0, 1.5]}


def test_the_words_say_the_sums():
    alt = plots.least_losses(LOSSES).alt
    assert alt == "Least losses of 2 symbols in all: one, 0.75 nats; other, 1.5 nats."


def test_each_network_has_a_row():
    for axes, row in zip(plots.least_losses(LOSSES).figure.axes, LOSSES.values(), strict=True):
        assert [bar.get_height() for bar in axes.patches] == row


def test_symbols_are_named():
    below = plots.least_losses(LOSSES, ["coin", "x"]).figure.axes[-1].get_xticklabels()
    assert [name.get_text() for name in below] == ["coin", "x"]


@pytest.mark.slow
def test_it_has_two_themes():
    plot = plots.least_losses(LOSSES)
    assert plot.png("light") != plot.png("dark")
