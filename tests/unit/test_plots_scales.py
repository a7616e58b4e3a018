import numpy as np
import pytest
from matplotlib.text import Text

from rnn_helpers import plots
from rnn_helpers.palette import colour

pytestmark = pytest.mark.chapter("15")

K = np.arange(21)
UNITS = {"long": 0.9**K, "short": 0.5**K}


def test_each_unit_has_a_row_of_nodes_and_a_line():
    graph, axes = plots.time_scales(UNITS, at=10).figure.axes
    for line, values in zip(axes.lines[::2], UNITS.values(), strict=False):
        np.testing.assert_allclose(line.get_ydata(), np.log10(values))
    heights = {offset[1] for part in graph.collections for offset in part.get_offsets()}
    assert heights == {0, -1, -2}


def test_a_node_is_as_full_as_its_line_is_high():
    graph, _ = plots.time_scales({"one": np.where(K % 2, 0, 0.9**K)}).figure.axes
    full = next(part for part in graph.collections if np.ndim(part.get_alpha()) == 1).get_alpha()
    assert (full[1::2] == 0).all()
    assert (np.diff(full[::2]) < 0).all()
    assert full[0] == 1


@pytest.mark.slow
def test_what_is_0_leaves_a_gap_and_is_counted():
    values = np.where(K % 5, 0, 0.9**K)
    plot = plots.time_scales({"skips": values}, arcs=[(k, k + 5) for k in range(16)])
    drawn = plot.figure.axes[1].lines[0].get_ydata()
    np.testing.assert_array_equal(np.isnan(drawn), values == 0)
    assert "Arcs go over 5 steps. Of 21 steps the first unit holds something of 5." in plot.alt


def test_an_input_that_is_not_heard_is_hollow():
    heard = K % 4 == 0
    plot = plots.time_scales(UNITS, heard=heard)
    graph = plot.figure.axes[0]
    filled, hollow = [
        part for part in graph.collections if {y for _, y in part.get_offsets()} == {-1}
    ]
    assert len(filled.get_offsets()) == heard.sum()
    assert not len(hollow.get_facecolors())
    assert filled.get_facecolors().shape == (1, 4)
    assert "hears the input of 6 of them" in plot.alt


def test_edges_of_one_step_that_are_removed_are_dotted():
    for one_step, dash in ((True, "-"), (False, ":")):
        graph = plots.time_scales(UNITS, arcs=[(0, 5)], one_step=one_step).figure.axes[0]
        assert [line.get_linestyle() for line in graph.lines[:2]] == [dash, "-"]


def test_the_size_at_the_mark_is_said():
    plot = plots.time_scales(UNITS, at=1, title="what is left")
    assert plot.alt.startswith("What is left, over the last 20 steps")
    assert "1 step back: long 0.9, short 0.5." in plot.alt
    title = next(t for t in plot.figure.findobj(Text) if t.get_text() == "what is left")
    assert title.get_color() == colour("gradient")


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 300])
def test_ways_of_any_length_and_any_size_are_drawn_for_both_themes(n):
    units = {"grows": 1.7 ** np.arange(n + 1.0), "is gone": np.zeros(n + 1)}
    plot = plots.time_scales(units, compare={"nothing": np.zeros(n + 1)}, at=n)
    assert plot.png("light") != plot.png("dark")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"units": {}}, "units is empty"),
        ({"units": {"a": [1, -1]}}, "units contains -1"),
        ({"units": {"a": [0, 0]}}, "units holds sizes of 0 alone"),
        ({"units": {"a": [1, 1], "b": [1, 1, 1]}}, "units has 3 sizes; expected 2"),
        ({"compare": {"a": [1, 1]}}, "compare has 2 sizes; expected 21"),
        ({"heard": [True]}, r"heard has shape \(1,\)"),
        ({"arcs": [(3, 30)]}, "arcs go beyond the steps; expected pairs that rise, from 0 to 20"),
        ({"arcs": [(3, 3)]}, "arcs go beyond"),
        ({"at": 21}, "at is 21; expected at most 20"),
    ],
)
def test_what_does_not_fit_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        plots.time_scales(**{"units": UNITS} | arguments)
