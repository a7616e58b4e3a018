"""Chapter 01's exercises: tests of the solutions, and the tables of tests/declared.py."""

import itertools

import numpy as np
import pytest
from limits import Line, changed, moved

from rnn_helpers.checks import exercises
from rnn_helpers.exercises import chapter_01 as answers
from rnn_helpers.explore import manifest
from rnn_helpers.reference import (
    automaton,
    bigram_automaton,
    bracket_automaton,
    init_rnn,
    intersect,
    rnn_forward,
)

ALPHABET = "abc()[]{}<>"
KINDS = ["()", "[]", "{}", "<>"]


def brackets(k, letters=3):
    """The automata of k kinds of brackets, intersected, over so many letters."""
    alphabet = ALPHABET[:letters] + "".join(KINDS[:k])
    factors = [bracket_automaton(*kind, alphabet) for kind in KINDS[:k]]
    both = factors[0]
    for factor in factors[1:]:
        both = intersect(both, factor)
    return both


def test_every_problem_has_one_of_the_figures_ways():
    options = manifest()["mappings"]["controls"]["pattern"]["options"]
    assert set(answers.ways().values()) == {option["value"] for option in options}


def test_the_fading_loop_is_the_one_that_runs_step_by_step():
    def last_state(year):
        h = 0.0
        for position in range(1, 7):
            h = 0.8 * h + (10 if position == year else 0)
        return h

    v = 10 / last_state(3)
    expected = [v * last_state(6), v * last_state(1)]
    np.testing.assert_allclose(answers.outputs_of_fading_loop(), expected)


def test_each_fact_doubles_the_states():
    three, ten, units = answers.states_and_units()
    assert len(brackets(3).states) == three
    assert ten == three * 2**7 == 2**units


def test_the_intersection_matches_the_reference():
    for a, start_a, b, start_b in answers._automata():
        alphabet = sorted({symbol for _, symbol in [*a, *b]})
        theirs = intersect(
            *(
                automaton(alphabet, {key: (after, 1) for key, after in table.items()}, start, [])
                for table, start in ((a, start_a), (b, start_b))
            )
        )
        mine = answers.intersection(a, start_a, b, start_b)
        states = {(start_a, start_b), *mine.values(), *(pair for pair, _ in mine)}
        assert {" ".join(pair) for pair in states} == set(theirs.states)
        for place, state in enumerate(theirs.states):
            for symbol, after in zip(alphabet, theirs.following[place], strict=True):
                expected = None if after < 0 else tuple(theirs.states[after].split())
                assert mine.get((tuple(state.split()), symbol)) == expected


def test_the_intersection_stops_where_either_automaton_stops():
    """The third case, in the solution's words: neither counts the other's brackets."""
    a, start_a, b, start_b = answers._automata()[2]
    assert answers.intersection(a, start_a, b, start_b) == {(("out", "0"), "a"): ("out", "0")}


@pytest.mark.parametrize(("p", "q", "m"), [(0.25, 0.5, 4), (0.02, 0.25, 3), (0.5, 0.9, 1)])
def test_the_entropy_rate_matches_the_reference(p, q, m):
    alphabet = "abcd"[:m] + "()"
    weights = m * p / (1 - p), m * q / (1 - q)
    theirs = bracket_automaton("(", ")", alphabet, *weights).entropy_rate / np.log(2)
    assert answers.entropy_rate(p, q, m) == pytest.approx(theirs, abs=1e-9)


def test_the_bits_of_the_solution():
    assert answers.entropy_rate(0.25, 0.5, 4) == pytest.approx(2.2075, abs=5e-5)
    assert answers.entropy_rate(0.1, 0.3, 26) == pytest.approx(4.5674, abs=5e-5)


@pytest.mark.parametrize("k", range(1, 5))
def test_states_and_probabilities_are_those_of_the_intersection(k):
    both = brackets(k)
    assert answers.probabilities(k, 3) == (len(both), (both.weights > 0).sum())
    assert answers.probabilities(30, 4)[1] == 2**30 * 34 == 36_507_222_016


def test_m_states_track_a_depth_of_m_less_1_and_no_more():
    for m in range(1, 5):
        steps = {(str(d), "("): (str(d + 1), 1) for d in range(m - 1)}
        steps |= {(str(d + 1), ")"): (str(d), 1) for d in range(m - 1)}
        steps[str(m - 1), "a"] = str(m - 1), 1
        depths = automaton("a()", steps, "0", ["0"])
        assert len(depths) == m
        for depth in range(m + 1):
            assert depths.accepts("(" * depth + ")" * depth) == (depth < m)


