import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import CIRCUIT
from refusals import (
    COUNT,
    NAN,
)
from strategies import circuits

from rnn_helpers.circuits import FIGURES, Circuit, Edge

lengths = st.integers(1, 7)


@pytest.mark.chapter("02")
@given(circuits(last=True), lengths)
def test_every_node_of_an_unfolded_graph_comes_after_its_sources(circuit, T):
    graph = circuit.unfold(T)
    place = {node: i for i, node in enumerate(graph.nodes)}
    assert len(place) == len(graph.nodes)
    assert all(place[source] < place[target] for source, target, _ in graph.edges)


@pytest.mark.chapter("02")
@given(circuits(), lengths)
def test_every_edge_has_one_copy_per_step_and_keeps_its_delay(circuit, T):
    graph = circuit.unfold(T)
    expected = {
        ((edge.source, t - edge.delay), (edge.target, t), edge.parameter)
        for edge in circuit.edges
        for t in range(1, T + 1)
    }
    assert set(graph.edges) == expected
    assert len(graph.edges) == T * len(circuit.edges)
    for name in circuit.parameters:
        assert len(graph.copies(name)) == T * sum(e.parameter == name for e in circuit.edges)


@pytest.mark.chapter("02")
@given(circuits(), lengths)
def test_parameters_stay_while_nodes_grow_by_as_many_each_step(circuit, T):
    shorter, longer = circuit.unfold(T), circuit.unfold(T + 1)
    assert shorter.parameters == longer.parameters
    assert set(longer.parameters) == set(circuit.parameters)
    steps = [node for node in longer.nodes if node[1] >= 1]
    assert len(steps) == (T + 1) * len(circuit.nodes)


@given(circuits(), lengths)
def test_initial_nodes_are_those_that_the_first_steps_need(circuit, T):
    graph = circuit.unfold(T)
    needed = {
        (e.source, t - e.delay) for e in circuit.edges for t in range(1, T + 1) if t <= e.delay
    }
    assert set(graph.initial) == needed
    assert graph.nodes[: len(needed)] == graph.initial


@given(circuits(last=True))
def test_a_circuit_survives_json(circuit):
    assert Circuit.from_dict(json.loads(json.dumps(circuit.to_dict()))) == circuit


@pytest.mark.equation("10.3")
@pytest.mark.chapter("02")
def test_figure_10_1_is_the_chain_of_one_function():
    graph = FIGURES["10.1"].unfold(3)
    assert graph.nodes == (("s", 0), ("s", 1), ("s", 2), ("s", 3))
    assert [edge.parameter for edge in graph.edges] == ["f", "f", "f"]
    values = graph.evaluate({"s": lambda s: 2 * s + 1}, {("s", 0): 1})
    assert values["s", 3] == 15


@pytest.mark.equation("10.5", "10.7")
@pytest.mark.chapter("02")
def test_evaluating_the_unfolded_graph_is_running_the_recurrence():
    rng = np.random.default_rng(0)
    U, W, xs = rng.normal(size=(3, 2)), rng.normal(size=(3, 3)), rng.normal(size=(6, 2))
    given = {("h", 0): np.zeros(3)} | {("x", t): x for t, x in enumerate(xs, 1)}
    values = FIGURES["10.2"].unfold(6).evaluate({"h": lambda x, h: np.tanh(U @ x + W @ h)}, given)
    h = np.zeros(3)
    for t, x in enumerate(xs, 1):
        h = np.tanh(U @ x + W @ h)
        np.testing.assert_array_equal(values["h", t], h)


@pytest.mark.chapter("03")
@pytest.mark.parametrize(
    ("figure", "carrier"), [("10.2", "h"), ("10.3", "h"), ("10.4", "o"), ("10.5", "h")]
)
def test_the_figures_carry_their_past_in_the_stated_node(figure, carrier):
    graph = FIGURES[figure].unfold(4)
    crossing = [(s, t) for s, t, _ in graph.edges if s[1] != t[1]]
    assert {source[0] for source, _ in crossing} == {carrier}
    assert {target[0] for _, target in crossing} == {"h"}
    assert graph.initial == ((carrier, 0),)


@pytest.mark.chapter("03")
def test_the_single_output_of_figure_10_5_exists_at_the_last_step_only():
    graph = FIGURES["10.5"].unfold(4)
    assert [node for node in graph.nodes if node[0] in "oLy"] == [("y", 4), ("o", 4), ("L", 4)]
    assert len(graph.copies("V")) == 1
    assert len(graph.copies("U")) == len(graph.copies("W")) == 4


