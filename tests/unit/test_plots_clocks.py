import numpy as np
import pytest

from rnn_helpers import plots
from rnn_helpers.palette import colour
from rnn_helpers.reference import clock_moves, init_rnn, time_scale_forward

pytestmark = pytest.mark.chapter("15")

T, PERIODS = 20, [5, 5, 2]
GROUPS = {"slow": [0, 1], "fast": [2]}
X = np.random.default_rng(0).normal(size=(T, 1))
H = time_scale_forward(init_rnn(1, 3, 1, 0), X, periods=PERIODS)
MOVES = clock_moves(PERIODS, T)
SAID, RIGHT = H[:, 0], H[:, 0] + np.where(np.arange(T) < 9, 0.1, 0.3)


def draw(**changes):
    given = {"h": H, "moves": MOVES, "said": SAID, "right": RIGHT, "groups": GROUPS} | changes
    return plots.clock_raster(**given)


def test_each_group_has_a_row_for_each_unit_and_a_mark_where_it_moves():
    _, *bands = draw().figure.axes
    assert [axes.get_ylabel() for axes in bands] == list(GROUPS)
    for axes, rows in zip(bands, GROUPS.values(), strict=True):
        np.testing.assert_array_equal(axes.images[0].get_array(), H[:, rows].T)
        marks = [segment[0, 0] for segment in axes.collections[0].get_segments()]
        np.testing.assert_allclose(marks, np.flatnonzero(MOVES[:, rows[0]]) + 0.5)


def test_what_is_generated_begins_where_reading_ends():
    signal, generated = draw(reads=6).figure.axes[0].lines
    assert len(signal.get_xdata()) == T
    assert generated.get_xdata()[0] == 6
    assert generated.get_color() == colour("output")


def test_a_clock_changed_by_hand_is_marked_and_said():
    plot = draw(reads=1, held="slow", since=10)
    framed = [
        [p.get_x() for p in axes.patches if p.get_edgecolor()[:3] != (0, 0, 0) and not p.get_fill()]
        for axes in plot.figure.axes[1:]
    ]
    assert framed == [[9.5], []]
    assert "slow 4, fast 10" in plot.alt
    assert "From step 10 on, slow has another clock and moves 3 times." in plot.alt
    assert "mean squared error is 0.1; from then on it is 0.3." in plot.alt


def test_left_alone_the_error_is_that_of_all_steps():
    assert f"is {np.sqrt(np.mean((SAID - RIGHT) ** 2)):.3g}." in draw().alt


@pytest.mark.slow
@pytest.mark.parametrize("steps", [1, 3, 300])
def test_runs_of_any_length_are_drawn_for_both_themes(steps):
    h = np.zeros((steps, 3))
    plot = draw(h=h, moves=clock_moves(PERIODS, steps), said=h[:, 0], right=h[:, 0], at=steps)
    assert plot.png("light") != plot.png("dark")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"h": H[0]}, r"h has shape \(3,\)"),
        ({"h": 2 * np.ones((T, 3))}, "h reaches 2.0; expected states from -1 to 1"),
        ({"moves": MOVES[1:]}, r"moves has shape \(19, 3\); expected \(20, 3\)"),
        ({"said": SAID[1:]}, r"said has shape \(19,\)"),
        ({"groups": {}}, "groups is empty"),
        ({"groups": {"a": [3]}}, "expected units below 3"),
        ({"groups": {"a": [1, 2]}}, "groups has 'a', whose moves differ"),
        ({"reads": T}, "reads is 20; expected fewer than the 20 steps"),
        ({"held": "none"}, "held is 'none'"),
        ({"at": T + 1}, "at is 21; expected a step from 1 to 20"),
    ],
)
def test_what_does_not_fit_is_named(changes, message):
    with pytest.raises(ValueError, match=message):
        draw(**changes)


def test_moves_are_yes_or_no():
    with pytest.raises(TypeError, match="moves has dtype float64; expected bool"):
        draw(moves=MOVES.astype(float))
