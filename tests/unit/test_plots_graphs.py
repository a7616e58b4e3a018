import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Rectangle
from matplotlib.transforms import Bbox
from networks import CIRCUIT
from refusals import (
    COUNT,
)

from rnn_helpers import plots
from rnn_helpers.circuits import FIGURES, Circuit, Edge
from rnn_helpers.palette import colour


def patches(plot, kind):
    return [patch for patch in plot.figure.axes[0].patches if type(patch) is kind]


def texts(plot):
    return [text.get_text() for text in plot.figure.axes[0].texts]


@pytest.mark.chapter("02")
@pytest.mark.parametrize("T", [1, 4, 7])
def test_circuit_and_graph_are_drawn_node_by_node(T):
    circuit = FIGURES["10.3"]
    plot, graph = plots.unfolded_graph(circuit, T), circuit.unfold(T)
    nodes = len(patches(plot, Circle)) + len(patches(plot, FancyBboxPatch))
    assert nodes == len(circuit.nodes) + len(graph.nodes)
    # One more arrow connects the two drawings.
    assert len(patches(plot, FancyArrowPatch)) == len(circuit.edges) + len(graph.edges) + 1
    for name in circuit.parameters:
        assert texts(plot).count(f"${name}$") == 1 + len(graph.copies(name))


@pytest.mark.chapter("02")
def test_each_step_of_delay_has_a_black_square():
    circuit = Circuit(["h"], [Edge("h", "h", "W", delay=1), Edge("h", "h", "Q", delay=2)])
    assert len(patches(plots.unfolded_graph(circuit, 2), Rectangle)) == 3


@pytest.mark.chapter("09")
@pytest.mark.parametrize("T", [1, 4, 7])
def test_a_bidirectional_network_has_two_states_at_each_step(T):
    plot = plots.bidirectional_graph(T)
    assert len(patches(plot, Circle)) == 3 * T
    assert len(patches(plot, FancyBboxPatch)) == T
    assert len(patches(plot, FancyArrowPatch)) == 4 * T + 2 * (T - 1)
    for name, copies in {"U": T, "U'": T, "W": T - 1, "W'": T - 1, "V": T, "V'": T}.items():
        assert texts(plot).count(f"${name}$") == copies


@pytest.mark.chapter("15")
def test_arrows_lead_into_a_unit_with_a_clock_only_at_its_ticks():
    plot = plots.clockwork_graph([4, 2, 1], 4)
    assert len(patches(plot, Circle)) == 12
    arrows = [p for p in patches(plot, FancyArrowPatch) if p.get_linestyle() in ("solid", "-")]
    # Three into the unit of period 1 at each of three steps, two at each tick of 2, one of 4.
    assert len(arrows) == 3 * 3 + 2 * 2 + 1
    assert len(patches(plot, FancyArrowPatch)) - len(arrows) == 3
    assert "period 4 at 4; period 2 at 2, 4; period 1 at 1, 2, 3, 4" in plot.alt


@pytest.mark.chapter("15")
@pytest.mark.parametrize("periods", [[2, 2, 1], [1, 2, 3, 4, 5, 6]])
def test_a_clockwork_drawing_has_few_periods_and_each_of_them_once(periods):
    with pytest.raises(ValueError, match="all different"):
        plots.clockwork_graph(periods, 4)


@pytest.mark.chapter("11")
def test_three_designs_have_their_nodes_arrows_and_delays():
    plot = plots.deep_designs()
    assert len(patches(plot, Circle)) == 3 + 5 + 5
    assert len(patches(plot, FancyBboxPatch)) == 3  # inputs
    assert len(patches(plot, FancyArrowPatch)) == 5 + 6 + 7
    assert len(patches(plot, Rectangle)) == 2 + 1 + 2  # delays
    for letter, copies in {"U": 2, "U_{1}": 1, "W_{2}": 1, "T": 2, "S": 1, "V": 3}.items():
        assert texts(plot).count(f"${letter}$") == copies