def test_a_given_value_takes_the_place_of_a_computed_one():
    graph = FIGURES["10.2"].unfold(2)
    values = graph.evaluate(
        {"h": lambda x, h: x + h}, {("x", 1): 1, ("x", 2): 2, ("h", 0): 0, ("h", 1): 100}
    )
    assert values["h", 2] == 102


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Circuit([], []), "at least one"),
        (lambda: Circuit(["h", "h"], []), "'h' twice"),
        (lambda: Circuit(["h", " "], []), "expected a name"),
        (lambda: Circuit(["h", 3], []), "3; expected a name"),
        (lambda: Circuit(["h"], [Edge("z", "h")]), "'z'; the nodes are h"),
        (lambda: Circuit(["h"], [Edge("h", "z")]), "'z'; the nodes are h"),
        (lambda: Circuit(["h"], [], last=["o"]), "last names 'o'"),
        (lambda: Circuit(["h"], [Edge("h", "h", "W")]), "cycle, h -> h"),
        (lambda: Circuit(["a", "b"], [Edge("a", "b"), Edge("b", "a")]), "delay of 1"),
        (lambda: Circuit(["h"], [Edge("h", "h", "W", 1), Edge("h", "h", "Q", 1)]), "there twice"),
        (lambda: Circuit(["h", "o"], [Edge("o", "h", "W", 1)], last=["o"]), "last step only"),
        (lambda: Circuit(["h", "o"], [Edge("o", "h", "W")], last=["o"]), "last step only"),
        (lambda: Circuit(["o", "L"], [Edge("o", "L", delay=1)], last=["o", "L"]), "last step only"),
        (lambda: Edge("h", "h", "W", -1), "-1; expected an integer >= 0"),
        (lambda: Edge("h", "h", "W", 0.5), "0.5; expected an integer >= 0"),
        (lambda: Edge("h", "h", ""), "expected a name"),
        (lambda: FIGURES["10.3"].unfold(0), "T is 0"),
        (lambda: FIGURES["10.3"].unfold(2.5), "T is 2.5"),
        (lambda: FIGURES["10.3"].unfold("3"), "T is '3'"),
        (lambda: FIGURES["10.3"].unfold(True), "T is True"),
        (lambda: FIGURES["10.3"].unfold(2).copies("Q"), "'Q'; the graph has U, W, V"),
        (lambda: FIGURES["10.3"].unfold(2).copies(None), "None; the graph has"),
        (lambda: Circuit.from_dict({"nodes": ["h"]}), "expected the keys"),
        (lambda: Circuit.from_dict({"nodes": ["h"], "edges": [{"src": "h"}]}), "expected the keys"),
        (lambda: Circuit.from_dict(None), "expected the keys"),
        (lambda: FIGURES["10.1"].unfold(1).evaluate({}, {("s", 0): 1}), "needs a function"),
        (lambda: FIGURES["10.1"].unfold(1).evaluate({"s": abs}, {}), "needs a value in given"),
        (lambda: FIGURES["10.1"].unfold(1).evaluate({}, {("s", 9): 1}), "no such node"),
    ],
)
def test_bad_circuits_and_lengths_are_explained(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("make", [lambda: Circuit("xh", []), lambda: Circuit(["h"], [("h", "h")])])
def test_wrong_types_are_reported(make):
    with pytest.raises(TypeError, match="expected"):
        make()


REFUSALS = {
    Edge: (
        {"source": "a", "target": "b", "parameter": "W", "delay": 0},
        {
            "source": ["", None, 3],
            "target": ["", None, 3],
            "parameter": ["", 3],
            "delay": [-1, 1.5, "1", None, NAN, True],
        },
    ),
    Circuit: (
        {"nodes": ["a"], "edges": [], "last": []},
        {
            "nodes": [[], None, 3, "ab", ["a", "a"], [""], [3]],
            "edges": [None, 3, [3], ["ab"], "ab"],
            "last": [None, ["q"], "a", 3],
        },
        {"edges": "edge"},
    ),
    CIRCUIT.unfold: ({"T": 3}, {"T": COUNT}),
    Circuit.from_dict: (
        {"data": CIRCUIT.to_dict()},
        {"data": [None, {}, 3, "a", [], {"nodes": ["a"], "edges": [3]}, np.zeros(3)]},
    ),
    FIGURES["10.1"].unfold(2).evaluate: (
        {"functions": {"s": abs}, "given": {("s", 0): 1}},
        {"functions": [None, 3, {"s": 3}], "given": [None, {}, 3, {"s": 3}, {("q", 1): 2}]},
    ),
    CIRCUIT.unfold(3).shortest_path: (
        {"source": ("h", 1), "target": ("h", 3)},
        {"source": [None, "h", ("z", 1), ("h", 9)], "target": [None, "h", ("z", 1), ["h", 3]]},
    ),
    CIRCUIT.unfold(2).copies: ({"parameter": "W"}, {"parameter": [None, "Q", 3, []]}),
}
