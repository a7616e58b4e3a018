import json
from itertools import pairwise

import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st
from strategies import circuits

from rnn_helpers.circuits import FIGURES, Circuit
from rnn_helpers.figures import constants
from rnn_helpers.plots import layout
from rnn_helpers.reference import drive

pytestmark = pytest.mark.chapter("02")


def as_json(value):
    return json.loads(json.dumps(value))


@pytest.mark.equation("10.1", "10.5", "10.6")
@given(circuit=circuits(last=True), T=st.integers(1, 12))
def test_the_figure_unfolds_a_circuit_into_the_same_graph_as_circuits(math, circuit, T):
    mine = circuit.unfold(T)
    theirs = math("unfold", circuit.to_dict(), T)
    assert theirs["nodes"] == as_json(mine.nodes)
    assert theirs["edges"] == [as_json(edge._asdict()) for edge in mine.edges]
    assert theirs["initial"] == as_json(mine.initial)


@given(circuit=circuits(last=True))
def test_the_figure_places_nodes_where_the_plot_places_them(math, circuit):
    mine = {
        name: [x / layout.SIBLING, y / layout.ROW] for name, (x, y) in layout.rows(circuit).items()
    }
    theirs = math("rows", circuit.to_dict())
    assert theirs == {name: pytest.approx(place) for name, place in mine.items()}


@pytest.mark.parametrize("number", FIGURES)
def test_so_it_does_for_the_sources_circuits_where_a_target_enters_half_way(math, number):
    circuit = FIGURES[number]
    mine = {
        name: [x / layout.SIBLING, y / layout.ROW] for name, (x, y) in layout.rows(circuit).items()
    }
    assert math("rows", circuit.to_dict()) == {
        name: pytest.approx(place) for name, place in mine.items()
    }


@given(circuit=circuits(last=True), T=st.integers(1, 12))
def test_parameters_and_their_copies_are_those_of_the_graph(math, circuit, T):
    graph = circuit.unfold(T)
    unfolded = math("unfold", circuit.to_dict(), T)
    assert math("parameters", unfolded) == list(graph.parameters)
    for name in graph.parameters:
        assert len(math("copies", unfolded, name)) == len(graph.copies(name))


def test_the_patterns_of_the_figure_are_figures_10_2_to_10_5(math):
    assert math.eval("M.FIGURES") == {
        number: FIGURES[number].to_dict() for number in ("10.2", "10.3", "10.4", "10.5")
    }


@given(
    width=st.floats(10, 60),
    ideal=st.floats(2, 8),
    most=st.integers(2, 16),
)
def test_the_right_edge_moves_with_every_step_and_stays_inside(math, width, ideal, most):
    room = {"width": width, "ideal": ideal, "most": most}
    edges = [math("breadth", n, room) for n in range(1, most + 1)]
    assert all(a < b for a, b in pairwise(edges))
    assert edges[-1] <= width * (1 + 1e-9)


@pytest.mark.parametrize(("pattern", "T"), [("10.3", 4), ("10.4", 5)])
def test_its_words_count_the_nodes_and_the_copies(pattern, T):
    graph = FIGURES[pattern].unfold(T)
    told = status("unfold", pattern=pattern, T=T)
    assert f"{len(graph.nodes)} nodes" in told
    for name in graph.parameters:
        assert f"{name} {len(graph.copies(name))} times" in told


@pytest.mark.equation("10.4")
@pytest.mark.parametrize("T", [1, 4, 12])
def test_the_tea_cools_as_the_recurrence_does(math, T):
    tea = constants("unfold")
    graph = math("unfold", math.eval("M.TEA"), T)
    shown = math("temperatures", graph)
    rooms = [degrees for _, degrees in tea.ROOMS[:T]]
    weights = tea.WEIGHTS
    states = drive(lambda h, x: weights["W"] * h + weights["U"] * x, tea.START, rooms)
    close([shown[f"h,{t}"] for t in range(T + 1)], [tea.START, *states])
    close([shown[f"x,{t}"] for t in range(1, T + 1)], rooms)


def test_the_teas_loop_is_a_circuit_and_its_temperatures_are_whole_degrees(math):
    Circuit.from_dict(math.eval("M.TEA"))
    told = status("unfold", view="tea", T=8)
    assert "from 84 to 68, 56, 42, 34, 28, 26, 22 and 19 degrees" in told
