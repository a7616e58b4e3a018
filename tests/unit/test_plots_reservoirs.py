import numpy as np
import pytest

from rnn_helpers import plots
from rnn_helpers.palette import colour

pytestmark = pytest.mark.chapter("14")

CAPACITY = np.array([1, 0.9, 0.5, 0.1])
GAP = 0.5 ** np.arange(6)
PLANE = [0.5, 1.0, 2.0], [0.1, 1.0], [[3.0, 5.0, 1.0], [2.0, 3.0, 4.0]]


def test_the_memory_is_the_sum_from_the_last_input_on():
    plot = plots.reservoir_memory(CAPACITY, GAP, delay=2)
    assert "remembers 1.5 past inputs" in plot.alt
    assert "of the last one a share of 0.9, of that of 3 steps ago 0.1." in plot.alt
    assert "At a delay of 2 the share is 0.5." in plot.alt
    assert "Two starts, 1 apart, are 0.0312 apart after 5 steps." in plot.alt


def test_both_curves_are_drawn_and_distances_of_0_at_the_edge():
    shares, gaps = plots.reservoir_memory(CAPACITY, [1, 0.1, 0]).figure.axes
    np.testing.assert_array_equal(shares.get_lines()[0].get_ydata(), CAPACITY)
    drawn = gaps.get_lines()[0].get_ydata()
    np.testing.assert_array_equal(drawn[:2], [1, 0.1])
    assert drawn[2] == gaps.get_ylim()[0] > 0


def test_each_number_of_the_map_lies_in_its_own_cell():
    plot = plots.reservoir_memory(CAPACITY, GAP, plane=PLANE, at=(0.9, 3.0))
    axes = plot.figure.axes[0]
    (mesh,) = axes.collections
    np.testing.assert_array_equal(mesh.get_array().ravel(), np.ravel(PLANE[2]))
    corners = mesh.get_coordinates()
    np.testing.assert_allclose(corners[0, :, 0], [0.25, 0.75, 1.5, 2.5])
    np.testing.assert_allclose(corners[:, 0, 1], 10 ** np.array([-1.5, -0.5, 0.5]))
    point = next(line for line in axes.get_lines() if line.get_marker() == "o")
    assert (point.get_xdata(), point.get_ydata()) == ([0.9], [3.0])
    assert point.get_color() == colour("accent")
    assert "most is remembered at a radius of 1 at input scale 0.1, 2 at input scale 1." in plot.alt


@pytest.mark.slow
@pytest.mark.parametrize("at", [(0.0, 0.001), (9.0, 100.0)])
def test_a_point_off_the_map_is_in_the_picture_in_both_themes(at):
    plot = plots.reservoir_memory(CAPACITY, GAP, plane=PLANE, at=at)
    axes = plot.figure.axes[0]
    for value, (low, high) in zip(at, (axes.get_xlim(), axes.get_ylim()), strict=True):
        assert low <= value <= high
    assert plot.png("light") != plot.png("dark")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"capacity": [1.0, 1.2]}, r"capacity reaches 1.2; expected shares of at most 1"),
        ({"capacity": [[1.0]]}, r"capacity has shape \(1, 1\)"),
        ({"gap": [1.0, -1.0]}, r"gap has -1.0; expected numbers of at least 0"),
        ({"delay": 4}, r"delay is 4; expected one from 0 to 3"),
        ({"at": (1.0, 0.0)}, "at is .*; expected a radius of at least 0 and a scale above 0"),
        ({"plane": PLANE[:2]}, "plane has 2 parts"),
        ({"plane": (*PLANE[:2], [[1.0]])}, r"totals of shape \(1, 1\); expected \(2, 3\)"),
        ({"plane": ([2.0, 1.0, 3.0], *PLANE[1:])}, "do not increase"),
    ],
)
def test_what_does_not_fit_is_named(changed, message):
    with pytest.raises(ValueError, match=message):
        plots.reservoir_memory(**({"capacity": CAPACITY, "gap": GAP} | changed))
