"""The diagram of how a vector can enter a network."""

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


REFUSALS = {plots.vector_entries: ({}, {})}
