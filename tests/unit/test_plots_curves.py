from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from rnn_helpers import plots
from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import claim_curves, claim_dots, claim_groups, claim_panels


def history(loss, norm=None):
    loss = np.asarray(loss, float)
    return SimpleNamespace(loss=loss, grad_norm=loss if norm is None else np.asarray(norm, float))


def test_lines_draw_the_data_and_tell_it():
    plot = plots.lines([1, 2, 4], [[4, 3, 1], [1, 2, 3]], ["cost", "gain"], xlabel="steps")
    drawn = [line.get_ydata().tolist() for line in plot.figure.axes[0].lines]
    assert drawn == [[4, 3, 1], [1, 2, 3]]
    assert plot.alt == "Over steps from 1 to 4: cost falls from 4 to 1; gain rises from 1 to 3."


def test_curves_of_rows_are_drawn_over_what_each_has_with_their_intervals():
    rows = [{"n": n, "kept": 2 * n, "low": n, "high": 3 * n} for n in (4, 2, 1)]
    plot = claim_curves({"long": rows, "short": rows[1:]}, "n", "kept", xlabel="units")
    (axes,) = plot.figure.axes
    both = [[1, 2], [2, 4]]
    assert [line.get_xydata().tolist() for line in axes.lines] == [[*both, [4, 8]], both]
    bars = [[bar.tolist() for bar in part.get_segments()] for part in axes.collections]
    short = [[[n, n], [n, 3 * n]] for n in (1, 2)]
    assert bars == [[*short, [[4, 4], [4, 12]]], short]
    assert plot.alt == (
        "Over units from 1 to 4: long rises from 2 to 8; "
        "short rises from 2 to 4 at 2, where it ends."
    )


def test_intervals_of_a_few_points_stand_beside_each_other_and_keep_the_scale():
    rows = [{"n": n, "kept": 0.5, "low": 0.4, "high": 0.6} for n in (10, 20, 30)]
    series = dict.fromkeys(("one", "two", "three"), rows)
    (axes,) = claim_curves(series, "n", "kept", log="x").figure.axes
    starts = [line.get_transform().transform([20, 0.5]) for line in axes.lines]
    assert np.all(np.diff(starts, axis=0)[:, 0] > 4)
    assert len({line.get_marker() for line in axes.lines}) == 3
    assert 4 < axes.get_xlim()[0] < 10 < 30 < axes.get_xlim()[1] < 50


def test_panels_share_their_scale_and_have_one_legend():
    rows = [{"n": n, "kept": n / 10, "low": 0, "high": 1} for n in (1, 2, 4)]
    series = {"deep": rows, "shallow": rows}
    plot = claim_panels({"small": series, "large": series}, "n", "kept", xlabel="n", ylabel="kept")
    one, other = plot.figure.axes
    assert [axes.get_title(loc="left") for axes in (one, other)] == ["small", "large"]
    assert one.get_ylim() == other.get_ylim()
    assert [text.get_text() for text in plot.figure.legends[0].texts] == ["deep", "shallow"]
    assert plot.alt == (
        "2 panels of kept over n from 1 to 4. In the panel “small”, deep rises from 0.1 to 0.4; "
        "shallow rises from 0.1 to 0.4. In the panel “large”, deep rises from 0.1 to 0.4; shallow "
        "rises from 0.1 to 0.4."
    )


def test_groups_have_an_interval_for_each_name_and_one_legend():
    half = (0.5, 0.25, 0.75)
    plot = claim_groups({"easy": {"one": half, "two": (1, 0.75, 1)}, "hard": {"two": half}})
    (axes,) = plot.figure.axes
    assert [line.get_xdata().tolist() for line in axes.lines] == [
        [0.25, 0.5, 0.75],
        [0.75, 1, 1],
        [0.25, 0.5, 0.75],
    ]
    one, two, other = axes.lines
    assert one.get_color() != two.get_color() == other.get_color()
    assert one.get_ydata()[0] < two.get_ydata()[0] == pytest.approx(other.get_ydata()[0] - 1)
    assert [text.get_text() for text in plot.figure.legends[0].texts] == ["one", "two"]
    assert plot.alt.endswith("easy: one 50 %; two 100 %. hard: two 50 %.")


