import numpy as np
import pytest
from refusals import COUNT, NAN, REAL

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("06")

SINE = np.sin(np.arange(50))


def test_networks_left_alone_are_drawn_with_their_errors():
    said, errors = {"one": SINE, "other": 0 * SINE}, {"one": 0 * SINE, "other": np.abs(SINE)}
    plot = plots.left_alone(said, errors, SINE, since=10)
    first, second, below = plot.figure.axes
    assert [len(line.get_xdata()) for line in first.get_lines()[:2]] == [50, 50]
    np.testing.assert_array_equal(first.get_lines()[0].get_ydata(), SINE)
    np.testing.assert_array_equal(second.get_lines()[1].get_ydata(), np.zeros(50))
    assert below.get_lines()[0].get_ydata().max() == -3  # an error of 0, at the edge
    assert "At step 50 the errors are: one 0, other " in plot.alt


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"right": [SINE]}, r"right has shape \(1, 50\)"),
        ({"since": 51}, "since is 51"),
        ({"errors": {"other": SINE}}, "said and errors have"),
        ({"said": {"one": SINE[:9]}}, r"said\['one'\] has shape \(9,\)"),
    ],
)
def test_mismatched_arguments_of_free_running_networks_are_named(changed, message):
    given = {"said": {"one": SINE}, "errors": {"one": SINE}, "right": SINE, "since": 10}
    with pytest.raises(ValueError, match=message):
        plots.left_alone(**given | changed)


@pytest.mark.slow
def test_it_has_two_themes():
    plot = plots.left_alone({"one": SINE}, {"one": np.abs(SINE)}, SINE, since=10)
    assert plot.png("light") != plot.png("dark")


REFUSALS = {
    plots.left_alone: (
        {"said": {"a": [0.0, 1]}, "errors": {"a": [0.0, 1]}, "right": [1.0, 1], "since": 1},
        {
            **{key: [None, 3, {}, {"b": [0.0, 1]}, {"a": [NAN, 1]}] for key in ("said", "errors")},
            "right": [*REAL, 0.5, [[0.5]]],
            "since": [*COUNT, 3],
        },
    )
}
