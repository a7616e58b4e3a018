"""The figure both draws the arrows of Python, and states the inputs and the time of each output."""

import numpy as np
import pytest
from compare import status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.circuits import Circuit, Edge
from rnn_helpers.exercises.chapter_09 import ticks
from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete

pytestmark = pytest.mark.chapter("09")
META = manifest()["both"]
DEFAULT = complete("both", {})
NETWORK = Circuit(["x", "h", "o"], [Edge("x", "h"), Edge("h", "h", delay=1), Edge("h", "o")])
states = st.builds(
    lambda listener, wait, width, steps, at: (
        {"listener": listener, "wait": wait, "width": width, "steps": steps, "at": min(at, steps)}
    ),
    st.sampled_from(["one", "window", "both"]),
    st.integers(0, 4),
    st.sampled_from([1, 3, 5, 7]),
    st.integers(3, 12),
    st.integers(1, 12),
)


def arrows(state):
    """Return the arrows of a network as pairs of nodes: a letter and a step from 1 on."""
    T, inner = state["steps"], []
    if state["listener"] == "window":
        reach = state["width"] // 2
        return {
            (("x", s), ("o", t))
            for t in range(1, T + 1)
            for s in range(max(1, t - reach), min(T, t + reach) + 1)
        }
    late = state["wait"] if state["listener"] == "one" else 0
    graph = NETWORK.unfold(T + late)
    inner = {(edge.source, edge.target) for edge in graph.edges if edge.source[1] > 0}
    # after the last input there is silence, and an answer belongs to the step before the wait
    inner = {(a, b) for a, b in inner if not (a[0] == "x" and a[1] > T)}
    ahead = {(a, ("o", b[1] - late) if b[0] == "o" else b) for a, b in inner}
    ahead = {(a, b) for a, b in ahead if b[1] > 0}
    if state["listener"] == "one":
        return ahead
    return ahead | {(turned(a, T), turned(b, T)) for a, b in inner}


def turned(node, T):
    """Return the same node of the network that reads from the end."""
    letter, step = node
    return {"h": "g"}.get(letter, letter), T + 1 - step


def heard(state, t):
    """Return the inputs from which arrows lead to an output, in order."""
    joined, found = arrows(state), {("o", t)}
    while True:
        more = {a for a, b in joined if b in found} - found
        if not more:
            return sorted(step for letter, step in found if letter == "x")
        found |= more


def ready(state, t):
    """Return the tick at which an output can be given if input t comes at tick t."""
    if state["listener"] == "both":
        return state["steps"]
    if state["listener"] == "one":
        return t + state["wait"]
    return min(t + state["width"] // 2, state["steps"])


def as_node(name):
    return name[0], int(name[1:])


@given(states)
def test_the_arrows_match_python(math, state):
    made = [tuple(map(as_node, pair)) for pair in math("arrows", state)]
    assert len(set(made)) == len(made)
    assert set(made) == arrows(state)


@given(states)
def test_the_inputs_of_an_output_and_its_tick_match_python(math, state):
    assert math("heard", state, state["at"]) == heard(state, state["at"])
    assert math("ready", state, state["at"]) == ready(state, state["at"])


@given(states)
def test_an_output_is_given_when_all_its_inputs_have_arrived(state):
    """A delayed network outputs the last answers in the silence after the input."""
    last = heard(state, state["at"])[-1]
    late = max(0, state["at"] + state["wait"] - state["steps"]) * (state["listener"] == "one")
    assert ready(state, state["at"]) == last + late


@given(states)
def test_a_bidirectional_network_uses_all_inputs_and_a_delayed_one_those_of_its_delay(state):
    T, at, hears = state["steps"], state["at"], heard(state, state["at"])
    ahead = {"both": T, "one": at + state["wait"], "window": at + state["width"] // 2}
    assert hears[-1] == min(T, ahead[state["listener"]])
    assert hears[0] == (max(1, at - state["width"] // 2) if state["listener"] == "window" else 1)


def test_the_texts_state_the_ticks_of_the_figure():
    assert (DEFAULT["listener"], DEFAULT["steps"], DEFAULT["at"]) == ("one", 8, 4)
    assert heard(DEFAULT, 4) == [1, 2, 3, 4]
    assert ready(DEFAULT | {"listener": "both"}, 1) == 8
    assert META["prediction"]["answer"] == "tick 8"
    why = META["prediction"]["why"]
    assert "a delay of two has its first output at tick 3" in why
    assert ready(DEFAULT | {"wait": 2}, 1) == 3


@pytest.mark.parametrize("state", [{}, {"listener": "window", "width": 5, "at": 2}])
def test_the_status_states_the_inputs_and_the_tick(state):
    now = DEFAULT | state
    inputs = heard(now, now["at"])
    told = status("both", **state)
    assert f"inputs {inputs[0]} to {inputs[-1]}" in told
    assert f"at tick {ready(now, now['at'])}." in told


@given(st.integers(1, 12), st.integers(1, 12))
def test_the_masks_are_a_triangle_and_a_square(math, steps, t):
    t = min(t, steps)
    full = np.ones((steps, steps), bool)
    for model, mask in {"GPT": np.tril(full), "BERT": full}.items():
        assert math("mask", model, steps) == mask.tolist()
        last = 1 + np.flatnonzero(mask[t - 1])[-1]
        assert math("readyMasked", model, steps, t) == last


@pytest.mark.parametrize("at", [1, 2, 6])
def test_the_masks_status_states_the_letters_and_the_ticks(at):
    told = status("both", view="masks", at=at)
    letters = "letter 1" if at == 1 else f"letters 1 to {at}"
    assert f"In GPT, output {at} depends on {letters} of “bottle” and is" in told
    assert f"available at tick {at}. In BERT, it depends on all 6 letters" in told


def test_the_exercise_finds_the_smallest_delay_and_the_narrowest_window(math):
    delay, late, width, tick = ticks()
    waits = {"listener": "one", "wait": delay, "width": 1, "steps": 12}
    looks = {"listener": "window", "wait": 0, "width": width, "steps": 12}
    for state, key, less in ((waits, "wait", 1), (looks, "width", 2)):
        assert 8 in math("heard", state, 5)
        assert 8 not in math("heard", state | {key: state[key] - less}, 5)
    assert (math("ready", waits, 5), math("ready", looks, 5)) == (late, tick)