def test_many_points_have_a_band():
    rows = [{"n": n, "kept": 2 * n, "low": n, "high": 3 * n} for n in range(1, 9)]
    (axes,) = claim_curves({"long": rows, "short": rows}, "n", "kept").figure.axes
    bands = [band.get_paths()[0].vertices for band in axes.collections]
    assert [(band.min(axis=0)[1], band.max(axis=0)[1]) for band in bands] == [(1, 24)] * 2


def test_dots_are_drawn_where_two_columns_place_them():
    rows = [{"seed": s, "turn": 2 * s} for s in range(3)]
    plot = claim_dots({"slow": rows, "fast": rows[2:]}, "seed", "turn", xlabel="n", ylabel="turns")
    dots = [each.get_offsets().tolist() for each in plot.figure.axes[0].collections]
    assert dots == [[[0, 0], [1, 2], [2, 4]], [[2, 4]]]
    assert plot.alt == (
        "turns against n, a dot for each run: slow, 3 dots from 0 to 2, at heights from 0 to 4; "
        "fast, 1 dot from 2 to 2, at heights from 4 to 4."
    )


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
    # the first has the dash of its meaning, as when it stands alone
    assert looks(plots.lines([0, 1], ys[0], kinds=[kind])) == same[:1]


def test_names_stand_at_the_ends_or_in_a_legend_where_they_would_collide():
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


def test_reference_lines_are_drawn_and_told():
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
    assert upper.y0 - lower.y1 > 0.1 * plot.figure.dpi  # a tenth of an inch


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


def test_intervals_are_given_as_rows_or_by_their_labels():
    rows = [{"label": "zeros", "value": 4.1, "low": 4.0, "high": 4.3}]
    by_label = plots.claim_intervals({"zeros": (4.1, 4.0, 4.3)})
    assert by_label.alt == plots.claim_intervals(rows).alt


def test_intervals_show_each_estimate_and_the_claim():
    rows = [
        {"label": "zeros", "value": 4.1, "low": 4.0, "high": 4.3},
        {"label": "random", "value": 2.6, "low": 2.5, "high": 2.8, "kind": "state"},
    ]
    plot = plots.claim_intervals(rows, xlabel="bits", reference=(3.55, "bigram"), log=True)
    assert plot.alt == (
        "Estimates of bits with intervals: zeros 4.1, interval 4 to 4.3; "
        "random 2.6, interval 2.5 to 2.8. For comparison, bigram at 3.55."
    )
    assert [t.get_text() for t in plot.figure.axes[0].get_yticklabels()] == ["zeros", "random"]


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


ROW = {"label": "a", "value": 1.0, "low": 0.5, "high": 2.0}


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
        (lambda: plots.lines([1, 2], [1, 2], low=[0, 1]), "high is None"),
        (lambda: plots.lines([1, 2], [1, 2], low=[0], high=[3, 3]), "low has shape"),
        (lambda: plots.lines([1, 2], [1, 0], log="y"), "y has 0"),
        (lambda: plots.lines([0, 2], [1, 1], log="x"), "x has 0"),
        (lambda: plots.lines([1, 2], [1, 1], log="z"), "log is 'z'"),
        (lambda: plots.training_curves({}), "histories is empty"),
        (lambda: plots.training_curves(history([])), "loss has shape"),
        (lambda: plots.training_curves(history([1, np.nan])), "loss contains nan"),
        (lambda: plots.training_curves(history([1.0]), clip=0), "clip is 0"),
        (lambda: plots.claim_intervals([]), "rows is empty"),
        (lambda: plots.claim_intervals([{"label": "a", "value": 1}]), "without low, high"),
        (lambda: plots.claim_intervals([{**ROW, "low": 1.5}]), "outside its interval"),
        (lambda: plots.claim_intervals([{**ROW, "low": 0}], log=True), "low 0.0"),
        (lambda: plots.claim_intervals([{**ROW, "kind": "claim"}]), "claim"),
        (lambda: plots.claim_intervals([ROW], reference=(-1, "x"), log=True), "reference is -1"),
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
