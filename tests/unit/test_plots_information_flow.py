"""What the plots of section 10.11.2's experiments show of their rows."""

import numpy as np
import pytest
from matplotlib.text import Text

from rnn_helpers import plots
from rnn_helpers.experiments import load

pytestmark = pytest.mark.chapter("17")


def span(task, length, method, rate):
    row = {"task": task, "length": length, "method": method, "rate": rate}
    return row | {"low": max(0, rate - 0.1), "high": min(1, rate + 0.1)}


SPANS = [
    span(task, length, method, rate)
    for task, lengths in {"latch": (20, 100), "order": (20,)}.items()
    for length in lengths
    for method, rate in {"clipped": 0.2, "Omega, clipped": 0.9}.items()
]


def test_every_way_to_train_has_a_dot_and_its_interval_at_every_length():
    plot = plots.flow_spans(SPANS)
    latch, order = plot.figure.axes
    assert [axes.get_title(loc="left") for axes in (latch, order)] == ["latch", "order"]
    assert [label.get_text() for label in latch.get_xticklabels()] == ["20", "100"]
    heights = [line.get_ydata() for line in latch.lines]
    expected = [[0.1, 0.3], [0.2]] * 2 + [[0.8, 1.0], [0.9]] * 2
    for drawn, values in zip(heights, expected, strict=True):
        np.testing.assert_allclose(drawn, values)
    assert "latch of 100 steps: clipped 20 %; Omega, clipped 90 %" in plot.alt


def test_the_regulariser_is_written_as_a_letter():
    words = {text.get_text() for text in plots.flow_spans(SPANS).figure.findobj(Text)}
    assert "Ω, clipped" in words


@pytest.mark.slow
def test_directions_and_descents_are_those_of_the_experiment():
    rows = load("omega-gradient").rows
    plot = plots.omega_directions(rows)
    left, right = plot.figure.axes
    radii = sorted({row["radius"] for row in rows})
    for axes, of_nets in ((left, False), (right, True)):
        assert [label.get_text() for label in axes.get_xticklabels()] == [f"{r:g}" for r in radii]
        lines = [line for line in axes.lines if line.get_label() in _NAMES]
        assert [line.get_label() for line in lines] == _NAMES[not of_nets :]
        for line in lines:
            constant = _CONSTANTS[_NAMES.index(line.get_label())]
            for radius, drawn in zip(radii, line.get_ydata(), strict=True):
                these = [
                    row["each"]
                    for row in rows
                    if (row["radius"], row["constant"], row["net"]) == (radius, constant, "random")
                    and (row["measure"] != "cosine") == of_nets
                ]
                assert drawn == pytest.approx(np.median(these) if of_nets else np.mean(these))


_NAMES = ["exact", "gradients constant", "states too"]
_CONSTANTS = ["nothing", "gradients", "states"]


def test_clipped_and_unclipped_are_two_lines_over_the_learning_rates():
    rows = [
        span("latch", 50, None, rate) | {"radius": 1.2, "alpha": alpha, "way": way, "eta": eta}
        for alpha in (0.5, 4.0)
        for way, rates in {"not clipped": (0.8, 0.0), "clipped": (0.7, 1.0)}.items()
        for eta, rate in zip((0.1, 0.01), reversed(rates), strict=True)
    ]
    plot = plots.flow_explosions(rows)
    first, second = plot.figure.axes
    assert first.get_title(loc="left") == "latch, T = 50, ρ = 1.2, α = 0.5"
    for axes in (first, second):
        drawn = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
        assert drawn["not clipped"] == [[0.01, 0.8], [0.1, 0.0]]
        assert drawn["clipped"] == [[0.01, 0.7], [0.1, 1.0]]
        assert axes.get_xscale() == "log"
    assert "latch, T = 50, ρ = 1.2, α = 4, clipped: 70 % at 0.01, 100 % at 0.1" in plot.alt
