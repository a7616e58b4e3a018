"""The figure joint removes states as Python does, and counts numbers as the reference does."""

from itertools import count

import numpy as np
import pytest
from compare import status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.circuits import Circuit, Edge
from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.reference import init_rnn, network_numbers, sequence_losses, table_numbers

pytestmark = pytest.mark.chapter("07")
META = manifest()["joint"]
DEFAULT = complete("joint", {})
MOST = META["controls"]["tau"]["max"]
KINDS = META["controls"]["k"]["max"]

lengths = st.integers(2, MOST)


# Figure 10.8: each state depends on the state and on the symbol before it.
FIGURE = Circuit(["y", "h"], [Edge("h", "y"), Edge("h", "h", delay=1), Edge("y", "h", delay=1)])


def arrows(tau, summed=0):
    """Return the arrows of figure 10.8 after the first states have been removed.

    A state is a function of its parents. So once it is gone, arrows lead from its parents to its
    children. An arrow is a pair of nodes, and a node is a letter and a step from 1 on.
    """
    graph = FIGURE.unfold(tau)
    left = {(edge.source, edge.target) for edge in graph.edges if edge.source[1] > 0}
    for step in range(1, min(summed, tau) + 1):
        gone = ("h", step)
        parents = {source for source, target in left if target == gone}
        children = {target for source, target in left if source == gone}
        left = {arrow for arrow in left if gone not in arrow}
        left |= {(source, target) for source in parents for target in children}
    return left


def as_set(arrows):
    """Return arrows as Python writes them."""
    nodes = [[(node[0], int(node[1:])) for node in arrow] for arrow in arrows]
    return {tuple(arrow) for arrow in nodes}


def among_symbols(tau):
    return {(("y", i), ("y", t)) for t in range(1, tau + 1) for i in range(1, t)}


@given(lengths, st.integers(0, MOST))
def test_the_arrows_match_python(math, tau, summed):
    made = math("graph", tau, summed)
    assert len(as_set(made["arrows"])) == len(made["arrows"])
    assert as_set(made["arrows"]) == arrows(tau, summed)
    assert made["gone"] == min(tau, summed)


@given(lengths)
def test_with_all_states_it_is_figure_10_8_and_without_them_10_7(math, tau):
    assert as_set(math("graph", tau, 0)["arrows"]) == arrows(tau)
    assert len(arrows(tau)) == 3 * tau - 2
    assert as_set(math("graph", tau, tau)["arrows"]) == among_symbols(tau)


@given(lengths, st.integers(1, MOST))
def test_fresh_arrows_are_those_that_the_last_removal_added(math, tau, summed):
    made = math("graph", tau, min(summed, tau))
    before = arrows(tau, min(summed, tau) - 1)
    assert as_set(made["fresh"]) == arrows(tau, summed) - before


def test_a_removed_state_was_a_function_of_all_symbols_before_it(math):
    """Earlier states have been removed, so its parents are symbols."""
    for step in range(1, MOST + 1):
        made = math("graph", MOST, step)
        assert sorted(made["parents"]) == sorted(f"y{i}" for i in range(1, step))


@pytest.mark.slow
def test_a_symbol_depends_on_those_before_it_and_on_no_others():
    """The arrows predict which losses of a network change with a symbol."""
    tau, k = 5, 3
    rng = np.random.default_rng(0)
    params = {name: rng.normal(size=w.shape) for name, w in init_rnn(k, 8, k, seed=0).items()}
    y = rng.integers(k, size=tau)
    for place in range(tau):
        other = y.copy()
        other[place] = (y[place] + 1) % k
        moved = np.abs(sequence_losses(params, other) - sequence_losses(params, y)) > 1e-12
        follows = [(("y", place + 1), ("y", t + 1)) in arrows(tau, tau) for t in range(tau)]
        follows[place] = True  # its own loss
        assert moved.tolist() == follows


@given(st.integers(2, KINDS), lengths, st.integers(1, 64))
def test_the_numbers_are_the_references_to_the_last_digit(math, k, tau, units):
    assert math("tableNumbers", k, tau) == table_numbers(k, tau)
    assert math("networkNumbers", k, units) == network_numbers(k, units)
    assert sum(math("rowNumbers", k, t) for t in range(1, tau + 1)) == table_numbers(k, tau)


def test_the_largest_table_is_still_counted_exactly():
    assert table_numbers(KINDS, MOST) < 2**53


def test_the_network_has_as_many_numbers_as_its_arrays():
    params = init_rnn(5, 7, 5, seed=0)
    assert network_numbers(5, 7) == sum(np.size(array) for array in params.values())


def test_the_texts_state_the_numbers():
    tau, k, units = DEFAULT["tau"], DEFAULT["k"], DEFAULT["units"]
    assert (tau, k, units) == (6, 2, 16)
    net, table = network_numbers(k, units), table_numbers(k, tau)
    prediction = META["prediction"]
    assert f"{units} units has {net} parameters" in prediction["question"]
    assert f"needs {table} numbers at length {tau}" in prediction["question"]
    assert prediction["answer"] == str(next(n for n in count(1) if table_numbers(k, n) > net))
    last, first = (table_numbers(k, length) for length in (8, 9))
    assert f"{last} numbers at length 8 and {first} at length 9" in prediction["why"]
    assert f"has {net} at every length" in prediction["why"]
    assert first == 2 * last + 1
    assert f"{len(arrows(tau))} arrows" in META["alt"]
    assert not among_symbols(tau) & arrows(tau)
    assert f"from 1 to {table}," in META["alt"]
    assert f"{units} units, {net} at every length" in META["alt"]


@pytest.mark.parametrize("state", [{}, {"summed": 4}, {"summed": MOST, "tau": 9, "k": 26}])
def test_its_words_count_states_arrows_and_numbers(state):
    now = DEFAULT | state
    text = status("joint", **state)
    gone = min(now["tau"], now["summed"])
    assert f"{gone} of {now['tau']} states removed" in text
    assert f"{len(arrows(now['tau'], now['summed']))} arrows" in text
    assert f"table has {table_numbers(now['k'], now['tau']):,} numbers" in text
    assert f"network has {network_numbers(now['k'], now['units']):,}" in text
