"""A poster shows the place that a control of its figure names."""

import pytest

from rnn_helpers import plots
from rnn_helpers.explore.figures import module
from rnn_helpers.explore.states import complete


@pytest.mark.parametrize(
    ("name", "plot", "state", "given"),
    [
        ("latch", "latch", {"run": 1}, {"run": 0}),  # runs count from 1, arrays from 0
        ("latch", "latch", {"run": 5}, {"run": 4}),
        ("jacobian", "gradient_through_time", {"back": 1}, {"at": 24}),
        ("jacobian", "gradient_through_time", {"back": 24}, {"at": 1}),
        ("scales", "time_scales", {"back": 7}, {"at": 7}),
        ("scales", "time_scales", {"back": 100, "span": 20}, {"at": 20}),
    ],
)
def test_a_poster_shows_the_place_that_was_asked_for(monkeypatch, name, plot, state, given):
    drawn = {}
    monkeypatch.setattr(plots, plot, lambda *arguments, **keywords: drawn.update(keywords))
    module(name).poster(complete(name, state))
    assert {key: drawn[key] for key in given} == given
