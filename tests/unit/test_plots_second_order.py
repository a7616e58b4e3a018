"""Pictures of what the experiments on second-order methods found show the rows they are given."""

import numpy as np
import pytest

from rnn_helpers import plots
from rnn_helpers.palette import colour

pytestmark = pytest.mark.chapter("17")


def ratio_rows():
    """Two networks of one radius whose logarithms are straight lines."""
    steps = np.arange(1, 11)
    return [
        {
            "what": what,
            "radius": 0.5,
            "log10_first": list(-steps + shift),
            "log10_second": list(-steps - 1.0),
            "log10_gauss_newton": list(-2.0 * steps),
        }
        for what in ("the first state", "all weights")
        for shift in (-0.5, 0.5)
    ]


def test_a_ratio_is_the_difference_of_the_logarithms_and_each_direction_has_its_column():
    plot = plots.curvature_ratio(ratio_rows(), 0.5)
    sizes, _, ratios, _ = plot.figure.axes
    assert [axes.get_title("left") for axes in plot.figure.axes[:2]] == [
        "along the first state",
        "along all weights",
    ]
    first, second, kept = (line.get_ydata() for line in sizes.get_lines())
    steps = np.arange(1, 11)
    np.testing.assert_allclose(first, -steps)
    by_second, by_kept = (line.get_ydata() for line in ratios.get_lines())
    np.testing.assert_allclose(by_second, first - second)
    np.testing.assert_allclose(by_kept, first - kept)
    np.testing.assert_array_equal(ratios.get_lines()[0].get_xdata(), 10 * steps)
    assert "gradient divided by second derivative goes from 10 to 10" in plot.alt
    assert "gradient divided by Gauss-Newton part goes from 10 to 1.0e10" in plot.alt


def test_a_radius_that_the_rows_lack_is_named():
    with pytest.raises(ValueError, match=r"radius is 2; expected one that the rows have, 0\.5"):
        plots.curvature_ratio(ratio_rows(), 2)


def success_rows():
    ends = {"gradient descent": 0, "Nesterov": 3, "Hessian-free": 10}
    return [
        {
            "length": length,
            "start": start,
            "method": method,
            "spent": [1000, 2000],
            "learned": [0, learned],
            "of": 10,
            "low": max(learned / 10 - 0.2, 0),
            "high": min(learned / 10 + 0.2, 1),
        }
        for length in (20, 50)
        for start in ("small", "careful")
        for method, learned in ends.items()
    ]


def test_each_method_ends_at_its_count_with_its_interval():
    plot = plots.hessian_free_success(success_rows())
    assert len(plot.figure.axes) == 4
    for axes in plot.figure.axes:
        curves = [line for line in axes.get_lines() if line.get_label()[0] != "_"]
        assert [line.get_ydata()[-1] for line in curves] == [0, 3, 10]
        assert [line.get_xdata()[-1] for line in curves] == [2, 2, 2]
        assert curves[-1].get_color() == colour("ink")
        spans = [list(line.get_ydata()) for line in axes.get_lines() if len(line.get_xdata()) == 2]
        np.testing.assert_allclose(spans, [[0, 2], [1, 5], [8, 10]])
    assert "small, T = 50: gradient descent 0, Nesterov 3, Hessian-free 10" in plot.alt


@pytest.mark.parametrize("draw", [plots.curvature_ratio, plots.hessian_free_success])
def test_rows_without_what_is_drawn_are_refused(draw):
    with pytest.raises(ValueError, match=r"rows holds .*, without "):
        draw([{"length": 3}])


@pytest.mark.slow
@pytest.mark.parametrize(
    "plot", [plots.curvature_ratio(ratio_rows(), 0.5), plots.hessian_free_success(success_rows())]
)
def test_words_are_large_enough_and_both_themes_differ(plot):
    assert plot.smallest >= 11
    assert plot.png("light") != plot.png("dark")
