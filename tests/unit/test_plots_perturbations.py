import numpy as np
import pytest

from rnn_helpers import plots
from rnn_helpers.palette import colour
from rnn_helpers.reference import init_rnn, rnn_forward, separation, widest_perturbation

pytestmark = pytest.mark.chapter("14")

J = np.array([[0.9, 5.0], [0.0, 0.5]])
PARAMS = init_rnn(1, 3, 1, seed=0)
RUN = rnn_forward(PARAMS, np.zeros((12, 1)), [0.5, 0.0, 0.0])


@pytest.mark.parametrize("backward", [False, True])
def test_the_plane_shows_where_the_steps_have_taken_each_direction(backward):
    plot = plots.separations(J, [3, 3], n=3, backward=backward)
    plane, chart = plot.figure.axes
    apart = separation(J, np.sqrt([0.5, 0.5]), 30, backward=backward)
    ends = [np.hypot(*np.array(line.get_data())[:, -1]) for line in plane.lines]
    widest = widest_perturbation(J, 3, backward=backward)[1]
    for size in (apart[3], widest, 0.9**3):
        assert np.isclose(ends, size).any()
    assert chart.lines[0].get_color() == colour("gradient" if backward else "state")
    assert "they are 5.45 apart; the widest possible is 7.59" in plot.alt or not backward
    assert "below 1 from step 25 on" in plot.alt


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 5])
def test_a_matrix_that_has_no_plane_is_drawn_without_one(n):
    W = np.random.default_rng(0).normal(size=(n, n)) / n**0.5
    plot = plots.separations(W, np.ones(n), 2, 6)
    assert len(plot.figure.axes) == 1
    assert plot.png("light") != plot.png("dark")


def test_a_turning_matrix_has_no_direction_of_its_own_and_is_drawn():
    plot = plots.separations(0.9 * np.array([[0.0, -1.0], [1.0, 0.0]]), [1, 0])
    assert "the widest possible is 0.729, and the power of the largest eigenvalue" in plot.alt


@pytest.mark.parametrize(
    ("wrong", "message"),
    [({"v": [0, 0]}, "v is 0"), ({"n": 31}, "n is 31"), ({"J": np.ones((2, 3))}, "J has shape")],
)
def test_what_cannot_be_separated_is_named(wrong, message):
    with pytest.raises(ValueError, match=message):
        plots.separations(**({"J": J, "v": [1, 0]} | wrong))


def test_a_small_change_grows_by_the_norm_of_the_products():
    plot = plots.change_growth(PARAMS, RUN, at=7)
    moved = rnn_forward(PARAMS, np.zeros((12, 3, 1)), RUN.states[0] + 1e-7 * np.eye(3))
    jacobian = (moved.states - RUN.states[:, None]) / 1e-7
    expected = np.linalg.norm(jacobian, 2, axis=(1, 2))
    np.testing.assert_allclose(plot.figure.axes[0].lines[0].get_ydata(), expected, rtol=1e-4)
    assert "at step 7 of 12" in plot.alt


def test_a_change_needs_one_sequence_that_starts_somewhere():
    with pytest.raises(ValueError, match="run starts at 0"):
        plots.change_growth(PARAMS, rnn_forward(PARAMS, np.zeros((3, 1))))
    with pytest.raises(ValueError, match="expected one sequence"):
        plots.change_growth(PARAMS, rnn_forward(PARAMS, np.zeros((3, 2, 1)), np.ones(3)))
    with pytest.raises(ValueError, match="at is 13"):
        plots.change_growth(PARAMS, RUN, at=13)