@pytest.mark.slow
def test_parameters_are_counted_as_networks_have_them():
    torch = pytest.importorskip("torch")
    for T, n_x, n_h, n_y, k in exercises()["01-parameters"].cases():
        readout = torch.nn.Linear(n_h, n_y)
        nets = [
            [torch.nn.Linear(T * n_x, n_h), readout],
            [torch.nn.Conv1d(n_x, n_h, k), readout],
        ]
        counted = [sum(p.numel() for net in each for p in net.parameters()) for each in nets]
        recurrent = sum(array.size for array in init_rnn(n_x, n_h, n_y).values())
        assert answers.parameters(T, n_x, n_h, n_y, k) == (*counted, recurrent)
    assert answers.parameters(10, 50, 16, 20, 3) == (8356, 2756, 1412)
    assert answers.parameters(20, 50, 16, 20, 3) == (16356, 2756, 1412)


@pytest.mark.parametrize(("T", "k"), [(1, 3), (3, 3), (4, 3), (10, 4), (30, 2)])
def test_the_fewest_layers_give_a_full_receptive_field(T, k):
    deep = answers.layers(T, k)
    for depth, sees_all in ((deep, True), (deep - 1, False)):
        seen = np.ones(1)
        for _ in range(depth):
            seen = np.convolve(seen, np.ones(k))
        assert (len(seen) >= T) == sees_all or depth < 0


@pytest.mark.parametrize("K", [8, 20, 40])
def test_two_units_know_whether_they_are_inside_over_a_thousand_steps(K):
    marks = (np.random.default_rng(2).random(1000) < 0.2).astype(float)
    outputs = rnn_forward(answers.quotes(K), marks[:, None]).o[:, 0]
    np.testing.assert_array_equal(outputs > 0, np.cumsum(marks) % 2 == 1)
    assert np.abs(outputs).min() > 0.9


def test_any_two_units_that_do_it_are_accepted():
    """Turned round: off where the solution's are on, and in the other order."""

    def other(K):
        net = answers.quotes(K)
        for name, sign in (("U", -1), ("b", -1), ("V", -1)):
            net[name] = sign * net[name]
        turned = {"V": net["V"][:, ::-1], "W": net["W"][::-1, ::-1]}
        return net | turned | {name: net[name][::-1] for name in "Ub"}

    assert exercises()["01-quotes"].grade(other)


@pytest.mark.slow
def test_bigrams_lose_the_stated_amount():
    """Use k kinds of brackets and two letters; the solution has ten texts of 20 000 symbols."""
    for k, bits, more in ((1, np.log2(3), 0.222), (2, 2.0, 0.374), (3, np.log2(5), 0.478)):
        source = answers._source(KINDS[:k])
        assert source.entropy_rate / np.log(2) == pytest.approx(bits, abs=1e-9)
        measured = [answers.excess(source, source.sample(20_000, seed=seed)) for seed in range(2)]
        assert np.mean(measured) == pytest.approx(more, abs=0.005)


def test_bigrams_lose_almost_zero_where_the_state_is_the_last_symbol():
    source = bigram_automaton("ab", [[0.5, 0.5], [0.9, 0.1], [0.3, 0.7]])
    assert answers.excess(source, source.sample(20_000)) == pytest.approx(0, abs=1e-3)


TYPICAL = {"01-states": {"two units for each fact": (8, 1024, 20)}}


def averaged_over_all(automaton, tokens):
    counts = np.zeros((len(automaton.alphabet),) * 2)
    for before, after in itertools.pairwise(tokens):
        counts[before, after] += 1
    p = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return -np.log2(p[tokens[:-1], tokens[1:]]).mean() - automaton.loss(tokens).mean() / np.log(2)


HINTED = {"01-excess": [(averaged_over_all, "Which symbols")]}


def of_ways():
    right = exercises()["01-ways"].answer
    other = [right | {problem: "many-many"} for problem in right]
    backwards = dict(reversed(right.items()))
    return Line([backwards], [*other, right | {"another": "one-one"}, dict([*right.items()][1:])])


def of_intersections():
    def without_one(transitions):
        return dict([*transitions.items()][1:])

    def with_one_more(transitions):
        return transitions | {(("nowhere", "nowhere"), "a"): ("nowhere", "nowhere")}

    def with_another_end(transitions):
        return transitions | {next(iter(transitions)): ("nowhere", "nowhere")}

    def as_lists(transitions):
        return {where: [*after] for where, after in reversed(transitions.items())}

    name = "01-intersect"
    wrong = (without_one, with_one_more, with_another_end)
    return Line([changed(name, as_lists)], [changed(name, change) for change in wrong])


def of_places():
    line = moved("01-unmoved")
    return Line(line.passes, [*line.refused, changed("01-unmoved", lambda places: [*places, 9])])


