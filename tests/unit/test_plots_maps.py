import numpy as np
import pytest
from networks import RUN
from refusals import (
    COUNT,
    NAN,
    REAL,
    TOKENS,
    WORDS,
)

from rnn_helpers import plots

H = np.array([[0.1, 0.9, 0.0], [0.2, -0.9, 0.0], [0.1, 0.9, 0.0]])


def shown(plot):
    return plot.figure.axes[0].images[0].get_array()


def ticks(plot, axis):
    return [label.get_text() for label in getattr(plot.figure.axes[0], f"get_{axis}ticklabels")()]


@pytest.mark.chapter("03")
def test_units_are_sorted_by_how_rapidly_they_change():
    plot = plots.states(H, "ab\n")
    np.testing.assert_array_equal(shown(plot), H.T[[2, 0, 1]])
    assert ticks(plot, "y") == ["3", "1", "2"]
    assert ticks(plot, "x") == ["a", "b", "⏎"]
    assert "Unit 3 changes least, by 0 a step on average; unit 2 changes most, by 1.8" in plot.alt


def test_units_can_keep_their_order():
    np.testing.assert_array_equal(shown(plots.states(H, by_change=False)), H.T)


def test_zero_is_the_colour_of_the_page_and_the_scale_reaches_the_states():
    image = plots.states(3 * H).figure.axes[0].images[0]
    assert image.get_clim() == (-2.7, 2.7)
    assert plots.states(H).figure.axes[0].images[0].get_clim() == (-1, 1)
    assert plots.states(H[:, :1], limits=(0, 1)).figure.axes[0].images[0].get_clim() == (0, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("T", "n"), [(1, 1), (1, 30), (200, 3), (5, 80)])
def test_states_of_any_size_are_drawn(T, n):
    h = np.tanh(np.random.default_rng(0).normal(size=(T, n)))
    assert plots.states(h, "x" * T).png()


def test_bars_show_the_most_likely_symbols_the_target_and_the_rest():
    plot = plots.probabilities([0.1, 0.6, 0.05, 0.25], "ab d", target=2, top=2)
    assert ticks(plot, "x") == ["b", "␣", "rest"]
    heights = [bar.get_height() for bar in plot.figure.axes[0].patches]
    np.testing.assert_allclose(heights, [0.6, 0.05, 0.35])
    assert plot.alt.endswith("The one that came, ' ', had 0.05.")


def test_a_heat_map_shows_each_step_and_marks_the_actual_symbol():
    yhat = np.array([[0.7, 0.2, 0.1], [0.3, 0.3, 0.4]])
    plot = plots.probabilities(yhat, "abc", symbols="xy", target=[0, 1])
    np.testing.assert_array_equal(shown(plot), yhat.T)
    assert plot.figure.axes[0].lines[0].get_xydata().tolist() == [[0, 0], [1, 1]]
    assert "likeliest next symbols are 'ac'; 1 of 2 are the ones that came" in plot.alt


@pytest.mark.slow
def test_words_and_dollars_are_symbols_too():
    yhat = np.full((3, 2), 0.5)
    assert plots.probabilities(yhat, ["the", "$"], symbols=["costs", "$", "5"]).png()


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.states(H[0]), r"h has shape \(3,\)"),
        (lambda: plots.states(np.empty((0, 3))), r"h has shape \(0, 3\)"),
        (lambda: plots.states(H * np.nan), "h contains nan"),
        (lambda: plots.states(H, "ab"), "symbols has 2 entries; expected 3"),
        (lambda: plots.states(H, [1, 2, 3]), "expected 3 strings"),
        (lambda: plots.states(H, limits=(0, 1)), "limits are 0.0, 1.0; h runs from -0.9"),
        (lambda: plots.probabilities([0.5, 0.6], "ab"), "do not sum to 1"),
        (lambda: plots.probabilities([-0.5, 1.5], "ab"), "negative"),
        (lambda: plots.probabilities([0.5, 0.5], "abc"), r"yhat has shape \(2,\)"),
        (lambda: plots.probabilities([0.5, np.nan], "ab"), "yhat contains nan"),
        (lambda: plots.probabilities([0.5, 0.5], "ab", target=2), "token 2"),
        (lambda: plots.probabilities([0.5, 0.5], "ab", target=[1]), "target has shape"),
        (lambda: plots.probabilities([0.5, 0.5], "ab", symbols="x"), "one step only"),
        (lambda: plots.probabilities([0.5, 0.5], "ab", top=0), "top is 0"),
    ],
)
def test_bad_input_is_named(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


@pytest.mark.slow
@pytest.mark.parametrize("n_h", [1, 3, 5, 11, 12, 30])
def test_the_label_of_the_units_fits_their_rows(n_h):
    figure = plots.states(np.random.default_rng(0).uniform(-1, 1, (20, n_h))).figure
    figure.draw_without_rendering()
    words = figure.axes[0].yaxis.label.get_window_extent()
    assert words.y0 >= 0
    assert words.y1 <= figure.bbox.y1


REFUSALS = {
    plots.probabilities: (
        {"yhat": RUN.yhat, "alphabet": "abc"},
        {
            "yhat": REAL,
            "alphabet": [None, 3, "", "ab"],
            "symbols": [3, "a", ["a"], [1, 2, 3]],
            "target": TOKENS[1:],
            "top": COUNT,
        },
    ),
    plots.states: (
        {"h": RUN.h},
        {
            "h": REAL,
            "symbols": [3, "a", [1, 2, 3]],
            "units": WORDS,
            "limits": [3, (1,), (0, 0), (1, -1), ("a", "b"), (NAN, 1)],
        },
    ),
}
