import numpy as np
import pytest

from rnn_helpers import plots
from rnn_helpers.palette import colour

pytestmark = pytest.mark.chapter("06")

YHAT = np.array([[0.7, 0.3], [0.4, 0.6], [0.5, 0.5]])
Y, SAID = [0, 1, 1], [0, 1, 0]
FORCED = [True, True, False]
SINE = np.sin(np.arange(50))


def test_the_alternative_text_counts_what_is_fed_and_what_is_wrong():
    alt = plots.forced_steps(YHAT, Y, SAID, FORCED, at=2).alt
    assert alt.startswith("3 steps, 1 of which are fed the truth of the step before. ")
    assert "Wrong is what is said at 3. " in alt
    assert f"add up to {np.log([0.7, 0.6, 0.5]).sum():.3g}." in alt
    assert "All that is said is right." in plots.forced_steps(YHAT, Y, Y, FORCED).alt


def test_each_step_but_the_first_has_an_arrow_from_what_it_is_fed():
    below = plots.forced_steps(YHAT, Y, SAID, FORCED).figure.axes[1]
    colours = [note.arrow_patch.get_edgecolor() for note in below.texts]
    assert len(colours) == 2
    kinds = [line.get_color() for line in below.get_lines()]
    assert kinds == [colour("target"), colour("output")]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"yhat": YHAT[0]}, r"yhat has shape \(2,\)"),
        ({"yhat": YHAT + 0.1}, "yhat has rows that are no probabilities"),
        ({"y": [0, 1, 2]}, "y contains token 2"),
        ({"said": [0, 1]}, r"said has shape \(2,\)"),
        ({"forced": [1, 1, 0]}, "forced has dtype"),
        ({"at": 4}, "at is 4; expected a step from 1 to 3"),
    ],
)
def test_what_does_not_fit_forced_steps_is_named(changed, message):
    given = {"yhat": YHAT, "y": Y, "said": SAID, "forced": FORCED, "at": None} | changed
    with pytest.raises((ValueError, TypeError), match=message):
        plots.forced_steps(**given)


def test_a_door_says_what_can_be_read_and_what_is_said():
    plot = plots.through_door([1, 0.5], SINE, -SINE, np.eye(2), width=1, delay=1, said=1.0)
    assert "through 1 output." in plot.alt
    assert "0 to 1 steps ago the shares that can be read are 1, 0.5." in plot.alt
    assert "correlation of 1 with the input of 1 step ago" in plot.alt
    bars = plot.figure.axes[0].patches
    assert [bar.get_width() for bar in bars] == [1, 0.5]
    assert [bar.get_alpha() for bar in bars] == [0.55, 1]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"memory": [2.0]}, "expected a row of shares"),
        ({"says": SINE[:3]}, "says and asked have shapes"),
        ({"loop": np.ones((2, 3))}, "expected a square matrix"),
        ({"width": 0}, "width is 0"),
        ({"delay": 2}, "delay is 2; expected one from 0 to 1"),
    ],
)
def test_what_does_not_fit_a_door_is_named(changed, message):
    given = {"memory": [1, 0.5], "says": SINE, "asked": SINE, "loop": np.eye(2)}
    with pytest.raises(ValueError, match=message):
        plots.through_door(**given | {"width": 1, "delay": 1, "said": 1.0} | changed)


def test_networks_left_alone_are_drawn_up_to_where_they_are_shown():
    said, errors = {"one": SINE, "other": 0 * SINE}, {"one": 0 * SINE, "other": np.abs(SINE)}
    plot = plots.left_alone(said, errors, SINE, since=10, shown=20)
    first, second, below = plot.figure.axes
    assert [len(line.get_xdata()) for line in first.get_lines()[:2]] == [50, 20]
    np.testing.assert_array_equal(first.get_lines()[0].get_ydata(), SINE)
    np.testing.assert_array_equal(second.get_lines()[1].get_ydata(), np.zeros(20))
    assert below.get_lines()[0].get_ydata().max() == -3  # an error of 0, at the edge
    assert "At step 20 the errors are: one 0, other " in plot.alt


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"right": [SINE]}, r"right has shape \(1, 50\)"),
        ({"since": 51}, "since is 51"),
        ({"shown": 0}, "shown is 0"),
        ({"errors": {"other": SINE}}, "said and errors have"),
        ({"said": {"one": SINE[:9]}}, r"said\['one'\] has shape \(9,\)"),
    ],
)
def test_what_does_not_fit_networks_left_alone_is_named(changed, message):
    given = {"said": {"one": SINE}, "errors": {"one": SINE}, "right": SINE, "since": 10}
    with pytest.raises(ValueError, match=message):
        plots.left_alone(**given | changed)


@pytest.mark.slow
def test_all_three_have_two_themes():
    made = [
        plots.forced_steps(YHAT, Y, SAID, FORCED, at=1),
        plots.through_door([1, 0.5], SINE, SINE, np.eye(2), width=2, delay=0, said=1.0),
        plots.left_alone({"one": SINE}, {"one": np.abs(SINE)}, SINE, since=10),
    ]
    for plot in made:
        assert plot.png("light") != plot.png("dark")