def of_loops():
    """Any numbers do whose sums are above 0 at the right steps, and 0 is not above 0."""

    def with_bias(b):
        return exercises()["01-seen"].answer | {"b": [b, b]}

    return Line(
        [with_bias(-0.001), with_bias(0), with_bias(-0.999)], [with_bias(0.001), with_bias(-1)]
    )


def of_quotes():
    """Inside, the two units differ by 2; outside, by 0."""

    def told_from(c):
        return changed("01-quotes", lambda net: net | {"c": np.array([c])})

    return Line([told_from(-1.999), told_from(-0.001)], [told_from(-2.001), told_from(0.001)])


LIMITS = {
    "01-ways": of_ways,
    "01-intersect": of_intersections,
    "01-quotes": of_quotes,
    "01-seen": of_loops,
    "01-unmoved": of_places,
    "01-fade": (0.004, 0.006),
}
EQUIVALENT = {
    "01-excess": [
        # The third axis only repeats every number, and the mean of repeated numbers doesn't change.
        "counts = np.zeros((len(automaton.alphabet),) * 2) -> "
        "counts = np.zeros((len(automaton.alphabet),) * 3)",
        # Counting every pair twice doubles the counts and their sums, so their ratios stay the
        # same.
        "np.add.at(counts, (before, after), 1) -> np.add.at(counts, (before, after), 2)",
    ],
    "01-intersect": [
        # The start is then visited a second time if a path leads back to it, and it adds the same
        # transitions again.
        "seen = set(new) -> seen = set(0 * new)",
    ],
    "01-quotes": [
        # Inside, the first unit's sum at a letter is 2 and not K/2, outside it's -2 and not -K/2;
        # the signs stay.
        "…'W': np.array([[K / 2, -K / 2], [K /… -> …'W': np.array([[2, -K / 2], [K /…",
        # The first unit's sums move by K/6, less than their distance K/2 from 0, so no sign
        # changes.
        "… np.array([[K / 2, -K / 2], [K / … -> … np.array([[K / 3, -K / 2], [K / …",
        "…y([[K / 2, -K / 2], [K / 2, -K / … -> …y([[K / 2, -K / 3], [K / 2, -K / …",
        # The second unit's sum is 2 and not K/2 at a closing mark, -2 and not -K/2 at an opening
        # one; the signs stay.
        "… / 2, -K / 2], [K / 2, -K / 2]]), 'b… -> … / 2, -K / 2], [2, -K / 2]]), 'b…",
        # The second unit's sums move by K/6, less than their distance K/2 from 0, so no sign
        # changes.
        "…, -K / 2], [K / 2, -K / 2]]), 'b'… -> …, -K / 2], [K / 3, -K / 2]]), 'b'…",
        "…], [K / 2, -K / 2]]), 'b': np.arr… -> …], [K / 2, -K / 3]]), 'b': np.arr…",
        # At a mark right after another the second unit's sum is small, but it has the right sign,
        # and only the sign of the output counts.
        "… / 2], [K / 2, -K / 2]]), 'b': np… -> … / 2], [K / 2, -1 / 2]]), 'b': np…",
        # The first unit's sums rise by K/6, less than their distance K/2 from 0, so no sign
        # changes.
        "… np.array([-K / 2, -3 * K / 2]), … -> … np.array([-K / 3, -3 * K / 2]), …",
        # The network for K = 20 already answers every text correctly, and any network that does is
        # accepted.
        "(always the first case's answer)",
        "(K is always the first case's)",
    ],
    "01-seen": [
        # A still turns on at a mark: its sum there is 1.5 and not 0.5.
        "return _loop([1, 1], [[1, 0], [0, 0]], [-0.5, -0.5]) -> "
        "return _loop([2, 1], [[1, 0], [0, 0]], [-0.5, -0.5])",
        # B still turns on at a mark and only there: its sum is 1.5 and not 0.5.
        "return _loop([1, 1], [[1, 0], [0, 0]], [-0.5, -0.5]) -> "
        "return _loop([1, 2], [[1, 0], [0, 0]], [-0.5, -0.5])",
        # A that is on stays on: its sum is at least 1.5 and not 0.5.
        "return _loop([1, 1], [[1, 0], [0, 0]], [-0.5, -0.5]) -> "
        "return _loop([1, 1], [[2, 0], [0, 0]], [-0.5, -0.5])",
        # A may read B as well, because B is on only after a mark, and then A must be on anyway.
        "return _loop([1, 1], [[1, 0], [0, 0]], [-0.5, -0.5]) -> "
        "return _loop([1, 1], [[1, 1], [0, 0]], [-0.5, -0.5])",
    ],
}