@pytest.mark.chapter("11")
def test_connections_around_layers_are_thicker_than_those_through_them():
    for plot, around, through in (
        (plots.skip_connections(), 1, 2),  # in the first of two panels
        (plots.residual_stream(), 5, 8),
    ):
        widths = [arrow.get_linewidth() for arrow in patches(plot, FancyArrowPatch)]
        assert widths.count(2) == around
        assert widths.count(1.1) == through
    assert texts(plots.residual_stream()).count("attention") == 2
    assert {"$S$", "$T$", "$W$"} <= set(texts(plots.skip_connections()))


def test_long_delays_are_written_out():
    circuit = Circuit(["h"], [Edge("h", "h", "W", delay=9)])
    assert "$W (\\times 9)$" in texts(plots.unfolded_graph(circuit, 1))


@pytest.mark.chapter("03")
@pytest.mark.parametrize(
    ("figure", "there", "not_there"),
    [
        ("10.1", ["$s^{(\\ldots)}$", "$s^{(t-1)}$", "$s^{(t)}$", "$s^{(t+1)}$"], ["$s^{(0)}$"]),
        ("10.2", ["$x^{(t)}$", "$h^{(\\ldots)}$"], ["$x^{(\\ldots)}$"]),
        ("10.4", ["$o^{(\\ldots)}$", "$h^{(\\ldots)}$"], ["$x^{(\\ldots)}$"]),
        ("10.5", ["$x^{(\\ldots)}$", "$o^{(\\tau)}$", "$y^{(\\tau)}$"], ["$o^{(t)}$"]),
    ],
)
def test_without_a_length_the_book_s_time_steps_are_drawn(figure, there, not_there):
    names = texts(plots.unfolded_graph(FIGURES[figure]))
    assert set(there) <= set(names)
    assert not set(not_there) & set(names)


def test_the_dots_of_figure_10_5_are_at_start_and_gap():
    assert texts(plots.unfolded_graph(FIGURES["10.5"])).count("$h^{(\\ldots)}$") == 2


def test_long_graphs_leave_out_the_middle_and_keep_their_ends():
    names = texts(plots.unfolded_graph(FIGURES["10.2"], 50))
    for t in ("1", "2", "\\ldots", "49", "50"):
        assert f"$h^{{({t})}}$" in names
    assert "$h^{(25)}$" not in names


def test_the_highlighted_copies_alone_stand_out():
    plot = plots.unfolded_graph(FIGURES["10.3"], 3, highlight="W")
    arrows = patches(plot, FancyArrowPatch)
    wide = [a for a in arrows if a.get_linewidth() > 2]
    assert len(wide) == 1 + 3
    accent = [t.get_text() for t in plot.figure.axes[0].texts if t.get_color() == colour("accent")]
    assert accent == ["$W$"] * 4
    assert "The copies of W stand out" in plot.alt


def test_values_replace_the_labels_of_their_nodes():
    plot = plots.unfolded_graph(FIGURES["10.1"], 2, values={("s", 0): 84, ("s", 1): 68.5})
    assert {"84", "68.5", "$s^{(2)}$"} <= set(texts(plot))
    assert plot.alt.endswith("The nodes show numbers: 84 for s(0), 68.5 for s(1).")


def test_values_need_nodes_of_the_graph():
    for T in (None, 2):
        with pytest.raises(ValueError, match="nodes of the graph"):
            plots.unfolded_graph(FIGURES["10.1"], T, values={("s", 3): 47})


def test_alternative_text_has_the_right_counts():
    assert plots.unfolded_graph(FIGURES["10.3"], 4).alt == (
        "Left, a circuit with the nodes x, h, o, L, y; h feeds itself after 1 step through W. "
        "Right, its unfolded graph for T = 4, with 21 nodes and 20 arrows; "
        "copies of each parameter: U 4, W 4, V 4."
    )


DEEP = Circuit(
    ["x", "h1", "h2", "o"],
    [
        Edge("x", "h1", "U"),
        Edge("h1", "h1", "W_1", 1),
        Edge("h1", "h2", "V_1"),
        Edge("h2", "h2", "W_2", 1),
        Edge("h2", "o", "V_2"),
        Edge("o", "h1", "R", 1),
    ],
)
TWO_STATES = Circuit(
    ["x", "h", "g", "o"],
    [
        Edge("x", "h", "U"),
        Edge("x", "g", "R"),
        Edge("h", "h", "W", 1),
        Edge("g", "g", "Q", 1),
        Edge("h", "o", "V"),
        Edge("g", "o", "P"),
    ],
)
SKIP = Circuit(["x", "h"], [Edge("x", "h", "U"), Edge("h", "h", "W", 1), Edge("h", "h", "Q", 3)])


