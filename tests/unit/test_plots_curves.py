from functools import wraps
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from networks import TRAINED
from refusals import (
    NAME,
    NAN,
    POSITIVE,
    REAL,
)

from rnn_helpers import plots
from rnn_helpers.palette import colour


def history(loss, norm=None):
    loss = np.asarray(loss, float)
    return SimpleNamespace(loss=loss, grad_norm=loss if norm is None else np.asarray(norm, float))


def test_lines_draw_and_describe_the_data():
    plot = plots.lines([1, 2, 4], [[4, 3, 1], [1, 2, 3]], ["cost", "gain"], xlabel="steps")
    drawn = [line.get_ydata().tolist() for line in plot.figure.axes[0].lines]
    assert drawn == [[4, 3, 1], [1, 2, 3]]
    assert plot.alt == "Over steps from 1 to 4: cost falls from 4 to 1; gain rises from 1 to 3."


def test_a_meaning_gives_a_curve_its_colour():
    plot = plots.lines([0, 1], [1, 2], kinds=["gradient"])
    assert plot.figure.axes[0].lines[0].get_color() == colour("gradient")


def looks(plot):
    """Color and dash of every curve."""
    return [(line.get_color(), str(line._dash_pattern)) for line in plot.figure.axes[0].lines]


def test_fifteen_plain_curves_all_look_different_and_neighbours_in_ink_and_dash():
    plain = looks(plots.lines([0, 1], np.arange(30).reshape(15, 2), list("abcdefghijklmno")))
    assert len(set(plain)) == 15
    for one, next_one in pairwise(plain):
        assert one[0] != next_one[0]
        assert one[1] != next_one[1]


@pytest.mark.parametrize("kind", ["state", "gradient", "output"])
def test_curves_of_one_meaning_keep_its_colour_and_differ_in_their_dashes(kind):
    ys = np.arange(10).reshape(5, 2)
    same = looks(plots.lines([0, 1], ys, list("abcde"), kinds=[kind] * 5))
    assert {ink for ink, _ in same} == {colour(kind)}
    assert len({dash for _, dash in same}) == 5
    # the first has the dash of its meaning, as if it were alone
    assert looks(plots.lines([0, 1], ys[0], kinds=[kind])) == same[:1]


def test_labels_are_at_the_ends_or_in_a_legend_if_they_would_collide():
    apart = plots.lines([0, 1], [[0, 1], [0, 2]], ["one", "two"])
    close = plots.lines([0, 1], [[0, 1], [2, 1]], ["one", "two"])
    assert [text.get_text() for text in apart.figure.axes[0].texts] == ["one", "two"]
    assert not apart.figure.legends
    assert len(close.figure.legends) == 1


@pytest.mark.slow
def test_a_legend_of_many_short_names_stays_in_the_figure():
    (legend,) = (figure := plots.lines([0, 1], np.ones((9, 2)), list("abcdefghi")).figure).legends
    figure.draw_without_rendering()
    assert legend.get_window_extent().x1 <= figure.bbox.x1


def test_reference_lines_are_drawn_and_described():
    plot = plots.lines([0, 1], [5, 2], marks=[(3.55, "bigram")])
    assert "bigram at 3.55" in plot.alt
    assert plot.figure.axes[0].texts[0].get_text() == "bigram"


@pytest.mark.slow
@pytest.mark.parametrize("ys", [[1, 1.1, 9], [9, 1.1, 1], [9, 1.2, 9], [1, 8, 1.1]])
def test_no_curve_passes_through_the_name_of_a_reference_line(ys):
    plot = plots.lines([0, 1, 2], ys, marks=[(1.3, "frequencies alone")])
    plot.figure.draw_without_rendering()
    (axes,) = plot.figure.axes
    name, curve = axes.texts[0].get_window_extent(), axes.lines[0]
    path = curve.get_transform().transform_path(curve.get_path())
    assert not path.intersects_bbox(name, filled=False)


@pytest.mark.slow
def test_names_of_two_panels_do_not_meet_below_a_legend_of_two_rows():
    names = ["whole", "without the tanh on the cell input"]
    plot = plots.training_curves(dict.fromkeys(names, history([2, 1])), ylabel="squared error")
    canvas = FigureCanvasAgg(plot.figure)
    canvas.draw()
    upper, lower = (axes.yaxis.label.get_window_extent() for axes in plot.figure.axes)
    assert upper.y0 - lower.y1 > 0.1 * plot.figure.dpi  # 0.1 inch


def test_training_curves_show_loss_and_gradient_norm():
    plot = plots.training_curves(history(np.linspace(4.6, 1.9, 50)), ylabel="loss (bits)", clip=5)
    loss, norm = plot.figure.axes
    assert loss.get_ylabel() == "loss (bits)"
    assert norm.get_ylabel() == "gradient norm"
    assert "50 training steps: loss (bits) falls from 4.6 to 1.9" in plot.alt


def test_a_band_holds_the_middle_of_the_seeds():
    seeds = np.arange(1.0, 21) + np.zeros((30, 1))
    plot = plots.training_curves(history(seeds))
    band = plot.figure.axes[0].collections[0].get_paths()[0].vertices[:, 1]
    assert (band.min(), band.max()) == (2, 18)
    assert "median of 20 seeds" in plot.alt


