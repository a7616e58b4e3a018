"""Chapter 02's exercises: tests of the solutions, and the tables of tests/declared.py."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from limits import Line, changed, moved

from rnn_helpers.circuits import FIGURES, Circuit, Edge
from rnn_helpers.exercises import chapter_02 as answers
from rnn_helpers.reference import drive, iterate

numbers = st.integers(-9, 9)


def test_the_second_cup_cools_twice():
    assert answers.cup() == iterate(lambda cup: cup + (20 - cup) / 4, 60.0, 3)


def test_the_arrows_of_ten_steps_share_two_matrices():
    loop = Circuit(["x", "h"], [Edge("x", "h", "U"), Edge("h", "h", "W", delay=1)])
    assert answers.stored() == (len(loop.unfold(10).edges), 3 * 2 + 3 * 3)


def test_the_stored_bits_give_the_number_of_the_base_4_digits():
    digits = drive(lambda h, digit: (h + digit) / 4, Fraction(0), [3, 3, 1])
    assert answers.pushed() == digits[-1] == Fraction(31, 64)


@pytest.mark.parametrize("T", [1, 2, 3, 17])
def test_the_size_is_that_of_the_unfolded_graph(T):
    graph = FIGURES["10.3"].unfold(T)
    assert answers.graph_size(T) == (len(graph.nodes), len(graph.edges))


@given(st.lists(st.text("abc", max_size=2), max_size=6), st.text("abc", max_size=2))
def test_the_states_of_a_run_are_those_of_the_unfolded_circuit(xs, h0):
    states = answers.run(lambda h, x: f"{h}({x})", h0, xs)
    if not xs:
        assert states == []
        return
    inputs = {("x", t): x for t, x in enumerate(xs, 1)}
    values = (
        FIGURES["10.2"]
        .unfold(len(xs))
        .evaluate({"h": lambda x, h: f"{h}({x})"}, {("h", 0): h0, **inputs})
    )
    assert states == [values["h", t] for t in range(1, len(xs) + 1)]


@given(
    st.sets(st.tuples(st.sampled_from("xh"), st.sampled_from("ho"), st.integers(1, 3)), max_size=5),
    st.integers(1, 6),
)
def test_the_arrows_are_those_that_the_package_draws(delayed, T):
    edges = [("x", "h", 0), ("h", "o", 0), *sorted(delayed)]
    circuit = Circuit([*"xho"], [Edge(source, target, delay=d) for source, target, d in edges])
    drawn = [(arrow.source, arrow.target) for arrow in circuit.unfold(T).edges]
    assert sorted(answers.unfold(edges, T)) == sorted(drawn)


@given(numbers, numbers, numbers)
def test_the_expression_equals_three_steps(x1, x2, x3):
    h = Fraction(0)
    for x in (x1, x2, x3):
        h = h / 2 + x
    assert answers.g3(x3, x2, x1) == h


def paths(graph, here, end):
    """List every path of a graph from one node to another."""
    if here == end:
        return [()]
    ahead = [arrow.target for arrow in graph.edges if arrow.source == here]
    return [(after, *rest) for after in ahead for rest in paths(graph, after, end)]


@given(st.sets(st.integers(1, 4), min_size=1, max_size=3), st.integers(1, 8))
def test_the_paths_are_those_that_can_be_listed_in_the_unfolded_graph(delays, T):
    circuit = Circuit(["h"], [Edge("h", "h", delay=delay) for delay in delays])
    listed = paths(circuit.unfold(T), ("h", 1), ("h", T))
    assert answers.count_paths(sorted(delays), T) == len(listed)


def test_with_delays_of_one_and_two_the_numbers_are_fibonaccis():
    assert [answers.count_paths([1, 2], T) for T in range(1, 8)] == [1, 1, 2, 3, 5, 8, 13]


@given(st.lists(st.integers(0, 1), max_size=80), st.data())
def test_stored_bits_are_read_newest_first(bits, data):
    h = Fraction(0)
    for bit in bits:
        h = (h + bit) / 2
    n = data.draw(st.integers(0, len(bits)))
    assert answers.recall_base_2(h, n) == bits[::-1][:n]


def test_a_state_does_not_encode_the_number_of_leading_zeros():
    """The empty sequence, 0 and 00 lead to the same state, as in the solution."""
    states = {answers._as_base_2(bits) for bits in ([], [0], [0, 0])}
    assert states == {Fraction(0)}


@given(st.lists(numbers, min_size=1, max_size=9))
def test_the_enlarged_state_runs_to_the_average_of_the_last_three_inputs(xs):
    states = list(itertools.accumulate(xs, answers.step, initial=(0.0, 0, 0)))[1:]
    padded = [0, 0, *xs]
    for t, (average, newest, older) in enumerate(states):
        assert average == pytest.approx(np.mean(padded[t : t + 3]))
        assert (newest, older) == (padded[t + 2], padded[t + 1])


def each_step_from(delay):
    return lambda edges, T: [
        ((source, t - delay(d)), (target, t))
        for t in range(1, T + 1)
        for source, target, d in edges
    ]


def corrected(state, x):
    average, newest, older = state
    return (3 * average + x - older) / 3, x, newest


TYPICAL = {
    "02-unfold": {
        "every delay taken for 1": each_step_from(lambda d: 1),
        "every delay above 0 taken for 1": each_step_from(lambda d: d > 0),
    },
    "02-enlarge-state": {"the old average corrected": corrected},
}
HINTED = {
    "02-enlarge-state": [
        (lambda s, x: ((x + s[1] + s[2]) // 3, x, s[1]), "`//`"),
        (lambda s, x: ((x + s[1] + s[2]) / 3, s[1], x), "Which of them is the new"),
        (lambda s, x: ((x + s[1] + s[2]) / 3, x, 0.0), "in this order"),
    ]
}


def of_arrows():
    def as_lists(arrows):
        return [[[*here], [*there]] for here, there in reversed(arrows)]

    def twice(arrows):
        return [*arrows, arrows[0]]

    def one_earlier(arrows):
        (source, s), there = arrows[0]
        return [((source, s - 1), there), *arrows[1:]]

    name = "02-unfold"
    wrong = (twice, one_earlier, lambda arrows: arrows[1:])
    return Line([changed(name, as_lists)], [changed(name, change) for change in wrong])


def of_runs():
    line = moved("02-run")
    one_more = changed("02-run", lambda states: [*states, states[-1] if states else 0.0])
    return Line(line.passes, [*line.refused, one_more])


def of_bits():
    line = moved("02-recall")
    return Line(line.passes, [*line.refused, changed("02-recall", lambda bits: [*bits, 0])])


LIMITS = {
    "02-cup": (0.004, 0.006),
    "02-run": of_runs,
    "02-unfold": of_arrows,
    "02-pushed": (9e-4, 1.1e-3),
    "02-recall": of_bits,
}
EQUIVALENT = {
    "02-count-paths": [
        # One more entry is computed, but the T-th is returned.
        "for t in range(2, T + 1): -> for t in range(2, T + 2):",
    ],
}