@pytest.mark.slow
@pytest.mark.parametrize(
    "plot",
    [
        *(pytest.param(lambda c=c: plots.unfolded_graph(c), id=f) for f, c in FIGURES.items()),
        pytest.param(lambda: plots.unfolded_graph(FIGURES["10.5"], 12), id="10.5, T=12"),
        pytest.param(lambda: plots.unfolded_graph(DEEP, 4), id="deep"),
        pytest.param(lambda: plots.unfolded_graph(TWO_STATES, 4), id="two states"),
        pytest.param(lambda: plots.unfolded_graph(SKIP, 6), id="skip"),
    ],
)
def test_no_two_words_overlap_and_none_leaves_the_figure(plot):
    figure = plot().figure
    frame = Bbox([[0, 0], figure.get_size_inches() * figure.dpi])
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    for box in boxes:
        assert frame.containsx(box.x0)
        assert frame.containsx(box.x1)
        assert frame.containsy(box.y0)
        assert frame.containsy(box.y1)
    for first, second in itertools.combinations(boxes, 2):
        assert not first.overlaps(second)


@pytest.mark.slow
@pytest.mark.parametrize("circuit", [*FIGURES.values(), DEEP, TWO_STATES, SKIP])
def test_arrows_keep_clear_of_the_nodes_they_do_not_join(circuit):
    plot = plots.unfolded_graph(circuit, 4)
    centres = np.array(
        [c.center for c in patches(plot, Circle)]
        + [(b.get_x() + b.get_width() / 2, b.get_y() + b.get_height() / 2)
           for b in patches(plot, FancyBboxPatch)]
    )  # fmt: skip
    for arrow in patches(plot, FancyArrowPatch):
        path = arrow._path_original
        if path is None:
            continue
        distance = np.linalg.norm(path.vertices[:, None] - centres, axis=-1).min()
        assert distance > 0.32


names = st.text('ahxyW12_ $\\{}^~%&#"é', min_size=1, max_size=8).filter(str.strip)


@pytest.mark.slow
@given(names, names, st.integers(1, 9))
def test_any_names_can_be_drawn(node, parameter, T):
    circuit = Circuit([node], [Edge(node, node, parameter, delay=1)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a font may lack a letter
        plots.unfolded_graph(circuit, T).figure.draw_without_rendering()


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.unfolded_graph(FIGURES["10.3"], 0), "T is 0"),
        (lambda: plots.unfolded_graph(FIGURES["10.3"], 2.5), "T is 2.5"),
        (lambda: plots.unfolded_graph(FIGURES["10.3"], highlight="Q"), "parameters are U, W, V"),
    ],
)
def test_bad_settings_are_named(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


def test_something_else_than_a_circuit_is_refused():
    with pytest.raises(TypeError, match="expected a Circuit"):
        plots.unfolded_graph(FIGURES)


REFUSALS = {
    plots.deep_designs: ({}, {}),
    plots.skip_connections: ({}, {}),
    plots.residual_stream: ({}, {}),
    plots.bidirectional_graph: ({"T": 3}, {"T": [*COUNT, 8]}),
    plots.clockwork_graph: (
        {"periods": [4, 2, 1], "T": 4},
        {"periods": [None, 0, [0, 1], [1, 1], [1.5], "ab", []], "T": [*COUNT, 8]},
    ),
    plots.unfolded_graph: (
        {"circuit": CIRCUIT, "T": 3},
        {
            "circuit": [None, 3, "10.3"],
            "T": [value for value in COUNT if value is not None],
            "highlight": ["Q", 3, "", ["W"], np.array([1, 2])],
            "values": [3, "h", [("h", 1)], {"h": 1}, {("h", 9): 1}, {("h", 1): "warm"}],
        },
    ),
}