def test_smoothing_is_the_mean_of_a_fiftieth_and_survives_a_spike():
    loss = np.ones(500)
    loss[100] = 1e18
    curve = plots.training_curves(history(loss)).figure.axes[0].lines[-1].get_ydata()
    np.testing.assert_allclose(curve[[0, 94, 106, 499]], 1)
    np.testing.assert_allclose(curve[95:106], 1e18 / 11)


@pytest.mark.slow
def test_divergence_ends_a_curve_with_a_cross():
    loss = np.array([1, 2, 4, 8, np.inf, np.inf])
    plot = plots.training_curves({"small": history(np.ones(6)), "large": history(loss)})
    assert "loss of large rises from 1 to 8 and diverges after step 4" in plot.alt
    assert [text.get_text() for text in plot.figure.axes[0].texts] == ["diverged"]
    assert all(np.isfinite(line.get_ydata()).all() for line in plot.figure.axes[0].lines)
    plot.png()


@pytest.mark.slow
@pytest.mark.parametrize(
    "loss",
    [[np.inf], [np.inf, np.inf], [1.0], [1.0, np.inf], [0.0, 0.0, 0.0], [1e300, 1e300], [-5, -9]],
)
def test_extreme_histories_are_drawn(loss):
    assert plots.training_curves(history(loss)).png()


@pytest.mark.equation("5.6")
@pytest.mark.chapter("03")
def test_the_sigmoid_is_drawn_as_figure_5_1_has_it():
    axes = plots.activation("sigmoid", limit=5).figure.axes[0]
    a, h = axes.lines[0].get_data()
    np.testing.assert_allclose(h, 1 / (1 + np.exp(-a)))


def test_derivatives_are_those_of_the_curves():
    axes = plots.activation("tanh", derivative=True).figure.axes[0]
    (a, h), (_, slope) = (line.get_data() for line in axes.lines)
    np.testing.assert_allclose(slope[1:-1], (h[2:] - h[:-2]) / (a[2:] - a[:-2]), atol=1e-3)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.lines([1, 2], [1, 2, 3]), r"expected \(n,\) and \(k, n\)"),
        (lambda: plots.lines([], []), "expected"),
        (lambda: plots.lines([1, 2], [1, np.nan]), "ys contains nan"),
        (lambda: plots.lines([1, np.inf], [1, 2]), "x contains inf"),
        (lambda: plots.lines([1, 2], [[1, 2], [3, 4]]), "labels is None; expected 2"),
        (lambda: plots.lines([1, 2], [1, 2], ["a", "b"]), "labels has 2 entries; expected 1"),
        (lambda: plots.lines([1, 2], [1, 2], kinds=["hidden"]), "hidden"),
        (lambda: plots.lines([1, 2], [1, 0], log="y"), "y has 0"),
        (lambda: plots.lines([0, 2], [1, 1], log="x"), "x has 0"),
        (lambda: plots.lines([1, 2], [1, 1], log="z"), "log is 'z'"),
        (lambda: plots.training_curves({}), "histories is empty"),
        (lambda: plots.training_curves(history([])), "loss has shape"),
        (lambda: plots.training_curves(history([1, np.nan])), "loss contains nan"),
        (lambda: plots.training_curves(history([1.0]), clip=0), "clip is 0"),
        (lambda: plots.activation("relu"), "'relu'"),
        (lambda: plots.activation(limit=0), "limit is 0"),
    ],
)
def test_bad_input_is_named(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


@pytest.mark.slow
@pytest.mark.parametrize(
    "draw",
    [
        lambda text: plots.training_curves(history([3, 2, 1]), sample=text),
        lambda text: plots.lines([1, 2], [3.0, 2.0], marks=[(1.5, "5-gram")], sample=text),
    ],
)
def test_a_sample_stays_within_its_figure(draw):
    plot = draw("m" * 300)
    assert "A sample: 'mmm" in plot.alt
    figure = plot.figure
    figure.draw_without_rendering()
    (words,) = (t for axes in figure.axes for t in axes.texts if t.get_text().startswith("m"))
    assert words.get_window_extent().x1 <= figure.bbox.x1


REFUSALS = {
    wraps(plots.activation)(lambda names="tanh", limit=6: plots.activation(names, limit=limit)): (
        {},
        {"names": NAME, "limit": [*POSITIVE, 1e308]},
    ),
    plots.lines: (
        {"x": [1, 2], "ys": [1.0, 2.0]},
        {
            "x": REAL,
            "ys": REAL,
            "labels": [3, ["a", "b"], []],
            "kinds": [3, ["no"], "no", ["loss", "loss"]],
            "low": REAL[1:],
            "high": REAL[1:],
            "log": ["no", None, 3, ["x"]],
            "marks": [None, 3, [3], [(NAN, "a")], [("a", "b")]],
        },
    ),
    plots.success_curves: (
        {"steps": [1, 2], "accuracy": [[0.5, 0.6], [0.5, 1.0]], "threshold": 0.9},
        {
            "steps": [*REAL, [2, 1], [1, 1]],
            "accuracy": [*REAL, [[0.5], [1.5]], [[0.5], [-0.5]], [0.5, 0.5]],
            "threshold": [0, 1, NAN, "a", None],
        },
    ),
    plots.training_curves: (
        {"histories": TRAINED},
        {
            "histories": [None, {}, 3, {"a": 3}, [TRAINED]],
            "clip": [value for value in POSITIVE if value is not None],
            "sample": [3, ["a"]],
        },
    ),
}
